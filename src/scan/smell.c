#include "scan/smell.h"

const char *const od_smell_literals[] = {
    "out of memory",
    "Out of memory",
    "Out Of Memory",
    "OUT OF MEMORY",
    "OutOfMemory",
    "OUT_OF_MEMORY",
    "OOM",
    "OOMKilled",
    "oom-kill",
    "oom_kill",
    "oom killer",
    "Killed",
    "annot allocate",
    "an't allocate",
    "ailed to allocate",
    "nable to allocate",
    "ould not allocate",
    "llocation failed",
    "alloc failed",
    "Malloc failed",
    "memory exhausted",
    "Memory exhausted",
    "not enough memory",
    "Not enough memory",
    "nsufficient memory",
    "bad_alloc",
    "MemoryError",
    "ENOMEM",
    "RESOURCE_EXHAUSTED",
    "ResourceExhausted",
    "memory limit exceeded",
    "exceeded memory limit",
    "ALLOC_FAILED",
    NULL,
};

/* A literal that begins inside of a word ("annot allocate") may have letters in front of it. */
static bool stands_alone(struct od_view text, size_t at, struct od_view literal)
{
    size_t end = at + literal.n;
    bool whole = literal.p[0] == 'O' || literal.p[0] == 'K';
    bool behind = end >= text.n || !od_is_word(text.p[end]) || literal.n > 8;
    return behind && (!whole || at == 0 || !od_is_word(text.p[at - 1]) || literal.n > 8);
}

/* Hints that programs print with every failure, next to the words that say it. */
static bool is_hint(struct od_view text)
{
    return od_view_has(text, OD_VIEW("report_tensor_allocations_upon_oom"));
}

bool od_smells(struct od_view text)
{
    if (is_hint(text))
        return false;
    for (const char *const *name = od_smell_literals; *name; name++) {
        struct od_view literal = od_view_of(*name);
        size_t at = 0;
        while ((at = od_view_find(text, literal, at)) != OD_VIEW_NONE) {
            if (stands_alone(text, at, literal))
                return true;
            at++;
        }
    }
    return false;
}
