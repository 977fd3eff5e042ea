//! The code of a source: what a compiler reads, without comments and unit tests.

use std::iter::Peekable;
use std::str::Chars;

/// The code of a source in Rust, C++ or TableGen. Comments become nothing; strings stay. A file ends where its module of
/// unit tests begins.
pub fn code(text: &str) -> String {
    let shipped = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut code = String::with_capacity(shipped.len());
    let mut rest = shipped.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('/', Some('/')) => line_comment(&mut rest),
            ('/', Some('*')) => block_comment(&mut rest),
            ('"', _) => string(&mut rest, &mut code),
            // A quoted character may be a quotation mark; an apostrophe before a lifetime is followed by a name.
            ('\'', Some('"')) => {
                rest.next();
            }
            _ => code.push(c),
        }
    }
    code
}

fn line_comment(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|&c| c != '\n').is_some() {}
}

/// Rust's comments nest.
fn block_comment(rest: &mut Peekable<Chars<'_>>) {
    let mut depth = 0_usize;
    let mut last = '/';
    for c in rest.by_ref() {
        match (last, c) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                last = c;
                continue;
            }
        }
        if depth == 0 {
            return;
        }
        last = ' ';
    }
}

/// The rest of a string, with its quotation marks; a backslash before one does not end it.
fn string(rest: &mut Peekable<Chars<'_>>, code: &mut String) {
    code.push('"');
    while let Some(c) = rest.next() {
        code.push(c);
        match c {
            '"' => return,
            '\\' => code.extend(rest.next()),
            _ => {}
        }
    }
}

/// Whether code contains `word` as a whole identifier.
pub fn names(code: &str, word: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .any(|(at, _)| !code[..at].ends_with(is_inside) && !code[at + word.len()..].starts_with(is_inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_tests_are_no_code() {
        assert_eq!(code("a(); // bulk\n/// bulk\nb(); /* bulk /* bulk */ bulk */ c();"), "a(); \n\nb();  c();");
        assert_eq!(code("fn f() {}\n\n#[cfg(test)]\nmod tests {\n    bulk();\n}\n"), "fn f() {}\n");
        assert_eq!(code("#[cfg(test)]\nextern crate a;\nb();"), "#[cfg(test)]\nextern crate a;\nb();");
    }

    #[test]
    fn what_looks_like_a_comment_in_a_string_is_code() {
        assert_eq!(code(r#"say("a // b", "\"/*"); // c"#), r#"say("a // b", "\"/*"); "#);
        assert_eq!(code("split('\"'); // a\nf::<'a>(b)"), "split('); \nf::<'a>(b)");
    }

    #[test]
    fn only_whole_words_are_names() {
        assert!(names("plan.last, x", "last") && names("last", "last"));
        assert!(!names("last_threads, atlast", "last"));
    }
}
