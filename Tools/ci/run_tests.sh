#!/usr/bin/env bash
# Runs tests, and lists at the end the skipped ones with their reasons, so that no gap goes unnoticed, and what failed.
#
#     Tools/ci/run_tests.sh [COMMAND …]    the command is `swift test` unless given
#
# The output and the exit code are those of the command; the lists follow its closing line. If STENO_SKIPPED names a file, the names of the
# skipped tests are also written there, one on each line.
set -uo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- swift test
# By default Swift Testing starts all tests at once: each then waits minutes for its turn, and multithreaded decoders wait for
# each other. One more test than cores keeps the cores busy while a test waits for a process or the clock.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-$(($(getconf _NPROCESSORS_ONLN) + 1))}
log=$(mktemp)
trap 'rm -f "$log" "$log.failed"' EXIT

"$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}

# Swift Testing writes `Test name() skipped: "reason"`, and the same for a suite and each of its tests.
LC_ALL=C awk -v names="${STENO_SKIPPED:-/dev/null}" '
    / skipped(: .*|\.)$/ && match($0, /(Suite|Test) /) {
        line = substr($0, RSTART)
        kind = line ~ /^Suite / ? "Suite" : "Test"
        at = index(line, " skipped")
        name = substr(line, length(kind) + 2, at - length(kind) - 2)
        reason = substr(line, at + 8)
        gsub(/^: "?|"?\.?$/, "", reason)
        if (reason == "") reason = "no reason given"
        if (seen[kind name reason]++ && kind == "Suite") next
        if (!(reason in list)) { order[++reasons] = reason; list[reason] = "" }
        if (kind == "Test") { count[reason]++; total++; print name > names }
        list[reason] = list[reason] "\n    " (kind == "Suite" ? "all of " : "") name
    }
    END {
        if (reasons == 0) { print "No test was skipped."; exit }
        printf "%d test%s skipped:\n", total, total == 1 ? " was" : "s were"
        for (i = 1; i <= reasons; i++) printf "  %d: %s%s\n", count[order[i]], order[i], list[order[i]]
    }' "$log"

# Failed expectations and crashes are thousands of lines back. Without expectations, a compiler error may have ended the command.
if [ "$status" != 0 ]; then
    echo "What failed:"
    {
        grep -aE 'recorded an issue' "$log" || grep -aE '(^|: )error: ' "$log"
        grep -aE -A 9 'Program crashed|^Thread .* crashed' "$log"
    } > "$log.failed"
    [ -s "$log.failed" ] || tail -n 20 "$log" > "$log.failed"
    cut -c 1-400 "$log.failed" | head -n 40
fi
exit "$status"
