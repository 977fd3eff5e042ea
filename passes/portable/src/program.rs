//! Kernels as naga holds them, and as text or binary of each language.

use naga::back::{hlsl, msl, spv, wgsl};
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use tile_plan::Target;
use tile_plan::scan::Workspace;
use tile_plan::target::api::Language;

use crate::error::Error;
use crate::spirv;

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
        let noted = |words| spirv::with_notes(spirv::without_contraction(words), &self.notes());
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
