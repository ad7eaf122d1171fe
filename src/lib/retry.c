#include "lib/retry.h"

#include "base/ascii.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 80 };

/* Causes that come again whatever is changed from outside. */
static const struct {
    enum od_cause cause;
    const char *why;
} hopeless[] = {
    {OD_CAUSE_HOST_LEAK, "memory of the host grows from step to step, and would grow again"},
    {OD_CAUSE_DEVICE_LEAK, "memory of the device grows from step to step, and would grow again"},
    {OD_CAUSE_GRAPH_GROWTH, "it makes models or graphs in a loop, and would again"},
    {OD_CAUSE_EVALUATION_ACCUMULATES, "validation keeps its outputs, and would again"},
    {OD_CAUSE_OTHER_TENANT, "something else holds the device"},
    {OD_CAUSE_DRIVER_REFUSED, "something that the log does not name holds the device"},
    {OD_CAUSE_HOST_OTHER_TENANT, "other processes hold the machine's memory"},
    {OD_CAUSE_ACCIDENTAL_SHAPE, "the tensor that failed has a shape that nobody meant"},
};

struct changing {
    const struct od_report *report;
    struct od_arena *arena;
    struct od_retry *to;
    struct od_buf said;
};

static void say(struct changing *c, const char *what)
{
    od_buf_printf(&c->said, "%s%s", c->said.n > 0 ? ", " : "", what);
}

/* ---- words of the command ---- */

/* "--per-device-train-batch-size" -> "per_device_train_batch_size"; what stands before "=". */
static struct od_view name_of(const char *word, char room[static NAME_ROOM])
{
    struct od_view name = od_view_of(word);
    size_t end = od_view_find_char(name, '=', 0);
    if (end != OD_VIEW_NONE)
        name = od_view_head(name, end);
    while (od_view_take(&name, OD_VIEW("-")) || od_view_take(&name, OD_VIEW("+")))
        ;
    if (name.n >= NAME_ROOM)
        return (struct od_view){0};
    for (size_t i = 0; i < name.n; i++)
        room[i] = name.p[i] == '-' ? '_' : od_lower(name.p[i]);
    return (struct od_view){room, name.n};
}

static bool is_option(const char *word)
{
    return word[0] == '-' || strchr(word, '=') != NULL;
}

/* Where the value of option i begins: behind its "=", or the next word. NULL = it has none. */
static const char *value_of(char *const *argv, size_t i)
{
    const char *sign = strchr(argv[i], '=');
    if (sign)
        return sign + 1;
    return argv[i + 1] && argv[i + 1][0] != '-' ? argv[i + 1] : NULL;
}

static void set_value(struct changing *c, size_t i, const char *value)
{
    char **argv = c->to->argv;
    const char *sign = strchr(argv[i], '='), *old = value_of(argv, i);
    int name = sign ? (int)(sign - argv[i]) : (int)strlen(argv[i]);
    say(c, od_arena_printf(c->arena, "%.*s %s -> %s", name, argv[i], old, value));
    if (sign)
        argv[i] = od_arena_str(
            c->arena, od_view_of(od_arena_printf(c->arena, "%.*s=%s", name, argv[i], value)));
    else
        argv[i + 1] = od_arena_str(c->arena, od_view_of(value));
}

/* An option whose name has the one word, none of the others, and that number; -1 = none. */
static long find_number(struct changing *c, const char *word, const char *const *others,
                        const uint64_t *wanted, uint64_t *ret_n)
{
    char room[NAME_ROOM];
    for (size_t i = 1; c->to->argv[i]; i++) {
        const char *value = is_option(c->to->argv[i]) ? value_of(c->to->argv, i) : NULL;
        struct od_view name = name_of(c->to->argv[i], room);
        if (value && od_view_has(name, od_view_of(word)) && !od_view_has_any(name, others) &&
            od_num_parse_u64(od_view_of(value), ret_n) && (!wanted || *ret_n == *wanted))
            return (long)i;
    }
    return -1;
}

/* The batch of the run, where it is the cause and the command states it; steps are added up to the
 * same batch where the command says how many. */
static void change_batch(struct changing *c)
{
    static const char *const others[] = {"eval",  "val_",   "valid",     "test",
                                         "token", "global", "num_batch", NULL};
    static const char *const none[] = {"eval", NULL};
    const struct od_answer *answer = c->report->answer;
    uint64_t now, added;
    if (!answer || !answer->batch_is_cause || !answer->batch.known || !answer->recommended.known ||
        answer->recommended.n == 0 || answer->recommended.n >= answer->batch.n)
        return;
    long at = find_number(c, "batch", others, &answer->batch.n, &now);
    if (at < 0)
        return;
    set_value(c, (size_t)at, od_arena_printf(c->arena, "%" PRIu64, answer->recommended.n));
    at = find_number(c, "accum", none, NULL, &added);
    uint64_t times = (answer->batch.n + answer->recommended.n - 1) / answer->recommended.n;
    if (at >= 0 && !ckd_mul(&added, added, times))
        set_value(c, (size_t)at, od_arena_printf(c->arena, "%" PRIu64, added));
}

/* The last checkpoint, where the command says from which it goes on. */
static void change_start(struct changing *c)
{
    static const char *const names[] = {"resume",    "resume_from",  "resume_from_checkpoint",
                                        "ckpt_path", "restore_file", NULL};
    const struct od_lost *lost = c->report->lost;
    char room[NAME_ROOM];
    for (size_t i = 1; lost && lost->saved && lost->saved->path.n > 0 && c->to->argv[i]; i++) {
        const char *value = is_option(c->to->argv[i]) ? value_of(c->to->argv, i) : NULL;
        const char *path =
            od_arena_str(c->arena, (struct od_view){lost->saved->path.p, lost->saved->path.n});
        if (value && strchr(value, '/') && strcmp(value, path) != 0 &&
            od_view_eq_any(name_of(c->to->argv[i], room), names)) {
            set_value(c, i, path);
            return;
        }
    }
}

/* ---- the environment ---- */

/* "export NAME=VALUE" and no other line, about how memory is allocated: others say by an example
 * which device is meant, and where files lie. */
static bool is_variable(const char *code, struct od_view *ret_name, struct od_view *ret_value)
{
    struct od_view line = od_view_trim(od_view_of(code));
    if (!od_view_take(&line, OD_VIEW("export ")) ||
        od_view_find_char(line, '\n', 0) != OD_VIEW_NONE)
        return false;
    bool ok = od_view_cut(&line, '=', ret_name) && ret_name->n > 0 && line.n > 0;
    ok = ok && od_view_has(*ret_name, OD_VIEW("ALLOC"));
    *ret_value = line;
    for (size_t i = 0; ok && i < line.n; i++)
        ok = line.p[i] > ' ' && !strchr("$`'\"\\{<", line.p[i]); /* nothing that a shell reads */
    return ok;
}

/* The first way of the best remedy, where it is a variable that has not that value yet. */
static void change_environment(struct changing *c)
{
    const struct od_remedies *remedies = c->report->remedies;
    struct od_view name, value;
    for (size_t i = 0; remedies && remedies->n > 0 && i < remedies->list[0].nhow; i++) {
        const char *code = remedies->list[0].how[i].code;
        if (!code || !is_variable(code, &name, &value))
            continue;
        const char *variable = od_arena_str(c->arena, name), *now = getenv(variable);
        if (now && od_view_eq_str(value, now))
            continue;
        c->to->variable = variable;
        c->to->value = od_arena_str(c->arena, value);
        say(c, od_arena_printf(c->arena, "%s=%s", variable, c->to->value));
        return;
    }
}

/* ---- all of it ---- */

static const char *why_not(const struct od_report *report)
{
    const struct od_diagnosis *diagnosis = report->diagnosis;
    if (diagnosis->failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE || diagnosis->findings.n == 0)
        return "it is not known to have failed for lack of memory";
    for (size_t i = 0; i < OD_COUNT_OF(hopeless); i++)
        if (diagnosis->findings.items[0].cause == hopeless[i].cause)
            return hopeless[i].why;
    return NULL;
}

static char **copy(char *const *argv, struct od_arena *arena)
{
    size_t n = 0;
    while (argv[n])
        n++;
    char **words = OD_NEW_N(arena, n + 1, char *);
    for (size_t i = 0; i < n; i++)
        words[i] = argv[i];
    return words;
}

struct od_retry od_retry_of(const struct od_report *report, char *const *argv,
                            struct od_arena *arena)
{
    struct od_retry retry = {.why_not = why_not(report)};
    if (retry.why_not)
        return retry;
    retry.argv = copy(argv, arena);
    struct changing changing = {.report = report, .arena = arena, .to = &retry};
    change_environment(&changing);
    change_batch(&changing);
    if (changing.said.n == 0)
        retry.why_not = "nothing that is known to help can be set from outside";
    else
        change_start(&changing);
    retry.changes = od_arena_str(arena, od_buf_view(&changing.said));
    od_buf_done(&changing.said);
    return retry;
}
