#include "readers/memory_place.h"

#include "base/ascii.h"
#include "readers/memory_words.h"

#include <string.h>

/* Does a unit stand there, behind blanks or not? */
static bool has_unit(struct od_view rest)
{
    struct od_view word;
    od_view_skip_blanks(&rest);
    return rest.n > 0 && od_is_letter(rest.p[0]) && od_memory_next_word(&rest, &word) &&
           od_memory_is_unit(word);
}

/* "step 10", "Epoch: [3]", "GPU0", "rank=2": the number behind a word that counts. */
static bool take_count(struct od_memory_line *l, struct od_count *ret_count)
{
    size_t i = l->at;
    while (i < l->text.n && memchr(" \t:=#[('\"", od_memory_at(l, i), 9))
        i++;
    struct od_view rest = od_view_from(l->text, i);
    uint64_t n;
    if (i > l->at + 9 || !od_num_take_u64(&rest, &n) || od_view_starts(rest, OD_VIEW(".")) ||
        (rest.n > 0 && od_is_letter(rest.p[0])) || has_unit(rest))
        return false;
    if (od_view_take(&rest, OD_VIEW("/"))) {
        uint64_t whole;
        (void)od_num_take_u64(&rest, &whole);
    }
    ret_count->known = true;
    ret_count->n = n;
    l->at = l->text.n - rest.n;
    return true;
}

/* "Train: [2/300][40/1251]": without a word, an epoch and its step. */
bool od_memory_take_pair(struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at + 1);
    uint64_t numbers[4];
    if (l->epoch.known || l->step.known)
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(numbers); i++) {
        od_view_skip_blanks(&rest);
        if (!od_num_take_u64(&rest, &numbers[i]) ||
            !od_view_take(&rest, i % 2 == 0 ? OD_VIEW("/") : OD_VIEW("]")) ||
            (i == 1 && !od_view_take(&rest, OD_VIEW("["))))
            return false;
    }
    l->epoch = od_count_of(numbers[0]);
    l->step = od_count_of(numbers[2]);
    l->at = l->text.n - rest.n;
    return true;
}

/* "[2][150/1833]": the second number of an epoch is its step. */
static void take_step_of_epoch(struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at);
    if (!od_view_take(&rest, OD_VIEW("]")))
        return;
    od_view_skip_blanks(&rest);
    if (od_view_take(&rest, OD_VIEW("["))) {
        l->at = l->text.n - rest.n;
        (void)take_count(l, &l->step);
    }
}

bool od_memory_take_place(struct od_memory_line *l, struct od_view word)
{
    static const char *const steps[] = {"step", "iter", "iteration", "it", "batch", "steps"};
    for (size_t i = 0; i < OD_COUNT_OF(steps); i++) {
        if (od_memory_same(word, steps[i]))
            return take_count(l, &l->step);
    }
    if (od_memory_same(word, "epoch")) {
        bool taken = take_count(l, &l->epoch);
        if (taken)
            take_step_of_epoch(l);
        return taken;
    }
    if (od_memory_same(word, "rank"))
        return take_count(l, &l->rank);
    if (od_memory_same(word, "pid") || od_memory_same(word, "process"))
        return take_count(l, &l->pid);
    return false;
}

static bool is_decimal(struct od_view rest)
{
    return rest.n > 1 && rest.p[0] == '.' && od_is_digit(rest.p[1]);
}

/* "GPU 0", "cuda:0", "GPU[0]", "gpu.0.memory", "gpu_0_mem", but not "GPU: 3 GB". */
void od_memory_take_device(struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at);
    uint64_t n;
    if (rest.n > 0 && memchr(" :#[-._", rest.p[0], 7))
        rest = od_view_from(rest, 1);
    if (!od_num_take_u64(&rest, &n) || is_decimal(rest))
        return;
    if (has_unit(rest) || (rest.n > 0 && od_is_letter(rest.p[0])))
        return;
    l->device = od_count_of(n);
    l->at = l->text.n - rest.n;
}

void od_memory_take_argument(struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at);
    uint64_t n;
    if (!od_view_take(&rest, OD_VIEW("(")) || !od_num_take_u64(&rest, &n) ||
        !od_view_take(&rest, OD_VIEW(")")))
        return;
    l->device = od_count_of(n);
    l->at = l->text.n - rest.n;
}

/* "after epoch", "before forward": one program prints at several moments of a step, and each has
 * its own course. */
void od_memory_take_when(struct od_memory_line *l, struct od_view word)
{
    size_t start = (size_t)(word.p - l->text.p), end = start + word.n;
    if (od_memory_at(l, end) == ' ') {
        size_t next = end + 1;
        while (od_is_letter(od_memory_at(l, next)))
            next++;
        end = next > end + 1 ? next : end;
    }
    l->when = od_view_head(od_view_from(l->text, start), end - start);
}

/* Does the word stand alone, as what the line is of: "[train]", "val |", "Eval: ", "Train step 3"?
 * A "val_loss" or a "train loss" is a number like others. */
static bool heads_line(const struct od_memory_line *l, struct od_view word)
{
    size_t start = (size_t)(word.p - l->text.p), end = start + word.n;
    char before = start > 0 ? l->text.p[start - 1] : ' ', after = od_memory_at(l, end);
    struct od_view rest = od_view_from(l->text, end), next;
    if (!memchr(" \t[(|:>'\"", before, 9) || (after && !memchr(" \t])|:-'\"", after, 9)))
        return false;
    od_view_skip_blanks(&rest);
    if (rest.n == 0 || !od_is_letter(rest.p[0]) || !od_memory_next_word(&rest, &next))
        return true;
    return (od_memory_word(next) & (OD_MW_UNKNOWN | OD_MW_FOREIGN)) == 0;
}

void od_memory_take_phase(struct od_memory_line *l, struct od_view word, unsigned means)
{
    const char *phase = means & OD_MW_TRAIN ? "train" : "validation";
    if (!heads_line(l, word))
        return;
    l->phases = l->phases || (l->phase && strcmp(l->phase, phase) != 0);
    l->phase = phase;
}
