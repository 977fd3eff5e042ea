//! Kinds of kernels that are drawn as text, and are not reduced.

use std::marker::PhantomData;

use melior::Context;
use tile_passes::embed;

use crate::Args;
use crate::generator::Generator;
use crate::tally::{Outcome, Tally, Verdict, keep};

/// A kind of kernels.
pub trait Kernels {
    /// The text of a kernel, and the command that runs it.
    fn draw(seed: u64, number: u64) -> (String, String);

    /// What becomes of a kernel.
    fn judge(context: &Context, seed: u64, number: u64) -> Verdict;
}

/// The generator of a kind.
pub struct Drawn<K> {
    context: Context,
    kind: PhantomData<K>,
}

impl<K: Kernels> Generator for Drawn<K> {
    type Verdict = Verdict;
    type Report = Tally;

    fn new(_: &Args) -> Self {
        Drawn { context: embed::context(), kind: PhantomData }
    }

    fn text(args: &Args, number: u64) -> String {
        K::draw(args.seed, number).0
    }

    fn judge(&mut self, args: &Args, number: u64) -> Verdict {
        let verdict = K::judge(&self.context, args.seed, number);
        save::<K>(args, &verdict);
        verdict
    }

    fn crashed(args: &Args, number: u64, kind: &str, what: &str) -> Verdict {
        let outcome = Outcome::Finding(kind.to_owned(), what.to_owned());
        let verdict = Verdict { number, outcome, counted: Vec::new() };
        save::<K>(args, &verdict);
        verdict
    }

    fn number(verdict: &Verdict) -> u64 {
        verdict.number
    }
}

/// Saves a kernel with which something is wrong.
fn save<K: Kernels>(args: &Args, verdict: &Verdict) {
    if let Outcome::Finding(..) = &verdict.outcome {
        let (text, launch) = K::draw(args.seed, verdict.number);
        keep(args, verdict.number, &verdict.outcome.to_string(), &launch, &text);
    }
}
