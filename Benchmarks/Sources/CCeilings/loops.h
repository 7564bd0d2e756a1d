// One processor family's loops. Internal to the target.
#ifndef CEILING_LOOPS_H
#define CEILING_LOOPS_H

#include "include/ceilings.h"

/// Multiplies and adds `rounds` times in registers only.
typedef struct {
    const char *instruction;
    void (*run)(long rounds);
    /// The operations of one round.
    double operations;
} ceiling_loop;

/// The best loop for these numbers; `run` is NULL when there is none.
ceiling_loop ceiling_best_loop(ceiling_numbers numbers);

/// Independent sums, enough to hide the latency of the instructions and few enough for 16 registers.
enum { CEILING_SUMS = 12 };

#endif
