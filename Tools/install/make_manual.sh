#!/usr/bin/env bash
# Makes the manual page and the completions for bash, zsh and fish from the help of steno and steno-server.
#
# usage: Tools/install/make_manual.sh FOLDER GENERATOR PREFIX
#        the folder with both programs, and swift-argument-parser's generate-manual; the files go to PREFIX/share
set -euo pipefail
[ $# -eq 3 ] || { echo "usage: Tools/install/make_manual.sh FOLDER GENERATOR PREFIX" >&2; exit 64; }
tools=$(cd "$(dirname "$0")" && pwd)
steno=$1/steno
server=$1/steno-server
generator=$2
share=$3/share
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

# An empty line is an error in a manual page, so each becomes a paragraph.
manual() { "$generator" "$1" --output-directory - | sed 's/^$/.Pp/'; }
merge() {
    mkdir -p "$(dirname "$share/$1")"
    awk -v commands="serve captions history" -f "$tools/merge_commands.awk" "$parts/server" "$parts/steno" > "$share/$1"
}

manual "$server" > "$parts/server"
manual "$steno" > "$parts/steno"
merge man/man1/steno.1
while read -r shell file; do
    "$server" --generate-completion-script "$shell" > "$parts/server"
    "$steno" --generate-completion-script "$shell" > "$parts/steno"
    merge "$file"
done <<'END'
bash bash-completion/completions/steno
zsh zsh/site-functions/_steno
fish fish/vendor_completions.d/steno.fish
END
