//! Every register of every lane holds what the PTX ISA's formulas say.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use tile_layout::{Axis, Layout, OPEN};

use super::{Fragment, FragmentError, MatrixInstruction, MatrixOperand};
use crate::scope::Space;
use crate::tcgen05_mma;

/// What reductions of the sums give.
const REDUCED: [MatrixOperand; 2] = [MatrixOperand::Rows, MatrixOperand::Columns];

/// An element, by row and column.
type Cell = (i64, i64);

/// The element of an instruction of `m` rows in a register of a lane, `wide` elements to 32 bits (9.7.14.5.7 to 9.7.14.5.11).
fn element(operand: MatrixOperand, m: i64, wide: i64, lane: i64, index: i64) -> Cell {
    let (group, member, rows) = (lane >> 2, lane % 4, m / 8);
    match operand {
        MatrixOperand::A => {
            let (register, within) = (index / wide, index % wide);
            (group + 8 * (register % rows), 4 * wide * (register / rows) + wide * member + within)
        }
        MatrixOperand::B => (4 * wide * (index / wide) + wide * member + index % wide, group),
        _ => (group + 8 * (index >> 1), 2 * member + index % 2),
    }
}

/// What a layout has: the element in each register, by warp or warpgroup, warp of it, lane and register.
fn held(layout: &Layout, [rows, columns]: [i64; 2]) -> BTreeMap<[i64; 4], Cell> {
    let mut held = BTreeMap::new();
    let copies: Vec<i64> = match &layout.replica[..] {
        [] => vec![0],
        [iter] => (0..iter.extent).map(|digit| digit * iter.stride).collect(),
        more => panic!("{more:?}"),
    };
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let position = layout.apply_linear(row * columns + column);
        let on = |axis| position.get(&axis).copied().unwrap_or(0);
        for copy in &copies {
            let scope = on(Axis::WarpId) + on(Axis::WgId) + copy;
            let before = held.insert([scope, on(Axis::WidInWg), on(Axis::LaneId), on(Axis::Memory)], (row, column));
            assert_eq!(before, None, "{layout}");
        }
    }
    held
}

/// What instructions need, one after the other, of A and C row by row, of B column by column.
fn needed(fragment: Fragment, bits: u32, counts: [i64; 2]) -> ([i64; 2], BTreeMap<[i64; 4], Cell>) {
    let Fragment { instruction, operand, scopes: [rows, columns] } = fragment;
    let size = instruction.size(operand, bits);
    let (m, warps, wide) = (instruction.of_warp(bits).m, instruction.warps(), i64::from(32 / bits).max(1));
    let each = size[0] * size[1] / 32 / warps;
    let mut needed = BTreeMap::new();
    for scope in 0..rows * columns {
        let place = [scope / columns, scope % columns];
        let [down, across] = match operand {
            MatrixOperand::A => [place[0], 0],
            MatrixOperand::B => [0, place[1]],
            _ => place,
        };
        for number in 0..counts[0] * counts[1] {
            let block = match operand {
                MatrixOperand::B => [number % counts[0], number / counts[0]],
                _ => [number / counts[1], number % counts[1]],
            };
            let begin = [size[0] * (block[0] + counts[0] * down), size[1] * (block[1] + counts[1] * across)];
            for (warp, lane) in (0..warps).flat_map(|warp| (0..32).map(move |lane| (warp, lane))) {
                for index in 0..each {
                    let (row, column) = element(operand, m, wide, lane, index);
                    let cell = (begin[0] + 16 * warp + row, begin[1] + column);
                    needed.insert([scope, warp, lane, number * each + index], cell);
                }
            }
        }
    }
    let [down, across] = match operand {
        MatrixOperand::A => [rows, 1],
        MatrixOperand::B => [1, columns],
        _ => [rows, columns],
    };
    ([size[0] * counts[0] * down, size[1] * counts[1] * across], needed)
}

fn check(fragment: Fragment, bits: u32, counts: [i64; 2]) {
    let (shape, needed) = needed(fragment, bits, counts);
    let layout = fragment.layout(&shape, bits).unwrap();
    layout.validate().unwrap();
    assert!(layout.shard.iter().all(|iter| iter.extent > 1), "{layout}");
    assert_eq!(held(&layout, shape), needed, "{fragment} of {bits} bits, {shape:?}: {layout}");
}

/// All operands of instructions that may be in registers.
fn all() -> Vec<Fragment> {
    let operands = |instruction: MatrixInstruction| {
        let kept = instruction.operands().iter().filter(|operand| !REDUCED.contains(operand));
        kept.map(move |&operand| Fragment::new(instruction, operand).unwrap())
    };
    let in_registers = |instruction: &MatrixInstruction| instruction.space() == Space::Local;
    MatrixInstruction::all().into_iter().filter(in_registers).flat_map(operands).collect()
}

fn named(name: &str) -> Fragment {
    name.parse().unwrap()
}

#[test]
fn each_register_holds_what_the_instruction_takes() {
    let fragments = all();
    assert_eq!(fragments.len(), 5 * 3 + 2);
    for fragment in fragments {
        for bits in fragment.widths() {
            for scopes in [[1, 1], [1, 2], [2, 1], [2, 2], [2, 4], [3, 2]] {
                let fragment = fragment.over(scopes).unwrap();
                check(fragment, bits, [1, 1]);
                check(fragment, bits, [2, 3]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_number_of_instructions_and_warps(
        which in 0..17_usize,
        width in 0..4_usize,
        counts in [1..6_i64, 1..6_i64],
        scopes in [1..4_i64, 1..3_i64],
    ) {
        let fragment = all()[which].over(scopes).unwrap();
        let widths = fragment.widths();
        check(fragment, widths[width % widths.len()], counts);
    }
}

#[test]
fn layouts_as_they_are_spelled() {
    for (name, shape, bits, expected) in [
        ("mma.m16n8k32.a", [16, 32], 8, "(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)"),
        ("mma.m16n8k32.b", [32, 8], 8, "(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)"),
        ("mma.m16n8k8.a", [16, 8], 32, "(2, 8, 2, 4) : (1, 4@laneid, 2, 1@laneid)"),
        ("mma.m16n8k8.b", [8, 8], 64, "(2, 4, 8) : (1, 1@laneid, 4@laneid)"),
        ("mma.m8n8k4.a", [8, 4], 64, "(8, 4) : (4@laneid, 1@laneid)"),
        ("mma.m8n8k4.c", [8, 8], 64, "(8, 4, 2) : (4@laneid, 1@laneid, 1)"),
        ("mma.m16n8k16.a", [32, 32], 16, "(2, 2, 8, 4, 4, 2) : (16, 2, 4@laneid, 4, 1@laneid, 1)"),
        ("mma.m16n8k16.b", [32, 32], 16, "(4, 4, 2, 4, 8) : (2, 1@laneid, 1, 8, 4@laneid)"),
        ("mma.m16n8k16.c", [32, 32], 32, "(2, 2, 8, 4, 4, 2) : (16, 2, 4@laneid, 4, 1@laneid, 1)"),
        ("wgmma.a", [64, 64], 16, "(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)"),
        ("wgmma.c", [64, 64], 32, "(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)"),
        (
            "wgmma.c over (2, 1) warpgroups",
            [128, 64],
            32,
            "(2, 4, 2, 8, 8, 4, 2) : (1@wgid, 1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)",
        ),
        (
            "mma.m16n8k16.b over (2, 4) warps",
            [16, 32],
            16,
            "(2, 4, 2, 4, 8) : (2, 1@laneid, 1, 1@warpid, 4@laneid) + R(2 : 4@warpid)",
        ),
        (
            "mma.m16n8k16.c over (2, 2) warps",
            [64, 64],
            32,
            "(2, 2, 2, 8, 2, 4, 4, 2) : (2@warpid, 16, 2, 4@laneid, 1@warpid, 4, 1@laneid, 1)",
        ),
    ] {
        assert_eq!(named(name).layout(&shape, bits).unwrap().to_string(), expected, "{name}");
    }
}

#[test]
fn names_are_read_as_they_are_written() {
    for fragment in all() {
        for scopes in [[1, 1], [2, 1], [2, 4]] {
            let fragment = fragment.over(scopes).unwrap();
            assert_eq!(fragment.to_string().parse(), Ok(fragment));
        }
    }
    assert_eq!(named("mma.m16n8k16.a over (2, 4) warps").to_string(), "mma.m16n8k16.a over (2, 4) warps");
    assert_eq!(named(" wgmma.c // sums\n over( 1 ,2)warpgroups ").to_string(), "wgmma.c over (1, 2) warpgroups");
    assert_eq!(named("wgmma.c over (1, 1) warpgroups").to_string(), "wgmma.c");
}

#[test]
fn mistakes_have_their_position() {
    let instructions = "mma.m16n8k32, mma.m16n8k16, mma.m16n8k8, mma.m16n8k4, mma.m8n8k4, wgmma, tcgen05";
    for (text, at, expected) in [
        ("", 0, "got the end, expected an instruction and its operand, as in mma.m16n8k16.a".to_owned()),
        (" mma", 1, "got 'mma', expected an instruction and its operand, as in mma.m16n8k16.a".to_owned()),
        ("mma.m16n8k17.a", 0, format!("got instruction 'mma.m16n8k17', expected one of {instructions}")),
        (
            "mma.m8n8k4",
            0,
            "got 'mma.m8n8k4' without an operand, expected one of mma.m8n8k4.a, mma.m8n8k4.b, mma.m8n8k4.c, \
             mma.m8n8k4.rows, mma.m8n8k4.columns"
                .to_owned(),
        ),
        ("wgmma.d", 0, "got 'wgmma.d', expected one of wgmma.a, wgmma.c, wgmma.rows, wgmma.columns".to_owned()),
        ("wgmma.b", 0, "got 'wgmma.b', expected one of wgmma.a, wgmma.c, wgmma.rows, wgmma.columns".to_owned()),
        (
            "tcgen05.b",
            0,
            "got 'tcgen05.b', expected one of tcgen05.a, tcgen05.c, tcgen05.scales_a, tcgen05.scales_b".to_owned(),
        ),
        (
            "tcgen05.c over (2, 1) ctas",
            15,
            "got (2, 1) ctas, expected at least (1, 1), and at most 1 of them".to_owned(),
        ),
        ("wgmma.c under", 8, "got 'under', expected 'over' or the end".to_owned()),
        ("wgmma.c over 2", 13, "got '2', expected '('".to_owned()),
        ("wgmma.c over (2 1)", 16, "got '1', expected ','".to_owned()),
        ("wgmma.c over (x, 1)", 14, "got 'x', expected a number".to_owned()),
        ("wgmma.c over (2, 99999999999999999999)", 17, "got '99999999999999999999', expected a number".to_owned()),
        ("wgmma.c over (2, 1)", 19, "got the end, expected 'warpgroups'".to_owned()),
        ("wgmma.c over (2, 1) warps", 20, "got 'warps', expected 'warpgroups'".to_owned()),
        ("wgmma.c over (2, 1) warpgroups é", 31, "got 'é', expected the end".to_owned()),
        (
            "wgmma.c over (3, 3) warpgroups",
            13,
            "got (3, 3) warpgroups, expected at least (1, 1), and at most 8 of them".to_owned(),
        ),
    ] {
        let mistake = text.parse::<Fragment>().unwrap_err();
        assert_eq!((mistake.at, mistake.error.to_string()), (at, expected), "{text}");
    }
    let a = named("mma.m16n8k16.a");
    for scopes in [[0, 1], [1, 0], [-1, -1], [33, 1], [i64::MAX, 2], [i64::MIN, -1]] {
        assert!(matches!(a.over(scopes), Err(FragmentError::Scopes { most: 32, .. })), "{scopes:?}");
    }
    assert!(a.over([4, 8]).is_ok());
}

#[test]
fn tiles_without_such_a_layout() {
    let refused = |name: &str, shape: &[i64], bits| named(name).layout(shape, bits).unwrap_err().to_string();
    assert_eq!(refused("wgmma.c", &[64], 32), "got a fragment of 1 dimension, expected 2: rows and columns");
    assert_eq!(
        refused("mma.m16n8k16.a", &[16, 16], 32),
        "got elements of 32 bits, expected 8, 16 or 64 for mma.m16n8k16.a"
    );
    assert_eq!(refused("mma.m8n8k4.a", &[8, 4], 32), "got elements of 32 bits, expected 64 for mma.m8n8k4.a");
    assert!(refused("mma.m16n8k32.c", &[16, 8], 64).ends_with("expected 8, 16 or 32 for mma.m16n8k32.c"));
    assert_eq!(
        refused("mma.m16n8k16.a over (2, 4) warps", &[48, 16], 16),
        "got 48 rows, expected a multiple of 32 for mma.m16n8k16.a over (2, 4) warps"
    );
    assert_eq!(
        refused("mma.m16n8k16.a", &[16, 24], 16),
        "got 24 columns, expected a multiple of 16 for mma.m16n8k16.a"
    );
    assert_eq!(refused("wgmma.a", &[64, OPEN], 16), "got '?' columns, expected a multiple of 16 for wgmma.a");
    for extent in [0, -16] {
        assert!(matches!(
            named("mma.m16n8k16.a").layout(&[extent, 16], 16),
            Err(FragmentError::Size { dimension: "rows", unit: 16, .. })
        ));
    }
    let huge = i64::MAX / 64 * 64;
    assert!(named("wgmma.c").layout(&[huge, huge], 32).is_ok());
    for space in Space::ALL {
        let checked = named("wgmma.c").check_space(space);
        assert_eq!(checked.is_ok(), space == Space::Local);
    }
    assert_eq!(
        named("wgmma.c").check_space(Space::Tmem).unwrap_err().to_string(),
        "got fragment wgmma.c in tmem memory, expected it in local memory, which registers are"
    );
    assert_eq!(
        named("tcgen05.c").check_space(Space::Local).unwrap_err().to_string(),
        "got fragment tcgen05.c in local memory, expected it in tmem memory"
    );
    assert_eq!(refused("tcgen05.c", &[192, 16], 32), "got 192 rows, expected a multiple of 128 for tcgen05.c");
    assert_eq!(refused("tcgen05.c", &[32, 16], 32), "got 32 rows, expected a multiple of 64 for tcgen05.c");
    assert_eq!(refused("tcgen05.c", &[64, 16], 16), "got elements of 16 bits, expected 32 for tcgen05.c");
    assert_eq!(refused("tcgen05.a", &[64, 16], 64), "got elements of 64 bits, expected 8, 16 or 32 for tcgen05.a");
    assert_eq!(refused("tcgen05.a", &[128, 24], 16), "got 24 columns, expected a multiple of 16 for tcgen05.a");
}

/// Of every row, or column, the lane and the column are those that an instruction with its first one has; steps are in bytes.
#[test]
fn scales_in_tensor_memory() {
    for (name, shape, expected) in [
        ("tcgen05.scales_a", [128, 4], "(4, 32, 4) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)"),
        ("tcgen05.scales_a", [256, 8], "(8, 32, 2, 4) : (4@TCol, 1@TLane, 32@TCol, 1@TCol) + R(4 : 32@TLane)"),
        ("tcgen05.scales_a", [128, 1], "(4, 32, 1) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)"),
        ("tcgen05.scales_b", [6, 64], "(3, 2, 2, 32) : (8@TCol, 1@TCol, 4@TCol, 1@TLane) + R(4 : 32@TLane)"),
        ("tcgen05.scales_b", [3, 24], "(3, 24) : (4@TCol, 1@TLane) + R(4 : 32@TLane)"),
    ] {
        let layout = named(name).layout(&shape, 8).unwrap();
        assert_eq!(layout.to_string(), expected);
        let by_line = name.ends_with('a');
        let (lines, steps) = if by_line { (shape[0], shape[1]) } else { (shape[1], shape[0]) };
        let mut bytes = BTreeSet::new();
        for (line, step) in (0..lines).flat_map(|line| (0..steps).map(move |step| (line, step))) {
            let place = |line: i64| {
                let position = layout.apply_linear(if by_line { line * steps + step } else { step * lines + line });
                let on = |axis| position.get(&axis).copied().unwrap_or(0);
                (on(Axis::TLane), on(Axis::TCol))
            };
            let (first, (lane, byte)) = (place(0).1, place(line));
            assert_eq!((lane, byte), (line % 32, first + line / 32 * 4), "({line}, {step})");
            assert!(bytes.insert((lane, byte)), "({line}, {step}) has a byte of its own");
        }
    }
    let refused = |name: &str, shape: [i64; 2], bits| named(name).layout(&shape, bits).unwrap_err().to_string();
    assert_eq!(refused("tcgen05.scales_a", [64, 4], 8), "got 64 rows, expected a multiple of 128 for tcgen05.scales_a");
    assert_eq!(
        refused("tcgen05.scales_b", [4, 40], 8),
        "got 40 columns, expected a multiple of 32 for tcgen05.scales_b"
    );
    assert_eq!(refused("tcgen05.scales_b", [4, 32], 16), "got elements of 16 bits, expected 8 for tcgen05.scales_b");
}

/// A thread has the values of the rows and columns of which it has sums, and no others.
#[test]
fn values_of_rows_and_columns() {
    for (instruction, scopes, shape) in [
        ("mma.m16n8k16", [1, 1], [16, 8]),
        ("mma.m8n8k4", [1, 1], [16, 16]),
        ("mma.m16n8k16", [2, 4], [64, 64]),
        ("wgmma", [1, 1], [64, 16]),
        ("wgmma", [2, 2], [256, 64]),
    ] {
        let held = |operand: &str, shape: [i64; 2]| {
            let fragment = named(&format!("{instruction}.{operand}")).over(scopes).unwrap();
            holders(&fragment.layout(&shape, 64).or_else(|_| fragment.layout(&shape, 32)).unwrap(), shape)
        };
        let sums = held("c", shape);
        for (operand, dimension) in [("rows", 0), ("columns", 1)] {
            let mut reduced = shape;
            reduced[1 - dimension] = 1;
            let mut expected = BTreeSet::new();
            for (thread, _, cell) in &sums {
                let mut cell = *cell;
                cell[1 - dimension] = 0;
                expected.insert((*thread, cell));
            }
            let values = held(operand, reduced);
            let each: BTreeSet<_> = values.iter().map(|(thread, _, cell)| (*thread, *cell)).collect();
            assert_eq!(each, expected, "{instruction}.{operand} {shape:?}");
            let registers: BTreeSet<_> = values.iter().map(|(thread, register, _)| (*thread, *register)).collect();
            assert_eq!((registers.len(), values.len()), (each.len(), each.len()), "a register each");
        }
    }
    let rows = |name: &str, rows, bits| named(name).layout(&[rows, 1], bits).unwrap().to_string();
    assert_eq!(rows("mma.m16n8k16.rows", 16, 32), "(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)");
    assert_eq!(rows("wgmma.rows", 64, 32), "(4, 2, 8, 1) : (1@wid_in_wg, 1, 4@laneid, 1) + R(4 : 1@laneid)");
    let refused = named("wgmma.rows").layout(&[64, 2], 32).unwrap_err().to_string();
    assert_eq!(refused, "got 2 columns, expected 1 for wgmma.rows");
}

/// The threads, by warpgroup, warp and lane, and their registers, of each element.
fn holders(layout: &Layout, [rows, columns]: [i64; 2]) -> Vec<([i64; 3], i64, [i64; 2])> {
    let mut values = Vec::new();
    let copies: i64 = layout.replica.iter().map(|iter| iter.extent).product();
    for (cell, copy) in (0..rows * columns).flat_map(|cell| (0..copies).map(move |copy| (cell, copy))) {
        let mut at = layout.apply_linear(cell);
        let mut left = copy;
        for iter in &layout.replica {
            *at.entry(iter.axis).or_default() += left % iter.extent * iter.stride;
            left /= iter.extent;
        }
        let on = |axis| at.get(&axis).copied().unwrap_or(0);
        let thread = [on(Axis::WarpId) + on(Axis::WgId), on(Axis::WidInWg), on(Axis::LaneId)];
        values.push((thread, on(Axis::Memory), [cell / columns, cell % columns]));
    }
    values
}

/// Every row is in the lane that the instruction has it in, every column, or depth, beside the others.
#[test]
fn operands_in_tensor_memory() {
    for (name, rows, columns, bits, expected) in [
        ("tcgen05.c", 64, 24, 32, "(4, 16, 24) : (32@TLane, 1@TLane, 1@TCol)"),
        ("tcgen05.c", 128, 16, 32, "(128, 16) : (1@TLane, 1@TCol)"),
        ("tcgen05.c", 256, 64, 32, "(2, 128, 64) : (64@TCol, 1@TLane, 1@TCol)"),
        ("tcgen05.a", 64, 32, 8, "(4, 16, 32) : (32@TLane, 1@TLane, 1@TCol)"),
        ("tcgen05.a", 128, 48, 16, "(128, 48) : (1@TLane, 1@TCol)"),
        ("tcgen05.a", 256, 8, 32, "(2, 128, 8) : (8@TCol, 1@TLane, 1@TCol)"),
    ] {
        let layout = named(name).layout(&[rows, columns], bits).unwrap();
        assert_eq!(layout.to_string(), expected);
        let of_instruction = rows.min(128);
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let position = layout.apply_linear(row * columns + column);
            let on = |axis| position.get(&axis).copied().unwrap_or(0);
            let block = row / of_instruction;
            let expected = (tcgen05_mma::lane(of_instruction, row % of_instruction), block * columns + column);
            assert_eq!((on(Axis::TLane), on(Axis::TCol)), expected, "({row}, {column})");
        }
    }
}
