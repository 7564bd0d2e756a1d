// What an instruction set brings: the inner loops, one table of them per file. Internal to the target.
#ifndef STENO_KERNELS_H
#define STENO_KERNELS_H

#include "include/CStenoKernels.h"

struct steno_matrix {
    int32_t outputs, inputs;
    int32_t panels;        // outputs / panel, rounded up
    int32_t padded_inputs; // inputs rounded up to the byte group (int8)
    steno_precision precision;
    // float: [panels][inputs][panel]; int8: [panels][padded_inputs / group][panel][group]
    void *weights;
    // int8: the value of one unit, 1 / scale, [panels · panel]
    float *units;
    // int8: Σ_k of each row's bytes, [panels · panel], for activations stored with an offset
    int32_t *sums;
    int64_t bytes;
};

// The positions that share the units of their values, and the rows that look at a cache side by side.
enum { STENO_BLOCK = 128, STENO_CACHED_ROWS = 8 };

struct steno_memory {
    int32_t heads, capacity, positions; // capacity is a multiple of the panel; int8: of the block
    steno_precision precision;
    // float: [heads][capacity / panel][64][panel]; int8: [heads][capacity / panel][64 / group][panel][group]
    void *keys;
    // float: [heads][64 / panel][capacity][panel]; int8: [heads][64 / panel][capacity / group][panel][group]
    void *values;
    // int8: the value of one unit of a key, and the sum of its bytes, [heads][capacity]
    float *key_units;
    int32_t *key_sums;
    // int8: the value of one unit of a block's values, [heads][capacity / block][64]
    float *value_units;
    // int8: the sum of the bytes of a block's values, [heads][capacity / block][64]
    int32_t *value_sums;
};

typedef struct {
    const char *name;
    // the output rows that are computed side by side: two vectors' worth
    int32_t panel;
    // int8: how many neighbouring inputs one dot-product instruction takes, and the bytes of a stored activation
    int32_t group;
    int32_t activation_bytes;
    // int8: what is added to an activation before it is stored, so that it is unsigned
    int32_t activation_offset;

    // Quantises one row to int8 range; `stored` gets padded_inputs activations; returns the value of one unit.
    float (*quantize)(const float *x, int32_t inputs, int32_t padded_inputs, void *stored);
    // Computes output panels [panel, panel_end) of rows [row, row_end). For int8, x is the workspace's rows.
    void (*multiply_float)(const steno_product *p, int32_t row, int32_t row_end, int32_t panel, int32_t panel_end);
    void (*multiply_int8)(const steno_product *p, const void *stored, const float *row_units, int32_t row,
        int32_t row_end, int32_t panel, int32_t panel_end);
    // Attention of queries [row, row_end) and one head.
    void (*attend)(const steno_memory *m, int32_t head, const float *q, int64_t q_stride, int32_t row, int32_t row_end,
        float *out, int64_t out_stride);
    void (*scores)(const steno_memory *m, int32_t head, const float *q, int64_t q_stride, int32_t rows, float *scores,
        int64_t scores_stride);
    // The same in whole numbers, and the packing of one block of positions.
    void (*attend8)(const steno_memory *m, int32_t head, const float *q, int64_t q_stride, int32_t row, int32_t row_end,
        float *out, int64_t out_stride);
    void (*scores8)(const steno_memory *m, int32_t head, const float *q, int64_t q_stride, int32_t rows, float *scores,
        int64_t scores_stride);
    void (*pack8)(steno_memory *m, int32_t head, int32_t first, int32_t count, const float *keys, const float *values,
        int64_t stride);
    void (*attend_cached)(const steno_cached_attention *a, int32_t row, int32_t row_end, int32_t head);
    void (*layer_norm)(const float *x, int32_t width, const float *gamma, const float *beta, float epsilon, float *y);
    float (*maximum)(const float *x, int64_t count);
    float (*sum_exp)(const float *x, int64_t count, float shift);
    void (*widen_float16)(const void *bits, int64_t count, float *values);
} steno_kernels;

extern const steno_kernels steno_kernels_portable;
#if defined(__x86_64__)
extern const steno_kernels steno_kernels_avx2;
extern const steno_kernels steno_kernels_avxvnni;
extern const steno_kernels steno_kernels_avx512;
extern const steno_kernels steno_kernels_avx512vnni;
#endif
#if defined(__aarch64__)
extern const steno_kernels steno_kernels_neon;
extern const steno_kernels steno_kernels_neondot;
extern const steno_kernels steno_kernels_neoni8mm;
int steno_arm64_has_dot_product(void);
int steno_arm64_has_matrix_product(void);
#endif

/// The table for this machine, chosen at the first call.
const steno_kernels *steno_kernels_current(void);

#endif
