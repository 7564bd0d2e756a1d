#!/usr/bin/env bash
# Installs the command, hides the build it came from, and lets it hear a sound from another folder with an empty
# environment: what is installed must need neither the build folder nor the checkout nor the toolchain.
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
cp Sources/StenoBundledModel/Resources/samples/inaugural-1961.wav "$prefix/sound.wav"
mv .build-install "$hidden"
cd /
text=$(env -i HOME="$prefix" "$prefix/bin/steno" transcribe "$prefix/sound.wav")
speech=$(env -i HOME="$prefix" "$prefix/bin/steno" transcribe --vad-filter --beam-size 1 "$prefix/sound.wav")
cd - > /dev/null
echo "$text"
[[ "$text" == *"ask not what your country can do for you"* ]]
[[ "$speech" == *"what you can do for your country"* ]]
make --no-print-directory uninstall PREFIX="$prefix"
[ ! -e "$prefix/bin/steno" ] && [ ! -e "$prefix/lib/steno" ]
echo "The installed command works on its own."
