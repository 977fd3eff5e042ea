//! The simulator executes plans through tensor maps, and moves the bytes that the model of the engine names. The two share
//! no code.

use std::path::Path;

use ptx_sim::{
    Arg, Checks, LaunchConfig, Memory, Module, OutOfBounds, Swizzle, TensorElement, TensorMap, TiledMap, launch,
};
use tile_layout::Eval;
use tile_plan::families::tensor_map::{MapElement, MapForm, MapSwizzle, Part, TensorMapCopy, plan};
use tma_model::case::read;
use tma_model::engine::{Move, Values, coordinates, encodable, moves, numbers};

/// The largest memory that is simulated, and the most boxes.
const MAX_GLOBAL: i64 = 1 << 22;
const MAX_SHARED: i64 = 200 << 10;
const MAX_BOXES: i64 = 64;

/// Executes a plan; returns false where it is too large, or no plain load or store.
///
/// # Errors
/// The first byte that is another than the model's, or what the simulator finds.
pub fn execute(copy: &TensorMapCopy, values: &Values) -> Result<bool, String> {
    let moved = moves(copy, values)?;
    let element = i64::from(copy.element_bits / 8);
    let shared = moved.iter().map(|one| one.shared + element).max().unwrap_or(0);
    let shared = (shared + 1023) / 1024 * 1024;
    let global = copy.parts.iter().map(|part| end(part, values)).max().unwrap_or(0);
    let bounded = global <= MAX_GLOBAL && shared <= MAX_SHARED && copy.instructions() <= MAX_BOXES;
    if !bounded || !matches!(copy.form, MapForm::Load | MapForm::Store) {
        return Ok(false);
    }
    let store = copy.form == MapForm::Store;
    let (tensor, tile) = (pattern(global, 1), pattern(shared, 128));
    let mut memory = Memory::new();
    let failed = |error: &dyn std::fmt::Display| error.to_string();
    let at = memory.alloc_with(&tensor).map_err(|e| failed(&e))?;
    let out = memory.alloc_with(&tile).map_err(|e| failed(&e))?;
    let mut args = vec![Arg::Ptr(at), Arg::Ptr(out)];
    for part in &copy.parts {
        args.push(Arg::Map(TensorMap::tiled(map(part, values, at.0)).map_err(|e| failed(&e))?));
    }
    let text = text(copy, values, shared)?;
    let module = Module::parse(&text).map_err(|e| format!("{e}\n{text}"))?;
    // Gaps between boxes have no value.
    let checks = Checks { init: false, ..Checks::ALL };
    let config = LaunchConfig { dynamic_shared: shared as u32, checks, ..LaunchConfig::new(1, 1) };
    launch(&mut memory, &module, "k", &config, &args).map_err(|e| format!("{e}\n{text}"))?;
    let after = memory.peek(if store { at } else { out }, if store { tensor.len() } else { tile.len() });
    let expected = if store { stored(tensor, &tile, &moved, element) } else { loaded(&tensor, tile, &moved, element) };
    let differs = after.map_err(|e| failed(&e))?.iter().zip(&expected).position(|(got, expected)| got != expected);
    differs.map_or(Ok(true), |byte| Err(format!("byte {byte} differs\n{text}")))
}

fn stored(mut tensor: Vec<u8>, tile: &[u8], moved: &[Move], element: i64) -> Vec<u8> {
    for &Move { shared, global } in moved {
        if let Some(global) = global {
            let (to, from) = (range(global, element), range(shared, element));
            tensor[to].copy_from_slice(&tile[from]);
        }
    }
    tensor
}

fn loaded(tensor: &[u8], mut tile: Vec<u8>, moved: &[Move], element: i64) -> Vec<u8> {
    for &Move { shared, global } in moved {
        let to = range(shared, element);
        match global {
            Some(global) => tile[to].copy_from_slice(&tensor[range(global, element)]),
            None => tile[to].fill(0),
        }
    }
    tile
}

fn range(start: i64, bytes: i64) -> std::ops::Range<usize> {
    start as usize..(start + bytes) as usize
}

/// Bytes of a tensor up to its last element, by the map of a part.
fn end(part: &Part, values: &Values) -> i64 {
    let (extents, strides) = numbers(&part.map, values);
    let last = extents.iter().zip(&strides).map(|(extent, stride)| (extent - 1).saturating_mul(*stride));
    last.fold(part.map.base + part.map.element.bytes(), i64::saturating_add)
}

fn pattern(bytes: i64, seed: i64) -> Vec<u8> {
    (0..bytes).map(|i| ((i * 7 + i / 251 + seed) % 251) as u8).collect()
}

fn map(part: &Part, values: &Values, base: u64) -> TiledMap {
    let (extents, strides) = numbers(&part.map, values);
    let boxed: Vec<u32> = part.map.dims.iter().map(|dim| dim.boxed as u32).collect();
    let unsigned = |numbers: &[i64]| numbers.iter().map(|&number| number as u64).collect::<Vec<_>>();
    let element = match part.map.element {
        // Bytes are compared, so that rounding would be noticed.
        MapElement::TFloat32 | MapElement::Float32 => TensorElement::F32,
        MapElement::UInt8 => TensorElement::U8,
        MapElement::UInt16 => TensorElement::U16,
        MapElement::UInt32 => TensorElement::U32,
        MapElement::Int32 => TensorElement::I32,
        MapElement::UInt64 => TensorElement::U64,
        MapElement::Int64 => TensorElement::I64,
        MapElement::Float16 => TensorElement::F16,
        MapElement::BFloat16 => TensorElement::Bf16,
        MapElement::Float64 => TensorElement::F64,
    };
    let swizzle = match part.map.swizzle {
        MapSwizzle::None => Swizzle::None,
        MapSwizzle::B32 => Swizzle::B32,
        MapSwizzle::B64 => Swizzle::B64,
        MapSwizzle::B128 => Swizzle::B128,
    };
    let base = base.wrapping_add_signed(part.map.base);
    let plain = TiledMap::new(element, base, &unsigned(&extents), &unsigned(&strides[1..]), &boxed);
    TiledMap { swizzle, fill: OutOfBounds::Zero, ..plain }
}

/// A kernel of one thread that copies all boxes, and shared memory from or to its second argument.
fn text(copy: &TensorMapCopy, values: &Values, shared: i64) -> Result<String, String> {
    let maps: String = (0..copy.parts.len()).map(|i| format!(", .param .align 64 .b8 m{i}[128]")).collect();
    let store = copy.form == MapForm::Store;
    let mut body = format!(
        "ld.param.b64 %rd1, [out]; mov.b64 %rd2, s; mov.b64 %rd3, b; mov.b32 %r1, {shared};\n\
         mbarrier.init.shared.b64 [b], 1; fence.proxy.async;\n"
    );
    let fill = format!(
        "mbarrier.arrive.expect_tx.shared.b64 _, [b], {shared};\n\
         cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%rd2], [%rd1], %r1, [%rd3];\n\
         F: mbarrier.try_wait.parity.shared.b64 %p1, [b], 0; @!%p1 bra F;\n"
    );
    body += &fill;
    if !store {
        body += &format!("mbarrier.arrive.expect_tx.shared.b64 _, [b], {};\n", copy.bytes());
    }
    for (index, part) in copy.parts.iter().enumerate() {
        body += &format!("mov.b64 %rd4, m{index}; cvta.param.u64 %rd4, %rd4;\n");
        for number in 0..part.boxes() {
            body += &instruction(copy, part, number, values)?;
        }
    }
    body += match store {
        true => "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n",
        false => {
            "W: mbarrier.try_wait.parity.shared.b64 %p1, [b], 1; @!%p1 bra W;\n\
             cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%rd2], %r1;\n\
             cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
        }
    };
    Ok(format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 s[];\n.shared .align 8 .b64 b;\n\
         .visible .entry k(.param .u64 in, .param .u64 out{maps}) {{\n\
         .reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<8>;\n{body}ret; }}\n"
    ))
}

fn instruction(copy: &TensorMapCopy, part: &Part, number: i64, values: &Values) -> Result<String, String> {
    let lists = [&values.global[..], &values.shared[..]];
    let issue = part.issue(&mut Eval, number, &copy.shared, lists).map_err(|refusal| refusal.reason)?;
    let coordinates: Vec<String> = coordinates(copy, &issue.coordinates, values)?.iter().map(i64::to_string).collect();
    let opcode = copy.instruction(part);
    let (offset, corner) = (issue.offset * i64::from(copy.element_bits / 8), coordinates.join(", "));
    Ok(match copy.form {
        MapForm::Store => format!("{opcode} [%rd4, {{{corner}}}], [s+{offset}];\n"),
        _ => format!("{opcode} [s+{offset}], [%rd4, {{{corner}}}], [%rd3];\n"),
    })
}

#[test]
fn recorded_copies_move_what_the_model_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/Conformance/tma.json");
    let (mut executed, mut left) = (0, 0);
    for case in read(&path).unwrap().iter().filter(|case| case.other_form().is_none()) {
        let Ok(asked) = case.question() else { continue };
        let Ok(copy) = plan(&asked.problem, asked.request, &asked.target) else { continue };
        let values = case.run_times().into_iter().filter(|values| encodable(&copy, values).is_ok());
        for values in values {
            match execute(&copy, &values) {
                Ok(true) => executed += 1,
                Ok(false) => left += 1,
                Err(why) => panic!("{}: {why}", case.id),
            }
        }
    }
    assert!(executed > 200, "{executed} executed, {left} left out");
    println!("{executed} executed, {left} left out");
}
