#!/usr/bin/env bash
# Compiles every module of the library for macOS 13 and iOS 16 on Linux, as far as a compiler can without Apple's SDK: types,
# isolation, data races, availability. No code is generated, and nothing is run.
#
# - The compiler is the toolchain's own, with Apple's targets: `#if os(macOS)`, `@available` and `#available` mean what they mean
#   on a Mac. A use of something newer than macOS 13 or iOS 16 without a condition is an error, and so is every warning.
# - Apple's frameworks are stubs: Tools/apple-stubs declares what this package uses of them, with their availability.
# - The standard library and Foundation are Linux's, retargeted: in copies of their compiled modules, the target's name is
#   replaced by one of the same length. This check does not notice if Apple's Foundation lacks something, or has it only in
#   newer versions; the standard library and most of Foundation carry their availability on Linux too.
# - There is no Objective-C: casts between Swift's and Core Foundation's types, and key-value observing, are in the stubs.
#
# usage: Tools/ci/check_apple.sh FOLDER [PLATFORM …]     the products of a build with the traits, as `swift build --show-bin-path`
#                                                         prints it; macosx, iphoneos or both (the default)
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -ge 1 ] && [ -d "$1/Modules" ] || { echo "usage: Tools/ci/check_apple.sh FOLDER [PLATFORM …], with the products of a build in it" >&2; exit 64; }
if [ "$(uname)" != Linux ]; then
    echo "check_apple: not needed here: build with Xcode, which checks more"
    exit
fi
products=$1
shift
. Tools/ci/module_flags.sh
module_maps "$products"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p' | head -1)
host=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -1)
architecture=${host%%-*}

# In import order.
stubs=(Darwin ObjectiveC AppleFoundation System CryptoKit Combine CoreMedia CoreAudio AudioToolbox Security AVFAudio AVFoundation Accessibility
    UIKit AppKit Speech SwiftUI)
modules=(StenoCore StenoCompute StenoAudio StenoVoiceActivity StenoSpeakers StenoWhisper StenoMoonshine StenoFastConformer Steno StenoModelStore
    StenoModels StenoBundledModel StenoBundledMoonshine StenoSpeech StenoFasterWhisper StenoWhisperKit StenoRecognizer StenoUI StenoAppleSpeech StenoStore)

# Clang's module map of the C library lies next to the headers, and Clang looks for it only when it compiles for Linux.
for file in glibc.modulemap:module.modulemap SwiftGlibc.h:SwiftGlibc.h; do
    printf '{ "name": "%s", "type": "file", "external-contents": "%s" }\n' \
        "${file#*:}" "$resources/linux/$architecture/${file%:*}"
done | paste -sd, | sed 's|.*|{ "version": 0, "roots": [{ "name": "/usr/include", "type": "directory", "contents": [&] }] }|' \
    > "$work/overlay.yaml"

# Copies the compiled modules of Linux to a platform's folder, and makes them claim to be for that platform.
retarget() {
    python3 - "$work/$1" "$host" "$2" "$resources/linux" "$products/Modules" <<'PYTHON'
import pathlib
import sys

target, host, name, toolchain, products = sys.argv[1:]
folder = pathlib.Path(target)
folder.mkdir()
# The target's name must keep its length, so its version is padded with zeros.
name = name.ljust(len(host), "0").encode()
modules = [*pathlib.Path(toolchain).glob(f"*.swiftmodule/{host}.swiftmodule"), *pathlib.Path(products).glob("*.swiftmodule")]
for module in modules:
    stem = module.stem if module.parent == pathlib.Path(products) else module.parent.stem
    if not stem.startswith("Steno"):
        (folder / f"{stem}.swiftmodule").write_bytes(module.read_bytes().replace(host.encode(), name))
PYTHON
}

check() {
    local platform=$1 target=$2 folder=$work/$1 name files count=0
    local compile=(swiftc -frontend -emit-module -target "$target" -clang-target "$host" -disable-objc-interop
        -swift-version 6 -parse-as-library -I "$folder" -I "$resources" -plugin-path "$resources/host/plugins"
        -module-cache-path "$work/cache-$platform" -Xcc -ivfsoverlay -Xcc "$work/overlay.yaml" "${maps[@]}")
    local ours=(-warnings-as-errors -import-module AppleFoundation)
    local library=(-package-name steno -D Store -D Server -enable-upcoming-feature ExistentialAny
        -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature InternalImportsByDefault)
    retarget "$platform" "$target"
    for name in "${stubs[@]}"; do
        if sed -n 's|^// platforms: ||p' "Tools/apple-stubs/$name.swift" | grep -qv "$platform"; then continue; fi
        # With library evolution, so that a `switch` must handle cases that newer systems add.
        "${compile[@]}" -enable-library-evolution -suppress-warnings -module-name "$name" \
            -emit-module-path "$folder/$name.swiftmodule" "Tools/apple-stubs/$name.swift" || return 1
    done
    for name in "${modules[@]}"; do
        mapfile -t files < <(find "Sources/$name" -name '*.swift' | sort)
        count=$((count + ${#files[@]}))
        "${compile[@]}" "${ours[@]}" "${library[@]}" -module-name "$name" -emit-module-path "$folder/$name.swiftmodule" \
            "${files[@]}" || return 1
    done
    # The example is a separate package, so it sees only public declarations.
    mapfile -t files < <(find Examples/CaptionsApp/Sources -name '*.swift' | sort)
    "${compile[@]}" "${ours[@]}" -module-name CaptionsApp -emit-module-path "$folder/CaptionsApp.swiftmodule" "${files[@]}" \
        || return 1
    # Tests the check itself: newer APIs must be refused without a condition, and accepted with one.
    local new='import Speech; func f() { _ = AnalysisContext() }'
    if "${compile[@]}" -module-name New -emit-module-path "$work/new.$platform" - <<< "$new" 2> /dev/null; then
        echo "check_apple: $platform: a use of macOS 26 and iOS 26 without a condition is accepted" >&2
        return 1
    fi
    "${compile[@]}" -module-name New -emit-module-path "$work/new.$platform" - <<< "${new/func/@available(macOS 26, iOS 26, *) func}" \
        || return 1
    echo "check_apple: $target: ${#modules[@]} modules, $((count + ${#files[@]})) files"
}

# No file for Apple's systems may be left out, except in the programs, the server and the evaluation.
checked=" ${modules[*]} StenoCLI StenoCommandLine StenoDownloadTool StenoEvaluation StenoServer StenoServerTool "
for file in $(grep -rlE 'canImport\((AV|Speech|SwiftUI|UIKit|AppKit|Combine|CoreMedia|CoreAudio|Security|CryptoKit|Darwin)' Sources); do
    module=${file#Sources/}
    case "$checked" in *" ${module%%/*} "*) ;; *) echo "check_apple: $file is in no module that is compiled" >&2; exit 1 ;; esac
done

[ $# -gt 0 ] || set -- macosx iphoneos
pids=()
for platform in "$@"; do
    case "$platform" in
        macosx) target=arm64-apple-macosx13.0 ;;
        iphoneos) target=arm64-apple-ios16.0 ;;
        *) echo "check_apple: there is no platform $platform" >&2; exit 64 ;;
    esac
    check "$platform" "$target" > "$work/$platform.log" 2>&1 &
    pids+=($!)
done
status=0
for index in "${!pids[@]}"; do
    wait "${pids[$index]}" || status=1
    platform=${*:$((index + 1)):1}
    cat "$work/$platform.log"
done
exit $status
