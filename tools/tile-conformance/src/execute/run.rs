//! One run of a program.

use ptx_sim::{Arg, LaunchConfig, Memory, Module, Pointer, Report};
use tile_plan::Role;

use super::image::{Images, Mask, compare};
use super::{RunError, checks, program, refused};
use crate::case::Case;
use crate::kernel::{self, issue};

/// A program's memory, and its expected final contents.
pub(super) struct Run {
    /// The images of each CTA.
    images: Vec<Images>,
    src: Pointer,
    dst: Pointer,
    pub(super) memory: Memory,
    /// Both images, a mask of predicates, the run-time values, and the arguments of the constructs around the copy.
    pub(super) args: Vec<Arg>,
    pub(super) config: LaunchConfig,
}

impl Run {
    /// Puts both images into memory; `seed` selects the values of the elements, which differ between CTAs.
    pub(super) fn prepare(case: &Case, seed: u64, mask: &Mask) -> Result<Self, RunError> {
        let ctas = issue::ctas(case);
        let images: Vec<Images> = (0..ctas).map(|rank| Images::new(case, seed + 16 * rank as u64, mask)).collect();
        let mut memory = Memory::new();
        let src = memory.alloc_with(&joined(images.iter().map(|images| &images.src))).map_err(refused)?;
        let dst = memory.alloc_with(&joined(images.iter().map(|images| &images.dst))).map_err(refused)?;
        let (block, grid) = (u32::try_from(case.block).map_err(refused)?, u32::try_from(ctas).map_err(refused)?);
        let cluster = (grid > 1).then_some([grid, 1, 1]);
        let config = LaunchConfig { checks: checks(case), cluster, ..LaunchConfig::new(grid, block) };
        let mut args = vec![Arg::Ptr(src), Arg::Ptr(dst)];
        args.extend(case.issue.filter(|issue| issue.predicated).map(|_| Arg::U32(mask.lanes)));
        args.extend(kernel::values(case).into_iter().map(|value| Arg::U64(value as u64)));
        args.extend(case.enclosing.iter().map(|around| Arg::U32(around.argument())));
        Ok(Run { images, src, dst, memory, args, config })
    }

    pub(super) fn launch(&mut self, module: &Module) -> Result<Report, RunError> {
        ptx_sim::launch(&mut self.memory, module, program::ENTRY, &self.config, &self.args)
            .map_err(|error| RunError::Fault(error.to_string()))
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
        pointer: Pointer,
        images: impl Iterator<Item = &'i Vec<u8>>,
    ) -> Result<(), RunError> {
        let mut at = 0;
        let images: Vec<&Vec<u8>> = images.collect();
        let got = self.memory.peek(pointer, images.iter().map(|image| image.len()).sum()).map_err(refused)?;
        images.into_iter().try_for_each(|expected| {
            let own = got.get(at..at + expected.len()).unwrap_or_default();
            at += expected.len();
            compare(case, role, own, expected)
        })
    }
}

fn joined<'i>(images: impl Iterator<Item = &'i Vec<u8>>) -> Vec<u8> {
    images.flatten().copied().collect()
}
