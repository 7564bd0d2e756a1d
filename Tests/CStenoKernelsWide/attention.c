#include "renamed.h"
#include "../../Sources/CStenoKernels/attention.c"
