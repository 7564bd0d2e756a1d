#!/usr/bin/env bash
# Builds the programs in Examples, a package of its own that uses the public API alone, and runs each on a sample.
#
# usage: Tools/ci/check_examples.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
samples=$PWD/Sources/StenoBundledModel/Resources/samples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

flags=(-c release --package-path Examples --scratch-path .build-examples)
swift build "${flags[@]}"
programs=$(swift build "${flags[@]}" --show-bin-path)
expect() { grep -q "$2" "$work/out" || { echo "$1 printed no \"$2\":" >&2; cat "$work/out" >&2; exit 1; }; }
country="what you can do for your country"

"$programs/transcribe-file" "$samples/inaugural-1961.wav" > "$work/out" 2> "$work/progress"
expect transcribe-file "$country"
[ "$(wc -l < "$work/progress")" -ge 3 ] || { echo "transcribe-file: progress comes several times in a window" >&2; exit 1; }

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
echo "check_examples: 5 programs"
