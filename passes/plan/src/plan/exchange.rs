//! Lanes that exchange vectors, so that what they access together are whole lines of memory.

use crate::plan::VectorCopy;

/// Lanes whose vectors of 16 bytes make up one line of global memory, 128 bytes.
///
/// A warp's access of 16 bytes a lane is served 8 lanes at a time, and costs least when these ask for one line.
pub const LINE_LANES: i64 = 8;

/// One step of an exchange: the bit `round` of the number of a round and the bit `lane` of a lane's number swap places.
///
/// Of each pair of rounds `f` and `f + round`, where `f` has the bit clear, the lanes `t` and `t + lane` swap one vector:
///
/// ```text
///                    lane t      lane t + lane
///   round f          a0          a1  ┐                a, b: the vectors 0 and 1 of lane t, of lane t + lane
///   round f + round  b0  ────────────┘ b1             as loaded; a1 and b0 change places, then each lane has its own
/// ```
///
/// The step undoes itself: the same swap comes before stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExchangeStep {
    /// Distance of the two rounds, a power of two.
    pub round: i64,
    /// Distance of the two lanes, a power of two below [`LINE_LANES`].
    pub lane: i64,
}

impl VectorCopy {
    /// The steps after which each lane holds its own vectors; none where nothing is exchanged.
    ///
    /// Among 4 lanes, bit 0 of the round goes to bit 1 of the lane and bit 1 to bit 2: bit 0 of the lane stays, so that
    /// two neighbouring rows of 4 vectors are one line.
    pub fn exchange_steps(&self) -> impl Iterator<Item = ExchangeStep> + use<> {
        let lanes = self.exchange.clamp(1, LINE_LANES);
        (0..lanes.ilog2()).map(move |bit| ExchangeStep { round: 1 << bit, lane: (LINE_LANES / lanes) << bit })
    }

    /// Shuffles of 32 bits that the exchange takes of each thread: in every step a vector of each pair of rounds.
    pub fn shuffles(&self) -> i64 {
        let words = self.vector_bits() / 32;
        self.exchange_steps().map(|_| self.rounds / 2 * words).sum()
    }
}
