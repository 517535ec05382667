//! Distances as a picture: points in the plane whose distances are nearly the given ones.

use serde::Serialize;

/// Points in the plane, in the order of the items.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Picture {
    /// Coordinates, in the unit of the distances, centred at the origin.
    pub points: Vec<(f64, f64)>,
    /// The share of the spread that the two axes show, in [0, 1]: the sum of their eigenvalues over the sum of all
    /// positive ones. 1 if all distances are 0.
    pub shown: f64,
}

impl Picture {
    /// Places items by their distances to the items of the picture, its landmarks: each of `others` lists them in the order of
    /// `distances`, the matrix that the picture was made of (de Silva and Tenenbaum 2004, landmark multidimensional scaling). A
    /// landmark is placed where it is.
    ///
    /// # Panics
    ///
    /// If there is not a distance to each landmark.
    pub fn place(&self, distances: &[Vec<f64>], others: &[Vec<f64>]) -> Vec<(f64, f64)> {
        let n = self.points.len();
        let means: Vec<f64> =
            distances.iter().map(|row| row.iter().map(|d| d * d).sum::<f64>() / n as f64).collect();
        let (xs, ys): (Vec<f64>, Vec<f64>) = self.points.iter().copied().unzip();
        let coordinate = |axis: &[f64], other: &[f64]| {
            // The sum of squares on an axis is its eigenvalue.
            let spread: f64 = axis.iter().map(|x| x * x).sum();
            let terms = axis.iter().zip(&means).zip(other);
            let sum: f64 = terms.map(|((x, mean), d)| x * (mean - d * d)).sum();
            if spread > 0.0 { 0.5 * sum / spread } else { 0.0 }
        };
        let placed = |other: &Vec<f64>| {
            assert_eq!(other.len(), n, "a distance to each landmark");
            (coordinate(&xs, other), coordinate(&ys, other))
        };
        others.iter().map(placed).collect()
    }
}

/// Classical scaling (Torgerson 1952) of a symmetric matrix of distances to two dimensions. It is deterministic: the
/// first axis has the larger spread, and on each axis the largest coordinate in absolute value, the first among
/// equals, is positive.
///
/// # Panics
///
/// If `distances` is not square.
pub fn classical(distances: &[Vec<f64>]) -> Picture {
    let n = distances.len();
    assert!(distances.iter().all(|row| row.len() == n), "distances form a square matrix");
    if n == 0 {
        return Picture { points: Vec::new(), shown: 1.0 };
    }
    let squared: Vec<Vec<f64>> = distances.iter().map(|row| row.iter().map(|d| d * d).collect()).collect();
    let means: Vec<f64> = squared.iter().map(|row| row.iter().sum::<f64>() / n as f64).collect();
    let mean = means.iter().sum::<f64>() / n as f64;
    let product = |i: usize, j: usize| -0.5 * (squared[i][j] - means[i] - means[j] + mean);
    let Spectrum { values, vectors } =
        spectrum((0..n).map(|i| (0..n).map(|j| product(i, j)).collect()).collect());
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| values[j].total_cmp(&values[i]).then(i.cmp(&j)));
    let axis = |rank: usize| -> Vec<f64> {
        let Some(&of) = order.get(rank) else { return vec![0.0; n] };
        let scale = values[of].max(0.0).sqrt();
        let axis: Vec<f64> = vectors.iter().map(|row| row[of] * scale).collect();
        // The first of the largest, where rounding does not decide between equals.
        let most = axis.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let sign = axis.iter().find(|x| x.abs() >= most * (1.0 - 1e-9)).map_or(1.0, |x| x.signum());
        axis.iter().map(|x| x * sign + 0.0).collect()
    };
    let positive: f64 = values.iter().filter(|value| **value > 0.0).sum();
    let of_axes: f64 = order.iter().take(2).map(|&of| values[of].max(0.0)).sum();
    let shown = if positive > 0.0 { (of_axes / positive).min(1.0) } else { 1.0 };
    Picture { points: axis(0).into_iter().zip(axis(1)).collect(), shown }
}

/// Eigenvalues, and the eigenvectors as columns in the same order.
struct Spectrum {
    values: Vec<f64>,
    vectors: Vec<Vec<f64>>,
}

/// Rounds over all pairs after which a matrix of any size that fits in memory is diagonal to rounding.
const MAX_ROUNDS: usize = 60;

/// The spectrum of a symmetric matrix, by Jacobi's rotations (Golub and Van Loan, Matrix Computations, section 8.5).
fn spectrum(mut matrix: Vec<Vec<f64>>) -> Spectrum {
    let n = matrix.len();
    let mut vectors: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let size: f64 = matrix.iter().flatten().map(|x| x * x).sum();
    for _ in 0..MAX_ROUNDS {
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| matrix[i][j].powi(2)).sum();
        if off <= size * 1e-30 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut matrix, &mut vectors, p, q);
            }
        }
    }
    Spectrum { values: (0..n).map(|i| matrix[i][i]).collect(), vectors }
}

/// Rotates axes `p` and `q` so that their entry of the matrix becomes 0.
fn rotate(matrix: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    if matrix[p][q] == 0.0 {
        return;
    }
    let slope = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
    let tangent = slope.signum() / (slope.abs() + slope.hypot(1.0));
    let cosine = tangent.hypot(1.0).recip();
    let sine = tangent * cosine;
    let turned = |x: f64, y: f64| (cosine * x - sine * y, sine * x + cosine * y);
    for row in matrix.iter_mut().chain(vectors) {
        (row[p], row[q]) = turned(row[p], row[q]);
    }
    let (of_p, of_q): (Vec<f64>, Vec<f64>) =
        matrix[p].iter().zip(&matrix[q]).map(|(&x, &y)| turned(x, y)).unzip();
    (matrix[p], matrix[q]) = (of_p, of_q);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(points: &[(f64, f64)]) -> Vec<Vec<f64>> {
        let distance = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
        points.iter().map(|a| points.iter().map(|b| distance(a, b)).collect()).collect()
    }

    #[test]
    fn points_in_the_plane_are_found_again() {
        let given = [(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (0.0, 1.0), (9.0, 0.5)];
        let picture = classical(&between(&given));
        assert!((picture.shown - 1.0).abs() < 1e-9);
        for (wanted, found) in between(&given).iter().flatten().zip(between(&picture.points).iter().flatten())
        {
            assert!((wanted - found).abs() < 1e-9);
        }
    }

    #[test]
    fn others_are_placed_among_landmarks() {
        let landmarks = [(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (0.0, 2.0)];
        let others = [(3.0, 7.0), (0.0, 0.0), (-5.0, 1.0)];
        let all = [&landmarks[..], &others].concat();
        let (from_landmarks, wanted) = (between(&landmarks), between(&all));
        let picture = classical(&from_landmarks);
        let distances: Vec<Vec<f64>> = wanted[4..].iter().map(|row| row[..4].to_vec()).collect();
        let placed = picture.place(&from_landmarks, &distances);
        let found = between(&[&picture.points[..], &placed].concat());
        for (wanted, found) in wanted.iter().flatten().zip(found.iter().flatten()) {
            assert!((wanted - found).abs() < 1e-9, "{wanted} {found}");
        }
        // Landmarks without a spread say nothing.
        let same = classical(&vec![vec![0.0; 2]; 2]);
        assert_eq!(same.place(&vec![vec![0.0; 2]; 2], &[vec![3.0, 3.0]]), [(0.0, 0.0)]);
    }

    #[test]
    fn a_simplex_does_not_fit() {
        let distances: Vec<Vec<f64>> =
            (0..5).map(|i| (0..5).map(|j| f64::from(u8::from(i != j))).collect()).collect();
        let picture = classical(&distances);
        // Four equal eigenvalues, of which two are shown.
        assert!((picture.shown - 0.5).abs() < 1e-9);
    }

    #[test]
    fn few_or_equal_items() {
        assert_eq!(classical(&[]).points, []);
        assert_eq!(classical(&[vec![0.0]]).points, [(0.0, 0.0)]);
        let two = classical(&[vec![0.0, 2.0], vec![2.0, 0.0]]).points;
        assert!((two[0].0 - 1.0).abs() < 1e-12 && (two[1].0 + 1.0).abs() < 1e-12, "{two:?}");
        assert_eq!(classical(&vec![vec![0.0; 3]; 3]).shown, 1.0);
    }
}
