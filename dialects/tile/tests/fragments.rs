//! Fragments that are built, not parsed: the name is one as it is printed, and stands for the layout of its type.

use melior::ir::{Attribute, Location, Type};
use tile_dialect::{BufferType, FragmentAttr, LayoutAttr, Space};

use crate::sizes::reported;

const C: &str = "(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)";

#[test]
fn a_name_stands_for_the_layout_of_its_type() {
    let messages = reported(|context| {
        let location = Location::unknown(context);
        let fragment = FragmentAttr::new(location, "mma.m16n8k16.c").expect("a fragment");
        assert_eq!(fragment.as_attribute().to_string(), "#tile.fragment<mma.m16n8k16.c>");
        let layout = fragment.layout(&[16, 8], 32, Space::Local).expect("a layout");
        assert_eq!(layout.to_string(), C);
        let layout = LayoutAttr::new(location, &layout).expect("a layout");
        let plain = BufferType::new(location, &[16, 8], Type::float32(context), Space::Local, layout).expect("a tile");
        let named = plain.named(location, fragment).expect("a tile");
        assert_eq!(named.as_type().to_string(), "!tile.buffer<16x8xf32, local, #tile.fragment<mma.m16n8k16.c>>");
        assert_eq!(Type::parse(context, &named.as_type().to_string()), Some(named.as_type()));
        assert_ne!(named, plain);
        assert_eq!((named.layout(), named.layout_attr()), (plain.layout(), plain.layout_attr()));
        assert_eq!((named.fragment(), plain.fragment()), (Some(fragment), None));
        assert_eq!(FragmentAttr::from_attribute(layout.as_attribute()), None);
        assert_eq!(LayoutAttr::from_attribute(fragment.as_attribute()), None);
        assert!(
            Attribute::parse(context, "#tile.fragment<mma.m16n8k16.c>")
                .is_some_and(|attribute| attribute == fragment.as_attribute())
        );
    });
    assert_eq!(messages, [""; 0]);
}

/// What is reported of a name.
fn name_refused(name: &str) -> String {
    let messages = reported(|context| assert!(FragmentAttr::new(Location::unknown(context), name).is_none()));
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages[0].clone()
}

#[test]
fn names_that_are_not_as_they_are_printed() {
    assert!(name_refused("wgmma.b").contains("got 'wgmma.b', expected one of wgmma.a, wgmma.c"));
    assert!(
        name_refused("wgmma.c over (1, 1) warpgroups")
            .contains("got fragment 'wgmma.c over (1, 1) warpgroups', expected it as 'wgmma.c'")
    );
    assert!(name_refused("wgmma.c over (2,1) warpgroups").contains("expected it as 'wgmma.c over (2, 1) warpgroups'"));
}

#[test]
fn a_name_of_another_layout() {
    for (name, shape, expected) in [
        ("mma.m8n8k4.a", [16, 8], "got elements of 32 bits, expected 64 for mma.m8n8k4.a"),
        (
            "mma.m16n8k8.a",
            [16, 8],
            "got #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)> as #tile.fragment<mma.m16n8k8.a>, \
          expected #tile.layout<(2, 8, 2, 4) : (1, 4@laneid, 2, 1@laneid)>",
        ),
    ] {
        let messages = reported(|context| {
            let location = Location::unknown(context);
            let layout = LayoutAttr::new(location, &C.parse().expect("a layout")).expect("a layout");
            let plain =
                BufferType::new(location, &shape, Type::float32(context), Space::Local, layout).expect("a tile");
            assert!(plain.named(location, FragmentAttr::new(location, name).expect("a fragment")).is_none());
        });
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains(expected), "{messages:?}");
    }
}
