//! Forms of `tcgen05.cp`, and how copies to and from tensor memory number their instructions: by the first iters of both
//! sides.

use thiserror::Error;
use tile_layout::{Axis, Iter, Layout};

use crate::MAX_INSTRUCTIONS;
use crate::messages::message_of;
use crate::words::{UnknownWord, joined, one_of};

/// A copy to or from tensor memory that there is not.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TmemCopyError {
    /// A shape or a multicast that is none of those known.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// A shape without this multicast.
    #[error("got shape {shape} with {multicast}, expected one of {}", joined(.known))]
    Form { shape: String, multicast: String, known: Vec<String> },
    /// `tcgen05.cp` for another number of CTAs.
    #[error("got cta_group = {0}, expected 1 or 2")]
    CtaGroup(i64),
    /// More leading iters than a layout has.
    #[error("got {name} {count}, expected at most {most}, the iters of the layouts")]
    LeadingIters { name: String, count: usize, most: usize },
    /// Leading iters that number other instructions on one side.
    #[error("got leading extents {src:?} and {dst:?}, expected the same")]
    LeadingExtents { src: Vec<i64>, dst: Vec<i64> },
    /// More instructions than tensor memory has room for.
    #[error("got leading extents {0:?}, expected at most {MAX_INSTRUCTIONS} instructions")]
    Instructions(Vec<i64>),
}

message_of!(TmemCopyError);

/// A form of `tcgen05.cp`: what one instruction moves, and the lanes that receive copies of it (PTX ISA, tcgen05.cp).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TmemForm {
    /// 128 rows of 256 bits.
    Rows128Bits256,
    /// 4 rows of 256 bits, to lanes 0, 32, 64 and 96.
    Rows4Bits256,
    /// 128 rows of 128 bits.
    Rows128Bits128,
    /// 64 rows of 128 bits; warps 0 and 2 receive one half, 1 and 3 the other.
    Rows64Warpx2Split02,
    /// 64 rows of 128 bits; warps 0 and 1 receive one half, 2 and 3 the other.
    Rows64Warpx2Split01,
    /// 32 rows of 128 bits, to each of four warps.
    Rows32Warpx4,
}

impl From<TmemForm> for String {
    fn from(form: TmemForm) -> Self {
        form.name()
    }
}

impl TryFrom<String> for TmemForm {
    type Error = TmemCopyError;

    fn try_from(name: String) -> Result<Self, TmemCopyError> {
        let (shape, multicast) = name.split_once('.').map_or((&*name, None), |(shape, rest)| (shape, Some(rest)));
        TmemForm::exactly(shape, multicast)
    }
}

impl TmemForm {
    /// Every form, in the order in which they are tried.
    pub const ALL: [TmemForm; 6] = [
        TmemForm::Rows128Bits256,
        TmemForm::Rows4Bits256,
        TmemForm::Rows128Bits128,
        TmemForm::Rows64Warpx2Split02,
        TmemForm::Rows64Warpx2Split01,
        TmemForm::Rows32Warpx4,
    ];

    /// The shape, as PTX spells it.
    pub fn shape(self) -> &'static str {
        match self {
            TmemForm::Rows128Bits256 => "128x256b",
            TmemForm::Rows4Bits256 => "4x256b",
            TmemForm::Rows128Bits128 => "128x128b",
            TmemForm::Rows64Warpx2Split02 | TmemForm::Rows64Warpx2Split01 => "64x128b",
            TmemForm::Rows32Warpx4 => "32x128b",
        }
    }

    /// The multicast, as PTX spells it.
    pub fn multicast(self) -> Option<&'static str> {
        match self {
            TmemForm::Rows64Warpx2Split02 => Some("warpx2::02_13"),
            TmemForm::Rows64Warpx2Split01 => Some("warpx2::01_23"),
            TmemForm::Rows32Warpx4 => Some("warpx4"),
            _ => None,
        }
    }

    /// Shape and multicast: `32x128b.warpx4`.
    pub fn name(self) -> String {
        self.multicast().map_or_else(|| self.shape().to_owned(), |multicast| format!("{}.{multicast}", self.shape()))
    }

    /// Rows of one instruction.
    pub fn rows(self) -> i64 {
        self.lanes().iter().map(|(extent, _)| extent).product()
    }

    /// Bits of a row.
    pub fn row_bits(self) -> i64 {
        match self {
            TmemForm::Rows128Bits256 | TmemForm::Rows4Bits256 => 256,
            _ => 128,
        }
    }

    /// The lane of each row, as digits `(extent, stride)` of the row number, slowest first; copies of a row are in the
    /// lanes that [`TmemForm::replica`] gives relative to that.
    pub fn lanes(self) -> &'static [(i64, i64)] {
        match self {
            TmemForm::Rows128Bits256 | TmemForm::Rows128Bits128 => &[(128, 1)],
            TmemForm::Rows4Bits256 => &[(4, 32)],
            TmemForm::Rows64Warpx2Split02 => &[(64, 1)],
            TmemForm::Rows64Warpx2Split01 => &[(2, 64), (32, 1)],
            TmemForm::Rows32Warpx4 => &[(32, 1)],
        }
    }

    /// The other lanes that each row is copied to.
    pub fn replica(self) -> Option<Iter> {
        let (extent, stride) = match self {
            TmemForm::Rows64Warpx2Split02 => (2, 64),
            TmemForm::Rows64Warpx2Split01 => (2, 32),
            TmemForm::Rows32Warpx4 => (4, 32),
            _ => return None,
        };
        Some(Iter::new(extent, stride, Axis::TLane))
    }

    /// The form of that shape and multicast, if there is one.
    pub fn named(shape: &str, multicast: Option<&str>) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.shape() == shape && form.multicast() == multicast)
    }

    /// The form of that shape and multicast.
    ///
    /// # Errors
    /// A form that does not exist; the message lists those that do.
    pub fn exactly(shape: &str, multicast: Option<&str>) -> Result<Self, TmemCopyError> {
        Self::matching(Some(shape), multicast)?;
        Self::named(shape, multicast).ok_or_else(|| unknown(shape, "no multicast"))
    }

    /// The forms with that shape and multicast; `None` matches any.
    ///
    /// # Errors
    /// A shape or a multicast that does not exist, or a combination that does not; the message lists those that do.
    pub fn matching(shape: Option<&str>, multicast: Option<&str>) -> Result<Vec<Self>, TmemCopyError> {
        if let Some(shape) = shape {
            one_of("shape", shape, distinct(Self::ALL.map(|form| Some(form.shape()))))?;
        }
        if let Some(multicast) = multicast {
            one_of("multicast", multicast, distinct(Self::ALL.map(Self::multicast)))?;
        }
        let fits = |form: &Self| {
            shape.is_none_or(|shape| form.shape() == shape)
                && multicast.is_none_or(|multicast| form.multicast() == Some(multicast))
        };
        let forms: Vec<Self> = Self::ALL.into_iter().filter(fits).collect();
        match (forms.is_empty(), shape, multicast) {
            (true, Some(shape), Some(multicast)) => Err(unknown(shape, multicast)),
            _ => Ok(forms),
        }
    }
}

/// Checks that `tcgen05.cp` may be issued for this number of CTAs.
///
/// # Errors
/// Got and expected.
pub fn check_cta_group(group: i64) -> Result<(), TmemCopyError> {
    if matches!(group, 1 | 2) { Ok(()) } else { Err(TmemCopyError::CtaGroup(group)) }
}

/// Checks that the first `count` iters of both sides number the same instructions, and not too many. `name` is the op's
/// name for `count`.
///
/// # Errors
/// More iters than a side has, different extents on the two sides, too many instructions: got and expected.
pub fn check_instructions(name: &str, count: usize, src: &Layout, dst: &Layout) -> Result<(), TmemCopyError> {
    let first = |layout: &Layout| Some(layout.shard.get(..count)?.iter().map(|iter| iter.extent).collect::<Vec<_>>());
    let (Some(from), Some(to)) = (first(src), first(dst)) else {
        let most = src.shard.len().min(dst.shard.len());
        return Err(TmemCopyError::LeadingIters { name: name.to_owned(), count, most });
    };
    if from != to {
        return Err(TmemCopyError::LeadingExtents { src: from, dst: to });
    }
    match from.iter().try_fold(1i64, |product, &extent| product.checked_mul(extent)) {
        Some(..=MAX_INSTRUCTIONS) => Ok(()),
        _ => Err(TmemCopyError::Instructions(from)),
    }
}

fn unknown(shape: &str, multicast: &str) -> TmemCopyError {
    let known = TmemForm::ALL.map(TmemForm::name).to_vec();
    TmemCopyError::Form { shape: shape.to_owned(), multicast: multicast.to_owned(), known }
}

/// The names that are present, each once.
fn distinct<const N: usize>(names: [Option<&'static str>; N]) -> Vec<&'static str> {
    let mut known: Vec<&str> = names.into_iter().flatten().collect();
    known.dedup();
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_named_by_either_or_both() {
        assert_eq!(TmemForm::matching(None, None).unwrap(), TmemForm::ALL);
        assert_eq!(TmemForm::matching(Some("64x128b"), None).unwrap().len(), 2);
        assert_eq!(TmemForm::matching(None, Some("warpx4")), Ok(vec![TmemForm::Rows32Warpx4]));
        for form in TmemForm::ALL {
            assert_eq!(TmemForm::named(form.shape(), form.multicast()), Some(form));
        }
    }

    #[test]
    fn one_or_two_blocks() {
        assert_eq!((0..5).filter(|&group| check_cta_group(group).is_ok()).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(check_cta_group(4).unwrap_err().to_string(), "got cta_group = 4, expected 1 or 2");
    }

    #[test]
    fn what_is_unknown_lists_what_is_known() {
        let message = |shape, multicast| TmemForm::matching(shape, multicast).unwrap_err().to_string();
        assert_eq!(
            message(Some("96x128b"), None),
            "got shape = \"96x128b\", expected one of 128x256b, 4x256b, 128x128b, 64x128b, 32x128b"
        );
        assert_eq!(
            message(None, Some("warpx8")),
            "got multicast = \"warpx8\", expected one of warpx2::02_13, warpx2::01_23, warpx4"
        );
        assert!(
            message(Some("4x256b"), Some("warpx4"))
                .starts_with("got shape 4x256b with warpx4, expected one of 128x256b")
        );
        let bare = TmemForm::exactly("32x128b", None).unwrap_err().to_string();
        assert!(bare.starts_with("got shape 32x128b with no multicast, expected one of"), "{bare}");
        assert_eq!(TmemForm::exactly("4x256b", None), Ok(TmemForm::Rows4Bits256));
    }

    #[test]
    fn the_same_instructions_on_both_sides() {
        let checked = |count, src: &str, dst: &str| {
            check_instructions("tile_iters", count, &src.parse().unwrap(), &dst.parse().unwrap())
        };
        assert_eq!(checked(1, "(4, 8) : (8, 1)", "(4, 2, 4) : (8, 4, 1)"), Ok(()));
        assert_eq!(checked(2, "(32, 64, 2) : (128, 2, 1)", "(32, 64, 2) : (128, 2, 1)"), Ok(()));
        let refused = |count, src, dst| checked(count, src, dst).unwrap_err().to_string();
        assert_eq!(
            refused(3, "(4, 8) : (8, 1)", "(4, 2, 4) : (8, 4, 1)"),
            "got tile_iters 3, expected at most 2, the iters of the layouts"
        );
        assert_eq!(
            refused(2, "(4, 8) : (8, 1)", "(4, 2, 4) : (8, 4, 1)"),
            "got leading extents [4, 8] and [4, 2], expected the same"
        );
        assert_eq!(
            refused(1, "(4096, 2) : (2, 1)", "(4096, 2) : (2, 1)"),
            "got leading extents [4096], expected at most 2048 instructions"
        );
    }
}
