//! Memory order and scope (PTX ISA 8.6, 8.7).

/// The set of threads with which an operation may synchronize.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Scope {
    Cta,
    Cluster,
    Gpu,
    Sys,
}

impl Scope {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "cta" => Self::Cta,
            "cluster" => Self::Cluster,
            "gpu" => Self::Gpu,
            "sys" => Self::Sys,
            _ => return None,
        })
    }
}

/// How one access takes part in synchronization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    /// The scope of a strong access; a weak one has none.
    pub(crate) scope: Option<Scope>,
    pub(crate) acquire: bool,
    pub(crate) release: bool,
}

impl Order {
    pub(crate) const WEAK: Self = Self { scope: None, acquire: false, release: false };

    pub(crate) fn strong(scope: Scope, acquire: bool, release: bool) -> Self {
        Self { scope: Some(scope), acquire, release }
    }
}
