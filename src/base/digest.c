#include "base/digest.h"

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8 };

static const uint32_t first[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t word, unsigned by)
{
    return word >> by | word << (32 - by);
}

static void mix(uint32_t state[static WORDS], const unsigned char *block)
{
    uint32_t w[ROUNDS], s[WORDS];
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (size_t i = 16; i < ROUNDS; i++) {
        uint32_t low = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t high = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    memcpy(s, state, sizeof s);
    for (size_t i = 0; i < ROUNDS; i++) {
        uint32_t high = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25);
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t one = s[7] + high + choice + constants[i] + w[i];
        uint32_t low = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22);
        uint32_t most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        memmove(s + 1, s, (WORDS - 1) * sizeof *s);
        s[4] += one;
        s[0] = one + low + most;
    }
    for (size_t i = 0; i < WORDS; i++)
        state[i] += s[i];
}

void od_sha256(struct od_view bytes, uint8_t ret_digest[static OD_SHA256_BYTES])
{
    uint32_t state[WORDS];
    unsigned char tail[2 * BLOCK] = {0};
    uint64_t bits = (uint64_t)bytes.n * 8;
    memcpy(state, first, sizeof state);
    for (; bytes.n >= BLOCK; bytes = od_view_from(bytes, BLOCK))
        mix(state, (const unsigned char *)bytes.p);
    if (bytes.n > 0)
        memcpy(tail, bytes.p, bytes.n);
    tail[bytes.n] = 0x80;
    size_t length = bytes.n < BLOCK - 8 ? BLOCK : 2 * BLOCK;
    for (size_t i = 0; i < 8; i++)
        tail[length - 1 - i] = (unsigned char)(bits >> (8 * i));
    for (size_t at = 0; at < length; at += BLOCK)
        mix(state, tail + at);
    for (size_t i = 0; i < OD_SHA256_BYTES; i++)
        ret_digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

void od_base64(struct od_buf *to, struct od_view bytes)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (; bytes.n > 0; bytes = od_view_from(bytes, 3)) {
        unsigned group = 0;
        for (size_t i = 0; i < 3; i++)
            group = group << 8 | (i < bytes.n ? (unsigned char)bytes.p[i] : 0U);
        for (size_t i = 0; i < 4; i++)
            od_buf_add_char(to, i <= bytes.n ? letters[group >> (18 - 6 * i) & 63] : '=');
    }
}
