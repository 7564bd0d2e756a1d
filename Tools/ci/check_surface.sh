#!/usr/bin/env bash
# Counts the public symbols that `import Steno` brings, and fails when there are more than 330.
#
# A symbol is a declaration (type, property, initialiser, method, case, extension member) in the symbol graphs of Steno and of
# the modules it re-exports. Not counted: synthesized members, members inherited from a protocol's extension, and members that
# only satisfy a protocol (`init(from:)`, `rawValue`, `next()`), because nobody looks those up.
#
# usage: Tools/ci/check_surface.sh FOLDER [--list]      the products of a build, as `swift build --show-bin-path` prints it
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -ge 1 ] && [ -d "$1/Modules" ] || { echo "usage: Tools/ci/check_surface.sh FOLDER [--list], with the products of a build in it" >&2; exit 64; }
. Tools/ci/module_flags.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

module_flags "$1"
triple=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -1)
for module in Steno $(sed -n 's/^@_exported public import //p' Sources/Steno/Support/Exports.swift); do
    swift-symbolgraph-extract -module-name "$module" "${flags[@]}" -target "$triple" -minimum-access-level public \
        -skip-synthesized-members -output-dir "$work"
done

python3 - "$work" "${2:-}" <<'PYTHON'
import collections
import json
import pathlib
import sys

LIMIT = 330
types = collections.defaultdict(list)
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.symbols.json")):
    graph = json.loads(file.read_text())
    # A member with an origin is required by a protocol.
    required = {link["source"] for link in graph["relationships"] if "sourceOrigin" in link}
    for symbol in graph["symbols"]:
        if symbol["identifier"]["precise"] not in required:
            path = symbol["pathComponents"]
            types[path[0]].append(".".join(path[1:]))
count = sum(map(len, types.values()))
if sys.argv[2] == "--list":
    for name, members in sorted(types.items(), key=lambda entry: -len(entry[1])):
        print(f"{len(members):4} {name}: {' '.join(sorted(member for member in members if member))}")
print(f"check_surface: {count} public symbols, {len(types)} types; at most {LIMIT}")
sys.exit(count > LIMIT)
PYTHON
