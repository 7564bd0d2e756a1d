// The log-mel arithmetic with AVX2 and FMA: eight frames at once.
#if defined(__x86_64__)

#include <string.h>  // before the attribute, so that it touches our functions only

#include "logmel_tables.h"

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define LANES 8
#define LOGMEL_BODY steno_logmel_body_avx2
#include "body/logmel.h"
#pragma clang attribute pop

#endif
