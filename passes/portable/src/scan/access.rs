//! Access to elements in the words and vectors of global memory.

use crate::element::{PortableElement, words_type};

/// Functions that read and write the arrays, whose bindings are vectors of `vector_words` words.
///
/// ```text
///   source_element(i)      an element                          element_of(v, i)       of a vector
///   store_element(i, e)    an element, by one thread           vector_of(items, i)    elements as a vector
///   store_word(i, w)       the part of a word that lies inside the array
/// ```
pub(super) fn functions(element: PortableElement, vector_words: u32) -> String {
    let at = |array: &str, index: &str| match vector_words {
        1 => format!("{array}[{index}]"),
        _ => format!("{array}[{index} / {vector_words}u][{index} % {vector_words}u]"),
    };
    let PortableElement { .. } = element;
    let (read, kept, written) = (at("source", "index"), at("dest", "index"), at("dest", "index"));
    let word_of = if vector_words == 1 { "vector" } else { "vector[index]" };
    let r#type = element.r#type();
    let vector = words_type(vector_words);
    let (source_element, element_of, vector_of, store_element, store_word) =
        if element.bits() < 32 { narrow(element, vector_words) } else { whole(element, vector_words) };
    format!(
        "alias Element = {type};
alias Vector = {vector};
const VECTOR_WORDS = {vector_words}u;
@group(0) @binding(0) var<storage, read> source: array<Vector>;
@group(0) @binding(1) var<storage, read_write> dest: array<Vector>;
fn source_word(index: u32) -> u32 {{ return {read}; }}
fn dest_word(index: u32) -> u32 {{ return {kept}; }}
fn put_word(index: u32, word: u32) {{ {written} = word; }}
fn vector_word(vector: Vector, index: u32) -> u32 {{ return {word_of}; }}
fn source_element(index: u32) -> Element {{ return {source_element}; }}
fn element_of(vector: Vector, place: u32) -> Element {{ return {element_of}; }}
fn vector_of(items: ptr<function, Items>, first: u32) -> Vector {{ return {vector_of}; }}
fn store_element(index: u32, element: Element) {{ {store_element} }}
fn store_word(index: u32, word: u32) {{ {store_word} }}
"
    )
}

type Bodies = (String, String, String, String, String);

/// The bodies for elements of whole words.
fn whole(element: PortableElement, vector_words: u32) -> Bodies {
    let words = element.words();
    let join = |parts: Vec<String>| match parts.as_slice() {
        [only] => only.clone(),
        several => format!("{}({})", words_type(several.len() as u32), several.join(", ")),
    };
    let of_words = |word: &dyn Fn(u32) -> String| join((0..words).map(word).collect());
    let part = |name: &str, index: u32| if words == 1 { name.to_owned() } else { format!("{name}[{index}]") };
    let element_of = match vector_words == words {
        true => "vector".to_owned(),
        false => of_words(&|index| format!("vector[place * {words}u + {index}u]")),
    };
    let packed = (0..vector_words).map(|index| part(&format!("(*items)[first + {}u]", index / words), index % words));
    let puts = (0..words).map(|index| format!("put_word(index * {words}u + {index}u, {});", part("element", index)));
    (
        of_words(&|index| format!("source_word(index * {words}u + {index}u)")),
        element_of,
        join(packed.collect()),
        puts.collect::<Vec<_>>().join(" "),
        format!("if (index / {words}u < length()) {{ put_word(index, word); }}"),
    )
}

/// The bodies for elements narrower than a word. No two threads write to one word.
fn narrow(element: PortableElement, vector_words: u32) -> Bodies {
    let (bits, per) = (element.bits(), element.per_word());
    let extract = |word: &str, place: &str| format!("extractBits({word}, ({place} % {per}u) * {bits}u, {bits}u)");
    let of_vector = if vector_words == 1 { "vector".to_owned() } else { format!("vector[place / {per}u]") };
    let words: Vec<String> = (0..vector_words)
        .map(|word| {
            let one = |place: u32| match place {
                0 => format!("(*items)[first + {}u]", word * per),
                _ => format!("((*items)[first + {}u] << {}u)", word * per + place, place * bits),
            };
            (0..per).map(one).collect::<Vec<_>>().join(" | ")
        })
        .collect();
    let packed = match words.as_slice() {
        [only] => only.clone(),
        several => format!("{}({})", words_type(vector_words), several.join(", ")),
    };
    (
        extract(&format!("source_word(index / {per}u)"), "index"),
        extract(&of_vector, "place"),
        packed,
        format!(
            "let at = index / {per}u; put_word(at, insertBits(dest_word(at), element, (index % {per}u) * {bits}u, {bits}u));"
        ),
        format!(
            "let first = index * {per}u;
  if (first + {per}u <= length()) {{
    put_word(index, word);
  }} else if (first < length()) {{
    put_word(index, insertBits(dest_word(index), word, 0u, (length() - first) * {bits}u));
  }}"
        ),
    )
}
