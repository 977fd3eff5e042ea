//! The arrays of a pass in global memory.

use super::Chained;
use crate::element::{PortableElement, Scalar, words_type};
use crate::scan::access::reads;

/// Functions that read and write the arrays, whose threads take `vector` elements at a time.
///
/// ```text
///   load_vector(tile, row, thread, slot)     puts a vector of each source into `held0`, `held1`, … from a slot on
///   left0(slot, place, index)                the element before one of these, or at the beginning of the array the element itself
///   right0(slot, place, index)               the one after it
///   write0(place, element)                   a result
///   write_total0(element)                    a result for all elements
/// ```
pub(super) fn functions(passes: &Chained<'_>, vector: i64) -> String {
    let reads = passes.sources.iter().enumerate().map(|(number, source)| read(number, *source, vector));
    let first = passes.sources.len();
    let writes = passes.dests.iter().enumerate().map(|(number, dest)| write(number, *dest, first + number));
    let first = first + passes.dests.len();
    let totals = passes.totals.iter().enumerate().map(|(number, total)| write_total(number, *total, first + number));
    reads.chain(writes).chain(totals).collect::<String>() + &load_vector(passes, vector)
}

/// Words of a vector of a source; 0 where it is a part of a word.
fn vector_words(source: PortableElement, vector: i64) -> u32 {
    vector as u32 * source.bits() / 32
}

fn read(number: usize, source: PortableElement, vector: i64) -> String {
    let words = vector_words(source, vector).max(1);
    let word = match words {
        1 => format!("source{number}[index]"),
        _ => format!("source{number}[index / {words}u][index % {words}u]"),
    };
    let [element, item] = reads(source, words, &format!("word{number}"));
    let (r#type, unit) = (source.r#type(), words_type(words));
    format!(
        "@group(0) @binding({number}) var<storage, read> source{number}: array<{unit}>;
var<private> held{number}: array<{type}, ITEMS + VECTOR>;
fn word{number}(index: u32) -> u32 {{ return {word}; }}
fn element{number}(index: u32) -> {type} {{ return {element}; }}
fn item{number}(vector: {unit}, place: u32) -> {type} {{ return {item}; }}
fn left{number}(slot: u32, place: u32, index: u32) -> {type} {{
  if (place > 0u) {{
    return held{number}[slot + place - 1u];
  }}
  return element{number}(min(max(index, 1u), length()) - 1u);
}}
fn right{number}(slot: u32, place: u32, index: u32) -> {type} {{
  if (place + 1u < VECTOR) {{
    return held{number}[slot + place + 1u];
  }}
  return element{number}(min(index + 1u, length() - 1u));
}}
"
    )
}

/// Elements past the end of the array are read as copies of the last one.
fn load_vector(passes: &Chained<'_>, vector: i64) -> String {
    let (mut vectors, mut whole, mut cut) = (String::new(), String::new(), String::new());
    for (number, source) in passes.sources.iter().enumerate() {
        whole += &match vector_words(*source, vector) {
            0 => format!("      held{number}[slot + place] = element{number}(at * VECTOR + place);\n"),
            _ => {
                vectors += &format!("    let x{number} = source{number}[at];\n");
                format!("      held{number}[slot + place] = item{number}(x{number}, place);\n")
            }
        };
        cut += &format!("    held{number}[slot + place] = element{number}(min(at * VECTOR + place, length() - 1u));\n");
    }
    format!(
        "fn load_vector(tile: u32, row: u32, thread: u32, slot: u32) {{
  let at = vector_at(tile, row, thread);
  if (is_full(tile)) {{
{vectors}    for (var place = 0u; place < VECTOR; place++) {{
{whole}    }}
    return;
  }}
  for (var place = 0u; place < VECTOR; place++) {{
{cut}  }}
}}
"
    )
}

/// Results narrower than a word are put into it by two atomics, neither of which touches bits of other threads.
fn write(number: usize, dest: PortableElement, binding: usize) -> String {
    let (r#type, bits, per) = (dest.r#type(), dest.bits(), dest.per_word());
    let (unit, body) = match bits {
        ..32 => (
            "atomic<u32>",
            format!(
                "  let at = place % {per}u * {bits}u;
  atomicAnd(&dest{number}[place / {per}u], ~({mask}u << at));
  atomicOr(&dest{number}[place / {per}u], element << at);
",
                mask = u32::MAX >> (32 - bits)
            ),
        ),
        _ => ("u32", puts(&format!("dest{number}"), "place", dest)),
    };
    format!(
        "@group(0) @binding({binding}) var<storage, read_write> dest{number}: array<{unit}>;
fn write{number}(place: u32, element: {type}) {{
{body}}}
"
    )
}

fn write_total(number: usize, total: PortableElement, binding: usize) -> String {
    let (r#type, bits) = (total.r#type(), total.bits());
    let body = match bits {
        ..32 => format!("  total{number}[0] = insertBits(total{number}[0], element, 0u, {bits}u);\n"),
        _ => puts(&format!("total{number}"), "0u", total),
    };
    format!(
        "@group(0) @binding({binding}) var<storage, read_write> total{number}: array<u32>;
fn write_total{number}(element: {type}) {{
{body}}}
"
    )
}

/// Stores of the words of an element.
fn puts(array: &str, place: &str, element: PortableElement) -> String {
    let words = element.words();
    let part = |index: u32| if words == 1 { "element".to_owned() } else { format!("element[{index}]") };
    let put = |index: u32| format!("  {array}[{place} * {words}u + {index}u] = {};\n", part(index));
    (0..words).map(put).collect()
}

/// The number of elements, at most as many as an array in memory says.
pub(super) fn length(stated: Option<Scalar>, binding: usize) -> String {
    let count = "numbers[0].x";
    let high = match stated {
        None => return format!("fn length() -> u32 {{ return {count}; }}\n"),
        Some(Scalar::I64) => "stated[1]",
        Some(_) => "select(0u, 0xffffffffu, stated[0] > 0x7fffffffu)",
    };
    format!(
        "@group(0) @binding({binding}) var<storage, read> stated: array<u32>;
fn length() -> u32 {{
  let high = {high};
  if (high > 0x7fffffffu) {{
    return 0u;
  }}
  return select(min(stated[0], {count}), {count}, high > 0u);
}}
"
    )
}
