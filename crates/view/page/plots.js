// Plots of the runs, as images: nothing in a picture can run, or load anything.

async function showPlots(mine) {
  const box = element('plots');
  box.replaceChildren(make('p', 'Drawing…', 'soft'));
  let shown;
  try {
    const { plots, notes } = await source.plots();
    shown = [...notes.map((note) => make('p', note, 'soft')), ...plots.map(picture)];
    if (!plots.length) shown.push(make('p', 'There is nothing to plot: no theorem has the results or proofs that plots need.', 'soft'));
  } catch (why) {
    shown = [make('p', `The plots cannot be shown: ${why.message}`)];
  }
  if (mine === route) box.replaceChildren(...shown);
}

function picture({ title, svg }) {
  const image = make('img');
  image.alt = title;
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  return image;
}
