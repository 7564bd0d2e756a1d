// The cells of a long short-term memory of one instruction set.

// 1 / (1 + e^−x)
INLINE vf sigmoid(vf x) { return splat(1.0f) / (splat(1.0f) + exp_(-x)); }

// 1 − 2 / (e^2x + 1), to 1e-7.
INLINE vf tanh_(vf x) { return splat(1.0f) - splat(2.0f) / (exp_(x + x) + splat(1.0f)); }

// One step of `width` cells, a multiple of 16; `gates` has the input, forget, cell and output gates' pre-activations.
static void lstm_step(const float *gates, int32_t width, float *cell, float *hidden) {
    for (int32_t i = 0; i < width; i += LANES) {
        const vf kept = sigmoid(load(gates + width + i)) * load(cell + i);
        const vf value = fma_(sigmoid(load(gates + i)), tanh_(load(gates + 2 * width + i)), kept);
        store(cell + i, value);
        store(hidden + i, sigmoid(load(gates + 3 * width + i)) * tanh_(value));
    }
}
