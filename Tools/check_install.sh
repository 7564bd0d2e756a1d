#!/usr/bin/env bash
# Installs the command, hides the build it came from, and lets it transcribe a recording from another folder with an
# empty environment: what is installed must need neither the build folder nor the checkout nor the toolchain. Each of
# the three folders of resources is used: the model, the voice activity network, the table of spellings.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=$(mktemp -d)
hidden=.build-install-hidden
restore() {
    [ -d "$hidden" ] && mv "$hidden" .build-install
    rm -rf "$prefix"
}
trap restore EXIT

make --no-print-directory install PREFIX="$prefix"
mkdir "$prefix/recordings"
cp Sources/StenoBundledModel/Resources/samples/inaugural-1961.wav "$prefix/recordings/talk.wav"
echo "And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country." \
    > "$prefix/recordings/talk.txt"
mv .build-install "$hidden"
cd /
text=$(env -i HOME="$prefix" "$prefix/bin/steno" transcribe "$prefix/recordings/talk.wav")
speech=$(env -i HOME="$prefix" "$prefix/bin/steno" transcribe --vad-filter --beam-size 1 "$prefix/recordings/talk.wav")
scores=$(env -i HOME="$prefix" "$prefix/bin/steno" evaluate --language en "$prefix/recordings")
cd - > /dev/null
echo "$text"
[[ "$text" == *"ask not what your country can do for you"* ]]
[[ "$speech" == *"what you can do for your country"* ]]
[[ "$scores" == *"WER "* ]]
make --no-print-directory uninstall PREFIX="$prefix"
[ ! -e "$prefix/bin/steno" ] && [ ! -e "$prefix/lib/steno" ]
echo "The installed command works on its own."
