#!/usr/bin/env bash
# Compiles the kernels for arm64 and compares each NEON table with the portable one and with the definitions: natively on
# arm64, elsewhere under qemu, whose processors also prove that the right table is chosen for each. If qemu or the
# cross-compiler's libraries are missing, it reports that and stops; with STENO_CI=1 that is a failure.
set -euo pipefail
cd "$(dirname "$0")/../.."
clang=${CLANG:-clang}
build=.build-arm
sources=(Sources/CStenoKernels/*.c)
flags=(-std=gnu17 -O2 -Wall -Wextra -Werror -ISources/CStenoKernels/include)
target=()
ulimit -c 0 # one run is meant to be killed

skip() {
    echo "test-arm: $1"
    [ "${STENO_CI:-}" = 1 ] && exit 1
    echo "test-arm: skipped"
    exit 0
}

command -v "$clang" > /dev/null || skip "there is no clang; Swift's toolchain has one (CLANG= its path)"
case "$(uname -s) $(uname -m)" in
    *" arm64" | *" aarch64") native=1 ;;
    "Linux "*) native=0 ;;
    *) skip "this needs arm64, or Linux with qemu" ;;
esac
if [ "$native" = 0 ]; then
    missing=$(Tools/ci/require.sh qemu arm64 2>&1) || skip "$missing"
    qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static)
    target=(--target=aarch64-linux-gnu -static)
fi

# `dispatch.c` is compiled as a part of Tests/CStenoKernelTests/tables.c, which lends it another name.
mkdir -p "$build"
for i in "${!sources[@]}"; do
    [ "${sources[$i]}" = Sources/CStenoKernels/dispatch.c ] && unset "sources[$i]"
done
"$clang" ${target[@]+"${target[@]}"} "${flags[@]}" "${sources[@]}" Tests/CStenoKernelTests/*.c -o "$build/tests" -lm -lpthread

if [ "$native" = 1 ]; then
    names=(wide)
    for table in neon neondot neoni8mm; do
        [ "$(STENO_MAX_ISA=$table "$build/tests" choice)" = "$table" ] && names+=("$table")
    done
    "$build/tests" "${names[@]}"
    exit
fi

# Also compiled, but not run, for Apple's systems, with Linux's headers, since only Apple's SDK has theirs. One of clang's
# keywords is a macro in glibc.
for file in Sources/CStenoKernels/*.c; do
    "$clang" -target arm64-apple-macos13 "${flags[@]}" -U__nonnull -isystem Tests/CStenoKernelTests/apple \
        -isystem /usr/aarch64-linux-gnu/include -c "$file" -o "$build/apple.o"
done

# The table chosen for each processor, and with a cap.
choice() { STENO_MAX_ISA=$2 "$qemu" -cpu "$1" "$build/tests" choice; }
expect_choice() {
    local got
    got=$(choice "$1" "$2")
    [ "$got" = "$3" ] || { echo "test-arm: $1${2:+ capped to $2} chose $got, not $3"; exit 1; }
}
expect_choice max "" neoni8mm
for table in portable neon neondot neoni8mm; do expect_choice max "$table" "$table"; done
expect_choice max avx2 neoni8mm
expect_choice cortex-a76 "" neondot
expect_choice cortex-a76 neoni8mm neondot
expect_choice cortex-a53 "" neon
expect_choice cortex-a53 neondot neon
expect_choice cortex-a72 "" neon

# These processors reject instructions they lack, so passing there proves that a table uses only its own instructions.
expect_illegal_instruction() {
    local status=0
    { "$qemu" -cpu "$1" "$build/tests" "$2"; } > "$build/illegal.txt" 2>&1 || status=$?
    [ "$status" = 132 ] || { echo "test-arm: $2 on $1 ended with $status, not with an illegal instruction"; exit 1; }
}
expect_illegal_instruction cortex-a53 neondot 2> /dev/null
expect_illegal_instruction cortex-a76 neoni8mm 2> /dev/null
for processor in cortex-a53 cortex-a76 max; do
    table=$(choice "$processor" "")
    echo "== $table on $processor"
    "$qemu" -cpu "$processor" "$build/tests" "$table"
done
