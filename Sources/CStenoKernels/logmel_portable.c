// The log-mel computation for any processor: four frames at once.
#define LANES 4
#define LOG_MEL steno_log_mel_portable
#include "body/logmel.h"
