#include "scan/prove.h"

#include "base/code_line.h"
#include "base/map.h"
#include "rules/ruleset.h"
#include "rules/value.h"
#include "scan/filter.h"

#include <time.h>

/* A sample or near miss of rule `rule` in the packs. */
struct line {
    const struct od_sample *sample;
    size_t rule;
    bool is_near_miss;
};

struct proof {
    struct od_diags *diags;
    struct od_arena *scratch;
    struct od_ruleset *set;
    OD_VEC(struct line) lines;
    struct od_proof *result;
    size_t first_new, first_line; /* earlier ones were proved before */
    bool quick;                   /* do not try rules on lines without their literals */
    bool failed;
};

/* Reports an error at line `at` of the rule's pack. */
static void say(struct proof *proof, size_t rule, unsigned at, struct od_diag diag)
{
    proof->failed = true;
    diag.severity = OD_ERROR;
    diag.file = od_ruleset_pack(proof->set, rule)->file;
    diag.line = at;
    od_diags_add(proof->diags, &diag);
}

static const char *id_of(const struct proof *proof, size_t rule)
{
    return od_ruleset_rule(proof->set, rule)->id;
}

/* Names a rule: "tf.oom.tensor (rules/tensorflow.yaml:5)". */
static const char *whole_name(const struct proof *proof, size_t rule)
{
    return od_arena_printf(proof->scratch, "%s (%s:%u)", id_of(proof, rule),
                           od_ruleset_pack(proof->set, rule)->file,
                           od_ruleset_rule(proof->set, rule)->at);
}

static struct od_view text_of(const struct line *line)
{
    return od_view_of(line->sample->line);
}

static void collect_lines(struct proof *proof)
{
    for (size_t i = 0; i < od_ruleset_count(proof->set); i++) {
        const struct od_rule *rule = od_ruleset_rule(proof->set, i);
        proof->first_line = i <= proof->first_new ? proof->lines.n : proof->first_line;
        for (size_t j = 0; j < rule->nsamples; j++)
            od_vec_push(&proof->lines, ((struct line){&rule->samples[j], i, false}));
        for (size_t j = 0; j < rule->nnear_misses; j++)
            od_vec_push(&proof->lines, ((struct line){&rule->near_misses[j], i, true}));
        proof->result->rules++;
        proof->result->samples += rule->nsamples;
        proof->result->near_misses += rule->nnear_misses;
        if (rule->nsamples == 0)
            say(proof, i, rule->at,
                (struct od_diag){.code = "R0201", .message = "the rule has no sample"});
    }
}

static void prove_ids(struct proof *proof)
{
    struct od_map ids = {0};
    for (size_t i = 0; i < od_ruleset_count(proof->set); i++) {
        uint64_t *first = od_map_at(&ids, od_view_of(id_of(proof, i)));
        if (*first == 0) {
            *first = i + 1;
            continue;
        }
        const char *message =
            od_arena_printf(proof->scratch, "the id is taken by %s", whole_name(proof, *first - 1));
        say(proof, i, od_ruleset_rule(proof->set, i)->at,
            (struct od_diag){.code = "R0202", .message = message});
    }
    od_map_done(&ids);
}

static bool is_measured(enum od_event_kind kind)
{
    return kind == OD_EV_SAMPLE || kind == OD_EV_PROGRESS;
}

/* Do the events of both rules have a size, duration or share of the same name? One line would then
 * give two points of one series. */
static bool measure_the_same(const struct proof *proof, size_t rule, const struct line *line)
{
    const struct od_line text = {.text = text_of(line)};
    struct od_event a, b;
    if (!od_ruleset_apply(proof->set, rule, &text, &a) ||
        !od_ruleset_apply(proof->set, line->rule, &text, &b))
        return false;
    for (size_t i = 0; i < a.nfields; i++) {
        enum od_field_type type = od_field_type(a.fields[i].field);
        if ((type == OD_T_BYTES || type == OD_T_NUMBER) && od_event_get(&b, a.fields[i].field))
            return true;
    }
    return false;
}

/* May both rules match the line? A line may have several settings, remarks and measurements; two
 * other events of one kind would be the same fact twice. */
static bool may_both_match(const struct proof *proof, size_t rule, const struct line *line)
{
    const struct od_rule *other = od_ruleset_rule(proof->set, rule);
    const struct od_rule *owner = od_ruleset_rule(proof->set, line->rule);
    if (is_measured(other->means) && is_measured(owner->means) && !line->is_near_miss &&
        (other->means == OD_EV_SAMPLE || owner->means == OD_EV_SAMPLE))
        return !measure_the_same(proof, rule, line);
    /* a fallback rule yields to the other rule */
    bool after = other->fallback && (!owner->fallback || rule > line->rule);
    if (owner->begins || other->begins) /* a block takes its lines, or is the last one of a log */
        return true;
    bool before = owner->fallback && od_event_kind_is_trouble(other->means);
    if (line->is_near_miss || other->means == OD_EV_SETTING || other->means == OD_EV_REMARK ||
        after)
        return true;
    return other->means != owner->means && !before;
}

/* Is the line source code, from which the scan takes no failure? */
static bool is_never_heard(const struct proof *proof, const struct line *line)
{
    return !line->is_near_miss &&
           od_event_kind_is_trouble(od_ruleset_rule(proof->set, line->rule)->means) &&
           od_is_code_line(text_of(line));
}

/* Checks a rule on a line of the packs. A result without a message means that it is correct. */
static struct od_diag verdict(struct proof *proof, size_t rule, const struct line *line)
{
    struct od_view text = text_of(line);
    bool literal = od_ruleset_has_literal(proof->set, rule, text);
    bool matches = od_ruleset_matches(proof->set, rule, text);
    struct od_diag diag = {.snippet = line->sample->line};
    bool own = line->rule == rule;
    const char *id = id_of(proof, rule);
    if (own && line->is_near_miss && literal && matches) {
        diag.code = "R0206";
        diag.message = od_arena_printf(proof->scratch, "rule '%s' matches its near miss", id);
    } else if (matches && !literal) {
        diag.code = "R0205";
        diag.message = od_arena_printf(
            proof->scratch, "rule %s matches this line, which holds none of its literals",
            whole_name(proof, rule));
        diag.help = "repeat a literal in the pattern, or name another one";
    } else if (own && !line->is_near_miss && !matches) {
        diag.code = "R0203";
        diag.message = od_arena_printf(proof->scratch, "rule '%s' does not match its sample", id);
    } else if (own && is_never_heard(proof, line)) {
        diag.code = "R0211";
        diag.message = od_arena_printf(
            proof->scratch, "rule '%s' reads this sample as trouble, but it is a line of a program",
            id);
        diag.help = "programs that are pasted say what they would print, not what was printed";
    } else if (!own && matches && !may_both_match(proof, rule, line)) {
        diag.code = "R0204";
        diag.message = od_arena_printf(
            proof->scratch,
            "this sample of '%s' is matched by %s as well, of the same kind or before it",
            id_of(proof, line->rule), whole_name(proof, rule));
    }
    return diag;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool is_tried(const struct proof *proof, size_t rule, const struct line *line)
{
    return !proof->quick || rule == line->rule ||
           od_ruleset_rule(proof->set, rule)->nliterals == 0 ||
           od_ruleset_has_literal(proof->set, rule, text_of(line));
}

/* Tries a rule on the lines. Reports one error for each rule that owns lines. */
static void prove_matches(struct proof *proof, size_t rule)
{
    size_t last_told = SIZE_MAX;
    if (!proof->quick) /* compiles the pattern before the clock starts */
        (void)od_ruleset_matches(proof->set, rule, (struct od_view){0});
    uint64_t started = now_ns();
    for (size_t i = rule < proof->first_new ? proof->first_line : 0; i < proof->lines.n; i++) {
        const struct line *line = &proof->lines.items[i];
        struct od_diag diag = {0};
        if (is_tried(proof, rule, line))
            diag = verdict(proof, rule, line);
        if (!diag.code || (line->rule == last_told && line->rule != rule))
            continue;
        last_told = line->rule;
        say(proof, line->rule, line->sample->at, diag);
    }
    proof->result->rule_ns[rule] = now_ns() - started;
}

static void prove_value(struct proof *proof, const struct line *line,
                        const struct od_rule_text *stated, const struct od_event *event)
{
    struct od_shape room;
    struct od_value_text text = {
        .field = stated->field, .text = od_view_of(stated->text), .room = &room};
    text.base = od_ruleset_rule(proof->set, line->rule)->unit_base;
    text.bare = od_view_of(od_ruleset_rule(proof->set, line->rule)->bare);
    struct od_field_value wanted;
    const struct od_field_value *given = od_event_get(event, stated->field);
    if (od_value_parse(&text, &wanted) && given && od_value_same(&wanted, given))
        return;
    struct od_buf buf = {0};
    const char *quote = given && od_field_type(given->field) == OD_T_TEXT ? "'" : "";
    od_buf_printf(&buf, "rule '%s' gives %s: %s", event->rule, od_field_name(stated->field), quote);
    if (given)
        od_value_print(given, &buf);
    else
        od_buf_add_str(&buf, "nothing");
    od_buf_printf(&buf, "%s, and not '%s'", quote, stated->text);
    say(proof, line->rule, line->sample->at,
        (struct od_diag){
            .code = "R0207", .message = od_buf_str(&buf), .snippet = line->sample->line});
    od_buf_done(&buf);
}

static void prove_values(struct proof *proof, const struct line *line)
{
    const struct od_sample *sample = line->sample;
    struct od_line logged = {.text = text_of(line)};
    struct od_event event = {.kind = OD_EV_NONE};
    uint64_t lost = od_ruleset_lost_captures(proof->set);
    if (!od_ruleset_apply(proof->set, line->rule, &logged, &event))
        return; /* prove_matches reports this problem */
    for (size_t i = 0; i < sample->ngives; i++)
        prove_value(proof, line, &sample->gives[i], &event);
    if (od_ruleset_lost_captures(proof->set) != lost)
        say(proof, line->rule, sample->at,
            (struct od_diag){.code = "R0208",
                             .message = "a capture is not of its field's type here",
                             .snippet = sample->line});
}

/* Bit set of the rules whose literals the filter found in a line. */
struct found {
    const struct od_ruleset *set;
    const size_t *rule_of; /* index of the rule of each literal */
    struct od_view text;
    bool *rules;
};

static void note_hit(void *self, struct od_filter_hit hit)
{
    struct found *found = self;
    size_t rule = found->rule_of[hit.literal];
    if (!od_ruleset_rule(found->set, rule)->numbered || od_num_follows(found->text, hit.end))
        found->rules[rule] = true;
}

/* Checks that the filter finds the same as a plain search. */
static void compare_filter(struct proof *proof, struct od_filter *filter, struct found *found)
{
    size_t n = od_ruleset_count(proof->set);
    OD_FOR_EACH (const struct line, line, proof->lines) {
        memset(found->rules, 0, n);
        found->text = text_of(line);
        od_filter_scan(filter, found->text, note_hit, found);
        for (size_t j = 0; j < n; j++) {
            bool has = od_ruleset_rule(proof->set, j)->nliterals > 0 &&
                       od_ruleset_has_literal(proof->set, j, text_of(line));
            if (has != found->rules[j])
                say(proof, line->rule, line->sample->at,
                    (struct od_diag){.code = "R0209",
                                     .message = "the prefilter is wrong about this line",
                                     .snippet = line->sample->line});
        }
    }
}

static void prove_filter(struct proof *proof)
{
    OD_VEC(struct od_view) literals = {0};
    OD_VEC(size_t) rule_of = {0};
    size_t n = od_ruleset_count(proof->set);
    for (size_t i = 0; i < n; i++) {
        const struct od_rule *rule = od_ruleset_rule(proof->set, i);
        for (size_t j = 0; j < rule->nliterals; j++) {
            od_vec_push(&literals, od_view_of(rule->literals[j]));
            od_vec_push(&rule_of, i);
        }
    }
    struct found found = {.set = proof->set,
                          .rule_of = rule_of.items,
                          .rules = OD_NEW_N(proof->scratch, n + 1, bool)};
    struct od_filter *filter = od_filter_new(literals.items, literals.n);
    compare_filter(proof, filter, &found);
    od_filter_free(filter);
    od_vec_done(&literals);
    od_vec_done(&rule_of);
}

static void prove_limits(struct proof *proof)
{
    for (size_t i = 0; i < od_ruleset_count(proof->set); i++)
        if (od_ruleset_limit_hits(proof->set, i) > 0)
            say(proof, i, od_ruleset_rule(proof->set, i)->at,
                (struct od_diag){.code = "R0210",
                                 .message = "the pattern gave up on a line of these packs: too "
                                            "much backtracking"});
}

/* Rejects a pattern without literals and fixed start, which would be tried at every byte. */
static void prove_starts(struct proof *proof)
{
    for (size_t i = proof->first_new; i < od_ruleset_count(proof->set); i++) {
        const struct od_rule *rule = od_ruleset_rule(proof->set, i);
        if (rule->nliterals == 0 && !od_ruleset_has_start(proof->set, i))
            say(proof, i, rule->at,
                (struct od_diag){.code = "R0212",
                                 .message = "the pattern can begin anywhere in any line",
                                 .help = "give it literals, a ^, or a first letter"});
    }
}

static void prove_all_values(struct proof *proof)
{
    OD_FOR_EACH (const struct line, line, proof->lines) {
        if (!line->is_near_miss && line->rule >= proof->first_new)
            prove_values(proof, line);
    }
}

static void prove_all(struct proof *proof)
{
    collect_lines(proof);
    prove_ids(proof);
    proof->result->rule_ns = od_mem_alloc(od_ruleset_count(proof->set) + 1, sizeof(uint64_t));
    for (size_t i = 0; i < od_ruleset_count(proof->set); i++)
        prove_matches(proof, i);
    prove_all_values(proof);
    if (!proof->quick)
        prove_filter(proof);
    prove_starts(proof);
    prove_limits(proof);
}

static struct proof begin(const struct od_pack *const *packs, size_t npacks, struct od_diags *diags,
                          struct od_proof *result)
{
    return (struct proof){.diags = diags,
                          .scratch = od_arena_new(),
                          .set = od_ruleset_new(packs, npacks),
                          .result = result};
}

static enum od_err end(struct proof *proof)
{
    od_vec_done(&proof->lines);
    od_ruleset_free(proof->set);
    od_arena_free(proof->scratch);
    return proof->failed ? OD_ERULE : OD_OK;
}

enum od_err od_prove(const struct od_pack *const *packs, size_t npacks, struct od_diags *diags,
                     struct od_proof *ret_proof)
{
    struct od_proof result = {0};
    struct proof proof = begin(packs, npacks, diags, &result);
    prove_all(&proof);
    if (ret_proof)
        *ret_proof = result;
    else
        od_mem_free(result.rule_ns);
    return end(&proof);
}

enum od_err od_prove_added(const struct od_pack *const *packs, size_t npacks, size_t nproved,
                           struct od_diags *diags)
{
    struct od_proof result = {0};
    struct proof proof = begin(packs, npacks, diags, &result);
    proof.quick = true;
    for (size_t i = 0; i < nproved; i++)
        proof.first_new += packs[i]->nrules;
    prove_all(&proof);
    od_mem_free(result.rule_ns);
    return end(&proof);
}
