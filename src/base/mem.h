/*
 * Memory from the heap that is there or ends the program: on failure one line from a static
 * buffer goes to stderr and the process exits 5. Callers never test for NULL.
 * Ownership: the caller frees with od_mem_free (NULL is legal).
 */
#pragma once

#include <stddef.h>

/* n zeroed objects of size bytes each; n * size is checked for overflow. */
void *od_mem_alloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* Like realloc over n objects of size bytes; new bytes are not zeroed. */
void *od_mem_resize(void *p, size_t n, size_t size) __attribute__((returns_nonnull));

void od_mem_free(void *p);

/* Ends the process with status 5, as an allocation that failed does. */
void od_mem_die(void) __attribute__((noreturn));
