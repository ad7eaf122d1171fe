#include "rules/ruleset.h"

#include "rules/regex.h"
#include "rules/value.h"

#include <string.h>

enum { EXCERPT_BYTES = 400 };

/* A named group that fills a field; unit_groups hold the unit of the same field. */
struct capture {
    enum od_field field;
    unsigned group;
    bool is_unit;
};

struct entry {
    const struct od_pack *pack;
    const struct od_rule *rule;
    bool compiled;
    struct od_regex *regex; /* NULL when it does not compile: such a rule never matches */
    struct capture *captures;
    size_t ncaptures;
    struct od_field_value *constants;
    size_t nconstants;
};

struct od_ruleset {
    struct od_arena *arena;
    struct od_regex_matcher *matcher;
    struct od_regex_options options;
    struct entry *entries;
    size_t n;
    uint64_t limit_hits;
    uint64_t lost_captures;
};

struct od_ruleset *od_ruleset_new(const struct od_pack *const *packs, size_t npacks)
{
    struct od_ruleset *set = od_mem_alloc(1, sizeof *set);
    set->arena = od_arena_new();
    set->matcher = od_regex_matcher_new();
    for (size_t i = 0; i < npacks; i++)
        set->n += packs[i]->nrules;
    set->entries = OD_NEW_N(set->arena, set->n + 1, struct entry);
    struct entry *entry = set->entries;
    for (size_t i = 0; i < npacks; i++) {
        for (size_t j = 0; j < packs[i]->nrules; j++)
            *entry++ = (struct entry){.pack = packs[i], .rule = &packs[i]->rules[j]};
    }
    return set;
}

void od_ruleset_free(struct od_ruleset *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->n; i++)
        od_regex_free(set->entries[i].regex);
    od_regex_matcher_free(set->matcher);
    od_arena_free(set->arena);
    od_mem_free(set);
}

void od_ruleset_no_jit(struct od_ruleset *set)
{
    set->options.no_jit = true;
}

size_t od_ruleset_count(const struct od_ruleset *set)
{
    return set->n;
}

const struct od_rule *od_ruleset_rule(const struct od_ruleset *set, size_t i)
{
    return set->entries[i].rule;
}

const struct od_pack *od_ruleset_pack(const struct od_ruleset *set, size_t i)
{
    return set->entries[i].pack;
}

uint64_t od_ruleset_limit_hits(const struct od_ruleset *set)
{
    return set->limit_hits;
}

uint64_t od_ruleset_lost_captures(const struct od_ruleset *set)
{
    return set->lost_captures;
}

static void find_captures(struct od_ruleset *set, struct entry *entry)
{
    size_t n = od_regex_names(entry->regex);
    entry->captures = OD_NEW_N(set->arena, n + 1, struct capture);
    for (size_t i = 0; i < n; i++) {
        struct od_regex_name name = od_regex_name(entry->regex, i);
        struct od_view word = od_view_of(name.name);
        bool is_unit = od_view_ends(word, OD_VIEW("_unit"));
        if (is_unit)
            word.n -= strlen("_unit");
        enum od_field field = od_field_find(word);
        if (field != OD_F_NONE)
            entry->captures[entry->ncaptures++] =
                (struct capture){.field = field, .group = name.group, .is_unit = is_unit};
    }
}

static void add_constant(struct entry *entry, enum od_field field, const char *text)
{
    struct od_value_text from = {.field = field,
                                 .text = od_view_of(text),
                                 .bare = od_view_of(entry->rule->bare),
                                 .base = entry->rule->unit_base};
    if (od_value_parse(&from, &entry->constants[entry->nconstants]))
        entry->nconstants++;
}

static void compile(struct od_ruleset *set, struct entry *entry)
{
    const struct od_rule *rule = entry->rule;
    entry->compiled = true;
    entry->regex = od_regex_new(rule->pattern, &set->options, NULL);
    if (!entry->regex)
        return;
    find_captures(set, entry);
    entry->constants = OD_NEW_N(set->arena, rule->nset + 1, struct od_field_value);
    add_constant(entry, OD_F_PRODUCER, entry->pack->producer);
    for (size_t i = 0; i < rule->nset; i++)
        add_constant(entry, rule->set[i].field, rule->set[i].text);
}

bool od_ruleset_matches(struct od_ruleset *set, size_t i, struct od_view text)
{
    struct entry *entry = &set->entries[i];
    if (!entry->compiled)
        compile(set, entry);
    if (!entry->regex)
        return false;
    enum od_regex_result result = od_regex_match(entry->regex, set->matcher, text);
    if (result == OD_REGEX_LIMIT)
        set->limit_hits++;
    return result == OD_REGEX_YES;
}

bool od_ruleset_has_literal(const struct od_ruleset *set, size_t i, struct od_view text)
{
    const struct od_rule *rule = set->entries[i].rule;
    for (size_t j = 0; j < rule->nliterals; j++) {
        if (od_view_has(text, od_view_of(rule->literals[j])))
            return true;
    }
    return rule->nliterals == 0;
}

static struct od_view unit_of(const struct od_ruleset *set, const struct entry *entry,
                              enum od_field field, struct od_view text)
{
    struct od_view unit = {0};
    for (size_t i = 0; i < entry->ncaptures; i++) {
        const struct capture *capture = &entry->captures[i];
        if (capture->is_unit && capture->field == field &&
            od_regex_group(set->matcher, text, capture->group, &unit))
            break;
    }
    return unit;
}

static void add_captures(struct od_ruleset *set, const struct entry *entry, struct od_view text,
                         struct od_event *event)
{
    for (size_t i = 0; i < entry->ncaptures; i++) {
        const struct capture *capture = &entry->captures[i];
        struct od_value_text from = {.field = capture->field,
                                     .bare = od_view_of(entry->rule->bare),
                                     .base = entry->rule->unit_base};
        if (capture->is_unit || !od_regex_group(set->matcher, text, capture->group, &from.text) ||
            from.text.n == 0)
            continue;
        from.unit = unit_of(set, entry, capture->field, text);
        struct od_field_value value;
        if (od_value_parse(&from, &value))
            od_event_set(event, &value);
        else
            set->lost_captures++;
    }
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The trimmed line; of a long one the part from the match on, code points kept whole. */
static struct od_view excerpt_of(struct od_view text, struct od_view match)
{
    struct od_view line = od_view_trim(text);
    if (line.n <= EXCERPT_BYTES)
        return line;
    size_t start = match.p > line.p ? (size_t)(match.p - line.p) : 0;
    size_t end = start + match.n;
    if (end <= EXCERPT_BYTES)
        start = 0;
    line = od_view_from(line, start);
    size_t n = line.n < EXCERPT_BYTES ? line.n : EXCERPT_BYTES;
    while (n < line.n && n > EXCERPT_BYTES - 4 && is_continuation(line.p[n]))
        n--;
    return od_view_head(line, n);
}

bool od_ruleset_apply(struct od_ruleset *set, size_t i, const struct od_line *line,
                      struct od_event *ret_event)
{
    return od_ruleset_has_literal(set, i, line->text) &&
           od_ruleset_apply_candidate(set, i, line, ret_event);
}

bool od_ruleset_apply_candidate(struct od_ruleset *set, size_t i, const struct od_line *line,
                                struct od_event *ret_event)
{
    if (!od_ruleset_matches(set, i, line->text))
        return false;
    const struct entry *entry = &set->entries[i];
    struct od_view match = {.p = line->text.p};
    (void)od_regex_group(set->matcher, line->text, 0, &match);
    ret_event->kind = entry->rule->means;
    ret_event->at = line->at;
    ret_event->line = line;
    ret_event->excerpt = excerpt_of(line->text, match);
    ret_event->rule = entry->rule->id;
    ret_event->dump = NULL;
    ret_event->nfields = 0;
    for (size_t j = 0; j < entry->nconstants; j++)
        od_event_set(ret_event, &entry->constants[j]);
    add_captures(set, entry, line->text, ret_event);
    return true;
}
