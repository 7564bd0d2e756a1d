#!/usr/bin/env bash
# Builds the README's program as a package of its own that depends on this one by version, in a debug build, and runs it.
# Debug builds must stay usable: the program may take at most three times the processor time of a release build.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git clone -q "$root" "$work/steno"
git -C "$work/steno" -c advice.detachedHead=false tag 9999.0.0
mkdir -p "$work/app/Sources/App"
cp Snippets/TranscribeFile.swift "$work/app/Sources/App/main.swift"
cat > "$work/app/Package.swift" <<PACKAGE
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [.package(url: "file://$work/steno", from: "9999.0.0")],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(name: "Steno", package: "steno"), .product(name: "StenoBundledModel", package: "steno"),
            ])
    ])
PACKAGE

processor_time() {
    local TIMEFORMAT=%U
    { time "$@" > "$work/text"; } 2>&1
}

swift build --package-path "$work/app" --scratch-path "$work/app/.build"
debug=$(processor_time "$work/app/.build/debug/App")
grep -q "what you can do for your country" "$work/text" || { echo "the debug build transcribes: $(cat "$work/text")"; exit 1; }
swift build -c release --scratch-path .build-install --static-swift-stdlib --product TranscribeFile
release=$(processor_time .build-install/release/TranscribeFile)
echo "an 11 s recording: $debug s of processor time in a debug build, $release s in release"
awk -v debug="$debug" -v release="$release" 'BEGIN { exit !(debug <= 3 * release) }' || {
    echo "a debug build takes more than three times a release build"
    exit 1
}
