//! Lists of what is allowed, in messages.

/// `got shape = "x", expected one of a, b`, unless `value` is one of `known`.
///
/// # Errors
/// As above, with `name` for `shape`.
pub fn one_of<'k>(name: &str, value: &str, known: impl IntoIterator<Item = &'k str>) -> Result<(), String> {
    let known: Vec<&str> = known.into_iter().collect();
    if known.contains(&value) {
        return Ok(());
    }
    match known.as_slice() {
        [only] => Err(format!("got {name} = \"{value}\", expected \"{only}\"")),
        _ => Err(format!("got {name} = \"{value}\", expected one of {}", known.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::one_of;

    #[test]
    fn lists_what_is_allowed() {
        assert_eq!(one_of("shape", "a", ["a", "b"]), Ok(()));
        assert_eq!(one_of("shape", "c", ["a", "b"]).unwrap_err(), "got shape = \"c\", expected one of a, b");
        assert_eq!(one_of("fill", "c", ["zero"]).unwrap_err(), "got fill = \"c\", expected \"zero\"");
    }
}
