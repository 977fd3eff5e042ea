//! Lines of MLIR.

/// Lines, counted from 1 on.
pub(crate) struct Text {
    text: String,
    lines: usize,
    indent: usize,
    values: usize,
}

impl Text {
    /// An empty text, whose lines will be indented `indent` times.
    pub(crate) fn indented(indent: usize) -> Self {
        Text { text: String::new(), lines: 0, indent, values: 0 }
    }

    /// Adds a line and returns its number.
    pub(crate) fn line(&mut self, line: &str) -> usize {
        self.text.push_str(&"  ".repeat(self.indent));
        self.text.push_str(line);
        self.text.push('\n');
        self.lines += 1;
        self.lines
    }

    /// Adds the line `%name = op` with a new name, and returns the name.
    pub(crate) fn value(&mut self, op: &str) -> String {
        let name = format!("%{}", self.values);
        self.values += 1;
        self.line(&format!("{name} = {op}"));
        name
    }

    /// Adds `open`, the lines of `body`, and `}`.
    pub(crate) fn block<R>(&mut self, open: &str, body: impl FnOnce(&mut Self) -> R) -> R {
        self.open(open);
        let result = body(self);
        self.close();
        result
    }

    /// Adds a line after which lines are indented once more.
    pub(crate) fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
    }

    /// Adds the `}` of the last [`Text::open`].
    pub(crate) fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// Adds other lines as they are.
    pub(crate) fn append(&mut self, other: Text) {
        self.text.push_str(&other.text);
        self.lines += other.lines;
    }

    pub(crate) fn into_string(self) -> String {
        self.text
    }
}

/// An index constant.
pub(crate) fn constant(text: &mut Text, value: i64) -> String {
    text.value(&format!("arith.constant {value} : index"))
}

/// A string literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b' '..=b'~' if byte != b'"' && byte != b'\\' => literal.push(char::from(byte)),
            _ => literal.push_str(&format!("\\{byte:02X}")),
        }
    }
    literal + "\""
}

/// An attribute's name, bare if MLIR accepts it so.
pub(crate) fn identifier(name: &str) -> String {
    let bare = !name.is_empty()
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if bare { name.to_owned() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines() {
        let mut text = Text::indented(1);
        assert_eq!((text.line("a"), text.value("b")), (1, "%0".to_owned()));
        assert_eq!(text.block("c {", |text| text.line("d")), 4);
        assert_eq!(text.into_string(), "  a\n  %0 = b\n  c {\n    d\n  }\n");
    }

    #[test]
    fn escapes() {
        assert_eq!(quoted("a \"b\"\\\n"), r#""a \22b\22\5C\0A""#);
        assert_eq!(["l1_evict", "x y", "", "9"].map(identifier), ["l1_evict", "\"x y\"", "\"\"", "\"9\""]);
    }
}
