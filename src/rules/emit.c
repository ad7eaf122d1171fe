#include "rules/emit.h"

#include <string.h>

enum {
    LINE_BYTES = 80,   /* of a string, before it goes on in the next line */
    MOST_STRING = 4000 /* C promises strings of 4095 */
};

static bool is_plain(char c)
{
    /* '?' could begin a trigraph. */
    return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '\'' && c != '?';
}

/* Three octal digits: what follows can never be taken for a fourth. */
static void emit_char(char c, struct od_buf *to)
{
    if (is_plain(c))
        od_buf_add_char(to, c);
    else
        od_buf_printf(to, "\\%03o", (unsigned)(unsigned char)c);
}

static void emit_array(const char *text, size_t n, struct od_buf *to)
{
    od_buf_add_str(to, "(const char[]){");
    for (size_t i = 0; i <= n; i++) {
        od_buf_add_str(to, i % 16 == 0 ? "\n        '" : " '");
        emit_char(text[i], to);
        od_buf_add_str(to, "',");
    }
    od_buf_add_str(to, "}");
}

void od_text_emit(const char *text, struct od_buf *to)
{
    if (!text) {
        od_buf_add_str(to, "0");
        return;
    }
    size_t n = strlen(text);
    if (n > MOST_STRING) {
        emit_array(text, n, to);
        return;
    }
    od_buf_add_char(to, '"');
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && i % LINE_BYTES == 0)
            od_buf_add_str(to, "\"\n        \"");
        emit_char(text[i], to);
    }
    od_buf_add_char(to, '"');
}

/* Names of tables: a letter for the kind, then the numbers of pack, rule and sample. */
struct place {
    size_t pack;
    size_t rule;
    size_t sample;
};

static void emit_texts(const char *name, const struct od_rule_text *texts, size_t n,
                       struct od_buf *to)
{
    if (n == 0)
        return;
    od_buf_printf(to, "static const struct od_rule_text %s[] = {\n", name);
    for (size_t i = 0; i < n; i++) {
        od_buf_printf(to, "    {(enum od_field)%u /* %s */, ", (unsigned)texts[i].field,
                      od_field_name(texts[i].field));
        od_text_emit(texts[i].text, to);
        od_buf_add_str(to, "},\n");
    }
    od_buf_add_str(to, "};\n");
}

static const char *gives_name(const struct place *at, char name[static 64])
{
    struct od_buf buf = {0};
    od_buf_printf(&buf, "g_%zu_%zu_%zu", at->pack, at->rule, at->sample);
    memcpy(name, od_buf_str(&buf), buf.n + 1);
    od_buf_done(&buf);
    return name;
}

static void emit_samples(char letter, struct place at, const struct od_sample *samples, size_t n,
                         struct od_buf *to)
{
    char name[64];
    for (at.sample = 0; at.sample < n; at.sample++)
        emit_texts(gives_name(&at, name), samples[at.sample].gives, samples[at.sample].ngives, to);
    if (n == 0)
        return;
    od_buf_printf(to, "static const struct od_sample %c_%zu_%zu[] = {\n", letter, at.pack, at.rule);
    for (at.sample = 0; at.sample < n; at.sample++) {
        const struct od_sample *sample = &samples[at.sample];
        od_buf_add_str(to, "    {.line = ");
        od_text_emit(sample->line, to);
        if (sample->ngives > 0)
            od_buf_printf(to, ", .gives = %s, .ngives = %zu", gives_name(&at, name),
                          sample->ngives);
        od_buf_printf(to, ", .at = %u},\n", sample->at);
    }
    od_buf_add_str(to, "};\n");
}

static void emit_words(const struct place *at, char letter, const char *const *texts, size_t n,
                       struct od_buf *to)
{
    if (n == 0)
        return;
    od_buf_printf(to, "static const char *const %c_%zu_%zu[] = {", letter, at->pack, at->rule);
    for (size_t i = 0; i < n; i++) {
        od_buf_add_str(to, i > 0 ? ", " : "");
        od_text_emit(texts[i], to);
    }
    od_buf_add_str(to, "};\n");
}

static void emit_parts(const struct place *at, const struct od_rule *rule, struct od_buf *to)
{
    struct od_buf name = {0};
    od_buf_printf(&name, "c_%zu_%zu", at->pack, at->rule);
    emit_words(at, 'l', rule->literals, rule->nliterals, to);
    emit_words(at, 'u', rule->unless, rule->nunless, to);
    emit_texts(od_buf_str(&name), rule->set, rule->nset, to);
    emit_samples('s', *at, rule->samples, rule->nsamples, to);
    emit_samples('m', *at, rule->near_misses, rule->nnear_misses, to);
    od_buf_done(&name);
}

/* "    .set = c_0_1, .nset = 2," or nothing. */
static void emit_table(const char *field, char letter, const struct place *at, size_t n,
                       struct od_buf *to)
{
    if (n > 0)
        od_buf_printf(to, "     .%s = %c_%zu_%zu, .n%s = %zu,\n", field, letter, at->pack, at->rule,
                      field, n);
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void emit_rule(const struct place *at, const struct od_rule *rule, struct od_buf *to)
{
    od_buf_add_str(to, "    {.id = ");
    od_text_emit(rule->id, to);
    od_buf_printf(to, ",\n     .means = (enum od_event_kind)%u, /* %s */\n     .pattern = ",
                  (unsigned)rule->means, od_event_kind_name(rule->means));
    od_text_emit(rule->pattern, to);
    od_buf_add_str(to, ",\n");
    emit_table("literals", 'l', at, rule->nliterals, to);
    emit_table("unless", 'u', at, rule->nunless, to);
    emit_table("set", 'c', at, rule->nset, to);
    emit_table("samples", 's', at, rule->nsamples, to);
    emit_table("near_misses", 'm', at, rule->nnear_misses, to);
    od_buf_printf(
        to, "     .unit_base = (enum od_unit_base)%u,\n     .bare = ", (unsigned)rule->unit_base);
    od_text_emit(rule->bare, to);
    od_buf_printf(to,
                  ",\n     .numbered = %s,\n     .slow = %s,\n     .fallback = %s,\n     .outright "
                  "= %s,\n     .said = %s,\n     .note = ",
                  truth(rule->numbered), truth(rule->slow), truth(rule->fallback),
                  truth(rule->outright), truth(rule->said));
    od_text_emit(rule->note, to);
    od_buf_printf(to, ",\n     .at = %u},\n", rule->at);
}

static void emit_pack(size_t i, const struct od_pack *pack, struct od_buf *to)
{
    struct place at = {.pack = i};
    for (at.rule = 0; at.rule < pack->nrules; at.rule++)
        emit_parts(&at, &pack->rules[at.rule], to);
    if (pack->nrules > 0)
        od_buf_printf(to, "static const struct od_rule r_%zu[] = {\n", i);
    for (at.rule = 0; at.rule < pack->nrules; at.rule++)
        emit_rule(&at, &pack->rules[at.rule], to);
    if (pack->nrules > 0)
        od_buf_add_str(to, "};\n");
    od_buf_printf(to, "static const struct od_pack p_%zu = {\n    .name = ", i);
    od_text_emit(pack->name, to);
    od_buf_add_str(to, ",\n    .producer = ");
    od_text_emit(pack->producer, to);
    od_buf_add_str(to, ",\n    .file = ");
    od_text_emit(pack->file, to);
    if (pack->nrules > 0)
        od_buf_printf(to, ",\n    .rules = r_%zu,\n    .nrules = %zu", i, pack->nrules);
    od_buf_add_str(to, ",\n};\n\n");
}

void od_packs_emit(const struct od_pack *const *packs, size_t n, struct od_buf *to)
{
    od_buf_add_str(to, "/* Made from the rule packs by rulec; not to be edited. */\n"
                       "#include \"rules/ruleset.h\"\n\n");
    for (size_t i = 0; i < n; i++)
        emit_pack(i, packs[i], to);
    od_buf_add_str(to, "const struct od_pack *const od_shipped_packs[] = {");
    for (size_t i = 0; i < n; i++)
        od_buf_printf(to, "&p_%zu, ", i);
    od_buf_add_str(to, "NULL};\n");
}
