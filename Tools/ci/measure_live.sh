#!/usr/bin/env bash
# Measures live transcription in real time, with the bundled model: of a talk of four minutes, or, given a number of hours,
# whether memory and lag stay flat for that long.
#
#     Tools/ci/measure_live.sh STENO [HOURS]
#
# Needs Python with numpy and soundfile; without them, or without a bundled model, it reports that and stops.
set -euo pipefail
cd "$(dirname "$0")/../.."
steno=${1:?the path of steno is missing: Tools/ci/measure_live.sh STENO [HOURS]}
hours=${2:-}
skip() {
    echo "measure-live${hours:+-hours}: skipped: $1"
    exit 0
}
[ -e Sources/StenoBundledModel/Resources/whisper-base/model.bin ] || skip "no model is bundled"
python=${PYTHON:-python3}
"$python" -c 'import numpy, soundfile' 2> /dev/null || skip "$python has no numpy and soundfile (Tools/requirements.txt)"
if [ -n "$hours" ]; then
    "$python" Tools/live/long_session.py --steno "$steno" --hours "$hours"
else
    "$python" Tools/live/measure_live.py --steno "$steno" --set talk --pace realtime
fi
