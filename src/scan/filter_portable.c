/*
 * The automaton of Aho and Corasick, complete: one table look-up a byte. Bytes that no literal
 * holds share a class, so a row has as many cells as the literals have different bytes.
 */
#include "scan/filter_engine.h"

#include "base/mem.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#define NONE UINT32_MAX
#define SAYS (UINT32_C(1) << 31) /* in a cell: something ends in that state */

struct automaton {
    uint8_t class_of[256];
    bool begins[256]; /* some literal begins with that byte */
    uint32_t nclasses;
    uint32_t nstates;
    uint32_t *next;      /* nstates rows of nclasses: state, later row offset | SAYS */
    uint32_t *first_out; /* of a state: a literal that ends there */
    uint32_t *next_out;  /* of a literal: another with the same text */
    uint32_t
        *shorter; /* of a state: the longest other state, a suffix of it, that says something */
};

static void find_classes(struct automaton *a, const struct od_view *literals, size_t n)
{
    a->nclasses = 1;
    for (size_t i = 0; i < n; i++) {
        assert(literals[i].n > 0);
        a->begins[(unsigned char)literals[i].p[0]] = true;
        for (size_t j = 0; j < literals[i].n; j++) {
            uint8_t *class_of = &a->class_of[(unsigned char)literals[i].p[j]];
            /* With all 256 bytes in use, the last one may share class 0, which is then its own. */
            if (*class_of == 0 && a->nclasses < 256)
                *class_of = (uint8_t)a->nclasses++;
        }
    }
}

static void add_literal(struct automaton *a, struct od_view literal, uint32_t id)
{
    uint32_t state = 0;
    for (size_t i = 0; i < literal.n; i++) {
        uint32_t *cell =
            &a->next[(size_t)state * a->nclasses + a->class_of[(unsigned char)literal.p[i]]];
        if (*cell == 0)
            *cell = a->nstates++;
        state = *cell;
    }
    a->next_out[id] = a->first_out[state];
    a->first_out[state] = id;
}

/* Breadth first: a state's fallback is nearer to the root and already complete. */
static void complete(struct automaton *a)
{
    uint32_t *queue = od_mem_alloc(a->nstates, sizeof *queue);
    uint32_t *fallback = od_mem_alloc(a->nstates, sizeof *fallback);
    size_t n = 1; /* the root */
    for (size_t i = 0; i < n; i++) {
        uint32_t state = queue[i];
        uint32_t back = fallback[state];
        uint32_t *row = &a->next[(size_t)state * a->nclasses];
        const uint32_t *back_row = &a->next[(size_t)back * a->nclasses];
        a->shorter[state] = state == 0                   ? NONE
                            : a->first_out[back] != NONE ? back
                                                         : a->shorter[back];
        for (uint32_t c = 0; c < a->nclasses; c++) {
            if (row[c] == 0) {
                row[c] = back_row[c];
                continue;
            }
            fallback[row[c]] = state == 0 ? 0 : back_row[c];
            queue[n++] = row[c];
        }
    }
    od_mem_free(queue);
    od_mem_free(fallback);
}

static void mark(struct automaton *a)
{
    size_t cells = (size_t)a->nstates * a->nclasses;
    for (size_t i = 0; i < cells; i++) {
        uint32_t state = a->next[i];
        bool says = a->first_out[state] != NONE || a->shorter[state] != NONE;
        a->next[i] = state | (says ? SAYS : 0);
    }
}

static void destroy(void *engine)
{
    struct automaton *a = engine;
    od_mem_free(a->next);
    od_mem_free(a->first_out);
    od_mem_free(a->next_out);
    od_mem_free(a->shorter);
    od_mem_free(a);
}

static void *create(const struct od_view *literals, size_t n)
{
    struct automaton *a = od_mem_alloc(1, sizeof *a);
    find_classes(a, literals, n);
    size_t states = 1;
    for (size_t i = 0; i < n; i++)
        states += literals[i].n;
    assert(states < SAYS && n < NONE);
    a->nstates = 1;
    a->next = od_mem_alloc(states * a->nclasses, sizeof *a->next);
    a->first_out = od_mem_alloc(states, sizeof *a->first_out);
    a->shorter = od_mem_alloc(states, sizeof *a->shorter);
    a->next_out = od_mem_alloc(n + 1, sizeof *a->next_out);
    memset(a->first_out, 0xff, states * sizeof *a->first_out);
    for (size_t i = 0; i < n; i++)
        add_literal(a, literals[i], (uint32_t)i);
    complete(a);
    mark(a);
    return a;
}

static void report(const struct automaton *a, uint32_t state, size_t end,
                   const struct od_filter_sink *sink)
{
    for (; state != NONE; state = a->shorter[state]) {
        for (uint32_t id = a->first_out[state]; id != NONE; id = a->next_out[id])
            sink->hit(sink->self, (struct od_filter_hit){.literal = id, .end = end});
    }
}

static void scan(void *engine, struct od_view text, const struct od_filter_sink *sink)
{
    const struct automaton *a = engine;
    const unsigned char *p = (const unsigned char *)text.p;
    uint32_t state = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (state == 0) {
            while (i < text.n && !a->begins[p[i]])
                i++;
            if (i == text.n)
                return;
        }
        uint32_t cell = a->next[(size_t)state * a->nclasses + a->class_of[p[i]]];
        state = cell & ~SAYS;
        if (cell & SAYS)
            report(a, state, i + 1, sink);
    }
}

const struct od_filter_methods od_filter_portable = {
    .name = "portable", .create = create, .destroy = destroy, .scan = scan};
