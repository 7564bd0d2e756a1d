#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "include/steno_pool.h"

#include <pthread.h>
#include <string.h>

void steno_set_thread_name(const char *name) {
#if defined(__APPLE__)
    pthread_setname_np(name);
#elif defined(__linux__)
    // Linux refuses names of more than 15 bytes.
    char cut[16];
    strncpy(cut, name, sizeof(cut) - 1);
    cut[sizeof(cut) - 1] = 0;
    pthread_setname_np(pthread_self(), cut);
#else
    (void)name;
#endif
}

void steno_get_thread_name(char *name, size_t capacity) {
    if (capacity > 0) name[0] = 0;
#if defined(__APPLE__) || defined(__linux__)
    pthread_getname_np(pthread_self(), name, capacity);
#endif
}
