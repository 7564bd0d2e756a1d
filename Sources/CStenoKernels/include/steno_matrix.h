// Packed weight matrices, and the product y = act(x · Wᵀ + b) + r.
#ifndef STENO_MATRIX_H
#define STENO_MATRIX_H

#include "steno_pool.h"
#include <stdint.h>

/// Number formats; each kernel's documentation lists those it supports.
typedef enum {
    STENO_FLOAT32 = 0,
    /// int8 with per-row scales; products quantise their input rows to int8 dynamically.
    STENO_INT8 = 1,
    /// The upper half of a float32.
    STENO_BFLOAT16 = 2,
} steno_format;

typedef enum {
    STENO_IDENTITY = 0,
    /// x · Φ(x), with the error function to 1.5e-7 (Abramowitz and Stegun 7.1.26); to 2e-4 in an int8 product.
    STENO_GELU = 1,
    /// x / (1 + e^−x).
    STENO_SILU = 2,
    /// max(x, 0).
    STENO_RELU = 3,
    STENO_TANH = 4,
} steno_activation;

/// A weight matrix [outputs, inputs], packed into panels of a few output rows, input index major within a panel.
typedef struct steno_matrix steno_matrix;

/// Allocates a matrix of zeros in STENO_FLOAT32 or STENO_INT8; NULL if there is not enough memory or the format is not
/// supported.
steno_matrix *steno_matrix_create(int32_t outputs, int32_t inputs, steno_format format);
void steno_matrix_destroy(steno_matrix *matrix);

/// The number of output rows per panel; rows are set starting at multiples of this.
int32_t steno_matrix_panel(const steno_matrix *matrix);
/// The byte count of the weights, without their scales.
int64_t steno_matrix_bytes(const steno_matrix *matrix);

/// Sets rows first … first + count − 1 from float rows of `inputs` values each. `first` is a multiple of the panel.
///
/// An int8 matrix quantises each row: scale 127 / max|w|, rounded to nearest even. Returns the number of rows with a
/// NaN or an infinity, which valid weights never contain: in int8 all products with such a row are NaN.
int32_t steno_matrix_set_float(steno_matrix *matrix, int32_t first, int32_t count, const float *rows);
/// Sets rows from int8 and per-row scales, weight = int8 / scale, converted to the matrix's own format.
///
/// Returns the number of rows whose scale gives weights that are not finite; all products with such a row are NaN.
int32_t steno_matrix_set_int8(
    steno_matrix *matrix, int32_t first, int32_t count, const int8_t *rows, const float *scales);
/// Copies one row as floats: an embedding.
void steno_matrix_get_row(const steno_matrix *matrix, int32_t row, float *values);

/// One product: y[i][n] = act(Σ_k x[i][k] · W[n][k] + bias[n]) + residual[i][n].
typedef struct {
    const steno_matrix *matrix;
    /// [rows, inputs]; rows may overlap, as those of a convolution do.
    const float *x;
    int64_t x_stride;
    int32_t rows;
    /// [outputs] or NULL.
    const float *bias;
    steno_activation activation;
    /// [rows, outputs] or NULL; may be y itself.
    const float *residual;
    int64_t residual_stride;
    /// [rows, outputs].
    float *y;
    int64_t y_stride;
    /// At least steno_product_workspace() bytes, aligned to 64; used by one product at a time.
    void *workspace;
    /// The matrix of the product before, if that had the same x, rows and workspace; otherwise NULL. The rows it
    /// converted are used again if this matrix needs the same.
    const steno_matrix *previous;
} steno_product;

/// The workspace of a product of this shape, in bytes.
int64_t steno_product_workspace(const steno_matrix *matrix, int32_t rows);
void steno_multiply(steno_pool *pool, const steno_product *product);

#endif
