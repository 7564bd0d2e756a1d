#ifndef STENO_HASH_BLOCK_H
#define STENO_HASH_BLOCK_H

// The part that both hashes share (Merkle and Damgård): bytes are collected into blocks of 64, and the last block ends
// with the length in bits.

#include "steno_hash.h"

#include <string.h>

typedef void (*steno_hash_blocks)(uint32_t *state, const uint8_t *bytes, size_t blocks);

static inline uint32_t load_big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline void store_big_endian(uint8_t *bytes, uint32_t value) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline void hash_add(steno_hash *hash, const uint8_t *bytes, size_t count, steno_hash_blocks consume) {
    const size_t used = hash->length % 64;
    hash->length += count;
    if (used > 0) {
        const size_t part = count < 64 - used ? count : 64 - used;
        memcpy(hash->pending + used, bytes, part);
        if (used + part < 64) return;
        consume(hash->state, hash->pending, 1);
        bytes += part;
        count -= part;
    }
    consume(hash->state, bytes, count / 64);
    memcpy(hash->pending, bytes + count / 64 * 64, count % 64);
}

static inline void hash_finish(steno_hash *hash, uint8_t *digest, int words, steno_hash_blocks consume) {
    const uint64_t bits = hash->length * 8;
    size_t used = hash->length % 64;
    hash->pending[used++] = 0x80;
    if (used > 56) {
        memset(hash->pending + used, 0, 64 - used);
        consume(hash->state, hash->pending, 1);
        used = 0;
    }
    memset(hash->pending + used, 0, 56 - used);
    store_big_endian(hash->pending + 56, (uint32_t)(bits >> 32));
    store_big_endian(hash->pending + 60, (uint32_t)bits);
    consume(hash->state, hash->pending, 1);
    for (int i = 0; i < words; i++) store_big_endian(digest + 4 * i, hash->state[i]);
}

static inline uint32_t rotate_right(uint32_t x, int count) { return x >> count | x << (32 - count); }

#endif
