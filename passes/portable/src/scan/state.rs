//! Functions that read and write the states of tiles.

use tile_plan::scan::state::{AGGREGATE, MISSING, PREFIX};
use tile_plan::scan::{TileState, workspace};

use crate::element::PortableElement;

/// Functions on the states of tiles, and on the workspace fields before them, bound as `binding`. All accesses are relaxed.
///
/// ```text
///   read_state(tile)                 the prefix if it is published, else the sum
///   write_state(tile, flag, sum)     by the tile's owner
///   offer_state(tile, flag, sum)     by another block: keeps what is published; returns whether the state was missing
/// ```
///
/// The tag is in the upper half of a word, so the larger of two words is that of the later launch, and within one
/// launch that with more information: an offer is one atomic maximum. Two sums of one tile have the same bits.
pub(super) fn functions(element: PortableElement, state: TileState, binding: u32) -> String {
    let half = state.word_bits / 2;
    let word = if state.word_bits == 64 { "u64" } else { "u32" };
    let stride = state.bytes() * 8 / i64::from(state.word_bits);
    let prefix = state.prefix_offset() * 8 / i64::from(state.word_bits);
    let first = workspace::STATES * 8 / i64::from(state.word_bits);
    let field = |byte: i64| byte * 8 / i64::from(state.word_bits);
    let epochs = state.last_epoch();
    let words = state.words as u32;
    let each = |one: &dyn Fn(u32) -> String| (0..words).map(one).collect::<String>();
    let loads = each(&|index| format!("  let w{index} = atomicLoad(&workspace[at + {index}u]);\n"));
    let alike: String = (1..words).map(|index| format!(" && tag_of(w{index}) == tag")).collect();
    let sum = joined(element, words, half);
    let puts = each(&|index| {
        format!("  atomicStore(&workspace[at + {index}u], word({}, tag));\n", part(element, words, half, index))
    });
    let offers = each(&|index| {
        let part = part(element, words, half, index);
        format!("  let o{index} = atomicMax(&workspace[at + {index}u], word({part}, tag));\n")
    });
    let (word_text, tag_text, part_text) = match word {
        "u64" => ("(u64(tag) << 32u) | u64(part)", "u32(word >> 32u)", "u32(word & 0xfffffffflu)"),
        _ => ("(tag << 16u) | part", "word >> 16u", "word & 0xffffu"),
    };
    let read = match words {
        1 => "return read_words(state_at(tile));".to_owned(),
        _ => format!(
            "let prefix = read_words(state_at(tile) + {prefix}u);
  if (prefix.flag != MISSING) {{
    return prefix;
  }}
  return read_words(state_at(tile));"
        ),
    };
    let counts = [workspace::POLLS, workspace::LOOKED, workspace::FALLBACKS, workspace::INSERTED];
    let names = ["polls", "looked", "started", "inserted"];
    let counters: String = counts
        .iter()
        .zip(names)
        .map(|(byte, name)| format!("  atomicAdd(&workspace[{}u], {word}({name}));\n", field(*byte)))
        .collect();
    format!(
        "@group(0) @binding({binding}) var<storage, read_write> workspace: array<atomic<{word}>>;
const MISSING = {MISSING}u;
const AGGREGATE = {AGGREGATE}u;
const PREFIX = {PREFIX}u;
struct StateRead {{
  flag: u32,
  sum: Element,
}}
fn launch() -> u32 {{ return epoch() & {epochs}u; }}
fn word(part: u32, tag: u32) -> {word} {{ return {word_text}; }}
fn tag_of(word: {word}) -> u32 {{ return {tag_text}; }}
fn part_of(word: {word}) -> u32 {{ return {part_text}; }}
fn state_at(tile: u32) -> u32 {{ return {first}u + tile * {stride}u; }}
fn place_of(tile: u32, flag: u32) -> u32 {{ return state_at(tile) + select(0u, {prefix}u, flag == PREFIX); }}
fn read_words(at: u32) -> StateRead {{
{loads}  let tag = tag_of(w0);
  let valid = (tag >> 2u) == launch(){alike};
  return StateRead(select(MISSING, tag & 3u, valid), {sum});
}}
fn read_state(tile: u32) -> StateRead {{
  {read}
}}
fn write_state(tile: u32, flag: u32, sum: Element) {{
  let at = place_of(tile, flag);
  let tag = (launch() << 2u) | flag;
{puts}}}
fn offer_state(tile: u32, flag: u32, sum: Element) -> bool {{
  let at = place_of(tile, flag);
  let tag = (launch() << 2u) | flag;
{offers}  return (tag_of(o0) >> 2u) != launch();
}}
fn give_up() {{ atomicStore(&workspace[{error}u], {word}(1u)); }}
fn take_ticket() -> u32 {{ return u32(atomicAdd(&workspace[{ticket}u], {word}(1u))); }}
fn return_tickets() {{ atomicStore(&workspace[{ticket}u], {word}(0u)); }}
fn count(polls: u32, looked: u32, started: u32, inserted: u32) {{
{counters}}}
",
        error = field(workspace::ERROR),
        ticket = field(workspace::TICKET),
    )
}

/// The part of a sum that a word carries.
fn part(element: PortableElement, words: u32, half: u32, index: u32) -> String {
    let register = |index: u32| if element.words() == 1 { "sum".to_owned() } else { format!("sum[{index}]") };
    match (half, words) {
        (32, _) => register(index),
        // The element fits in half a word.
        (_, 1) => "sum".to_owned(),
        _ => format!("extractBits({}, {}u, 16u)", register(index / 2), index % 2 * 16),
    }
}

/// The sum that words `w0`, `w1`, … carry.
fn joined(element: PortableElement, words: u32, half: u32) -> String {
    let registers: Vec<String> = match (half, words) {
        (32, _) | (_, 1) => (0..words).map(|index| format!("part_of(w{index})")).collect(),
        _ => (0..words / 2)
            .map(|index| format!("(part_of(w{}) | (part_of(w{}) << 16u))", 2 * index, 2 * index + 1))
            .collect(),
    };
    match registers.as_slice() {
        [only] => only.clone(),
        several => format!("{}({})", element.r#type(), several.join(", ")),
    }
}

/// Functions on sums that one kernel leaves in the workspace for the next; nothing polls them.
pub(super) fn kept(element: PortableElement) -> String {
    let words = element.words();
    let first = workspace::STATES / 4;
    let register = |index: u32| if words == 1 { "sum".to_owned() } else { format!("sum[{index}]") };
    let puts: String = (0..words)
        .map(|index| format!("workspace[{first}u + place * {words}u + {index}u] = {}; ", register(index)))
        .collect();
    let gets: Vec<String> =
        (0..words).map(|index| format!("workspace[{first}u + place * {words}u + {index}u]")).collect();
    let sum = match gets.as_slice() {
        [only] => only.clone(),
        several => format!("{}({})", element.r#type(), several.join(", ")),
    };
    format!(
        "@group(0) @binding(2) var<storage, read_write> workspace: array<u32>;
fn keep(place: u32, sum: Element) {{ {puts}}}
fn kept(place: u32) -> Element {{ return {sum}; }}
"
    )
}
