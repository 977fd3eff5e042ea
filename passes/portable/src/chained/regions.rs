//! The regions of a pass as functions.

use super::Chained;
use crate::element::{PortableElement, Scalar};
use crate::kernel::{Body, statements};
use crate::operator::Id;

/// A region: its arguments, without the numbers that launches pass, which its statements read; and its body, which yields the lanes of
/// its results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainedRegion {
    /// The lanes of all arguments; `None` for an argument that has no use.
    pub arguments: Vec<Option<Id>>,
    /// Its statements, which access no memory.
    pub body: Body,
}

impl ChainedRegion {
    /// A function that takes what its signature says, of which `given` are the lanes of the region's arguments, and ends with `end`.
    fn function(&self, signature: &str, given: &[String], end: &str) -> String {
        let arguments = self.arguments.iter().zip(given);
        let arguments = arguments.filter_map(|(id, lane)| Some(format!("  let v{} = {lane};\n", (*id)?)));
        format!("fn {signature} {{\n{}{}{end}}}\n", arguments.collect::<String>(), statements(&self.body))
    }

    /// The names of what it yields.
    fn yielded(&self) -> Vec<String> {
        self.body.yields.iter().map(|id| format!("v{id}")).collect()
    }
}

/// The functions that the text of kernels calls.
///
/// ```text
///   summarized(slot, place, index)                       the payload of an element in `held0`, `held1`, …
///   combine(left, right)
///   write_results(slot, place, index, before, after)     what is kept of an element
///   write_totals(payload)
/// ```
pub(super) fn functions(passes: &Chained<'_>) -> String {
    [summary(passes), combine(passes), emit(passes), finish(passes)].concat()
}

fn summary(passes: &Chained<'_>) -> String {
    let region = &passes.summary;
    let given = [index(), elements(passes)].concat();
    let end = format!("  return {};\n", packed(passes, &region.yielded()));
    region.function("summarized(slot: u32, place: u32, index: u32) -> Element", &given, &end)
}

fn combine(passes: &Chained<'_>) -> String {
    let region = &passes.combine;
    let given = [numbers(passes, "left"), numbers(passes, "right")].concat();
    let end = format!("  return {};\n", packed(passes, &region.yielded()));
    region.function("combine(left: Element, right: Element) -> Element", &given, &end)
}

fn emit(passes: &Chained<'_>) -> String {
    let region = &passes.emit;
    let given = [index(), numbers(passes, "before"), numbers(passes, "after"), elements(passes)].concat();
    let yielded = region.yielded();
    let place = if passes.place == Scalar::I64 { ".x" } else { "" };
    let (mut rest, mut end) = (&yielded[..], String::new());
    for (number, dest) in passes.dests.iter().enumerate() {
        let (result, others) = rest.split_at(2 + dest.lanes as usize);
        let value = dest.of_lanes(&result[2..]);
        end += &format!("  if ({}) {{\n    write{number}({}{place}, {value});\n  }}\n", result[0], result[1]);
        rest = others;
    }
    let signature = "write_results(slot: u32, place: u32, index: u32, before: Element, after: Element)";
    region.function(signature, &given, &end)
}

fn finish(passes: &Chained<'_>) -> String {
    let region = &passes.finish;
    let yielded = region.yielded();
    let (mut rest, mut end) = (&yielded[..], String::new());
    for (number, total) in passes.totals.iter().enumerate() {
        let (lanes, others) = rest.split_at(total.lanes as usize);
        end += &format!("  write_total{number}({});\n", total.of_lanes(lanes));
        rest = others;
    }
    region.function("write_totals(payload: Element)", &numbers(passes, "payload"), &end)
}

/// The index of an element, which has 64 bits in regions.
fn index() -> Vec<String> {
    vec!["vec2<u32>(index, 0u)".to_owned()]
}

/// The lanes of an element, and with a halo of those next to it, and whether it is the first and the last one.
fn elements(passes: &Chained<'_>) -> Vec<String> {
    let each = |one: &dyn Fn(usize) -> String| -> Vec<String> {
        let lanes = |(number, source): (usize, &PortableElement)| -> Vec<String> {
            (0..source.lanes).map(|lane| source.lane(&one(number), lane)).collect()
        };
        passes.sources.iter().enumerate().flat_map(lanes).collect()
    };
    let mut all = each(&|number| format!("held{number}[slot + place]"));
    if passes.has_halo {
        all.extend(each(&|number| format!("left{number}(slot, place, index)")));
        all.extend(each(&|number| format!("right{number}(slot, place, index)")));
        all.extend(["index == 0u", "index + 1u == length()"].map(str::to_owned));
    }
    all
}

/// The numbers of the payload with this name.
fn numbers(passes: &Chained<'_>, name: &str) -> Vec<String> {
    let number = |(lane, scalar): (usize, &Scalar)| {
        let word = passes.payload.lane(name, lane as u32);
        if passes.payload.scalar.bits() == 64 && scalar.bits() < 64 { format!("{word}.x") } else { word }
    };
    passes.numbers.iter().enumerate().map(number).collect()
}

/// The payload with these numbers; lanes without one are zero.
fn packed(passes: &Chained<'_>, numbers: &[String]) -> String {
    let is_wide = passes.payload.scalar.bits() == 64;
    let lane = |lane: usize| match (numbers.get(lane), passes.numbers.get(lane)) {
        (Some(number), Some(scalar)) if is_wide && scalar.bits() < 64 => format!("vec2<u32>({number}, 0u)"),
        (Some(number), _) => number.clone(),
        (None, _) if is_wide => "vec2<u32>(0u, 0u)".to_owned(),
        (None, _) => "0u".to_owned(),
    };
    passes.payload.of_lanes(&(0..passes.payload.lanes as usize).map(lane).collect::<Vec<_>>())
}
