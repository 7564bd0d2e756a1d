// An arm64 processor's features beyond NEON, which is always present.
#if defined(__aarch64__)
#include "kernels.h"

#if defined(__APPLE__)

#include <sys/sysctl.h>

static int has_feature(const char *name) {
    int32_t value = 0;
    size_t size = sizeof(value);
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}

int steno_arm64_has_dot_product(void) { return has_feature("hw.optional.arm.FEAT_DotProd"); }
int steno_arm64_has_matrix_product(void) { return has_feature("hw.optional.arm.FEAT_I8MM"); }

#elif defined(__linux__)

#include <sys/auxv.h>

// Linux's constants, which some older headers lack.
#ifndef HWCAP_ASIMDDP
#define HWCAP_ASIMDDP (1 << 20)
#endif
#ifndef HWCAP2_I8MM
#define HWCAP2_I8MM (1 << 13)
#endif

int steno_arm64_has_dot_product(void) { return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0; }
int steno_arm64_has_matrix_product(void) { return (getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0; }

#else

int steno_arm64_has_dot_product(void) { return 0; }
int steno_arm64_has_matrix_product(void) { return 0; }

#endif
#endif
