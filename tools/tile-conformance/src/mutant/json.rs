//! Files of cases: read, and judged as any other case.

use super::Steps;
use crate::case::{self, Suite};
use crate::compare::judge;
use crate::lower::Compiler;

pub(super) fn run(text: &str, steps: &Steps) {
    steps.begin("read cases");
    let mut suite = Suite::default();
    if let Err(error) = case::read_text(text, &mut suite) {
        return drop(error.to_string());
    }
    let compiler = Compiler::new();
    for case in suite.cases.iter().take(4) {
        steps.begin("judge");
        judge(case, &compiler, None);
    }
}
