// Shared by the tests of the kernels: the tables, numbers, and the comparison.
//
// Every operation runs with each table on the same numbers and is compared twice: with the definition in double
// precision, and with the portable table. Int8 products must be bit-identical to the portable table's, since their sums
// are exact; float32 results must be as close to the portable table's as to the definition.
#ifndef TESTS_H
#define TESTS_H

#include "../../Sources/CStenoKernels/kernels.h"

#include <stdbool.h>

// Two targets of a program may have functions of these names.
#pragma GCC visibility push(hidden)

#if SWIFT_PACKAGE // Swift's tests: the table of this process alone.
enum { TABLES = 1 };
#elif defined(__aarch64__)
enum { TABLES = 5 };
#elif defined(__x86_64__) && defined(__linux__)
enum { TABLES = 7 };
#elif defined(__x86_64__)
enum { TABLES = 6 };
#endif
/// portable first; the others are compared with it.
extern const steno_kernels *tables[TABLES];
extern const steno_kernels wide_kernels;
/// Which of them the tests compare; the first always is.
extern bool selected[TABLES];
/// The selected table after this one, or TABLES; the kernels' functions use it from now on.
int next_table(int table);
/// The table this processor gets, capped by STENO_MAX_ISA; not in Swift's tests.
const char *chosen_name(void);

/// SplitMix64, as the Swift tests have it.
typedef struct { uint64_t state; } random_numbers;
uint64_t next_number(random_numbers *random);

/// Zeroed memory that ends where a page begins which nobody may touch; it lives until free_numbers().
void *room(int64_t bytes);
/// `count` numbers uniform in centre ± span, in such memory.
float *uniform(random_numbers *random, int64_t count, float centre, double span);
/// `count` NaNs in such memory: room for a result.
float *blanks(int64_t count);
void free_numbers(void);

/// A result's definition, and how far a table may be from it.
typedef struct { double value, allowed; } definition;

/// What was compared in one operation, for each table.
typedef struct {
    const char *name;
    bool same_bits; // a difference from the portable table's bits is a failure
    struct { int64_t results, other_bits; double worst; } tables[TABLES];
} operation;

/// Compares one number with its definition, and with the portable table's.
void compare(operation *operation, int table, float got, float portable, definition expected, const char *where);
/// Reports a failure unless `truth`.
void expect(bool truth, int table, const char *what, const char *where);
void report(const operation *operation);
/// Whether two lists of numbers are equal bit by bit.
bool same(const float *one, const float *other, int64_t count);
/// Text for a failure, of printf's form; good until the next call.
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Each file's tests.
void test_products(void);
void test_matrices(void);
void test_attention(void);
void test_vectors(void);
void test_logmel(void);
void test_rows(void);
void test_convolution(void);
void test_relative(void);
void test_channels(void);
void test_threads(void);

#pragma GCC visibility pop

#endif
