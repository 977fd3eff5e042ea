//! Copies to tensor memory: a buffer of whole rows in panels as wide as the swizzle's rows, and a window of its
//! columns.

use tile_isa::{Scope, Space, TmemForm};
use tile_layout::{Axis, Iter, Layout, Swizzle};

use super::{PLAIN, buffer, text};
use crate::case::{Case, Element, OptionValue, Side, Wanted};
use crate::random::draw::Rng;

/// One to four tiles of a form, side by side in the columns.
pub(super) fn case(rng: &mut Rng) -> Case {
    let element = Element::parse(rng.one_of::<&str>(&["float16", "bfloat16", "float32", "uint8", "float8_e5m2"]))
        .unwrap_or(Element { mlir: "f32", bits: 32 });
    let form = *rng.one_of(&TmemForm::ALL);
    let atom = form.row_bits() / i64::from(element.bits);
    let columns = atom * rng.one_of(&[1, 1, 2, 4, 3]);
    let mut options = Vec::new();
    if rng.below(2) == 0 {
        options.push(text("shape", form.shape()));
        options.extend(form.multicast().map(|multicast| text("multicast", multicast)));
    }
    if rng.below(2) == 0 {
        options.push(("cta_group".to_owned(), OptionValue::Integer(1 + i64::from(rng.below(3) == 0))));
    }
    Case {
        id: String::new(),
        scope: Scope::Thread,
        block: *rng.one_of(&[128, 128, 256]),
        chip: "sm_100a".to_owned(),
        active: Vec::new(),
        enclosing: Vec::new(),
        forced: None,
        issue: Some(PLAIN),
        options,
        src: shared(rng, element, form.rows(), columns),
        dst: tensor(rng, element, form, columns),
        wording: crate::case::Wording::default(),
        wanted: Wanted::Right,
    }
}

/// Rows of 16, 32, 64 or 128 bytes, swizzled in that mode; wider tiles in consecutive panels.
fn shared(rng: &mut Rng, element: Element, rows: i64, columns: i64) -> Side {
    let mode = rng.below(4) as u32;
    let width = (128i64 << mode) / i64::from(element.bits);
    let panels = (columns + width - 1) / width;
    let padded = rows + if rng.below(8) == 0 { 8 } else { 0 };
    let mut layout =
        Layout::new(vec![Iter::memory(rows, width), Iter::memory(panels, padded * width), Iter::memory(width, 1)]);
    let per_element = 128u32.checked_div(element.bits).unwrap_or(1).ilog2();
    let len = if rng.below(12) == 0 { (mode + 1) % 4 } else { mode };
    if len != 0 || rng.below(2) == 0 {
        layout.swizzle = Swizzle::new(per_element, len, 3, true).ok();
    }
    let room = panels * width - columns;
    let step = 128 / i64::from(element.bits);
    let begin = if rng.below(16) == 0 { room / 2 } else { rng.below((room / step) as u64 + 1) as i64 * step };
    let region = [(0, rows), (begin, columns)];
    buffer(rng, (Space::Shared, element), layout, &[rows, panels * width], &region)
}

/// The form's lanes, and a window of columns.
fn tensor(rng: &mut Rng, element: Element, form: TmemForm, columns: i64) -> Side {
    let step = 128 / i64::from(element.bits);
    let left = rng.below(3) as i64 * if rng.below(12) == 0 { step / 2 } else { step };
    let mut iters: Vec<Iter> =
        form.lanes().iter().map(|&(extent, stride)| Iter::new(extent, stride, Axis::TLane)).collect();
    let whole = left + columns;
    iters.push(Iter::new(whole, 1, Axis::TCol));
    let replica: Vec<Iter> = form.replica().into_iter().filter(|_| rng.below(16) != 0).collect();
    let mut layout = Layout::new(iters).with_replica(replica);
    if rng.below(3) == 0 {
        layout = layout.with_offset(Axis::TCol, step * rng.below(4) as i64);
    }
    let rows = form.rows();
    buffer(rng, (Space::Tmem, element), layout, &[rows, whole], &[(0, rows), (left, columns)])
}
