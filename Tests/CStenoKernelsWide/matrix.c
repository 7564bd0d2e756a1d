#include "renamed.h"
#include "../../Sources/CStenoKernels/matrix.c"
