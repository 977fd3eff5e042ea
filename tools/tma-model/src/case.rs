//! Recorded copies through tensor maps, as problems. The file describes its fields at its top.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use tile_isa::{Scope, Space};
use tile_layout::{Axis, Iter, Layout, OPEN, Swizzle};
use tile_plan::problem::asynchronous::{Asynchronous, Completion, CtaMask};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::run_time::{Begin, RunTimeStride};
use tile_plan::problem::tensor_map::{MapRequest, OutOfBounds, Promotion};
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};
use tile_plan::target::Target;

use crate::recorded::{Recorded, Vars, evaluate, factor};

/// The alignment of shared storage, and of tensors, in the recorded programs.
const STORAGE_ALIGN: [(Space, i64); 2] = [(Space::Shared, 1024), (Space::Global, 32)];

/// A recorded copy.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Unique name.
    pub id: String,
    /// The chip.
    pub arch: String,
    /// Which of the other compiler's two planners was asked.
    pub forced_variant: Option<String>,
    scope: String,
    config: BTreeMap<String, Value>,
    src: Side,
    dst: Side,
    #[serde(default)]
    vars: BTreeMap<String, [i64; 2]>,
    #[serde(default)]
    samples: Vec<Vars>,
    /// The other compiler's decision.
    pub(crate) expect: Recorded,
}

/// One side of a copy.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Side {
    scope: String,
    dtype: String,
    shape: Vec<Value>,
    region: Vec<[Value; 2]>,
    layout: RawLayout,
    #[serde(default)]
    elem_offset: i64,
}

#[derive(Clone, Debug, Deserialize)]
struct RawLayout {
    shard: Vec<(Value, Value, String)>,
    replica: Vec<(Value, Value, String)>,
    offset: BTreeMap<String, i64>,
    swizzle: Option<RawSwizzle>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct RawSwizzle {
    per_element: u32,
    swizzle_len: u32,
    atom_len: u32,
    inner: bool,
}

#[derive(Deserialize)]
struct RawFile {
    cases: Vec<Value>,
}

/// Whether a case of a file is one of a copy through a tensor map: these are recorded without a block.
pub fn is_tensor_map(case: &Value) -> bool {
    case["op"] == "copy_async" && case.get("block_threads").is_none()
}

/// The copies through tensor maps of a file.
///
/// # Errors
/// A file that cannot be read, or a case whose fields are others.
pub fn read(path: &Path) -> Result<Vec<Case>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| failed(&error))?;
    let file: RawFile = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    let cases = file.cases.into_iter().filter(is_tensor_map);
    cases.map(|case| of(case).map_err(|error| failed(&error))).collect()
}

/// One case.
///
/// # Errors
/// Other fields.
pub fn of(case: Value) -> Result<Case, String> {
    serde_json::from_value(case).map_err(|error| error.to_string())
}

/// A case as a problem of this planner.
#[derive(Clone, Debug)]
pub struct Question {
    /// The copy.
    pub problem: Problem,
    /// What it requests of its tensor map.
    pub request: MapRequest,
    /// The chip.
    pub target: Target,
}

impl Case {
    /// The problem.
    ///
    /// # Errors
    /// A request that no op here can express.
    pub fn question(&self) -> Result<Question, String> {
        let target = Target::parse(&self.arch).map_err(|error| error.to_string())?;
        let element = element(&self.src.dtype)?;
        let scope = match self.scope.as_str() {
            "thread" => Scope::Thread,
            "warp" => Scope::Warp,
            "warpgroup" => Scope::Warpgroup,
            _ => Scope::Cta,
        };
        let (mut src, mut dst) = (self.src.operand(&element)?, self.dst.operand(&element)?);
        let is_store = self.dst.scope == "global";
        self.name_rows(if is_store { [&mut dst, &mut src] } else { [&mut src, &mut dst] })?;
        let mut problem = Problem::new(src, dst, element, Threads::all(scope, Some(128)));
        let (request, asynchronous) = self.requests(&problem.element)?;
        problem.asynchronous = Some(asynchronous);
        Ok(Question { problem, request, target })
    }

    fn requests(&self, element: &Element) -> Result<(MapRequest, Asynchronous), String> {
        let is_store = self.dst.scope == "global";
        let mut asked = Asynchronous::new(if is_store { Completion::Caller } else { Completion::Barrier });
        let mut request =
            MapRequest { promotion: Some(Promotion::B128), clips: self.leaves(), ..MapRequest::default() };
        for (key, value) in &self.config {
            let text = value.as_str().unwrap_or_default();
            match (key.as_str(), text) {
                ("mbar", _) | ("mbarrier_addr", _) if is_store => asked.completion = Completion::Barrier,
                // The choice among several maps of one shape is made at run time; the plan is the same.
                ("mbar" | "mbarrier_addr", _) => {}
                ("gather4", _) => request.rows = true,
                ("src_selector", _) => self.check_selector(value)?,
                ("tensormap_l2_promotion", _) => request.promotion = Some(promotion(value)?),
                ("cache_hint", "" | "evict_first" | "evict_last" | "evict_normal" | "policy") => {}
                ("oob", "zero") if !is_store => {}
                ("oob", "nan") => request.fill = OutOfBounds::Nan,
                ("tma_dtype", "tf32" | "tfloat32") => request.tf32 = true,
                ("use_tma_reduce", _) => asked.reduce = Some(reduction(text, element)),
                ("cta_group", _) => asked.cta_group = value.as_i64(),
                // 0 is the other compiler's word for none.
                ("cta_mask", _) => match value.as_i64() {
                    Some(0) => {}
                    Some(mask) if u16::try_from(mask).is_err() => {
                        return Err(format!("a cluster has 16 CTAs; got mask {mask}"));
                    }
                    // No case states its cluster: the largest, with all CTAs that a mask may name.
                    bits => {
                        let bits = bits.and_then(|bits| u16::try_from(bits).ok());
                        asked.cta_mask = Some(CtaMask { bits, cluster: Some(16) });
                    }
                },
                _ => return Err(format!("got {key} = {value}, which no op here has")),
            }
        }
        Ok((request, asked))
    }

    /// The numbers of the rows that the copy names.
    pub(crate) fn rows(&self) -> Vec<i64> {
        self.config.get("gather4").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_i64).collect()
    }

    /// Gives the tensor's region the rows that are named: the recorded one has one row, whichever.
    fn name_rows(&self, [tensor, tile]: [&mut Operand; 2]) -> Result<(), String> {
        let count = self.rows().len() as i64;
        let (Some(begin), Some(extent)) = (tensor.begin.first_mut(), tensor.extent.first_mut()) else {
            return Ok(());
        };
        if count == 0 {
            return Ok(());
        }
        (*begin, *extent) = (Begin::Const(0), count);
        if tensor.shape.len() != 2 || tile.extent.first() != Some(&count) {
            let (rank, rows) = (tensor.shape.len(), tile.extent.first().copied().unwrap_or(0));
            return Err(format!("got {count} row numbers, a tensor of rank {rank} and {rows} rows of a tile"));
        }
        Ok(())
    }

    /// Whether the region leaves the tensor, for any value of its variables that is recorded.
    fn leaves(&self) -> bool {
        let side = if self.src.scope == "global" { &self.src } else { &self.dst };
        let all = self.values();
        side.region.iter().zip(&side.shape).any(|([begin, extent], shape)| {
            all.iter().any(|vars| {
                let [begin, extent, shape] = [begin, extent, shape].map(|value| evaluate(value, vars).unwrap_or(0));
                begin < 0 || begin + extent > shape
            })
        })
    }

    /// The selected tensors must have the rank of the first.
    fn check_selector(&self, value: &Value) -> Result<(), String> {
        let rank = self.src.shape.len();
        let ranks = value.as_array().into_iter().flatten().filter_map(|pair| pair[1]["shape"].as_array().map(Vec::len));
        match ranks.into_iter().find(|&other| other != rank) {
            Some(other) => Err(format!("a selected tensor has rank {other}, the first {rank}")),
            None if self.forced_variant.as_deref() == Some("tma_auto") => {
                Err("got src_selector, which no op here has".to_owned())
            }
            None => Ok(()),
        }
    }

    /// Values of the variables for which the case is checked: those that were recorded, or the ends of their ranges.
    pub(crate) fn values(&self) -> Vec<Vars> {
        if !self.samples.is_empty() {
            return self.samples.clone();
        }
        let end = |last: bool| {
            self.vars.iter().map(move |(name, &[low, high])| (name.clone(), if last { high - 1 } else { low }))
        };
        if self.vars.is_empty() { vec![Vars::new()] } else { vec![end(false).collect(), end(true).collect()] }
    }

    /// The side in global memory, and the other one.
    pub(crate) fn sides(&self) -> [&Side; 2] {
        if self.src.scope == "global" { [&self.src, &self.dst] } else { [&self.dst, &self.src] }
    }
}

fn promotion(value: &Value) -> Result<Promotion, String> {
    match (value.as_str(), value.as_i64()) {
        (Some("L2::none"), _) | (_, Some(0)) => Ok(Promotion::None),
        (Some("L2::64B"), _) | (_, Some(1)) => Ok(Promotion::B64),
        (Some("L2::128B"), _) | (_, Some(2)) => Ok(Promotion::B128),
        (Some("L2::256B"), _) | (_, Some(3)) => Ok(Promotion::B256),
        _ => Err(format!("got tensormap_l2_promotion = {value}, which no op here has")),
    }
}

/// The word of a reduction here, where `min` and `max` of integers are signed.
fn reduction(word: &str, element: &Element) -> String {
    let unsigned = element.name.starts_with("ui") && matches!(word, "min" | "max");
    if unsigned { format!("u{word}") } else { word.to_owned() }
}

fn element(dtype: &str) -> Result<Element, String> {
    let bits = |bits: u32, name: &str| Ok(Element::new(bits, name));
    match dtype {
        "float16" => bits(16, "f16"),
        "bfloat16" => bits(16, "bf16"),
        "float32" => bits(32, "f32"),
        "float64" => bits(64, "f64"),
        "bool" => bits(8, "i1"),
        "float4_e2m1fn" => bits(4, dtype),
        _ if dtype.starts_with("float8") => bits(8, dtype),
        _ => match (dtype.strip_prefix("uint"), dtype.strip_prefix("int")) {
            (Some(width), _) => bits(width.parse().unwrap_or(0), &format!("ui{width}")),
            (_, Some(width)) => bits(width.parse().unwrap_or(0), &format!("si{width}")),
            _ => Err(format!("got elements of type {dtype}")),
        },
    }
}

impl Side {
    fn space(&self) -> Space {
        if self.scope == "global" { Space::Global } else { Space::Shared }
    }

    fn operand(&self, element: &Element) -> Result<Operand, String> {
        let mut values = 0;
        let mut begin = Vec::new();
        let mut extent = Vec::new();
        for [start, count] in &self.region {
            extent.push(count.as_i64().ok_or_else(|| format!("the region has {count} elements, which is not known"))?);
            begin.push(match start.as_i64() {
                Some(start) => Begin::Const(start),
                None => {
                    values += 1;
                    Begin::Dynamic { value: values - 1, divisor: factor(start), residue: 0 }
                }
            });
        }
        let (layout, strides) = self.layout.layout(values)?;
        let shape: Vec<i64> = self.shape.iter().map(|extent| extent.as_i64().unwrap_or(OPEN)).collect();
        let offset = self.elem_offset * i64::from(element.bits) / 8;
        let most = STORAGE_ALIGN.iter().find(|(space, _)| *space == self.space()).map_or(1, |(_, align)| *align);
        let align_bytes = if offset == 0 { most } else { most.min(1 << offset.trailing_zeros()) };
        Ok(Operand { begin, extent, strides, ..Operand::whole(self.space(), layout, &shape, align_bytes) })
    }

    /// The run-time values of the operand: the begins, then the strides.
    pub(crate) fn values(&self, vars: &Vars) -> Vec<i64> {
        let begins = self.region.iter().map(|[begin, _]| begin);
        let strides = self.layout.shard.iter().map(|(_, stride, _)| stride);
        let unknown = begins.chain(strides).filter(|value| !value.is_number());
        unknown.map(|value| evaluate(value, vars).unwrap_or(0)).collect()
    }

    pub(crate) fn extents(&self, vars: &Vars) -> Vec<i64> {
        self.shape.iter().map(|extent| evaluate(extent, vars).unwrap_or(0)).collect()
    }

    /// The run-time strides.
    pub(crate) fn strides(&self, vars: &Vars) -> Vec<i64> {
        let strides = self.layout.shard.iter().map(|(_, stride, _)| stride).filter(|value| !value.is_number());
        strides.map(|value| evaluate(value, vars).unwrap_or(0)).collect()
    }

    pub(crate) fn elem_offset(&self) -> i64 {
        self.elem_offset
    }
}

impl RawLayout {
    /// The layout, and its run-time strides, which are numbered after `values` other values.
    fn layout(&self, values: usize) -> Result<(Layout, Vec<RunTimeStride>), String> {
        let mut strides = Vec::new();
        let mut iter = |(extent, stride, axis): &(Value, Value, String)| {
            let axis = axis.parse::<Axis>().map_err(|error| error.to_string())?;
            let extent = extent.as_i64().unwrap_or(OPEN);
            if let Some(stride) = stride.as_i64() {
                return Ok::<Iter, String>(Iter::new(extent, stride, axis));
            }
            let axis = *Axis::STRIDES.get(strides.len()).ok_or("has more run-time strides than there are axes")?;
            strides.push(RunTimeStride { value: values + strides.len(), divisor: factor(stride) });
            Ok(Iter::new(extent, 1, axis))
        };
        let shard = self.shard.iter().map(&mut iter).collect::<Result<Vec<_>, _>>()?;
        let replica = self.replica.iter().map(&mut iter).collect::<Result<Vec<_>, _>>()?;
        let mut layout = Layout::new(shard).with_replica(replica);
        for (axis, &offset) in &self.offset {
            layout =
                layout.with_offset(axis.parse().map_err(|error: tile_layout::LayoutError| error.to_string())?, offset);
        }
        if let Some(RawSwizzle { per_element, swizzle_len, atom_len, inner }) = self.swizzle {
            let swizzle = Swizzle::new(per_element, swizzle_len, atom_len, inner).map_err(|error| error.to_string())?;
            layout = layout.with_swizzle(swizzle);
        }
        Ok((layout, strides))
    }
}

impl Case {
    /// What makes it a copy that is not planned here; `None` of others.
    pub fn other_form(&self) -> Option<String> {
        if !self.forced_variant.as_ref().is_some_and(|name| name.starts_with("tma_")) {
            return Some("a choice among variants; no tensor map is requested".to_owned());
        }
        let (from, to) = (&self.src.dtype, &self.dst.dtype);
        (from != to).then(|| format!("bits of {from} as {to}; a copy between types converts here"))
    }
}
