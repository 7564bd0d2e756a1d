// The machine's peak rates: multiply-adds in registers, and bytes read from its caches and its memory.
//
// They are the roofline against which kernels are compared (Williams, Waterman and Patterson 2009, "Roofline").
#ifndef CEILINGS_H
#define CEILINGS_H

#include <stddef.h>
#include <stdint.h>

/// The formats of the numbers that are multiplied.
typedef enum {
    CEILING_FLOAT32,
    CEILING_BFLOAT16, // sums in float32
    CEILING_INT8,     // sums in int32
} ceiling_numbers;

/// The instruction used for the measurement, the widest this processor has; NULL if there is none.
const char *ceiling_instruction(ceiling_numbers numbers);

/// Billions of operations per second of `threads` threads together, counting a multiply-add as two; 0 without an
/// instruction.
///
/// The best of many short runs, because a peak rate is what the machine can do, not its average.
double ceiling_arithmetic(ceiling_numbers numbers, int32_t threads);

/// Billions of bytes per second that `threads` threads read together, each repeatedly from its own `bytes / threads`
/// bytes: small blocks come from a cache, large ones from memory.
double ceiling_read(size_t bytes, int32_t threads);

#endif
