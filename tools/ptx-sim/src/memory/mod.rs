//! x
/// a
pub(crate) const SHARED_WINDOW: u64 = 0x0001_0000_0000_0000;
/// a
pub(crate) const LOCAL_WINDOW: u64 = 0x0002_0000_0000_0000;
/// a
pub(crate) const PARAM_WINDOW: u64 = 0x0003_0000_0000_0000;
/// a
pub(crate) const CALL_PARAM_WINDOW: u64 = 0x0004_0000_0000_0000;
