//! Lists of what is allowed, in messages.

use thiserror::Error;

use crate::messages::message_of;

/// A word that is none of those known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("got {name} = \"{value}\", expected {}", listed(.known))]
pub struct UnknownWord {
    /// The name of what has a word: `shape`.
    pub name: String,
    /// The word.
    pub value: String,
    /// The known words.
    pub known: Vec<String>,
}

message_of!(UnknownWord);

impl UnknownWord {
    /// `value` where one of `known` is needed.
    pub fn new<'k>(name: &str, value: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        let known = known.into_iter().map(str::to_owned).collect();
        UnknownWord { name: name.to_owned(), value: value.to_owned(), known }
    }
}

/// `"a"`, or `one of a, b`.
fn listed(known: &[String]) -> String {
    match known {
        [only] => format!("\"{only}\""),
        _ => format!("one of {}", joined(known)),
    }
}

/// `a, b`.
pub(crate) fn joined<T: ToString>(words: &[T]) -> String {
    words.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// `8, 16 or 64`.
pub(crate) fn alternatives<T: ToString>(words: &[T]) -> String {
    match words {
        [others @ .., last] if !others.is_empty() => format!("{} or {}", joined(others), last.to_string()),
        words => joined(words),
    }
}

/// `got shape = "x", expected one of a, b`, unless `value` is one of `known`.
///
/// # Errors
/// As above, with `name` for `shape`.
pub fn one_of<'k>(name: &str, value: &str, known: impl IntoIterator<Item = &'k str>) -> Result<(), UnknownWord> {
    let known: Vec<&str> = known.into_iter().collect();
    if known.contains(&value) {
        return Ok(());
    }
    Err(UnknownWord::new(name, value, known))
}

#[cfg(test)]
mod tests {
    use super::one_of;

    #[test]
    fn lists_what_is_allowed() {
        assert_eq!(one_of("shape", "a", ["a", "b"]), Ok(()));
        assert_eq!(
            one_of("shape", "c", ["a", "b"]).unwrap_err().to_string(),
            "got shape = \"c\", expected one of a, b"
        );
        assert_eq!(one_of("fill", "c", ["zero"]).unwrap_err().to_string(), "got fill = \"c\", expected \"zero\"");
    }
}
