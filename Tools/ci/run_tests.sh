#!/usr/bin/env bash
# Runs tests, and lists at the end which were skipped and why, so that no gap goes unseen.
#
#     Tools/ci/run_tests.sh [COMMAND …]    the command is `swift test -c release` unless given
#
# The output and the exit code are those of the command; the list follows its closing line.
set -uo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- swift test -c release
log=$(mktemp)
trap 'rm -f "$log"' EXIT

"$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}

# Swift Testing writes `Test name() skipped: "reason"`, and the same for a suite and each of its tests.
sed -nE 's/^[^A-Za-z"]*(Suite|Test) (.*) skipped: "?(.*[^"])"?\.?$/\1\t\2\t\3/p' "$log" | sort -u | awk -F '\t' '
    $1 == "Suite" { suites[$3] = suites[$3] "\n    all of " $2 }
    $1 == "Test" { tests[$3] = tests[$3] "\n    " $2; count[$3]++; total++ }
    { reasons[$3] = 1 }
    END {
        if (total == 0) { print "No test was skipped."; exit }
        printf "%d test%s skipped:\n", total, total == 1 ? " was" : "s were"
        for (reason in reasons) printf "  %d: %s%s%s\n", count[reason], reason, suites[reason], tests[reason]
    }'
exit "$status"
