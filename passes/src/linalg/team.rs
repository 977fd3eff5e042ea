//! The threads that do an op together.

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use tile_dialect::SCOPE;
use tile_dialect::ops::{Scope, string};
use tile_plan::linalg::LinalgRefusal;
use tile_plan::problem::refusal::Refusal;

use crate::read::problem::Reader;

/// The threads that do an op together, among those of their block.
#[derive(Clone, Copy)]
pub struct Team {
    /// Which they are.
    pub scope: Scope,
    /// How many.
    pub threads: i64,
    /// How many such scopes a block has.
    pub instances: i64,
    /// The shared memory of the block that is theirs, in bytes.
    pub shared_bytes: i64,
}

impl Team {
    /// The threads of a scope at an op.
    ///
    /// # Errors
    /// The size of the block is not known.
    pub fn new(reader: &Reader<'_>, op: OperationRef<'_, '_>, scope: Scope) -> Result<Self, LinalgRefusal> {
        let block: i64 = reader.block(op).ok().flatten().ok_or(LinalgRefusal::BlockSize)?.iter().product();
        let threads = scope.threads(Some(block)).ok_or(LinalgRefusal::BlockSize)?.max(1);
        let instances = ((block + threads - 1) / threads).max(1);
        let shared_bytes = reader.target(op).map_err(|_| LinalgRefusal::NotAKernel)?.shared_bytes() / instances;
        Ok(Team { scope, threads, instances, shared_bytes })
    }
}

/// The scope that an op states; the block, where it states none.
pub fn scope(op: OperationRef<'_, '_>) -> Scope {
    stated_scope(op).unwrap_or(Scope::Cta)
}

/// The scope that an op states; the block, where it states none.
///
/// # Errors
/// What it states is no scope.
pub fn stated_scope(op: OperationRef<'_, '_>) -> Result<Scope, LinalgRefusal> {
    let Ok(stated) = op.attribute(SCOPE) else { return Ok(Scope::Cta) };
    string(op, SCOPE).and_then(|name| Scope::named(&name)).ok_or_else(|| {
        let names = Scope::ALL.map(Scope::name).join(", ");
        let reason = format!("got {SCOPE} = {stated}, expected one of {names} in quotes");
        LinalgRefusal::Product(Refusal::new("stays-other-scope", reason))
    })
}
