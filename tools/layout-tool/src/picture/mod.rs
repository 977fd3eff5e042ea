//! Tables of what holds each element, and arrows between them; drawn as text, SVG or HTML.

mod svg;
mod text;

use tile_layout::{Axis, Range, by_x};

use crate::compare::located;
use crate::described::Described;
use crate::error::ToolError;

/// The most cells of a table.
pub const MAX_CELLS: i64 = 4096;

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// A number for its colour: cells of equal numbers look alike. `None` where nothing is.
    pub colour: Option<i64>,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Said above it.
    pub title: String,
    /// The name of each row.
    pub rows: Vec<String>,
    /// The cells, row by row.
    pub cells: Vec<Vec<Cell>>,
}

/// A row and a column of a table.
pub type Position = (usize, usize);

/// Tables beside each other, arrows from the first to the second, and lines below.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The tables.
    pub tables: Vec<Table>,
    /// From a cell of the first table to one of the second.
    pub arrows: Vec<(Position, Position)>,
    /// Said below.
    pub notes: Vec<String>,
}

/// How a picture is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Text.
    #[default]
    Text,
    /// A drawing.
    Svg,
    /// A page with the drawing.
    Html,
}

impl Picture {
    /// The picture in a format.
    pub fn draw(&self, format: Format) -> String {
        match format {
            Format::Text => text::draw(self),
            Format::Svg => svg::draw(self),
            Format::Html => svg::page(self),
        }
    }
}

/// The part of a tile that is shown, and what of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The axis whose positions are shown; all that the layout names where none is given.
    pub axis: Option<Axis>,
    /// The first element shown, by its coordinates; the first of the tile where none is given.
    pub at: Vec<i64>,
    /// The extents shown; all of the tile where none are given.
    pub region: Vec<i64>,
    /// One of so many columns is shown, and positions in memory are counted in so many.
    pub chunk: i64,
}

/// The rows and columns that a view shows of a tile.
struct Window {
    dimensions: Vec<Range>,
    rows: i64,
    columns: i64,
    chunk: i64,
}

impl View {
    fn window(&self, shape: &[i64]) -> Result<Window, ToolError> {
        let refused = |message: String| Err(ToolError::Refused(message));
        let given =
            |numbers: &Vec<i64>, otherwise: Vec<i64>| if numbers.is_empty() { otherwise } else { numbers.clone() };
        let at = given(&self.at, vec![0; shape.len()]);
        let rest: Vec<i64> = shape.iter().zip(&at).map(|(extent, at)| extent.saturating_sub(*at)).collect();
        let region = given(&self.region, rest);
        if at.len() != shape.len() || region.len() != shape.len() {
            return refused(format!(
                "got {} and {} numbers for --at and --region, expected {}, one for each dimension",
                at.len(),
                region.len(),
                shape.len()
            ));
        }
        for (dimension, extent) in shape.iter().enumerate() {
            let (begin, size) = (at[dimension], region[dimension]);
            if begin < 0 || size < 1 || begin.checked_add(size).is_none_or(|end| end > *extent) {
                return refused(format!(
                    "got {size} positions from {begin} on in dimension {dimension}, expected some of 0 to {}",
                    extent - 1
                ));
            }
        }
        let (outer, columns) = region.split_at(region.len().saturating_sub(1));
        let columns = columns.first().copied().unwrap_or(1);
        let chunk = self.chunk.max(1);
        if columns % chunk != 0 {
            return refused(format!("got chunks of {chunk} in {columns} columns, expected a divisor"));
        }
        let rows = outer.iter().fold(1i64, |rows, extent| rows.saturating_mul(*extent));
        if rows.saturating_mul(columns / chunk) > MAX_CELLS {
            return Err(ToolError::TooLarge { rows, columns: columns / chunk, most: MAX_CELLS });
        }
        let dimensions = at.iter().zip(&region).map(|(&at, &extent)| Range::new(at, extent)).collect();
        Ok(Window { dimensions, rows, columns: columns / chunk, chunk })
    }
}

impl Window {
    /// The coordinates of a cell.
    fn coordinates(&self, row: i64, column: i64) -> Vec<i64> {
        let mut rest = row;
        let mut at: Vec<i64> = Vec::new();
        for (back, range) in self.dimensions.iter().rev().enumerate() {
            let digit = if back == 0 {
                column * self.chunk
            } else {
                let digit = rest % range.extent;
                rest /= range.extent;
                digit
            };
            at.push(range.begin + digit);
        }
        at.reverse();
        at
    }

    /// `row 3`, and with more dimensions `row 1, 3`.
    fn row_name(&self, row: i64) -> String {
        let at = self.coordinates(row, 0);
        let outer: Vec<String> = at[..at.len().saturating_sub(1)].iter().map(i64::to_string).collect();
        if outer.is_empty() { String::new() } else { format!("row {}", outer.join(", ")) }
    }
}

/// What holds each element of a tile.
///
/// # Errors
/// A view outside of the tile, or of too many cells; a layout of another shape.
pub fn holders(described: &Described, view: &View) -> Result<Table, ToolError> {
    let window = view.window(&described.shape)?;
    let axes: Vec<Axis> = described.layout.axes().collect();
    let has_threads = axes.iter().any(|axis| axis.is_thread());
    let shown: Vec<Axis> = match view.axis {
        Some(axis) => vec![axis],
        // Threads first, then their registers.
        None => axes.into_iter().rev().collect(),
    };
    let name = |axis: &Axis| match axis {
        Axis::Memory if has_threads => "register".to_owned(),
        Axis::Memory if window.chunk > 1 => format!("address, in chunks of {} elements", window.chunk),
        Axis::Memory => "address".to_owned(),
        axis => axis.name().to_owned(),
    };
    let shape = by_x(&described.shape);
    let names = shown.iter().map(name).collect::<Vec<_>>().join(":");
    let mut table = Table { title: format!("{shape}, {}: {names}", described.layout), ..Table::default() };
    for row in 0..window.rows {
        let mut cells = Vec::new();
        for column in 0..window.columns {
            let at = window.coordinates(row, column);
            let location = located(&described.layout, &at, &described.shape)?;
            let position = |axis: &Axis| location.get(axis).copied().unwrap_or(0);
            let number = |axis: &Axis| {
                if *axis == Axis::Memory && !has_threads { position(axis) / window.chunk } else { position(axis) }
            };
            let colour = shown.iter().find(|axis| axis.is_thread()).or(shown.first()).map(number);
            cells.push(Cell {
                text: shown.iter().map(|axis| number(axis).to_string()).collect::<Vec<_>>().join(":"),
                colour,
            });
        }
        table.rows.push(window.row_name(row));
        table.cells.push(cells);
    }
    Ok(table)
}
