//! Views of tiles in registers: the layout of the view follows from its source's, and the source's from that of the view.
//!
//! ```text
//!   reshape   64x64 as 64x8x8         the same layout
//!   permute   64x64 as [1, 0]         the same iters in another order
//!   part      columns 64 … 128        of the view: some of the iters, from an offset
//!             of 128 columns          of the source: the iters of the part, and registers for each other part
//! ```

use thiserror::Error;
use tile_layout::{Layout, LayoutError, by_x};

/// What a view is of its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewForm {
    /// The same elements in another shape.
    Reshape,
    /// Dimension `k` is the source's dimension of this number.
    Permute(Vec<usize>),
    /// A part, perhaps without dimensions of extent 1.
    Part {
        /// Where it begins.
        begins: Vec<i64>,
        /// Its extents, with all dimensions.
        sizes: Vec<i64>,
    },
}

/// A view of a tile in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileView {
    /// The number of the tile that is viewed.
    pub source: usize,
    /// That of the view, which is a tile, too.
    pub view: usize,
    /// What it is.
    pub form: ViewForm,
}

/// Which side of a view has a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewSide {
    /// The tile that is viewed.
    Source,
    /// The view.
    View,
}

/// Why one side of a view has no layout that follows from the other's.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "got the layout {layout} of {}, {}, from which none of {} follows: {error}",
    by_x(&.shapes[0]), side_name(*.side), by_x(&.shapes[1])
)]
pub struct ViewRefusal {
    /// The side that has the layout.
    pub side: ViewSide,
    /// The layout.
    pub layout: Layout,
    /// The extents of the side that has it, and of the other one.
    pub shapes: [Vec<i64>; 2],
    /// The reason.
    pub error: LayoutError,
}

fn side_name(side: ViewSide) -> &'static str {
    match side {
        ViewSide::Source => "the tile that is viewed",
        ViewSide::View => "the view",
    }
}

impl ViewForm {
    /// The layout of the other side, where one side has this one; `shapes` are those of the source and of the view.
    ///
    /// ```
    /// use tile_plan::linalg::{ViewForm, ViewSide};
    ///
    /// let columns = ViewForm::Part { begins: vec![0, 8], sizes: vec![8, 8] };
    /// let part = "(8, 4, 2) : (4@laneid, 1@laneid, 1)".parse().unwrap();
    /// let whole = columns.other(ViewSide::View, &part, [&[8, 16], &[8, 8]]).unwrap();
    /// assert_eq!(whole.to_string(), "(8, 2, 4, 2) : (4@laneid, 2, 1@laneid, 1)");
    /// let again = columns.other(ViewSide::Source, &whole, [&[8, 16], &[8, 8]]).unwrap();
    /// assert_eq!(again.to_string(), "(8, 1, 4, 2) : (4@laneid, 2, 1@laneid, 1) + 2");
    /// ```
    ///
    /// # Errors
    /// It has none.
    pub fn other(&self, side: ViewSide, layout: &Layout, shapes: [&[i64]; 2]) -> Result<Layout, Box<ViewRefusal>> {
        let [source, view] = shapes;
        let (other, [from, to]) = match side {
            ViewSide::Source => (self.of_view(layout, source), [source, view]),
            ViewSide::View => (self.of_source(layout, source, view), [view, source]),
        };
        let other = other.and_then(|other| other.group(to).map(|_| other));
        let shapes = [from, to].map(<[i64]>::to_vec);
        other.map_err(|error| Box::new(ViewRefusal { side, layout: layout.clone(), shapes, error }))
    }

    fn of_view(&self, layout: &Layout, source: &[i64]) -> Result<Layout, LayoutError> {
        match self {
            ViewForm::Reshape => Ok(layout.clone()),
            ViewForm::Permute(order) => layout.transposed(source, order),
            ViewForm::Part { begins, sizes } => {
                let begins: Vec<Option<i64>> = begins.iter().copied().map(Some).collect();
                layout.part(source, &begins, sizes)
            }
        }
    }

    fn of_source(&self, layout: &Layout, source: &[i64], view: &[i64]) -> Result<Layout, LayoutError> {
        match self {
            ViewForm::Reshape => Ok(layout.clone()),
            ViewForm::Permute(order) => {
                let place = |dimension| order.iter().position(|&from| from == dimension).unwrap_or(usize::MAX);
                layout.transposed(view, &(0..order.len()).map(place).collect::<Vec<_>>())
            }
            ViewForm::Part { begins, sizes } => layout.around(source, begins, sizes),
        }
    }
}

#[cfg(test)]
mod tests {
    use tile_isa::Scope;

    use super::super::{LocalTile, LocalTiles, ProductRegisters, RegisterConflict};
    use super::*;
    use crate::problem::threads::Threads;
    use crate::target::Target;

    fn tile(shape: &[i64], known: Option<&str>) -> LocalTile {
        LocalTile {
            shape: shape.to_vec(),
            bits: 32,
            known: known.map(|text| text.parse().unwrap()),
            threads: vec![Threads::all(Scope::Cta, Some(128))],
            reduced: Vec::new(),
            run: 0,
            is_copy: false,
        }
    }

    fn part(source: usize, view: usize, begins: &[i64], sizes: &[i64]) -> TileView {
        TileView { source, view, form: ViewForm::Part { begins: begins.to_vec(), sizes: sizes.to_vec() } }
    }

    fn chosen(tiles: Vec<LocalTile>, views: Vec<TileView>) -> Result<Vec<String>, Vec<RegisterConflict>> {
        let tiles = LocalTiles { tiles, views, ..LocalTiles::default() };
        let layout = |registers: Option<ProductRegisters>| match registers {
            Some(ProductRegisters::Layout(layout)) => layout.to_string(),
            other => panic!("{other:?}"),
        };
        let choice = tiles.choose(&Target::parse("sm_90a").unwrap())?;
        Ok(choice.tiles.into_iter().map(layout).collect())
    }

    #[test]
    fn either_side_decides() {
        let views = || vec![TileView { source: 0, view: 1, form: ViewForm::Permute(vec![1, 0]) }];
        let (rows, columns) = ("(128, 4) : (1@tx, 1)", "(4, 128) : (1, 1@tx)");
        let expected = Ok(vec![rows.to_owned(), columns.to_owned()]);
        assert_eq!(chosen(vec![tile(&[128, 4], Some(rows)), tile(&[4, 128], None)], views()), expected);
        assert_eq!(chosen(vec![tile(&[128, 4], None), tile(&[4, 128], Some(columns))], views()), expected);
        let other = Some("(4, 128) : (32@tx, 1)");
        let conflicts = chosen(vec![tile(&[128, 4], Some(rows)), tile(&[4, 128], other)], views()).unwrap_err();
        assert!(matches!(conflicts[..], [RegisterConflict::Disagree { tile: 1, .. }]), "{conflicts:?}");
    }

    #[test]
    fn a_tile_is_divided_as_its_parts_are() {
        let tiles = vec![tile(&[32, 128], None), tile(&[32, 64], None), tile(&[32, 64], None)];
        let halves = vec![part(0, 1, &[0, 0], &[32, 64]), part(0, 2, &[0, 64], &[32, 64])];
        let half = |offset: &str| format!("(4, 8, 1, 16, 4) : (4, 16@tx, 16, 1@tx, 1){offset}");
        let whole = "(4, 8, 2, 16, 4) : (4, 16@tx, 16, 1@tx, 1)".to_owned();
        let layouts = chosen(tiles, halves).unwrap();
        assert_eq!((&layouts[0], &layouts[2]), (&whole, &half(" + 16")));
        // A row by itself would leave most threads without one of their own.
        let row = chosen(vec![tile(&[32, 64], None), tile(&[1, 64], None)], vec![part(0, 1, &[3, 0], &[1, 64])]);
        assert_eq!(row.unwrap()[0], "(4, 8, 16, 4) : (4, 16@tx, 1@tx, 1)");
    }

    #[test]
    fn what_does_not_follow_is_refused() {
        let views = || vec![part(0, 1, &[0, 3], &[64, 5])];
        let refused = |source, view| match chosen(vec![tile(&[64, 24], source), tile(&[64, 5], view)], views()) {
            Err(conflicts) => match &conflicts[..] {
                [RegisterConflict::View { view: 0, origin: None, refusal }] => refusal.to_string(),
                other => panic!("{other:?}"),
            },
            Ok(layouts) => panic!("{layouts:?}"),
        };
        let of_view = refused(Some("(64, 3, 2, 4) : (2@tx, 4, 1@tx, 1)"), None);
        let expected = "got the layout (64, 3, 2, 4) : (2@tx, 4, 1@tx, 1) of 64x24, the tile that is viewed, from which none of 64x5 follows:";
        assert!(of_view.starts_with(expected), "{of_view}");
        let of_source = refused(None, Some("(64, 5) : (1@tx, 1)"));
        assert!(of_source.ends_with("expected a begin and an extent that are multiples of 5"), "{of_source}");
        refused(None, None);
    }
}
