//! Copies between registers: selects and shuffles, on words that record the origin of their elements.

use tile_layout::Eval;
use tile_plan::address;
use tile_plan::families::registers::plan::RegisterCopy;
use tile_plan::families::registers::steps::{Lanes, RegisterMachine, carry_out};
use tile_plan::problem::refusal::Refusal;
use tile_plan::problem::role::Role;

use super::moves::{Fault, Move, Sink};
use super::places::{Cell, Instance};

const LANES: i64 = 32;

/// A word of each thread of the scope, by the thread's number in the scope: the origin of each of its elements; none
/// for a thread that does not reach the copy.
type Word = Vec<Option<Vec<Cell>>>;

/// The threads of a scope.
struct Threads {
    /// The first thread.
    first: i64,
    /// A thread that takes a word from a lane that provides none.
    silent: Option<i64>,
}

impl Threads {
    /// The word that each thread takes from lane `lane`, a function of the thread's number in the scope.
    fn taken(&mut self, words: &Word, lane: impl Fn(i64) -> i64) -> Word {
        let one = |(number, cells): (usize, &Option<Vec<Cell>>)| {
            cells.as_ref()?;
            let thread = number as i64;
            let from = (self.first + thread) / LANES * LANES + lane(thread) - self.first;
            let given = usize::try_from(from).ok().and_then(|from| words.get(from).cloned().flatten());
            if given.is_none() {
                self.silent = Some(self.first + thread);
            }
            given
        };
        words.iter().enumerate().map(one).collect()
    }
}

impl RegisterMachine for Threads {
    type Word = Word;

    fn select(&mut self, bit: u32, set: Word, clear: Word) -> Word {
        let both = set.into_iter().zip(clear).enumerate();
        both.map(|(thread, (set, clear))| if thread >> bit & 1 == 1 { set } else { clear }).collect()
    }

    fn across(&mut self, bit: u32, given: Word) -> Word {
        let first = self.first;
        self.taken(&given, |thread| ((first + thread) % LANES) ^ (1 << bit))
    }

    fn from(&mut self, from: &Lanes, more: i64, word: Word) -> Word {
        self.taken(&word, |thread| from.lane(&mut Eval, thread, more))
    }
}

/// Moves every element that a thread writes.
pub(super) fn run(copy: &RegisterCopy, instance: &Instance, sink: Sink<'_>) -> Result<(), Fault> {
    let together = usize::try_from(copy.elements_of_word()).unwrap_or(1);
    let threads = instance.first..instance.first + copy.threads;
    let word = |registers: &[i64]| -> Word {
        let cells = |thread: i64| registers.iter().map(|&register| Cell::Register { thread, register }).collect();
        threads.clone().map(|thread| instance.active.contains(&thread).then(|| cells(thread))).collect()
    };
    let words = copy.registers(Role::Src).chunks(together).map(word).collect();
    let steps = copy.steps()?;
    let mut lanes = Threads { first: instance.first, silent: None };
    let words = carry_out(&mut lanes, &steps, words);
    if let Some(thread) = lanes.silent {
        return Err(Fault::Diverged { thread });
    }
    for &thread in &instance.active {
        let number = thread - instance.first;
        let conditions = address::holders(&mut Eval, &copy.dst.layout, copy.threads, number)
            .map_err(|error| Refusal::new("malformed-register-copy", error.to_string()));
        if !conditions?.iter().all(|condition| condition.holds()) {
            continue;
        }
        for (registers, word) in copy.registers(Role::Dst).chunks(together).zip(&words) {
            let elements = word[number as usize].iter().flatten();
            for (register, &from) in registers.iter().zip(elements) {
                for more in copy.copies() {
                    sink(Move { thread, from, to: Cell::Register { thread, register: register + more } })?;
                }
            }
        }
    }
    Ok(())
}
