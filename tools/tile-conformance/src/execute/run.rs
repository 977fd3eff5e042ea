//! One run of a program.

use ptx_sim::{Arg, Buffer, Call, LaunchConfig, Module, Report};
use tile_plan::problem::role::Role;

use super::image::{Images, Mask, compare};
use super::{RunError, checks, program, refused};
use crate::case::Case;
use crate::kernel::{self, issue};

/// The call of a program, and the expected final contents of its memory.
pub(super) struct Run {
    /// The images of each CTA.
    images: Vec<Images>,
    src: Buffer,
    dst: Buffer,
    /// Its arguments: both images, a mask of predicates, the run-time values, and the arguments of the constructs around
    /// the copy.
    pub(super) call: Call,
    pub(super) config: LaunchConfig,
}

impl Run {
    /// Puts both images into memory; `seed` selects the values of the elements, which differ between CTAs.
    pub(super) fn prepare(case: &Case, seed: u64, mask: &Mask) -> Result<Self, RunError> {
        let ctas = issue::ctas(case);
        let images: Vec<Images> = (0..ctas).map(|rank| Images::new(case, seed + 16 * rank as u64, mask)).collect();
        let mut call = Call::new();
        let src = call.buffer(&joined(images.iter().map(|images| &images.src))).map_err(refused)?;
        let dst = call.buffer(&joined(images.iter().map(|images| &images.dst))).map_err(refused)?;
        let (block, grid) = (u32::try_from(case.block).map_err(refused)?, u32::try_from(ctas).map_err(refused)?);
        let cluster = (grid > 1).then_some([grid, 1, 1]);
        let config = LaunchConfig { checks: checks(case), cluster, ..LaunchConfig::new(grid, block) };
        if case.issue.is_some_and(|issue| issue.predicated) {
            call.number(Arg::U32(mask.lanes));
        }
        call.indices(kernel::values(case));
        case.enclosing.iter().for_each(|around| call.number(Arg::U32(around.argument())));
        Ok(Run { images, src, dst, call, config })
    }

    pub(super) fn launch(&mut self, module: &Module) -> Result<Report, RunError> {
        let report = self.call.launch(module, program::ENTRY, &self.config);
        report.map_err(|error| RunError::Fault(error.to_string()))
    }

    /// Checks that all images are as expected. With two CTAs, each has received its own elements, or those that the
    /// other sent.
    pub(super) fn check(&self, case: &Case) -> Result<(), RunError> {
        let src = self.images.iter().map(|images| &images.src);
        let mut dst: Vec<_> = self.images.iter().map(|images| &images.expected).collect();
        if issue::is_remote(case) {
            dst.reverse();
        }
        self.same(case, Role::Src, self.src, src)?;
        self.same(case, Role::Dst, self.dst, dst.into_iter())
    }

    fn same<'i>(
        &self,
        case: &Case,
        role: Role,
        buffer: Buffer,
        images: impl Iterator<Item = &'i Vec<u8>>,
    ) -> Result<(), RunError> {
        let mut at = 0;
        let got = self.call.contents(buffer).map_err(refused)?;
        images.into_iter().try_for_each(|expected| {
            let part = got.get(at..at + expected.len()).unwrap_or_default();
            at += expected.len();
            compare(case, role, part, expected)
        })
    }
}

fn joined<'i>(images: impl Iterator<Item = &'i Vec<u8>>) -> Vec<u8> {
    images.flatten().copied().collect()
}
