#include "steno_planted.h"

#include <stdlib.h>

int steno_planted_active;

// Before any thread starts, so that kernels read it without synchronization.
__attribute__((constructor)) static void read_environment(void) {
    const char *fault = getenv("STENO_FAULT");
    steno_planted_active = fault ? atoi(fault) : 0;
}
