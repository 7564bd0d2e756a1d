#!/usr/bin/env bash
# Checks that the programs of Examples, a separate package that only `make check-dependency` builds and runs, compile with the modules
# of an existing build.
#
# usage: Tools/ci/check_examples.sh FOLDER   the products of a build, as `swift build --show-bin-path` prints it
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 1 ] && [ -d "$1/Modules" ] || { echo "usage: Tools/ci/check_examples.sh FOLDER, with the products of a build in it" >&2; exit 64; }

. Tools/ci/module_flags.sh
module_flags "$1"
programs=(Examples/Sources/*/main.swift Examples/Programs/*.swift)
for program in "${programs[@]}"; do
    check_swift -warnings-as-errors -module-name example "${flags[@]}" "$program"
done
# Each is a target of the package.
for program in Examples/Programs/*.swift; do
    grep -q "\"$(basename "$program" .swift)\"" Examples/Package.swift || { echo "Examples/Package.swift has no $program" >&2; exit 1; }
done
echo "check_examples: ${#programs[@]} programs compile"
