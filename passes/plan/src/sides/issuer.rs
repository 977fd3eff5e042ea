//! The warp in which one thread issues what a scope does in tensor memory.

use tile_isa::{Scope, WARP};

use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::sides::require::all_active;

/// The first warp of the threads that reach an op: exactly those of one scope, of whole warps. Several scopes would each do what the
/// text says.
///
/// # Errors
/// `scope-not-whole-warps`, `scope-not-single`, `block-size-unknown` or `not-all-threads-active`, with the numbers.
pub fn issuing_warp(threads: &Threads, each: &str) -> Result<i64, Refusal> {
    if threads.scope == Scope::Thread {
        let reason = "scope thread; needed a warp or more, of which one thread is elected";
        return Err(Refusal::new("scope-not-whole-warps", reason));
    }
    all_active(threads)?;
    let unknown = || Refusal::new("block-size-unknown", "the size of the block is not known");
    let (count, reaching) = threads.count().zip(threads.known()).ok_or_else(unknown)?;
    if count % WARP != 0 {
        let reason = format!("a block of {count} threads; needed a multiple of {WARP}, whole warps");
        return Err(Refusal::new("scope-not-whole-warps", reason));
    }
    if reaching.len() != count {
        let reason = format!(
            "{} threads reach it, {} {}s, each of which would {each}; needed one, or scope cta",
            reaching.len(),
            reaching.len() / count,
            threads.scope
        );
        return Err(Refusal::new("scope-not-single", reason));
    }
    Ok(reaching.iter().next().unwrap_or(0) / WARP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::threads::{Active, ThreadSet};

    #[test]
    fn one_scope_issues() {
        let issuer = |scope, block, active| issuing_warp(&Threads { scope, block: Some(block), active }, "issue");
        let cause = |found: Result<i64, Refusal>| found.unwrap_err().cause;
        assert_eq!(issuer(Scope::Cta, 160, Active::All), Ok(0));
        assert_eq!(issuer(Scope::Warp, 160, Active::Known(ThreadSet::range(128, 160))), Ok(4));
        assert_eq!(cause(issuer(Scope::Warp, 64, Active::All)), "scope-not-single");
        assert_eq!(cause(issuer(Scope::Thread, 64, Active::All)), "scope-not-whole-warps");
        assert_eq!(cause(issuer(Scope::Cta, 48, Active::All)), "scope-not-whole-warps");
        assert_eq!(cause(issuer(Scope::Cta, 64, Active::Known(ThreadSet::range(0, 1)))), "not-all-threads-active");
    }
}
