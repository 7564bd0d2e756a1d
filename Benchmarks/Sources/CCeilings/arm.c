#include "loops.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#if defined(__APPLE__)
#include <sys/sysctl.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

#define LOOP(...) CEILING_LOOP("+w", __VA_ARGS__)

LOOP(float_neon, , float32x4_t, vdupq_n_f32(0), sum = vfmaq_f32(vdupq_n_f32(1), sum, vdupq_n_f32(0.5f)))
LOOP(int8_dot, __attribute__((target("dotprod"))), int32x4_t, vdupq_n_s32(0),
    sum = vdotq_s32(sum, vdupq_n_s8(1), vdupq_n_s8(2)))
LOOP(int8_neon, , int32x4_t, vdupq_n_s32(0),
    sum = vpadalq_s16(sum, vmull_s8(vdup_n_s8(1), vreinterpret_s8_s32(vget_low_s32(sum)))))

LOOP(int8_matrix, __attribute__((target("i8mm"))), int32x4_t, vdupq_n_s32(0),
    sum = vmmlaq_s32(sum, vdupq_n_s8(1), vdupq_n_s8(2)))

#if defined(__APPLE__)
static int has(const char *name) {
    int value = 0;
    size_t size = sizeof(value);
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}
static int has_dot_product(void) { return has("hw.optional.arm.FEAT_DotProd"); }
static int has_matrix_product(void) { return has("hw.optional.arm.FEAT_I8MM"); }
#elif defined(__linux__)
// HWCAP_ASIMDDP and HWCAP2_I8MM, which older headers do not have.
static int has_dot_product(void) { return (getauxval(AT_HWCAP) & (1UL << 20)) != 0; }
static int has_matrix_product(void) { return (getauxval(AT_HWCAP2) & (1UL << 13)) != 0; }
#else
static int has_dot_product(void) { return 0; }
static int has_matrix_product(void) { return 0; }
#endif

static ceiling_loop loop(const char *instruction, void (*run)(long), int products) {
    return (ceiling_loop){instruction, run, 2.0 * products * CEILING_SUMS};
}

ceiling_loop ceiling_best_loop(ceiling_numbers numbers) {
    switch (numbers) {
    case CEILING_FLOAT32: return loop("NEON fmla", float_neon, 4);
    case CEILING_BFLOAT16: break;
    case CEILING_INT8:
        if (has_matrix_product()) return loop("NEON smmla", int8_matrix, 32);
        return has_dot_product() ? loop("NEON sdot", int8_dot, 16) : loop("NEON smull, sadalp", int8_neon, 8);
    }
    return (ceiling_loop){0};
}

#endif
