//! Random copies through tensor maps: what their boxes move is the region, element by element.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tile_isa::{Scope, Space};
use tile_layout::{Axis, Iter, Layout, OPEN, Swizzle};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::tensor_map::{Extent, MapForm, Part, TensorMapCopy, plan};
use tile_plan::problem::asynchronous::{Asynchronous, Completion};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::run_time::{Begin, RunTimeStride};
use tile_plan::problem::tensor_map::MapRequest;
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};
use tile_plan::target::Target;
use tma_model::check::check;
use tma_model::engine::Values;

use crate::simulated::execute;

/// The random choices of a copy, read in sequence; 0 once they are used up.
struct Tape {
    numbers: Vec<u32>,
    next: usize,
}

impl Tape {
    fn below(&mut self, count: i64) -> i64 {
        let number = self.numbers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        i64::from(number) % count
    }

    fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as i64) as usize].clone()
    }

    fn chance(&mut self, whole: i64) -> bool {
        self.below(whole) == whole - 1
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in 0..items.len() {
            let other = index + self.below((items.len() - index) as i64) as usize;
            items.swap(index, other);
        }
    }
}

/// A copy, and its run-time values.
struct Drawn {
    problem: Problem,
    values: Values,
    target: Target,
}

/// Rows of elements, up to three dimensions, from a larger tensor to shared memory in some order of digits.
fn drawn(tape: &mut Tape) -> Drawn {
    let bits = tape.pick(&[16, 32, 8, 64]);
    let bytes = i64::from(bits / 8);
    let rank = tape.pick(&[2, 1, 3]);
    let mut extent: Vec<i64> = (1..rank).map(|_| tape.pick(&[8, 4, 16, 3, 1, 24, 40, 257, 300, 512])).collect();
    extent.push(tape.pick(&[64, 128, 32, 16, 8, 48, 100, 256, 6]) * tape.pick(&[1, 1, 2, 4]) / bytes.min(2));
    // Small enough to enumerate.
    while extent.iter().product::<i64>() > 1 << 13 {
        let longest = (0..extent.len()).max_by_key(|&dim| extent[dim]).unwrap();
        extent[longest] = (extent[longest] / 2).max(1);
    }
    let mut values = Values::default();
    let clips = tape.chance(3);
    let mut tensor = tensor(tape, &extent, bytes, clips, &mut values);
    let store = tape.chance(3);
    let rows = rank == 2 && tape.chance(4);
    if rows {
        name_rows(tape, &mut tensor, &mut values, (clips, store));
    }
    let shared = shared(tape, &extent, bytes, store, &mut values);
    let (src, dst) = if store { (shared, tensor) } else { (tensor, shared) };
    let prefix = tape.pick(&["f", "i"]);
    let name = if bits == 8 { "i8".to_owned() } else { format!("{prefix}{bits}") };
    let mut problem = Problem::new(src, dst, Element::new(bits, name), Threads::all(Scope::Thread, Some(32)));
    let mut asked = Asynchronous::new(if store { Completion::BulkGroup } else { Completion::Barrier });
    if store && tape.chance(4) {
        asked.reduce = Some("add".to_owned());
    }
    asked.tensor_map = Some(MapRequest { clips, rows, ..MapRequest::default() });
    problem.asynchronous = Some(asked);
    let target = Target::parse(if tape.chance(2) { "sm_100a" } else { "sm_90a" }).unwrap();
    Drawn { problem, values, target }
}

/// Names rows by their numbers: any of the tensor, or, of one that the copy may leave, of twice as many; those of a store differ.
fn name_rows(tape: &mut Tape, tensor: &mut Operand, values: &mut Values, (clips, store): (bool, bool)) {
    tensor.begin[0] = Begin::Const(0);
    let count = tensor.extent[0];
    let most = values.extents[0].max(if clips { 2 * values.extents[0].max(count) } else { 0 });
    let mut rows: Vec<i64> = (0..most).collect();
    match store {
        true => tape.shuffle(&mut rows),
        false => rows = (0..count).map(|_| tape.below(most)).collect(),
    }
    values.rows = rows.into_iter().take(usize::try_from(count).unwrap()).collect();
}

/// A tensor larger than the region: padded, blocked, transposed in its outer dimensions, or of a size known at run time.
fn tensor(tape: &mut Tape, extent: &[i64], bytes: i64, clips: bool, values: &mut Values) -> Operand {
    let unit = (16 / bytes).max(1);
    let mut shape = Vec::new();
    let mut begin = Vec::new();
    let last = extent.len() - 1;
    for (dim, &extent) in extent.iter().enumerate() {
        let inner = dim == last;
        let step = if inner { unit } else { tape.pick(&[1, extent.max(1), 8]) };
        let start = if tape.chance(2) { 0 } else { tape.below(4) * step };
        let size = (start + extent + tape.below(3) * tape.pick(&[extent, 1, 8])).max(1);
        // A region that may leave the tensor leaves it at either end.
        let (start, size) = match (clips, tape.below(3)) {
            (true, 1) => (start, (start + extent - tape.below(extent)).max(1)),
            (true, 2) if !inner => (-tape.below(extent), size),
            _ => (start, size),
        };
        shape.push(size);
        begin.push(if tape.chance(3) && start >= 0 {
            values.global.push(start);
            let divisor = tape.pick(&[8, 1, 64, 16]);
            if start % divisor == 0 {
                Begin::Dynamic { value: values.global.len() - 1, divisor, residue: 0 }
            } else {
                Begin::Dynamic { value: values.global.len() - 1, divisor: 64, residue: start % 64 }
            }
        } else {
            Begin::Const(start)
        });
    }
    let layout = strides(tape, &shape, unit);
    values.extents = shape.clone();
    let mut operand = Operand::whole(Space::Global, layout, &shape, 16);
    (operand.begin, operand.extent) = (begin, extent.to_vec());
    if tape.chance(8) {
        open(&mut operand, values);
    }
    if tape.chance(3) {
        open_columns(tape, &mut operand);
    }
    operand
}

/// A dense or padded layout of a tensor, with a dimension in blocks now and then.
fn strides(tape: &mut Tape, shape: &[i64], unit: i64) -> Layout {
    let mut order: Vec<usize> = (0..shape.len()).rev().collect();
    if tape.chance(6) {
        let outer = order.len().min(1);
        tape.shuffle(&mut order[outer..]);
    }
    let mut stride = 1;
    let mut iters = vec![Vec::new(); shape.len()];
    for dim in order {
        let size = shape[dim];
        let block = tape.pick(&[1, 1, 1, 16, 8]);
        if block > 1 && size % block == 0 && size > block {
            iters[dim] =
                vec![Iter::memory(size / block, stride * block + tape.pick(&[0, 64])), Iter::memory(block, stride)];
            stride = iters[dim][0].stride * (size / block);
        } else {
            iters[dim] = vec![Iter::memory(size, stride)];
            stride *= size;
        }
        stride += tape.pick(&[0, 0, 8, 64, 1]);
        if tape.chance(2) {
            stride = (stride + unit - 1) / unit * unit;
        }
    }
    Layout::new(iters.concat()).with_offset(Axis::Memory, tape.pick(&[0, 0, 64, 8]))
}

/// Makes the first dimension's extent, and its stride, known at run time only.
fn open(operand: &mut Operand, values: &mut Values) {
    let blocks = operand.layout.dimensions(&operand.shape).unwrap();
    let [first, ..] = &blocks[..] else { return };
    let [iter] = first[..] else { return };
    operand.shape[0] = OPEN;
    operand.strides = vec![RunTimeStride { value: values.global.len(), divisor: 1 }];
    values.global.push(iter.stride);
    values.strides = vec![iter.stride];
    let mut shard = vec![Iter::new(OPEN, 1, Axis::S0)];
    shard.extend(blocks.iter().skip(1).flatten());
    operand.layout.shard = shard;
}

/// Makes the last dimension's extent known at run time only, but for something that divides it.
fn open_columns(tape: &mut Tape, operand: &mut Operand) {
    let last = operand.shape.len() - 1;
    let size = operand.shape[last];
    let Ok(blocks) = operand.layout.clone().dimensions(&operand.shape) else { return };
    let (Some([_]), Some(iter)) = (blocks.last().map(Vec::as_slice), operand.layout.shard.last_mut()) else { return };
    iter.extent = OPEN;
    operand.shape[last] = OPEN;
    operand.extent_divisors = vec![1; last];
    operand.extent_divisors.push(tile_layout::gcd(size, tape.pick(&[64, 8, 1, size])));
}

/// A region of a ring of stages in shared memory: digits of the region's dimensions in some order, dense or padded.
fn shared(tape: &mut Tape, extent: &[i64], bytes: i64, store: bool, values: &mut Values) -> Operand {
    let mode = if tape.chance(2) { tape.pick(&[3, 1, 2]) } else { 0 };
    let span = (16 << mode) / bytes;
    let mut digits: Vec<(usize, Iter)> = Vec::new();
    for (dim, &extent) in extent.iter().enumerate().rev() {
        let inner = if digits.is_empty() && mode > 0 { span } else { tape.pick(&[extent, extent, 8, 64]) };
        if inner > 0 && extent % inner == 0 && extent > inner {
            digits.push((dim, Iter::memory(inner, 0)));
            digits.push((dim, Iter::memory(extent / inner, 0)));
        } else {
            digits.push((dim, Iter::memory(extent, 0)));
        }
    }
    if digits.len() > 1 && tape.chance(2) {
        tape.shuffle(&mut digits[1..]);
    }
    let mut stride = 1;
    for (_, iter) in &mut digits {
        iter.stride = stride;
        stride *= iter.extent;
        if tape.chance(if store { 4 } else { 12 }) {
            stride += tape.pick(&[8, 64, 128]);
        }
    }
    // Digits of a dimension are in the order of their strides only by chance; the region's order is what counts.
    let mut shard = Vec::new();
    for dim in 0..extent.len() {
        let iters: Vec<Iter> = digits.iter().filter(|digit| digit.0 == dim).map(|(_, iter)| *iter).collect();
        shard.extend(iters.into_iter().rev());
    }
    let stage = (stride * bytes + 1023) / 1024 * 1024 / bytes;
    shard.insert(0, Iter::memory(3, stage));
    let mut layout = Layout::new(shard);
    if mode > 0 {
        let keeps = (16 / bytes).ilog2();
        layout.swizzle = Some(Swizzle::new(keeps, mode, 3, true).unwrap());
    }
    let shape: Vec<i64> = [3].into_iter().chain(extent.iter().copied()).collect();
    let mut operand = Operand::whole(Space::Shared, layout, &shape, 1024);
    operand.extent[0] = 1;
    operand.begin[0] = match tape.below(3) {
        0 => Begin::Const(0),
        1 => Begin::Const(2),
        _ => {
            values.shared.push(1);
            Begin::Dynamic { value: 0, divisor: 1, residue: 0 }
        }
    };
    operand
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn boxes_move_the_region(numbers in prop::collection::vec(any::<u32>(), 90)) {
        let mut tape = Tape { numbers, next: 0 };
        let Drawn { problem, values, target } = drawn(&mut tape);
        let request = problem.asynchronous.as_ref().unwrap().tensor_map.unwrap();
        if let Ok(copy) = plan(&problem, request, &target) {
            prop_assert_eq!(copy.verify(), Ok(()));
            let text = CopyPlan::TensorMap(copy.clone()).to_text().unwrap();
            prop_assert_eq!(CopyPlan::from_text(&text), Ok(CopyPlan::TensorMap(copy.clone())), "{}", text);
            if tma_model::engine::encodable(&copy, &values).is_ok() {
                let checked = check(&problem, &copy, &values);
                prop_assert!(checked.is_ok(), "{:?}\n{}\n{:#?}", checked, text, problem);
                prop_assert_eq!(execute(&copy, &values).err(), None, "{}\n{:#?}", text, problem);
            }
        }
    }
}

/// The kinds of plans that are drawn; each must be.
const KINDS: [&str; 17] = [
    "planned",
    "refused",
    "several boxes",
    "several maps",
    "swizzled",
    "rows narrower than the span",
    "wider elements",
    "clipped",
    "begin at run time",
    "extent at run time",
    "blocks of an extent at run time",
    "padded rows",
    "store",
    "reduction",
    "map of the region itself",
    "named rows",
    "four named rows at once",
];

/// The kinds of a plan.
fn kinds(problem: &Problem, copy: &TensorMapCopy) -> Vec<&'static str> {
    let parts = &copy.parts;
    let bytes = i64::from(copy.element_bits / 8);
    let dims = || parts.iter().flat_map(|part| &part.map.dims);
    let known = |extent: Extent| matches!(extent, Extent::Const(_));
    let padded = |part: &Part| {
        copy.form.is_store()
            && part.map.dims.iter().any(|dim| matches!(dim.extent, Extent::Const(extent) if extent < dim.boxed))
    };
    let declared = problem.operand(copy.form.global()).unwrap().layout.offset_on(Axis::Memory) * bytes;
    let is = [
        true,
        false,
        copy.instructions() > 1,
        parts.len() > 1,
        parts.iter().any(|part| part.map.swizzle.bits() > 0),
        parts.iter().any(|part| part.map.row_pitch() > part.map.inner_bytes() && part.map.dims.len() > 1),
        parts.iter().any(|part| part.map.element.bytes() > bytes),
        problem.asynchronous.as_ref().is_some_and(|asked| asked.tensor_map.is_some_and(|map| map.clips)),
        parts.iter().flat_map(|part| &part.at).any(|at| at.moving.is_some()),
        dims().any(|dim| !known(dim.extent)),
        dims().any(|dim| matches!(dim.extent, Extent::Blocks { .. })),
        parts.iter().any(padded),
        copy.form == MapForm::Store,
        matches!(copy.form, MapForm::Reduce(_)),
        parts.iter().any(|part| part.map.base != declared),
        copy.rows == 1,
        copy.rows == 4,
    ];
    KINDS.into_iter().zip(is).filter(|(_, is)| *is).map(|(kind, _)| kind).collect()
}

#[test]
fn every_kind_of_plan_is_drawn() {
    let mut state = 1_u64;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..4000 {
        let mut draw = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 16) as u32
        };
        let mut tape = Tape { numbers: (0..90).map(|_| draw()).collect(), next: 0 };
        let Drawn { problem, target, .. } = drawn(&mut tape);
        let request = problem.asynchronous.as_ref().unwrap().tensor_map.unwrap();
        match plan(&problem, request, &target) {
            Ok(copy) => kinds(&problem, &copy).into_iter().for_each(|kind| *counts.entry(kind).or_default() += 1),
            Err(refusal) => {
                *counts.entry("refused").or_default() += 1;
                *causes.entry(refusal.cause).or_default() += 1;
            }
        }
    }
    println!("{counts:#?}\n{causes:#?}");
    let missing: Vec<_> = KINDS.into_iter().filter(|kind| !counts.contains_key(kind)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}
