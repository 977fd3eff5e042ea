//! Checks the workflow for hosted runners: that it is YAML, runs the script that everyone runs, and trusts no more than it
//! must.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use yaml_rust2::{Yaml, YamlLoader};

/// The script, as a step of the workflow names it.
const SCRIPT: &str = ".ci/run";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("tools/xtask is in the checkout")
}

fn workflow() -> Yaml {
    let text = fs::read_to_string(root().join(".github/workflows/ci.yml")).expect("the workflow");
    let [workflow] = YamlLoader::load_from_str(&text).expect("YAML").try_into().expect("one document");
    workflow
}

fn steps(workflow: &Yaml) -> Vec<&Yaml> {
    let jobs = workflow["jobs"].as_hash().expect("jobs");
    jobs.values().flat_map(|job| job["steps"].as_vec().expect("steps")).collect()
}

#[test]
fn the_workflow_runs_the_script_for_pushes_and_pull_requests() {
    let workflow = workflow();
    let events = workflow["on"].as_hash().expect("events");
    for event in ["push", "pull_request"] {
        assert!(events.contains_key(&Yaml::String(event.to_owned())), "{event}");
    }
    for command in [SCRIPT, "cargo xtask site"] {
        assert!(steps(&workflow).iter().any(|step| step["run"].as_str() == Some(command)), "{command}");
    }
    let mode = fs::metadata(root().join(SCRIPT)).expect("the script").permissions().mode();
    assert_eq!(mode & 0o111, 0o111, "everyone may execute the script");
}

#[test]
fn the_workflow_may_only_read_and_pins_its_actions() {
    let workflow = workflow();
    let rights: Vec<_> = workflow["permissions"].as_hash().expect("permissions").iter().collect();
    assert_eq!(rights, [(&Yaml::String("contents".to_owned()), &Yaml::String("read".to_owned()))]);
    for (name, job) in workflow["jobs"].as_hash().expect("jobs") {
        let may_write = !job["permissions"].is_badvalue();
        let is_publish = name.as_str() == Some("publish") && job["if"].as_str() == Some("github.event_name == 'push'");
        assert!(!may_write || is_publish, "{name:?}: only what publishes the site may write");
    }
    for action in steps(&workflow).iter().filter_map(|step| step["uses"].as_str()) {
        let version = action.split_once("@v").map(|(_, version)| version.split('.').collect::<Vec<_>>());
        let is_full = |parts: &[&str]| parts.len() == 3 && parts.iter().all(|part| part.parse::<u32>().is_ok());
        assert!(version.is_some_and(|parts| is_full(&parts)), "{action}: expected a version such as v1.2.3");
    }
}

/// The image has the compiler that Cargo.toml states as the oldest, so that nothing newer is used.
#[test]
fn the_workflow_uses_the_oldest_supported_rust() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace's manifest");
    let (_, rest) = manifest.split_once("\nrust-version = \"").expect("the oldest Rust");
    let (version, _) = rest.split_once('"').expect("the end of the version");
    for job in workflow()["jobs"].as_hash().expect("jobs").values() {
        let image = job["container"].as_str().or(job["container"]["image"].as_str());
        assert_eq!(image, Some(format!("rust:{version}-bookworm").as_str()));
    }
}
