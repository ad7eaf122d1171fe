/*
 * Derives kernels and channels from sizes in order of allocation.
 */
#include "fit/rebuild.h"

/* USUAL: programs choose multiples of it as channels */
enum { STARTS_MOST = 400, SMALLEST = 512, USUAL = 8 };

struct parser {
    const struct od_piece *pieces;
    size_t n, at;
    struct od_chain chain;
};

static uint64_t rounded(uint64_t numbers)
{
    return od_bfc_rounded(numbers * 4);
}

static uint64_t bytes_at(const struct parser *p, size_t at)
{
    return at < p->n ? p->pieces[at].bytes : 0;
}

/* The number of channels (a multiple of `step`) with that size; 0 = none. The largest one, but if
 * step is 1 the smallest one, because small sizes are rounded up. */
static uint64_t channels_of(const struct parser *p, uint64_t each, uint64_t step)
{
    uint64_t bytes = bytes_at(p, p->at), hi = bytes / 4 / each / step * step, found = 0;
    uint64_t lo = bytes > 255 ? (bytes - 256) / 4 / each + 1 : 1;
    for (uint64_t out = hi; out >= lo && out >= step; out -= step) {
        if (rounded(each * out) != bytes || bytes_at(p, p->at + 1) != rounded(out))
            continue;
        found = out;
        if (step > 1)
            break;
    }
    return found;
}

static void push(struct parser *p, const struct od_kernel *kernel)
{
    p->chain.list[p->chain.n++] = *kernel;
    p->at += 2; /* skips the kernel and its bias */
}

/* step: USUAL, or 1 for the last layer, whose channels are classes */
static bool take_conv(struct parser *p, uint64_t in, uint32_t skip, uint64_t step)
{
    static const uint64_t of_images[] = {3, 7, 5, 4, 11}, of_maps[] = {3, 2, 1, 5};
    enum { SMALL = 3, WIDE_MOST = 128, OUT_MOST = 4096 };
    bool first = p->chain.n == 0;
    const uint64_t *sides = first ? of_images : of_maps;
    /* a kernel this wide over many channels is a dense layer over a whole map */
    size_t n = first ? OD_COUNT_OF(of_images) : in <= WIDE_MOST ? OD_COUNT_OF(of_maps) : SMALL;
    struct od_kernel kernel = {.in = in, .skip = skip};
    for (size_t i = 0; i < n; i++) {
        kernel.side = sides[i];
        kernel.out = channels_of(p, sides[i] * sides[i] * in, step);
        /* 2x2 kernels upsample a map and halve the channels */
        bool halves = skip == OD_NO_SKIP && kernel.out == in / 2;
        if (kernel.out == 0 || kernel.out > OUT_MOST || (sides[i] == 2 && !halves))
            continue;
        push(p, &kernel);
        return true;
    }
    return false;
}

/* Takes a convolution of the previous output concatenated with an earlier one: the latest output
 * that gives the size, preferably with equally many channels. */
static bool take_joined(struct parser *p)
{
    const struct od_chain *chain = &p->chain;
    uint64_t in = chain->list[chain->n - 1].out;
    for (int alike = 1; alike >= 0; alike--)
        for (size_t i = chain->n - 1; i-- > 0;)
            if ((chain->list[i].out == in) == (alike == 1) &&
                take_conv(p, in + chain->list[i].out, (uint32_t)i, USUAL))
                return true;
    return false;
}

/* Takes the next convolution; a map upsampled by a 2x2 kernel is joined with an earlier one. */
static bool take_next_conv(struct parser *p)
{
    const struct od_kernel *last = &p->chain.list[p->chain.n - 1];
    if (last->side == 2 && take_joined(p))
        return true;
    return take_conv(p, last->out, OD_NO_SKIP, USUAL) || take_joined(p) ||
           take_conv(p, last->out, OD_NO_SKIP, 1);
}

static bool has_room(const struct parser *p)
{
    return p->chain.n < OD_KERNELS_MOST && p->at < p->n;
}

/* Parses from that position on, for images with that many channels. */
static void read_from(struct parser *p, size_t at, uint64_t channels)
{
    p->at = at;
    p->chain = (struct od_chain){0};
    if (!take_conv(p, channels, OD_NO_SKIP, USUAL))
        return;
    while (has_room(p) && p->chain.list[p->chain.n - 1].out % USUAL == 0 && take_next_conv(p))
        ;
    p->chain.end = p->at;
}

static uint64_t kernel_bytes(const struct od_kernel *kernel)
{
    return rounded(kernel->side * kernel->side * kernel->in * kernel->out);
}

/* Number of copies of each kernel, by majority: gradients add some, and chunks that a growing pool
 * did not split remove some. */
static uint64_t copies_of(const struct od_chain *chain, const struct od_allocator *dump)
{
    enum { KERNEL_LEAST = 4096, COPIES_MOST = 8 };
    bool grew = dump->dump.regions.n > 1;
    unsigned votes[COPIES_MOST + 1] = {0};
    uint64_t best = 0;
    for (size_t i = 0; i < chain->n; i++) {
        uint64_t bytes = kernel_bytes(&chain->list[i]), same = 0, there = 0;
        for (size_t k = 0; k < chain->n; k++)
            same += kernel_bytes(&chain->list[k]) == bytes;
        for (size_t k = 0; k < dump->nsizes; k++)
            there += dump->sizes[k].bytes == bytes ? dump->sizes[k].count : 0;
        uint64_t copies = there / same;
        if (bytes >= KERNEL_LEAST && copies > 0)
            votes[copies < COPIES_MOST ? copies : COPIES_MOST]++;
    }
    for (uint64_t copies = 1; copies <= COPIES_MOST; copies++)
        if (votes[copies] > 0 &&
            (best == 0 || votes[copies] > votes[best] || (grew && votes[copies] == votes[best])))
            best = copies;
    return best;
}

static uint64_t bytes_of(const struct od_chain *chain)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < chain->n; i++)
        sum += kernel_bytes(&chain->list[i]);
    return sum;
}

bool od_chain_read(const struct od_sequence *sequence, const struct od_allocator *dump,
                   struct od_chain *ret_chain)
{
    static const uint64_t channels[] = {3, 1};
    struct parser p = {.pieces = sequence->items, .n = sequence->n};
    struct od_chain best = {0};
    for (size_t at = 0; sequence->ordered && at < p.n && at < STARTS_MOST; at++) {
        for (size_t i = 0; p.pieces[at].bytes >= SMALLEST && i < OD_COUNT_OF(channels); i++) {
            read_from(&p, at, channels[i]);
            if (p.chain.n >= OD_KERNELS_LEAST && bytes_of(&p.chain) > bytes_of(&best))
                best = p.chain;
        }
    }
    best.copies = copies_of(&best, dump);
    *ret_chain = best;
    return best.n > 0 && best.copies > 0;
}
