#include "advise/ways.h"

#include "advise/in_place.h"
#include "advise/knob.h"
#include "advise/proposal.h"
#include "advise/remedy.h"
#include "advise/room.h"
#include "advise/slots.h"
#include "advise/standing.h"
#include "failure/found.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

/* --- programs and groups --- */

static bool is_other_maker(const struct od_software_used *stack)
{
    static const char *const makers[] = {"intel-xpu", "ascend-npu", "apple-mps", "tpu"};
    bool other = false;
    for (size_t i = 0; i < OD_COUNT_OF(makers); i++)
        other = other || od_software_used_has_named(stack, makers[i]);
    return other;
}

/* The row of a group in the advice on settings; NULL for the name of a program. */
static const struct od_advice_kind *group_of(const struct od_advice *const *advice,
                                             const char *framework)
{
    const struct od_advice *settings = od_advice_find(advice, OD_ADVICE_OF_KNOBS);
    for (size_t i = 0; i < settings->ngroups; i++)
        if (strcmp(settings->groups[i].name, framework) == 0)
            return &settings->groups[i];
    return NULL;
}

static bool is_group(const struct od_advise_question *question, const char *framework)
{
    return strcmp(framework, "any") == 0 || od_is_among(framework, od_sample_words) ||
           group_of(question->advice, framework);
}

/* Is it built on another framework than the one whose error was printed, without a line in the
 * failure? */
static bool is_other_framework(const struct od_software_used *stack,
                               const struct od_software *software)
{
    bool other = false;
    OD_FOR_EACH_OF (const struct od_software_part, part, stack->parts, stack->n) {
        if (part->software == software && part->near > 0)
            return false;
        other = other || (part->near > 0 && part->software->sort == OD_SORT_LIBRARY &&
                          !od_software_stands_on(software, part->software) &&
                          !od_software_stands_on(part->software, software));
    }
    return other;
}

bool od_ways_apply(const struct od_advise_question *question, const char *framework)
{
    const struct od_failure *failure = question->diagnosis->failure;
    const struct od_software_used *stack = &failure->stack;
    const struct od_advice_kind *group = group_of(question->advice, framework);
    if (group)
        return od_when_holds(&group->when, od_profile_ask, failure->profile) == OD_YES;
    if (is_group(question, framework))
        return strcmp(framework, "any") == 0 || od_is_called(failure->works_on, framework);
    const struct od_software *software = od_software_find(od_view_of(framework));
    bool within = software->within && od_software_used_has_named(stack, software->within) &&
                  od_is_older(question, software, software->since) != OD_YES;
    if (!within && !od_software_used_has(stack, software))
        return false;
    return software->sort != OD_SORT_LIBRARY ||
           (!is_other_framework(stack, software) &&
            (!stack->driver || stack->driver->sort == OD_SORT_TRAINER));
}

const char *od_ways_title(const struct od_advice *const *advice, const char *framework)
{
    const struct od_software *software = od_software_find(od_view_of(framework));
    const struct od_advice_kind *group = group_of(advice, framework);
    return group && group->title ? group->title : software && !group ? software->title : "";
}

const char *od_ways_of_versions(const char *framework)
{
    const struct od_software *software = od_software_find(od_view_of(framework));
    return software && software->within ? software->within : framework;
}

/* Weight of two marks of its own, or of one in the failure. */
static const double sure_of_an_addon = 5;

struct making {
    const struct od_advise_question *q;
    struct od_remedy *remedy;
    struct od_arena *arena;
    struct od_how_values values;
    struct od_remedy_how *how; /* array of OD_WAYS_MAX */
    size_t n;
    const char *const *knobs; /* of the remedy, those that have something to give */
    bool splits;              /* a smaller batch in parts, which keep the effective batch size */
    bool other;    /* the driver has the setting for another part of it than the one that failed */
    bool of_place; /* the step is not the program's setting but a request to the place in which
                      it ran */
};

/* Share of a limit or container for one program; what else runs needs the rest. */
static const double most_of_room = 0.75;

/* How many workers fit the limit, each as large as the one that was killed, if that is fewer than
 * half of them, which is tried first: they still grow. */
static struct od_count workers_that_fit(const struct making *m)
{
    const struct od_fact_value *values = m->q->diagnosis->profile->values;
    uint64_t each = values[OD_FACT_WORKER_EACH].number.n, all = values[OD_FACT_WORKERS].number.n,
             limit = m->q->diagnosis->failure->account.limit.bytes.n;
    uint64_t fit = each > 0 ? (uint64_t)(most_of_room * (double)limit) / each : 0;
    return fit > 0 && fit < all / 2 ? od_count_of(fit) : (struct od_count){0};
}

/* parts: the setting counts parts, and no size. */
static struct od_count target_of(const struct making *m, const char *knob, bool parts)
{
    static const char batch[] = "batch";
    static const struct {
        const char *knob, *slot;
    } targets[] = {
        {"batch", batch},         {"micro_batch", batch},       {"eval_batch", batch},
        {"workers", "fewer"},     {"max_sequences", "fewer"},   {"accumulation", "accumulation"},
        {"shared_memory", "shm"}, {"context_length", "tokens"},
    };
    const struct od_account *account = &m->q->diagnosis->failure->account;
    const struct od_set_amount *allowed = &account->allowed;
    struct od_count target = {0};
    if (allowed->knob && allowed->knob->copies && strcmp(allowed->knob->name, knob) == 0)
        return od_count_of((uint64_t)(most_of_room * (double)account->limit.bytes.n) /
                           allowed->size->bytes.n);
    for (size_t i = 0; i < OD_COUNT_OF(targets); i++)
        if (strcmp(targets[i].knob, knob) == 0 && !(parts && targets[i].slot == batch))
            target = od_slots_value(&m->values, od_view_of(targets[i].slot), false);
    bool counted = m->q->host && m->q->host->most.known; /* from the table of the kernel */
    struct od_count fit = strcmp(knob, "workers") == 0 && !counted ? workers_that_fit(m) : target;
    return fit.known ? fit : target;
}

static struct od_proposal proposal_of(const struct making *m, const struct od_software *owner)
{
    return (struct od_proposal){
        .q = m->q, .finding = m->remedy->finding, .remedy = m->remedy->advice, .owner = owner};
}

/* The required versions, if the log does not show the version. */
static const char *versions_of(const struct making *m, const struct od_when *when,
                               enum od_tri meets, const char *title)
{
    return meets == OD_YES ? NULL : od_when_versions(when, title, m->arena);
}

/* The bytes that a raised limit needs: what the log shows that the run needs, most of the container
 * for a limit inside of it, or what a large request adds. */
static void set_bytes(const struct making *m, struct od_turn *wanted)
{
    static const double besides = 1.2;
    const struct od_finding *finding = m->remedy->finding;
    double request = od_slots_bytes(finding, "request_bytes");
    double limit = od_slots_bytes(finding, "limit_bytes");
    if (limit <= 0) /* what is in use at a limit is about as much */
        limit = od_slots_bytes(finding, "in_use_bytes");
    bool group = finding->cause == OD_CAUSE_GROUP_LIMIT;
    double needs = group ? od_slots_needs(finding) : 0;
    struct od_bytes container = od_room_of_container(m->q);
    double inside = most_of_room * (double)container.n;
    wanted->reached = limit;
    wanted->bytes = needs > limit      ? needs
                    : inside > limit   ? inside
                    : request >= limit ? besides * (limit + request)
                                       : 0;
    wanted->most = inside;
}

/* Adds a step that changes the setting. False if it cannot go further. */
static bool turn(struct making *m, const struct od_software *software, const char *name)
{
    const struct od_knob *knob = od_software_knob(software, name);
    if (!knob || m->n == OD_WAYS_MAX || (knob->less == OD_LESS_NONE && !m->remedy->advice->more))
        return true;
    const struct od_proposal proposal = proposal_of(m, software);
    enum od_tri meets = od_proposal_meets(&proposal, &knob->when);
    bool other = !od_proposal_is_for(&proposal, od_view_of(od_knob_name(knob)));
    m->other = m->other || (other && software == m->q->diagnosis->failure->stack.driver);
    if (meets == OD_NO || other ||
        (!m->remedy->advice->more && !od_proposal_knob_relieves(&proposal, knob)))
        return true;
    struct od_turn wanted = {
        .software = software,
        .knob = knob,
        .more = m->remedy->advice->more,
        .share = od_room_for_request(m->q, name),
        .target =
            target_of(m, name, knob->less == OD_LESS_HIGHER || !od_knob_counts_samples(knob))};
    set_bytes(m, &wanted);
    bool goes = od_knob_turn(m->q, &wanted, m->arena, &m->how[m->n]);
    if (goes && !m->how[m->n].edit.from) /* values shown in the log are available */
        m->how[m->n].needs = versions_of(m, &knob->when, meets, software->title);
    m->n += goes;
    return goes;
}

static const struct od_software_used *stack_of(const struct making *m)
{
    return &m->q->diagnosis->failure->stack;
}

/* Changes the setting of a program below the driver if the log shows that one and not the driver's
 * own: "-Xmx4g" of a tool that runs on Java. */
static bool turn_shown_below(struct making *m, const char *name)
{
    const struct od_software *driver = stack_of(m)->driver;
    for (size_t i = 0; od_shipped_software[i]; i++) {
        const struct od_software *below = od_shipped_software[i];
        size_t before = m->n;
        if (below == driver || !od_software_knob(below, name) ||
            !od_software_stands_on(driver, below))
            continue;
        if (turn(m, below, name) && m->n > before && m->how[before].edit.from)
            return true;
        m->n = before;
    }
    return false;
}

/* Platforms of the failed device, its array library, and trainers on top of a framework are
 * configured from outside: by a variable, a flag, a call or a configuration file. */
static bool is_set_from_outside(const struct making *m, const struct od_software_part *part,
                                const char *name)
{
    const struct od_knob *knob = od_software_knob(part->software, name);
    const struct od_advice_remedy *advice = m->remedy->advice;
    enum od_sort sort = part->software->sort;
    if (sort == OD_SORT_PLATFORM && od_remedy_is_for(advice, "platform"))
        return true;
    if (part->software == od_software_used_arrays(stack_of(m)) && od_remedy_is_for(advice, "array"))
        return true;
    if (od_software_used_is_its_error(part) && (knob->set || knob->code))
        return true;
    return part->software->over && part->weight >= sure_of_an_addon &&
           od_remedy_is_for(advice, "library") && (knob->key || knob->flag);
}

/* The advice has words of its own for some places. */
static bool is_worded(const struct od_advice_remedy *advice, const struct od_software *place)
{
    for (size_t i = 0; i < advice->nhow; i++)
        if (strcmp(advice->how[i].framework, place->name) == 0)
            return true;
    return false;
}

/* The programs whose settings a remedy may change, in the order in which they are tried. */
enum licence {
    OF_ADVISOR, /* the program whose developers recommend it */
    OF_PLACES,  /* where the program runs */
    OF_DRIVER,  /* the program that the user drives */
    OF_PASSED,  /* those that the driver passes settings to: not a server in it, whose command line
                   belongs to another program */
    OF_SEEN,    /* a script's libraries and platforms, by their lines in the log */
    LICENCES
};

/* Is it where programs run? */
static bool is_a_place(const struct od_software *software)
{
    static const unsigned places =
        1u << OD_SORT_PLATFORM | 1u << OD_SORT_ORCHESTRATOR | 1u << OD_SORT_SCHEDULER;
    return (places >> software->sort & 1) != 0;
}

static bool is_given(const struct making *m, enum licence licence)
{
    const struct od_software_used *stack = stack_of(m);
    bool advised = m->remedy->by && m->remedy->by != stack->driver;
    if (licence == OF_ADVISOR || advised)
        return licence == OF_ADVISOR && advised;
    if (licence == OF_PLACES || m->of_place)
        return licence == OF_PLACES && m->of_place;
    if (licence == OF_SEEN)
        return m->n == 0 &&
               (!stack->driver || is_a_place(stack->driver) || od_software_used_arrays(stack));
    return stack->driver && m->n == 0 && (!m->other || licence == OF_DRIVER);
}

static bool is_owner(const struct making *m, enum licence licence, const struct od_software *of)
{
    static const unsigned passed = 1u << OD_SORT_TRAINER | 1u << OD_SORT_RUNTIME;
    const struct od_software *driver = stack_of(m)->driver;
    switch (licence) {
    case OF_ADVISOR:
        return of == m->remedy->by;
    case OF_PLACES:
        return is_a_place(of);
    case OF_DRIVER:
        return of == driver;
    case OF_PASSED:
        return (passed >> of->sort & 1) != 0 && of != driver && od_software_stands_on(driver, of);
    case OF_SEEN:
    case LICENCES:
        break;
    }
    return true;
}

/* A setting with a value that the log shows may always be turned, another one of some. False if the
 * setting cannot go further. */
static bool turn_by(struct making *m, enum licence licence, const struct od_software_part *part,
                    const char *knob)
{
    const struct od_software *driver = stack_of(m)->driver;
    size_t before = m->n;
    if (licence == OF_DRIVER && turn_shown_below(m, knob))
        return true;
    bool goes = turn(m, part->software, knob);
    /* a language's way to read in chunks is for its scripts */
    bool open = (licence == OF_PASSED && strcmp(knob, "chunk") == 0) ||
                (licence == OF_PLACES && is_worded(m->remedy->advice, part->software)) ||
                (licence == OF_SEEN && m->n > before &&
                 ((driver && is_a_place(driver)) || !is_set_from_outside(m, part, knob)));
    if (open && m->n > before && !m->how[before].edit.from)
        m->n = before;
    return goes;
}

static void turn_all_of(struct making *m, enum licence licence, const struct od_software_part *part)
{
    static const char split[] = "micro_batch";
    const char *const *knobs = m->knobs;
    if (m->splits)
        (void)turn_by(m, licence, part, split);
    bool goes = true; /* false once a setting is at its limit: none of the others is then raised */
    for (; *knobs && (goes || !m->remedy->advice->more); knobs++)
        if (!(m->splits && strcmp(*knobs, split) == 0))
            goes = turn_by(m, licence, part, *knobs);
}

static void turn_licensed(struct making *m)
{
    const struct od_software_used *stack = stack_of(m);
    for (enum licence licence = OF_ADVISOR; licence < LICENCES; licence++)
        for (size_t i = 0; i < stack->n && is_given(m, licence); i++)
            if (is_owner(m, licence, stack->parts[i].software))
                turn_all_of(m, licence, &stack->parts[i]);
}

/* Does a server's own setting have its number? A server is started by a command, so what it printed
 * of the setting is no line to edit. */
static bool has_own_number(const struct making *m)
{
    const struct od_software *driver = m->q->diagnosis->failure->stack.driver;
    return driver && driver->sort == OD_SORT_SERVER && m->n > 0 && m->how[0].to;
}

/* Is the setting printed after the failure although one of the same name precedes it? It belongs to
 * a later run then. */
static bool is_of_later_run(const struct od_advise_question *q, const struct od_setting *setting)
{
    const struct od_incident *failure = q->diagnosis->failure->run.ended;
    OD_FOR_EACH (const struct od_incident, incident, q->c->incidents)
        if (od_prov_cmp(&incident->last, &setting->said.at) > 0)
            return false;
    return failure && od_case_setting_at(q->c, setting->id, &failure->last).p != setting->value.p;
}

/* The user's own names for knobs, in scripts and configurations. */
struct user_setting {
    const char *knob;
    enum od_setting_id setting;
};
static const struct user_setting user_settings[] = {
#define OD_USER_SETTING(knob, setting) {#knob, OD_SETTING_##setting},
#include "advise/user_settings.def"
};

/* "the image size" for image_size */
static struct od_view in_words(struct od_view name, struct od_arena *arena)
{
    char *words = od_arena_printf(arena, "the %.*s", (int)name.n, name.p);
    for (char *p = words; *p; p++)
        *p = *p == '_' ? ' ' : *p;
    return od_view_of(words);
}

/* The step that edits that setting's line. False if it is not to be changed, or has no number to
 * replace. */
static bool edit_of(struct making *m, const struct user_setting *name,
                    const struct od_setting *setting, struct od_remedy_how *ret_how)
{
    const struct od_advise_question *q = m->q;
    struct od_count target = target_of(m, name->knob, false);
    uint64_t now;
    struct od_view value = setting->value;
    const struct od_proposal proposal = proposal_of(m, NULL);
    bool others = name->setting == OD_SETTING_JOBS && od_remedy_is_about(m->remedy->advice, "data");
    if (others || setting->id != name->setting || !od_num_take_u64(&value, &now) || now < 2 ||
        is_of_later_run(q, setting) || has_own_number(m) ||
        !od_proposal_is_for(&proposal, setting->name) ||
        (m->values.batch.n >= now && /* it can stay as it is */
         strcmp(name->knob, m->remedy->advice->knobs[0]) == 0))
        return false;
    uint64_t to = target.known
                      ? target.n
                      : od_room_shorten(q, name->knob, now, od_room_for_request(q, name->knob));
    bool known = target.known ? to < now : to > 0;
    *ret_how = (struct od_remedy_how){.framework = "any", .title = "", .turned = true};
    const struct od_setting_number number = od_setting_number_read(setting->value);
    struct od_standing_change change = {.name = name->knob,
                                        .now = &number,
                                        .known = true,
                                        .to = known ? od_arena_printf(m->arena, "%" PRIu64, to)
                                                    : NULL};
    if (!od_standing_obey(q, &change, m->arena))
        return false;
    const struct od_renumber new = {setting->name, setting->value, change.to};
    if (!od_edit_number(&setting->said, &new, m->arena, &ret_how->edit))
        return false;
    ret_how->to = new.to;
    ret_how->setting = ret_how->edit.name;
    if (ret_how->edit.name.p == setting->name.p && memchr(setting->name.p, '_', setting->name.n))
        ret_how->edit.name = in_words(setting->name, m->arena);
    ret_how->text = new.to ? od_arena_printf(m->arena, "From %" PRIu64 " to %s.", now, new.to)
                           : od_arena_printf(m->arena, "%s.",
                                             od_edit_say(&ret_how->edit, "Lower", NULL, m->arena));
    ret_how->worked = change.worked;
    /* the key of a dictionary */
    bool quoted = ret_how->edit.paste && strpbrk(ret_how->edit.paste, "'\"");
    ret_how->edit.paste = quoted ? NULL : ret_how->edit.paste;
    ret_how->code = ret_how->edit.paste;
    return true;
}

/* Edits the latest line with that setting, or an earlier one with the same value that shows how it
 * was set and not only what the program printed of it. */
static void turn_setting(struct making *m, const struct user_setting *name)
{
    const struct od_case *c = m->q->c;
    const struct od_setting *edited = NULL;
    bool pasted = false;
    for (size_t s = c->settings.n; s-- > 0 && !pasted;) {
        const struct od_setting *setting = &c->settings.items[s];
        struct od_remedy_how how;
        if ((edited && !od_view_eq(setting->value, edited->value)) ||
            !edit_of(m, name, setting, &how))
            continue;
        pasted = how.code != NULL;
        if (edited && !pasted)
            continue;
        m->how[m->n] = how;
        edited = setting;
    }
    m->n += edited != NULL;
}

/* Changes the user's own flag or key, as in "--dataset_batchsize 16". */
static void turn_the_users(struct making *m)
{
    size_t turned = m->n;
    for (size_t k = 0; m->knobs[k] && m->n == turned; k++)
        for (size_t i = 0; i < OD_COUNT_OF(user_settings) && m->n == turned; i++)
            if (strcmp(user_settings[i].knob, m->knobs[k]) == 0)
                turn_setting(m, &user_settings[i]);
}

static bool applies(const struct making *m, const struct od_advice_how *how, const char **ret_needs)
{
    const struct od_advise_question *q = m->q;
    const struct od_proposal proposal =
        proposal_of(m, od_software_find(od_view_of(how->framework)));
    enum od_tri meets = od_proposal_meets(&proposal, &how->when);
    const char *title = od_ways_title(q->advice, od_ways_of_versions(how->framework));
    *ret_needs = versions_of(m, &how->when, meets, title);
    if (meets == OD_NO || (meets == OD_CANNOT_TELL && !*ret_needs) ||
        !od_ways_apply(q, how->framework))
        return false;
    return !(how->code && is_other_maker(stack_of(m)) &&
             od_means(od_label_means(od_view_of(how->code)), OD_LABEL_CUDA));
}

/* Does the log show Python: a script, or a library that scripts use? */
static bool runs_python(const struct od_software_used *stack)
{
    for (size_t i = 0; i < stack->n; i++) {
        enum od_sort sort = stack->parts[i].software->sort;
        if (sort == OD_SORT_LIBRARY || sort == OD_SORT_TRAINER)
            return true;
    }
    return stack->own;
}

/* May the compiler's error come from another framework? One sentence of XLA is printed by
 * TensorFlow and JAX alike. */
static bool is_of_shared_compiler(const struct od_failure *failure)
{
    return failure->incident && failure->incident->kind == OD_INC_DEVICE_COMPILE_OOM &&
           !failure->stack.own;
}

/* Does the log show what the run was for? */
static bool is_known_work(const struct od_advise_question *q)
{
    const struct od_use *use = &q->diagnosis->failure->use;
    return use->trains || use->infers || (q->answer && q->answer->batch.known);
}

/* The lines of code to show. Code for a library is left out if a program of the
 * catalogue runs it, because the user changes that program's settings and not its source. */
static const char *code_to_show(const struct making *m, const struct od_advice_how *how)
{
    const struct od_software *software = od_software_find(od_view_of(how->framework));
    const struct od_software_used *stack = &m->q->diagnosis->failure->stack;
    const char *code = od_how_code(how, &m->values, m->arena);
    if (!software || software->sort != OD_SORT_LIBRARY)
        return code;
    if (how->trains && !is_known_work(m->q))
        return NULL;
    return stack->driver || is_of_shared_compiler(m->q->diagnosis->failure) ? NULL : code;
}

/* Are there already words for the run's own kind of samples, so that general words are not
 * needed? */
static bool is_said_of_samples(const struct making *m, const char *framework)
{
    return strcmp(framework, "any") == 0 && m->n > 0 &&
           od_is_among(m->how[m->n - 1].framework, od_sample_words);
}

/* Rows begin with the form of today. Is the step of another release than code above it of the same
 * library, or may it be, where other code fits for sure? */
static bool is_superseded(const struct making *m, const struct od_advice_how *how,
                          const char *needs)
{
    const char *base = od_ways_of_versions(how->framework), *its;
    OD_FOR_EACH_OF (const struct od_advice_how, other, m->remedy->advice->how,
                    m->remedy->advice->nhow) {
        bool same = strcmp(other->framework, how->framework) == 0,
             related = strcmp(od_ways_of_versions(other->framework), base) == 0;
        if (how->code && other->code && !is_group(m->q, other->framework) &&
            (other < how || !related) && applies(m, other, &its) &&
            ((needs && !its) || (same && (its || needs))))
            return true;
    }
    return false;
}

static void add_told(struct making *m)
{
    const struct od_advice_remedy *advice = m->remedy->advice;
    const struct od_software_used *stack = stack_of(m);
    if (m->remedy->on)
        return;
    /* a limit of the process is set by the script that calls a trainer, not by the trainer */
    bool users = advice->knobs && strcmp(advice->knobs[0], "memory_fraction") == 0;
    /* the program's own settings need no other words, and its user cannot change the library */
    bool settled = stack->driver && !m->of_place && advice->knobs && !users;
    for (size_t i = 0; i < advice->nhow && m->n < OD_WAYS_MAX; i++) {
        const struct od_advice_how *how = &advice->how[i];
        const char *needs;
        /* a program of the catalogue that has no setting of this kind */
        bool lacks = advice->knobs && strcmp(how->framework, "program") == 0;
        bool general = is_group(m->q, how->framework) && !lacks;
        const char *code = code_to_show(m, how);
        bool pointless = code && *code == '\0';
        if ((settled && !general) || pointless || is_said_of_samples(m, how->framework) ||
            !applies(m, how, &needs) || is_superseded(m, how, needs))
            continue;
        m->how[m->n++] = (struct od_remedy_how){
            .framework = how->framework,
            .title = od_ways_title(m->q->advice, how->framework),
            .needs = needs,
            .text = od_how_text(how, &m->values, m->arena),
            .source = how->source,
            .code = code,
            .to = code ? od_how_number(how, &m->values, m->arena) : NULL,
            .worked = code && od_how_sets_place(how) ? m->values.enough_at : 0,
        };
    }
}

/* The installed package that made the request, if it is not in the catalogue. */
static struct od_view extension_of(const struct od_incident *failure)
{
    struct od_view package = failure ? od_incident_package(failure) : (struct od_view){0};
    bool known = od_software_find(package) || od_view_eq_str(package, "torch");
    return known ? (struct od_view){0} : package;
}

/* Does the error itself give the whole option, "--limit 2000"? */
static bool is_given_whole(const struct od_advice_remedy *advice)
{
    return od_remedy_is_about(advice, "named") && advice->nhow > 0 && advice->how[0].code;
}

/* The number of the failed job in the records of the scheduler that ended it: as the failure names
 * it, as a table of several jobs does, or as the log states it anywhere. */
static struct od_view job_of(const struct od_advise_question *question)
{
    const struct od_failure *failure = question->diagnosis->failure;
    const struct od_enforcer *by = failure->account.enforcer;
    bool recorded = by && by->record != OD_SETTING_NONE;
    struct od_view group = {0}, rest;
    uint64_t number;
    if (failure->run.ended)
        group = od_incident_job(failure->run.ended);
    if (failure->run.ended && group.n == 0 && recorded)
        group = failure->run.ended->group;
    rest = group;
    enum od_setting_id id = recorded ? by->record : OD_SETTING_SLURM_JOB;
    if (od_num_take_u64(&rest, &number) && (rest.n == 0 || rest.p[0] == '_'))
        return group;
    if (failure->run.ended) /* of several jobs, the one that failed */
        group = od_case_setting_at(question->c, id, &failure->run.ended->last);
    return group.n > 0 ? group : od_case_setting(question->c, id);
}

/* "python train.py", from the outermost frame of a traceback: of the failure, or of any other. */
static struct od_view script_command(const struct od_case *c, const struct od_incident *failure,
                                     struct od_arena *arena)
{
    struct od_view script = {0};
    for (size_t i = 0; i <= c->incidents.n && script.n == 0; i++) {
        const struct od_incident *incident = i == 0 ? failure : &c->incidents.items[i - 1];
        if (incident && incident->nframes > 0 &&
            od_view_eq_str(incident->frames[0].function, "<module>"))
            script = incident->frames[0].file;
    }
    OD_FOR_EACH (const struct od_run_event, moment, c->run_events)
        if (script.n == 0)
            script = moment->script;
    return script.n > 0 ? od_view_of(od_arena_printf(arena, "python %.*s", (int)script.n, script.p))
                        : OD_VIEW("python YOUR_SCRIPT");
}

/* What the text states of the limit of the place. */
static void take_place(const struct od_advise_question *q, struct od_how_values *values)
{
    static const char *const limits[] = {"container_memory", "job_memory"};
    double limit = od_slots_bytes(values->finding, "limit_bytes");
    for (size_t i = 0; i < OD_COUNT_OF(limits); i++) {
        const struct od_bounds bounds = od_remedy_bounds(q, limits[i]);
        const struct od_bound_value *enough = &bounds.least[OD_BOUND_WORKED];
        values->most = fmax(values->most, bounds.least[OD_BOUND_MOST].n);
        values->failed = fmax(values->failed, bounds.most[OD_BOUND_FAILED].n);
        if (enough->n > fmax(limit, values->failed)) {
            values->enough = enough->n;
            values->enough_at = enough->line;
        }
    }
}

static struct od_how_values values_of(const struct od_advise_question *q,
                                      const struct od_remedy *remedy, struct od_arena *arena)
{
    const struct od_failure *failure = q->diagnosis->failure;
    const struct od_incident *ended = failure->run.ended;
    struct od_how_values values = od_answer_values(q->answer, remedy->finding);
    struct od_view same = od_case_setting(q->c, OD_SETTING_BATCH_SIZE);
    values.pid = od_found_holder(failure);
    values.free_device = od_found_free_device(q->c, ended);
    values.extension = extension_of(ended);
    values.command = od_slots_command(q->c, &failure->run.at);
    if (values.command.n == 0 && runs_python(&failure->stack))
        values.command = script_command(q->c, ended, arena);
    OD_FOR_EACH (const struct od_setting, setting, q->c->settings) {
        if (od_view_eq_str(setting->name, "loaded_from"))
            values.checkpoint = setting->value;
        if (od_view_eq_str(setting->name, "moved_to_disk"))
            values.moved = setting->value;
    }
    values.job = job_of(q);
    values.pod = od_case_setting(q->c, OD_SETTING_POD);
    values.lever = failure->account.enforcer ? failure->account.enforcer->lever : NULL;
    if (ended)
        values.unit = od_incident_unit(ended);
    values.same.known = od_num_take_u64(&same, &values.same.n);
    values.model = od_case_setting(q->c, OD_SETTING_MODEL);
    take_place(q, &values);
    if (q->host)
        values.workers = q->host->fewer;
    bool shm = q->host && q->host->shm_size.known;
    values.shm = od_count_of(shm ? q->host->shm_size.n >> 30 : 8); /* an example value */
    return values;
}

/* Moves the edit of a line to the front. */
static void put_edit_first(struct making *m)
{
    if (m->n < 2)
        return;
    struct od_remedy_how edit = m->how[m->n - 1], *first = m->how;
    if (edit.edit.from && (edit.edit.paste || !first->to)) {
        memmove(first + 1, first, (m->n - 1) * sizeof *first);
        *first = edit;
    }
}

size_t od_ways_of(const struct od_advise_question *question, struct od_remedy *remedy,
                  struct od_arena *arena, struct od_remedy_how ret_how[static OD_WAYS_MAX])
{
    const struct od_advice_remedy *advice = remedy->advice;
    struct making m = {.q = question,
                       .remedy = remedy,
                       .arena = arena,
                       .values = values_of(question, remedy, arena),
                       .of_place = od_remedy_is_about(advice, "place"),
                       .how = ret_how};
    const struct od_proposal proposal = proposal_of(&m, NULL);
    m.knobs = od_standing_left(&proposal, arena, &remedy->on);
    m.splits = od_is_among("batch", m.knobs) && od_is_among("micro_batch", m.knobs);
    if (advice->knobs && !is_given_whole(advice))
        turn_licensed(&m);
    const struct od_remedy made = {.how = m.how, .nhow = m.n};
    if (!od_remedy_is_shown(&made))
        turn_the_users(&m);
    put_edit_first(&m);
    add_told(&m);
    for (size_t i = 0; i < m.n; i++) {
        if (m.how[i].worked > 0)
            m.how[i].text =
                od_arena_printf(arena, "%s With %s it worked (line %" PRIu64 ").", m.how[i].text,
                                m.how[i].to ? "that" : "this limit", m.how[i].worked);
        od_put_in_place(question, arena, &m.how[i]);
    }
    return m.n;
}
