//! Pictures as drawings.

use std::fmt::Write;

use super::{Picture, Position, Table};

const HEIGHT: usize = 22;
/// Width of a character.
const CHARACTER: usize = 8;
const GAP: usize = 60;
const TOP: usize = 26;

/// A table at its place.
struct Placed<'t> {
    table: &'t Table,
    left: usize,
    names: usize,
    width: usize,
}

impl Placed<'_> {
    fn columns(&self) -> usize {
        self.table.cells.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn right(&self) -> usize {
        let title = self.table.title.chars().count() * CHARACTER;
        self.left + (self.names + self.columns() * self.width).max(title)
    }

    fn middle(&self, (row, column): Position) -> (usize, usize) {
        (self.left + self.names + column * self.width + self.width / 2, TOP + row * HEIGHT + HEIGHT / 2)
    }
}

fn placed(picture: &Picture) -> Vec<Placed<'_>> {
    let mut left = 8;
    let mut all = Vec::new();
    for table in &picture.tables {
        let longest =
            |texts: &mut dyn Iterator<Item = &String>| texts.map(|text| text.chars().count()).max().unwrap_or(0);
        let width = longest(&mut table.cells.iter().flatten().map(|cell| &cell.text)) * CHARACTER + 8;
        let names = longest(&mut table.rows.iter()) * CHARACTER + 8;
        let placed = Placed { table, left, names, width };
        left = placed.right() + GAP;
        all.push(placed);
    }
    all
}

/// A soft colour for each number; neighbours differ.
fn colour(number: Option<i64>) -> String {
    match number {
        None => "#ffffff".to_owned(),
        // Multiples of the golden angle are spread evenly.
        Some(number) => format!("hsl({} 70% {}%)", number.rem_euclid(360) * 137 % 360, 78 + number.rem_euclid(3) * 5),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

pub(super) fn draw(picture: &Picture) -> String {
    let placed = placed(picture);
    let rows = picture.tables.iter().map(|table| table.cells.len()).max().unwrap_or(0);
    let notes = picture.notes.iter().map(|note| note.chars().count() * CHARACTER + 16).max().unwrap_or(0);
    let width = placed.iter().map(Placed::right).max().unwrap_or(0).max(notes) + 8;
    let below = TOP + rows * HEIGHT + HEIGHT;
    let height = below + picture.notes.len() * HEIGHT;
    let mut body = String::new();
    for table in &placed {
        one(&mut body, table);
    }
    if let [from, to, ..] = &placed[..] {
        for &(start, end) in &picture.arrows {
            let ((x1, y1), (x2, y2)) = (from.middle(start), to.middle(end));
            let _ = writeln!(
                body,
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#444\" stroke-opacity=\"0.5\" marker-end=\"url(#head)\"/>"
            );
        }
    }
    for (index, note) in picture.notes.iter().enumerate() {
        let _ = writeln!(body, "<text x=\"8\" y=\"{}\">{}</text>", below + index * HEIGHT, escaped(note));
    }
    // A page may be dark.
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"background:#fff\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"13\">\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#444\"/></marker></defs>\n\
         {body}</svg>\n"
    )
}

fn one(body: &mut String, placed: &Placed<'_>) {
    let Placed { table, left, names, width } = placed;
    let _ = writeln!(body, "<text x=\"{left}\" y=\"16\">{}</text>", escaped(&table.title));
    for (row, (name, cells)) in table.rows.iter().zip(&table.cells).enumerate() {
        let y = TOP + row * HEIGHT;
        let _ = writeln!(body, "<text x=\"{left}\" y=\"{}\">{}</text>", y + 15, escaped(name));
        for (column, cell) in cells.iter().enumerate() {
            let (x, (middle, _)) = (left + names + column * width, placed.middle((row, column)));
            let _ = writeln!(
                body,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{HEIGHT}\" fill=\"{}\" stroke=\"#999\"/><text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                colour(cell.colour),
                y + 15,
                escaped(&cell.text)
            );
        }
    }
}

pub(super) fn page(picture: &Picture) -> String {
    let title = picture.tables.first().map(|table| escaped(&table.title)).unwrap_or_default();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<body>\n{}</body>\n</html>\n",
        draw(picture)
    )
}
