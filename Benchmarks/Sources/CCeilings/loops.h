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

/// Defines a loop of `step`, which changes `sum`.
///
/// The empty assembly makes the compiler believe that each sum is looked at in a register of this kind, so that it
/// keeps all of them and all rounds.
#define CEILING_LOOP(register_kind, name, attribute, vector, zero, step)                                               \
    attribute static void name(long rounds) {                                                                          \
        vector sums[CEILING_SUMS];                                                                                     \
        _Pragma("clang loop unroll(full)") for (int i = 0; i < CEILING_SUMS; i++) sums[i] = zero;                      \
        for (long round = 0; round < rounds; round++) {                                                                \
            _Pragma("clang loop unroll(full)") for (int i = 0; i < CEILING_SUMS; i++) {                                \
                vector sum = sums[i];                                                                                  \
                step;                                                                                                  \
                __asm__ volatile("" : register_kind(sum));                                                             \
                sums[i] = sum;                                                                                         \
            }                                                                                                          \
        }                                                                                                              \
    }

#endif
