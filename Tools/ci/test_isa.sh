#!/usr/bin/env bash
# Runs the tests of the kernels, features, voices and the engine once for each table of kernels that this processor supports,
# each in its own process, since the table is chosen once per process (STENO_MAX_ISA).
#
#     Tools/ci/test_isa.sh [NAME …]    only these tables, such as portable or avx2
#
# The command is `swift test -c release` unless STENO_TEST names another.
#
# A program compiled with the kernels prints the available table.
set -euo pipefail
cd "$(dirname "$0")/../.."
clang=${CLANG:-clang}
# The suites of the kernels and of the code that uses them, in any test target; of the forward passes only the small ones,
# which use every kernel that the large ones use.
suites='ComputeTests|FloatBufferTests|LogMel[A-Za-z]*Tests|MelFilterbankTests'
suites+='|Silero[A-Za-z]*Tests|EnergyDetectorTests|SpeechSourceTests|GE2EGoldenTests'
suites+='|MoonshineGoldenTests|StreamingGoldenTests'
suites+='|SegmentationTests|CAMPlusTests|KaldiFilterBankTests'
suites+='|FastConformer[A-Za-z]*Tests|CTCHeadTests|TransducerDecodingTests'
filter=${STENO_ISA_FILTER:-"\\.($suites)(\$|/)|\\.EngineGoldenTests/(nano|randomTiny)\\("}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat > "$folder/name.c" <<'C'
#include <stdio.h>
#include "CStenoKernels.h"
int main(void) { return puts(steno_isa_name()) < 0; }
C
"$clang" -std=gnu17 -O0 -ISources/CStenoKernels/include Sources/CStenoKernels/*.c "$folder/name.c" \
    -o "$folder/name" -lm -lpthread
case "$(uname -m)" in
    arm64 | aarch64) names=(portable neon neondot neoni8mm) ;;
    *) names=(portable avx2 avxvnni avx512 avx512vnni amx) ;;
esac
[ $# -eq 0 ] || names=("$@")

status=0 rows=()
for name in "${names[@]}"; do
    if [ "$(STENO_MAX_ISA=$name "$folder/name")" != "$name" ]; then
        rows+=("$name|not on this processor|")
        continue
    fi
    echo "== $name"
    start=$SECONDS
    result=passed
    STENO_MAX_ISA=$name ${STENO_TEST:-swift test -c release} --filter "$filter" > "$folder/log" 2>&1 || result=failed
    # A filter that selects nothing would pass too.
    count=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' "$folder/log" | tail -1)
    [ "${count:-0}" -gt 0 ] || result=failed
    if [ "$result" = failed ]; then
        status=1
        cat "$folder/log"
    else
        tail -n 1 "$folder/log"
    fi
    rows+=("$name|$result, ${count:-0} tests|$((SECONDS - start))")
done
printf '\n%-12s %-28s %s\n' "kernels" "result" "seconds"
for row in "${rows[@]}"; do
    IFS='|' read -r name result seconds <<< "$row"
    printf '%-12s %-28s %s\n' "$name" "$result" "$seconds"
done
exit $status
