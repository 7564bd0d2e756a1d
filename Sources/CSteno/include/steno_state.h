#ifndef STENO_STATE_H
#define STENO_STATE_H

// The state of the C interface that Swift has no means for: the error of each thread, and what fork left behind. It is not
// part of the interface.

#include <stdbool.h>

/// Copies the sentence that `steno_last_error` returns on this thread; without memory, a shorter one replaces it.
void steno_state_set_error(const char *message);

/// The sentence of the last failure on this thread; empty if there was none.
const char *steno_state_error(void);

/// Notes that the library has begun to use threads, which a forked process does not inherit.
void steno_state_use(void);

/// Whether this process was forked from one that had used the library.
bool steno_state_is_forked(void);

/// The path of the library or program that this code is in, as it was loaded; NULL if it is not known.
const char *steno_state_path(void);

#endif
