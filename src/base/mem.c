#include "base/base.h"

#include <unistd.h>

enum { EXIT_INTERNAL = 5 };

void od_mem_die(void)
{
    static const char text[] = "oomdoctor: out of memory (its own)\n";
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(EXIT_INTERNAL);
}

void *od_mem_alloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (!p)
        od_mem_die();
    return p;
}

void *od_mem_resize(void *p, size_t n, size_t size)
{
    size_t total;
    if (ckd_mul(&total, n, size))
        od_mem_die();
    void *q = realloc(p, total ? total : 1);
    if (!q)
        od_mem_die();
    return q;
}

void od_mem_free(void *p)
{
    free(p);
}
