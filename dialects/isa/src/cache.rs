//! Cache hints of a copy.

use thiserror::Error;

use crate::words::{UnknownWord, one_of};

/// Hints that become modifiers of `ld.global`. None of them changes what is copied.
///
/// The forced widths honour all of them; the register variant honours `nc` on loads from global
/// memory. Every other variant declines a copy that carries hints, so that none is lost silently;
/// the fallback, which must work, ignores them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// Read through the non-coherent path: the source is not written while the kernel runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nc: bool,
    /// `L1::…` eviction priority, as PTX spells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l1_evict: Option<String>,
    /// `L2::…` eviction priority, as PTX spells it; 128 and 256-bit vectors only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l2_evict: Option<String>,
    /// `L2::64B`, `L2::128B` or `L2::256B`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefetch_size: Option<String>,
}

/// An option that does not exist, or a value that it does not take.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CacheError {
    /// No such option.
    #[error("got unknown option '{name}', expected one of cache, l1_evict, l2_evict, prefetch_size")]
    UnknownOption {
        /// The name, as written.
        name: String,
    },
    /// Not a value of that option: got and expected.
    #[error(transparent)]
    UnknownValue(#[from] UnknownWord),
}

const L1_EVICT: &[&str] =
    &["L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"];
const L2_EVICT: &[&str] = &["L2::evict_normal", "L2::evict_first", "L2::evict_last"];
const PREFETCH: &[&str] = &["L2::64B", "L2::128B", "L2::256B"];

impl Cache {
    /// The names of the options, on all ops that have them.
    pub const OPTIONS: [&str; 4] = ["cache", "l1_evict", "l2_evict", "prefetch_size"];

    /// Whether there is no hint at all.
    pub fn is_empty(&self) -> bool {
        *self == Cache::default()
    }

    /// Whether there is a hint other than `nc`.
    pub fn has_policy(&self) -> bool {
        self.l1_evict.is_some() || self.l2_evict.is_some() || self.prefetch_size.is_some()
    }

    /// Checks that the words are ones that PTX has.
    ///
    /// # Errors
    /// Got and expected.
    pub fn check(&self) -> Result<(), UnknownWord> {
        let words = [
            ("l1_evict", &self.l1_evict, L1_EVICT),
            ("l2_evict", &self.l2_evict, L2_EVICT),
            ("prefetch_size", &self.prefetch_size, PREFETCH),
        ];
        let given = words.into_iter().filter_map(|(name, word, allowed)| Some((name, word.as_deref()?, allowed)));
        given.into_iter().try_for_each(|(name, word, allowed)| one_of(name, word, allowed.iter().copied()))
    }

    /// The hints of `(option, value)` pairs.
    ///
    /// # Errors
    /// An option or a value that does not exist; the message lists those that do.
    pub fn from_options<'a>(options: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, CacheError> {
        let mut cache = Cache::default();
        for (name, value) in options {
            match name {
                "cache" => cache.nc = known("cache", value, &["nc"]).map(|_| true)?,
                "l1_evict" => cache.l1_evict = Some(known("l1_evict", value, L1_EVICT)?),
                "l2_evict" => cache.l2_evict = Some(known("l2_evict", value, L2_EVICT)?),
                "prefetch_size" => cache.prefetch_size = Some(known("prefetch_size", value, PREFETCH)?),
                _ => return Err(CacheError::UnknownOption { name: name.to_owned() }),
            }
        }
        Ok(cache)
    }
}

/// Checks that an eviction priority in L2 is one that PTX has.
///
/// # Errors
/// Got and expected.
pub fn check_l2_evict(word: &str) -> Result<(), UnknownWord> {
    one_of("l2_evict", word, L2_EVICT.iter().copied())
}

fn known(name: &'static str, value: &str, allowed: &[&str]) -> Result<String, CacheError> {
    one_of(name, value, allowed.iter().copied())?;
    Ok(value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_known_options() {
        let cache = Cache::from_options([("cache", "nc"), ("prefetch_size", "L2::256B")]).unwrap();
        assert!(cache.nc && cache.has_policy());
        assert_eq!(cache.prefetch_size.as_deref(), Some("L2::256B"));
        assert!(Cache::from_options([]).unwrap().is_empty());
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        let error = Cache::from_options([("nonsense", "3")]).unwrap_err().to_string();
        assert!(error.to_string().contains("got unknown option 'nonsense', expected one of cache"));
        let error = Cache::from_options([("l1_evict", "never")]).unwrap_err().to_string();
        assert!(error.to_string().contains("got l1_evict = \"never\", expected one of L1::evict_normal"), "{error}");
    }
}
