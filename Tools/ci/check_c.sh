#!/usr/bin/env bash
# Checks libsteno as a C program meets it: the header compiles as C11 and C++17 without warnings, the library shows the
# functions of the header and nothing else, and needs no Swift library. The example runs with both libraries, from another
# folder and with an empty environment; under the address sanitizer and valgrind if they are installed.
#
# usage: Tools/ci/check_c.sh FOLDER     what Tools/install/make_libsteno.sh has made
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# = 1 ] && [ -d "$1/lib" ] || { echo "usage: Tools/ci/check_c.sh FOLDER, with include and lib in it" >&2; exit 64; }
root=$PWD
folder=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "check-c: $1"
    exit 1
}
strict=(-Wall -Wextra -Wpedantic -Werror -I "$folder/include")
cc=${CC:-cc}

printf '#include "steno.h"\n#include "steno.h"\nint main(void) { return 0; }\n' > "$work/header.c"
cp "$work/header.c" "$work/header.cpp"
"$cc" -std=c11 -Wstrict-prototypes "${strict[@]}" -fsyntax-only "$work/header.c" || fail "the header is not C11"
c++ -std=c++17 "${strict[@]}" -fsyntax-only "$work/header.cpp" || fail "the header is not C++17"

grep -oE '\bsteno_[a-z_]+\(' "$folder/include/steno.h" | tr -d '(' | sort -u > "$work/mentioned"
grep -oE 'steno_[a-z_]+;' Tools/install/libsteno.map | tr -d ';' | sort -u > "$work/mapped"
shown=$(nm -D --defined-only "$folder/lib/libsteno.so.0")
grep ' T ' <<< "$shown" | awk '{ print $3 }' | sed 's/@@.*//' | sort -u > "$work/shown"
diff "$work/mapped" "$work/shown" || fail "libsteno.map and the library differ"
diff "$work/mapped" "$work/mentioned" || fail "libsteno.map and steno.h differ"
grep -q '@@STENO_0.1$' <<< "$shown" || fail "the symbols have no version"
readelf -d "$folder/lib/libsteno.so.0" | grep -q NODELETE || fail "dlclose() would unmap the code of running threads"
! ldd "$folder/lib/libsteno.so.0" | grep -E 'swift|Foundation|curl|not found' ||
    fail "the library needs more than the C and C++ libraries"

speech=$work/talk.wav
cp Sources/StenoBundledModel/Resources/samples/inaugural-1961.wav "$speech"
heard="ask not what your country can do for you"
run() {
    local name=$1
    shift
    (cd / && env -i HOME="$work" "$@" "$speech" > "$work/$name.txt" 2> "$work/$name.log") || {
        tail -20 "$work/$name.log"
        fail "$name failed"
    }
    [ "$(grep -c "$heard" "$work/$name.txt")" -ge 2 ] || fail "$name: the text is wrong: $(cat "$work/$name.txt")"
    echo "check-c: $name"
}

"$cc" -std=c11 -g "${strict[@]}" "$root/Examples/C/transcribe.c" -L "$folder/lib" -lsteno -Wl,-rpath,"$folder/lib" \
    -o "$work/shared"
run shared "$work/shared"
grep -q '^[0-9]* words' "$work/shared.txt" && ! grep -q '^0 words' "$work/shared.txt" || fail "there are no words"
if [ -e "$folder/lib/libsteno.a" ]; then
    "$cc" -std=c11 "${strict[@]}" "$root/Examples/C/transcribe.c" "$folder/lib/libsteno.a" -lstdc++ -lm -o "$work/static"
    # The resources are looked for next to the program.
    for bundle in "$folder"/lib/Steno_*; do ln -s "$bundle" "$work/"; done
    run static "$work/static"
fi

echo 'int main(void) { return 0; }' > "$work/empty.c"
if "$cc" -fsanitize=address "$work/empty.c" -o "$work/empty" 2> /dev/null && "$work/empty"; then
    "$cc" -std=c11 -g -fsanitize=address,undefined "${strict[@]}" "$root/Examples/C/transcribe.c" -L "$folder/lib" -lsteno \
        -Wl,-rpath,"$folder/lib" -o "$work/sanitized"
    run sanitized env ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions="$root/Tools/ci/leak_sanitizer.supp" "$work/sanitized"
else
    echo "check-c: the address sanitizer is not installed"
fi
if command -v valgrind > /dev/null; then
    # valgrind knows no AVX-512, and runs one thread at a time: even a short recording takes it minutes.
    cp Sources/StenoBundledModel/Resources/samples/en-quick_brown_fox.wav "$speech"
    heard="fox"
    run valgrind env STENO_MAX_ISA=avx2 "$(command -v valgrind)" --error-exitcode=99 --leak-check=full \
        --errors-for-leak-kinds=definite --show-leak-kinds=definite --suppressions="$root/Tools/ci/valgrind.supp" --quiet \
        "$work/shared"
else
    echo "check-c: valgrind is not installed"
fi
