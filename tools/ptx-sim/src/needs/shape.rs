//! The shape of a launch.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Extents in x, y and z: `4,2` is 4x2x1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dim3(pub [u32; 3]);

/// A text that is not a [`Dim3`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected one to three numbers from 1, as in 4,2,1")]
pub struct Dim3Error;

impl Dim3 {
    /// One of each.
    pub const ONE: Self = Self([1; 3]);

    /// The product of the extents, or the largest number.
    pub fn volume(&self) -> u64 {
        self.0.iter().fold(1, |product: u64, &extent| product.saturating_mul(extent.into()))
    }
}

impl FromStr for Dim3 {
    type Err = Dim3Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers: Vec<u32> = text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| Dim3Error)?;
        if numbers.len() > 3 || numbers.contains(&0) {
            return Err(Dim3Error);
        }
        let mut extents = [1; 3];
        extents[..numbers.len()].copy_from_slice(&numbers);
        Ok(Self(extents))
    }
}

impl fmt::Display for Dim3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "{x}x{y}x{z}")
    }
}

/// The shape of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launch {
    /// Blocks.
    pub grid: Dim3,
    /// Threads of a block.
    pub block: Dim3,
    /// Blocks of a cluster; `None` leaves it to the kernel.
    pub cluster: Option<Dim3>,
    /// Bytes of dynamic shared memory of a block.
    pub dynamic_shared: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions() {
        assert_eq!("4,2".parse(), Ok(Dim3([4, 2, 1])));
        for text in ["", "0", "1,2,3,4", "4x2", "-1"] {
            assert_eq!(text.parse::<Dim3>(), Err(Dim3Error), "{text}");
        }
    }
}
