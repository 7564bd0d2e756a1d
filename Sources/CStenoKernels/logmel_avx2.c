// The log-mel computation with AVX2 and FMA: eight frames at once. Wider vectors would not be faster, because the
// spectra of sixteen frames exceed the L1 cache.
#if defined(__x86_64__)

#include <float.h>  // before the attribute, so that it touches our functions only
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "logmel_tables.h"

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#define LOG_MEL steno_log_mel_avx2
#include "body/logmel.h"
#pragma clang attribute pop

#endif
