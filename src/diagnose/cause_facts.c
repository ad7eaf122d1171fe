/* Facts for the rules of causes (section of that name in rules/facts.def). */
#include "diagnose/shares.h"
#include "diagnose/taker.h"
#include "failure/level.h"
#include "failure/remarks.h"

static const struct od_evidence *first_line(const struct od_incident *incident)
{
    return incident && incident->evidence.n > 0 ? &incident->evidence.items[0] : NULL;
}

static void take_message(const struct taker *t)
{
    const struct od_incident *inc = t->incident;
    struct od_bytes left = inc->free.known ? inc->free : inc->limit;
    const struct od_memory_state *lacks = od_case_find_state(t->c, "KV cache missing");
    struct od_bytes missing = lacks ? lacks->requested : (struct od_bytes){0};
    if (od_incident_kind_is_host(inc->kind))
        take_amount(t, OD_FACT_CAPACITY, inc->capacity, OD_SCOPE_MACHINE);
    else if (inc->capacity.known)
        take_bytes(t, OD_FACT_CAPACITY, inc->capacity);
    else if (inc->kind == OD_INC_KV_CACHE_TOO_SMALL && !t->failure->capacity.known)
        take_bytes(t, OD_FACT_CAPACITY,
                   t->failure->rated); /* capacity of the card that the text names */
    take_bytes(t, OD_FACT_CACHE_MISSING, missing);
    take_bytes(t, OD_FACT_MISSING,
               inc->requested.known ? od_bytes_sub(inc->requested, left) : missing);
    struct od_bytes victim = t->failure->account.victim.bytes;
    take_bytes(t, OD_FACT_PROCESS_RSS, victim.known ? victim : od_take_last_rss(t->c, inc));
}

/* --- the plan of a compiler --- */

static const double scratch_share =
    0.25; /* share of the limit; tensors of a correct model are smaller */

static const struct od_evidence *compiler_line(const struct taker *t)
{
    OD_FOR_EACH (const struct od_incident, incident, t->c->incidents) {
        bool plan = incident->kind == OD_INC_DEVICE_COMPILE_OOM && /* counted by this program */
                    incident->at.line <= t->incident->at.line;
        OD_FOR_EACH (const struct od_evidence, evidence, incident->evidence)
            if (plan || od_means(evidence->means, OD_SAID_COMPILER))
                return evidence;
    }
    return NULL;
}

/* The compiler's table counts scratch memory of the requested size. */
static const struct od_evidence *scratch_line(const struct taker *t)
{
    OD_FOR_EACH (const struct od_memory_state, state, t->c->states) {
        bool temp = od_view_eq_str(state->name, "temp") && od_view_eq_str(state->producer, "jax");
        if (temp && t->failure->need.known &&
            od_bytes_same(t->failure->need, state->in_use) != OD_NO)
            return &state->said;
    }
    return NULL;
}

static void take_compiler(const struct taker *t)
{
    const struct od_incident *inc = t->incident;
    struct od_bytes room = inc->limit.known ? inc->limit : inc->capacity;
    take_bytes(t, OD_FACT_PLAN_ROOM, room);
    take_line(t, OD_FACT_PROGRAM_SCRATCH, scratch_line(t));
    if (od_view_eq_str(inc->producer, "jax") && !inc->tensor.shape.known &&
        od_failure_need_share(t->failure) >= scratch_share)
        take_truth(t, OD_FACT_PROGRAM_SCRATCH, true);
}

/* --- the cache of a server --- */

static const char *setting_text(const struct taker *t, enum od_setting_id id)
{
    struct od_view value = od_case_setting(t->c, id);
    return value.n > 0 ? od_arena_str(t->context->arena, value) : NULL;
}

static void take_cache(const struct taker *t)
{
    const struct od_incident *inc = t->incident;
    const struct od_software *driver = t->failure->stack.driver;
    struct od_bytes left = inc->free.known ? inc->free : inc->limit;
    bool named = od_means(od_meanings_of(OD_SUBJECT_SAID, inc->tensor.op, (struct od_view){0}),
                          OD_SAID_CACHE);
    bool makes =
        od_incident_calls(inc, OD_FRAME_KV_CACHE) &&
        !(driver &&
          driver->sort ==
              OD_SORT_TRAINER); /* a trainer that shares the device with its inference engine */
    struct od_bytes weights = od_failure_buffers(t->c, inc, "model buffer");
    if (!left.known)
        left = od_bytes_sub(t->failure->free_at_start, weights);
    take_bytes(t, OD_FACT_CACHE_LEFT, left);
    const struct od_memory_state *model = od_case_find_state(t->c, "model");
    const struct od_memory_state *cache = od_case_find_state(t->c, "KV self size");
    const struct od_memory_state *share = od_case_find_state(t->c, "share of a server");
    take_bytes(t, OD_FACT_WEIGHTS, model ? model->in_use : weights);
    take_bytes(t, OD_FACT_CACHE_SIZE,
               cache ? cache->in_use : od_failure_buffers(t->c, inc, "KV buffer"));
    take_bytes(t, OD_FACT_SERVER_SHARE_SIZE, share ? share->limit : (struct od_bytes){0});
    take_truth(t, OD_FACT_CACHE_WANTED, named || makes || od_incident_says(inc, OD_SAID_CACHE));
}

/* --- who holds the machine's memory --- */

enum { SERVICE_PROCESSES = 3 };

/* Sets the fact if programs with other names hold half of the group's limit, and clearly more than
 * all processes with the failed process's name. Several processes with one name are workers. */
static void take_group(const struct taker *t)
{
    static const double worth = 0.1, half = 0.5; /* of the limit */
    static const double more = 1.5;              /* times the bytes of the failed process */
    const struct od_account *account = &t->failure->account;
    const struct od_held *first = NULL;
    double own = od_held_bytes(&account->victim), others = 0;
    double limit = (double)account->limit.bytes.lo;
    OD_FOR_EACH_OF (const struct od_held, held, account->holdings, account->n) {
        double bytes = od_held_bytes(held);
        if (held->kind != OD_HELD_PROCESSES || held->name.n == 0)
            continue;
        if (od_view_eq(held->name, account->victim.name))
            own += bytes;
        else if (held->count.n < SERVICE_PROCESSES && bytes >= worth * limit) {
            others += bytes;
            first = first ? first : held;
        }
    }
    if (!(own > 0) || !(limit > 0) || others < half * limit || others < more * own)
        return;
    take_text(t, OD_FACT_GROUP_HOLDER,
              od_arena_printf(t->context->arena, "%.*s%s", (int)first->name.n, first->name.p,
                              od_held_bytes(first) < others ? " and others" : ""));
    take_bytes(t, OD_FACT_GROUP_HELD, od_bytes_exact((uint64_t)others));
}

/* From oom_badness() in mm/oom_kill.c: the memory of the process plus some thousandths of all
 * memory. */
static double badness(const struct od_account *account, const struct od_held *held)
{
    double all = (double)account->limit.bytes.n;
    if (account->scope == OD_SCOPE_MACHINE)
        all += (double)account->swap.n;
    return od_held_bytes(held) / (double)(held->count.n > 0 ? held->count.n : 1) +
           held->score_adj / 1000 * all;
}

/* Other facts of the kernel's report: swap, why this process was killed, who requested memory. */
static const char *besides(const struct taker *t)
{
    enum { EXEMPT = -1000 };
    const struct od_account *account = &t->failure->account;
    const struct od_held *victim = &account->victim, *most = od_account_largest(account);
    struct od_arena *arena = t->context->arena;
    struct od_view trigger = t->incident->trigger;
    const char *text = "";
    if (od_account_swap_is_full(account))
        text = od_arena_printf(arena, "; swap was full, too (%s)",
                               od_bytes_text(arena, account->swap));
    else if (account->scope == OD_SCOPE_MACHINE && account->swap.known && account->swap.n == 0)
        text = "; there is no swap";
    if (most && most->score_adj <= EXEMPT)
        text = od_arena_printf(arena, "%s; the kernel may not kill %.*s (oom_score_adj %.0f)", text,
                               (int)most->name.n, most->name.p, most->score_adj);
    else if (most && victim->score_adj > 0 && badness(account, victim) > badness(account, most))
        text = od_arena_printf(arena, "%s; oom_score_adj %.0f made it the first to be killed", text,
                               victim->score_adj);
    if (trigger.n > 0 && victim->name.n > 0 && !od_view_eq(trigger, victim->name))
        text = od_arena_printf(arena, "%s; the request came from %.*s", text, (int)trigger.n,
                               trigger.p);
    return text;
}

static void take_machine(const struct taker *t)
{
    /* Shares for the kill of the largest process. The kernel lists no others but the largest
     * ones. */
    static const double little = 0.2, much = 0.4;
    const struct od_account *account = &t->failure->account;
    struct od_arena *arena = t->context->arena;
    struct od_bytes victim = account->victim.bytes, ram = t->incident->capacity;
    if (!od_incident_kind_is_host(t->incident->kind) || t->incident->kind == OD_INC_SHM_EXHAUSTED)
        return;
    bool known = ram.n > 0 && victim.known;
    double all = (double)ram.n + (double)t->incident->swap.n;
    double others = od_account_processes(account);
    take_truth(t, OD_FACT_VICTIM_SMALL,
               known && (double)victim.n <= little * all && others >= 2 * (double)victim.n &&
                   !(t->failure->alike.failed != OD_ALIKE_OTHERS &&
                     2 * (t->failure->alike.bytes - (double)victim.n) >= others));
    take_truth(t, OD_FACT_OTHERS_HOLD_MOST, known && others >= much * all);
    take_text(t, OD_FACT_HELD_BY, od_account_words(arena, account));
    take_text(t, OD_FACT_BESIDES, besides(t));
    take_text(t, OD_FACT_GUARD_MEASURED, od_arena_str(arena, t->incident->measured));
    take_text(t, OD_FACT_GUARD_THRESHOLD, od_arena_str(arena, t->incident->threshold));
    take_group(t);
}

/* --- kills and other errors --- */

static const struct od_evidence *denial(const struct od_case *c)
{
    const struct od_evidence *line = NULL;
    if (!od_view_eq_str(od_case_setting(c, OD_SETTING_OOM_KILLED), "false"))
        return NULL;
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (setting->id == OD_SETTING_OOM_KILLED)
            line = &setting->said;
    return line;
}

static void take_kill(const struct taker *t)
{
    const struct od_incident *kill = od_failure_find(t->c, OD_INC_UNEXPLAINED_KILL);
    if (!kill)
        kill = od_failure_find(t->c, OD_INC_WORKER_KILLED);
    if (t->context->diagnosis->failure->run.outcome != OD_OUTCOME_UNKNOWN || !kill ||
        kill->echo_of != 0)
        return;
    struct od_host_level level = od_host_level_near(t->c, &kill->at);
    bool room = !level.later && level.share >= 0 && level.share <= OD_HOST_HALF_FREE;
    take_truth(t, OD_FACT_KILL_UNEXPLAINED, true);
    t->facts->said[OD_FACT_KILL_UNEXPLAINED] = first_line(kill);
    take_line(t, OD_FACT_KILL_DENIED, denial(t->c));
    take_line(t, OD_FACT_KILL_WITH_ROOM, room ? copy_line(t, level.said) : NULL);
    take_amount(t, OD_FACT_FREE_BEFORE, level.free, OD_SCOPE_MACHINE);
}

/* The line that decided how the run ended, if an event of the run has it. */
static const struct od_evidence *ending_line(const struct taker *t)
{
    const struct od_prov *at = &t->context->diagnosis->failure->run.at;
    OD_FOR_EACH (const struct od_run_event, moment, t->c->run_events) {
        bool ends = moment->kind == OD_EV_EXCEPTION || moment->kind == OD_EV_CRASH ||
                    moment->kind == OD_EV_RUN_ENDED;
        if (ends && moment->said.at.source == at->source && moment->last.line == at->line)
            return &moment->said;
    }
    return NULL;
}

/* The run's exceptions that report a lack of memory without its kind or size. */
static void take_exceptions(const struct taker *t)
{
    const struct od_verdict_of_run *run = &t->context->diagnosis->failure->run;
    struct od_evidence *lines = OD_NEW_N(t->context->arena, t->c->run_events.n, struct od_evidence);
    size_t n = 0;
    bool alone = run->outcome == OD_OUTCOME_MEMORY_FAILURE && !run->ended && !run->reported &&
                 t->c->incidents.n == 0;
    OD_FOR_EACH (const struct od_run_event, moment, t->c->run_events)
        if (moment->kind == OD_EV_EXCEPTION)
            lines[n++] = moment->said;
    take_truth(t, OD_FACT_EXCEPTION_ALONE, alone);
    t->facts->said[OD_FACT_EXCEPTION_ALONE] = n > 0 ? lines : NULL;
    t->facts->nsaid[OD_FACT_EXCEPTION_ALONE] = n;
}

/* What df shows of the file system with the path in the error. */
static const char *disk_words(const struct taker *t, const struct od_evidence *error)
{
    const struct od_memory_state *disk = error ? od_case_disk_of(t->c, error->text) : NULL;
    return !disk ? NULL
                 : od_arena_printf(t->context->arena, "; %.*s had %s free of %s", (int)disk->op.n,
                                   disk->op.p, od_bytes_text(t->context->arena, disk->free),
                                   od_bytes_text(t->context->arena, disk->limit));
}

static void take_other_error(const struct taker *t)
{
    bool lacked = false, killed = false;
    OD_FOR_EACH (const struct od_incident, incident, t->c->incidents) {
        bool kill =
            incident->kind == OD_INC_UNEXPLAINED_KILL || incident->kind == OD_INC_WORKER_KILLED;
        killed = killed || kill;
        lacked = lacked || (!kill && incident->kind != OD_INC_SOFT_WARNING);
    }
    take_truth(t, OD_FACT_EMPTY_REQUEST, t->context->diagnosis->failure->run.asked_for_nothing);
    take_truth(t, OD_FACT_LACKED_BEFORE, lacked);
    take_truth(t, OD_FACT_KILLED_BEFORE, killed);
    take_line(t, OD_FACT_ENDING_ERROR, ending_line(t));
    take_text(t, OD_FACT_DISK, disk_words(t, ending_line(t)));
}

/* --- complaints of a run that went on --- */

static void take_complaints(const struct taker *t)
{
    uint64_t hard = 0, soft = 0;
    bool machine = true;
    OD_FOR_EACH (const struct od_incident, incident, t->c->incidents) {
        uint64_t *count = incident->kind == OD_INC_SOFT_WARNING ? &soft : &hard;
        if (ckd_add(count, *count, incident->count > 0 ? incident->count : 1))
            *count = UINT64_MAX;
        machine = machine && od_view_eq_str(incident->device, "CPU");
    }
    take_count(t, OD_FACT_COMPLAINTS, od_count_of(hard + soft));
    take_count(t, OD_FACT_WARNINGS, od_count_of(soft));
    take_text(t, OD_FACT_OTHER_WARNINGS, soft == 0 ? NULL : soft == 1 ? "a warning" : "warnings");
    take_truth(t, OD_FACT_MACHINE_ALONE, machine);
}

/* Forgets the sizes when the numbers contradict each other. The requested size does not depend on
 * others and stays. */
static void forget_sizes(struct od_fact_value *values)
{
    for (size_t i = 0; i < OD_FACT_END; i++)
        if (i != OD_FACT_ASKED && od_facts[i].type == OD_FACT_IS_BYTES)
            values[i] = (struct od_fact_value){0};
}

static void take_rows(const struct taker *t)
{
    const struct od_failure *failure = t->failure;
    const struct od_incident *inc = t->incident;
#define OD_TAKEN_MESSAGE
#include "diagnose/taken.def"
}

void od_cause_facts_of(const struct od_diagnosis_context *context, struct od_cause_facts *ret_facts)
{
    const struct od_failure *failure = context->diagnosis->failure;
    struct taker taker = {.context = context,
                          .c = context->c,
                          .failure = failure,
                          .incident = failure->incident,
                          .facts = ret_facts};
    ret_facts->profile = *failure->profile;
    take_kill(&taker);
    take_other_error(&taker);
    take_exceptions(&taker);
    take_complaints(&taker);
    od_take_driver(&taker);
    if (!context->failure)
        return;
    take_rows(&taker);
    take_message(&taker);
    take_compiler(&taker);
    take_cache(&taker);
    take_machine(&taker);
    od_take_device(&taker);
    od_take_host(&taker); /* uses limits that only the program's own settings show, too */
    od_take_batch(&taker);
    od_take_growth(&taker);
    if (failure->account.conflict)
        forget_sizes(ret_facts->profile.values);
}
