//! TableGen's names in Rust's spelling.

/// `operandSegmentSizes` and `cp.async.bulk` as `operand_segment_sizes` and `cp_async_bulk`.
pub fn snake(name: &str) -> String {
    let mut text = String::new();
    let mut before = '_';
    let letters: Vec<char> = name.chars().collect();
    for (index, &letter) in letters.iter().enumerate() {
        let letter = if letter.is_ascii_alphanumeric() { letter } else { '_' };
        // A new word starts at a capital after a lower-case letter, and at the last of several capitals.
        let next_is_small = letters.get(index + 1).is_some_and(|next| next.is_ascii_lowercase());
        let starts_word = letter.is_ascii_uppercase()
            && before != '_'
            && (!before.is_ascii_uppercase() || next_is_small && !before.is_ascii_digit());
        if starts_word {
            text.push('_');
        }
        if !(letter == '_' && before == '_') {
            text.push(letter.to_ascii_lowercase());
        }
        before = letter;
    }
    escaped(text.trim_matches('_'))
}

/// `async.shared` and `eq` as `AsyncShared` and `Eq`; a name that starts with a digit is prefixed with `N`.
pub fn camel(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let text: String = words
        .map(|word| {
            let (first, others) = word.split_at(1);
            let others = if others.chars().any(|letter| letter.is_ascii_lowercase()) || others.is_empty() {
                others.to_owned()
            } else {
                others.to_ascii_lowercase()
            };
            first.to_ascii_uppercase() + &others
        })
        .collect();
    if text.starts_with(|first: char| first.is_ascii_digit()) { format!("N{text}") } else { text }
}

/// A type's name in Rust's spelling: TableGen's are in camel case, a few with underscores.
pub fn type_name(name: &str) -> String {
    if name.contains('_') { camel(name) } else { name.to_owned() }
}

/// A text without its line breaks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn escaped(name: &str) -> String {
    const KEYWORDS: [&str; 24] = [
        "as", "async", "await", "box", "const", "do", "else", "enum", "final", "fn", "for", "if", "in", "match", "mod",
        "move", "priv", "ref", "return", "static", "type", "where", "while", "yield",
    ];
    match name {
        name if KEYWORDS.contains(&name) => format!("r#{name}"),
        name if name.starts_with(|first: char| first.is_ascii_digit()) => format!("n{name}"),
        name => name.to_owned(),
    }
}
