// With "choice": prints the name of the table chosen for this processor. With names of tables: runs the tests with these
// tables, whether the processor supports them or not.
#include "tests.h"
#include "include/CStenoKernelTests.h"

#include <stdio.h>
#include <string.h>

static bool select_table(const char *name) {
    for (int t = 0; t < TABLES; t++) {
        if (strcmp(tables[t]->name, name) == 0) return selected[t] = true;
    }
    return false;
}

int main(int count, char **arguments) {
    const char *choice = chosen_name(); // which asks Linux for AMX's tiles, too
    if (count == 2 && strcmp(arguments[1], "choice") == 0) return puts(choice) < 0;
    for (int i = 1; i < count; i++) {
        if (select_table(arguments[i])) continue;
        fprintf(stderr, "There is no table \"%s\".\n", arguments[i]);
        return 2;
    }
    int failures = 0;
    for (int i = 0; i < kernel_test_count(); i++) failures += kernel_test_failures(i);
    printf(failures ? "%d failures\n" : "no failures\n", failures);
    return failures ? 1 : 0;
}
