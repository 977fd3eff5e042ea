//! The recorded copies, as problems.

use std::path::Path;

use serde_json::Value;
use tile_isa::{Cache, Scope, Space};
use tile_layout::{Axis, Iter, Layout, Range, Swizzle};
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::threads::{Active, ThreadSet, Threads};
use tile_plan::problem::{Element, Problem};

/// The cases of one file in `test/Conformance`.
pub fn load(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/Conformance").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut all: Value = serde_json::from_str(&text).unwrap();
    match all["cases"].take() {
        Value::Array(cases) => cases,
        other => panic!("no list of cases: {other}"),
    }
}

/// The synchronous copies of a file.
pub fn copies(file: &str) -> Vec<Value> {
    load(file).into_iter().filter(|case| case["op"] == "copy").collect()
}

/// The asynchronous copies of a file.
pub fn async_copies(file: &str) -> Vec<Value> {
    load(file).into_iter().filter(|case| case["op"] == "copy_async").collect()
}

pub fn id(case: &Value) -> &str {
    case["id"].as_str().unwrap()
}

pub fn int(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("no integer: {value}"))
}

fn ints(value: &Value) -> Vec<i64> {
    list(value).iter().map(int).collect()
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

/// The problem of a case; the text of the refusal where the op itself could not be built.
pub fn problem(case: &Value) -> Result<Problem, String> {
    let [element, stored] = ["src", "dst"].map(|side| element(&case[side]));
    if element != stored {
        return Err(format!("a copy of {} to {} is refused by the op's verifier", element.name, stored.name));
    }
    let (asynchronous, options) = requests(case);
    let cache = Cache::from_options(options.iter().map(|(name, value)| (*name, value.as_str())));
    let mut problem = Problem::new(operand(&case["src"]), operand(&case["dst"]), element, threads(case));
    problem.cache = cache.map_err(|error| error.to_string())?;
    problem.forced = case["forced_variant"].as_str().map(str::to_owned);
    problem.asynchronous = asynchronous;
    Ok(problem)
}

/// The requests of an asynchronous copy, and the remaining options: cache hints, and options that do not exist here.
fn requests(case: &Value) -> (Option<Asynchronous>, Vec<(&str, String)>) {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let options = case["config"].as_object().unwrap().iter().map(|(name, value)| (name.as_str(), value));
    if case["op"] == "copy" {
        return (None, options.map(|(name, value)| (name, text(value))).collect());
    }
    let mut requests = Asynchronous::new(Completion::Caller);
    let mut others = Vec::new();
    for (name, value) in options {
        match name {
            "mbar" => requests.completion = Completion::Barrier,
            "remote_cta_id" => requests.remote_cta = true,
            "predicate" => requests.predicated = true,
            "fill_mode" => requests.zero_fill = value == "zero",
            "direct" => requests.direct = value == true,
            "shape" => requests.shape = Some(text(value)),
            "multicast" => requests.multicast = Some(text(value)),
            "cta_group" => requests.cta_group = Some(int(value)),
            "prefetch_size" => others.push((name, format!("L2::{value}B"))),
            _ => others.push((name, text(value))),
        }
    }
    (Some(requests), others)
}

fn element(operand: &Value) -> Element {
    let name = operand["dtype"].as_str().unwrap();
    let bits = match name {
        "float8_e4m3fn" | "float8_e5m2" | "uint8" | "int8" => 8,
        "float16" | "bfloat16" => 16,
        "float32" | "int32" | "uint32" => 32,
        "float64" => 64,
        _ => panic!("unknown element {name}"),
    };
    Element::new(bits, name)
}

fn operand(value: &Value) -> Operand {
    let (space, align) = match value["scope"].as_str().unwrap() {
        "global" => (Space::Global, 256),
        "shared" | "shared.dyn" => (Space::Shared, 128),
        "local" => (Space::Local, 32),
        "tmem" => (Space::Tmem, 32),
        other => panic!("unknown space {other}"),
    };
    let ranges: Vec<Range> =
        list(&value["region"]).iter().map(|range| Range::new(int(&range[0]), int(&range[1]))).collect();
    Operand::whole(space, layout(&value["layout"]), &ints(&value["shape"]), align).region(&ranges)
}

fn layout(value: &Value) -> Layout {
    let axis = |name: &Value| name.as_str().unwrap().parse::<Axis>().unwrap();
    let iters = |value: &Value| -> Vec<Iter> {
        list(value).iter().map(|iter| Iter::new(int(&iter[0]), int(&iter[1]), axis(&iter[2]))).collect()
    };
    let mut layout = Layout::new(iters(&value["shard"])).with_replica(iters(&value["replica"]));
    for (name, offset) in value["offset"].as_object().unwrap() {
        layout = layout.with_offset(name.parse().unwrap(), int(offset));
    }
    if let Some(swizzle) = value.get("swizzle") {
        let bits = |name: &str| u32::try_from(int(&swizzle[name])).unwrap();
        let inner = swizzle["inner"].as_bool().unwrap();
        let swizzle = Swizzle::new(bits("per_element"), bits("swizzle_len"), bits("atom_len"), inner).unwrap();
        layout = layout.with_swizzle(swizzle);
    }
    layout
}

fn threads(case: &Value) -> Threads {
    let scope = match case["scope"].as_str().unwrap() {
        "thread" => Scope::Thread,
        "warp" => Scope::Warp,
        "warpgroup" => Scope::Warpgroup,
        "cta" => Scope::Cta,
        other => panic!("unknown scope {other}"),
    };
    let block = int(&case["block_threads"]);
    let range = |axis: &str| case["active"].get(axis).map(|range| (int(&range[0]), int(&range[1])));
    let within = |range: Option<(i64, i64)>, value: i64| {
        range.is_none_or(|(extent, begin)| (begin..begin + extent).contains(&value))
    };
    let set: ThreadSet = (0..block)
        .filter(|thread| within(range("laneid"), thread % 32))
        .filter(|thread| within(range("warpid"), thread / 32))
        .filter(|thread| within(range("wid_in_wg"), thread / 32 % 4))
        .collect();
    let active = if set.len() == block { Active::All } else { Active::Known(set) };
    Threads { scope, block: Some(block), active }
}
