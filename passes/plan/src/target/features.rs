//! Features of a target: the PTX version that a module names.

use thiserror::Error;

use crate::target::Target;

/// The PTX versions that LLVM 22 prints and a chip of the table can have, times ten.
const VERSIONS: &[u32] = &[63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90];

/// A feature that is not a PTX version, or is one that the chip does not support.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("got feature '{feature}' for {chip}, expected {}", versions(*.least))]
pub struct UnknownFeature {
    /// The feature as written.
    pub feature: String,
    /// The chip's name.
    pub chip: String,
    /// The least version of the chip, times ten.
    pub least: u32,
}

fn versions(least: u32) -> String {
    let names: Vec<String> =
        VERSIONS.iter().filter(|&&version| version >= least).map(|version| format!("+ptx{version}")).collect();
    match names.as_slice() {
        [only] => only.clone(),
        several => format!("one of {}", several.join(", ")),
    }
}

impl Target {
    /// The same chip with features as `#nvvm.target` spells them: separated by commas, each `+ptxN` with a PTX version
    /// times ten; the last one wins. Without features, the version is the chip's usual one.
    ///
    /// # Errors
    /// Any other feature, or a version below the chip's least; the message lists the valid ones.
    pub fn with_features(mut self, features: &str) -> Result<Self, UnknownFeature> {
        for feature in features.split(',').map(str::trim).filter(|feature| !feature.is_empty()) {
            let version = feature.strip_prefix("+ptx").and_then(|version| version.parse().ok());
            let least = self.chip.least;
            let known = |version: &u32| *version >= least && VERSIONS.contains(version);
            self.ptx = version.filter(known).ok_or_else(|| UnknownFeature {
                feature: feature.to_owned(),
                chip: self.name(),
                least,
            })?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::engine::{LDMATRIX, STMATRIX, WIDE_GLOBAL};

    fn target(chip: &str, features: &str) -> Result<Target, UnknownFeature> {
        Target::parse(chip).unwrap().with_features(features)
    }

    #[test]
    fn the_version_is_the_one_asked_for() {
        let version = |chip, features| target(chip, features).unwrap().ptx_version();
        assert_eq!(version("sm_90a", "+ptx86"), 86);
        assert_eq!(version("sm_90a", "+ptx80, +ptx84"), 84);
        assert_eq!(version("sm_90a", ""), 83);
    }

    #[test]
    fn what_the_version_lacks_is_not_there() {
        let old = target("sm_100a", "+ptx86").unwrap();
        assert!(!old.has(&WIDE_GLOBAL) && old.has_tcgen05());
        assert_eq!(old.to_string(), "sm_100a with PTX 8.6");
        let older = target("sm_90", "+ptx78").unwrap();
        assert!(!older.has_128_bit_atomics());
        assert!(!target("sm_75", "+ptx64").unwrap().has(&LDMATRIX) && older.has(&STMATRIX));
    }

    #[test]
    fn nonsense_is_refused_with_the_list() {
        let refused = |chip, features| target(chip, features).unwrap_err().to_string();
        assert_eq!(refused("sm_110a", "+ptx88"), "got feature '+ptx88' for sm_110a, expected +ptx90");
        for features in ["+ptx60", "+ptx79", "+ptx78", "ptx83", "-ptx83", "+sm_90", "+ptx83,+fast", "+ptx99", "+ptx-83"]
        {
            let text = refused("sm_90a", features);
            assert!(
                text.ends_with(
                    "expected one of +ptx80, +ptx81, +ptx82, +ptx83, +ptx84, +ptx85, +ptx86, +ptx87, +ptx88, +ptx90"
                ),
                "{text}"
            );
        }
    }
}
