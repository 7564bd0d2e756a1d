// The loops of one processor family. Internal to the target.
#ifndef CEILING_LOOPS_H
#define CEILING_LOOPS_H

#include "include/ceilings.h"

/// Performs `rounds` rounds of multiply-adds in registers.
typedef struct {
    const char *instruction;
    void (*run)(long rounds);
    /// The number of operations per round.
    double operations;
} ceiling_loop;

/// The fastest loop for these numbers; `run` is NULL if there is none.
ceiling_loop ceiling_best_loop(ceiling_numbers numbers);

/// The number of independent sums, enough to hide the instructions' latency and few enough for 16 registers.
enum { CEILING_SUMS = 12 };

/// Defines a loop of `step`, which changes `sum`.
///
/// The empty assembly makes the compiler assume that each sum is read from a register of this kind, so that it keeps
/// all sums and all rounds.
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
