//! Plans as text: the family, the variant, and the fields of the plan.
//!
//! ```text
//!   vectors "gmem_smem", rounds = 8, threads = 32, vector = 4, bits = 32, src = {layout = …}, dst = {layout = …}
//! ```

use tile_isa::words::one_of;

use crate::choose::Rule;
use crate::families::copy_plan::CopyPlan;
use crate::families::variant::Variant;
use crate::families::{each, partitioning};
use crate::text::{Header, Mistake};

impl CopyPlan {
    /// The plan as text.
    ///
    /// ```
    /// use tile_plan::families::copy_plan::CopyPlan;
    ///
    /// let text = "bulk \"bulk\", bits = 32, chunk = 64, src = {layout = (64) : (1), space = global, align = 16}, \
    ///             dst = {layout = (64) : (1), space = shared, align = 16}";
    /// let plan = CopyPlan::from_text(text).unwrap();
    /// assert_eq!(plan.to_text().unwrap(), text);
    /// assert_eq!(plan.verify(), Ok(()));
    /// let mistake = CopyPlan::from_text(&text.replace("chunk", "chunks")).unwrap_err();
    /// assert_eq!(mistake.at(), 24);
    /// assert_eq!(mistake.text, "got key 'chunks', expected one of bits, chunk, reduction, l2_evict, src, dst");
    /// ```
    ///
    /// # Errors
    /// A plan that no op carries, because it becomes several copies.
    pub fn to_text(&self) -> Result<String, Mistake> {
        let (family, body) = self.word_and_body()?;
        Ok(format!("{family} \"{}\", {body}", self.variant()))
    }

    /// The plan that a text describes. It may not be a plan that the variant makes: see [`CopyPlan::verify`].
    ///
    /// # Errors
    /// The first mistake.
    pub fn from_text(text: &str) -> Result<CopyPlan, Mistake> {
        let header = Header::read(text)?;
        let mut plan = CopyPlan::of_header(&header, text)?;
        let at = |reason: String| Mistake::new(header.variant_at, reason);
        let makes = |variant: &&dyn Variant| variant.about().makes == Some(plan.kind());
        let known: Vec<&str> = match plan.is_of_vectors() {
            true => partitioning().map(|variant| variant.name()).collect(),
            false => each().filter(makes).map(|variant| variant.name()).collect(),
        };
        one_of("variant", header.variant, known).map_err(|error| at(error.into()))?;
        let variant = each().find(|variant| variant.name() == header.variant);
        let variant = variant.ok_or_else(|| at("names no variant".to_owned()))?;
        let carried = plan.carried_mut().ok_or_else(|| at("has a plan that no op carries".to_owned()))?;
        carried.set_variant(variant.name(), variant.transfer()).map_err(|error| at(error.into()))?;
        Ok(plan)
    }
}
