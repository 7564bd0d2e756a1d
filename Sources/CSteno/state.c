// For `dladdr` on Linux.
#define _GNU_SOURCE
#include "steno_state.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static atomic_bool is_used;
static atomic_bool is_forked;

static void after_fork(void) {
    if (atomic_load(&is_used)) atomic_store(&is_forked, true);
}

static void start(void) {
    // A key, unlike a thread-local variable, frees each thread's sentence at its end.
    has_key = pthread_key_create(&key, free) == 0;
    pthread_atfork(NULL, NULL, after_fork);
}

void steno_state_set_error(const char *message) {
    pthread_once(&once, start);
    if (!has_key) return;
    char *copy = strdup(message);
    free(pthread_getspecific(key));
    pthread_setspecific(key, copy);
}

const char *steno_state_error(void) {
    pthread_once(&once, start);
    const char *message = has_key ? pthread_getspecific(key) : NULL;
    return message ? message : "";
}

void steno_state_use(void) {
    pthread_once(&once, start);
    atomic_store(&is_used, true);
}

bool steno_state_is_forked(void) { return atomic_load(&is_forked); }

const char *steno_state_path(void) {
    Dl_info image;
    return dladdr(&once, &image) != 0 ? image.dli_fname : NULL;
}
