//! The arguments that kernels declare in MLIR, as `tile-translate --declarations` writes them below the PTX, and memref
//! types as MLIR prints them.
//!
//! ```text
//! // argument of copy at copy.mlir:5:18: memref<?x?xf16, strided<[?, 1]>>
//! // grid of copy: 16x8x1
//! ```
//!
//! ```text
//! memref<?x64xf16, strided<[?, 1], offset: ?>, 1>      extents, element, strides and offset; the memory space is
//! ignored
//! ```

use ptx_sim::Dim3;

use crate::element::Element;
use crate::placement::Placement;

/// What is written of an argument that became of a tile.
const UNKNOWN: &str = "unknown";

/// An argument of a `gpu.func`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Its source location.
    pub place: String,
    /// Its type.
    pub text: String,
    /// The parsed type, if it is a memref.
    pub memref: Option<Memref>,
}

impl Declared {
    /// An argument with its source location and its type.
    pub fn new(place: &str, text: &str) -> Self {
        Self { place: place.into(), text: text.into(), memref: Memref::parse(text) }
    }

    /// Whether its type says nothing of a number: it is a pointer, or a part of a tile, whose type was not written.
    pub fn takes_any_number(&self) -> bool {
        self.text.starts_with("!llvm.ptr") || self.text == UNKNOWN
    }

    /// The number of parameters that it becomes; `None` where that is not known.
    pub fn parameters(&self) -> Option<usize> {
        match &self.memref {
            Some(memref) => Some(1 + memref.open_count()),
            None => (!self.text.starts_with("memref")).then_some(1),
        }
    }
}

/// The declared arguments of a kernel; none where the text does not state them, such as PTX of other compilers.
pub fn arguments(ptx: &str, kernel: &str) -> Vec<Declared> {
    let start = format!("// argument of {kernel} at ");
    let arguments = comments(ptx).into_iter().filter_map(|line| line.strip_prefix(&start)?.split_once(": "));
    arguments.map(|(place, text)| Declared::new(place, text)).collect()
}

/// The blocks of the only grid of a kernel; none where the text does not state it.
pub fn grid(ptx: &str, kernel: &str) -> Option<Dim3> {
    let start = format!("// grid of {kernel}: ");
    comments(ptx)
        .into_iter()
        .find_map(|line| line.strip_prefix(&start)?.split('x').map(str::parse).collect::<Result<Vec<u32>, _>>().ok())
        .and_then(|extents| extents.try_into().ok())
        .map(Dim3)
}

/// The comments below the text, in order.
fn comments(ptx: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = ptx.lines().rev().take_while(|line| line.starts_with("//") || line.is_empty()).collect();
    lines.reverse();
    lines
}

/// A parsed memref type; `None` for a number stands for a `?`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memref {
    /// The element's type, as MLIR spells it.
    pub element: String,
    /// The extents of the dimensions, outermost first.
    pub extents: Vec<Option<usize>>,
    /// The strides and the offset, in elements; `None` for dense rows.
    pub strided: Option<Strided>,
}

/// The strided layout of a memref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strided {
    /// The stride of each dimension.
    pub strides: Vec<Option<usize>>,
    /// The offset of the first element.
    pub offset: Option<usize>,
}

impl Memref {
    /// Parses a type; `None` for other types, and for memrefs whose layout is not strided.
    pub fn parse(text: &str) -> Option<Self> {
        let inner = text.strip_prefix("memref<")?.strip_suffix('>')?;
        let (shape, rest) = inner.split_once(',').map_or((inner, ""), |(shape, rest)| (shape, rest.trim()));
        let mut words: Vec<&str> = shape.split('x').collect();
        let element = words.pop()?.to_owned();
        let extents = words.into_iter().map(number).collect::<Option<_>>()?;
        if rest.contains("affine_map") {
            return None;
        }
        let strided = if rest.starts_with("strided<") { Some(strided(rest)?) } else { None };
        Some(Self { element, extents, strided })
    }

    /// The numbers that a kernel takes after the pointer of a buffer with these extents and this placement: the dynamic
    /// numbers of the type, in the order of offset, extents, strides.
    pub fn open(&self, extents: &[usize], placement: &Placement) -> Vec<u64> {
        let of_open = |types: &[Option<usize>], values: &[usize]| -> Vec<usize> {
            types.iter().zip(values).filter(|(of_type, _)| of_type.is_none()).map(|(_, value)| *value).collect()
        };
        let (offset, strides) = self.strided.as_ref().map_or((Some(0), &[][..]), |form| (form.offset, &form.strides));
        let offset = of_open(&[offset], &[placement.offset]);
        let numbers = [offset, of_open(&self.extents, extents), of_open(strides, &placement.strides)].concat();
        numbers.into_iter().map(|number| number as u64).collect()
    }

    /// The number of numbers that a kernel takes after the pointer.
    pub fn open_count(&self) -> usize {
        let open = |numbers: &[Option<usize>]| numbers.iter().filter(|number| number.is_none()).count();
        let more = self.strided.as_ref().map_or(0, |form| open(&form.strides) + usize::from(form.offset.is_none()));
        open(&self.extents) + more
    }
}

/// Parses a number or a `?`.
fn number(text: &str) -> Option<Option<usize>> {
    let text = text.trim();
    if text == "?" { Some(None) } else { text.parse().ok().map(Some) }
}

/// Parses `strided<[?, 1], offset: ?>`, ignoring what follows it.
fn strided(text: &str) -> Option<Strided> {
    let inner = text.strip_prefix("strided<[")?.split_once('>')?.0;
    let (strides, offset) = inner.split_once(']')?;
    let strides = strides.split(',').filter(|word| !word.trim().is_empty()).map(number).collect::<Option<_>>()?;
    let offset = offset.trim_start_matches(',').trim();
    let offset = if offset.is_empty() { Some(0) } else { number(offset.strip_prefix("offset:")?)? };
    Some(Strided { strides, offset })
}

/// Powers of two, of which arguments are the exponents with their bias: no float of an argument is without a zero.
const EXPONENTS: &str = "f8E8M0FNU";

/// Whether an argument's elements fit a declared element type: MLIR's integers are signless.
pub fn holds(declared: &str, element: Element) -> bool {
    let declared = if declared == EXPONENTS { "i8" } else { declared };
    let [name, given] = [declared, element.name].map(|name| if name == "index" { "i64" } else { name });
    given == name || (element.is_integer() && name.strip_prefix('i') == Some(&given[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_below_the_text_are_read() {
        let ptx = "// argument of copy at a.mlir:9:9: i1\n// Generated by LLVM\n.version 8.3\n}\n\n\
                   // argument of copy at a.mlir:5:18: memref<?x?xf16>\n// argument of other at a.mlir:9:1: f32\n\
                   // argument of copy at a.mlir:5:40: index\n// grid of copy: 16x8x1\n";
        assert_eq!((grid(ptx, "copy"), grid(ptx, "other")), (Some(Dim3([16, 8, 1])), None));
        let found = arguments(ptx, "copy");
        let texts: Vec<_> = found.iter().map(|arg| (arg.place.as_str(), arg.text.as_str(), arg.parameters())).collect();
        assert_eq!(texts, [("a.mlir:5:18", "memref<?x?xf16>", Some(3)), ("a.mlir:5:40", "index", Some(1))]);
        assert!(Declared::new("", "unknown").takes_any_number() && !Declared::new("", "f32").takes_any_number());
        assert_eq!(arguments(ptx, "none"), []);
        let shared = format!("{ptx}// dynamic shared memory of copy: 65536 bytes\n");
        assert_eq!(arguments(&shared, "copy").len(), 2);
        assert_eq!(Declared::new("", "memref<4xf32, affine_map<(i) -> (i * 2)>>").parameters(), None);
    }

    #[test]
    fn types_with_and_without_strides() {
        let dense = Memref::parse("memref<4x?xf16>").unwrap();
        assert_eq!((dense.element.as_str(), dense.extents.as_slice()), ("f16", &[Some(4), None][..]));
        assert_eq!((dense.strided.clone(), dense.open_count()), (None, 1));
        let open = Memref::parse("memref<?x64xf32, strided<[?, 1], offset: ?>, #gpu.address_space<global>>").unwrap();
        assert_eq!(open.strided, Some(Strided { strides: vec![None, Some(1)], offset: None }));
        let placement = Placement { strides: vec![128, 1], offset: 7 };
        assert_eq!((open.open(&[60, 64], &placement), open.open_count()), (vec![7, 60, 128], 3));
        assert_eq!(Memref::parse("memref<f32>").unwrap().extents, []);
        assert_eq!(Memref::parse("memref<8xi32, 1>").unwrap().strided, None);
        assert_eq!(Memref::parse("memref<8x8xf32, strided<[9, 1]>>").unwrap().strided.unwrap().offset, Some(0));
    }

    #[test]
    fn other_types_are_none() {
        for text in ["index", "!llvm.ptr", "memref<8x", "memref<*xf32>", "memref<4xf32, affine_map<(d0) -> (d0 * 2)>>"]
        {
            assert_eq!(Memref::parse(text), None, "{text}");
        }
    }

    #[test]
    fn integers_of_any_sign_hold_mlirs() {
        let holds = |declared: &str, name: &str| holds(declared, name.parse().unwrap());
        assert!(
            holds("i8", "u8")
                && holds("i8", "i8")
                && holds("index", "u64")
                && holds("index", "index")
                && holds("f8E5M2", "f8E5M2")
                && holds("f8E8M0FNU", "u8")
        );
        assert!(!holds("f8E8M0FNU", "f8E5M2"));
        assert!(!holds("i8", "i16") && !holds("f16", "bf16") && !holds("i32", "f32") && !holds("index", "u32"));
    }
}
