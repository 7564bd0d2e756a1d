// Operations on the channels (the columns) of rows, of one instruction set.

// y = f(x · scale + shift), where f multiplies negative numbers by the slope.
static void scale_channels(
    const float *x, int32_t width, const float *scale, const float *shift, float slope, float *y) {
    int32_t c = 0;
    for (; c + LANES <= width; c += LANES) {
        const vf v = fma_(load(x + c), load(scale + c), load(shift + c));
        store(y + c, max_(v, v * splat(slope)));
    }
    for (; c < width; c++) {
        const float v = x[c] * scale[c] + shift[c];
        y[c] = v > 0 ? v : v * slope;
    }
}

// The largest of `step` rows, or of their magnitudes.
static void max_pool(const float *x, int64_t x_stride, int32_t step, int32_t width, bool magnitudes, float *y) {
    int32_t c = 0;
    for (; c + LANES <= width; c += LANES) {
        vf most = load(x + c), least = most;
        for (int64_t i = 1; i < step; i++) {
            const vf v = load(x + i * x_stride + c);
            most = max_(most, v);
            least = min_(least, v);
        }
        store(y + c, magnitudes ? max_(most, -least) : most);
    }
    for (; c < width; c++) {
        float most = x[c], least = x[c];
        for (int64_t i = 1; i < step; i++) {
            most = fmaxf(most, x[i * x_stride + c]);
            least = fminf(least, x[i * x_stride + c]);
        }
        y[c] = magnitudes ? fmaxf(most, -least) : most;
    }
}

// The sums of a few vectors of channels, or the sums of their squared distances from a centre. Each block of rows is
// summed on its own, so that rounding errors do not grow with the number of rows.
INLINE void sum_vectors(
    const int vectors, const float *x, int64_t x_stride, int32_t rows, const float *centre, float *sums) {
    enum { MOST_VECTORS = 4, BLOCK_ROWS = 32 };
    vf total[MOST_VECTORS], part[MOST_VECTORS], from[MOST_VECTORS];
    for (int i = 0; i < vectors; i++) {
        total[i] = splat(0);
        from[i] = centre ? load(centre + i * LANES) : splat(0);
    }
    for (int32_t start = 0; start < rows; start += BLOCK_ROWS) {
        const int32_t end = rows - start < BLOCK_ROWS ? rows : start + BLOCK_ROWS;
        for (int i = 0; i < vectors; i++) part[i] = splat(0);
        for (int32_t row = start; row < end; row++) {
#pragma clang loop unroll(full)
            for (int i = 0; i < vectors; i++) {
                const vf v = load(x + row * x_stride + i * LANES) - from[i];
                part[i] = centre ? fma_(v, v, part[i]) : part[i] + v;
            }
        }
        for (int i = 0; i < vectors; i++) total[i] += part[i];
    }
    for (int i = 0; i < vectors; i++) store(sums + i * LANES, total[i]);
}

// The same for any number of channels; the last ones, too few for a vector, in double precision.
static void channel_sums(
    const float *x, int64_t x_stride, int32_t rows, int32_t width, const float *centre, float *sums) {
    int32_t c = 0;
    for (; c + 4 * LANES <= width; c += 4 * LANES) {
        sum_vectors(4, x + c, x_stride, rows, centre ? centre + c : NULL, sums + c);
    }
    for (; c + LANES <= width; c += LANES) {
        sum_vectors(1, x + c, x_stride, rows, centre ? centre + c : NULL, sums + c);
    }
    for (; c < width; c++) {
        double sum = 0;
        for (int64_t row = 0; row < rows; row++) {
            const double v = (double)x[row * x_stride + c] - (centre ? (double)centre[c] : 0);
            sum += centre ? v * v : v;
        }
        sums[c] = (float)sum;
    }
}
