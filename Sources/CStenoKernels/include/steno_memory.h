// The memory that the process has from the system.
#ifndef CSTENO_MEMORY_H
#define CSTENO_MEMORY_H

/// Gives the pages of freed blocks back to the system, where the allocator keeps them (glibc, Apple).
void steno_release_memory(void);

#endif
