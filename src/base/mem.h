/*
 * Memory allocation. Callers never test for NULL: a failed allocation ends the work of the heap in
 * use (od_heap_run). Without a heap it ends the process with a line on stderr (from a static
 * buffer) and status 5. The caller frees with od_mem_free, which accepts NULL.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* n zeroed objects of size bytes each; n * size is checked for overflow. */
void *od_mem_alloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* Like realloc over n objects of size bytes; new bytes are not zeroed. */
void *od_mem_resize(void *p, size_t n, size_t size) __attribute__((returns_nonnull));

void od_mem_free(void *p);

/* Handles a failed allocation: ends the work of the heap in use, or the process. */
void od_mem_die(void) __attribute__((noreturn));

/*
 * A heap owns all blocks that a thread allocates while od_heap_run runs on it, and the objects of
 * other libraries. They are freed one by one, or all together with the heap.
 */
struct od_heap;

/* Returns NULL if memory is exhausted. */
struct od_heap *od_heap_new(void);

/*
 * Runs work(self) on the heap, in this thread; heaps do not nest. Returns false if memory ran out:
 * the work was interrupted, the objects of other libraries were released, and the heap's blocks
 * must not be used any more.
 */
bool od_heap_run(struct od_heap *heap, void (*work)(void *self), void *self);

/* Frees the heap and all its blocks; NULL is legal. */
void od_heap_free(struct od_heap *heap);

/* Removes the block from its heap, so that it can outlive the heap; returns the block. */
void *od_heap_take(void *p);

/*
 * An object of another library (a file, a compiled pattern) to be released if the work is
 * interrupted. The caller owns the struct, in a block of the heap or on the stack, and must not
 * move it between the two calls. Has no effect without a heap in use.
 */
struct od_foreign {
    struct od_foreign *previous, *next;
    void (*release)(void *thing);
    void *thing;
};

void od_foreign_hold(struct od_foreign *held, void *thing, void (*release)(void *thing));

/* Releases the object. NULL and an object that was already released are legal. */
void od_foreign_release(struct od_foreign *held);
