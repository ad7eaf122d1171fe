#include "base/base.h"

#include <stdalign.h>
#include <stdio.h>

/* The first block is small and each next twice as large, because long-lived arenas may hold
 * little. */
enum { BLOCK_LEAST = 4 * 1024, BLOCK_BYTES = 64 * 1024 };

struct block {
    struct block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) char bytes[];
};

struct od_arena {
    struct block *blocks; /* first: the block that is filled */
    size_t usual;         /* size in bytes of the next block */
    size_t used;
};

struct od_arena *od_arena_new(void)
{
    return od_mem_alloc(1, sizeof(struct od_arena));
}

static void free_blocks(struct block *b)
{
    while (b) {
        struct block *next = b->next;
        od_mem_free(b);
        b = next;
    }
}

void od_arena_free(struct od_arena *arena)
{
    if (!arena)
        return;
    free_blocks(arena->blocks);
    od_mem_free(arena);
}

void od_arena_reset(struct od_arena *arena)
{
    if (!arena->blocks)
        return;
    free_blocks(arena->blocks->next);
    arena->blocks->next = NULL;
    arena->blocks->used = 0;
}

static struct block *new_block(size_t size)
{
    size_t total;
    if (ckd_add(&total, size, sizeof(struct block)))
        od_mem_die();
    struct block *b = od_mem_resize(NULL, total, 1);
    b->size = size;
    b->used = 0;
    return b;
}

/* Adds a block with space for need bytes. A block larger than usual holds only this allocation and
 * is linked after the current block, which stays in use. */
static struct block *add_block(struct od_arena *arena, size_t need)
{
    size_t usual = arena->usual > 0 ? arena->usual : BLOCK_LEAST;
    bool alone = need > usual && arena->blocks;
    struct block *b = new_block(need > usual ? need : usual);
    struct block **at = alone ? &arena->blocks->next : &arena->blocks;
    b->next = *at;
    *at = b;
    if (!alone)
        arena->usual = usual < BLOCK_BYTES ? 2 * usual : usual;
    return b;
}

void *od_arena_alloc(struct od_arena *arena, size_t n, size_t size)
{
    size_t need;
    if (ckd_mul(&need, n, size) || ckd_add(&need, need, alignof(max_align_t) - 1))
        od_mem_die();
    need &= ~(alignof(max_align_t) - 1);
    struct block *b = arena->blocks;
    if (!b || b->size - b->used < need)
        b = add_block(arena, need);
    void *p = b->bytes + b->used;
    b->used += need;
    arena->used += need;
    memset(p, 0, need);
    return p;
}

struct od_view od_arena_view(struct od_arena *arena, struct od_view v)
{
    return (struct od_view){.p = od_arena_str(arena, v), .n = v.n};
}

char *od_arena_str(struct od_arena *arena, struct od_view v)
{
    char *copy = od_arena_alloc(arena, v.n + 1, 1);
    if (v.n > 0)
        memcpy(copy, v.p, v.n);
    return copy;
}

char *od_arena_take(struct od_arena *arena, struct od_buf *text)
{
    char *copy = od_arena_str(arena, od_buf_view(text));
    od_buf_done(text);
    return copy;
}

char *od_arena_vprintf(struct od_arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    size_t room = n < 0 ? 1 : (size_t)n + 1;
    char *text = od_arena_alloc(arena, room, 1);
    if (n >= 0)
        (void)vsnprintf(text, room, format, again);
    va_end(again);
    return text;
}

char *od_arena_printf(struct od_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = od_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

size_t od_arena_used(const struct od_arena *arena)
{
    return arena->used;
}
