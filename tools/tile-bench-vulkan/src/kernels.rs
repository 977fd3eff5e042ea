//! The programs that are measured.

use std::rc::Rc;

use anyhow::{Result, anyhow};
use tile_plan::scan::{self, Hooks, Plan, Problem, Requests, Tile, select};
use tile_plan::target::Target;
use tile_portable::{Beginning, Binary, Operator, PortableElement, PortableProgram, Scalar, Scan, copy, program};
use tile_run::vulkan::{self, Gpu, Module};

/// Kernels that are launched one after the other.
pub struct Kernels {
    /// The program, from the planner's plan.
    pub program: PortableProgram,
    /// A block's tile.
    pub tile: Tile,
}

/// Requests for the one-pass strategy.
pub fn fallback() -> Requests {
    Requests { strategy: Some("decoupled_fallback".to_owned()), ..Requests::default() }
}

/// Requests for the strategy of three kernels, with the same tiles.
pub fn passes(requests: &Requests) -> Requests {
    let Requests { threads, items, .. } = *requests;
    Requests { strategy: Some("reduce_then_scan".to_owned()), threads, items, ..Requests::default() }
}

impl Kernels {
    /// Kernels for inclusive sums of an element type: i32, f32, i64 or f64.
    pub fn scan(element: &str, target: Target, requests: Requests, hooks: Hooks) -> Result<Self> {
        let scalar = Scalar::named(element).ok_or_else(|| anyhow!("no element type is called {element}"))?;
        let of_plan = scan::ScannedElement { bits: scalar.bits(), lanes: 1, float: scalar.is_float() };
        let problem = Problem { requests, hooks, ..Problem::new(of_plan, 256) };
        let (plan, ..) = select(&problem, &target).map_err(|error| anyhow!(error))?;
        let tile = match &plan {
            Plan::Decoupled(plan) => plan.tile(),
            Plan::Passes(plan) => plan.tile,
            Plan::Serial => return Err(anyhow!("the serial strategy is not measured")),
        };
        let operator = Operator::by_lane(PortableElement { scalar, lanes: 1 }, Binary::Add);
        let name = "sums".to_owned();
        let scan = Scan { name, plan: &plan, operator, exclusive: false, beginning: Beginning::Nothing };
        Ok(Kernels { program: program(&scan, target)?, tile })
    }

    /// A copy with the same threads, each moving the same number of vectors.
    pub fn copy(tile: Tile, target: Target) -> Result<Self> {
        Ok(Kernels { program: copy(&tile, target)?, tile })
    }

    /// The kernels, loaded on a device.
    pub fn on(&self, gpu: &mut Gpu) -> Result<Rc<vulkan::Program>> {
        let bytes: Vec<u8> = self.program.spirv()?.iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(gpu.program(&Module::read(&bytes)?)?)
    }

    /// The numbers of blocks in x and y for `elements` elements; x stays within the limit of every device.
    pub fn blocks(&self, elements: usize) -> [u32; 2] {
        let count = |tile: i64| elements.div_ceil(tile.max(1) as usize);
        let tiles = self.program.kernels.iter().filter_map(|kernel| kernel.elements).map(count).max().unwrap_or(1);
        let rows = tiles.div_ceil(MAX_BLOCKS);
        [tiles.min(MAX_BLOCKS) as u32, rows as u32]
    }
}

const MAX_BLOCKS: usize = 1 << 15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_a_block_for_each_tile() {
        let target = Target::portable("vulkan1.2").unwrap();
        let kernels = Kernels::scan("i32", target, fallback(), Hooks::default()).unwrap();
        let tile = kernels.tile.elements() as usize;
        assert_eq!(kernels.blocks(1), [1, 1]);
        assert_eq!(kernels.blocks(3 * tile + 1), [4, 1]);
        assert_eq!(kernels.blocks(tile << 16), [1 << 15, 2]);
        let passes = Kernels::scan("i32", target, passes(&fallback()), Hooks::default()).unwrap();
        assert_eq!((passes.program.kernels.len(), passes.tile), (3, kernels.tile));
        assert_eq!(Kernels::copy(kernels.tile, target).unwrap().blocks(tile / 4), [1, 1]);
    }
}
