//! The kernels that the synchronization passes are measured on.

use std::fmt::Write;

/// The structure of a kernel, and the synchronization of its copies.
#[derive(Clone, Copy)]
pub enum KernelShape {
    /// Straight-line copies, with a barrier after each.
    Straight,
    /// The same, in loops of ten copies in and ten copies out.
    Loops,
    /// Straight-line copies without barriers.
    Bare,
    /// Copies without barriers, in loops of ten copies in and ten copies out.
    BareLoops,
    /// Copies without barriers, in branches with as many copies.
    BareBranches,
    /// Copies without barriers, in branches inside loops and loops inside branches.
    BareNested,
    /// Loops that request stages, with run-time bounds: an asynchronous copy in, and a copy out.
    Stages,
}

impl KernelShape {
    pub fn name(self) -> &'static str {
        match self {
            KernelShape::Straight => "straight",
            KernelShape::Loops => "loops",
            KernelShape::Bare => "bare",
            KernelShape::BareLoops => "bare loops",
            KernelShape::BareBranches => "bare branches",
            KernelShape::BareNested => "bare nested",
            KernelShape::Stages => "stages",
        }
    }

    /// A kernel of `size` copies and barriers.
    pub fn kernel(self, size: u32) -> String {
        let mut kernel = Kernel { text: String::from(HEAD), ordered: self.is_ordered(), made: 0, turn: 0 };
        while kernel.made < size {
            match self {
                KernelShape::Straight | KernelShape::Bare => kernel.pair(),
                KernelShape::Loops | KernelShape::BareLoops => {
                    kernel.around("scf.for %i = %c0 to %n step %c1", |kernel| kernel.ten(size))
                }
                KernelShape::BareBranches => kernel.around("scf.if %f", |kernel| kernel.ten(size)),
                KernelShape::BareNested => kernel.nested(),
                KernelShape::Stages => kernel.stages(),
            }
        }
        kernel.text + "    gpu.return\n  }\n}\n"
    }

    /// Whether there is a barrier after each copy.
    fn is_ordered(self) -> bool {
        matches!(self, KernelShape::Straight | KernelShape::Loops)
    }
}

/// A kernel that is being written: tiles go through four buffers, which are written in bands of 8 rows and read in bands
/// of 16.
struct Kernel {
    text: String,
    /// Whether there is a barrier after each copy to a buffer.
    ordered: bool,
    /// The number of copies and barriers.
    made: u32,
    /// The number of copies to a buffer.
    turn: u32,
}

impl Kernel {
    fn line(&mut self, text: impl std::fmt::Display) {
        let _ = writeln!(self.text, "    {text}");
    }

    fn copy_in(&mut self) {
        let (s, row) = (self.turn % 4, self.turn % 8 * 8);
        self.line(format!("tile.copy %a[{row}, 0] [8, 32] to %s{s}[{row}, 0] [8, 32] scope(cta) : !g to !s"));
        self.made += 1;
        self.barrier();
    }

    fn copy_out(&mut self) {
        let (s, from) = (self.turn % 4, (self.turn * 3 + 1) % 4 * 16);
        self.line(format!("tile.copy %s{s}[{from}, 0] [16, 32] to %b[{from}, 0] [16, 32] scope(cta) : !s to !g"));
        self.made += 1;
        self.turn += 1;
    }

    fn barrier(&mut self) {
        if self.ordered {
            self.line("gpu.barrier");
            self.made += 1;
        }
    }

    /// A copy to a buffer, and one from it.
    fn pair(&mut self) {
        self.copy_in();
        self.copy_out();
    }

    /// Ten pairs, or fewer at the end of the kernel.
    fn ten(&mut self, size: u32) {
        for _ in 0..10 {
            if self.made < size {
                self.pair();
            }
        }
        self.barrier();
    }

    fn around(&mut self, op: &str, inside: impl FnOnce(&mut Self)) {
        self.line(format!("{op} {{"));
        inside(self);
        self.line("}");
    }

    /// A loop with a branch, one of whose arms is another loop with a branch; none of them writes all that it reads.
    fn nested(&mut self) {
        self.around("scf.for %i = %c0 to %n step %c1", |kernel| {
            kernel.pair();
            kernel.line("scf.if %f {");
            kernel.copy_out();
            kernel.pair();
            kernel.line("} else {");
            kernel.around("scf.for %j = %c0 to %n step %c1", |kernel| {
                kernel.copy_out();
                kernel.copy_in();
                kernel.around("scf.if %e", Self::pair);
                kernel.copy_out();
            });
            kernel.line("}");
            kernel.copy_in();
        });
        self.copy_out();
    }

    fn stages(&mut self) {
        let s = self.turn % 4;
        self.line("scf.for %i = %c0 to %n step %c64 {");
        self.line(format!("tile.copy_async %a[%i, 0] [64, 32] to %s{s} scope(cta) group : !g to !s"));
        self.line(format!("tile.copy %s{s} to %b[%i, 0] [64, 32] scope(cta) : !s to !g"));
        self.line("} {tile.stages = 3 : i64}");
        self.made += 2;
        self.turn += 1;
    }
}

const HEAD: &str = "!g = !tile.buffer<1024x32xf32, global>
!s = !tile.buffer<64x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = \"sm_90a\">] {
  gpu.func @long(%A: memref<1024x32xf32>, %B: memref<1024x32xf32>, %n: index, %e: i1, %f: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x32xf32> to !g
    %b = tile.view %B : memref<1024x32xf32> to !g
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s0 = tile.alloc : !s
    %s1 = tile.alloc : !s
    %s2 = tile.alloc : !s
    %s3 = tile.alloc : !s
";
