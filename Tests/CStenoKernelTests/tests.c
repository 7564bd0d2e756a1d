#include "tests.h"
#include "include/CStenoKernelTests.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t next_number(random_numbers *random) {
    random->state += 0x9E3779B97F4A7C15u;
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static struct { void *start; size_t bytes; } mappings[256];
static int mapping_count = 0;

void *room(int64_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = ((size_t)bytes + page - 1) / page;
    char *start = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    const int most = sizeof(mappings) / sizeof(mappings[0]);
    if (start == MAP_FAILED || mapping_count == most || mprotect(start + pages * page, page, PROT_NONE) != 0) abort();
    mappings[mapping_count].start = start;
    mappings[mapping_count++].bytes = (pages + 1) * page;
    return start + pages * page - bytes;
}

void free_numbers(void) {
    while (mapping_count > 0) {
        mapping_count--;
        munmap(mappings[mapping_count].start, mappings[mapping_count].bytes);
    }
}

float *uniform(random_numbers *random, int64_t count, float centre, double span) {
    float *values = room(count * (int64_t)sizeof(float));
    const float step = (float)(span / 8388608);
    for (int64_t i = 0; i < count; i++) {
        values[i] = (float)((int64_t)(next_number(random) >> 40) - 8388608) * step + centre;
    }
    return values;
}

float *blanks(int64_t count) {
    float *values = room(count * (int64_t)sizeof(float));
    for (int64_t i = 0; i < count; i++) values[i] = NAN;
    return values;
}

static int failure_count = 0;

bool same(const float *one, const float *other, int64_t count) {
    return memcmp(one, other, (size_t)count * sizeof(float)) == 0;
}

static const struct { const char *name; void (*run)(void); } tests[] = {
    {"products", test_products}, {"matrices", test_matrices}, {"attention", test_attention},
    {"vectors", test_vectors}, {"log-mel", test_logmel}, {"rows", test_rows}, {"convolution", test_convolution},
    {"relative attention", test_relative}, {"channels", test_channels}, {"threads", test_threads},
};

int kernel_test_count(void) { return (int)(sizeof(tests) / sizeof(*tests)); }

const char *kernel_test_name(int index) { return tests[index].name; }

int kernel_test_failures(int index) {
    failure_count = 0;
    tests[index].run();
    return failure_count;
}

void expect(bool truth, int table, const char *what, const char *where) {
    if (truth) return;
    if (++failure_count <= 20) printf("FAILED %s, %s: %s\n", tables[table]->name, where, what);
}

void compare(operation *o, int table, float got, float portable, definition expected, const char *where) {
    const double from_definition = fabs(got - expected.value), from_portable = fabs((double)got - portable);
    const bool other = memcmp(&got, &portable, sizeof(got)) != 0;
    // A NaN counts as infinitely far, whichever of the three it is.
    const bool is_number = !isnan(from_definition) && !isnan(from_portable);
    const double distance = is_number ? fmax(from_definition, from_portable) / expected.allowed : INFINITY;
    o->tables[table].results++;
    o->tables[table].other_bits += other;
    o->tables[table].worst = fmax(o->tables[table].worst, distance);
    if (distance <= 1 && !(o->same_bits && other)) return;
    char what[160];
    snprintf(what, sizeof(what), "%s gave %.9g, portable %.9g, the definition is %.9g ± %.2g", o->name, (double)got,
        (double)portable, expected.value, expected.allowed);
    expect(false, table, what, where);
}

void report(const operation *o) {
    for (int t = 0; t < TABLES; t++) {
        if (!selected[t]) continue;
        if (t > 0) printf("%-10s %-24s %9lld results, at most %.2f of the bound, %lld with other bits than portable\n",
            tables[t]->name, o->name, (long long)o->tables[t].results, o->tables[t].worst,
            (long long)o->tables[t].other_bits);
        if (o->tables[t].results == 0) expect(false, t, "nothing was compared", o->name);
    }
}

const char *text(const char *format, ...) {
    static char buffer[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, sizeof(buffer), format, arguments);
    va_end(arguments);
    return buffer;
}
