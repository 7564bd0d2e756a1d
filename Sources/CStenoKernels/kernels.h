// The interface of an instruction set: its inner loops, one table of them per file. Internal to the target.
//
// Everything that depends on number storage is an operation in the table of a number format; an instruction set has one
// such table per format for matrices, attention memories and caches. A new format or a new kernel for a format is a new
// table entry; nothing outside the tables distinguishes formats.
#ifndef STENO_KERNELS_H
#define STENO_KERNELS_H

#include "allocate.h"
#include "include/CStenoKernels.h"

static inline int32_t steno_least(int32_t a, int32_t b) { return a < b ? a : b; }

typedef struct steno_matrix_format steno_matrix_format;
typedef struct steno_memory_format steno_memory_format;

struct steno_matrix {
    const steno_matrix_format *format;
    int32_t outputs, inputs;
    int32_t panels;        // outputs / panel, rounded up
    int32_t padded_inputs; // the inputs that are stored: int8 has whole groups
    // float32: [panels][inputs][panel]; int8: [panels][padded_inputs / group][panel][group]
    void *weights;
    // int8: per-row scale, weight = int8 · scale, [panels · panel]
    float *scales;
    // int8: corrections of a row's sum for the way its activations are stored, [panels · panel]; with AVX2 for each of
    // its two ways, [2][panels · panel]
    int32_t *sums;
    // int8 with AVX2: marks the blocks of weights that are too large for the faster product
    uint64_t *large;
    int64_t weight_bytes;
    void *block; // all of it, as it was allocated
};

// One way to multiply with a format's matrices.
typedef struct {
    // A product uses the last kernel in its format's list whose minimum it reaches; the first has none.
    int32_t least_rows;
    // The size of the workspace in bytes; NULL if it needs none.
    int64_t (*workspace)(const steno_matrix *m, int32_t rows);
    // Converts input rows [row, row_end) into the workspace; NULL if the product reads them directly.
    void (*prepare)(const steno_product *p, int32_t row, int32_t row_end);
    // Computes output panels [panel, panel_end) of rows [row, row_end).
    void (*multiply)(const steno_product *p, int32_t row, int32_t row_end, int32_t panel, int32_t panel_end);
} steno_product_kernel;

// The operations of a matrix's number format.
struct steno_matrix_format {
    steno_format format;
    int32_t panel; // the output rows that are stored and computed together
    // Assigns weights, scales and sums their places in the arena, and sets weight_bytes and padded_inputs.
    void (*layout)(steno_matrix *m, steno_arena *arena);
    // Sets rows [first, first + count); returns the number of rows that are not finite.
    int32_t (*set_float)(steno_matrix *m, int32_t first, int32_t count, const float *rows);
    int32_t (*set_int8)(steno_matrix *m, int32_t first, int32_t count, const int8_t *rows, const float *scales);
    void (*get_row)(const steno_matrix *m, int32_t row, float *values);
    const steno_product_kernel *kernels;
    int32_t kernel_count;
};

// The number of positions that share the scales of their values, and of rows that attend to a cache together.
enum { STENO_BLOCK = 128, STENO_CACHED_ROWS = 8 };

struct steno_memory {
    const steno_memory_format *format;
    int32_t heads, head_width;
    int32_t padded_width;        // the channels of the stored values: whole panels
    int32_t capacity, positions; // the capacity is a multiple of the format's block
    // float32: [heads][capacity / panel][head_width][panel];
    // int8: [heads][capacity / panel][head_width / group][panel][group]
    void *keys;
    // float32: [heads][padded_width / panel][capacity][panel];
    // int8: [heads][padded_width / panel][capacity / group][panel][group]
    void *values;
    // int8: per-key scale, and the sum of the key's int8 numbers, [heads][capacity]
    float *key_scales;
    int32_t *key_sums;
    // int8: the scale of a channel's values in a block of positions, and the sum of their int8 numbers,
    // [heads][capacity / block][padded_width]
    float *value_scales;
    int32_t *value_sums;
    int64_t bytes;
    void *block; // all of it, as it was allocated
};

// The operations of an attention memory's number format.
struct steno_memory_format {
    steno_format format;
    int32_t block; // the positions that are packed together
    // Assigns keys, values, scales and sums their places in the arena.
    void (*layout)(steno_memory *m, steno_arena *arena);
    // Packs positions [first, first + count) of one head: a whole block, or the rest at the end.
    void (*pack)(steno_memory *m, int32_t head, int32_t first, int32_t count, const float *keys, const float *values,
        int64_t stride);
    // Attention of queries [row, row_end) and one head.
    void (*attend)(const steno_attention *a, int32_t head, int32_t row, int32_t row_end);
    void (*scores)(const steno_attention *a, int32_t head, float *scores, int64_t scores_stride);
};

// The operations of the number format of a cache of keys and values.
typedef struct {
    steno_format format;
    int32_t number_bytes;
    void (*store)(const float *values, int64_t count, void *cache, int64_t index);
    // Attention of rows [row, row_end), at most STENO_CACHED_ROWS, and one head.
    void (*attend)(const steno_cached_attention *a, int32_t row, int32_t row_end, int32_t head);
} steno_cache_format;

// Log-mel kernels for one geometry, or for any: a list ends with a kernel whose lengths are 0.
typedef struct {
    int32_t fft_length, frame_length;
    float (*compute)(const steno_log_mel *plan, const float *samples, ptrdiff_t frames,
        const steno_mel_filters *filters, float *rows);
} steno_log_mel_kernel;

extern const steno_log_mel_kernel steno_log_mel_portable[];
#if defined(__x86_64__)
extern const steno_log_mel_kernel steno_log_mel_avx2[];
#elif defined(__aarch64__)
extern const steno_log_mel_kernel steno_log_mel_neon[];
#endif

typedef struct {
    const char *name;
    const steno_matrix_format *matrix_formats;
    const steno_memory_format *memory_formats;
    const steno_cache_format *cache_formats;
    int32_t matrix_format_count, memory_format_count, cache_format_count;
    const steno_log_mel_kernel *log_mel;
    void (*layer_norm)(const float *x, int32_t width, const float *gamma, const float *beta, float epsilon, float *y);
    float (*maximum)(const float *x, int64_t count);
    float (*sum_exp)(const float *x, int64_t count, float shift);
    void (*widen_float16)(const void *bits, int64_t count, float *values);
    void (*lstm_step)(const float *gates, int32_t width, float *cell, float *hidden);
    void (*rotate)(const float *x, int32_t count, const float *angles, float *y);
    void (*gate_silu)(const float *value, const float *gate, int32_t width, float *y);
    float (*sum)(const float *x, int32_t width);
    float (*sum_squares)(const float *x, int32_t width, float mean);
    void (*scale_shift)(
        const float *x, int32_t width, float mean, float scale, const float *gamma, const float *beta, float *y);
    // One row of a convolution's result.
    void (*convolve_row)(const steno_depthwise *convolution, int32_t row);
    void (*convolve_image_row)(const steno_depthwise_image *convolution, int32_t row);
    void (*gate)(const float *x, int32_t width, float *y);
    void (*silu)(float *x, int32_t width);
    // Attention of queries [row, row_end) and one head.
    void (*attend_relative)(const steno_relative_attention *a, int32_t head, int32_t row, int32_t row_end);
    void (*scale_channels)(
        const float *x, int32_t width, const float *scale, const float *shift, float slope, float *y);
    void (*max_pool)(const float *x, int64_t x_stride, int32_t step, int32_t width, bool magnitudes, float *y);
    // Squared distances with a centre, plain sums without one.
    void (*channel_sums)(
        const float *x, int64_t x_stride, int32_t rows, int32_t width, const float *centre, float *sums);
} steno_kernels;

extern const steno_kernels steno_kernels_portable;
#if defined(__x86_64__)
extern const steno_kernels steno_kernels_avx2;
extern const steno_kernels steno_kernels_avxvnni;
extern const steno_kernels steno_kernels_avx512;
extern const steno_kernels steno_kernels_avx512vnni;
#if defined(__linux__)
extern const steno_kernels steno_kernels_amx;
#endif
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

/// A function that finds a format among this machine's; its result is NULL if there is none.
#define STENO_FORMAT_NAMED(kind) \
    static const steno_##kind##_format *kind##_format_named(steno_format format) { \
        const steno_kernels *kernels = steno_kernels_current(); \
        for (int32_t i = 0; i < kernels->kind##_format_count; i++) { \
            if (kernels->kind##_formats[i].format == format) return kernels->kind##_formats + i; \
        } \
        return NULL; \
    }

#endif
