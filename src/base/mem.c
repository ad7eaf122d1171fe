#include "base/base.h"

#include <setjmp.h>
#include <stdalign.h>
#include <unistd.h>

enum { EXIT_INTERNAL = 5 };

/* The header of each block. The blocks of a heap form a ring; one without heap is its own ring. */
struct link {
    alignas(max_align_t) struct link *previous;
    struct link *next;
};

struct od_heap {
    struct link blocks;
    struct od_foreign held;
    jmp_buf failed;
};

static _Thread_local struct od_heap *in_use;

static void *block_of(struct link *link)
{
    return link + 1;
}

static struct link *link_of(void *block)
{
    return (struct link *)block - 1;
}

static void unlink_block(struct link *link)
{
    link->previous->next = link->next;
    link->next->previous = link->previous;
    link->previous = link->next = link;
}

static void link_after(struct link *place, struct link *link)
{
    link->previous = place;
    link->next = place->next;
    place->next->previous = link;
    place->next = link;
}

static void *add_block(struct link *link)
{
    link->previous = link->next = link;
    if (in_use)
        link_after(&in_use->blocks, link);
    return block_of(link);
}

void od_foreign_hold(struct od_foreign *held, void *thing, void (*release)(void *thing))
{
    *held = (struct od_foreign){.release = release, .thing = thing};
    if (!in_use || !thing)
        return;
    held->previous = &in_use->held;
    held->next = in_use->held.next;
    held->next->previous = held;
    in_use->held.next = held;
}

void od_foreign_release(struct od_foreign *held)
{
    struct od_foreign gone = *held;
    *held = (struct od_foreign){0};
    if (gone.next) {
        gone.previous->next = gone.next;
        gone.next->previous = gone.previous;
    }
    if (gone.thing)
        gone.release(gone.thing);
}

static void release_all(struct od_heap *heap)
{
    while (heap->held.next != &heap->held)
        od_foreign_release(heap->held.next);
}

void od_mem_die(void)
{
    static const char text[] = "oomdoctor: out of memory (its own)\n";
    if (in_use) {
        release_all(in_use); /* released before the jump, because some are on the stack */
        longjmp(in_use->failed, 1);
    }
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(EXIT_INTERNAL);
}

static size_t size_with_link(size_t n, size_t size)
{
    size_t total;
    if (ckd_mul(&total, n, size) || ckd_add(&total, total, sizeof(struct link)))
        od_mem_die();
    return total;
}

void *od_mem_alloc(size_t n, size_t size)
{
    struct link *link = calloc(1, size_with_link(n, size));
    if (!link)
        od_mem_die();
    return add_block(link);
}

void *od_mem_resize(void *p, size_t n, size_t size)
{
    size_t total = size_with_link(n, size);
    struct link *old = p ? link_of(p) : NULL;
    struct link *place = old && old->previous != old ? old->previous : NULL;
    if (place)
        unlink_block(old);
    struct link *link = realloc(old, total);
    if (!link && place)
        link_after(place, old);
    if (!link)
        od_mem_die();
    if (!old)
        return add_block(link);
    link->previous = link->next = link;
    if (place)
        link_after(place, link);
    return block_of(link);
}

void od_mem_free(void *p)
{
    if (!p)
        return;
    unlink_block(link_of(p));
    free(link_of(p));
}

struct od_heap *od_heap_new(void)
{
    struct od_heap *heap = calloc(1, sizeof *heap);
    if (heap) {
        heap->blocks.previous = heap->blocks.next = &heap->blocks;
        heap->held.previous = heap->held.next = &heap->held;
    }
    return heap;
}

bool od_heap_run(struct od_heap *heap, void (*work)(void *self), void *self)
{
    in_use = heap;
    if (setjmp(heap->failed) == 0) {
        work(self);
        in_use = NULL;
        return true;
    }
    in_use = NULL;
    return false;
}

void od_heap_free(struct od_heap *heap)
{
    if (!heap)
        return;
    release_all(heap);
    while (heap->blocks.next != &heap->blocks)
        od_mem_free(block_of(heap->blocks.next));
    free(heap);
}

void *od_heap_take(void *p)
{
    unlink_block(link_of(p));
    return p;
}
