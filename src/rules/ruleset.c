#include "rules/ruleset.h"

#include "base/code_line.h"
#include "base/hypothetical.h"
#include "base/log_prefix.h"
#include "rules/regex.h"
#include "rules/value.h"

enum { PARTS_MAX = 16 };

/* A named group that is a field, or the unit of a field. */
struct capture {
    enum od_field field;
    unsigned group;
    bool is_unit;
    bool adds_in_use; /* <field>_beside: the value is the number plus the memory in use */
    size_t unit;      /* index + 1 of the capture with the unit; 0 = none */
};

struct entry {
    const struct od_pack *pack;
    const struct od_rule *rule;
    bool compiled;
    bool blind;             /* the pattern does not distinguish digits */
    uint64_t limit_hits;    /* number of lines on which matching was given up */
    struct od_regex *regex; /* NULL = not compiled yet, or invalid: then the rule never matches */
    struct od_regex *begins, *rows; /* compiled on first use */
    struct od_regex *gate;          /* compiled on first use, shared by rules with the same gate */
    struct capture *captures;
    size_t ncaptures;
    struct od_view bare;
    struct od_field_value *constants;
    size_t nconstants;
};

/* A gate. Rules with the same text share it. */
struct gate {
    const char *text;
    struct od_regex *regex;
};

struct od_ruleset {
    struct od_arena *arena;
    struct od_regex_matcher *matcher;
    struct od_regex_options options;
    struct entry *entries;
    size_t n;
    OD_VEC(struct gate) gates;
    const struct od_lexicon *lexicon;
    const char *line; /* line to which the stored parts belong */
    struct od_buf squeezed;
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
    for (size_t i = 0; i < set->n; i++) {
        od_regex_free(set->entries[i].regex);
        od_regex_free(set->entries[i].begins);
        od_regex_free(set->entries[i].rows);
    }
    OD_FOR_EACH (const struct gate, gate, set->gates)
        od_regex_free(gate->regex);
    od_vec_done(&set->gates);
    od_regex_matcher_free(set->matcher);
    od_buf_done(&set->squeezed);
    od_arena_free(set->arena);
    od_mem_free(set);
}

void od_ruleset_set_lexicon(struct od_ruleset *set, const struct od_lexicon *lexicon)
{
    set->lexicon = lexicon;
}

const struct od_lexicon *od_ruleset_lexicon(const struct od_ruleset *set)
{
    return set->lexicon;
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

uint64_t od_ruleset_limit_hits(struct od_ruleset *set, size_t i)
{
    uint64_t hits = set->entries[i].limit_hits;
    set->entries[i].limit_hits = 0;
    return hits;
}

uint64_t od_ruleset_lost_captures(const struct od_ruleset *set)
{
    return set->lost_captures;
}

static void find_captures(struct od_ruleset *set, struct entry *entry)
{
    size_t n = od_regex_names(entry->regex);
    entry->captures = OD_NEW_N(set->arena, n + 1, struct capture);
    for (size_t i = 0; i < 2 * n; i++) { /* numbers to which the memory in use is added come last */
        struct od_regex_name name = od_regex_name(entry->regex, i % n);
        struct od_view word = od_view_of(name.name);
        bool is_unit = od_view_ends(word, OD_VIEW("_unit"));
        bool adds_in_use = od_view_ends(word, OD_VIEW("_beside"));
        word.n -= is_unit ? strlen("_unit") : adds_in_use ? strlen("_beside") : 0;
        enum od_field field = od_field_find(word);
        if (field != OD_F_NONE && adds_in_use == (i >= n))
            entry->captures[entry->ncaptures++] = (struct capture){.field = field,
                                                                   .group = name.group,
                                                                   .is_unit = is_unit,
                                                                   .adds_in_use = adds_in_use};
    }
    for (size_t i = 0; i < entry->ncaptures; i++)
        for (size_t j = entry->ncaptures; j-- > 0;)
            if (entry->captures[j].is_unit && entry->captures[j].field == entry->captures[i].field)
                entry->captures[i].unit = j + 1;
}

static void add_constant(struct od_ruleset *set, struct entry *entry, enum od_field field,
                         const char *text)
{
    struct od_value_text from = {
        .field = field,
        .text = od_view_of(text),
        .bare = entry->bare,
        .base = entry->rule->unit_base,
        .room = od_field_type(field) == OD_T_SHAPE ? OD_NEW(set->arena, struct od_shape) : NULL};
    entry->nconstants += od_value_parse(&from, &entry->constants[entry->nconstants]);
}

static void compile(struct od_ruleset *set, struct entry *entry)
{
    const struct od_rule *rule = entry->rule;
    entry->compiled = true;
    entry->regex = od_regex_new(rule->pattern, &set->options, NULL);
    if (!entry->regex)
        return;
    find_captures(set, entry);
    entry->blind = !od_pattern_tells_digits(rule->pattern) &&
                   !(rule->gate && od_pattern_tells_digits(rule->gate));
    entry->bare = od_view_of(rule->bare);
    entry->constants = OD_NEW_N(set->arena, rule->nset + 2, struct od_field_value);
    add_constant(set, entry, OD_F_PRODUCER, entry->pack->producer);
    for (size_t i = 0; i < rule->nset; i++)
        add_constant(set, entry, rule->set[i].field, rule->set[i].text);
}

/* Compiles another pattern of a rule on first use; NULL = the rule has none. */
static struct od_regex *part_of_rule(const struct od_ruleset *set, struct od_regex **part,
                                     const char *pattern)
{
    if (!*part && pattern)
        *part = od_regex_new(pattern, &set->options, NULL);
    return *part;
}

static struct od_regex *gate_of(struct od_ruleset *set, struct entry *entry)
{
    const char *text = entry->rule->gate;
    for (size_t i = 0; text && !entry->gate && i < set->gates.n; i++)
        if (strcmp(set->gates.items[i].text, text) == 0)
            entry->gate = set->gates.items[i].regex;
    if (text && !entry->gate) {
        entry->gate = od_regex_new(text, &set->options, NULL);
        od_vec_push(&set->gates, ((struct gate){text, entry->gate}));
    }
    return entry->gate;
}

void od_ruleset_compile(struct od_ruleset *set)
{
    for (size_t i = 0; i < set->n; i++) {
        struct entry *entry = &set->entries[i];
        if (!entry->compiled)
            compile(set, entry);
        struct od_regex *const patterns[] = {
            entry->regex, part_of_rule(set, &entry->begins, entry->rule->begins),
            part_of_rule(set, &entry->rows, entry->rule->rows), gate_of(set, entry)};
        for (size_t k = 0; k < OD_COUNT_OF(patterns); k++)
            if (patterns[k])
                od_regex_jit(patterns[k]);
    }
    set->options.no_jit = true; /* when memory for code is short, interprets later patterns */
}

bool od_ruleset_has_start(struct od_ruleset *set, size_t i)
{
    struct entry *entry = &set->entries[i];
    if (!entry->compiled)
        compile(set, entry);
    return !entry->regex || od_regex_has_start(entry->regex);
}

/* Is the text around the match hypothetical? The first capture is at the words of the error. */
static bool is_said_aside(const struct od_ruleset *set, const struct entry *entry,
                          struct od_view text)
{
    struct od_view words = {.p = text.p};
    for (size_t i = 0; i < entry->ncaptures; i++) {
        if (od_regex_group(set->matcher, text, entry->captures[i].group, &words))
            break;
    }
    return od_is_hypothetical(text, (size_t)(words.p - text.p));
}

static bool has_text_of(struct od_view text, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (od_view_has(text, od_view_of(list[i])))
            return true;
    return false;
}

static bool is_excluded(const struct od_rule *rule, struct od_view text)
{
    return has_text_of(text, rule->unless, rule->nunless) ||
           (rule->beside && !has_text_of(text, rule->beside, rule->nbeside));
}

/* The part of a line that a rule's pattern must match. */
static struct od_view searched(const struct entry *entry, struct od_view text)
{
    if (is_excluded(entry->rule, text) || (entry->rule->printed && od_begins_as_code(text)))
        return od_view_head(text, 0);
    return entry->rule->said ? od_log_message(text) : text;
}

static bool matches_part(const struct od_ruleset *set, struct od_regex **part, const char *pattern,
                         struct od_view text)
{
    struct od_regex *regex = part_of_rule(set, part, pattern);
    return regex && od_regex_match(regex, set->matcher, text, 0) == OD_REGEX_YES;
}

static enum od_regex_result try_match(struct od_ruleset *set, struct entry *entry,
                                      struct od_view text, size_t from)
{
    struct od_regex *gate = gate_of(set, entry);
    if (text.n == 0 || (gate && od_regex_match(gate, set->matcher, text, 0) != OD_REGEX_YES))
        return OD_REGEX_NO; /* the gate makes compiling most patterns unnecessary */
    if (!entry->compiled)
        compile(set, entry);
    if (!entry->regex)
        return OD_REGEX_NO;
    enum od_regex_result result = od_regex_match(entry->regex, set->matcher, text, from);
    if (result == OD_REGEX_YES && entry->rule->outright && is_said_aside(set, entry, text))
        return OD_REGEX_NO;
    return result;
}

static bool match(struct od_ruleset *set, struct entry *entry, struct od_view text, size_t from)
{
    enum od_regex_result result = try_match(set, entry, text, from);
    entry->limit_hits += result == OD_REGEX_LIMIT;
    return result == OD_REGEX_YES;
}

bool od_ruleset_begins(struct od_ruleset *set, size_t i, struct od_view text, size_t *ret_at)
{
    struct entry *entry = &set->entries[i];
    struct od_view words = {.p = text.p};
    bool begins =
        entry->rule->begins && matches_part(set, &entry->begins, entry->rule->begins, text);
    if (begins && ret_at) {
        (void)od_regex_group(set->matcher, text, 0, &words);
        *ret_at = (size_t)(words.p - text.p);
    }
    return begins;
}

bool od_ruleset_goes_on(struct od_ruleset *set, size_t i, struct od_view above, struct od_view text)
{
    if (set->entries[i].rule->squeezed) {
        set->squeezed.n = 0;
        od_buf_add(&set->squeezed, above);
        od_buf_add_char(&set->squeezed, '\n');
        od_buf_add(&set->squeezed, text);
        text = od_buf_view(&set->squeezed);
    }
    return matches_part(set, &set->entries[i].rows, set->entries[i].rule->rows, text);
}

struct od_view od_ruleset_block_text(struct od_ruleset *set, size_t i, struct od_view text)
{
    struct od_view rest = text, row = {0};
    size_t at = 0;
    if (!set->entries[i].rule->squeezed)
        return text;
    set->squeezed.n = 0;
    (void)od_view_cut(&rest, '\n', &row);
    (void)od_ruleset_begins(set, i, row, &at);
    od_buf_add(&set->squeezed, od_view_head(row, at));
    row = od_view_from(row, at);
    for (;;) {
        for (size_t k = 0; k < row.n; k++)
            if (!od_is_space(row.p[k]))
                od_buf_add_char(&set->squeezed, row.p[k]);
        if (!od_view_cut(&rest, '\n', &row))
            return od_buf_view(&set->squeezed);
        while (row.n > 0 && strchr(" \t#>|*", row.p[0])) /* marks of a quotation */
            row = od_view_from(row, 1);
    }
}

bool od_ruleset_matches(struct od_ruleset *set, size_t i, struct od_view text)
{
    struct entry *entry = &set->entries[i];
    struct od_view rest = text, line, above;
    if (!entry->rule->begins)
        return match(set, entry, searched(entry, text), 0);
    bool good = od_view_cut(&rest, '\n', &line) &&
                matches_part(set, &entry->begins, entry->rule->begins, line);
    while (good && (above = line, od_view_cut(&rest, '\n', &line)))
        good = od_ruleset_goes_on(set, i, above, line);
    return good && match(set, entry, searched(entry, od_ruleset_block_text(set, i, text)), 0);
}

enum od_trace_reason od_ruleset_explain(struct od_ruleset *set, size_t i, struct od_view text)
{
    struct entry *entry = &set->entries[i];
    const struct od_rule *rule = entry->rule;
    if (is_excluded(rule, text))
        return OD_NOT_UNLESS;
    if (rule->printed && od_begins_as_code(text))
        return OD_NOT_CODE;
    text = rule->said ? od_log_message(text) : text;
    if (rule->begins)
        return od_ruleset_begins(set, i, text, NULL) ? OD_NOT_END : OD_NOT_MATCHED;
    enum od_regex_result result = try_match(set, entry, text, 0);
    if (result == OD_REGEX_LIMIT)
        return OD_NOT_LIMITED;
    if (result == OD_REGEX_YES)
        return OD_NOT_END;
    bool matches =
        entry->regex && od_regex_match(entry->regex, set->matcher, text, 0) == OD_REGEX_YES;
    return matches ? OD_NOT_OUTRIGHT : OD_NOT_MATCHED;
}

static bool has_literal(const struct od_rule *rule, struct od_view literal, struct od_view text)
{
    size_t at = od_view_find(text, literal, 0);
    while (at != OD_VIEW_NONE && rule->numbered && !od_num_follows(text, at + literal.n))
        at = od_view_find(text, literal, at + 1);
    return at != OD_VIEW_NONE;
}

bool od_ruleset_has_literal(const struct od_ruleset *set, size_t i, struct od_view text)
{
    const struct od_rule *rule = set->entries[i].rule;
    for (size_t j = 0; j < rule->nliterals; j++) {
        if (has_literal(rule, od_view_of(rule->literals[j]), text))
            return true;
    }
    return rule->nliterals == 0;
}

/* ---- fields of events ---- */

/* The unit from the group that took part in the match, of several with the same name. */
static struct od_view unit_of(const struct od_ruleset *set, const struct entry *entry,
                              const struct capture *of, struct od_view text)
{
    struct od_view unit = {0};
    for (size_t i = of->unit; i > 0 && i <= entry->ncaptures; i++) {
        const struct capture *capture = &entry->captures[i - 1];
        if (capture->is_unit && capture->field == of->field &&
            od_regex_group(set->matcher, text, capture->group, &unit))
            break;
    }
    return unit;
}

static void add_constants(const struct entry *entry, struct od_event *event)
{
    for (size_t i = 0; i < entry->nconstants; i++)
        od_event_set(event, &entry->constants[i]);
}

static struct od_rule_part place_of(const struct od_ruleset *set, struct od_view part)
{
    if (part.n == 0)
        return (struct od_rule_part){0};
    return (struct od_rule_part){(uint16_t)(part.p - set->line), (uint16_t)part.n};
}

/* Is the text a part of the line? Then lines of the same shape may have another text. */
static bool is_of_line(struct od_view text, const struct od_line *line)
{
    return text.p >= line->text.p && text.p < line->text.p + line->text.n;
}

/* Stores how to read a value from other lines of the shape. False if that is not possible. */
static bool note_capture(const struct od_ruleset *set, const struct od_value_text *from,
                         const struct od_field_value *value, struct od_rule_made *made)
{
    bool words = od_field_type(from->field) == OD_T_TEXT;
    made->lost += !value;
    if (!value)
        return words;
    if (words && !is_of_line(value->as.text, made->event.line))
        return true;
    struct od_rule_capture *capture = &made->captures[made->ncaptures++];
    *capture = (struct od_rule_capture){.text = place_of(set, from->text),
                                        .unit = place_of(set, from->unit),
                                        .field = made->event.place[from->field]};
    capture->formed = od_field_type(from->field) == OD_T_NUMBER && from->field != OD_F_SHARE &&
                      od_seconds_form_of(from->text, from->unit, &capture->seconds);
    return true;
}

/* Adds the memory in use to a size. Returns the size alone if the sum does not fit together with
 * free memory, because some programs print the sum under the same name. */
static struct od_bytes with_use(const struct od_event *event, struct od_bytes size)
{
    struct od_bytes use = od_event_bytes(event, OD_F_IN_USE), both = od_bytes_add(use, size);
    struct od_bytes free = od_event_bytes(event, OD_F_FREE);
    struct od_bytes all = od_event_bytes(event, OD_F_CAPACITY);
    bool over =
        od_bytes_less(all, od_bytes_add(both, free)) == OD_YES && od_bytes_less(all, free) == OD_NO;
    return over && od_bytes_less(size, use) == OD_NO ? size : both;
}

/* Adds the captures of a match to the event, and to `made` for reuse (NULL = no). False if they
 * cannot be reused. */
static bool add_captures(struct od_ruleset *set, const struct entry *entry, struct od_view text,
                         struct od_event *event, struct od_rule_made *made)
{
    bool noted = true;
    OD_FOR_EACH_OF (const struct capture, capture, entry->captures, entry->ncaptures) {
        struct od_value_text from = {.field = capture->field,
                                     .bare = entry->bare,
                                     .base = entry->rule->unit_base,
                                     .room = &event->shape};
        if (capture->is_unit || !od_regex_group(set->matcher, text, capture->group, &from.text) ||
            from.text.n == 0)
            continue;
        from.unit = unit_of(set, entry, capture, text);
        struct od_field_value value;
        bool good = od_value_parse(&from, &value);
        if (good && capture->adds_in_use)
            value.as.bytes = with_use(event, value.as.bytes);
        if (good && (!capture->adds_in_use || value.as.bytes.known))
            od_event_set(event, &value);
        if (made)
            noted = noted && !capture->adds_in_use &&
                    note_capture(set, &from, good ? &value : NULL, made);
        else
            set->lost_captures += !good;
    }
    return noted;
}

/* ---- reuse for lines of the same shape ---- */

static struct od_rule_made *keep_made(const struct od_rule_made *made, struct od_arena *arena)
{
    size_t fields = made->event.nfields * sizeof *made->event.fields;
    struct od_rule_made *kept =
        od_arena_alloc(arena, 1, offsetof(struct od_rule_made, event.fields) + fields);
    memcpy(kept, made, offsetof(struct od_rule_made, event));
    od_event_copy(&kept->event, &made->event);
    kept->captures = OD_NEW_N(arena, made->ncaptures + 1, struct od_rule_capture);
    memcpy(kept->captures, made->captures, made->ncaptures * sizeof *made->captures);
    return kept;
}

struct od_rule_made *od_ruleset_learn(struct od_ruleset *set, size_t i, const struct od_line *line,
                                      struct od_arena *arena)
{
    struct entry *entry = &set->entries[i];
    struct od_view text = searched(entry, line->text), whole;
    struct od_rule_capture captures[PARTS_MAX];
    struct od_rule_made made = {.rule = i, .captures = captures};
    set->line = line->text.p;
    if (entry->rule->begins)
        return !od_pattern_tells_digits(entry->rule->begins) &&
                       !od_ruleset_begins(set, i, line->text, NULL)
                   ? OD_NEW(arena, struct od_rule_made)
                   : NULL;
    if (text.n == 0) /* `unless` texts have no digits */
        return OD_NEW(arena, struct od_rule_made);
    enum od_regex_result result = try_match(set, entry, text, 0);
    if (result == OD_REGEX_LIMIT || !entry->regex || !entry->blind ||
        entry->ncaptures >= PARTS_MAX || line->text.n > OD_RULE_LINE_MAX)
        return NULL;
    if (result == OD_REGEX_NO)
        return OD_NEW(arena, struct od_rule_made);
    if (entry->rule->each) /* lines of one shape may have different numbers of matches */
        return NULL;
    made.matched = true;
    od_event_begin(&made.event, entry->rule->means, line, entry->rule->id);
    add_constants(entry, &made.event);
    (void)od_regex_group(set->matcher, text, 0, &whole);
    made.whole = (struct od_rule_part){(uint16_t)(whole.p - set->line), (uint16_t)whole.n};
    return add_captures(set, entry, text, &made.event, &made) ? keep_made(&made, arena) : NULL;
}

bool od_ruleset_apply(struct od_ruleset *set, size_t i, const struct od_line *line,
                      struct od_event *ret_event)
{
    struct od_line whole = *line;
    whole.text = od_ruleset_block_text(set, i, line->text);
    bool applies = od_ruleset_has_literal(set, i, line->text) &&
                   od_ruleset_apply_candidate(set, i, &whole, ret_event);
    if (applies)
        ret_event->line = line;
    return applies;
}

bool od_ruleset_apply_candidate(struct od_ruleset *set, size_t i, const struct od_line *line,
                                struct od_event *ret_event)
{
    size_t at = 0;
    return od_ruleset_apply_next(set, i, line, &at, ret_event);
}

bool od_ruleset_apply_next(struct od_ruleset *set, size_t i, const struct od_line *line, size_t *at,
                           struct od_event *ret_event)
{
    struct entry *entry = &set->entries[i];
    struct od_view text = searched(entry, line->text), whole;
    if (*at > text.n || !match(set, entry, text, *at) ||
        !od_regex_group(set->matcher, text, 0, &whole))
        return false;
    *at = (size_t)(whole.p - text.p) + (whole.n > 0 ? whole.n : 1);
    od_event_begin(ret_event, entry->rule->means, line, entry->rule->id);
    ret_event->excerpt = od_excerpt_of(line->text, whole);
    add_constants(entry, ret_event);
    (void)add_captures(set, entry, text, ret_event, NULL);
    return true;
}

static struct od_view part_of(const struct od_line *line, struct od_rule_part part)
{
    return (struct od_view){line->text.p + part.start, part.n};
}

static bool read_capture(const struct entry *entry, const struct od_rule_capture *capture,
                         const struct od_line *line, struct od_event *event)
{
    struct od_field_value *value = &event->fields[capture->field];
    if (capture->formed)
        return od_seconds_read(part_of(line, capture->text), &capture->seconds, &value->as.number);
    const struct od_value_text from = {.field = value->field,
                                       .text = part_of(line, capture->text),
                                       .unit = part_of(line, capture->unit),
                                       .bare = entry->bare,
                                       .base = entry->rule->unit_base,
                                       .room = &event->shape};
    return od_value_parse(&from, value);
}

struct od_event *od_ruleset_make(struct od_ruleset *set, struct od_rule_made *made,
                                 const struct od_line *line)
{
    const struct entry *entry = &set->entries[made->rule];
    struct od_event *event = &made->event;
    for (size_t i = 0; i < made->ncaptures; i++)
        if (!read_capture(entry, &made->captures[i], line, event))
            return NULL;
    event->at = line->at;
    event->line = line;
    event->excerpt = od_excerpt_of(line->text, part_of(line, made->whole));
    set->lost_captures += made->lost;
    return event;
}
