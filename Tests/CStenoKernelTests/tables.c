#include "tests.h"

#if SWIFT_PACKAGE
const steno_kernels *tables[TABLES];
bool selected[TABLES] = {true};

int next_table(int table) {
    tables[0] = steno_kernels_current();
    return table + 1;
}
#else
// The kernels' own sources ask this file for the table, so that one program can run them all; the processor's real
// choice is available under another name.
#define steno_kernels_current steno_kernels_of_this_processor
#define steno_isa_name steno_isa_name_of_this_processor
#include "../../Sources/CStenoKernels/dispatch.c"
#undef steno_kernels_current
#undef steno_isa_name

const steno_kernels *tables[TABLES] = {
    &steno_kernels_portable, &wide_kernels,
#if defined(__aarch64__)
    &steno_kernels_neon, &steno_kernels_neondot, &steno_kernels_neoni8mm,
#elif defined(__x86_64__)
    &steno_kernels_avx2, &steno_kernels_avxvnni, &steno_kernels_avx512, &steno_kernels_avx512vnni,
#if defined(__linux__)
    &steno_kernels_amx,
#endif
#endif
};

static const steno_kernels *under_test = &steno_kernels_portable;

bool selected[TABLES] = {true};

int next_table(int table) {
    do table++;
    while (table < TABLES && !selected[table]);
    if (table < TABLES) under_test = tables[table];
    return table;
}

const char *chosen_name(void) { return steno_isa_name_of_this_processor(); }

const steno_kernels *steno_kernels_current(void) { return under_test; }
#endif
