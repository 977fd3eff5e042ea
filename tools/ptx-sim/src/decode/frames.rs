//! The source locations that `.loc` gives to instructions, with the calls that were inlined.
//!
//! A `.loc` names the position of one call. How that call came to be there, by another call, says the `.loc` before it that has this
//! position.

use std::collections::HashMap;

use crate::parse::ast::{Location, Spot};
use crate::source::SourcePlace;

/// The most calls that are reported of one instruction.
const MAX_CALLS: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct InlinedLine {
    at: Spot,
    /// The number of the frame that calls this one.
    call: Option<u32>,
}

/// The frames of a program, by their numbers.
#[derive(Default)]
pub(crate) struct Frames {
    frames: Vec<InlinedLine>,
    numbers: HashMap<InlinedLine, u32>,
}

/// The frame that each position last had in a function.
#[derive(Default)]
pub(crate) struct LastFrames(HashMap<Spot, u32>);

impl Frames {
    /// The number of a location that follows others in a function.
    pub(crate) fn number(&mut self, location: Location, last: &mut LastFrames) -> u32 {
        let call = location.inlined_at.map(|at| match last.0.get(&at) {
            Some(&number) => number,
            None => self.intern(InlinedLine { at, call: None }),
        });
        let number = self.intern(InlinedLine { at: location.at, call });
        last.0.insert(location.at, number);
        number
    }

    fn intern(&mut self, frame: InlinedLine) -> u32 {
        let next = self.frames.len() as u32;
        *self.numbers.entry(frame).or_insert_with(|| {
            self.frames.push(frame);
            next
        })
    }

    /// A location by its number, with the names of files.
    pub(crate) fn source(&self, files: &HashMap<u64, String>, number: u32) -> SourcePlace {
        let calls = std::iter::successors(Some(number), |&number| self.frames[number as usize].call);
        let frames: Vec<Spot> = calls.take(1 + MAX_CALLS).map(|number| self.frames[number as usize].at).collect();
        let place = |spot: &Spot, inlined_at| SourcePlace {
            file: files.get(&spot.file).map_or_else(|| format!("file {}", spot.file), String::clone),
            line: spot.line,
            column: spot.column,
            inlined_at,
        };
        let (at, calls) = frames.split_first().expect("a number is that of a frame");
        let outermost_first = calls.iter().rev();
        place(at, outermost_first.fold(None, |caller, spot| Some(Box::new(place(spot, caller)))))
    }

    /// All locations, in the order of their numbers.
    pub(crate) fn sources(&self, files: &HashMap<u64, String>) -> Vec<SourcePlace> {
        (0..self.frames.len() as u32).map(|number| self.source(files, number)).collect()
    }
}
