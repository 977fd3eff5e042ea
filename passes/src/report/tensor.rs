//! The *passed* remarks of copies by tensor memory and bulk instructions.

use melior::ir::OperationRef;
use tile_plan::{BulkCopy, Descriptor, TensorAccess, TensorCopy};

use super::passed;

/// `tcgen05.cp`: bytes are those that one thread issues.
pub(super) fn took_copy(op: OperationRef<'_, '_>, plan: &TensorCopy) {
    let bits = plan.src.layout.size() * i64::from(plan.element_bits);
    let issued =
        Issued { variant: "tcgen05_cp", count: plan.tiles(), instruction: plan.instruction(), bytes: bits / 8 };
    let Descriptor { leading, stride, swizzle } = plan.descriptor;
    let descriptor = format!("leading offset {leading} x 16 B, stride offset {stride} x 16 B, swizzle mode {swizzle}");
    issued.report(op, &[("Descriptor", descriptor)]);
}

/// `tcgen05.ld` and `tcgen05.st`.
pub(super) fn took_access(op: OperationRef<'_, '_>, plan: &TensorAccess) {
    let count = plan.instructions();
    let bytes = count * plan.words() * 4;
    Issued { variant: "tcgen05_ldst", count, instruction: plan.instruction(), bytes }.report(op, &[]);
}

/// `cp.async.bulk`: bytes are those that one thread issues.
pub(super) fn took_bulk(op: OperationRef<'_, '_>, plan: &BulkCopy) {
    let count = plan.chunks();
    let instruction = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes".to_owned();
    let bytes = count * plan.chunk_bytes();
    Issued { variant: "dsmem", count, instruction, bytes }
        .report(op, &[("ChunkBytes", plan.chunk_bytes().to_string())]);
}

/// What a thread issues.
struct Issued {
    variant: &'static str,
    count: i64,
    instruction: String,
    bytes: i64,
}

impl Issued {
    fn report(self, op: OperationRef<'_, '_>, more: &[(&'static str, String)]) {
        let Issued { variant, count, instruction, bytes } = self;
        let instructions = format!("{count} {instruction}");
        let text = format!("copied by {variant}: {instructions}, {bytes} bytes per issuing thread");
        let mut args = vec![
            ("Variant", variant.to_owned()),
            ("Rounds", count.to_string()),
            ("BytesPerThread", bytes.to_string()),
            ("Instructions", instructions),
        ];
        args.extend_from_slice(more);
        passed(op, variant, &text, &args);
    }
}
