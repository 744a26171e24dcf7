
# What is typed as `cargo decbench …` is completed as `cargo-decbench …`.
function __fish_cargo_decbench_of_cargo
    set -l words (commandline -opc)
    set -l at (contains -i -- decbench $words)
    set -e words[1..$at]
    complete -C "cargo-decbench "(string join ' ' -- (string escape -- $words) (commandline -ct))
end

complete -c cargo -n '__fish_seen_subcommand_from decbench' -f -a '(__fish_cargo_decbench_of_cargo)'
