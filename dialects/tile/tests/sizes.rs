//! Types and attributes that are built, not parsed: invalid numbers are an error at the given location, and nothing else.

use std::cell::RefCell;
use std::rc::Rc;

use melior::Context;
use melior::ir::r#type::IntegerType;
use melior::ir::{Location, Type};
use tile_dialect::{BufferType, LayoutAttr, Space};
use tile_layout::{Axis, Iter, Layout, Swizzle};

/// Runs `build` and returns what was reported.
pub(crate) fn reported(build: impl FnOnce(&Context)) -> Vec<String> {
    let context = Context::new();
    tile_dialect::dialect_handle().load_dialect(&context);
    let messages = Rc::new(RefCell::new(Vec::new()));
    let listener = messages.clone();
    context.attach_diagnostic_handler(move |diagnostic| {
        listener.borrow_mut().push(diagnostic.to_string());
        true
    });
    build(&context);
    drop(context);
    messages.take()
}

fn layout_refused(layout: &Layout) -> String {
    let messages = reported(|context| assert!(LayoutAttr::new(Location::unknown(context), layout).is_none()));
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages[0].clone()
}

fn buffer_refused(shape: &[i64], layout: &Layout, element: fn(&Context) -> Type<'_>) -> String {
    let messages = reported(|context| {
        let location = Location::unknown(context);
        let layout = LayoutAttr::new(location, layout).expect("a layout");
        assert!(BufferType::new(location, shape, element(context), Space::Global, layout).is_none());
    });
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages[0].clone()
}

#[test]
fn layouts_beyond_62_bits() {
    let huge = Layout::new([Iter::memory(1 << 61, 1), Iter::memory(4, 1)]);
    assert!(layout_refused(&huge).contains("got size 2305843009213693952 * 4, expected less than 2^62"));
    let far = Layout::new([Iter::memory(4, i64::MAX)]);
    assert!(layout_refused(&far).contains("got address 27670116110564327421"));
    let copies = Layout::new([Iter::memory(4, 1)]).with_replica([Iter::new(i64::MAX, 1, Axis::LaneId)]);
    assert!(layout_refused(&copies).contains("got number of copies 9223372036854775807"));
    let mut swizzled = Layout::new([Iter::memory(4, 1)]);
    swizzled.swizzle = Some(Swizzle { per_element: u32::MAX, len: 1, atom_len: 1, inner: true });
    assert!(layout_refused(&swizzled).contains("swizzle<base = 4294967295, bits = 1, shift = 1>"));
}

#[test]
fn shapes_and_elements_that_make_no_tile() {
    let one = Layout::new([Iter::memory(8, 1)]);
    let i32_of: fn(&Context) -> Type<'_> = |context| IntegerType::new(context, 32).into();
    assert!(buffer_refused(&[1 << 40, 1 << 40], &one, i32_of).contains("got size 1099511627776 * 1099511627776"));
    assert!(buffer_refused(&[i64::MAX], &one, i32_of).contains("got size 9223372036854775807"));
    assert!(buffer_refused(&[-8], &one, i32_of).contains("got extent -8 in dimension 0, expected at least 1"));
    assert!(buffer_refused(&[i64::MIN], &one, i32_of).contains("got a layout that does not fit shape ?"));
    assert!(buffer_refused(&[4], &one, i32_of).contains("got a layout of 8 elements, expected 4 for shape 4"));
    assert!(buffer_refused(&[8], &one, |context| Type::index(context)).contains("got element type 'index'"));
    assert!(buffer_refused(&[8], &one, |context| Type::none(context)).contains("got element type 'none'"));
}
