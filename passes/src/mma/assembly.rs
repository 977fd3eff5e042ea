//! `tile.warpgroup_mma` as assembly.
//!
//! ```text
//!   wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, p, 1, 1, 0;
//!                                                      sums, in place     A                  B   adds
//! ```

use melior::ir::{OperationRef, ValueLike};
use tile_dialect::ir::Rewriter;
use tile_isa::mma::Factor;
use tile_isa::wgmma::{DEPTH_BYTES, LEFT_REGISTERS, ROWS};
use tile_ops::{Builder, llvm_type, tile};

use super::error::MmaError;
use crate::emit::Kit;

/// Columns for which a thread holds four sums.
const COLUMNS_PER_FOUR: i64 = 8;

/// Replaces a `tile.warpgroup_mma`.
///
/// # Errors
/// Sums that are no struct, or elements that have no such name.
pub fn expand<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Result<(), MmaError> {
    let instruction = tile::WarpgroupMmaOp::cast(op).ok_or(MmaError::Tiles)?;
    let sums = instruction.sums();
    let count = llvm_type::struct_fields(sums.r#type())
        .filter(|count| count % 4 == 0)
        .ok_or_else(|| MmaError::Sums { got: sums.r#type().to_string(), columns: COLUMNS_PER_FOUR })?;
    let named = |name: Option<String>| Factor::ALL.into_iter().find(|factor| Some(factor.ptx()) == name.as_deref());
    let factors = named(instruction.element_a()).zip(named(instruction.element_b())).ok_or(MmaError::Elements)?;
    let kit = Kit::new(Builder::before(rewriter, op));
    let is_integer = matches!(factors.0, Factor::S8 | Factor::U8);
    let (register, element) = if is_integer { ("r", kit.int_type(32)) } else { ("f", kit.builder.context.f32()) };
    let sum = if is_integer { "s32" } else { "f32" };
    let text = text(count, factors, sum, instruction.transposed());
    let outputs = (0..count).map(|_| format!("={register}"));
    let inputs = (0..count).map(|number| number.to_string());
    let others = std::iter::repeat_n("r".to_owned(), LEFT_REGISTERS).chain(["l".to_owned()]);
    let constraints: Vec<String> = outputs.chain(inputs).chain(others).collect();
    let mut operands = kit.parts(sums, count, element);
    operands.extend(instruction.a());
    operands.push(instruction.b());
    let after = kit.assembly_value(&text, &constraints.join(","), &operands, sums.r#type());
    rewriter.replace(op, &[after]);
    Ok(())
}

/// The instruction; inputs follow outputs, each of which has an input in its register.
fn text(count: i64, (a, b): (Factor, Factor), sum: &str, is_transposed: bool) -> String {
    let list = |first: i64, count: i64| {
        let names: Vec<String> = (first..first + count).map(|number| format!("${number}")).collect();
        format!("{{{}}}", names.join(", "))
    };
    let (columns, depth) = (count / 4 * COLUMNS_PER_FOUR, 8 * DEPTH_BYTES / i64::from(a.bits()));
    let registers = LEFT_REGISTERS as i64;
    let flags = match a {
        Factor::S8 | Factor::U8 => String::new(),
        Factor::F16 | Factor::Bf16 => format!(", 1, 1, {}", i64::from(is_transposed)),
        _ => ", 1, 1".to_owned(),
    };
    format!(
        "{{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\nwgmma.mma_async.sync.aligned.m{ROWS}n{columns}k{depth}.{sum}.{}.{} {}, {}, ${}, \
         p{flags};\n}}",
        a.ptx(),
        b.ptx(),
        list(0, count),
        list(2 * count, registers),
        2 * count + registers,
    )
}
