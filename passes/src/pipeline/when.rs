//! Ops under a condition.

use melior::ir::Value;
use tile_ops::{Builder, region, scf};

/// Makes ops under a condition.
pub fn when<'c: 'a, 'a>(builder: Builder<'c, 'a>, condition: Value<'c, 'a>, make: impl FnOnce()) {
    let op = scf::r#if(builder, condition, &[], builder.body(&[]), region()).build().operation();
    builder.fill(op, 0, |_| {
        make();
        scf::r#yield(builder, &[]).build();
    });
}
