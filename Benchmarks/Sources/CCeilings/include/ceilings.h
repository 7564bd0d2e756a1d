// What this machine can do at most: multiply-adds in registers, and bytes read from its caches and its memory.
//
// A kernel's figure means something only beside these (Williams, Waterman and Patterson 2009, "Roofline").
#ifndef CEILINGS_H
#define CEILINGS_H

#include <stddef.h>
#include <stdint.h>

/// The numbers that are multiplied.
typedef enum {
    CEILING_FLOAT32,
    CEILING_BFLOAT16, // sums in float32
    CEILING_INT8,     // sums in int32
} ceiling_numbers;

/// The instruction the ceiling is measured with, the widest that this processor has; NULL when it has none.
const char *ceiling_instruction(ceiling_numbers numbers);

/// Billions of operations a second of `threads` threads together, a multiply-add being two; 0 without an instruction.
///
/// The best of many short runs: a ceiling is what the machine can do, not what it does on average.
double ceiling_arithmetic(ceiling_numbers numbers, int32_t threads);

/// Billions of bytes a second that `threads` threads together read, each from `bytes / threads` bytes of its own, again
/// and again: small blocks come from a cache, large ones from memory.
double ceiling_read(size_t bytes, int32_t threads);

#endif
