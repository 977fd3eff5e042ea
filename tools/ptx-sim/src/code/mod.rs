//! The decoded form: registers as indices, types resolved, branches as code indices.

mod float;
mod lanes;
mod memory;
mod op;
mod operand;
mod order;
mod program;
mod sync;
mod tensor;
mod wgmma;

pub(crate) use float::{Convert, FloatKind, FloatOp, FloatTest, Number, TestFloat};
pub(crate) use lanes::{Compare, LANES, Lanes1, Lanes2, Lanes3, Logic, Row, compare, lanes1, lanes2, lanes3};
pub(crate) use memory::{
    Atomic, Bulk, BulkCopy, CpAsync, Fence, IsSpace, Load, Mapa, Reduction, Store, StoreBulk, Update,
};
pub(crate) use op::{AssertFail, Carry, Inst, Op, SetPred, Target};
pub(crate) use operand::{Addr, Pred, PredSrc, Reg, SINK, Special, Src, Within};
pub(crate) use order::{Order, Scope};
pub use program::Param;
pub(crate) use program::{Info, Kernel, Program, Spread, Symbol, Unwritten};
pub(crate) use sync::{
    BarrierOp, BarrierReduce, ClusterBarrier, Collective, Fold, Matrix, Mbarrier, MbarrierOp, Shuffle, WarpOp,
};
pub(crate) use tensor::{CopyShape, Described, Group, Kind, Shape, TensorLeft, TensorMultiply, TensorOp};
pub(crate) use wgmma::{Left, Multiply, Product, WgmmaOp};
