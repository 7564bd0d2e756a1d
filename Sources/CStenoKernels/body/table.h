// The tables of one instruction set, and what it computes apart from products: included last.
#include "attend.h"
#include "attend8.h"
#include "pack.h"
#include "rows.h"
#include "convolution.h"
#include "relative.h"
#include "channels.h"

static const steno_product_kernel products_float32[] = {{.multiply = multiply_float}};

#define COUNT(array) (int32_t)(sizeof(array) / sizeof((array)[0]))

static const steno_matrix_format matrix_formats[] = {
    {.format = STENO_FLOAT32, .panel = PANEL, .layout = layout_float32, .set_float = set_float_float32,
     .set_int8 = set_int8_float32, .get_row = get_row_float32, .kernels = products_float32,
     .kernel_count = COUNT(products_float32)},
    {.format = STENO_INT8, .panel = PANEL, .layout = layout_int8, .set_float = set_float_int8,
     .set_int8 = set_int8_int8, .get_row = get_row_int8, .kernels = products_int8,
     .kernel_count = COUNT(products_int8)},
};

static const steno_memory_format memory_formats[] = {
    {.format = STENO_FLOAT32, .block = PANEL, .layout = layout_memory_float, .pack = pack_float,
     .attend = attend_float, .scores = scores_float},
    {.format = STENO_INT8, .block = STENO_BLOCK, .layout = layout_memory_int8, .pack = pack_int8,
     .attend = attend_int8, .scores = scores_int8},
};

static const steno_cache_format cache_formats[] = {
    {.format = STENO_FLOAT32, .number_bytes = 4, .store = store_float32, .attend = attend_cached_float32},
    {.format = STENO_BFLOAT16, .number_bytes = 2, .store = store_bfloat16, .attend = attend_cached_bfloat16},
};

const steno_kernels TABLE = {
    .name = TABLE_NAME,
    .matrix_formats = matrix_formats,
    .memory_formats = memory_formats,
    .cache_formats = cache_formats,
    .matrix_format_count = COUNT(matrix_formats),
    .memory_format_count = COUNT(memory_formats),
    .cache_format_count = COUNT(cache_formats),
    .log_mel = LOG_MEL,
    .layer_norm = layer_norm,
    .maximum = maximum,
    .sum_exp = sum_exp,
    .widen_float16 = widen_float16,
    .lstm_step = lstm_step,
    .rotate = rotate,
    .gate_silu = gate_silu,
    .sum = sum,
    .sum_squares = sum_squares,
    .scale_shift = scale_shift,
    .convolve_row = convolve_row,
    .convolve_image_row = convolve_image_row,
    .gate = gate,
    .silu = silu,
    .attend_relative = attend_relative,
    .scale_channels = scale_channels,
    .max_pool = max_pool,
    .channel_sums = channel_sums,
};
