//! Line information for every kind of location at every place: PTX names the line, or none, and is else the same.

use tile_passes::{Options, compile, embed};

/// A file, a line and a column.
type Position = (&'static str, u32, u32);

/// Kinds of locations, each with the place in a file that it stands for.
const KINDS: [(&str, Option<Position>); 19] = [
    ("unknown", None),
    ("\"a.py\":7:3", Some(("a.py", 7, 3))),
    ("\"dir/a.py\":7:3", Some(("a.py", 7, 3))),
    ("\"a.py\":7:3 to 9:5", Some(("a.py", 7, 3))),
    ("\"a.py\":7:3 to :5", Some(("a.py", 7, 3))),
    ("\"name\"", None),
    ("\"name\"(\"a.py\":7:3)", Some(("a.py", 7, 3))),
    ("callsite(\"a.py\":7:3 at \"b.py\":8:4)", Some(("a.py", 7, 3))),
    ("callsite(\"a.py\":7:3 at \"a.py\":8:4)", Some(("a.py", 7, 3))),
    ("callsite(unknown at \"a.py\":7:3)", Some(("a.py", 7, 3))),
    ("callsite(\"a.py\":7:3 at unknown)", Some(("a.py", 7, 3))),
    ("callsite(unknown at unknown)", None),
    ("callsite(callsite(\"a.py\":7:3 at \"b.py\":8:4) at \"c.py\":9:5)", Some(("a.py", 7, 3))),
    ("callsite(\"a.py\":7:3 at callsite(\"b.py\":8:4 at \"name\"(unknown)))", Some(("a.py", 7, 3))),
    ("callsite(fused[\"name\", \"a.py\":7:3] at fused[unknown])", Some(("a.py", 7, 3))),
    ("fused[\"a.py\":7:3, \"model.py\":42:7]", Some(("a.py", 7, 3))),
    ("fused[unknown, callsite(\"name\" at \"a.py\":7:3), \"b.py\":8:4]", Some(("a.py", 7, 3))),
    ("fused<\"layer\">[\"a.py\":7:3]", Some(("a.py", 7, 3))),
    ("fused<#llvm.di_file<\"b.py\" in \"\">>[\"a.py\":7:3, unknown]", Some(("a.py", 7, 3))),
];

/// Where a location may be. The tile is small enough to be static where it is not `large`.
const PLACES: [&str; 9] = ["OP", "KERNEL", "GPU_MODULE", "MODULE", "CALL", "CALLED_OP", "CALLED", "ARGUMENT", "ALLOC"];

/// A kernel that copies a tile there and back, once by a function that it calls; the named place has the location.
fn text(place: &str, location: &str, columns: u32) -> String {
    let template = "module {
  gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {
    func.func private @load(%a: !g loc(ARGUMENT), %b: !g) {
      %s = tile.alloc : !s loc(ALLOC)
      tile.copy %a to %s scope(cta) : !g to !s loc(CALLED_OP)
      tile.copy %s to %b scope(cta) : !s to !g loc(CALLED_OP)
      return loc(CALLED_OP)
    } loc(CALLED)
    gpu.func @f(%A: memref<SIZE> loc(ARGUMENT), %B: memref<SIZE> loc(ARGUMENT)) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %a = tile.view %A : memref<SIZE> to !g loc(OP)
      %b = tile.view %B : memref<SIZE> to !g loc(OP)
      func.call @load(%a, %b) : (!g, !g) -> () loc(CALL)
      gpu.barrier loc(OP)
      tile.copy %b to %a scope(cta) : !g to !g loc(OP)
      gpu.return loc(OP)
    } loc(KERNEL)
  } loc(GPU_MODULE)
} loc(MODULE)";
    let types = "!g = !tile.buffer<SIZE, global>\n!s = !tile.buffer<SIZE, shared>\n";
    let with = |text: String, &name: &&str| {
        let here = if name == place { location } else { "\"rest.py\":1:1" };
        text.replace(&format!("loc({name})"), &format!("loc({here})"))
    };
    let located = PLACES.iter().fold(template.to_owned(), with);
    format!("{types}{located}").replace("SIZE", &format!("64x{columns}xf32"))
}

fn ptx(text: &str, options: Options) -> String {
    let context = embed::context();
    let mut module = embed::parse_named(&context, text, "table.mlir").unwrap_or_else(|error| panic!("{error}: {text}"));
    compile(&mut module, &options).unwrap_or_else(|error| panic!("{error}: {text}")).text
}

/// Whether the text has a `.loc` of this place.
fn is_named(ptx: &str, (file, line, column): (&str, u32, u32)) -> bool {
    let mut files = ptx.lines().filter(|text| text.trim_start().starts_with(".file"));
    let number = files
        .find(|text| text.trim_end().ends_with(&format!("{file}\"")))
        .and_then(|text| text.split_whitespace().nth(1));
    number.is_some_and(|number| {
        let named = format!(".loc\t{number} {line} {column}");
        ptx.lines().any(|text| {
            text.trim_start()
                .strip_prefix(&named)
                .is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
        })
    })
}

#[test]
fn every_kind_of_location_at_every_place_compiles() {
    // Beyond 48 KiB the tile is in dynamic memory: a global, which is in no function.
    for columns in [32, 256] {
        for place in PLACES {
            for (kind, stands_for) in KINDS {
                let text = text(place, kind, columns);
                let lines = ptx(&text, Options::new().line_info(true));
                if let Some(stands_for) = stands_for.filter(|_| matches!(place, "OP" | "CALLED_OP")) {
                    assert!(is_named(&lines, stands_for), "{kind} at {place}: {lines}");
                }
            }
        }
    }
}
