#!/usr/bin/env bash
# Builds the programs of Examples/ as a separate package that depends on this one by version and uses only its public API, in a
# debug build, as in everyday app development. Runs each.
#
# Debug builds must stay usable: the README's program, TranscribeFile, may take at most three times the processor time of a release
# build. And users of the library must not have to fetch the packages of the traits.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
samples=$root/Sources/StenoBundledModel/Resources/samples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "check_dependency: $1" >&2
    exit 1
}

# A repository of the current files, not of the last commit.
mkdir "$work/steno"
git ls-files -zco --exclude-standard | while IFS= read -r -d '' file; do
    # Git still lists files that were removed here.
    if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi
done | tar --null -T - -cf - | tar -C "$work/steno" -xf -
git -C "$work/steno" init -q
git -C "$work/steno" add -A -f
git -C "$work/steno" -c user.name=steno -c user.email=steno@localhost commit -qm "The files as they are"
git -C "$work/steno" tag 9999.0.0
cp -R "$work/steno/Examples" "$work/app"
sed -i.orig -e "s|\.package(name: \"Steno\", path: \"\.\.\")|.package(url: \"file://$work/steno\", from: \"9999.0.0\")|" \
    -e 's|package: "Steno"|package: "steno"|g' \
    "$work/app/Package.swift"

swift build --package-path "$work/app" --scratch-path "$work/app/.build"
programs=$work/app/.build/debug
for package in GRDB.swift hummingbird swift-nio swift-crypto; do
    [ ! -e "$work/app/.build/checkouts/$package" ] || fail "a package that uses only the library fetches $package"
done

expect() { grep -q "$2" "$work/out" || { cat "$work/out" >&2; fail "$1 printed no \"$2\""; }; }
country="what you can do for your country"

"$programs/transcribe-file" "$samples/inaugural-1961.wav" > "$work/out" 2> "$work/progress"
expect transcribe-file "$country"
[ "$(wc -l < "$work/progress")" -ge 3 ] || fail "transcribe-file: progress must be reported several times per window"

"$programs/live-captions" "$samples/inaugural-1961.wav" > "$work/out"
expect live-captions "your country"

"$programs/upload-handler" < "$samples/inaugural-1961.wav" > "$work/out"
expect upload-handler "^200 .*$country"
echo "no audio at all" | "$programs/upload-handler" > "$work/out"
expect upload-handler "^422 "

"$programs/batch-subtitles" "$work/subtitles" "$samples/inaugural-1961.wav" "$work/missing.wav" > "$work/out"
expect batch-subtitles "inaugural-1961.srt"
expect batch-subtitles "missing.wav: There is no file"
cp "$work/subtitles/inaugural-1961.srt" "$work/out"
expect batch-subtitles "for your country"

"$programs/push-audio" "$samples/inaugural-1961.wav" > "$work/out"
expect push-audio "your country"

processor_time() {
    # A decimal point, because awk reads the number below.
    local TIMEFORMAT=%U LC_ALL=C
    { time "$@" > "$work/out"; } 2>&1
}
# These read the samples of the package from the folder that they are started in.
cd "$work/steno"
for file in Examples/Programs/*.swift; do
    program=$(basename "$file" .swift)
    "$programs/$program" > "$work/out" 2>&1 || { cat "$work/out" >&2; fail "$program failed"; }
done

swift build -c release --package-path "$work/app" --scratch-path "$work/app/.build" --product TranscribeFile
debug=$(processor_time "$programs/TranscribeFile")
expect TranscribeFile "$country"
release=$(processor_time "$work/app/.build/release/TranscribeFile")
echo "an 11 s recording: $debug s of processor time in a debug build, $release s in release"
awk -v debug="$debug" -v release="$release" 'BEGIN { exit !(debug <= 3 * release) }' \
    || fail "a debug build takes more than three times a release build"
echo "check_dependency: 5 programs, and $(ls Examples/Programs/*.swift | wc -l) of Programs"
