//! Writes the kernels and launches of a plan.

use melior::ir::OperationRef;
use tile_dialect::ops::ScanOp;
use tile_isa::WARP;
use tile_ops::llvm_type::Space;
use tile_ops::{Builder, constant, llvm};
use tile_plan::scan::ring::SumRooms;
use tile_plan::scan::{Plan, ScanShape, Tile};
use tile_plan::target::Target;

use super::host::{Arguments, Grid, Launch};
use super::kernel::{ChainArguments, ScanKernel, ScannedArray, TileChain};
use super::module::{self, Signature};
use super::operator::Operator;
use super::register::{self, RegisterKernel};
use super::{passes, read, ring, serial};
use crate::emit::{Kit, Val};

/// Threads of the serial kernel's block: one warp, of which only one thread works.
pub(super) const SERIAL_THREADS: i64 = WARP;

/// The block of a kernel.
#[derive(Clone, Copy)]
struct Block {
    threads: i64,
    /// The number of blocks that should be resident on an SM.
    resident: i64,
    /// Bytes of static shared memory.
    shared: i64,
    /// Bytes of dynamic shared memory.
    dynamic_shared: i64,
}

impl Block {
    /// A block that holds a tile in registers.
    fn of(tile: &Tile, element_bytes: i64, shared: i64) -> Self {
        Block { threads: tile.threads, resident: tile.resident(element_bytes), shared, dynamic_shared: 0 }
    }
}

/// Writes one of several kernels that share a tile.
type Body<'c, 'a> = fn(Kit<'c, 'a>, &ScanKernel<'c, 'a>, &Tile);

/// A scan that is being lowered.
pub struct Lowering<'c, 'a> {
    /// Makes ops in place of the scan.
    pub builder: Builder<'c, 'a>,
    /// The scan.
    pub op: ScanOp<'c, 'a>,
    /// The alignment of the arrays, in bytes.
    pub alignment: i64,
    /// The chip.
    pub target: Target,
}

impl<'c: 'a, 'a> Lowering<'c, 'a> {
    /// Writes kernels into the module that the op names, and launches in place of the op.
    ///
    /// # Errors
    /// A module that cannot hold the kernel, or a name that is taken.
    pub fn run(&self, plan: &Plan) -> Result<(), String> {
        let module = module::find_or_make(self.builder, self.op.0, &self.target)?;
        let (_, name) = self.op.kernel().ok_or("names no kernel")?;
        let (reduce, prefix) = (format!("{name}_reduce"), format!("{name}_prefix"));
        let kit = Kit::new(self.builder);
        let arguments = Arguments::of_scan(kit, self.op)?;
        let launches = match plan {
            Plan::Serial => {
                let block = Block { threads: SERIAL_THREADS, resident: 1, shared: 0, dynamic_shared: 0 };
                self.kernel(module, &arguments, &name, block, serial::body)?;
                vec![launch(&name, Grid::Fixed(1), SERIAL_THREADS)]
            }
            Plan::Decoupled(plan) => match &plan.shape {
                ScanShape::Register { tile, order } => {
                    let bytes = self.element_bytes();
                    let block = Block::of(tile, bytes, register::shared_bytes(tile, bytes));
                    self.kernel(module, &arguments, &name, block, |kit, kernel| {
                        let work = register::ScanWork { kernel, tile };
                        let exchange = &plan.exchange;
                        RegisterKernel {
                            chain: &kernel.chain,
                            exchange,
                            tile,
                            order: *order,
                            is_persistent: false,
                            work: &work,
                        }
                        .body(kit);
                    })?;
                    vec![launch(&name, Grid::PerElements(tile.elements()), tile.threads)]
                }
                ScanShape::Ring(ring) => {
                    let dynamic = format!("__{name}_ring");
                    // The ring occupies all of an SM's shared memory.
                    let (shared, dynamic_shared) = (SumRooms::of_ring(ring).bytes, ring.ring_bytes());
                    let block = Block { threads: ring.threads(), resident: 1, shared, dynamic_shared };
                    self.kernel(module, &arguments, &name, block, |kit, kernel| {
                        let stages = module::shared(kit, module, &dynamic, 0);
                        ring::body(kit, (kernel.chain, kernel), (&plan.exchange, ring), stages);
                    })?;
                    let grid = Grid::Rounds(ring.tile.elements(), ring.blocks);
                    vec![Launch { name: &name, grid, threads: ring.threads(), dynamic_shared }]
                }
            },
            Plan::Passes(plan) => {
                let tiles = Grid::PerElements(plan.tile.elements());
                let kernels: [(&str, Body<'c, 'a>, Grid); 3] = [
                    (&reduce, passes::reduce, tiles),
                    (&prefix, passes::prefix, Grid::Fixed(1)),
                    (&name, passes::apply, tiles),
                ];
                let room = passes::shared_bytes(&plan.tile, plan.element_bytes);
                let many = Block::of(&plan.tile, plan.element_bytes, room);
                for (name, body, grid) in kernels {
                    let block = if grid == tiles { many } else { Block { resident: 1, ..many } };
                    self.kernel(module, &arguments, name, block, |kit, kernel| {
                        body(kit, kernel, &plan.tile);
                    })?;
                }
                kernels.map(|(name, _, grid)| launch(name, grid, plan.tile.threads)).to_vec()
            }
        };
        let (module, _) = self.op.kernel().ok_or("names no kernel")?;
        arguments.launch(kit, &module, &launches);
        Ok(())
    }

    /// Writes one kernel.
    fn kernel(
        &self,
        module: OperationRef<'c, 'a>,
        arguments: &Arguments<'c, 'a>,
        name: &str,
        block: Block,
        body: impl FnOnce(Kit<'c, 'a>, &ScanKernel<'c, 'a>),
    ) -> Result<(), String> {
        let operator = Operator::new(self.op).ok_or("scans elements that are no numbers")?;
        let parameters = arguments.types();
        let Block { threads, resident, dynamic_shared, .. } = block;
        let signature = Signature { name, parameters: &parameters, read_only: 1, threads, resident, dynamic_shared };
        module::kernel(self.builder, module, &signature, |kit, values| {
            let room = match block.shared {
                0 => llvm::mlir_zero(kit.builder, kit.pointer(Space::Shared)).value(),
                bytes => module::shared(kit, module, &format!("__{name}_shared"), bytes),
            };
            let kernel = self.parts(kit, operator, values, room);
            body(kit, &kernel);
        })
    }

    fn parts(
        &self,
        kit: Kit<'c, 'a>,
        operator: Operator<'c, 'a>,
        values: &[Val<'c, 'a>],
        shared: Val<'c, 'a>,
    ) -> ScanKernel<'c, 'a> {
        let (element, alignment) = (operator.element, self.alignment);
        let bytes = element.bytes();
        let array = |memref, lowest| match read::is_backwards(memref) {
            false => ScannedArray { first: lowest, step: bytes, element, alignment },
            true => {
                let last = kit.times(kit.plus(values[3], -1), bytes);
                ScannedArray { first: kit.at(lowest, last), step: -bytes, element, alignment }
            }
        };
        let first =
            values.get(5).copied().or_else(|| self.op.is_exclusive().then(|| self.identity(kit, operator)).flatten());
        ScanKernel {
            chain: TileChain::new(
                kit,
                operator,
                first,
                ChainArguments { workspace: values[2], n: values[3], epoch: values[4], shared },
            ),
            source: array(self.op.source(), values[0]),
            dest: array(self.op.dest(), values[1]),
            exclusive: self.op.is_exclusive(),
        }
    }

    fn element_bytes(&self) -> i64 {
        self.op.element().map_or(16, |element| i64::from(element.bits() / 8))
    }

    fn identity(&self, kit: Kit<'c, 'a>, operator: Operator<'c, 'a>) -> Option<Val<'c, 'a>> {
        let Some(identity) = self.op.identity() else { return operator.identity(kit) };
        Some(constant::typed(kit.builder, identity))
    }
}

fn launch(name: &str, grid: Grid, threads: i64) -> Launch<'_> {
    Launch { name, grid, threads, dynamic_shared: 0 }
}
