#!/usr/bin/env bash
# Checks that Benchmarks, a package of its own that nothing else builds, still fits the library: its manifest resolves, its
# C compiles, and its Swift compiles with the modules of a build that exists already. Building it whole would compile the
# library once more; only linking is left out.
#
# usage: Tools/ci/check_benchmarks.sh FOLDER   what `swift build --show-bin-path` prints, after a debug build
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 1 ] && [ -d "$1/Modules" ] || { echo "usage: Tools/ci/check_benchmarks.sh FOLDER, with the products of a debug build in it" >&2; exit 64; }

swift build --package-path Benchmarks --target CCeilings
ceilings=$(swift build --package-path Benchmarks --show-bin-path)

# The modules import C ones, whose maps are in the build folders and in Sources.
flags=(-swift-version 6 -I "$1/Modules" -I Sources/CStenoZlib)
for feature in ExistentialAny MemberImportVisibility InternalImportsByDefault; do
    flags+=(-enable-upcoming-feature "$feature")
done
for map in Sources/CStenoZlib/module.modulemap "$1"/*.build/module.modulemap "$ceilings"/CCeilings.build/module.modulemap \
    "$1"/../../checkouts/*/Sources/*/include/module.modulemap "$1"/../checkouts/*/Sources/*/include/module.modulemap; do
    case "$map" in *StenoKernelsWide*) continue ;; esac
    [ ! -e "$map" ] || flags+=(-Xcc "-fmodule-map-file=$map")
done
swiftc -typecheck -parse-as-library -warnings-as-errors -module-name steno_benchmarks "${flags[@]}" \
    Benchmarks/Sources/StenoBenchmarks/*.swift
echo "check_benchmarks: $(ls Benchmarks/Sources/StenoBenchmarks/*.swift | wc -l) files compile"
