#!/usr/bin/env bash
# Runs the tests of the kernels, and small forward passes of the code that uses them, once for each table of kernels that this
# processor supports: the passes in a process each, since the table is chosen once per process (STENO_MAX_ISA).
#
#     Tools/ci/test_isa.sh [NAME …]    only these tables, such as portable, avx2 or wide (64 bytes on any processor)
#
# The command is `swift test -c release` unless STENO_TEST names another.
set -euo pipefail
cd "$(dirname "$0")/../.."
clang=${CLANG:-clang}
# The kernels as the build has them, and the suites of the code that uses them, in any test target; of the forward passes only the
# small ones, which use every kernel that the large ones use. The program below compares the tables with each other.
suites='KernelTests|LinearTests|LogMel[A-Za-z]*Tests|MelFilterbankTests|DispatchTests'
suites+='|SileroDetectorTests|MoonshineGoldenTests|StreamingGoldenTests'
suites+='|SegmentationTests|CAMPlusTests|KaldiFilterBankTests'
suites+='|FastConformer(Encoder|Features|Stream)Tests|CTCHeadTests|TransducerDecodingTests'
filter=${STENO_ISA_FILTER:-"\\.($suites)(\$|/)|\\.EngineGoldenTests/nano\\("}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# `dispatch.c` is compiled as a part of Tests/CStenoKernelTests/tables.c, which lends it another name.
sources=()
for file in Sources/CStenoKernels/*.c Tests/CStenoKernelTests/*.c; do
    [ "$file" = Sources/CStenoKernels/dispatch.c ] || sources+=("$file")
done
"$clang" -std=gnu17 -O1 -ISources/CStenoKernels/include "${sources[@]}" -o "$folder/kernels" -lm -lpthread
case "$(uname -m)" in
    arm64 | aarch64) names=(wide portable neon neondot neoni8mm) ;;
    *) names=(wide portable avx2 avxvnni avx512 avx512vnni amx) ;;
esac
[ $# -eq 0 ] || names=("$@")

status=0 rows=()
for name in "${names[@]}"; do
    if [ "$name" = wide ]; then
        start=$SECONDS result="the kernels alone"
        "$folder/kernels" wide > "$folder/log" || { status=1 result=failed && cat "$folder/log"; }
        rows+=("$name|$result|$((SECONDS - start))")
        continue
    fi
    if [ "$(STENO_MAX_ISA=$name "$folder/kernels" choice)" != "$name" ]; then
        rows+=("$name|not on this processor|")
        continue
    fi
    echo "== $name"
    start=$SECONDS
    result=passed
    "$folder/kernels" "$name" > "$folder/log" 2>&1 || result=failed
    STENO_MAX_ISA=$name ${STENO_TEST:-swift test -c release} --filter "$filter" >> "$folder/log" 2>&1 || result=failed
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
