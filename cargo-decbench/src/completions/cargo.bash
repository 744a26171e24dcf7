
# What is typed as `cargo decbench …` is completed as `cargo-decbench …`; everything else cargo is asked goes on to what
# completes cargo itself, wherever that comes from.
_cargo_decbench_own=

_cargo_decbench_take_over() {
    if [[ $(complete -p cargo 2>/dev/null) =~ -F\ ([^\ ]+) && ${BASH_REMATCH[1]} != _cargo_decbench_of_cargo ]]; then
        _cargo_decbench_own=${BASH_REMATCH[1]}
    fi
    complete -F _cargo_decbench_of_cargo -o bashdefault -o default cargo
}

_cargo_decbench_of_cargo() {
    # A toolchain may stand before the task.
    local at=1
    [[ ${COMP_WORDS[1]} == +* ]] && at=2
    if [[ ${COMP_WORDS[at]} == decbench && COMP_CWORD -gt at ]]; then
        local -a COMP_WORDS=(cargo-decbench "${COMP_WORDS[@]:at+1}")
        local COMP_CWORD=$((COMP_CWORD - at))
        _cargo_decbench cargo-decbench "$2" "$3"
        return
    fi
    if [[ -z $_cargo_decbench_own ]]; then
        # Completions of a system are read when they are first wanted, and then stand in the place of this one.
        if declare -F _comp_load >/dev/null; then
            _comp_load cargo
        elif declare -F _completion_loader >/dev/null; then
            _completion_loader cargo
        fi
        _cargo_decbench_take_over
    fi
    if [[ -n $_cargo_decbench_own ]]; then
        "$_cargo_decbench_own" "$@"
    fi
}

_cargo_decbench_take_over
