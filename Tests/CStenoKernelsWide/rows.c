#include "renamed.h"
#include "../../Sources/CStenoKernels/rows.c"
