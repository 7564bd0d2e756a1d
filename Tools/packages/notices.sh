#!/usr/bin/env bash
# Prints the licences of everything that the packages contain: Steno, the models, and the Swift packages, whose sources are in the
# build folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
checkouts=${1:-.build-install/checkouts}

section() { printf '\n%s\n%s\n\n' "$1" "$(printf '%*s' "${#1}" '' | tr ' ' =)"; }

section Steno
cat LICENSE
for license in Sources/*/Resources/*/LICENSE; do
    section "Files of $(basename "$(dirname "$license")")"
    cat "$license"
done
section "The Swift standard library and Foundation"
echo "Apache License 2.0 with Runtime Library Exception, https://swift.org/LICENSE.txt"
for package in "$checkouts"/*/; do
    for license in "$package"LICENSE*; do
        [ -f "$license" ] || continue
        section "$(basename "$package")"
        cat "$license"
    done
    for notice in "$package"NOTICE*; do
        [ -f "$notice" ] || continue
        printf '\n'
        cat "$notice"
    done
done
