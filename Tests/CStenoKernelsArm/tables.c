// The kernels' own sources ask this file for the table, so that one program can run them all; the processor's real
// choice is available under another name.
#include "tests.h"

#define steno_kernels_current steno_kernels_of_this_processor
#define steno_isa_name steno_isa_name_of_this_processor
#include "../../Sources/CStenoKernels/dispatch.c"
#undef steno_kernels_current
#undef steno_isa_name

#if !defined(__aarch64__)
#error "These tests compare the arm64 kernels; Tests/StenoComputeTests/Compute has those of this processor."
#endif

const steno_kernels *const tables[TABLES] = {
    &steno_kernels_portable, &steno_kernels_neon, &steno_kernels_neondot, &steno_kernels_neoni8mm};

static const steno_kernels *under_test = &steno_kernels_portable;

bool selected[TABLES];

int next_table(int table) {
    do table++;
    while (table < TABLES && !selected[table]);
    if (table < TABLES) under_test = tables[table];
    return table;
}

const char *chosen_name(void) { return steno_isa_name_of_this_processor(); }

const steno_kernels *steno_kernels_current(void) { return under_test; }
