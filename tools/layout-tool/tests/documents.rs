//! What shells and `man` read.

#[test]
fn completions_and_the_manual_page_name_the_commands() {
    for (arguments, parts) in [
        (&["tile-layout", "completions", "bash"][..], ["complete -F ", "banks"]),
        (&["tile-layout", "completions", "zsh"], ["#compdef tile-layout", "banks"]),
        (&["tile-layout", "man"], [".TH tile-layout 1", "banks"]),
    ] {
        let answer = layout_tool::answer(arguments.iter().copied());
        assert_eq!(answer.status, 0, "{arguments:?}");
        assert!(parts.iter().all(|part| answer.text.contains(part)), "{arguments:?}: {}", answer.text);
    }
}
