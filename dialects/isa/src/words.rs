//! Lists of what is allowed, in messages.

use crate::error::IsaError;

/// `got shape = "x", expected one of a, b`, unless `value` is one of `known`.
///
/// # Errors
/// As above, with `name` for `shape`.
pub fn one_of<'k>(name: &str, value: &str, known: impl IntoIterator<Item = &'k str>) -> Result<(), IsaError> {
    let known: Vec<&str> = known.into_iter().collect();
    if known.contains(&value) {
        return Ok(());
    }
    let known = known.into_iter().map(str::to_owned).collect();
    Err(IsaError::Word { name: name.to_owned(), value: value.to_owned(), known })
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
