#!/usr/bin/env bash
# Installs the wheel into a clean environment of each Python and runs its tests there, away from the checkout's package. The
# signatures of faster-whisper are compared where pip can install it.
#
# usage: Tools/ci/check_wheel.sh WHEEL [PYTHON …]     by default those of python3.9 to python3.14 that are installed
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -ge 1 ] && [ -e "$1" ] || { echo "usage: Tools/ci/check_wheel.sh WHEEL [PYTHON …]" >&2; exit 64; }
wheel=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pythons=("$@")
if [ ${#pythons[@]} -eq 0 ]; then
    for minor in 9 10 11 12 13 14; do
        if "python3.$minor" -c '' 2> /dev/null; then pythons+=("python3.$minor"); fi
    done
fi
speech=Sources/StenoBundledModel/Resources/samples/en-quick_brown_fox.wav

count=0
for python in "${pythons[@]}"; do
    count=$((count + 1))
    environment=$work/environment-$count
    "$python" -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check "$wheel"
    # Without NumPy, from another folder, and without anything that this shell has set.
    (cd / && env -i HOME="$work" "$environment/bin/python" -c "
import steno, sys
text = steno.Model('bundled').transcribe(sys.argv[1]).text()
assert 'fox' in text, text" "$OLDPWD/$speech")
    env -i HOME="$work" "$environment/bin/steno" transcribe "$speech" | grep -q fox || {
        echo "check-wheel: the command does not work"
        exit 1
    }
    "$environment/bin/pip" install --quiet --disable-pip-version-check "$wheel[faster-whisper]"
    [ -n "${STENO_OFFLINE:-}" ] || "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps faster-whisper==1.2.1 \
        ctranslate2 tokenizers av huggingface_hub || true
    echo "== $("$environment/bin/python" -V), import in $("$environment/bin/python" -c '
import time; start = time.perf_counter(); import steno; print(f"{time.perf_counter() - start:.3f} s")')"
    (cd Integrations/python/tests && env -i HOME="$work" PATH="$PATH" "$environment/bin/python" -m unittest)
done
