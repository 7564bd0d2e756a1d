#include "renamed.h"
#include "../../Sources/CStenoKernels/channels.c"
