//! The memories that a bulk copy goes between.

use thiserror::Error;

use crate::async_reduction::Reduction;

use crate::clause::ClauseError;
use crate::messages::message_of;

/// Memories or options that a bulk copy does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RouteError {
    /// Memories between which there is no such copy.
    #[error("got {src} to {dst}, expected global to shared, shared to global, or shared to shared")]
    Memories { src: String, dst: String },
    /// An option of copies between other memories.
    #[error("got {option}, expected it for copies {copies} global memory only")]
    Option { option: &'static str, copies: &'static str },
}

message_of!(RouteError);

/// The memories of a bulk copy, which determine what completes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Route {
    /// Global memory to the CTA's own shared memory, completed by an mbarrier there.
    ToShared,
    /// Shared to global memory, completed by a bulk group.
    ToGlobal,
    /// Shared memory to that of another CTA of the cluster, completed by an mbarrier there.
    ToCluster,
}

impl Route {
    /// The route between two memories, by their names in the dialect.
    ///
    /// # Errors
    /// Memories without a route between them: got and expected.
    pub fn between(src: &str, dst: &str) -> Result<Route, RouteError> {
        match (src, dst) {
            ("global", "shared") => Ok(Route::ToShared),
            ("shared", "global") => Ok(Route::ToGlobal),
            ("shared", "shared") => Ok(Route::ToCluster),
            _ => Err(RouteError::Memories { src: src.to_owned(), dst: dst.to_owned() }),
        }
    }

    /// Whether an mbarrier completes the copy; otherwise a bulk group does.
    pub fn by_barrier(self) -> bool {
        self != Route::ToGlobal
    }

    /// Checks that these clauses of an op fit the route.
    ///
    /// # Errors
    /// A clause that is missing, or that the instruction does not have.
    pub fn check_clauses(self, barrier: bool, remote_cta: bool) -> Result<(), ClauseError> {
        if barrier != self.by_barrier() {
            return Err(if barrier { ClauseError::Surplus("an mbarrier") } else { ClauseError::Missing("mbarrier") });
        }
        if remote_cta != (self == Route::ToCluster) {
            return Err(if remote_cta {
                ClauseError::Surplus("a remote_cta")
            } else {
                ClauseError::Missing("remote_cta")
            });
        }
        Ok(())
    }

    /// Checks that the instruction has the reduction and the L2 hint that are requested.
    ///
    /// # Errors
    /// The one that it does not have.
    pub fn check_extras(self, reduced: bool, cache_hint: bool) -> Result<(), RouteError> {
        if reduced && self != Route::ToGlobal {
            return Err(RouteError::Option { option: "reduce", copies: "to" });
        }
        if cache_hint && self == Route::ToCluster {
            return Err(RouteError::Option { option: "l2_evict", copies: "from or to" });
        }
        Ok(())
    }

    /// The instruction, as PTX spells it.
    pub fn instruction(self, reduction: Option<Reduction>, cache_hint: bool) -> String {
        let hint = if cache_hint { ".L2::cache_hint" } else { "" };
        match (self, reduction) {
            (Route::ToShared, _) => {
                format!("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{hint}")
            }
            (Route::ToGlobal, None) => format!("cp.async.bulk.global.shared::cta.bulk_group{hint}"),
            (Route::ToGlobal, Some(reduction)) => {
                format!("cp.reduce.async.bulk.global.shared::cta.bulk_group{hint}.{}", reduction.suffix())
            }
            (Route::ToCluster, _) => {
                "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes".to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memories_have_a_route_or_are_named() {
        assert_eq!(Route::between("shared", "shared"), Ok(Route::ToCluster));
        assert!(
            Route::between("global", "local")
                .unwrap_err()
                .to_string()
                .starts_with("got global to local, expected global to")
        );
    }

    #[test]
    fn clauses_are_those_of_the_instruction() {
        assert_eq!(Route::ToShared.check_clauses(true, false), Ok(()));
        assert_eq!(Route::ToGlobal.check_clauses(false, false), Ok(()));
        assert_eq!(
            Route::ToGlobal.check_clauses(true, false).unwrap_err().to_string(),
            "got an mbarrier, expected none"
        );
        assert_eq!(
            Route::ToShared.check_clauses(false, false).unwrap_err().to_string(),
            "got no mbarrier, expected one"
        );
        assert_eq!(
            Route::ToCluster.check_clauses(true, false).unwrap_err().to_string(),
            "got no remote_cta, expected one"
        );
        assert_eq!(
            Route::ToShared.check_clauses(true, true).unwrap_err().to_string(),
            "got a remote_cta, expected none"
        );
        assert!(Route::ToShared.check_extras(true, false).unwrap_err().to_string().contains("global memory only"));
        assert!(Route::ToCluster.check_extras(false, true).unwrap_err().to_string().contains("got l2_evict"));
        assert_eq!(Route::ToGlobal.check_extras(true, true), Ok(()));
    }

    #[test]
    fn a_hint_precedes_the_reduction() {
        let add = Reduction::of("add", "bf16").unwrap();
        assert_eq!(
            Route::ToGlobal.instruction(Some(add), true),
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.noftz.bf16"
        );
    }
}
