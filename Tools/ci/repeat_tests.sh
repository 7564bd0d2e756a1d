#!/usr/bin/env bash
# Runs `make test` several times while other processes keep every core busy, which exposes timing-dependent tests.
#
#     Tools/ci/repeat_tests.sh N [COMMAND …]    N runs; the command is `make test` unless given
#
# Prints a table at the end, with the output file of each failed run. The exit code is 1 if a run failed.
set -uo pipefail
cd "$(dirname "$0")/../.."
runs=${1:?the number of runs is missing: Tools/ci/repeat_tests.sh N}
shift
[[ $runs =~ ^[1-9][0-9]*$ ]] || { echo "repeat_tests: the number of runs must be 1 or more, not $runs" >&2; exit 2; }
[ $# -gt 0 ] || set -- make --no-print-directory test
cores=$(getconf _NPROCESSORS_ONLN)
busy=()
trap 'kill "${busy[@]}" 2> /dev/null' EXIT
for ((core = 0; core < cores; core++)); do
    (while :; do :; done) &
    busy+=($!)
done

status=0 rows=()
for ((run = 1; run <= runs; run++)); do
    log=$(mktemp "${TMPDIR:-/tmp}/steno-run.XXXXXX")
    start=$SECONDS
    if "$@" > "$log" 2>&1; then
        result=passed
        rm -f "$log"
    else
        result="failed, see $log"
        status=1
        tail -n 40 "$log"
    fi
    rows+=("$run|$result|$((SECONDS - start))")
    echo "run $run of $runs: $result"
done
printf '\n%-5s %-8s %s\n' "run" "seconds" "result"
for row in "${rows[@]}"; do
    IFS='|' read -r run result seconds <<< "$row"
    printf '%-5s %-8s %s\n' "$run" "$seconds" "$result"
done
exit $status
