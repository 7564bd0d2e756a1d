#!/usr/bin/env bash
# Makes libsteno, the library for C, from a build of the product StenoC: the shared library, the static one, the header, and
# the resources next to them. Swift's runtime is inside, and only the functions of steno.h are visible. Linux only.
#
# usage: Tools/install/make_libsteno.sh OBJECTS FOLDER     OBJECTS: libStenoC.a, with the resources next to it
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -eq 2 ] || { echo "usage: Tools/install/make_libsteno.sh OBJECTS FOLDER" >&2; exit 64; }
objects=$1
folder=$2
map=Tools/install/libsteno.map
swift=$(dirname "$(realpath "$(command -v "${SWIFTC:-swiftc}")")")/../lib/swift_static/linux

rm -rf "$folder"
mkdir -p "$folder/include" "$folder/lib"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# All objects of ours, because the linker would leave out those that only the runtime looks up (conformances), and those of
# Swift's libraries that they need.
runtime=()
for name in Foundation FoundationInternationalization FoundationEssentials CoreFoundation _FoundationICU _FoundationCShims \
    _FoundationCollections swiftCore swift_Concurrency swift_StringProcessing swift_RegexParser swiftSynchronization \
    swiftGlibc swiftDispatch swiftSwiftOnoneSupport dispatch BlocksRuntime; do
    [ ! -e "$swift/lib$name.a" ] || runtime+=("$swift/lib$name.a")
done
ld -r "$swift/$(uname -m)/swiftrt.o" --whole-archive "$objects" --no-whole-archive --start-group "${runtime[@]}" --end-group \
    -o "$work/steno.o"

# With the names of its functions, for debuggers and the checks; packages strip them. dlclose() must not unmap it (nodelete),
# because its threads, and those of Swift's runtime, live as long as the process.
"${CC:-cc}" -shared "$work/steno.o" -o "$folder/lib/libsteno.so.0" -Wl,-soname=libsteno.so.0 -Wl,--version-script="$map" \
    -Wl,--gc-sections -Wl,--no-undefined -Wl,--strip-debug -Wl,-z,relro -Wl,-z,nodelete -lstdc++ -lm
ln -s libsteno.so.0 "$folder/lib/libsteno.so"

# The same as one object with the same visible functions; it needs -lstdc++ -lm.
grep -oE 'steno_[a-z_]+;' "$map" | tr -d ';' > "$work/visible"
objcopy --keep-global-symbols="$work/visible" --strip-debug "$work/steno.o"
ar rcs "$folder/lib/libsteno.a" "$work/steno.o"

cp Sources/CSteno/include/steno.h "$folder/include/"
for bundle in StenoVoiceActivity StenoSpeakers StenoBundledModel; do cp -R "$(dirname "$objects")"/Steno_"$bundle".* "$folder/lib/"; done
