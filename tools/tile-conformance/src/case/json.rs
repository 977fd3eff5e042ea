//! The format of a case in JSON, and its conversion.
//!
//! Names and numbers that do not form a case are errors here. Invalid layouts and regions are not: the compiler must
//! refuse them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use tile_isa::Space;
use tile_layout::{Iter, Layout, Range, Swizzle};

use super::issue::{check_tensor_memory, issue, may_be_done_at_once};
use super::names::{active, axis, block, guard, option, scope, space};
use super::{Case, Element, Expect, Sample, Side, Tiles, Wanted};

/// The most elements of a region, which the evaluator moves one by one.
const MAX_ELEMENTS: i64 = 1 << 20;

/// The most registers of a thread, which a kernel loads and stores one by one.
const MAX_REGISTERS: i64 = 4096;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCase {
    id: String,
    op: String,
    scope: String,
    threads: i64,
    block_threads: i64,
    arch: String,
    active: BTreeMap<String, [i64; 2]>,
    forced_variant: Option<String>,
    config: BTreeMap<String, Value>,
    src: RawSide,
    dst: RawSide,
    expect: Option<RawExpect>,
    reference_outcome: Option<Value>,
    #[serde(rename = "wrong_because")]
    _wrong_because: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSide {
    scope: String,
    dtype: String,
    shape: Vec<i64>,
    region: Vec<[i64; 2]>,
    layout: RawLayout,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLayout {
    shard: Vec<(i64, i64, String)>,
    replica: Vec<(i64, i64, String)>,
    offset: BTreeMap<String, i64>,
    swizzle: Option<RawSwizzle>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSwizzle {
    per_element: u32,
    swizzle_len: u32,
    atom_len: u32,
    inner: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExpect {
    variant: Option<String>,
    rejected: Option<bool>,
    rounds: Option<i64>,
    vec_bits: Option<i64>,
    vec_elems: Option<i64>,
    sample_round_thread_goff_soff: Option<Vec<[i64; 4]>>,
    guard: Option<Vec<String>>,
    ptx: Option<BTreeMap<String, i64>>,
    plan: Option<Tiles>,
}

impl RawCase {
    /// The case, or the error, as got and expected values.
    pub(super) fn check(self) -> Result<Case, String> {
        let (issue, options) = match self.op.as_str() {
            "copy_async" => issue(&self.config).map(|(issue, options)| (Some(issue), options))?,
            _ => (None, self.config.iter().map(|(name, value)| option(name, value)).collect::<Result<_, _>>()?),
        };
        let mut case = Case {
            scope: scope(&self.scope)?,
            block: block(self.block_threads)?,
            active: self.active.iter().map(|(name, part)| active(name, *part)).collect::<Result<_, _>>()?,
            issue,
            options,
            src: self.src.check().map_err(|error| format!("src: {error}"))?,
            dst: self.dst.check().map_err(|error| format!("dst: {error}"))?,
            wording: super::Wording::default(),
            wanted: wanted(self.expect, self.reference_outcome)?,
            enclosing: Vec::new(),
            id: self.id,
            chip: self.arch,
            forced: self.forced_variant,
        };
        check_threads(&case, self.threads)?;
        check_tensor_memory(&case)?;
        let at_once = case.issue.is_some_and(|issue| may_be_done_at_once(issue, &case.options, [&case.src, &case.dst]));
        let converts = case.kinds().is_some_and(|(from, to)| from.converts_to(to));
        if (at_once || converts) && matches!(&case.wanted, Wanted::Same(expect) if expect.variant.is_none()) {
            case.wanted = Wanted::Right;
        }
        Ok(case)
    }
}

impl RawSide {
    fn check(self) -> Result<Side, String> {
        let side = Side {
            space: space(&self.scope)?,
            element: Element::parse(&self.dtype)?,
            shape: self.shape,
            region: self.region.iter().map(|&[begin, extent]| Range::new(begin, extent)).collect(),
            begins: Vec::new(),
            open: Vec::new(),
            layout: self.layout.check()?,
        };
        let registers = side.layout.memory_span();
        if side.elements() > MAX_ELEMENTS {
            return Err(format!("got a region of {} elements, expected at most {MAX_ELEMENTS}", side.elements()));
        }
        if side.space == Space::Local && registers > MAX_REGISTERS {
            return Err(format!("got {registers} registers per thread, expected at most {MAX_REGISTERS}"));
        }
        Ok(side)
    }
}

impl RawLayout {
    fn check(self) -> Result<Layout, String> {
        let iters = |iters: Vec<(i64, i64, String)>| -> Result<Vec<Iter>, String> {
            iters.into_iter().map(|(extent, stride, name)| Ok(Iter::new(extent, stride, axis(&name)?))).collect()
        };
        let mut layout = Layout::new(iters(self.shard)?).with_replica(iters(self.replica)?);
        for (name, value) in self.offset {
            layout.offset.insert(axis(&name)?, value);
        }
        layout.swizzle = self.swizzle.map(|swizzle| Swizzle {
            per_element: swizzle.per_element,
            len: swizzle.swizzle_len,
            atom_len: swizzle.atom_len,
            inner: swizzle.inner,
        });
        Ok(layout)
    }
}

impl RawExpect {
    fn check(self) -> Result<Expect, String> {
        let refused = self.rejected.unwrap_or(self.variant.is_none());
        if refused != self.variant.is_none() {
            return Err(format!("expect: got variant {:?} and rejected {refused}, expected one of both", self.variant));
        }
        let samples = self.sample_round_thread_goff_soff.unwrap_or_default();
        let guards = self.guard.map(|all| all.iter().map(|text| guard(text)).collect::<Result<Vec<i64>, _>>());
        Ok(Expect {
            variant: self.variant,
            rounds: self.rounds,
            vec_bits: self.vec_bits,
            vec_elems: self.vec_elems,
            samples: samples
                .into_iter()
                .map(|[round, thread, global, shared]| Sample { round, thread, global, shared })
                .collect(),
            guards: guards.transpose()?,
            ptx: self.ptx.unwrap_or_default().into_iter().collect(),
            tiles: self.plan,
        })
    }
}

fn wanted(expect: Option<RawExpect>, reference: Option<Value>) -> Result<Wanted, String> {
    match (expect, reference) {
        (Some(expect), None) => Ok(Wanted::Same(Box::new(expect.check()?))),
        (None, Some(_)) => Ok(Wanted::Right),
        (None, None) => Err("got neither 'expect' nor 'reference_outcome', expected one of them".to_owned()),
        (Some(_), Some(_)) => Err("got both 'expect' and 'reference_outcome', expected one of them".to_owned()),
    }
}

/// Checks that `threads` and `active` agree, because they state the same number twice.
fn check_threads(case: &Case, threads: i64) -> Result<(), String> {
    let active: i64 = case.active.iter().map(|(_, range)| range.extent).product();
    if active == threads {
        return Ok(());
    }
    Err(format!("got threads {threads}, expected the {active} that 'active' lists"))
}
