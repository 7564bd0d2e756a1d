// Without an argument: runs the tests with every table this processor supports. With "choice": prints the name of the
// table chosen for it. With a table's name: runs the tests with that table, whether the processor supports it or not.
#include "tests.h"

#include <stdio.h>
#include <string.h>

static void select_up_to_choice(void) {
    for (int t = 0; t < TABLES; t++) {
        selected[t] = true;
        if (strcmp(tables[t]->name, chosen_name()) == 0) return;
    }
}

static void select_one(const char *name) {
    for (int t = 0; t < TABLES; t++) selected[t] = t == 0 || strcmp(tables[t]->name, name) == 0;
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "choice") == 0) {
        puts(chosen_name());
        return 0;
    }
    if (count == 2) {
        select_one(arguments[1]);
    } else {
        select_up_to_choice();
    }
    test_products();
    test_matrices();
    test_attention();
    test_vectors();
    test_logmel();
    test_rows();
    test_convolution();
    test_relative();
    printf(failures() ? "%d failures\n" : "no failures\n", failures());
    return failures() ? 1 : 0;
}
