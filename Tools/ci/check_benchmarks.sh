#!/usr/bin/env bash
# Checks that Benchmarks, a separate package that nothing else builds, still fits the library: its manifest resolves, its C
# compiles, and its Swift compiles with the modules of an existing build. A full build would compile the library once more;
# only linking is skipped here.
#
# usage: Tools/ci/check_benchmarks.sh FOLDER   the products of a build, as `swift build --show-bin-path` prints it
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 1 ] && [ -d "$1/Modules" ] || { echo "usage: Tools/ci/check_benchmarks.sh FOLDER, with the products of a build in it" >&2; exit 64; }

swift build --package-path Benchmarks --target CCeilings
ceilings=$(swift build --package-path Benchmarks --show-bin-path)

. Tools/ci/module_flags.sh
module_flags "$1" "$ceilings"/CCeilings.build/module.modulemap
for feature in ExistentialAny MemberImportVisibility InternalImportsByDefault; do
    flags+=(-enable-upcoming-feature "$feature")
done
check_swift -parse-as-library -warnings-as-errors -module-name steno_benchmarks "${flags[@]}" \
    Benchmarks/Sources/StenoBenchmarks/*.swift
echo "check_benchmarks: $(ls Benchmarks/Sources/StenoBenchmarks/*.swift | wc -l) files compile"
