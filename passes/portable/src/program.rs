//! Kernels as naga holds them, and as text or binary of each language, with what naga leaves out of SPIR-V; and what can go
//! wrong.

use naga::back::{hlsl, msl, spv, wgsl};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use thiserror::Error;
use tile_plan::Target;
use tile_plan::scan::Workspace;
use tile_plan::target::api::Language;

/// The epoch's word among the numbers: behind n.
const EPOCH_WORD: u32 = 2;

/// A kernel of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its function in the text.
    pub(crate) entry: &'static str,
    /// What it is called.
    pub name: String,
    /// Threads of a block.
    pub threads: i64,
    /// It has a block for so many elements; one block in all, if it does not say.
    pub elements: Option<i64>,
}

/// What a launch needs beside its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// What the workspace needs.
    pub workspace: Workspace,
    /// The last epoch that states have room for, where there are any.
    pub last_epoch: Option<i64>,
    /// Threads of a subgroup, where the kernels are for one size.
    pub subgroup: Option<i64>,
}

/// Kernels to be launched one after the other with the same arguments, each when the one before has ended.
#[derive(Debug)]
pub struct Program {
    module: naga::Module,
    info: ModuleInfo,
    target: Target,
    /// In the order in which they are launched.
    pub kernels: Vec<Kernel>,
    /// What a launch needs.
    pub launch: Launch,
    /// What the kernel is declared to take, where that is known.
    arguments: Vec<String>,
}

impl Program {
    pub(crate) fn new(text: String, kernels: Vec<Kernel>, launch: Launch, target: Target) -> Result<Self, Error> {
        let mut parser = naga::front::wgsl::Frontend::new();
        let refused = |reason: String| Error::Text(format!("{reason}\n{text}"));
        let mut module = parser.parse(&text).map_err(|error| refused(error.emit_to_string(&text)))?;
        for kernel in &kernels {
            let entry = module.entry_points.iter_mut().find(|entry| entry.name == kernel.entry);
            entry.expect("the text has the kernels that are listed").name.clone_from(&kernel.name);
        }
        // As a target has it, and no more.
        let api = target.api().ok_or(Error::Shape)?;
        let mut capabilities = Capabilities::default();
        capabilities.set(Capabilities::SHADER_INT64 | Capabilities::FLOAT64, api.floats_64);
        capabilities.set(Capabilities::SHADER_INT64, api.floats_64 || api.atomics_64);
        let atomics = Capabilities::SHADER_INT64_ATOMIC_ALL_OPS | Capabilities::SHADER_INT64_ATOMIC_MIN_MAX;
        capabilities.set(atomics, api.atomics_64);
        capabilities.set(Capabilities::SUBGROUP, launch.subgroup.is_some());
        let validated = Validator::new(ValidationFlags::all(), capabilities).validate(&module);
        let info = validated.map_err(|error| refused(error.emit_to_string(&text)))?;
        Ok(Program { module, info, target, kernels, launch, arguments: Vec::new() })
    }

    /// The same, of a kernel that is declared to take arguments of these types.
    pub(crate) fn taking(self, arguments: Vec<String>) -> Self {
        Program { arguments, ..self }
    }

    /// As SPIR-V, for the Vulkan that the target names; for other targets, 1.2.
    ///
    /// # Errors
    /// What naga cannot write.
    pub fn spirv(&self) -> Result<Vec<u32>, Error> {
        let version = match self.target.api().map(|api| api.language) {
            Some(Language::SpirV { version, .. }) => version,
            _ => (1, 5),
        };
        let options = spv::Options {
            lang_version: version,
            flags: spv::WriterFlags::empty(),
            bounds_check_policies: unchecked(),
            zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
            force_loop_bounding: false,
            ..spv::Options::default()
        };
        let words = spv::write_vec(&self.module, &self.info, &options, None);
        let noted = |words| with_notes(without_contraction(words), &self.notes());
        words.map(noted).map_err(|error| language("SPIR-V", &error))
    }

    /// What those who launch SPIR-V need to know, as tile-run reads it.
    fn notes(&self) -> Vec<String> {
        let subgroup = self.launch.subgroup.map(|threads| format!("tile.subgroup {threads}"));
        let epoch = self.launch.last_epoch.map(|last| format!("tile.epoch {EPOCH_WORD} {last}"));
        let arguments = self.arguments.iter().map(|r#type| format!("tile.argument {type}"));
        subgroup.into_iter().chain(epoch).chain(arguments).collect()
    }

    /// As WGSL.
    ///
    /// # Errors
    /// What naga cannot write.
    pub fn wgsl(&self) -> Result<String, Error> {
        let text = wgsl::write_string(&self.module, &self.info, wgsl::WriterFlags::empty());
        text.map_err(|error| language("WGSL", &error))
    }

    /// As Metal's language.
    ///
    /// # Errors
    /// What naga cannot write.
    pub fn msl(&self) -> Result<String, Error> {
        let options = msl::Options {
            lang_version: (2, 4),
            fake_missing_bindings: true,
            bounds_check_policies: unchecked(),
            zero_initialize_workgroup_memory: false,
            force_loop_bounding: false,
            ..msl::Options::default()
        };
        let written = msl::write_string(&self.module, &self.info, &options, &msl::PipelineOptions::default());
        written.map(|(text, _)| text).map_err(|error| language("MSL", &error))
    }

    /// As Direct3D's language, for shader model 6.0.
    ///
    /// # Errors
    /// What naga cannot write.
    pub fn hlsl(&self) -> Result<String, Error> {
        let options = hlsl::Options {
            shader_model: hlsl::ShaderModel::V6_0,
            fake_missing_bindings: true,
            zero_initialize_workgroup_memory: false,
            force_loop_bounding: false,
            ..hlsl::Options::default()
        };
        let mut text = String::new();
        let pipeline = hlsl::PipelineOptions::default();
        let written = hlsl::Writer::new(&mut text, &options, &pipeline).write(&self.module, &self.info, None);
        written.map_err(|error| language("HLSL", &error))?;
        Ok(text)
    }
}

/// Why there are no kernels.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// A plan for NVIDIA.
    #[error("got a plan with a ring, expected one for a portable target")]
    Shape,
    /// The text that this crate writes is not WGSL, which is an error of this crate.
    #[error("the text of the kernels is refused: {0}")]
    Text(String),
    /// A language has no way to say it.
    #[error("{language} cannot be written: {reason}")]
    Language {
        /// Which.
        language: &'static str,
        /// Why.
        reason: String,
    },
}

fn language(language: &'static str, error: &dyn std::fmt::Display) -> Error {
    Error::Language { language, reason: error.to_string() }
}

/// Indices are computed from the length: nothing is outside.
fn unchecked() -> BoundsCheckPolicies {
    BoundsCheckPolicies {
        index: BoundsCheckPolicy::Unchecked,
        buffer: BoundsCheckPolicy::Unchecked,
        ..BoundsCheckPolicies::default()
    }
}

const HEADER: usize = 5;
const DECORATE: u16 = 71;
const NO_CONTRACTION: u32 = 42;
/// The decorations that names and types of memory have come before the first type.
const FIRST_TYPE: std::ops::RangeInclusive<u16> = 19..=39;
/// OpFAdd, OpFSub, OpFMul, OpFDiv, OpFNegate: a driver may round some of them together otherwise.
const ARITHMETIC: [u16; 5] = [129, 131, 133, 136, 127];

/// OpDecorate to OpGroupMemberDecorate: they are behind what is about the module as a whole.
const DECORATIONS: std::ops::RangeInclusive<u16> = 71..=75;
const MODULE_PROCESSED: u32 = 330;

/// Adds texts about the module.
fn with_notes(words: Vec<u32>, notes: &[String]) -> Vec<u32> {
    let place = instructions(&words)
        .find(|&(_, opcode)| DECORATIONS.contains(&opcode) || FIRST_TYPE.contains(&opcode))
        .map_or(words.len(), |(at, _)| at);
    let noted = notes.iter().flat_map(|note| {
        // With a zero byte at least.
        let mut text = note.clone().into_bytes();
        text.resize((text.len() + 1).next_multiple_of(4), 0);
        let text = text.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        [MODULE_PROCESSED | (text.len() as u32 + 1) << 16].into_iter().chain(text).collect::<Vec<_>>()
    });
    words[..place].iter().copied().chain(noted).chain(words[place..].iter().copied()).collect()
}

/// Where each instruction is, and what it is.
fn instructions(words: &[u32]) -> impl Iterator<Item = (usize, u16)> {
    let next = |at: usize| {
        let length = (*words.get(at)? >> 16) as usize;
        Some(at + length.max(1))
    };
    std::iter::successors(Some(HEADER), move |&at| next(at)).map_while(|at| Some((at, *words.get(at)? as u16)))
}

/// Decorates float arithmetic, so that a product and a sum are not made one operation, which rounds once: all devices give the
/// same bits.
fn without_contraction(words: Vec<u32>) -> Vec<u32> {
    let arithmetic = instructions(&words).filter(|(_, opcode)| ARITHMETIC.contains(opcode));
    let results: Vec<u32> = arithmetic.map(|(at, _)| words[at + 2]).collect();
    let first_type = instructions(&words).find(|(_, opcode)| FIRST_TYPE.contains(opcode)).map(|(at, _)| at);
    let decorations = results.into_iter().flat_map(|id| [u32::from(DECORATE) | 3 << 16, id, NO_CONTRACTION]);
    let place = first_type.unwrap_or(words.len());
    let mut decorated = words[..place].to_vec();
    decorated.extend(decorations);
    decorated.extend(&words[place..]);
    decorated
}
