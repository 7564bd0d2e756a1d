#!/usr/bin/env bash
# Makes the manual page and the completions for bash, zsh and fish from the help of steno and steno-server.
#
# usage: Tools/install/make_manual.sh STENO-FOLDER SERVER-FOLDER PREFIX
#        the folders with steno and generate-manual, and with steno-server; the files go to PREFIX/share
set -euo pipefail
[ $# -eq 3 ] || { echo "usage: Tools/install/make_manual.sh STENO-FOLDER SERVER-FOLDER PREFIX" >&2; exit 64; }
tools=$(cd "$(dirname "$0")" && pwd)
steno=$1/steno
server=$2/steno-server
share=$3/share
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

# An empty line is an error in a manual page, so each becomes a paragraph.
manual() { "$1/generate-manual" "$2" --output-directory - | sed 's/^$/.Pp/'; }
merge() {
    mkdir -p "$(dirname "$share/$1")"
    awk -v commands="serve captions history" -f "$tools/merge_commands.awk" "$parts/server" "$parts/steno" > "$share/$1"
}

manual "$1" "$server" > "$parts/server"
manual "$1" "$steno" > "$parts/steno"
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
