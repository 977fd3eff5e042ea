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
    let (read, kept, written) = (at("source", "index"), at("dest", "index"), at("dest", "index"));
    let word_of = if vector_words == 1 { "vector" } else { "vector[index]" };
    let r#type = element.r#type();
    let vector = words_type(vector_words);
    let [source_element, element_of] = reads(element, vector_words, "source_word");
    let [vector_of, store_element, store_word] =
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

/// The element with number `index` of an array whose words the function `word` reads, and that at `place` of a `vector` of it.
pub(crate) fn reads(element: PortableElement, vector_words: u32, word: &str) -> [String; 2] {
    let (words, bits, per) = (element.words(), element.bits(), element.per_word());
    if bits < 32 {
        let extract = |word: &str, place: &str| format!("extractBits({word}, ({place} % {per}u) * {bits}u, {bits}u)");
        let of_vector = if vector_words == 1 { "vector".to_owned() } else { format!("vector[place / {per}u]") };
        return [extract(&format!("{word}(index / {per}u)"), "index"), extract(&of_vector, "place")];
    }
    let of_words = |word: &dyn Fn(u32) -> String| joined((0..words).map(word).collect());
    let of_vector = match vector_words == words {
        true => "vector".to_owned(),
        false => of_words(&|index| format!("vector[place * {words}u + {index}u]")),
    };
    [of_words(&|index| format!("{word}(index * {words}u + {index}u)")), of_vector]
}

/// Words as one value.
pub(crate) fn joined(parts: Vec<String>) -> String {
    match parts.as_slice() {
        [only] => only.clone(),
        several => format!("{}({})", words_type(several.len() as u32), several.join(", ")),
    }
}

/// The bodies of functions that write elements of whole words.
fn whole(element: PortableElement, vector_words: u32) -> [String; 3] {
    let words = element.words();
    let part = |name: &str, index: u32| if words == 1 { name.to_owned() } else { format!("{name}[{index}]") };
    let packed = (0..vector_words).map(|index| part(&format!("(*items)[first + {}u]", index / words), index % words));
    let puts = (0..words).map(|index| format!("put_word(index * {words}u + {index}u, {});", part("element", index)));
    [
        joined(packed.collect()),
        puts.collect::<Vec<_>>().join(" "),
        format!("if (index / {words}u < length()) {{ put_word(index, word); }}"),
    ]
}

/// The bodies of functions that write elements narrower than a word. No two threads write to one word.
fn narrow(element: PortableElement, vector_words: u32) -> [String; 3] {
    let (bits, per) = (element.bits(), element.per_word());
    let words = (0..vector_words).map(|word| {
        let one = |place: u32| match place {
            0 => format!("(*items)[first + {}u]", word * per),
            _ => format!("((*items)[first + {}u] << {}u)", word * per + place, place * bits),
        };
        (0..per).map(one).collect::<Vec<_>>().join(" | ")
    });
    [
        joined(words.collect()),
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
    ]
}
