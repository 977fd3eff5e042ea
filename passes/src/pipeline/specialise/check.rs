//! Whether a loop can have a producer, and what is in each role.

use std::fmt;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockRef, OperationRef, RegionLike, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Parts, defining_op, is_inside};
use tile_dialect::memref::bit_width;
use tile_dialect::ops::CopyOp;
use tile_dialect::{BufferType, PRODUCER, STAGES, Space};
use tile_isa::{Scope, WARPGROUP};
use tile_layout::Axis;
use tile_ops::{gpu, nvvm, tile};
use tile_plan::pipeline::{self, MAX_CONSUMERS, PipelineRequest, StageRelease};

use super::super::{Loop, slice};
use super::{Division, RoleStage, split};
use crate::effects::{Participants, known_effects, mbarriers};
use crate::read::divisibility::block;
use crate::read::root::root;
use crate::read::values::key;
use crate::read::{kernel, name};
use crate::sync::kernel::SyncKernel;
use crate::walk;

/// Why a loop has no producer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProducerRefusal {
    /// The loop is not directly in the body of a kernel.
    Nested,
    /// Another loop of the kernel has stages.
    AnotherLoop,
    /// The kernel asks for the size of its blocks, which will be larger.
    BlockSize,
    /// The kernel has an operation that all threads of the block execute together, the producer's too.
    BlockWide,
    /// The threads of the kernel are not one to [`MAX_CONSUMERS`] warpgroups along x, all of which come to the loop.
    Consumers {
        /// The threads that come to it.
        threads: i64,
    },
    /// A copy is one of `cp.async`.
    ByGroups,
    /// A copy is not of scope `cta`.
    CopyScope,
    /// A tile is copied to, but not read.
    Unread,
    /// The producer would need what the consumers compute.
    Needs,
    /// The tiles that consumers keep through the loop take more registers than they have.
    Registers {
        /// The registers of the tiles.
        needed: i64,
        /// Those that there are for tiles.
        most: i64,
    },
}

impl fmt::Display for ProducerRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nested => write!(f, "is in another operation; expected the loop in the body of a kernel"),
            Self::AnotherLoop => write!(f, "another loop of the kernel has {STAGES} too; expected one"),
            Self::BlockSize => write!(f, "the kernel reads the size of its blocks, which grows; expected a constant"),
            Self::BlockWide => {
                write!(
                    f,
                    "all threads of the block execute an operation together; expected none but {}",
                    gpu::BarrierOp::NAME
                )
            }
            Self::Consumers { threads } => write!(
                f,
                "{threads} threads come to it; expected all of a block of 1 to {MAX_CONSUMERS} warpgroups along x"
            ),
            Self::ByGroups => {
                write!(
                    f,
                    "a copy is by cp.async, whose threads wait for it; expected copies that an mbarrier completes"
                )
            }
            Self::CopyScope => write!(f, "a copy is not of scope cta; expected copies of the whole block"),
            Self::Unread => write!(f, "a tile is copied to, but not read in the loop; expected a reader"),
            Self::Needs => {
                write!(f, "the producer would need what the consumers compute; expected a function of arguments")
            }
            Self::Registers { needed, most } => write!(
                f,
                "tiles that are kept through the loop take {needed} registers of a thread; expected at most {most}"
            ),
        }
    }
}

/// A refusal, and the operation that stops the loop from being divided.
type Refused<'c, 'a> = (ProducerRefusal, OperationRef<'c, 'a>);

/// How a loop is divided into roles.
///
/// # Errors
/// Why it is not, and the operation that stops it.
pub fn check<'c: 'a, 'a>(
    read: &SyncKernel<'_, 'c, 'a>,
    pipelined: &Loop<'c, 'a>,
    request: &PipelineRequest,
) -> Result<Division<'c, 'a>, Refused<'c, 'a>> {
    let function = surroundings(pipelined)?;
    let threads = pipelined.reached.looping.len();
    let warpgroups = threads / WARPGROUP;
    let is_row = matches!(block::size(function), Ok(Some([width, 1, 1])) if width == threads);
    if !is_row
        || threads % WARPGROUP != 0
        || warpgroups > MAX_CONSUMERS
        || pipelined.reached.looping != pipelined.reached.block
    {
        return Err((ProducerRefusal::Consumers { threads }, function));
    }
    for &copy in &pipelined.copies {
        match CopyOp(copy) {
            copied if !mbarriers::is_completed_by_mbarrier(copied) => return Err((ProducerRefusal::ByGroups, copy)),
            copied if copied.scope() != Scope::Cta => return Err((ProducerRefusal::CopyScope, copy)),
            _ => {}
        }
    }
    needs_nothing(pipelined, function)?;
    let (needed, most) = (kept_registers(pipelined), pipeline::tile_registers(warpgroups));
    if needed > most {
        return Err((ProducerRefusal::Registers { needed, most }, pipelined.op));
    }
    let uses = pipeline::stage_uses(read.program(), request)
        .map_err(|copy| (ProducerRefusal::Unread, read.ops()[copy]))?
        .into_iter()
        .map(|stage| {
            let of_loop = |copy: &usize| request.copies.iter().position(|other| other == copy);
            let in_body = |op: usize| in_body(read.ops()[op], pipelined.body);
            let behind = match stage.release {
                StageRelease::Behind(op) | StageRelease::NextBehind(op) => {
                    Some(in_body(op).ok_or((ProducerRefusal::Nested, pipelined.op))?)
                }
                StageRelease::NextEnd { .. } => None,
            };
            Ok(RoleStage {
                copies: stage.copies.iter().filter_map(of_loop).collect(),
                first: in_body(stage.first).ok_or((ProducerRefusal::Nested, pipelined.op))?,
                release: stage.release,
                behind,
            })
        })
        .collect::<Result<_, _>>()?;
    let target = read.reader().target(pipelined.op);
    let gives_registers = target.is_ok_and(|target| target.number() >= 90 && target.suffix().is_some());
    let published = pipeline::published(read.program(), request);
    Ok(Division { uses, published, consumers: threads, gives_registers })
}

/// Checks what is around the loop, and beside it; the kernel.
fn surroundings<'c: 'a, 'a>(pipelined: &Loop<'c, 'a>) -> Result<OperationRef<'c, 'a>, Refused<'c, 'a>> {
    let function = kernel::function(pipelined.op).filter(|function| kernel::is_entry(*function));
    let function = function.filter(|function| pipelined.op.parent_operation() == Some(*function));
    let function =
        function.ok_or((ProducerRefusal::Nested, pipelined.op.parent_operation().unwrap_or(pipelined.op)))?;
    for op in walk::matching(function, |_| true) {
        let refusal = match name(op) {
            gpu::BlockDimOp::NAME | nvvm::BlockDimXOp::NAME => ProducerRefusal::BlockSize,
            gpu::BarrierOp::NAME => continue,
            _ if is_block_wide(op) => ProducerRefusal::BlockWide,
            _ if op.has_attribute(STAGES) && op != pipelined.op => ProducerRefusal::AnotherLoop,
            _ => continue,
        };
        return Err((refusal, op));
    }
    Ok(function)
}

/// Whether all threads of the block execute an operation together.
fn is_block_wide<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> bool {
    let by = known_effects(op).and_then(Result::ok).map(|effects| effects.by);
    matches!(by, Some(Participants::Block | Participants::BlockBarrier))
}

/// Checks that what the copies are computed from can come before the roles.
fn needs_nothing<'c: 'a, 'a>(pipelined: &Loop<'c, 'a>, function: OperationRef<'c, 'a>) -> Result<(), Refused<'c, 'a>> {
    let made = slice::backward(pipelined.body, &pipelined.copies, pipelined.noalias).unwrap_or_default();
    let around = function.region_at(0).and_then(|region| region.first_block());
    let Some(around) = around else { return Ok(()) };
    let values = made.iter().flat_map(|op| op.operands()).chain(pipelined.op.operands().take(3));
    split::needed(around, values, pipelined.noalias).map(drop).map_err(|op| (ProducerRefusal::Needs, op))
}

/// The registers of the tiles from before the loop that are used in it.
fn kept_registers(pipelined: &Loop<'_, '_>) -> i64 {
    let mut kept = Vec::new();
    let mut registers = 0i64;
    for value in walk::matching(pipelined.op, |_| true).iter().flat_map(|op| op.operands()) {
        let tile = root(value);
        let Some(buffer) = BufferType::from_type(tile.r#type()).filter(|buffer| buffer.space() == Space::Local) else {
            continue;
        };
        let maker = defining_op(tile).filter(|op| name(*op) == tile::AllocOp::NAME);
        let is_outside = maker.is_some_and(|op| !is_inside(op, pipelined.op));
        if is_outside && !kept.contains(&key(tile)) {
            kept.push(key(tile));
            let bits =
                buffer.layout().span(Axis::Memory).saturating_mul(bit_width(buffer.element()).unwrap_or(32).into());
            registers = registers.saturating_add((bits + 31) / 32);
        }
    }
    registers
}

/// The operation in a block that an operation is, or is inside of.
fn in_body<'c: 'a, 'a>(op: OperationRef<'c, 'a>, body: BlockRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
    std::iter::once(op).chain(kernel::ancestors(op)).find(|op| op.block() == Some(body))
}

impl ProducerRefusal {
    /// The error at a loop, with a note at the operation that stops it.
    pub fn diagnostic<'c>(self, at: OperationRef<'c, '_>) -> Diagnostic<'c> {
        let text = format!("has {PRODUCER}, but {self}");
        Diagnostic::error(text).note(at.location(), format!("'{}' is here", name(at)))
    }
}
