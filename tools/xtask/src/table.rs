//! Plain text tables for the terminal.

/// Rows below a header, with columns as wide as their longest cell. The first column is aligned left, the others right.
///
/// ```text
/// step     result  seconds
/// clippy   ok          1.2
/// ```
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column titles.
    pub fn new(header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(|&title| title.to_owned()).collect()] }
    }

    /// Adds a row; missing cells stay empty.
    pub fn row(&mut self, cells: &[String]) {
        self.rows.push(cells.to_vec());
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let length = |row: &[String], column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
        (0..columns).map(|column| self.rows.iter().map(|row| length(row, column)).max().unwrap_or(0)).collect()
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let widths = self.widths();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let cell = if column == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
                line.push_str(&cell);
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_longest_cell() {
        let mut table = Table::new(&["copies", "µs"]);
        table.row(&["10 000".into(), "9.25".into()]);
        table.row(&["1".into()]);
        assert_eq!(table.to_string(), "copies    µs\n10 000  9.25\n1\n");
    }
}
