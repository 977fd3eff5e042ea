//! The scans that are measured, as MLIR, and the launch configuration of each.

use tile_plan::scan::{Plan, Problem, Requests, ScanShape, ScannedElement, select};
use tile_plan::target::Target;

/// A scan of one array into another.
#[derive(Debug, Clone, Copy)]
pub struct Scan {
    /// Its name, which is also the name of its file.
    pub name: &'static str,
    /// Element type: i32, f32, i64 or f64.
    pub element: &'static str,
    /// Whether each result excludes its own element.
    pub exclusive: bool,
    /// Whether a region that adds replaces the built-in operator.
    pub custom: bool,
    /// Attributes: names and values, in MLIR's syntax.
    pub options: &'static [(&'static str, &'static str)],
}

const fn scan(name: &'static str, element: &'static str, exclusive: bool) -> Scan {
    Scan { name, element, exclusive, custom: false, options: &[] }
}

/// All of them, in the order in which they are measured.
pub const ALL: &[Scan] = &[
    scan("scan_i32", "i32", false),
    scan("scan_i32_exclusive", "i32", true),
    Scan { custom: true, ..scan("scan_i32_custom", "i32", false) },
    Scan { options: &[("strategy", "\"decoupled_lookback\"")], ..scan("scan_i32_lookback", "i32", false) },
    Scan { options: &[("shape", "\"register\"")], ..scan("scan_i32_register", "i32", false) },
    scan("scan_f32", "f32", false),
    scan("scan_f32_exclusive", "f32", true),
    Scan { options: &[("deterministic", "unit")], ..scan("scan_f32_deterministic", "f32", false) },
    scan("scan_i64", "i64", false),
    scan("scan_i64_exclusive", "i64", true),
    scan("scan_f64", "f64", false),
    scan("scan_f64_exclusive", "f64", true),
];

/// A launch configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Blocks.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Bytes of dynamic shared memory.
    pub shared: u32,
}

impl Scan {
    /// Bytes of an element.
    pub fn bytes(&self) -> usize {
        if self.element.ends_with("64") { 8 } else { 4 }
    }

    /// The text of the module.
    pub fn source(&self, chip: &str) -> String {
        let Scan { element, .. } = self;
        let mode = if self.exclusive { "exclusive" } else { "inclusive" };
        let attributes: Vec<_> = self.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let add = if element.starts_with('i') { "arith.addi" } else { "arith.addf" };
        let (kind, region) = match self.custom {
            false => ("add", String::new()),
            true => (
                "custom",
                format!(
                    " combine {{\n  ^bb0(%l: {element}, %r: {element}):\n    %s = {add} %l, %r : {element}\n    \
                     tile.yield %s : {element}\n  }}"
                ),
            ),
        };
        format!(
            "gpu.module @kernels [#nvvm.target<chip = \"{chip}\">] {{}}\n\
             func.func @host(%x: memref<?x{element}>, %y: memref<?x{element}>, %w: memref<?xi8>, %e: i32) {{\n  \
             tile.scan @kernels::@{name} {mode} {kind} %x to %y workspace(%w) epoch(%e) {{{attributes}}}\n    \
             : memref<?x{element}> to memref<?x{element}>, memref<?xi8>{region}\n  return\n}}\n",
            name = self.name,
            attributes = attributes.join(", "),
        )
    }

    /// The plan that the compiler makes for it.
    pub fn plan(&self, target: &Target) -> Option<Plan> {
        let request = |name: &str| {
            let stated = self.options.iter().find(|(option, _)| *option == name);
            stated.map(|(_, value)| value.trim_matches('"').to_owned())
        };
        let number = |name: &str| request(name).and_then(|value| value.parse().ok());
        let requests = Requests {
            strategy: request("strategy"),
            shape: request("shape"),
            threads: number("threads"),
            items: number("items"),
            stages: number("stages"),
            order: request("order"),
            max_spin: number("max_spin"),
            deterministic: request("deterministic").is_some(),
        };
        let element = ScannedElement { bits: 8 * self.bytes() as u32, lanes: 1, float: self.element.starts_with('f') };
        let problem = Problem { requests, ..Problem::new(element, 256) };
        select(&problem, target).ok().map(|(plan, ..)| plan)
    }

    /// The launch configuration for `n` elements on a GPU with `sm_count` SMs; `None` for a scan of several
    /// kernels.
    pub fn start(&self, target: &Target, n: usize, sm_count: u32) -> Option<Start> {
        let Plan::Decoupled(plan) = self.plan(target)? else { return None };
        let tiles = u32::try_from(n.div_ceil(usize::try_from(plan.tile().elements()).ok()?)).ok()?;
        Some(match plan.shape {
            ScanShape::Register { tile, .. } => Start { blocks: tiles, threads: tile.threads as u32, shared: 0 },
            ScanShape::Ring(ring) => Start {
                blocks: ring.grid(i64::from(tiles)).min(i64::from(sm_count)) as u32,
                threads: ring.threads() as u32,
                shared: ring.ring_bytes() as u32,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scan_is_one_kernel() {
        let target = Target::parse("sm_90a").unwrap();
        for scan in ALL {
            let start = scan.start(&target, 1 << 24, 132).unwrap_or_else(|| panic!("{}", scan.name));
            assert!(start.blocks >= 128 && start.threads >= 128, "{start:?}");
        }
    }

    #[test]
    fn names_are_those_of_the_kernels() {
        for scan in ALL {
            assert!(scan.source("sm_90a").contains(&format!("@kernels::@{} ", scan.name)));
        }
    }
}
