//! `completions`: what a shell offers after `cargo decbench`, as bash itself finds it.
#![cfg(unix)]

use std::process::Command;

use crate::project::Project;

/// What bash offers for these words, of which the last is being typed, with `before` run first.
fn offered(before: &str, words: &[&str]) -> Vec<String> {
    let project = Project::new();
    let said = project.run(&["completions", "bash"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    project.write("completions.bash", &said.stdout);
    let typed = words.join(" ");
    let script = format!(
        "{before}\nsource completions.bash\nCOMP_WORDS=({typed})\nCOMP_CWORD={}\nfunction=$(complete -p {} | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n\"$function\" {} '{}' '{}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.len() - 1,
        words[0],
        words[0],
        words[words.len() - 1],
        words[words.len() - 2],
    );
    let output = Command::new("bash")
        .args(["--norc", "--noprofile", "-c", &script])
        .current_dir(project.path())
        .output()
        .expect("bash starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "{errors}");
    let offered = String::from_utf8_lossy(&output.stdout);
    offered.lines().map(str::to_owned).collect()
}

#[test]
fn tasks_are_offered_however_the_tool_is_called() {
    for words in [
        &["cargo-decbench", "re"][..],
        &["cargo", "decbench", "re"],
        &["cargo", "+stable", "decbench", "re"],
    ] {
        assert_eq!(offered("", words), ["record", "report"], "{words:?}");
    }
    let formats = offered("", &["cargo", "decbench", "import", "lang"]);
    assert_eq!(formats, ["langfuse"]);
    let flags = offered("", &["cargo", "decbench", "check", "--str"]);
    assert_eq!(flags, ["--strict"]);
}

#[test]
fn what_else_cargo_is_asked_goes_to_its_own_completion() {
    let own = "_own() { COMPREPLY=(\"own:$2\"); }\ncomplete -F _own cargo";
    assert_eq!(offered(own, &["cargo", "bu"]), ["own:bu"]);
    assert_eq!(offered(own, &["cargo", "decb"]), ["own:decb"]);
    let late = "_comp_load() { _own() { COMPREPLY=(late); }; complete -F _own cargo; }";
    assert_eq!(offered(late, &["cargo", "bu"]), ["late"]);
    let tasks = offered(own, &["cargo", "decbench", "expl"]);
    assert_eq!(tasks, ["explain"]);
    assert_eq!(offered("", &["cargo", "bu"]), [""], "nobody knows");
}
