#include "answer/words.h"

#include "rules/slots.h"

#include <math.h>

static const struct od_slot_word texts[] = {
#include "answer/words.inc"
};

/* The subject of a text: a remedy, or processes that load data. */
struct said {
    struct od_arena *arena;
    const struct od_priced *p; /* NULL = processes */
    const struct od_answer_action *action;
    const struct od_host_facts *f;
};

uint64_t od_answer_part(double batch, uint64_t steps)
{
    return steps > 0 ? (uint64_t)ceil(batch / (double)steps) : 0;
}

static const char *when(bool holds)
{
    return holds ? "" : NULL;
}

static const char *size(const struct said *said, struct od_bytes bytes)
{
    return bytes.known ? od_bytes_text_u64(said->arena, bytes.n) : NULL;
}

static const char *count(const struct said *said, double n)
{
    return od_arena_printf(said->arena, "%.0f", n);
}

/* A probability in words. A prediction is never called certain. */
static const char *chance_of(const struct said *said, double fits)
{
    double percent = floor(fits * 100 + 0.5);
    return fits < 0      ? NULL
           : percent < 1 ? "<1 %"
           : fits > 0.99 ? ">99 %"
                         : od_arena_printf(said->arena, "%.0f %%", percent);
}

/* "4 workers", "1 cc1plus process" */
static const char *processes(const struct said *said, uint64_t n)
{
    struct od_view name = said->f->a->name;
    return name.n == 0 ? od_arena_printf(said->arena, "%" PRIu64 " worker%s", n, n == 1 ? "" : "s")
                       : od_arena_printf(said->arena, "%" PRIu64 " %.*s process%s", n, (int)name.n,
                                         name.p, n == 1 ? "" : "es");
}

/* Fills a slot about a remedy. */
static bool of_action(const struct said *said, struct od_view name, const char **ret_value)
{
    const struct od_priced *p = said->p;
    const struct od_answer_action *action = said->action;
    const struct od_fit_facts *facts = p->facts;
    const struct od_failure *failure = facts->failure;
    const struct od_answer *answer = p->answer;
    const struct od_answer_line *line = p->line;
    bool modeled = facts->model && (facts->model->layers.n > 0 || facts->model->transformer.known);
    double peak = line->fixed + p->tried * line->sample;
    uint64_t steps = p->tried > 0 && answer->accumulation.known ? answer->accumulation.n : 0;
    uint64_t part = od_answer_part(p->tried, steps);
    const struct od_slot_word words[] = {
#include "answer/words.def"
    };
    return od_slots_find(words, OD_COUNT_OF(words), name, ret_value);
}

/* Fills a slot about processes that load data. */
static bool of_host(const struct said *said, struct od_view name, const char **ret_value)
{
    const struct od_host_facts *f = said->f;
    const struct od_host_answer *a = f->a;
    /* the number to run, if the answer has one; no processes would do nothing */
    uint64_t n = a->recommended.n > 0 || !a->each_shared ? a->recommended.n : 1;
    bool of_shm = f->shm || (a->shm_limit.known && od_host_fits(f, a->workers.n, 1) == OD_NO &&
                             a->shm.known && a->shm.lo > a->shm_limit.n);
    const struct od_slot_word words[] = {
#define OF_HOST
#include "answer/words.def"
    };
    return od_slots_find(words, OD_COUNT_OF(words), name, ret_value);
}

/* Prints a value or a fact; for {name?}, the text of that name if there is one. */
static bool print_slot(const void *with, struct od_view slot, struct od_buf *to)
{
    const struct said *said = with;
    const char *value = NULL;
    bool optional = slot.p[slot.n - 1] == '?';
    slot.n -= optional;
    if (optional && od_slots_find(texts, OD_COUNT_OF(texts), slot, &value)) {
        value = od_slots_print(value, print_slot, said, said->arena, NULL);
        if (value && to->n > 0)
            od_buf_add_char(to, ' ');
    } else if (!(said->p ? of_action : of_host)(said, slot, &value)) {
        return said->p && od_profile_print(said->p->line->diagnosis->profile, slot, to);
    }
    od_buf_add_str(to, value ? value : "");
    return value || optional;
}

static const char *print(const struct said *said, const char *name)
{
    const char *text;
    return od_slots_find(texts, OD_COUNT_OF(texts), od_view_of(name), &text)
               ? od_slots_print(text, print_slot, said, said->arena, NULL)
               : NULL;
}

const char *od_answer_words(const struct od_priced *priced, const struct od_answer_action *action)
{
    const struct said said = {.arena = priced->facts->arena, .p = priced, .action = action};
    return print(&said, priced->text);
}

const char *od_host_words(const struct od_host_facts *facts, const char *name)
{
    const struct said said = {.arena = facts->q.arena, .f = facts};
    return print(&said, name);
}
