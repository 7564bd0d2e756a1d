#!/usr/bin/env bash
# Checks that the trait Store works without the trait Server, which turns it on too: StenoStore, its program and its tests
# compile without the server's packages. The modules come from an existing build, since building everything with other traits
# would take minutes.
#
# usage: Tools/ci/check_store.sh FOLDER   the products of a build with both, as `swift build --show-bin-path` prints it
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 1 ] && [ -d "$1/Modules" ] || { echo "usage: Tools/ci/check_store.sh FOLDER, with the products of a build in it" >&2; exit 64; }

. Tools/ci/module_flags.sh
module_flags "$1"
# The package's name as SwiftPM passes it: `package` declarations are visible only within it.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]' | tr -c '[:alnum:]\n' _)
flags+=(-package-name "$package" -D Store -D DEBUG -warnings-as-errors)
for feature in ExistentialAny MemberImportVisibility InternalImportsByDefault; do
    flags+=(-enable-upcoming-feature "$feature")
done
resources=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p' | head -1)
count=0
for folder in Sources/StenoStore Tests/StenoStoreTool Tests/StenoStoreTests; do
    # No source file has a space in its name.
    files=($(find "$folder" -name "*.swift" | sort))
    options=("${flags[@]}")
    [ -e "$folder/main.swift" ] || options+=(-parse-as-library)
    check_swift -module-name "$(basename "$folder")" "${options[@]}" \
        -plugin-path "$resources/host/plugins/testing" "${files[@]}"
    count=$((count + ${#files[@]}))
done
echo "check_store: $count files compile without the server"
