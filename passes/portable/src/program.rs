//! Kernels as a naga module, their output as text or binary in each language with what naga leaves out of SPIR-V, and
//! the errors.

use naga::back::{hlsl, msl, spv, wgsl};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use thiserror::Error;
use tile_plan::scan::Workspace;
use tile_plan::target::Target;
use tile_plan::target::api::Language;

/// The index of the epoch's word in the uniform block: after n.
const EPOCH_WORD: u32 = 2;

/// A kernel of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramKernel {
    /// The name of its function in the text.
    pub(crate) entry: &'static str,
    /// Its name.
    pub name: String,
    /// Threads of a block.
    pub threads: i64,
    /// Elements per block; `None` for a kernel of one block in all.
    pub elements: Option<i64>,
}

/// What a launch needs besides its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// What the workspace needs.
    pub workspace: Workspace,
    /// The last epoch that the states can hold, where the program has states.
    pub last_epoch: Option<i64>,
    /// Threads of a subgroup, where the kernels require one size.
    pub subgroup: Option<i64>,
}

/// Kernels that are launched one after the other with the same arguments, each after the one before has ended.
#[derive(Debug)]
pub struct PortableProgram {
    module: naga::Module,
    info: ModuleInfo,
    target: Target,
    /// In the order in which they are launched.
    pub kernels: Vec<ProgramKernel>,
    /// What a launch needs.
    pub launch: Launch,
    /// The types of the kernel's declared arguments, where they are known.
    arguments: Vec<String>,
}

impl PortableProgram {
    pub(crate) fn new(
        text: String,
        kernels: Vec<ProgramKernel>,
        launch: Launch,
        target: Target,
    ) -> Result<Self, Error> {
        let mut parser = naga::front::wgsl::Frontend::new();
        let refused = |reason: String| Error::Text(format!("{reason}\n{text}"));
        let mut module = parser.parse(&text).map_err(|error| refused(error.emit_to_string(&text)))?;
        for kernel in &kernels {
            let entry = module.entry_points.iter_mut().find(|entry| entry.name == kernel.entry);
            entry.expect("the text has the kernels that are listed").name.clone_from(&kernel.name);
        }
        // The capabilities of the target, and no more.
        let api = target.api().ok_or(Error::Shape)?;
        let mut capabilities = Capabilities::default();
        capabilities.set(Capabilities::SHADER_INT64 | Capabilities::FLOAT64, api.floats_64);
        capabilities.set(Capabilities::SHADER_INT64, api.floats_64 || api.atomics_64);
        let atomics = Capabilities::SHADER_INT64_ATOMIC_ALL_OPS | Capabilities::SHADER_INT64_ATOMIC_MIN_MAX;
        capabilities.set(atomics, api.atomics_64);
        capabilities.set(Capabilities::SUBGROUP, launch.subgroup.is_some());
        let validated = Validator::new(ValidationFlags::all(), capabilities).validate(&module);
        let info = validated.map_err(|error| refused(error.emit_to_string(&text)))?;
        Ok(PortableProgram { module, info, target, kernels, launch, arguments: Vec::new() })
    }

    /// The same program, whose kernel is declared to take arguments of these types.
    pub(crate) fn taking(self, arguments: Vec<String>) -> Self {
        PortableProgram { arguments, ..self }
    }

    /// The program as SPIR-V, for the Vulkan version of the target; for other targets, for Vulkan 1.2.
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

    /// What the code that launches SPIR-V needs to know, in the form that tile-run reads.
    fn notes(&self) -> Vec<String> {
        let subgroup = self.launch.subgroup.map(|threads| format!("tile.subgroup {threads}"));
        let epoch = self.launch.last_epoch.map(|last| format!("tile.epoch {EPOCH_WORD} {last}"));
        let arguments = self.arguments.iter().map(|r#type| format!("tile.argument {type}"));
        subgroup.into_iter().chain(epoch).chain(arguments).collect()
    }

    /// The program as WGSL.
    ///
    /// # Errors
    /// What naga cannot write.
    pub fn wgsl(&self) -> Result<String, Error> {
        let text = wgsl::write_string(&self.module, &self.info, wgsl::WriterFlags::empty());
        text.map_err(|error| language("WGSL", &error))
    }

    /// The program as Metal's language.
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

    /// The program as Direct3D's language, for shader model 6.0.
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

/// The reason why there are no kernels.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// A plan for NVIDIA.
    #[error("got a plan with a ring, expected one for a portable target")]
    Shape,
    /// The text that this crate writes is not WGSL, which is an error of this crate.
    #[error("the text of the kernels is refused: {0}")]
    Text(String),
    /// A language cannot express the program.
    #[error("{language} cannot be written: {reason}")]
    Language {
        /// The language.
        language: &'static str,
        /// The reason.
        reason: String,
    },
}

fn language(language: &'static str, error: &dyn std::fmt::Display) -> Error {
    Error::Language { language, reason: error.to_string() }
}

/// No bounds checks: indices are computed from the length, so none is out of bounds.
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
/// OpTypeVoid to OpTypeForwardPointer: decorations are inserted before the first type.
const FIRST_TYPE: std::ops::RangeInclusive<u16> = 19..=39;
/// OpFAdd, OpFSub, OpFMul, OpFDiv, OpFNegate: undecorated, a driver may fuse some of them with a single rounding.
const ARITHMETIC: [u16; 5] = [129, 131, 133, 136, 127];

/// OpDecorate to OpGroupMemberDecorate: they follow the instructions about the module as a whole.
const DECORATIONS: std::ops::RangeInclusive<u16> = 71..=75;
const MODULE_PROCESSED: u32 = 330;

/// Adds `notes` as OpModuleProcessed instructions.
fn with_notes(words: Vec<u32>, notes: &[String]) -> Vec<u32> {
    let place = instructions(&words)
        .find(|&(_, opcode)| DECORATIONS.contains(&opcode) || FIRST_TYPE.contains(&opcode))
        .map_or(words.len(), |(at, _)| at);
    let noted = notes.iter().flat_map(|note| {
        // Ended by at least one zero byte.
        let mut text = note.clone().into_bytes();
        text.resize((text.len() + 1).next_multiple_of(4), 0);
        let text = text.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        [MODULE_PROCESSED | (text.len() as u32 + 1) << 16].into_iter().chain(text).collect::<Vec<_>>()
    });
    words[..place].iter().copied().chain(noted).chain(words[place..].iter().copied()).collect()
}

/// The offset and the opcode of each instruction.
fn instructions(words: &[u32]) -> impl Iterator<Item = (usize, u16)> {
    let next = |at: usize| {
        let length = (*words.get(at)? >> 16) as usize;
        Some(at + length.max(1))
    };
    std::iter::successors(Some(HEADER), move |&at| next(at)).map_while(|at| Some((at, *words.get(at)? as u16)))
}

/// Decorates float arithmetic with NoContraction, so that no driver fuses a product and a sum into one operation that
/// rounds once: all devices give the same bits.
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
