// The tests of the kernels with the table of this process: every operation against its definition in double precision.
//
// As a program of their own (`main.c`) they run any tables, and compare them with the portable one too.
#ifndef CSTENO_KERNEL_TESTS_H
#define CSTENO_KERNEL_TESTS_H

/// The number of tests, which must not run at the same time.
int kernel_test_count(void);
const char *kernel_test_name(int index);
/// Runs a test; what fails is printed.
int kernel_test_failures(int index);

#endif
