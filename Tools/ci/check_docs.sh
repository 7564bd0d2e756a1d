#!/usr/bin/env bash
# Checks README.md, CONTRIBUTING.md, CHANGELOG.md, Documentation and the DocC catalogs:
# - Every code block marked `swift` is part of a file in Examples/Programs, or compiles with the values named below in scope.
#   Incomplete code is marked `swift-fragment` and is not checked. In the catalogs every block must come from such a file.
# - Every code block in the comment of a public declaration compiles, with the values of Tools/ci/doc_comments.py in scope.
# - Every relative link leads to a file.
# - Every catalog converts with docc, and its links to symbols resolve (skipped if there is no docc).
#
# usage: Tools/ci/check_docs.sh FOLDER        the products of a build, as `swift build --show-bin-path` prints it
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 1 ] && [ -d "$1/Modules" ] || { echo "usage: Tools/ci/check_docs.sh FOLDER, with the products of a build in it" >&2; exit 64; }
. Tools/ci/module_flags.sh
libraries=(StenoCore StenoCompute StenoAudio StenoVoiceActivity StenoSpeakers StenoWhisper Steno StenoModelStore StenoModels StenoEvaluation StenoBundledModel StenoBundledMoonshine StenoSpeech StenoFasterWhisper StenoWhisperKit StenoRecognizer StenoUI StenoAppleSpeech StenoStore StenoServer)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { echo "$1" >&2; failures=$((failures + 1)); }

pages=(README.md CONTRIBUTING.md CHANGELOG.md Documentation/*/*.md)
for library in "${libraries[@]}"; do
    catalog=Sources/$library/$library.docc
    [ -e "$catalog/$library.md" ] || fail "$catalog/$library.md is missing: each library has a DocC catalog"
    for page in "$catalog"/*.md; do pages+=("$page"); done
done

# Code blocks, each in a numbered file, with its source location in the file next to it.
awk -v folder="$work" '
    FNR == 1 { inside = 0 }
    /^```swift$/ { inside = 1; count++; file = folder "/" count ".block"; printf "" > file; print FILENAME ":" FNR > (folder "/" count ".from"); next }
    /^```/ { inside = 0; next }
    inside { print > file }
' "${pages[@]}"

module_flags "$1"

programs=$(for file in Examples/Programs/*.swift; do cat "$file"; echo "// end of $file"; done)
blocks=0 compiled=0
for block in "$work"/*.block; do
    [ -e "$block" ] || continue
    code=$(cat "$block") from=$(cat "${block%.block}.from")
    blocks=$((blocks + 1))
    case "$programs" in *"$code"*) continue ;; esac
    case "$from" in *.docc/*) fail "$from: this code is in no file of Examples/Programs"; continue ;; esac
    wrapped=${block%.block}.swift
    {
        printf 'import Foundation\nimport Steno\nimport StenoBundledModel\nimport StenoBundledMoonshine\nimport StenoEvaluation\nimport StenoModels\nimport StenoServer\nimport StenoStore\nimport StenoWhisper\n'
        printf 'func example(transcriber: Transcriber, transcript: Transcript, talk: URL) async throws {\n'
        printf 'var options = TranscriptionOptions()\noptions.language = nil\n_ = options\ndo {\n'
        grep -v '^import ' "$block" || true
        printf '}\n}\n'
    } > "$wrapped"
    compiled=$((compiled + 1))
    check_swift -suppress-warnings "${flags[@]}" "$wrapped" > "$work/errors" 2>&1 \
        || fail "$from: this code does not compile:
$(grep -A3 'error:' "$work/errors" | head -20)"
done

# Code in the comments of public declarations, in one file for each set of modules whose names do not collide. StenoUI's
# examples need SwiftUI, which Linux does not have.
comments=0
check_comments() {
    Tools/ci/doc_comments.py "$@" > "$work/comments.swift"
    check_swift -suppress-warnings "${flags[@]}" "$work/comments.swift" > "$work/errors" 2>&1 \
        || fail "code in comments does not compile:
$(grep -A3 'error:' "$work/errors" | head -60)"
    comments=$((comments + $(grep -c 'func example' "$work/comments.swift")))
}
check_comments Sources/{Steno,StenoCore,StenoCompute,StenoAudio,StenoVoiceActivity,StenoSpeakers,StenoWhisper,StenoBundledModel,StenoBundledMoonshine,StenoEvaluation,StenoModelStore,StenoModels,StenoSpeech,StenoStore,StenoServer}
for library in StenoFasterWhisper StenoWhisperKit StenoRecognizer StenoAppleSpeech; do check_comments "Sources/$library"; done

# Relative links.
links=0
for page in "${pages[@]}"; do
    while IFS= read -r link; do
        links=$((links + 1))
        target=${link%%#*}
        [ -z "$target" ] || [ -e "$(dirname "$page")/$target" ] || fail "$page: there is no $link"
    done < <(awk '/^```/ { inside = !inside } !inside' "$page" | grep -oE '\]\([^)]+\)' | sed -E 's/^\]\(//; s/\)$//' \
        | grep -vE '^(https?|mailto|doc):' || true)
done

catalogs=0
if command -v docc > /dev/null; then
    triple=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -1)
    for library in "${libraries[@]}"; do
        catalog=Sources/$library/$library.docc
        [ -d "$catalog" ] || continue
        mkdir -p "$work/$library"
        swift-symbolgraph-extract -module-name "$library" "${flags[@]}" -target "$triple" \
            -minimum-access-level public -skip-synthesized-members -output-dir "$work/$library"
        docc convert "$catalog" --additional-symbol-graph-dir "$work/$library" --fallback-display-name "$library" \
            --fallback-bundle-identifier "steno.$library" --output-path "$work/$library.doccarchive" > "$work/log" 2>&1 \
            || fail "docc cannot convert $catalog: $(tail -5 "$work/log")"
        # Comments in Sources mention symbols of other modules, which docc cannot find one module at a time.
        grep -B1 -E -- "--> .*$library\.md:" "$work/log" > "$work/warnings" && fail "$catalog: $(cat "$work/warnings")"
        catalogs=$((catalogs + 1))
    done
else
    echo "check_docs: there is no docc, so the catalogs were not converted"
fi
echo "check_docs: ${#pages[@]} pages, $blocks blocks of Swift ($compiled compiled, the others from Examples/Programs), $comments blocks in comments, $links links, $catalogs catalogs; $failures wrong"
[ "$failures" = 0 ]
