//! Choices: enums whose values have names, by which options and files give them.

#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serde;

/// The text names no value of a choice.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown variant `{text}`, expected one of {}", listed(known))]
pub struct UnknownChoice {
    /// The text.
    pub text: String,
    /// The names of all values.
    pub known: Vec<&'static str>,
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Declares a choice: an enum with `ALL`, `name`, `names`, `Display` and `FromStr`; under the feature `serde`, also read and
/// written by its names.
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $($(#[$variant_meta])* $variant),+
        }

        impl $name {
            /// Every choice.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name in options and files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            /// The names of all choices.
            pub fn names() -> Vec<&'static str> {
                Self::ALL.iter().map(|choice| choice.name()).collect()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::choice::UnknownChoice;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|choice| choice.name() == text).ok_or_else(|| {
                    $crate::choice::UnknownChoice { text: text.to_owned(), known: Self::names() }
                })
            }
        }

        $crate::serde_by_name!($name);
    };
}

/// Serialises a choice by its names.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! serde_by_name {
    ($name:ident) => {
        impl $crate::choice::serde::Serialize for $name {
            fn serialize<S: $crate::choice::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> $crate::choice::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::choice::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                let name = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                name.parse().map_err($crate::choice::serde::de::Error::custom)
            }
        }
    };
}

#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! serde_by_name {
    ($name:ident) => {};
}

#[cfg(test)]
mod tests {
    use crate::tree::Identity;

    #[test]
    fn names_are_read_back_and_others_refused() {
        for identity in Identity::ALL {
            assert_eq!(identity.to_string().parse(), Ok(*identity));
        }
        let error = "tree".parse::<Identity>().unwrap_err().to_string();
        assert_eq!(error, "unknown variant `tree`, expected one of `checkpoint`, `strict`");
    }
}
