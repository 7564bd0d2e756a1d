// A matrix product over arrays, with every feature a caller can use, and its definition.
#ifndef PRODUCTS_H
#define PRODUCTS_H

#include "tests.h"

typedef struct {
    int32_t outputs, inputs, rows;
    steno_format format;
    steno_activation activation;
    int64_t x_stride, y_stride; // of the residual too
    float *weights, *x, *bias, *residual; // the last two may be NULL
} product;

/// A product of random numbers, without bias and residual.
product random_product(int32_t outputs, int32_t inputs, int32_t rows, steno_format format);
/// The result with the current table, [rows, y_stride]; elements that a product must not write are NaN.
float *multiplied(const product *p, steno_pool *pool);
/// act(Σ x · w + bias) + residual of one row, for every output.
void define_row(const product *p, int32_t row, definition *outputs);

#endif
