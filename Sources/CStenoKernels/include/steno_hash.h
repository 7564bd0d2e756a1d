#ifndef STENO_HASH_H
#define STENO_HASH_H

// The checksums of published model files, for systems without CryptoKit: SHA-256 for large files, SHA-1 for small ones,
// which hubs list as git does (FIPS 180-4). Nothing secret is hashed, so nothing here is meant to run in constant time.

#include <stddef.h>
#include <stdint.h>

/// A running hash; start with one of the `start` functions, add bytes in pieces of any size, then finish once.
typedef struct {
    uint32_t state[8];
    uint64_t length;     // bytes so far
    uint8_t pending[64]; // the beginning of the next block
} steno_hash;

void steno_sha256_start(steno_hash *hash);
void steno_sha256_add(steno_hash *hash, const void *bytes, size_t count);
void steno_sha256_finish(steno_hash *hash, uint8_t digest[32]);

void steno_sha1_start(steno_hash *hash);
void steno_sha1_add(steno_hash *hash, const void *bytes, size_t count);
void steno_sha1_finish(steno_hash *hash, uint8_t digest[20]);

#endif
