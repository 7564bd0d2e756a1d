// The memory that the system has given to the process.
#ifndef CSTENO_MEMORY_H
#define CSTENO_MEMORY_H

/// Returns the pages of freed blocks to the system, if the allocator keeps them (glibc, Apple).
void steno_release_memory(void);

#endif
