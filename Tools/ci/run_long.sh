#!/usr/bin/env bash
# Runs everything that takes too long for every change, part by part, and prints a table at the end.
#
#     Tools/ci/run_long.sh [PART …]    only these parts; they are the targets of the Makefile named below
#
# A failing part does not stop the others; the exit code is 1 if one failed. The output of each part is in
# .build-long/PART.log.
set -uo pipefail
cd "$(dirname "$0")/../.."
parts=(test-long check-install check-dependency check-allocations fuzz faults sanitize-address sanitize-thread test-isa test-busy measure-live measure-live-hours measure-worker-hours test-spark check-c check-wheel release check-packages)
[ $# -eq 0 ] || parts=("$@")
mkdir -p .build-long

status=0 rows=()
for part in "${parts[@]}"; do
    start=$SECONDS
    log=.build-long/$part.log
    echo "== $part, to $log"
    if ! make --no-print-directory "$part" > "$log" 2>&1; then
        result=failed
        status=1
        tail -n 40 "$log"
    else
        # A part that could not run prints `part: skipped` and the reason.
        result=$(sed -nE "s/^$part: (skipped.*)/\\1/p" "$log" | tail -1)
        result=${result:-passed}
    fi
    rows+=("$part|$result|$((SECONDS - start))")
done
printf '\n%-18s %-9s %s\n' "part" "seconds" "result"
for row in "${rows[@]}"; do
    IFS='|' read -r part result seconds <<< "$row"
    printf '%-18s %-9s %s\n' "$part" "$seconds" "$result"
done
exit $status
