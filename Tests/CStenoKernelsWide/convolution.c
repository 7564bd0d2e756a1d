#include "renamed.h"
#include "../../Sources/CStenoKernels/convolution.c"
