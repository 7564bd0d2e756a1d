#include "hash_block.h"

static void consume(uint32_t *state, const uint8_t *bytes, size_t blocks) {
    for (; blocks > 0; blocks--, bytes += 64) {
        uint32_t w[80];
        for (int i = 0; i < 16; i++) w[i] = load_big_endian(bytes + 4 * i);
        for (int i = 16; i < 80; i++) w[i] = rotate_right(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 31);
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
        for (int i = 0; i < 80; i++) {
            uint32_t mixed, constant;
            if (i < 20) mixed = (b & c) | (~b & d), constant = 0x5A827999;
            else if (i < 40) mixed = b ^ c ^ d, constant = 0x6ED9EBA1;
            else if (i < 60) mixed = (b & c) | (b & d) | (c & d), constant = 0x8F1BBCDC;
            else mixed = b ^ c ^ d, constant = 0xCA62C1D6;
            const uint32_t next = rotate_right(a, 27) + mixed + e + constant + w[i];
            e = d, d = c, c = rotate_right(b, 2), b = a, a = next;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
    }
}

void steno_sha1_start(steno_hash *hash) {
    static const uint32_t initial[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    memcpy(hash->state, initial, sizeof(initial));
    hash->length = 0;
}

void steno_sha1_add(steno_hash *hash, const void *bytes, size_t count) { hash_add(hash, bytes, count, consume); }

void steno_sha1_finish(steno_hash *hash, uint8_t digest[20]) { hash_finish(hash, digest, 5, consume); }
