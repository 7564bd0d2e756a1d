// The log-mel computation with NEON: eight frames at once, in pairs of vectors. This takes a fifth fewer instructions
// per frame than four at once, because tables and weights are loaded half as often.
#if defined(__aarch64__)
#define LANES 8
#define LOG_MEL steno_log_mel_neon
#include "body/logmel.h"
#endif
