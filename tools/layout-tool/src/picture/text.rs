//! Pictures as text.

use super::{Picture, Table};

pub(super) fn draw(picture: &Picture) -> String {
    let mut parts: Vec<String> = picture.tables.iter().map(table).collect();
    if !picture.notes.is_empty() {
        parts.push(picture.notes.iter().map(|note| format!("{note}\n")).collect());
    }
    parts.join("\n")
}

fn table(table: &Table) -> String {
    let columns = table.cells.iter().map(Vec::len).max().unwrap_or(0);
    let of_column = |column: usize| {
        table.cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.text.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| of_column(column).unwrap_or(0)).collect();
    let names = table.rows.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = format!("{}\n", table.title);
    for (name, cells) in table.rows.iter().zip(&table.cells) {
        let cells: Vec<String> =
            cells.iter().zip(&widths).map(|(cell, width)| format!("{:>width$}", cell.text)).collect();
        let bar = if names == 0 { String::new() } else { format!("{name:<names$} | ") };
        text.push_str(format!("{bar}{}", cells.join(" ")).trim_end());
        text.push('\n');
    }
    text
}
