//! The beginning of a plan's text: `vectors "gmem_smem", `.

use super::lexer::PlanLexer;
use super::mistake::Mistake;

/// The family and the variant that a text names, with their positions.
#[derive(Clone, Copy, Debug)]
pub struct Header<'t> {
    /// The word for the family.
    pub family: &'t str,
    /// Its position, in bytes.
    family_at: usize,
    /// The name of the variant.
    pub variant: &'t str,
    /// Its position, in bytes.
    pub variant_at: usize,
    /// The position of the plan's fields, in bytes.
    pub body: usize,
}

impl<'t> Header<'t> {
    /// The header of a text.
    ///
    /// # Errors
    /// What stands in its place.
    pub fn read(text: &'t str) -> Result<Self, Mistake> {
        let mut lexer = PlanLexer::new(text, 0);
        let family_at = lexer.at();
        let family = lexer.word();
        if family.is_empty() {
            return Err(lexer.expected("a family of plans, such as 'vectors'"));
        }
        let variant_at = lexer.at();
        let variant = lexer.string()?;
        lexer.take(',')?;
        Ok(Header { family, family_at, variant, variant_at, body: lexer.at() })
    }

    /// The mistake that there is no such family.
    pub fn unknown(&self, known: &[&str]) -> Mistake {
        let families = known.join(", ");
        Mistake::new(self.family_at, format!("got plan '{}', expected one of {families}", self.family))
    }
}
