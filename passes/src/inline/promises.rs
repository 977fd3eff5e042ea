//! What a callee is promised: a launch of a certain size, arguments of a certain alignment.

use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::{Arguments, Parts, Rewriter};
use tile_layout::by_x_where_known;
use tile_ops::{Builder, memref};

use crate::read::divisibility::block;
use crate::read::{alignment, kernel, values};

/// The sizes of launches that a function and its callees are written for; `None` where they state none.
#[derive(Clone)]
pub struct Promised {
    /// Whether the function is started from the host, so that it alone says how.
    is_entry: bool,
    sizes: [Size; 3],
}

/// One of these sizes.
#[derive(Clone)]
struct Size {
    what: &'static str,
    /// Along x, y and z.
    extents: [Option<i64>; 3],
}

impl Promised {
    /// What a function itself states.
    pub fn of(function: OperationRef<'_, '_>) -> Self {
        let each = |extents: Option<[i64; 3]>| extents.map_or([None; 3], |extents| extents.map(Some));
        // A size that no GPU takes is an error of the passes that need it.
        let threads = each(block::size(function).ok().flatten());
        let size = |what, extents| Size { what, extents };
        let sizes = [
            size("blocks of a size", threads),
            size("grids of a size", block::grid(function)),
            size("clusters of a size", each(block::cluster(function))),
        ];
        Promised { is_entry: kernel::is_entry(function) || kernel::is_launch(function), sizes }
    }

    /// What a caller and its callee state together.
    ///
    /// # Errors
    /// The callee states what a kernel does not, or what its caller states otherwise: got and expected.
    pub fn with(&self, callee: &Promised, symbol: &str) -> Result<Self, String> {
        let mut together = self.clone();
        for (own, theirs) in together.sizes.iter_mut().zip(&callee.sizes) {
            let differs = |(own, theirs): (&Option<i64>, &Option<i64>)| match (own, theirs) {
                (_, None) => false,
                (None, Some(_)) => self.is_entry,
                (Some(own), Some(theirs)) => own != theirs,
            };
            if own.extents.iter().zip(&theirs.extents).any(differs) {
                let [got, expected] = [own.text(), theirs.text()];
                return Err(format!(
                    "calls '@{symbol}', which is for {}: got {got} of the caller, expected {expected}",
                    own.what
                ));
            }
            for (own, theirs) in own.extents.iter_mut().zip(theirs.extents) {
                *own = own.or(theirs);
            }
        }
        Ok(together)
    }
}

impl Size {
    /// `256x1x1`; `?` for what is not known.
    fn text(&self) -> String {
        by_x_where_known(self.extents)
    }
}

/// Makes the operands of a call promise the alignment that the callee's arguments promise, where they do not yet.
///
/// # Errors
/// An operand that cannot promise it: got and expected.
pub fn keep_alignments<'c: 'a, 'a>(
    call: OperationRef<'c, 'a>,
    callee: OperationRef<'c, 'a>,
    rewriter: Rewriter<'c, 'a>,
) -> Result<(), String> {
    let Some(body) = callee.region_at(0).and_then(|region| region.first_block()) else { return Ok(()) };
    for (index, operand) in values::operands(call).into_iter().enumerate() {
        let argument = body.argument_at(index).map(Value::from);
        let Some(promised) = argument.and_then(alignment::of_argument) else { continue };
        let known = known(operand);
        if known >= promised {
            continue;
        }
        if MemRefType::try_from(operand.r#type()).is_err() {
            return Err(format!(
                "passes argument {index}, of which the callee is promised llvm.align = {promised}: got {known} bytes proved, \
                 expected memory that is known to be aligned"
            ));
        }
        let aligned = memref::assume_alignment(Builder::before(rewriter, call), operand, promised).value();
        rewriter.set_operand(call, index, aligned);
    }
    Ok(())
}

/// Proven alignment of a memref, of a pointer, or of the start of a tile, in bytes.
fn known(value: Value<'_, '_>) -> i64 {
    match BufferType::from_type(value.r#type()) {
        Some(_) => alignment::of_parts(value).unwrap_or(1),
        None => alignment::bytes(value),
    }
}
