//! The program that is executed: images in, the copy, images out.
//!
//! ```text
//!   gpu.func @copy(%src_image, %dst_image)
//!     shared: workgroup memory, seen as the tile      filled from the image, thread by thread
//!     local:  registers, seen through tile.local_view  filled by each thread for itself
//!     tmem:   all of it, allocated and filled by plain instructions
//!     global: the image itself
//!     barrier; the copy, under its conditions; a wait for its completion; barrier
//!     sides other than global ones are copied back to their images
//! ```
//!
//! A copy to another CTA runs in a cluster of two, in which each CTA copies to the other; a copy for a pair of CTAs
//! also runs in a cluster of two, in which the first CTA copies for both. The images are those of both CTAs.

use tile_isa::Space;
use tile_plan::problem::role::Role;

use super::image::elements;
use super::transfer::{Direction, SHARED, image, memref, transfer};
use crate::case::Case;
use crate::kernel::{self, Text, buffer_type, copy, issue, name, quoted, tensor};

/// The kernel.
pub(super) const ENTRY: &str = "copy";

/// A module of one kernel, whose arguments are the images of both sides, then those of [`kernel::arguments`].
pub(super) fn text(case: &Case) -> String {
    let sides = [Role::Src, Role::Dst];
    let mut body = Text::indented(2);
    kernel::begins(&mut body, case);
    kernel::open(&mut body, case);
    issue::operands(&mut body, case);
    if in_tensor_memory(case) {
        tensor::allocate(&mut body, issue::pair(case));
    }
    sides.into_iter().for_each(|role| define(&mut body, case, role));
    sides.into_iter().for_each(|role| transfer(&mut body, case, role, Direction::Fill));
    kernel::views::define(&mut body, case);
    issue::prepare(&mut body, case);
    meet(&mut body, case);
    issue::issue(&mut body, case, &copy(case));
    issue::wait(&mut body, case);
    meet(&mut body, case);
    sides.into_iter().for_each(|role| transfer(&mut body, case, role, Direction::Drain));
    if in_tensor_memory(case) {
        tensor::release(&mut body, issue::pair(case));
    }
    body.line("gpu.return");

    let mut whole = Text::indented(0);
    for role in sides {
        whole.line(&format!("!{} = {}", name(role), buffer_type(case.side(role))));
    }
    whole.line(&format!("gpu.module @kernels [#nvvm.target<chip = {}>] {{", quoted(&case.chip)));
    issue::globals(&mut whole, case);
    if in_tensor_memory(case) {
        tensor::globals(&mut whole);
    }
    whole.line(&format!("  gpu.func @{ENTRY}({}){} kernel", arguments(case), shared_memory(case)));
    whole.line(&format!("      attributes {{known_block_size = array<i32: {}, 1, 1>}} {{", case.block));
    whole.append(body);
    whole.line("  }");
    whole.line("}");
    whole.into_string()
}

fn in_tensor_memory(case: &Case) -> bool {
    [&case.src, &case.dst].iter().any(|side| side.space == Space::Tmem)
}

/// Synchronizes all threads that take part.
fn meet(body: &mut Text, case: &Case) {
    if issue::is_remote(case) {
        body.line("nvvm.cluster.arrive {aligned}");
        body.line("nvvm.cluster.wait {aligned}");
    } else if in_tensor_memory(case) {
        tensor::barrier(body, issue::pair(case));
    } else {
        body.line("gpu.barrier");
    }
}

fn arguments(case: &Case) -> String {
    let argument = |role| format!("%{}_image: {}", name(role), image(case, role));
    let images = [Role::Src, Role::Dst].map(argument);
    let mask = case.issue.filter(|issue| issue.predicated).map(|_| "%mask: i32".to_owned());
    images.into_iter().chain(mask).chain(kernel::arguments(case)).collect::<Vec<_>>().join(", ")
}

/// ` workgroup(%src_shared : memref<…>)` for the sides that need it.
fn shared_memory(case: &Case) -> String {
    let declaration = |role: Role| {
        let shared = memref(elements(case, role), case.side(role), SHARED);
        // The swizzle pattern starts at the start of the storage, for the descriptors of copies to tensor memory, too.
        let align = if case.dst.space == Space::Tmem { 1024 } else { 16 };
        format!("%{}_shared : {shared} {{llvm.align = {align} : i64}}", name(role))
    };
    let sides = [Role::Src, Role::Dst].into_iter().filter(|&role| case.side(role).space == Space::Shared);
    let list: Vec<String> = sides.map(declaration).collect();
    if list.is_empty() { String::new() } else { format!(" workgroup({})", list.join(", ")) }
}

/// Defines the tile of a side.
fn define(body: &mut Text, case: &Case, role: Role) {
    let (side, name) = (case.side(role), name(role));
    let count = elements(case, role);
    match side.space {
        Space::Global => {
            let (given, image) = (kernel::given(name, side), memref(count, side, ""));
            body.line(&format!("%{name} = tile.view %{name}_image{given} : {image} to !{name}"))
        }
        Space::Shared => {
            body.line(&format!("%{name} = tile.view %{name}_shared : {} to !{name}", memref(count, side, SHARED)))
        }
        Space::Local => body.line(&format!("%{name} = tile.alloc : !{name}")),
        Space::Tmem => body.line(&format!("%{name} = tile.tmem %address : !{name}")),
    };
}
