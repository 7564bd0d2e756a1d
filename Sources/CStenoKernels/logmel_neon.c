// The log-mel arithmetic with NEON: eight frames at once, in pairs of vectors. A frame takes a fifth fewer instructions
// than among four, because tables and weights are loaded half as often.
#if defined(__aarch64__)
#define LANES 8
#define LOGMEL_BODY steno_logmel_body_neon
#include "body/logmel.h"
#endif
