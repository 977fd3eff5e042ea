//! The decoded form: registers as indices, types resolved, branches as code indices.

mod boxes;
mod bulk;
mod float;
mod memory;
mod op;
mod operand;
mod product;
mod program;
mod sync;
mod tensor;
mod tensor_map;
mod wmma;

pub(crate) use boxes::{BoxCopy, BoxReduction, BoxRows, BoxSide, Corner};
pub(crate) use bulk::{AsyncStore, Bulk, BulkCopy, Prefetch};
pub(crate) use float::{Convert, FloatKind, FloatOp, FloatTest, Number, TestFloat};
pub(crate) use memory::{
    Atomic, CpAsync, Fence, IsSpace, Load, Mapa, Order, Reduction, Scope, Store, StoreBulk, Update,
};
pub(crate) use op::{
    AssertFail, Carry, Compare, Inst, LANES, Lanes1, Lanes2, Lanes3, Logic, Op, ParamOffset, Print, Row, SetNumber,
    SetPred, Target, Video, VideoKind, compare, lanes1, lanes2, lanes3,
};
pub(crate) use operand::{Addr, Pred, PredSrc, Reg, SINK, Special, Src, Within};
pub(crate) use product::{COLUMNS, Element, Total, WarpMultiply};
pub(crate) use program::{Frame, Info, KernelCode, Program, Spread, Symbol, Unwritten};
pub(crate) use sync::{
    BarrierOp, BarrierReduce, ClusterBarrier, Collective, Fold, Matrix, Mbarrier, MbarrierOp, Shuffle, WarpOp,
};
pub(crate) use tensor::{
    CopyShape, Described, Form, Group, Left, Multiply, Product, Shape, TensorLeft, TensorMmaKind, TensorMultiply,
    TensorOp, TensorScales, WgmmaOp,
};
pub(crate) use tensor_map::MapOp;
pub(crate) use wmma::{WarpMatrix, WmmaAccess, WmmaMultiply};
