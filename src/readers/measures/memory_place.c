#include "readers/measures/memory_place.h"

#include "readers/measures/memory_words.h"

/* Is there a unit, with or without blanks before it? */
static bool has_unit(struct od_view rest)
{
    struct od_view word;
    od_view_skip_blanks(&rest);
    return rest.n > 0 && od_is_letter(rest.p[0]) && od_memory_next_word(&rest, &word) &&
           od_memory_is_unit(word);
}

/* The number from that place up to rest. */
static struct od_memory_count count_before(const struct od_memory_line *l, size_t at,
                                           struct od_view rest, uint64_t n)
{
    struct od_view digits = {l->text.p + at, l->text.n - rest.n - at};
    return (struct od_memory_count){true, n, od_memory_span(l, digits)};
}

void od_memory_guard(struct od_memory_line *l, struct od_memory_guard guard)
{
    if (l->nguards < OD_MEMORY_GUARDS_MAX)
        l->guards[l->nguards++] = guard;
    else
        l->told = true;
}

/* The device distinguishes one number from another. */
static void set_device(struct od_memory_line *l, size_t at, struct od_view rest, uint64_t n)
{
    l->device = od_count_of(n);
    od_memory_guard(
        l, (struct od_memory_guard){.digits = count_before(l, at, rest, n).digits, .n = n});
    l->at = l->text.n - rest.n;
}

/* "step 10", "Epoch: [3]", "GPU0", "rank=2": the number after a counting word. */
static bool take_count(struct od_memory_line *l, struct od_memory_count *ret_count)
{
    size_t i = l->at;
    while (i < l->text.n && memchr(" \t:=#[('\"", od_memory_at(l, i), 9))
        i++;
    struct od_view rest = od_view_from(l->text, i);
    uint64_t n;
    if (i > l->at + 9 || !od_num_take_u64(&rest, &n) || od_view_starts(rest, OD_VIEW(".")) ||
        (rest.n > 0 && od_is_letter(rest.p[0])) || has_unit(rest))
        return false;
    *ret_count = count_before(l, i, rest, n);
    if (od_view_take(&rest, OD_VIEW("/"))) {
        uint64_t whole;
        (void)od_num_take_u64(&rest, &whole);
    }
    l->at = l->text.n - rest.n;
    return true;
}

/* "Train: [2/300][40/1251]": without a word, an epoch and its step. */
bool od_memory_take_pair(struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at + 1);
    struct od_memory_count numbers[4];
    if (l->epoch.known || l->step.known)
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(numbers); i++) {
        uint64_t n;
        od_view_skip_blanks(&rest);
        size_t start = l->text.n - rest.n;
        if (!od_num_take_u64(&rest, &n))
            return false;
        numbers[i] = count_before(l, start, rest, n);
        if (!od_view_take(&rest, i % 2 == 0 ? OD_VIEW("/") : OD_VIEW("]")) ||
            (i == 1 && !od_view_take(&rest, OD_VIEW("["))))
            return false;
    }
    l->epoch = numbers[0];
    l->step = numbers[2];
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

/* "_runtime": 15.02 of Weights & Biases, in seconds */
static bool take_runtime(struct od_memory_line *l, struct od_view word)
{
    if (!od_memory_same(word, "runtime") || word.p == l->text.p || word.p[-1] != '_')
        return false;
    size_t start = l->at;
    while (od_memory_at(l, start) && memchr("\"': ", od_memory_at(l, start), 4))
        start++;
    struct od_view rest = od_view_from(l->text, start), number = od_num_take_text(&rest);
    if (number.n == 0 || !od_num_parse_double(number, &l->runtime))
        return false;
    l->runtime_digits = od_memory_span(l, number);
    l->at = l->text.n - rest.n;
    return true;
}

/* Words for what a loop counts. */
static const char *const steps[] = {"step",  "iter",    "iteration", "it",    "batch",
                                    "steps", "episode", "request",   "round", "rollout",
                                    "run",   "cycle",   "timestep"};

static bool is_of_name(char c)
{
    return od_is_word(c) || (c && memchr("-.", c, 2));
}

/* "worker=w1", "pod/web-7d9f", "replica 0", "container ab12cd34": the value after the name; empty
 * if it is a size or a word for memory. */
static struct od_view named_value(const struct od_memory_line *l)
{
    char sign = od_memory_at(l, l->at);
    size_t start = l->at + 1, end = start;
    bool digit = false;
    double number;
    while (is_of_name(od_memory_at(l, end)))
        digit |= od_is_digit(od_memory_at(l, end++));
    struct od_view value = od_view_head(od_view_from(l->text, start), end - start), word = {0},
                   rest = value;
    bool worded = od_memory_next_word(&rest, &word) && word.p == value.p;
    bool fraction =
        od_view_find_char(value, '.', 0) != OD_VIEW_NONE && od_num_parse_double(value, &number);
    if (!sign || !memchr("=/ ", sign, 3) || (sign == ' ' && !digit) || fraction ||
        (worded && od_memory_word(word) != OD_MW_UNKNOWN) || has_unit(od_view_from(l->text, end)))
        return (struct od_view){0};
    return value;
}

/* "node03", "gpu-box-3", "ForkPoolWorker-2", "worker=w1": one of several sources that print the
 * same, with its number joined to its name or its value after it. */
static bool take_key(struct od_memory_line *l, struct od_view word)
{
    static const char *const names[] = {"node",     "host",     "worker",  "pod",       "replica",
                                        "executor", "server",   "machine", "container", "service",
                                        "actor",    "instance", "box"};
    bool known = false;
    for (size_t i = 0; i < OD_COUNT_OF(names); i++)
        known = known || od_memory_same(word, names[i]);
    if (!known || l->n > 0 || l->key.n > 0)
        return false;
    size_t start = (size_t)(word.p - l->text.p), at = l->at;
    at += od_memory_at(l, at) && memchr("-_", od_memory_at(l, at), 2) ? 1 : 0;
    size_t digits = od_num_digits(od_view_from(l->text, at)), end = at + digits;
    struct od_view value = {0};
    if (digits == 0 || digits > 4 || od_memory_at(l, end) == '.' ||
        od_is_word(od_memory_at(l, end))) {
        value = named_value(l);
        if (value.n == 0)
            return false;
        at = (size_t)(value.p - l->text.p);
        end = at + value.n;
        digits = od_num_digits(value);
        start = digits < value.n ? at : start; /* a bare number keeps its name */
    }
    while (start > 0 && value.n == 0 &&
           (od_is_word(l->text.p[start - 1]) || l->text.p[start - 1] == '-'))
        start--;
    l->key = od_memory_span(l, od_view_head(od_view_from(l->text, start), end - start));
    l->context |= od_memory_word(word) & OD_MW_RAM;
    uint64_t n;
    struct od_view number = od_view_head(od_view_from(l->text, at), digits);
    if (value.n > digits)
        l->told = true;
    else if (od_num_parse_u64(number, &n))
        od_memory_guard(l, (struct od_memory_guard){.digits = od_memory_span(l, number), .n = n});
    l->at = end;
    return true;
}

bool od_memory_take_place(struct od_memory_line *l, struct od_view word)
{
    if (take_key(l, word))
        return true;
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
    struct od_memory_count other; /* "of model 0" */
    if (take_runtime(l, word) || (od_memory_same(word, "model") && take_count(l, &other)))
        return true;
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
    size_t start = l->text.n - rest.n;
    if (!od_num_take_u64(&rest, &n) || is_decimal(rest))
        return;
    if (has_unit(rest) || (rest.n > 0 && od_is_letter(rest.p[0])))
        return;
    set_device(l, start, rest, n);
}

void od_memory_take_argument(struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at);
    uint64_t n;
    if (!od_view_take(&rest, OD_VIEW("(")) || !od_num_take_u64(&rest, &n))
        return;
    struct od_view after = rest;
    if (!od_view_take(&rest, OD_VIEW(")")))
        return;
    set_device(l, l->at + 1, after, n);
    l->at++; /* the bracket */
}

enum { WHEN_WORDS = 6 };

/* Words that say whose memory a number is, or which value of it. */
static const unsigned telling = OD_MW_MEMORY | OD_MW_DEVICE | OD_MW_HOST | OD_MW_RSS |
                                OD_MW_VIRTUAL | OD_MW_PEAK | OD_MW_MAX | OD_MW_USED |
                                OD_MW_ALLOCATED | OD_MW_RESERVED | OD_MW_FREE | OD_MW_TOTAL |
                                OD_MW_RAM | OD_MW_PERCENT;

static bool is_counter(struct od_view word)
{
    for (size_t i = 0; i < OD_COUNT_OF(steps); i++)
        if (od_memory_same(word, steps[i]))
            return true;
    return od_memory_same(word, "epoch");
}

/* Is the number after the word a count: "step 3", but not "after step: 4.8 GB"? */
static bool counts_to(const struct od_memory_line *l, size_t at)
{
    size_t i = at;
    while (i < at + 3 && od_memory_at(l, i) && memchr(" #[(_", od_memory_at(l, i), 5))
        i++;
    return od_is_digit(od_memory_at(l, i));
}

/* The next word, after at most a few punctuation marks or blanks; empty = none. */
static struct od_view word_from(const struct od_memory_line *l, size_t at)
{
    size_t i = at;
    while (i < at + 3 && od_memory_at(l, i) && memchr(" _-.()", od_memory_at(l, i), 6))
        i++;
    size_t end = i;
    while (od_is_letter(od_memory_at(l, end)))
        end++;
    return od_view_head(od_view_from(l->text, i), end - i);
}

/* Does the name of a moment end here, followed by the number: "after model to cuda: ", "[after
 * forward] "? */
static bool ends_moment(const struct od_memory_line *l, size_t at)
{
    while (od_memory_at(l, at) && memchr(" ('\"-", od_memory_at(l, at), 5))
        at++;
    return od_memory_at(l, at) && memchr(":=|,;])", od_memory_at(l, at), 7);
}

/* " ~30 minutes", " 2 h" */
static bool is_time(struct od_view rest)
{
    static const char *const units[] = {"s",       "sec",  "seconds", "m",    "min",   "mins",
                                        "minutes", "h",    "hr",      "hour", "hours", "day",
                                        "days",    "week", "weeks",   NULL};
    uint64_t n;
    od_view_skip_blanks(&rest);
    (void)od_view_take(&rest, OD_VIEW("~"));
    if (!od_num_take_u64(&rest, &n))
        return false;
    od_view_skip_blanks(&rest);
    size_t end = 0;
    while (end < rest.n && od_is_letter(rest.p[end]))
        end++;
    return od_view_eq_any(od_view_head(rest, end), units);
}

/* "after epoch", "before forward", "after model to cuda", "post_backward": a program may print at
 * several moments of a step, each with its own series. The moment's own words are skipped, because
 * "model" is not what the number describes here. */
void od_memory_take_when(struct od_memory_line *l, struct od_view word)
{
    size_t start = (size_t)(word.p - l->text.p), end = start + word.n, passed = end;
    bool joined = od_memory_same(word, "pre") || od_memory_same(word, "post");
    bool to = false, told = false;
    if (is_time(od_view_from(l->text, end)))
        return; /* another time at the same moment of a step */
    for (size_t i = 0; i < WHEN_WORDS; i++) {
        struct od_view next = word_from(l, end);
        size_t next_end = (size_t)(next.p + next.n - l->text.p);
        bool count = is_counter(next) && counts_to(l, next_end);
        told = !to && (od_memory_word(next) & telling);
        if (next.n == 0 || told || od_memory_is_unit(next) || (i > 0 && count))
            break;
        end = next_end;
        if (count)
            break;
        to = od_memory_same(next, "to") || od_memory_same(next, "onto");
        passed = end;
    }
    if (joined && end == start + word.n)
        return; /* "pre-allocated" */
    l->when = od_view_head(od_view_from(l->text, start), end - start);
    if (told || ends_moment(l, passed))
        l->at = passed;
}

/* "optimizer.step()", "model.cuda()": a call at the start of a line names the moment after it. */
bool od_memory_take_call(struct od_memory_line *l, struct od_view word)
{
    static const char *const calls[][2] = {
        {"optimizer", ".step"}, {"optimizer", ".zero_grad"}, {"model", ".cuda"}, {"model", ".to"}};
    struct od_view rest = od_view_from(l->text, l->at);
    if (l->n > 0 || l->when.n > 0)
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(calls); i++) {
        struct od_view call = od_view_of(calls[i][1]);
        if (!od_memory_same(word, calls[i][0]) || !od_view_starts(rest, call))
            continue;
        l->at += call.n;
        l->when = (struct od_view){word.p, word.n + call.n};
        return true;
    }
    return false;
}

/* Is the word the topic of the line: "[train]", "val |", "Eval: ", "Train step 3"? "val_loss" and
 * "train loss" are names of numbers. */
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
    return is_counter(next) || (od_memory_word(next) & (OD_MW_UNKNOWN | OD_MW_FOREIGN)) == 0;
}

void od_memory_take_phase(struct od_memory_line *l, struct od_view word, unsigned means)
{
    const char *phase = means & OD_MW_TRAIN ? "train" : "validation";
    if (!heads_line(l, word))
        return;
    l->phases = l->phases || (l->phase && strcmp(l->phase, phase) != 0);
    l->phase = phase;
}
