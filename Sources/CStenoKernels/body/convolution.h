// Convolutions with channels on their own, and gates, of one instruction set.

// The first `count` values at p, at most a vector; the others are 0.
INLINE vf load_some(const float *p, int32_t count) {
    if (count >= LANES) return load(p);
    float padded[LANES] = {0};
    memcpy(padded, p, (size_t)count * sizeof(float));
    return load(padded);
}

INLINE void store_some(float *p, vf v, int32_t count) {
    if (count >= LANES) {
        store(p, v);
        return;
    }
    float padded[LANES];
    store(padded, v);
    memcpy(p, padded, (size_t)count * sizeof(float));
}

static void convolve_row(const steno_depthwise *d, int32_t row) {
    const float *x = d->x + row * d->x_stride;
    float *y = d->y + row * d->y_stride;
    for (int32_t c = 0; c < d->channels; c += LANES) {
        const int32_t there = d->channels - c;
        vf sum = load_some(d->bias + c, there);
        for (int64_t k = 0; k < d->taps; k++) {
            sum = fma_(load_some(x + k * d->x_stride + c, there), load_some(d->weights + k * d->channels + c, there), sum);
        }
        store_some(y + c, activated(sum, d->activation, 0), there);
    }
}

// One row of the result. Bands beyond the edges are zeros: their taps are left out.
static void convolve_image_row(const steno_depthwise_image *d, int32_t row) {
    const int64_t channels = d->channels, row_size = d->bands * channels;
    const int32_t bands = (d->bands + d->padding) / 2;
    const float *x = d->x + 2 * row * row_size;
    float *y = d->y + row * bands * channels;
    for (int32_t band = 0; band < bands; band++) {
        const int32_t start = 2 * band - d->padding;
        const int32_t first = start < 0 ? -start : 0, end = d->bands - start < 3 ? d->bands - start : 3;
        for (int32_t c = 0; c < channels; c += LANES) {
            const int32_t there = d->channels - c;
            vf sum = load_some(d->bias + c, there);
            for (int32_t t = 0; t < 3; t++) {
                for (int32_t b = first; b < end; b++) {
                    const vf value = load_some(x + t * row_size + (start + b) * channels + c, there);
                    sum = fma_(value, load_some(d->weights + (3 * t + b) * channels + c, there), sum);
                }
            }
            store_some(y + band * channels + c, sum, there);
        }
    }
}

static void gate(const float *x, int32_t width, float *y) {
    for (int32_t c = 0; c < width; c += LANES) {
        const vf value = load_some(x + c, width - c);
        store_some(y + c, value * sigmoid(load_some(x + width + c, width - c)), width - c);
    }
}

static void silu(float *x, int32_t width) {
    for (int32_t c = 0; c < width; c += LANES) {
        store_some(x + c, activated(load_some(x + c, width - c), STENO_SILU, 0), width - c);
    }
}
