#include "renamed.h"
#include "../../Sources/CStenoKernels/vector.c"
