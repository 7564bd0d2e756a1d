// One allocation divided into parts, each aligned for the widest vectors, with overflow checks on their sizes.
// Internal.
#ifndef STENO_ALLOCATE_H
#define STENO_ALLOCATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { STENO_ALIGNMENT = 64 };

static inline int64_t steno_round_up(int64_t value, int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

// Without a base it only sums the sizes; with one it hands out the parts.
typedef struct {
    char *base;
    int64_t bytes;
    bool overflows;
} steno_arena;

// Reserves a part of a · b · c bytes, none of them negative; NULL while there is no base.
static inline void *steno_arena_take(steno_arena *arena, int64_t a, int64_t b, int64_t c) {
    int64_t bytes = 0;
    if (__builtin_mul_overflow(a, b, &bytes) || __builtin_mul_overflow(bytes, c, &bytes)
        || bytes > INT64_MAX / 4 - arena->bytes) {
        arena->overflows = true;
        return NULL;
    }
    void *part = arena->base ? arena->base + arena->bytes : NULL;
    arena->bytes += steno_round_up(bytes, STENO_ALIGNMENT);
    return part;
}

// Allocates the memory for the sizes summed so far and resets the arena to its start. Returns the pointer to free, or
// NULL if there is not enough memory.
static inline void *steno_arena_allocate(steno_arena *arena, bool zeroed) {
    if (arena->overflows || (uint64_t)arena->bytes > SIZE_MAX - STENO_ALIGNMENT) return NULL;
    const size_t bytes = (size_t)arena->bytes + STENO_ALIGNMENT;
    void *block = zeroed ? calloc(1, bytes) : malloc(bytes);
    if (!block) return NULL;
    arena->base = (char *)block + (STENO_ALIGNMENT - (uintptr_t)block % STENO_ALIGNMENT) % STENO_ALIGNMENT;
    arena->bytes = 0;
    return block;
}

#endif
