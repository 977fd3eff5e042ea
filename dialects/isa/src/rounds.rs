//! Rounds of vectors: their number, the number of accesses of each vector, and the exchange of vectors between lanes.

use thiserror::Error;
use tile_layout::counted;

use crate::access::{AccessError, WARP, check_threads};
use crate::messages::message_of;

/// Rounds, accesses or exchanges that do not go with the elements and threads of a copy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RoundsError {
    /// A number of threads that no block has.
    #[error(transparent)]
    Threads(#[from] AccessError),
    /// More threads in the last round than in the others, or none.
    #[error("got last_threads = {last}, expected 1 to {threads}")]
    LastThreads { last: i64, threads: i64 },
    /// Rounds that do not add up to the elements.
    #[error("got rounds x threads x vector = {}, expected {} in all", .rounds.product(), counted(*.elements, "element"))]
    Elements { rounds: Rounds, elements: i64 },
    /// An exchange between another number of lanes.
    #[error("got an exchange between {}, expected 2, 4 or 8", counted(*.0, "lane"))]
    Lanes(i64),
    /// An exchange in which a lane may have no part.
    #[error("got an exchange between lanes and a predicate or a mask, expected one of them")]
    ExchangeDecided,
    /// An exchange in rounds that are no multiple of its lanes.
    #[error("got an exchange between {lanes} lanes in {}, expected a multiple of {lanes}", counted(*.rounds, "round"))]
    ExchangeRounds { lanes: i64, rounds: i64 },
    /// An exchange in parts of warps.
    #[error("got an exchange between lanes of {}, {last} of them in the last round, expected whole warps in all", counted(*.threads, "thread"))]
    ExchangeThreads { threads: i64, last: i64 },
    /// Numbers of loads and stores that do not divide the vector.
    #[error("got accesses {accesses:?}, expected a number of loads and one of stores that divide the vector of {}", counted(*.vector, "element"))]
    Accesses { accesses: Vec<i64>, vector: i64 },
    /// Several accesses of a vector that is moved as it is.
    #[error("got accesses {0:?} of a copy that neither converts nor reduces, expected none")]
    SeveralAccesses(Vec<i64>),
}

message_of!(RoundsError);

/// Numbers of lanes that may exchange their vectors, largest first: up to a line of 128 bytes in accesses of 16.
pub const EXCHANGE_LANES: [i64; 3] = [8, 4, 2];

/// How the elements of a copy are divided: in each round every thread has one vector; in the last one only `last` threads
/// have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rounds {
    /// Rounds, the last one included.
    pub rounds: i64,
    /// Threads that share the copy.
    pub threads: i64,
    /// Threads that have a vector in the last round.
    pub last: i64,
    /// Elements of a vector.
    pub vector: i64,
}

impl Rounds {
    /// `[3, 32, 4] with 8 threads in the last round`.
    fn product(self) -> String {
        let Rounds { rounds, threads, last, vector } = self;
        let in_last = if last == threads { String::new() } else { format!(" with {last} threads in the last round") };
        format!("{:?}{in_last}", [rounds, threads, vector])
    }

    /// Checks that the rounds add up to this number of elements.
    ///
    /// # Errors
    /// A number of threads that no block has, more threads in the last round than in the others, or another number of
    /// elements: got and expected.
    pub fn check(self, elements: i64) -> Result<(), RoundsError> {
        let Rounds { rounds, threads, last, vector } = self;
        check_threads(threads)?;
        if !(1..=threads).contains(&last) {
            return Err(RoundsError::LastThreads { last, threads });
        }
        let vectors = (rounds - 1).checked_mul(threads).and_then(|full| full.checked_add(last));
        let product = vectors.and_then(|vectors| vectors.checked_mul(vector));
        if rounds >= 1 && product == Some(elements) {
            return Ok(());
        }
        Err(RoundsError::Elements { rounds: self, elements })
    }

    /// Checks that this number of lanes may exchange their vectors. `decided` says that a predicate or a mask decides for
    /// each thread or vector whether it takes part.
    ///
    /// # Errors
    /// An unsupported number of lanes, lanes that may have nothing to exchange, or numbers of rounds or threads that are
    /// not multiples: got and expected.
    pub fn check_exchange(self, lanes: i64, decided: bool) -> Result<(), RoundsError> {
        if !EXCHANGE_LANES.contains(&lanes) {
            return Err(RoundsError::Lanes(lanes));
        }
        if decided {
            return Err(RoundsError::ExchangeDecided);
        }
        if self.rounds % lanes != 0 {
            return Err(RoundsError::ExchangeRounds { lanes, rounds: self.rounds });
        }
        if self.threads % WARP != 0 || self.last != self.threads {
            return Err(RoundsError::ExchangeThreads { threads: self.threads, last: self.last });
        }
        Ok(())
    }
}

/// Checks the numbers of accesses per vector of the source and of the destination. There may be more than one only where
/// elements are converted or reduced (`several`).
///
/// # Errors
/// Got and expected.
pub fn check_accesses(accesses: &[i64], vector: i64, several: bool) -> Result<(), RoundsError> {
    let divides = |accesses: i64| accesses >= 1 && vector % accesses == 0;
    match *accesses {
        [1, 1] => Ok(()),
        [loads, stores] if several && divides(loads) && divides(stores) => Ok(()),
        _ if several => Err(RoundsError::Accesses { accesses: accesses.to_vec(), vector }),
        _ => Err(RoundsError::SeveralAccesses(accesses.to_vec())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(rounds: i64, threads: i64, last: i64, vector: i64) -> Rounds {
        Rounds { rounds, threads, last, vector }
    }

    #[test]
    fn rounds_make_up_the_elements() {
        for all in 1..=3 {
            for threads in 1..=4 {
                for last in 1..=threads {
                    let count = (0..all).map(|round| if round + 1 == all { last } else { threads }).sum::<i64>() * 2;
                    assert_eq!(rounds(all, threads, last, 2).check(count), Ok(()));
                    assert!(rounds(all, threads, last, 2).check(count + 1).is_err());
                }
            }
        }
        assert_eq!(
            rounds(2, 32, 31, 1).check(64).unwrap_err().to_string(),
            "got rounds x threads x vector = [2, 32, 1] with 31 threads in the last round, expected 64 elements in all"
        );
        assert_eq!(rounds(2, 32, 33, 1).check(64).unwrap_err().to_string(), "got last_threads = 33, expected 1 to 32");
        assert_eq!(rounds(1, 0, 0, 1).check(0).unwrap_err().to_string(), "got 0 threads, expected 1 to 1024");
        // The product of two negative numbers is no number of elements.
        assert!(
            rounds(-1, 32, 32, -2)
                .check(64)
                .unwrap_err()
                .to_string()
                .starts_with("got rounds x threads x vector = [-1")
        );
        assert!(rounds(i64::MAX, 1024, 1024, i64::MAX).check(64).is_err());
    }

    #[test]
    fn lanes_exchange_in_whole_rounds_and_warps() {
        let good = rounds(8, 64, 64, 4);
        for lanes in -2..20 {
            assert_eq!(good.check_exchange(lanes, false).is_ok(), [2, 4, 8].contains(&lanes), "{lanes}");
        }
        let refused = |rounds: Rounds, decided| rounds.check_exchange(4, decided).unwrap_err().to_string();
        assert_eq!(
            refused(good, true),
            "got an exchange between lanes and a predicate or a mask, expected one of them"
        );
        assert!(refused(rounds(6, 64, 64, 4), false).ends_with("in 6 rounds, expected a multiple of 4"));
        assert!(refused(rounds(8, 48, 48, 4), false).contains("of 48 threads"));
        assert!(refused(rounds(8, 64, 32, 4), false).contains("32 of them in the last round"));
    }

    #[test]
    fn accesses_divide_the_vector() {
        for loads in -1..=9 {
            let divides = [1, 2, 4, 8].contains(&loads);
            assert_eq!(check_accesses(&[loads, 2], 8, true).is_ok(), divides, "{loads}");
            assert_eq!(check_accesses(&[loads, 1], 8, false).is_ok(), loads == 1, "{loads}");
        }
        assert!(
            check_accesses(&[1], 8, true).unwrap_err().to_string().ends_with("that divide the vector of 8 elements")
        );
        assert!(check_accesses(&[2, 1], 8, false).unwrap_err().to_string().contains("neither converts nor reduces"));
    }
}
