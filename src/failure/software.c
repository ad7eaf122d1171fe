#include "failure/software.h"

#include "base/map.h"

#include <math.h>

/* Weight of a mark by its kind: highest for a program's own error, lowest for its bare name. */
static const double weights[] = {
    [OD_MARK_ERROR] = 4,  [OD_MARK_COMMAND] = 4, [OD_MARK_CALL] = 4,
    [OD_MARK_BANNER] = 4, [OD_MARK_PATH] = 3,    [OD_MARK_PREFIX] = 2,
    [OD_MARK_CONFIG] = 2, [OD_MARK_NAME] = 1,    [OD_MARK_PROCESS] = 8,
};

/* Factors for a mark in the failure's own lines, in its attempt, elsewhere, and in the title of a
 * thread, which names the program in question. */
static const double in_failure = 3, in_attempt = 1, elsewhere = 0.3, in_title = 3;
static const double producer_weight = 8;
/* least weight of a program that took part: that of its name in the attempt */
static const double least = 0.9;

/* Least weight of the program that the user drives: two marks in the failure's own lines, or one
 * sure mark in its attempt. */
static const double in_its_lines = 6, in_its_attempt = 2.5;

struct ranking {
    const struct od_case *c;
    const struct od_incident *incident; /* NULL = no failure */
    struct od_prov start;               /* start of the attempt; line 0 = none */
    /* last command that started a program of the user's own; line 0 = none */
    struct od_prov own;
    OD_VEC(struct od_software_part) parts;
};

static struct od_software_part *part_of(struct ranking *r, const struct od_software *software)
{
    for (size_t i = 0; i < r->parts.n; i++)
        if (r->parts.items[i].software == software)
            return &r->parts.items[i];
    od_vec_push(&r->parts, (struct od_software_part){.software = software});
    return &r->parts.items[r->parts.n - 1];
}

/* Is the place in the failure's traceback (at least two lines for each frame) or next to the
 * message? */
static bool is_in_failure(const struct ranking *r, const struct od_prov *at)
{
    enum { LINES_OF_A_FRAME = 4, AROUND = 4 };
    const struct od_incident *inc = r->incident;
    uint64_t front = AROUND + LINES_OF_A_FRAME * (uint64_t)inc->nframes;
    return at->source == inc->at.source && at->line + front >= inc->at.line &&
           at->line <= inc->last.line + AROUND;
}

static double nearness(const struct ranking *r, const struct od_seen *seen)
{
    const struct od_prov *at = &seen->said.at;
    if (!r->incident)
        return in_attempt;
    if (is_in_failure(r, at))
        return in_failure;
    bool same = at->source == r->incident->at.source && at->line >= r->start.line;
    return same ? in_attempt : elsewhere;
}

static void add(struct ranking *r, const struct od_software *software, double weight, bool near,
                const struct od_evidence *said)
{
    struct od_software_part *part = part_of(r, software);
    if (!part->said || (near && part->near <= 0))
        part->said = said;
    part->weight += weight;
    part->near += near ? weight : 0;
}

/* Does the line name a program that did not fail ("the same model runs fine in ComfyUI", "connected
 * to MongoDB")? A killed command is no part of a database that its lines only name. */
static bool is_other(const struct ranking *r, const struct od_seen *seen)
{
    enum od_mark_kind kind = seen->sign->mark->kind;
    bool named = r->incident && r->incident->kind == OD_INC_UNEXPLAINED_KILL &&
                 seen->sign->software->sort == OD_SORT_DATABASE && kind == OD_MARK_NAME;
    return !seen->titled &&
           (named || (seen->worked && (kind == OD_MARK_NAME || kind == OD_MARK_PATH)));
}

/* Is it a step of several that people run: a tool, a compiler, the filling of a database? */
static bool is_step(const struct od_software *software)
{
    static const uint64_t steps =
        1U << OD_SORT_TOOL | 1U << OD_SORT_COMPILER | 1U << OD_SORT_DATABASE;
    return (steps >> software->sort & 1) != 0;
}

/* Did it run before the user's own program was started? */
static bool is_earlier(const struct ranking *r, const struct od_seen *seen)
{
    return seen->said.at.source == r->own.source && seen->said.at.line < r->own.line &&
           !seen->titled && is_step(seen->sign->software);
}

static struct od_prov own_command(const struct od_case *c, const struct od_incident *incident)
{
    struct od_prov own = {0};
    OD_FOR_EACH (const struct od_evidence, command, c->commands) {
        uint64_t says = od_meanings_of(OD_SUBJECT_SAID, command->text, (struct od_view){0});
        if (incident && od_prov_cmp(&command->at, &incident->at) < 0 &&
            od_means(says, OD_SAID_OWN_COMMAND))
            own = command->at;
    }
    return own;
}

/* "php-fpm8.1" is php-fpm and "ollama-1" is ollama, but "nodemon" is not node. */
static bool is_process(struct od_view name, const char *mark)
{
    if (!od_view_take(&name, od_view_of(mark)))
        return false;
    char next = name.n > 0 ? name.p[0] : '\0';
    bool replica = next == '-' && name.n > 1 && od_is_digit(name.p[1]);
    return replica || next == '\0' || next == ':' || next == '.' || od_is_digit(next);
}

/* Is the mark the name of a listed process? Then the memory of that process decides. */
static bool is_listed(const struct od_account *account, const struct od_seen *seen)
{
    for (size_t i = 0; account && i < account->n; i++)
        if (account->holdings[i].kind == OD_HELD_PROCESSES &&
            is_process(account->holdings[i].name, seen->sign->mark->text))
            return true;
    return false;
}

/* Repeated marks count once, at the place nearest to the failure. */
static void add_signs(struct ranking *r, const struct od_account *account)
{
    const struct od_case *c = r->c;
    struct od_map best = {0};
    for (size_t i = 0; i < c->seen.n; i++) {
        const struct od_sign *sign = c->seen.items[i].sign;
        if (!sign->software || is_other(r, &c->seen.items[i]) || is_earlier(r, &c->seen.items[i]) ||
            is_listed(account, &c->seen.items[i]))
            continue;
        struct od_view key = {.p = (const char *)&sign, .n = sizeof sign};
        uint64_t *kept = od_map_at(&best, key);
        if (*kept == 0 || nearness(r, &c->seen.items[i]) > nearness(r, &c->seen.items[*kept - 1]))
            *kept = i + 1;
    }
    for (size_t i = 0; i < c->seen.n; i++) {
        const struct od_seen *seen = &c->seen.items[i];
        struct od_view key = {.p = (const char *)&seen->sign, .n = sizeof seen->sign};
        const uint64_t *kept = seen->sign->software ? od_map_get(&best, key) : NULL;
        if (!kept || *kept != i + 1)
            continue;
        double near = nearness(r, seen), weight = near;
        if (seen->titled && seen->sign->mark->kind == OD_MARK_NAME && weight < in_title)
            weight = in_title;
        add(r, seen->sign->software, weight * weights[seen->sign->mark->kind], near >= in_failure,
            &seen->said);
    }
    od_map_done(&best);
}

/* The number of the program's marks that match the name of the process. */
static unsigned runs_as(const struct od_software *software, struct od_view process)
{
    unsigned n = 0;
    for (size_t k = 0; process.n > 0 && k < software->nmarks; k++)
        n += software->marks[k].kind == OD_MARK_PROCESS &&
             is_process(process, software->marks[k].text);
    return n;
}

static void add_process(struct ranking *r, struct od_view process, double times)
{
    for (size_t i = 0; od_shipped_software[i]; i++) {
        unsigned names = runs_as(od_shipped_software[i], process);
        if (names > 0)
            add(r, od_shipped_software[i], names * times * weights[OD_MARK_PROCESS] * in_failure,
                true, r->incident->evidence.n > 0 ? &r->incident->evidence.items[0] : NULL);
    }
}

/* Adds the program whose settings let it take more than there is. */
static void add_allowed(struct ranking *r, const struct od_account *account)
{
    if (account->allowed.software)
        add(r, account->allowed.software, producer_weight * in_failure, true, NULL);
}

static const double as_much = 0.5; /* share of the largest total of a name */

bool od_software_used_counts_processes(const struct od_software_used *stack)
{
    return stack->driver && od_software_knob(stack->driver, "workers");
}

/* Least memory of the processes of a name that count in addition to those of the killed one's
 * name. */
static double held_much(const struct od_account *account)
{
    const struct od_held *most = od_account_largest(account);
    double own = od_held_bytes(&account->victim);
    OD_FOR_EACH_OF (const struct od_held, held, account->holdings, account->n)
        if (od_view_eq(held->name, account->victim.name))
            own = fmax(own, od_held_bytes(held));
    return most ? as_much * od_held_bytes(most) : own > 0 ? own : HUGE_VAL;
}

bool od_software_used_holds(const struct od_account *account, const struct od_software *software)
{
    OD_FOR_EACH_OF (const struct od_held, held, account->holdings, account->n)
        if (held->kind == OD_HELD_PROCESSES && od_held_bytes(held) >= held_much(account) &&
            runs_as(software, held->name) > 0 && runs_as(software, account->victim.name) == 0)
            return true;
    return false;
}

/* Adds the programs that held the memory. Advice is for them, not for the killed process. */
static void add_who_held(struct ranking *r, const struct od_account *account)
{
    struct od_view shot = r->incident->process.name;
    const struct od_held *most = od_account_largest(account);
    if (!od_account_small_victim(account))
        add_process(r, shot, 1);
    add_process(r, r->incident->printed_by, 1);
    OD_FOR_EACH_OF (const struct od_held, held, account->holdings, account->n)
        if (held->kind == OD_HELD_PROCESSES && held != most && !od_view_eq(held->name, shot) &&
            od_held_bytes(held) >= held_much(account))
            add_process(r, held->name, 1);
    if (!most)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < r->parts.n; i++)
        if (runs_as(r->parts.items[i].software, shot) == 0 ||
            runs_as(r->parts.items[i].software, most->name) > 0)
            r->parts.items[kept++] = r->parts.items[i];
    r->parts.n = kept;
    add_process(r, most->name, 2);
}

static int by_weight(const void *left, const void *right)
{
    const struct od_software_part *l = left, *r = right;
    if (l->weight < r->weight || l->weight > r->weight)
        return l->weight > r->weight ? -1 : 1;
    return strcmp(l->software->name, r->software->name);
}

/* Is it a program that people run, not a library or a platform? */
static bool is_driven(const struct od_software *software)
{
    static const uint64_t made_of = 1U << OD_SORT_LIBRARY | 1U << OD_SORT_ARRAY |
                                    1U << OD_SORT_SCHEDULER | 1U << OD_SORT_PLATFORM;
    /* the user's own scripts run on Python */
    return (made_of >> software->sort & 1) == 0 && strcmp(software->name, "cpython") != 0;
}

/* Did the program only run earlier? Lines of a library about a device come from a program built on
 * it. */
static bool is_aside(const struct ranking *r, const struct od_software *by,
                     const struct od_software *software)
{
    return by && (by->sort == OD_SORT_LIBRARY || by->sort == OD_SORT_ARRAY) &&
           !od_incident_kind_is_host(r->incident->kind) && is_step(software) &&
           !od_software_stands_on(software, by);
}

/* The driver: the program with the greatest weight in the failure (near) or in the whole log,
 * launchers last. A program that is built on it, with a sure mark in the attempt, replaces it,
 * because programs print the lines of their libraries. */
static const struct od_software *
choose(const struct ranking *r, const struct od_software_used *stack, bool near, double sure)
{
    const struct od_software_part *best = NULL;
    OD_FOR_EACH_OF (const struct od_software_part, part, stack->parts, stack->n) {
        /* many programs import an engine without running it, so one mark does not show that it
         * ran */
        bool engine = part->software->sort == OD_SORT_ENGINE && part->weight < in_its_lines;
        bool counts = (near || engine ? part->near : part->weight) >= sure;
        bool starter = best && best->software->sort == OD_SORT_ORCHESTRATOR &&
                       part->software->sort != OD_SORT_ORCHESTRATOR;
        if (is_driven(part->software) && !is_aside(r, stack->printed_by, part->software) &&
            counts && (!best || starter))
            best = part;
    }
    for (size_t i = 0; best && i < stack->n; i++) {
        const struct od_software_part *part = &stack->parts[i];
        bool on_it = part != best && is_driven(part->software) && part->weight >= in_its_attempt &&
                     od_software_stands_on(part->software, best->software);
        /* the options of a server that is built into a trainer are set in the trainer */
        if (on_it || (best->software->sort == OD_SORT_SERVER && part->near >= in_its_lines &&
                      part->software->sort == OD_SORT_TRAINER))
            best = part;
    }
    return best ? best->software : NULL;
}

/* Is it a service of the machine that prints no progress? Then it is no script of the user,
 * whatever interpreter runs it. */
static bool is_unit(const struct ranking *r)
{
    return r->incident && r->incident->kind == OD_INC_HOST_OOM_KILL && r->incident->nframes == 0 &&
           r->c->series.n == 0 && od_incident_is_of_service(r->incident);
}

/* Is it only the interpreter of a service? Then it has no settings of the service. */
static bool is_interpreter_of_unit(const struct ranking *r, const struct od_software_part *part)
{
    return is_unit(r) && part->software->sort == OD_SORT_RUNTIME &&
           runs_as(part->software, r->incident->process.name) > 0;
}

static bool is_own(const struct ranking *r, const struct od_software_used *stack)
{
    const struct od_software *python = od_software_find(OD_VIEW("cpython"));
    for (size_t i = 0; i < stack->n; i++)
        if (stack->parts[i].software == python)
            return true;
    return r->incident && r->incident->frame;
}

/* The program whose rules match the message; or, if all its marks in the failure are those of a
 * library on which it is built, the library, because other programs print the same lines. */
static const struct od_software *printed_by(const struct ranking *r)
{
    const struct od_software *producer = od_software_find(r->incident->producer);
    const struct od_software *library = NULL;
    OD_FOR_EACH (const struct od_software_part, part, r->parts) {
        if (part->software == producer)
            return producer;
        if (producer && part->near > 0 && part->software->sort == OD_SORT_LIBRARY &&
            od_software_stands_on(producer, part->software))
            library = part->software;
    }
    return library ? library : producer;
}

struct od_software_used od_software_of_failure(const struct od_case *c,
                                               const struct od_incident *incident,
                                               const struct od_account *account,
                                               struct od_prov start, struct od_arena *arena)
{
    struct ranking r = {
        .c = c, .incident = incident, .start = start, .own = own_command(c, incident)};
    struct od_software_used stack = {.nothing = true};
    add_signs(&r, account);
    if (r.incident) {
        stack.printed_by = printed_by(&r);
        if (stack.printed_by)
            add(&r, stack.printed_by, producer_weight, true,
                r.incident->evidence.n > 0 ? &r.incident->evidence.items[0] : NULL);
        add_who_held(&r, account);
        add_allowed(&r, account);
    }
    if (r.parts.n > 1)
        qsort(r.parts.items, r.parts.n, sizeof *r.parts.items, by_weight);
    struct od_software_part *parts = OD_NEW_N(arena, r.parts.n + 1, struct od_software_part);
    for (size_t i = 0; i < r.parts.n; i++)
        if (r.parts.items[i].weight >= least && !is_interpreter_of_unit(&r, &r.parts.items[i]))
            parts[stack.n++] = r.parts.items[i];
    od_vec_done(&r.parts);
    stack.parts = parts;
    stack.driver = choose(&r, &stack, true, in_its_lines);
    stack.own = is_own(&r, &stack);
    /* the title of a thread need not be near the failure's lines */
    if (!stack.driver && !(r.incident && r.incident->frame && !r.incident->titled))
        stack.driver = choose(&r, &stack, false, in_its_attempt);
    if (!stack.driver && !stack.own)
        stack.driver = choose(&r, &stack, false, least);
    /* a launcher of the user's script takes no device memory */
    if (stack.driver && stack.driver->sort == OD_SORT_ORCHESTRATOR && stack.own && r.incident &&
        !od_incident_kind_is_host(r.incident->kind))
        stack.driver = NULL;
    for (size_t i = 0; i < stack.n; i++)
        stack.nothing = stack.nothing && od_software_surrounds(stack.parts[i].software);
    return stack;
}

bool od_software_used_has(const struct od_software_used *stack, const struct od_software *software)
{
    for (size_t i = 0; software && i < stack->n; i++)
        if (od_software_stands_on(stack->parts[i].software, software))
            return true;
    return false;
}

bool od_software_used_has_named(const struct od_software_used *stack, const char *name)
{
    return od_software_used_has(stack, od_software_find(od_view_of(name)));
}

const struct od_software_part *od_software_used_place(const struct od_software_used *stack)
{
    for (size_t k = 0; od_place_words[k]; k++)
        OD_FOR_EACH_OF (const struct od_software_part, part, stack->parts, stack->n)
            if (part->software->place && strcmp(part->software->place, od_place_words[k]) == 0)
                return part;
    return NULL;
}

/* Does the program have a setting for the memory of its children? */
static bool grants(const struct od_software *software)
{
    bool runs = od_software_surrounds(software) || software->sort == OD_SORT_ORCHESTRATOR;
    const struct od_knob *knob = od_software_knob(software, "container_memory");
    knob = knob ? knob : od_software_knob(software, "job_memory");
    return runs && knob && knob->less == OD_LESS_HIGHER;
}

const struct od_software *od_software_used_surroundings(const struct od_software_used *stack)
{
    const struct od_software *best = NULL;
    for (size_t i = 0; i < stack->n; i++) {
        const struct od_software *software = stack->parts[i].software;
        bool above = best && software != best && od_software_stands_on(software, best);
        if (grants(software) && (!best || above))
            best = software;
    }
    return best;
}

const struct od_software *od_software_used_arrays(const struct od_software_used *stack)
{
    static const char *const platforms[] = {"cuda", "rocm", NULL};
    bool language = stack->driver && stack->driver->sort == OD_SORT_RUNTIME;
    for (size_t i = 0; i < stack->n && (!stack->driver || language); i++) {
        const struct od_software_part *part = &stack->parts[i];
        if (part->near <= 0 || part->software->sort != OD_SORT_ARRAY)
            continue;
        for (size_t k = 0; platforms[k]; k++)
            if (od_software_stands_on(part->software, od_software_find(od_view_of(platforms[k]))))
                return part->software;
    }
    return NULL;
}

bool od_software_used_arrays_alone(const struct od_software_used *stack)
{
    bool alone = od_software_used_arrays(stack) != NULL;
    for (size_t i = 0; i < stack->n; i++)
        alone = alone && stack->parts[i].software->sort != OD_SORT_LIBRARY;
    return alone;
}

bool od_software_used_is_its_error(const struct od_software_part *part)
{
    /* weight of two of its own marks in the failure's lines */
    static const double its_own_error = 12;
    return part->near >= its_own_error &&
           od_software_stands_on(part->software, od_software_find(OD_VIEW("cpython")));
}

/* Is the line about this program or no program? "python 3.9, torch 1.10" is about two. */
static bool is_about(const struct od_case *c, const struct od_evidence *said,
                     const struct od_software *software)
{
    bool any = false;
    OD_FOR_EACH (const struct od_seen, seen, c->seen) {
        if (!seen->sign->software || seen->said.at.source != said->at.source ||
            seen->said.at.line != said->at.line)
            continue;
        any = any || !od_software_surrounds(seen->sign->software);
        if (seen->sign->software == software)
            return true;
    }
    return !any && software->sort != OD_SORT_RUNTIME;
}

struct od_view od_software_used_version(const struct od_case *c,
                                        const struct od_software_used *stack,
                                        const struct od_software *software)
{
    if (!od_software_used_has(stack, software))
        return (struct od_view){0};
    for (size_t i = c->settings.n; i-- > 0;) {
        const struct od_setting *setting = &c->settings.items[i];
        if (setting->id == OD_SETTING_FRAMEWORK_VERSION && is_about(c, &setting->said, software))
            return setting->value;
    }
    for (size_t i = c->seen.n; i-- > 0;)
        if (c->seen.items[i].sign->software == software && c->seen.items[i].value.n > 0)
            return c->seen.items[i].value;
    return (struct od_view){0};
}
