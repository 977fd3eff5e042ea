//! The layouts of tiles in registers that leave them open: each product is given an instruction of the chip, and the tiles that it and
//! the ops around it have in common the layouts that follow.
//!
//! ```mlir
//!   tile.copy %sa to %a                   sm_90a: dropped, wgmma reads %sa       sm_80: ldmatrix, to the fragment of mma.sync
//!   tile.mma %a, %sb, %sums               sm_100a: adds to tensor memory         sm_80: %sb is copied to a fragment first
//!   tile.map %sums to %half { … }         the lanes of the sums
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`read`] | the tiles of a kernel, as the planner sees them |
//! | [`copied`] | tiles that have what a shared tile has |
//! | [`write`] | the types, and the copies that products need |

mod copied;
mod read;
mod write;

use std::cell::RefCell;

use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use thiserror::Error;
use tile_dialect::emit::Diagnostic;
use tile_dialect::ir::{Rewriter, defining_op};
use tile_plan::linalg::{DivisionError, RegisterConflict, TileView, ViewRefusal};
use tile_plan::problem::refusal::Refusal;

use super::flow::TileClass;
use crate::options::LoweringOptions;
use crate::read::error::ReadError;
use crate::read::kernel;
use crate::read::problem::Reader;
use read::RegisterReading;
use write::RegisterWriter;

/// Why tiles in registers are given no layouts.
#[derive(Debug, Error)]
enum RegisterError {
    #[error("has the layout auto, no product decides which thread has which element, and it cannot be divided: {0}")]
    Undivided(DivisionError),
    #[error("views a tile whose layout is auto: {0}")]
    View(Box<ViewRefusal>),
    #[error("is related to tiles whose layout is auto, and what they need disagrees: {0}; expected the same of both")]
    Around(String),
    #[error("decides the layouts of tiles that are auto, and {0}")]
    Product(Refusal),
    #[error(
        "decides the layouts of tiles that are auto, and disagrees with another product: {0}; expected the same for both"
    )]
    Disagree(String),
    #[error("decides the layouts of tiles that are auto: got threads of which {0}, expected all of its scope")]
    Threads(String),
    #[error("decides the layouts of tiles that are auto: {0}")]
    Read(#[from] ReadError),
}

impl RegisterError {
    fn diagnostic<'c>(&self) -> Diagnostic<'c> {
        Diagnostic::error(self.to_string())
    }
}

/// Chooses the layouts of tiles in registers; `false`, after errors, where one has none.
pub fn run<'c: 'a, 'a>(classes: &[TileClass<'c, 'a>], options: &LoweringOptions, rewriter: Rewriter<'c, 'a>) -> bool {
    let reader = Reader::new(options);
    let mut kernels: Vec<(OperationRef<'c, 'a>, Vec<&TileClass<'c, 'a>>)> = Vec::new();
    for class in classes {
        let Some(kernel) = class.allocs.first().and_then(|op| kernel::function(*op)) else { continue };
        match kernels.iter_mut().find(|(known, _)| *known == kernel) {
            Some((_, of_kernel)) => of_kernel.push(class),
            None => kernels.push((kernel, vec![class])),
        }
    }
    let choose = |(kernel, classes): (OperationRef<'c, 'a>, Vec<_>)| choose(kernel, &classes, &reader, rewriter);
    let mut is_complete = true;
    for kernel in kernels {
        is_complete &= choose(kernel);
    }
    is_complete
}

fn choose<'c: 'a, 'a>(
    kernel: OperationRef<'c, 'a>,
    classes: &[&TileClass<'c, 'a>],
    reader: &Reader<'_>,
    rewriter: Rewriter<'c, 'a>,
) -> bool {
    let reading = match RegisterReading::new(kernel, classes, reader) {
        Ok(reading) => reading,
        Err((op, error)) => {
            error.diagnostic().emit(op);
            return false;
        }
    };
    let Some(&alloc) = classes.first().and_then(|class| class.allocs.first()) else { return true };
    let target = match reader.target(alloc) {
        Ok(target) => target,
        Err(error) => {
            RegisterError::Read(error).diagnostic().emit(alloc);
            return false;
        }
    };
    match reading.tiles.choose(&target) {
        Ok(choice) => {
            RegisterWriter { reading: &reading, rewriter, kernel, loaded: RefCell::default() }.write(&choice).is_some()
        }
        Err(conflicts) => {
            conflicts.into_iter().for_each(|conflict| report(&reading, alloc, conflict));
            false
        }
    }
}

fn report<'c: 'a, 'a>(reading: &RegisterReading<'_, 'c, 'a>, first: OperationRef<'c, 'a>, conflict: RegisterConflict) {
    let maker = |tile| reading.value(tile).and_then(defining_op).unwrap_or(first);
    let product = |number: usize| reading.products[number].0;
    match conflict {
        RegisterConflict::Undivided(tile, error) => {
            let error = RegisterError::Undivided(error);
            error.diagnostic().emit(maker(tile));
        }
        RegisterConflict::Product(number, refusal) => {
            RegisterError::Product(refusal).diagnostic().emit(product(number));
        }
        RegisterConflict::Apart { products: [one, other], reason } => apart([one, other].map(product), reason),
        RegisterConflict::Disagree { origins: [Some(one), Some(other)], reason, .. } => {
            apart([one, other].map(product), reason);
        }
        RegisterConflict::Disagree { tile, origins, reason } => {
            let error = RegisterError::Around(reason).diagnostic();
            let products = origins.into_iter().flatten().map(product);
            products.fold(error, |error, product| error.note(product.location(), DECIDES)).emit(maker(tile));
        }
        RegisterConflict::View { view, origin, refusal } => {
            let TileView { source, view, .. } = &reading.tiles.views[view];
            let error = RegisterError::View(refusal).diagnostic();
            let error = error.note(maker(*source).location(), "the tile that is viewed");
            let products = origin.map(product).into_iter();
            products.fold(error, |error, product| error.note(product.location(), DECIDES)).emit(maker(*view));
        }
    }
}

const DECIDES: &str = "this product decides";

/// Two products of which tiles would need different layouts.
fn apart(products: [OperationRef<'_, '_>; 2], reason: String) {
    let [one, other] = products;
    let error = RegisterError::Disagree(reason).diagnostic();
    if one == other { error } else { error.note(one.location(), "the other product") }.emit(other);
}
