//! What a launch did.

use std::collections::BTreeMap;

use crate::code::Program;

/// Counts for one instruction, or sums of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Times a warp issued it.
    pub warps: u64,
    /// Lanes that executed it.
    pub lanes: u64,
    /// Bytes that it accessed in global memory (through `ld`, `st`, `atom`, `red` and asynchronous copies), or that it
    /// prefetched into L2: of a prefetch without a size, a line of 128 bytes.
    pub global_bytes: u64,
    /// 32-byte sectors that those accesses and prefetches of lines touched, counted for each warp request.
    pub sectors: u64,
    /// Bytes that it accessed in shared memory.
    pub shared_bytes: u64,
    /// Passes over the 32 banks of shared memory that the accesses took.
    pub wavefronts: u64,
    /// Passes that they would take without bank conflicts: one for each phase with an active lane.
    pub ideal_wavefronts: u64,
    /// Bytes of local memory.
    pub local_bytes: u64,
    /// Bytes of tensor memory.
    pub tensor_bytes: u64,
}

impl Counts {
    /// Passes lost to bank conflicts.
    pub fn bank_conflicts(&self) -> u64 {
        self.wavefronts - self.ideal_wavefronts
    }

    fn add(&mut self, other: &Self) {
        self.warps += other.warps;
        self.lanes += other.lanes;
        self.global_bytes += other.global_bytes;
        self.sectors += other.sectors;
        self.shared_bytes += other.shared_bytes;
        self.wavefronts += other.wavefronts;
        self.ideal_wavefronts += other.ideal_wavefronts;
        self.local_bytes += other.local_bytes;
        self.tensor_bytes += other.tensor_bytes;
    }
}

/// One instruction of the kernel with its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstructionCounts {
    /// The line in the PTX text.
    pub line: u32,
    /// The opcode with its modifiers.
    pub opcode: String,
    /// The counts.
    pub counts: Counts,
}

/// The result of a launch that found nothing wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Sums over all instructions.
    pub total: Counts,
    /// Instructions that were issued at least once, in the order of the text.
    pub instructions: Vec<InstructionCounts>,
    /// Blocks that ran.
    pub blocks: u64,
}

impl Report {
    pub(crate) fn new(program: &Program, counts: &[Counts], blocks: u64) -> Self {
        let mut total = Counts::default();
        let mut instructions = Vec::new();
        for (info, counts) in program.info.iter().zip(counts) {
            let Some(opcode) = info.opcode.filter(|_| counts.warps > 0) else { continue };
            total.add(counts);
            let opcode = program.opcodes[opcode as usize].clone();
            instructions.push(InstructionCounts { line: info.line, opcode, counts: *counts });
        }
        instructions.sort_by_key(|i| i.line);
        Self { total, instructions, blocks }
    }

    /// Counts by opcode (`ld.global.v4.b32`).
    pub fn by_opcode(&self) -> BTreeMap<&str, Counts> {
        let mut out: BTreeMap<&str, Counts> = BTreeMap::new();
        for i in &self.instructions {
            out.entry(&i.opcode).or_default().add(&i.counts);
        }
        out
    }
}
