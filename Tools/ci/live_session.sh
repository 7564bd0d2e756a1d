#!/usr/bin/env bash
# Three hours of live transcription at the pace of a microphone, with the bundled model: memory and lag have to stay flat.
#
#     Tools/ci/live_session.sh STENO [HOURS]
#
# Needs Python with numpy and soundfile; without them, or without a bundled model, it says so and stops.
set -euo pipefail
cd "$(dirname "$0")/../.."
steno=${1:?the path of steno is missing: Tools/ci/live_session.sh STENO}
skip() {
    echo "live-session: skipped: $1"
    exit 0
}
[ -e Sources/StenoBundledModel/Resources/whisper-base/model.bin ] || skip "no model is bundled"
python=${PYTHON:-python3}
"$python" -c 'import numpy, soundfile' 2> /dev/null || skip "$python has no numpy and soundfile (Tools/requirements.txt)"
"$python" Tools/live/long_session.py --steno "$steno" --hours "${2:-3}"
