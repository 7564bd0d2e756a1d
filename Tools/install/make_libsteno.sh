#!/usr/bin/env bash
# Makes libsteno, the library for C, from a build of the product StenoC: the shared library, the static one, the header, and
# the resources next to them. Swift's runtime is inside, and only the functions of steno.h are visible.
#
# usage: Tools/install/make_libsteno.sh PRODUCTS FOLDER     PRODUCTS is what `swift build --show-bin-path` prints
set -euo pipefail
cd "$(dirname "$0")/../.."
products=$1
folder=$2
swiftc=${SWIFTC:-swiftc}
map=Tools/install/libsteno.map

rm -rf "$folder"
mkdir -p "$folder/include" "$folder/lib"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One object, because the linker would leave out the members of an archive that only the runtime looks up: conformances.
ld -r --whole-archive "$products/libStenoC.a" -o "$work/steno.o"
grep -o 'steno_[a-z_]*;' "$map" | tr -d ';' > "$work/visible"

"$swiftc" -emit-library -static-stdlib "$work/steno.o" -o "$folder/lib/libsteno.so.0" -Xlinker -soname=libsteno.so.0 \
    -Xlinker "--version-script=$map" -Xlinker --gc-sections -Xlinker -s 2> "$work/messages" || {
    cat "$work/messages"
    exit 1
}
ln -s libsteno.so.0 "$folder/lib/libsteno.so"

# The static library is the same link, left relocatable. It needs -lstdc++ -lm from the system.
runtime=$(dirname "$(command -v "$swiftc")")/../lib/swift_static/linux
"$swiftc" -emit-library -static-stdlib "$work/steno.o" -o "$work/unused.so" '-###' 2> /dev/null |
    tr ' ' '\n' | tr -d "\"'" > "$work/command"
libraries=$(
    grep -E '^-l' "$work/command" || true
    objcopy -O binary --only-section=.swift1_autolink_entries "$work/steno.o" "$work/entries" && tr '\0' '\n' < "$work/entries"
    tr ' ' '\n' < "$runtime/static-stdlib-args.lnk"
)
# shellcheck disable=SC2046,SC2086
ld -r "$runtime/x86_64/swiftrt.o" "$work/steno.o" -L"$runtime" -L"$runtime/.." --start-group \
    $(printf '%s\n' $libraries | grep -E '^-l' | sort -u | grep -vE '^-l(stdc\+\+|m|dl|pthread|c|rt|util)$') \
    --end-group -o "$work/all.o"
objcopy --keep-global-symbols="$work/visible" --strip-unneeded "$work/all.o"
ar rcs "$folder/lib/libsteno.a" "$work/all.o"

cp Sources/CSteno/include/steno.h "$folder/include/"
for bundle in StenoVoice StenoBundledModel; do cp -R "$products"/Steno_"$bundle".* "$folder/lib/"; done
