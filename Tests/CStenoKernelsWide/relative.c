#include "renamed.h"
#include "../../Sources/CStenoKernels/relative.c"
