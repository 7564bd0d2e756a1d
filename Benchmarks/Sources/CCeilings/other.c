#include "loops.h"

#if !defined(__x86_64__) && !defined(__aarch64__)

ceiling_loop ceiling_best_loop(ceiling_numbers numbers) {
    (void)numbers;
    return (ceiling_loop){0};
}

#endif
