/*
 * Memory from the heap. Callers never test for NULL: an allocation that fails ends the work of the
 * heap that is in use (od_heap_run). Without one it ends the process: one line from a static buffer
 * goes to stderr and the status is 5.
 * Ownership: the caller frees with od_mem_free (NULL is legal).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* n zeroed objects of size bytes each; n * size is checked for overflow. */
void *od_mem_alloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* Like realloc over n objects of size bytes; new bytes are not zeroed. */
void *od_mem_resize(void *p, size_t n, size_t size) __attribute__((returns_nonnull));

void od_mem_free(void *p);

/* Does what an allocation that failed does. */
void od_mem_die(void) __attribute__((noreturn));

/*
 * A heap: all blocks that a thread allocates while a function runs on it, and what other libraries
 * gave it meanwhile. They are freed one by one as ever, or all at once with the heap.
 */
struct od_heap;

/* NULL without memory. */
struct od_heap *od_heap_new(void);

/*
 * Runs work(self) on the heap, in this thread; heaps do not nest. False when memory ran out: the
 * work broke off, what is held of other libraries was released, and nothing in the heap may be used
 * any more.
 */
bool od_heap_run(struct od_heap *heap, void (*work)(void *self), void *self);

/* Frees all that is left in it; NULL is legal. */
void od_heap_free(struct od_heap *heap);

/* Takes the block out of its heap, which it may outlive; returns it. */
void *od_heap_take(void *p);

/*
 * A thing of another library (a file, a compiled pattern) that has to be released when the work
 * breaks off. The struct is the caller's, in a block of the heap or on the stack, and must not move
 * between the two calls. Without a heap in use nothing is noted.
 */
struct od_foreign {
    struct od_foreign *previous, *next;
    void (*release)(void *thing);
    void *thing;
};

void od_foreign_hold(struct od_foreign *held, void *thing, void (*release)(void *thing));

/* Releases the thing; one that is NULL or was released before is legal. */
void od_foreign_release(struct od_foreign *held);
