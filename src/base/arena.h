/*
 * An arena: allocations that live and die together. Three lifetimes use one each: the program
 * (packs), a case (one analysed input), scratch (a line, a section).
 * Alignment is that of max_align_t. Allocation never fails (base/mem.h).
 */
#pragma once

#include "base/buf.h"

#include <stdarg.h>
#include <stddef.h>

struct od_arena;

struct od_arena *od_arena_new(void);
void od_arena_free(struct od_arena *arena);

/* Forgets all allocations but keeps one block for reuse. */
void od_arena_reset(struct od_arena *arena);

/* Allocates n zeroed objects of size bytes each. */
void *od_arena_alloc(struct od_arena *arena, size_t n, size_t size)
    __attribute__((returns_nonnull));

#define OD_NEW(arena, type) ((type *)od_arena_alloc((arena), 1, sizeof(type)))
#define OD_NEW_N(arena, n, type) ((type *)od_arena_alloc((arena), (n), sizeof(type)))

/* Copies the bytes and appends a NUL. */
struct od_view od_arena_view(struct od_arena *arena, struct od_view v);

/* Copies the bytes as a NUL-terminated string. */
char *od_arena_str(struct od_arena *arena, struct od_view v);

/* Copies the contents of a buffer as a NUL-terminated string and empties the buffer. */
char *od_arena_take(struct od_arena *arena, struct od_buf *text);

char *od_arena_printf(struct od_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *od_arena_vprintf(struct od_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Total number of bytes allocated (for --stats). */
size_t od_arena_used(const struct od_arena *arena);
