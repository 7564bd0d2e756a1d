#!/usr/bin/env bash
# Installs the command, hides the build it came from, and transcribes a recording from another folder with an empty
# environment: the installed command must need neither the build folder, nor the checkout, nor the toolchain. Then checks the
# manual page and the completions, and that `uninstall` leaves nothing behind.
#
# usage: Tools/ci/check_install.sh [FOLDER]     where the programs are; without it, they are built as users get them
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
prefix=$(mktemp -d)
hidden=.build-install-hidden
restore() {
    cd "$root"
    [ -d "$hidden" ] && mv "$hidden" .build-install
    rm -rf "$prefix"
}
trap restore EXIT
fail() {
    echo "check-install: $1"
    exit 1
}

make --no-print-directory install PREFIX="$prefix" ${1:+BUILT="$1"}
mkdir "$prefix/recordings"
cp Sources/StenoBundledModel/Resources/samples/inaugural-1961.wav "$prefix/recordings/talk.wav"
echo "And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country." \
    > "$prefix/recordings/talk.txt"
mv .build-install "$hidden"
cd /
text=$(env -i HOME="$prefix" "$prefix/bin/steno" transcribe "$prefix/recordings/talk.wav")
speech=$(env -i HOME="$prefix" "$prefix/bin/steno" transcribe --vad-filter --beam-size 1 "$prefix/recordings/talk.wav")
small=$(env -i HOME="$prefix" "$prefix/bin/steno" transcribe --model moonshine-tiny "$prefix/recordings/talk.wav")
scores=$(env -i HOME="$prefix" "$prefix/bin/steno" evaluate --language en "$prefix/recordings")
echo "$text"
offline=$(env -i HOME="$prefix" HF_HUB_OFFLINE=1 "$prefix/bin/steno" models download small 2>&1) && fail "a download without a network succeeds"
[[ "$offline" == *"HF_HUB_OFFLINE"* ]] || fail "steno-download is not installed: $offline"
! command -v ldd > /dev/null || ! ldd "$prefix/lib/steno/steno" | grep -q curl || fail "steno links the networking libraries"
[[ "$text" == *"ask not what your country can do for you"* ]] || fail "the transcript is wrong"
[[ "$speech" == *"what you can do for your country"* ]] || fail "the transcript with --vad-filter is wrong: $speech"
[[ "$small" == *"what you can do for your country"* ]] || fail "the transcript with the small model is wrong: $small"

history=$(env -i HOME="$prefix" "$prefix/bin/steno" history --help 2>&1) || fail "steno history finds no steno-server: $history"

# A server with the captions page: it starts only if it could read the page's files.
said=$prefix/recordings/server.txt
env -i HOME="$prefix/recordings" "$prefix/bin/steno" captions --port 0 --max-sessions 1 2> "$said" &
server=$!
until grep -qs "captions at " "$said"; do
    kill -0 "$server" 2> /dev/null || fail "steno captions does not start: $(cat "$said")"
    sleep 0.2
done
kill "$server"
wait "$server" || fail "steno captions does not end: $(cat "$said")"

[[ "$scores" == *"WER "* ]] || fail "evaluate prints no WER: $scores"

# The manual page: a formatter must have no complaints, and every command must be in it.
page=$prefix/share/man/man1/steno.1
[ -s "$page" ] || fail "there is no manual page in share/man/man1"
if command -v groff > /dev/null; then
    warnings=$(groff -mdoc -Tascii -ww -z "$page" 2>&1)
    [ -z "$warnings" ] || fail "groff on the manual page: $warnings"
    formatted=$(groff -mdoc -Tascii -P-cbou "$page")
elif command -v mandoc > /dev/null; then
    formatted=$(mandoc -T ascii "$page" | col -b)
else
    fail "neither groff nor mandoc is installed"
fi
# Options too: a command that is only mentioned, or listed without its help, has none.
for command in transcribe live detect-language evaluate bench models languages history serve captions --output-format --max-upload \
    --lan --older-than; do
    [[ "$formatted" == *"$command"* ]] || fail "the manual page does not mention $command"
done

# The completions: each installed shell must be able to read its script, and bash must complete a command.
bash_script=$prefix/share/bash-completion/completions/steno
zsh_script=$prefix/share/zsh/site-functions/_steno
fish_script=$prefix/share/fish/vendor_completions.d/steno.fish
for script in "$bash_script" "$zsh_script" "$fish_script"; do
    [ -s "$script" ] || fail "${script#"$prefix"/} is missing"
done
bash -n "$bash_script" || fail "bash cannot read its completions"
! command -v zsh > /dev/null || zsh -n "$zsh_script" || fail "zsh cannot read its completions"
! command -v fish > /dev/null || fish -n "$fish_script" || fail "fish cannot read its completions"
complete_in_bash() {
    bash -c '
        source "$1"
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
        _steno steno "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[@]}"' bash "$bash_script" "$@"
}
while read -r line expected; do
    IFS=, read -ra words <<< "$line"
    completed=$(complete_in_bash "${words[@]}")
    [[ "$completed" == "$expected" ]] || fail "bash completes ${words[*]} to \"$completed\""
done <<'END'
steno,transc transcribe
steno,serv serve
steno,serve,--max-up --max-upload
steno,captions,--save-a --save-audio
steno,history,pru prune
steno,history,prune,--older --older-than
END
for script in "$zsh_script" "$fish_script"; do
    for option in max-upload lan older-than; do
        grep -q -e "$option" "$script" || fail "${script#"$prefix"/} does not complete --$option"
    done
done

cd "$root"
make --no-print-directory uninstall PREFIX="$prefix"
rm -r "$prefix/recordings"
left=$(find "$prefix" ! -type d)
[ -z "$left" ] || fail "uninstall left $left"
echo "The installed command works on its own."
