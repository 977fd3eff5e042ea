//! `#tile.layout` is read from any buffer that MLIR parses, and its text form is that of `tile_layout`.

use std::cell::RefCell;
use std::rc::Rc;

use melior::Context;
use melior::ir::{Attribute, Location};
use tile_dialect::LayoutAttr;
use tile_layout::Layout;

const TEXTS: [&str; 8] = [
    "() : ()",
    "(8, 4, 2) : (4@laneid, 1@laneid, 1)",
    "(4) : (1@tx) + R(2 : 4@tx) + 5@bx",
    "(8) : (-1) + R((2, 2) : (4@laneid, 8@laneid)) + 7 + 3@laneid",
    "(64, 64) : (64, 1) + 528, swizzle<base = 3, bits = 3, shift = 3>",
    "(512) : (1), swizzle<base = 0, bits = 2, shift = 3, outer>",
    "(?, ?, 64) : (?, 64, 1)",
    "(4, 2, ?) : (1@s1, 3@s0, 1)",
];

/// The results of parsing each text, or the diagnostics: `line:column message`, one by one.
fn parsed(texts: &[&str]) -> Vec<Result<String, Vec<String>>> {
    let context = Context::new();
    tile_dialect::dialect_handle().load_dialect(&context);
    let messages = Rc::new(RefCell::new(Vec::new()));
    let listener = messages.clone();
    context.attach_diagnostic_handler(move |diagnostic| {
        let place = diagnostic.location().to_string();
        let at = place.trim_end_matches(')').rsplit(':').take(2).collect::<Vec<_>>();
        listener.borrow_mut().push(format!("{}:{} {diagnostic}", at[1], at[0]));
        true
    });
    let one =
        |text: &&str| Attribute::parse(&context, text).map(|layout| layout.to_string()).ok_or_else(|| messages.take());
    texts.iter().map(one).collect()
}

#[test]
fn the_text_of_the_attribute_is_the_layouts() {
    let context = Context::new();
    tile_dialect::dialect_handle().load_dialect(&context);
    for text in TEXTS {
        let layout = Layout::parse(text).expect("a layout");
        let built = LayoutAttr::new(Location::unknown(&context), &layout).expect("a sound layout").as_attribute();
        assert_eq!(built.to_string(), format!("#tile.layout<{layout}>"));
        assert_eq!(Attribute::parse(&context, &format!("#tile.layout<{text}>")), Some(built));
        assert_eq!(LayoutAttr::from_attribute(built).map(LayoutAttr::layout), Some(layout));
    }
}

/// The text is a part of a longer string, which continues after it.
#[test]
fn the_end_of_the_text_is_the_end() {
    let longer = "#tile.layout<(8) : (2) + 0 // eight\n>>(1)";
    let end = longer.find('>').expect("the end") + 1;
    assert_eq!(parsed(&[&longer[..end]]), [Ok("#tile.layout<(8) : (2)>".to_owned())]);
    assert!(matches!(&parsed(&[&longer[..end - 1]])[..], [Err(messages)] if messages.len() == 1));
}

#[test]
fn mistakes_are_where_they_stand() {
    for (text, expected) in [
        ("#tile.layout<(8, 4) : (1)>", "1:23 got 1 strides, expected 2, one for each extent"),
        ("#tile.layout<\n  (8) :\n (%1)>", "3:3 got '%', expected a stride (an integer of 64 bits) or '?'"),
        (
            "[1, #tile.layout<(8) : (1) + 2 + 3>]",
            "1:34 got a second offset, 3, on axis 'm', expected one for each axis",
        ),
        ("#tile.layout<>", "1:14 got the end, expected an extent (an integer of 64 bits) or '?'"),
        ("#tile.layout<(8) : (1.5)>", "1:22 got '.', expected ',' or ')'"),
        ("#tile.layout<(8) : (1), swizzle<3, 3>>", "1:37 got '>', expected ','"),
        ("#tile.layout<(8) : (1), swizzle<bits = 3>>", "1:41 got '>', expected ', base = …'"),
        (
            "#tile.layout<(8) : (1), swizzle<base = 1, bits = 1, shift = 1>, swizzle<base = 1, bits = 1, shift = 1>>",
            "1:63 got ',', expected '+', ', swizzle<..>' once, or the end",
        ),
        ("#tile.layout<(8) : (\"a\")>", "1:21 got '\"', expected a stride (an integer of 64 bits) or '?'"),
        ("#tile.layout<(8) : (1) ~>", "1:24 unexpected character"),
        ("#tile.layout<(0) : (1)>", "1:13 iter 0 has extent 0; extents are at least 1"),
    ] {
        assert_eq!(parsed(&[text]), [Err(vec![expected.to_owned()])], "{text}");
    }
}

/// Tries a valid text with each of its characters replaced by each of some pieces, and cut off there.
#[test]
fn any_damage_has_an_answer() {
    let whole =
        "#tile.layout<((2, ?), 4) : ((1@s0, ?), 1) + R(2 : 4@tx) + 5@bx, swizzle<base = 3, bits = 3, shift = 3>>";
    let pieces = [
        "",
        "<",
        ">",
        "(",
        ")",
        "-",
        "->",
        "@",
        "\"",
        "//",
        "\n",
        "\0",
        "0x",
        "9999999999999999999",
        "é",
        "%",
        "[",
        "R",
    ];
    let start = "#tile.layout<".len();
    let mut texts = Vec::new();
    for at in start..whole.len() {
        let damaged = |piece: &&str| format!("{}{piece}{}", &whole[..at], &whole[at + 1..]);
        texts.extend(pieces.iter().map(damaged));
        texts.push(whole[..at].to_owned());
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for (text, outcome) in texts.iter().zip(parsed(&texts)) {
        match outcome {
            Ok(printed) => assert_eq!(parsed(&[&printed]), [Ok(printed.clone())], "{text}"),
            Err(messages) => assert!(!messages.is_empty(), "{text}"),
        }
    }
}
