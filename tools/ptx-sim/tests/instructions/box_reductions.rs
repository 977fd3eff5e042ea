//! Reductions of boxes: operators by the type of the map's elements, with the results of an H100.

use ptx_sim::{Arg, Fault, FaultKind, LaunchConfig, Memory, TiledMap};

use super::boxes::{DRAIN, SHARED, map_at, text};
use crate::support::launch_text;

/// Reduces 16 bytes of shared memory into a tensor of this type; all words are the same.
fn reduce(operation: &str, ty: &str, old: u64, new: u64) -> Result<u64, Box<Fault>> {
    let fields = format!("type={ty},dims=16,box=16");
    let map: TiledMap = fields.parse().unwrap();
    let size = map.element.bytes() as usize;
    let one = format!(
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.{operation}.tile.bulk_group [%rd1, {{0}}], [%rd3]; {DRAIN}"
    );
    let words =
        |value: u64, bytes: usize| value.to_le_bytes()[..size].iter().copied().cycle().take(bytes).collect::<Vec<_>>();
    let mut memory = Memory::new();
    let out = memory.alloc_with(&words(new, SHARED)).unwrap();
    let tensor = memory.alloc_with(&words(old, 16 * size)).unwrap();
    let args = [Arg::Map(map_at(&fields, tensor)), Arg::Ptr(out), Arg::Ptr(tensor)];
    match launch_text(&mut memory, &text("", &one, ""), "k", &LaunchConfig::new(1, 256), &args) {
        Ok(_) => {
            let after = memory.read(tensor, 16 * size).unwrap();
            assert!(after.chunks(size).all(|word| *word == after[..size]));
            Ok((0..size).fold(0, |value, i| value | u64::from(after[i]) << (8 * i)))
        }
        Err(error) => Err(error.fault().unwrap().clone().into()),
    }
}

#[test]
fn reductions_by_the_type_of_the_map() {
    let minus = |value: i32| u64::from(-value as u32);
    let nan = 0x7fff_ffff;
    for (operation, ty, old, new, expected) in [
        ("add", "u32", u64::from(u32::MAX), 2, 1),
        ("add", "i32", minus(5), 3, minus(2)),
        ("add", "u64", u64::MAX, 3, 2),
        ("add", "f32", 1.5f32.to_bits().into(), 2.25f32.to_bits().into(), 3.75f32.to_bits().into()),
        ("add", "f16", 0x3c00, 0xc000, 0xbc00),
        ("add", "bf16", 0x3f80, 0xc000, 0xbf80),
        // Subnormal numbers are kept; the result for a NaN is the one that an H100 gives.
        ("add", "f32", 1, 1, 2),
        ("add", "f32", 0x7fc0_0000, 0x3f80_0000, nan),
        ("add", "f16", 0x7e00, 0x3c00, 0x7fff),
        ("add", "bf16", 1, 1, 2),
        ("min", "f16", 0x7e00, 0x3c00, 0x3c00),
        ("min", "f16", 0x8000, 0, 0x8000),
        ("max", "bf16", 0x8000, 0, 0),
        ("dec", "u32", 6, 3, 3),
        ("inc", "u32", 1 << 31, 1, 0),
        ("min", "i32", minus(5), 3, minus(5)),
        ("min", "u32", minus(5), 3, 3),
        ("max", "i64", u64::MAX, 3, 3),
        ("max", "u64", u64::MAX, 3, u64::MAX),
        ("min", "f16", 0x3c00, 0xc000, 0xc000),
        ("max", "bf16", 0x3f80, 0xc000, 0x3f80),
        ("inc", "u32", 7, 7, 0),
        ("dec", "u32", 0, 9, 9),
        ("and", "u32", 6, 3, 2),
        ("or", "i32", 6, 3, 7),
        ("xor", "u64", 6, 3 << 40, 6 | 3 << 40),
    ] {
        assert_eq!(reduce(operation, ty, old, new), Ok(expected), "{operation} of {ty}");
    }
    for (operation, ty) in [
        ("add", "f64"),
        ("add", "u8"),
        ("min", "f32"),
        ("xor", "f16"),
        ("inc", "i32"),
        ("add", "i64"),
        ("xor", "i64"),
        ("and", "u16"),
    ] {
        let fault = reduce(operation, ty, 0, 0).unwrap_err();
        let got = format!("got a tensor map of {ty}, expected one of u32");
        assert!(fault.kind == FaultKind::Invalid && fault.detail.starts_with(&got), "{operation} of {ty}: {fault}");
    }
}
