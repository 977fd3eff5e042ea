//! The languages of portable targets.

use std::str::FromStr;

use tile_plan::target::api;

/// The language in which kernels are written for a portable target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShaderLanguage {
    /// Vulkan's, as little-endian words.
    SpirV,
    /// WebGPU's.
    Wgsl,
    /// Metal's.
    Msl,
    /// Direct3D's.
    Hlsl,
}

impl ShaderLanguage {
    /// The name in `tile-translate`'s options, e.g. `--tile-to-spirv`.
    pub fn name(self) -> &'static str {
        match self {
            ShaderLanguage::SpirV => "spirv",
            ShaderLanguage::Wgsl => "wgsl",
            ShaderLanguage::Msl => "msl",
            ShaderLanguage::Hlsl => "hlsl",
        }
    }

    /// The default target of kernels in this language.
    pub fn usual_target(self) -> &'static str {
        match self {
            ShaderLanguage::SpirV => "vulkan1.2",
            ShaderLanguage::Wgsl => "webgpu",
            ShaderLanguage::Msl => "metal",
            ShaderLanguage::Hlsl => "d3d12",
        }
    }

    /// The language of a target.
    pub(super) fn of(api: &api::Api) -> Self {
        match api.language {
            api::Language::SpirV { .. } => ShaderLanguage::SpirV,
            api::Language::Wgsl => ShaderLanguage::Wgsl,
            api::Language::Msl => ShaderLanguage::Msl,
            api::Language::Hlsl => ShaderLanguage::Hlsl,
        }
    }
}

impl FromStr for ShaderLanguage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [ShaderLanguage::SpirV, ShaderLanguage::Wgsl, ShaderLanguage::Msl, ShaderLanguage::Hlsl];
        let language = all.into_iter().find(|language| language.name() == text);
        language.ok_or_else(|| format!("got language '{text}', expected spirv, wgsl, msl or hlsl"))
    }
}
