/*
 * Parses conditions by recursive descent with limited depth.
 */
#include "base/suggest.h"
#include "facts/meaning.h"
#include "facts/setting.h"
#include "rules/loader.h"

enum { DEPTH_MOST = 12, STEPS_MOST = 60, ARGUMENTS_MOST = 16 };

struct parser {
    struct od_loader *loader;
    const struct od_yaml_node *node;
    const struct od_fact_row *facts;
    const char *text; /* the text being parsed: of the node, or of a named condition */
    const char *at;
    const struct parser *outer; /* parser of the condition that refers to this one; NULL = none */
    enum od_fact named;
    bool failed;
    unsigned depth;
    struct od_when_step *steps; /* array of STEPS_MOST */
    size_t *n;
};

struct token {
    const char *at;
    size_t n;
};

/* Reports an error at a token of the node's text, or at the node for a named condition. */
static void fail(struct parser *p, const char *at, size_t width, struct od_yaml_problem problem)
{
    if (p->failed)
        return;
    p->failed = true;
    const struct od_yaml_source *source = &p->loader->source;
    bool own = p->text == p->node->text;
    problem.at = own ? od_yaml_text_at(source, p->node, (size_t)(at - p->text)) : p->node->start;
    problem.width = own ? width : p->node->end - p->node->start;
    od_yaml_report(&p->loader->source, &problem);
}

static const char *text_of(struct parser *p, struct token token)
{
    return od_arena_str(p->loader->arena, (struct od_view){token.at, token.n});
}

static bool is_word_char(char c)
{
    return od_is_word(c) || c == '.' || c == '-';
}

static void skip_space(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\n')
        p->at++;
}

/* Returns the next word, number, quoted text or operator without consuming it. */
static struct token peek(struct parser *p)
{
    skip_space(p);
    struct token token = {p->at, 0};
    if (*p->at == '"') {
        const char *end = strchr(p->at + 1, '"');
        token.n = end ? (size_t)(end + 1 - p->at) : strlen(p->at);
    } else if (is_word_char(*p->at)) {
        while (is_word_char(p->at[token.n]))
            token.n++;
    } else if (*p->at != '\0') {
        token.n = strchr("=!<>", *p->at) && p->at[1] == '=' ? 2 : 1;
    }
    return token;
}

static bool is(struct token token, const char *text)
{
    return token.n == strlen(text) && memcmp(token.at, text, token.n) == 0;
}

static bool take(struct parser *p, const char *text)
{
    struct token token = peek(p);
    if (!is(token, text))
        return false;
    p->at += token.n;
    return true;
}

static void expect(struct parser *p, const char *text)
{
    struct token token = peek(p);
    if (take(p, text))
        return;
    const char *message =
        token.n == 0 ? od_arena_printf(p->loader->arena, "'%s' is missing at the end", text)
                     : od_arena_printf(p->loader->arena, "'%s' expected before '%.*s'", text,
                                       (int)token.n, token.at);
    fail(p, token.at, token.n, (struct od_yaml_problem){.code = "R0503", .message = message});
}

static struct token next(struct parser *p)
{
    struct token token = peek(p);
    p->at += token.n;
    return token;
}

static void add(struct parser *p, struct od_when_step step)
{
    if (*p->n < STEPS_MOST)
        p->steps[(*p->n)++] = step;
    else
        fail(p, p->at, 1,
             (struct od_yaml_problem){.code = "R0503", .message = "the condition is too long"});
}

static void add_op(struct parser *p, enum od_when_op op)
{
    add(p, (struct od_when_step){.op = op});
}

static void fail_word(struct parser *p, struct token token, const char *code, const char *what,
                      const char *const *words)
{
    struct od_arena *arena = p->loader->arena;
    const char *word = text_of(p, token);
    size_t n = words ? od_loader_count(words) : 0;
    fail(p, token.at, token.n,
         (struct od_yaml_problem){.code = code,
                                  .message = od_arena_printf(arena, "'%s' is not %s", word, what),
                                  .help = words ? od_suggest_help(word, words, n, arena) : NULL});
}

static uint64_t bit_of(struct parser *p, const struct od_fact_row *fact)
{
    struct token token = next(p);
    if (is(token, "unknown"))
        return OD_FACT_UNKNOWN;
    for (size_t i = 0; fact->words[i]; i++)
        if (is(token, fact->words[i]))
            return UINT64_C(1) << i;
    fail_word(p, token, "R0502", od_arena_printf(p->loader->arena, "a word of %s", fact->name),
              fact->words);
    return 0;
}

static uint64_t bits_of_list(struct parser *p, const struct od_fact_row *fact)
{
    uint64_t bits = 0;
    expect(p, "[");
    do
        bits |= bit_of(p, fact);
    while (!p->failed && take(p, ","));
    expect(p, "]");
    return bits;
}

static void parse_words(struct parser *p, enum od_fact fact)
{
    const struct od_fact_row *row = &p->facts[fact];
    struct od_when_step step = {.op = OD_WHEN_IN, .fact = fact};
    struct token op = next(p);
    bool negated = is(op, "!=") || is(op, "not");
    if (is(op, "==") || is(op, "!=")) {
        step.bits = bit_of(p, row);
    } else if (is(op, "in") || (negated && take(p, "in"))) {
        step.bits = bits_of_list(p, row);
    } else {
        fail(p, op.at, op.n,
             (struct od_yaml_problem){
                 .code = "R0504",
                 .message = od_arena_printf(p->loader->arena, "%s is one of its words", row->name),
                 .help = "==, !=, in [...] or not in [...]"});
    }
    add(p, step);
    if (negated)
        add_op(p, OD_WHEN_NOT);
}

static bool take_unknown(struct parser *p, enum od_fact fact)
{
    if (!take(p, "unknown"))
        return false;
    add(p, (struct od_when_step){.op = OD_WHEN_UNKNOWN, .fact = fact});
    return true;
}

/* Reads the number of a COUNT or BYTES fact, or a version. */
static void parse_value(struct parser *p, enum od_fact fact, struct od_when_step *step)
{
    struct token token = next(p);
    struct od_view text = {token.at, token.n};
    struct od_bytes bytes;
    bool good = true;
    if (p->facts[fact].type == OD_FACT_IS_VERSION) {
        step->text = text_of(p, token);
        good = token.n > 0 && strspn(step->text, "0123456789.") == token.n;
    } else if (p->facts[fact].type == OD_FACT_IS_COUNT) {
        good = od_num_parse_u64(text, &step->bits);
    } else {
        struct token unit = next(p);
        text.n = (size_t)(unit.at + unit.n - text.p);
        good = unit.n > 1 && od_bytes_parse(text, OD_UNIT_BINARY, &bytes);
        step->bits = good ? bytes.n : 0;
    }
    if (!good)
        fail_word(p, token, "R0504",
                  p->facts[fact].type == OD_FACT_IS_VERSION ? "a version, as in 2.1"
                  : p->facts[fact].type == OD_FACT_IS_BYTES ? "a size with its unit, as in 4 GiB"
                                                            : "a number",
                  NULL);
}

/* Finds a fact by name; OD_FACT_END = none. */
static enum od_fact fact_of(const struct parser *p, struct token token)
{
    enum od_fact fact = (enum od_fact)0;
    while (fact < OD_FACT_END && !is(token, p->facts[fact].name))
        fact++;
    return fact;
}

/* Takes "80% of" before a fact, if it is there. */
static bool take_share(struct parser *p, uint64_t *ret_percent)
{
    enum { MOST = 100000 };
    const char *start = p->at;
    struct token number = next(p);
    if (od_num_parse_u64((struct od_view){number.at, number.n}, ret_percent) && *ret_percent > 0 &&
        *ret_percent < MOST && take(p, "%") && take(p, "of"))
        return true;
    p->at = start;
    return false;
}

/* Parses a comparison with another fact of the same type, or with a share of it. Stores it as a
 * test that the smaller one is less. */
static bool take_other_fact(struct parser *p, enum od_fact fact, bool above)
{
    const char *start = p->at;
    uint64_t percent = 100;
    (void)take_share(p, &percent);
    enum od_fact other = fact_of(p, peek(p));
    if (other == OD_FACT_END || p->facts[other].type != p->facts[fact].type) {
        p->at = start;
        return false;
    }
    (void)next(p);
    add(p, (struct od_when_step){.op = OD_WHEN_BELOW,
                                 .fact = above ? other : fact,
                                 .bits = above ? fact : other,
                                 .share = above ? (unsigned)percent : 100,
                                 .other_share = above ? 100 : (unsigned)percent});
    return true;
}

static void parse_number(struct parser *p, enum od_fact fact)
{
    /* LESS compares a fact with a value, in this order, so > and <= are tests against the next
     * higher value */
    static const struct {
        const char *text;
        enum od_when_op op;
        bool above, negated;
    } ops[] = {{"<", OD_WHEN_LESS, false, false},   {">=", OD_WHEN_LESS, false, true},
               {"<=", OD_WHEN_LESS, true, false},   {">", OD_WHEN_LESS, true, true},
               {"==", OD_WHEN_EQUAL, false, false}, {"!=", OD_WHEN_EQUAL, false, true}};
    struct token op = next(p);
    bool version = p->facts[fact].type == OD_FACT_IS_VERSION;
    for (size_t i = 0; i < OD_COUNT_OF(ops); i++) {
        if (!is(op, ops[i].text) || (version && (i > 1)))
            continue;
        struct od_when_step step = {.op = ops[i].op, .fact = fact};
        if (ops[i].op == OD_WHEN_LESS && take_other_fact(p, fact, ops[i].above)) {
            if (ops[i].above != ops[i].negated)
                add_op(p, OD_WHEN_NOT);
            return;
        }
        if (ops[i].op != OD_WHEN_EQUAL || !take_unknown(p, fact)) {
            parse_value(p, fact, &step);
            step.bits += ops[i].above;
            add(p, step);
        }
        if (ops[i].negated)
            add_op(p, OD_WHEN_NOT);
        return;
    }
    fail(p, op.at, op.n,
         (struct od_yaml_problem){
             .code = "R0504",
             .message = od_arena_printf(p->loader->arena, "%s is compared with a %s",
                                        p->facts[fact].name, version ? "version" : "number"),
             .help = version ? ">= or <" : "==, !=, <, <=, > or >="});
}

static const char *argument(struct parser *p)
{
    struct token token = next(p);
    bool quoted = token.n > 1 && token.at[0] == '"' && token.at[token.n - 1] == '"';
    if (quoted)
        return text_of(p, (struct token){token.at + 1, token.n - 2});
    if (token.n == 0 || !(is_word_char(token.at[0]) || token.at[0] == '='))
        fail_word(p, token, "R0506", "an argument", NULL);
    return text_of(p, token);
}

static void check_setting(struct parser *p, struct token token)
{
    const char *names[OD_SETTING_END] = {NULL};
    for (unsigned i = OD_SETTING_NONE + 1; i < OD_SETTING_END; i++)
        names[i - 1] = od_setting_name((enum od_setting_id)i);
    if (od_setting_named((struct od_view){token.at, token.n}) == OD_SETTING_NONE)
        fail_word(p, token, "R0506", "a setting of settings.def", names);
}

/* The number of a meaning in rules/words. Reports an unknown one. */
static uint64_t check_meaning(struct parser *p, struct token token, enum od_subject subject)
{
    const char *const *names = od_subject_meanings(subject);
    for (uint64_t i = 0; names[i]; i++)
        if (is(token, names[i]))
            return i;
    fail_word(p, token, "R0506",
              subject == OD_SUBJECT_SAID    ? "a meaning of rules/words/said.yaml"
              : subject == OD_SUBJECT_FRAME ? "a meaning of rules/words/frames.yaml"
                                            : "a meaning of rules/words/objects.yaml",
              names);
    return 0;
}

/* Stores the id for a later check, because remedies are known when all files are read. */
static void check_remedy(struct parser *p, struct token token, const char *id)
{
    const struct od_yaml_source *source = &p->loader->source;
    od_yaml_report(&p->loader->source,
                   &(struct od_yaml_problem){
                       .code = "R0313",
                       .at = od_yaml_text_at(source, p->node, (size_t)(token.at - p->text)),
                       .width = token.n,
                       .message = od_arena_printf(p->loader->arena, "'%s' is no remedy", id),
                       .help = id,
                       .open = true});
}

static void parse_call(struct parser *p, enum od_fact fact)
{
    const char *options[ARGUMENTS_MOST + 1] = {NULL};
    size_t n = 0;
    expect(p, "(");
    struct token first = peek(p);
    struct od_when_step step = {.op = OD_WHEN_TRUE, .fact = fact, .text = argument(p)};
    if (fact == OD_FACT_SET)
        check_setting(p, first);
    if (fact == OD_FACT_ASKS || fact == OD_FACT_CHOSEN)
        check_remedy(p, first, step.text);
    if (fact == OD_FACT_PRINTS)
        step.bits = check_meaning(p, first, OD_SUBJECT_SAID);
    if (fact == OD_FACT_CALLS)
        step.bits = check_meaning(p, first, OD_SUBJECT_FRAME);
    if (fact == OD_FACT_NAMES)
        step.bits = check_meaning(p, first, OD_SUBJECT_OBJECT);
    while (!p->failed && take(p, ",") && n < ARGUMENTS_MOST)
        options[n++] = argument(p);
    expect(p, ")");
    if (n > 0 && fact != OD_FACT_SET)
        fail_word(p, first, "R0506", "the only argument of this call", NULL);
    if (n > 0)
        step.options = memcpy(OD_NEW_N(p->loader->arena, n + 1, const char *), options,
                              (n + 1) * sizeof *options);
    add(p, step);
}

static void parse_or(struct parser *p);

/* Appends the steps of a named condition. */
static void parse_derived(struct parser *p, enum od_fact fact, struct token token)
{
    for (const struct parser *outer = p; outer; outer = outer->outer)
        if (outer->outer && outer->named == fact) {
            fail(p, token.at, token.n,
                 (struct od_yaml_problem){
                     .code = "R0505",
                     .message = od_arena_printf(p->loader->arena, "the condition '%s' needs itself",
                                                p->facts[fact].name)});
            return;
        }
    struct parser inner = *p;
    inner.text = inner.at = p->facts[fact].means;
    inner.outer = p;
    inner.named = fact;
    parse_or(&inner);
    if (!inner.failed && peek(&inner).n > 0)
        fail_word(&inner, peek(&inner), "R0503", "the end of a condition", NULL);
    p->failed = inner.failed;
}

static void parse_test(struct parser *p)
{
    struct token token = next(p);
    enum od_fact fact = fact_of(p, token);
    if (fact == OD_FACT_END) {
        const char *names[OD_FACT_END + 1] = {NULL};
        for (unsigned i = 0; i < OD_FACT_END; i++)
            names[i] = p->facts[i].name;
        fail_word(p, token, "R0501", "a fact", names);
        return;
    }
    switch (p->facts[fact].type) {
    case OD_FACT_IS_TRUTH:
    case OD_FACT_IS_SERIES:
        if (!take(p, "=="))
            add(p, (struct od_when_step){.op = OD_WHEN_TRUE, .fact = fact});
        else if (!take_unknown(p, fact))
            fail_word(p, peek(p), "R0504", "unknown: a truth holds or not", NULL);
        break;
    case OD_FACT_IS_WORD:
    case OD_FACT_IS_WORDS:
        parse_words(p, fact);
        break;
    case OD_FACT_IS_COUNT:
    case OD_FACT_IS_BYTES:
    case OD_FACT_IS_VERSION:
        parse_number(p, fact);
        break;
    case OD_FACT_IS_TEXT: {
        bool negated = take(p, "!=");
        if ((!negated && !take(p, "==")) || !take_unknown(p, fact))
            fail_word(p, peek(p), "R0504", "== unknown or != unknown: a text is known or not",
                      NULL);
        if (negated)
            add_op(p, OD_WHEN_NOT);
        break;
    }
    case OD_FACT_IS_CALL:
        parse_call(p, fact);
        break;
    case OD_FACT_IS_DERIVED:
        parse_derived(p, fact, token);
        break;
    }
}

/* --- not, and, or --- */

static void parse_not(struct parser *p)
{
    if (p->depth == DEPTH_MOST) {
        fail(p, p->at, 1,
             (struct od_yaml_problem){.code = "R0503", .message = "the condition is too deep"});
        return;
    }
    p->depth++;
    bool negated = take(p, "not");
    if (negated || take(p, "unless")) {
        parse_not(p);
        add_op(p, negated ? OD_WHEN_NOT : OD_WHEN_UNLESS);
    } else if (take(p, "(")) {
        parse_or(p);
        expect(p, ")");
    } else {
        parse_test(p);
    }
    p->depth--;
}

static void parse_and(struct parser *p)
{
    parse_not(p);
    while (!p->failed && take(p, "and")) {
        parse_not(p);
        add_op(p, OD_WHEN_AND);
    }
}

static void parse_or(struct parser *p)
{
    parse_and(p);
    while (!p->failed && take(p, "or")) {
        parse_and(p);
        add_op(p, OD_WHEN_OR);
    }
}

void od_when_load_with(struct od_loader *loader, const struct od_yaml_node *node,
                       const struct od_fact_row *facts, struct od_when *ret_when)
{
    struct od_when_step steps[STEPS_MOST];
    size_t n = 0;
    if (!od_loader_is(loader, node, OD_YAML_TEXT))
        return;
    struct parser p = {.loader = loader,
                       .node = node,
                       .facts = facts,
                       .text = node->text,
                       .at = node->text,
                       .steps = steps,
                       .n = &n};
    parse_or(&p);
    if (!p.failed && peek(&p).n > 0)
        fail_word(&p, peek(&p), "R0503", "the end of a condition", NULL);
    if (p.failed)
        return;
    *ret_when = (struct od_when){.text = node->text, .n = n, .line = node->line};
    ret_when->steps =
        memcpy(OD_NEW_N(loader->arena, n, struct od_when_step), steps, n * sizeof *steps);
}

void od_when_load(struct od_loader *loader, const struct od_yaml_node *node, void *ret_when)
{
    od_when_load_with(loader, node, od_facts, ret_when);
}
