//! Option values that refer to arguments by number.

use std::path::PathBuf;
use std::str::FromStr;

use crate::tolerance::{Bound, Tolerance};

/// Two arguments, `A,B`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair(pub usize, pub usize);

impl FromStr for Pair {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let pair = text.split_once(',').and_then(|(a, b)| Some(Self(a.parse().ok()?, b.parse().ok()?)));
        pair.filter(|p| p.0 != p.1).ok_or("expected the numbers of two arguments, as in 0,1")
    }
}

/// An argument and a file, `K=FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    /// The argument, counted from 0.
    pub argument: usize,
    /// The file.
    pub file: PathBuf,
}

impl FromStr for Numbered {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('=').and_then(|(number, file)| Some((number.parse().ok()?, file)));
        let (argument, file) = parts.ok_or("expected the number of an argument and a file, as in 1=result.npy")?;
        Ok(Self { argument, file: file.into() })
    }
}

/// An argument, a file and a tolerance, `K=FILE,rtol=R,atol=A`.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// The argument, counted from 0.
    pub argument: usize,
    /// The file.
    pub file: PathBuf,
    /// The allowed deviation; `None` leaves it to the other options.
    pub tolerance: Option<Tolerance>,
}

impl FromStr for Expected {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mut rest, mut relative, mut absolute) = (text, None, None);
        while let Some((before, word)) = rest.rsplit_once(',') {
            let bound = |number: &str| number.parse::<Bound>().map_err(|error| error.to_string());
            match word.split_once('=') {
                Some(("rtol", number)) => relative = Some(bound(number)?),
                Some(("atol", number)) => absolute = Some(bound(number)?),
                _ => break,
            }
            rest = before;
        }
        let Numbered { argument, file } = rest.parse()?;
        Ok(Self { argument, file, tolerance: Tolerance::of(relative, absolute) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_files_and_tolerances() {
        assert_eq!("1,0".parse(), Ok(Pair(1, 0)));
        assert!("1,1".parse::<Pair>().is_err() && "1".parse::<Pair>().is_err());
        assert_eq!("3=a=b.npy".parse(), Ok(Numbered { argument: 3, file: "a=b.npy".into() }));
        assert!("a.npy".parse::<Numbered>().is_err());
        let expected = |tolerance| Ok(Expected { argument: 1, file: "a,b.npy".into(), tolerance });
        assert_eq!("1=a,b.npy".parse(), expected(None));
        let tolerance = Some(Tolerance { relative: 1e-3, absolute: 0.5 });
        assert_eq!("1=a,b.npy,rtol=1e-3,atol=0.5".parse(), expected(tolerance));
        assert!("1=a.npy,rtol=x".parse::<Expected>().unwrap_err().starts_with("got tolerance `x`"));
    }
}
