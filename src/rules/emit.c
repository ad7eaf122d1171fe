#include "rules/emit.h"

#include "base/map.h"
#include "rules/loader.h"

enum {
    LINE_BYTES = 80,   /* bytes of a string in one line of C */
    MOST_STRING = 4000 /* C guarantees 4095 bytes in a string literal */
};

static bool is_plain(char c)
{
    /* escapes '?' because it could begin a trigraph */
    return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '\'' && c != '?';
}

/* Writes three octal digits, so that a following digit does not belong to the escape. */
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

static void emit_texts(const char *const *texts, struct od_buf *to)
{
    od_buf_add_str(to, "(const char *const[]){");
    for (; *texts; texts++) {
        od_text_emit(*texts, to);
        od_buf_add_str(to, ", ");
    }
    od_buf_add_str(to, "0}");
}

/* Is the member zero? C initializes omitted members with zero. */
static bool is_zero(const struct od_loader_key *key, const char *row)
{
    static const char zero[sizeof(uint64_t)];
    size_t size = sizeof(char *);
    if (key->form == OD_BITS)
        size = sizeof(uint64_t);
    else if (key->form == OD_TRUTH)
        size = sizeof(bool);
    else if (key->form == OD_WORD || key->form == OD_AT)
        size = sizeof(unsigned);
    return memcmp(row + key->at, zero, size) == 0 ||
           (key->count > 0 && *(const size_t *)(row + key->count) == 0);
}

static void emit_rows(const struct od_loader_map *map, const void *rows, size_t n,
                      struct od_buf *to);

static void emit_when_step(const struct od_when_step *step, struct od_buf *to)
{
    od_buf_printf(to, "{%d, %d, UINT64_C(0x%" PRIx64 "), ", (int)step->op, (int)step->fact,
                  step->bits);
    od_text_emit(step->text, to);
    od_buf_add_str(to, step->options ? ", " : ", 0");
    if (step->options) {
        od_buf_add_str(to, "(const char *const[]){");
        for (const char *const *option = step->options; *option; option++) {
            od_text_emit(*option, to);
            od_buf_add_str(to, ", ");
        }
        od_buf_add_str(to, "0}");
    }
    od_buf_printf(to, ", %u, %u},\n", step->share, step->other_share);
}

static void emit_when(const struct od_when *when, struct od_buf *to)
{
    od_buf_add_str(to, "{");
    od_text_emit(when->text, to);
    od_buf_add_str(to, ", (const struct od_when_step[]){\n");
    for (size_t i = 0; i < when->n; i++)
        emit_when_step(&when->steps[i], to);
    od_buf_printf(to, "}, %zu, %u}", when->n, when->line);
}

static void emit_value(const struct od_loader_key *key, const char *row, struct od_buf *to)
{
    const char *at = row + key->at;
    if (key->form == OD_TEXTS) {
        emit_texts(*(const char *const *const *)at, to);
    } else if (key->form == OD_ROWS) {
        od_buf_printf(to, "(const %s[]){\n", key->rows->type);
        emit_rows(key->rows, *(const void *const *)at, *(const size_t *)(row + key->count), to);
        od_buf_add_str(to, "}");
    } else if (key->form == OD_WORD || key->form == OD_AT) {
        od_buf_printf(to, "%u", *(const unsigned *)at);
    } else if (key->form == OD_WHEN) {
        emit_when((const void *)at, to);
    } else if (key->form == OD_BITS) {
        od_buf_printf(to, "UINT64_C(0x%" PRIx64 ")", *(const uint64_t *)at);
    } else if (key->form == OD_TRUTH) {
        od_buf_add_str(to, "true");
    } else {
        od_text_emit(*(const char *const *)at, to);
    }
}

static void emit_members(const struct od_loader_map *map, const char *row, struct od_buf *to)
{
    for (const struct od_loader_key *key = map->keys; key < map->keys + map->nkeys; key++) {
        if (!key->member || key->form == OD_NOTHING || is_zero(key, row))
            continue;
        od_buf_printf(to, ".%s = ", key->member);
        emit_value(key, row, to);
        od_buf_add_str(to, ", ");
        if (key->count > 0)
            od_buf_printf(to, ".n%s = %zu, ", key->member, *(const size_t *)(row + key->count));
    }
}

static void emit_rows(const struct od_loader_map *map, const void *rows, size_t n,
                      struct od_buf *to)
{
    for (size_t i = 0; i < n; i++) {
        od_buf_add_str(to, "{");
        emit_members(map, (const char *)rows + i * map->size, to);
        od_buf_add_str(to, "},\n");
    }
}

/* Writes the array of pointers to name_0, name_1, ... */
static void emit_names(const char *name, const char *type, size_t n, struct od_buf *to)
{
    od_buf_printf(to, "const %s *const od_shipped_%s[] = {", type, name);
    for (size_t i = 0; i < n; i++)
        od_buf_printf(to, "&%s_%zu, ", name, i);
    od_buf_add_str(to, "0};\n");
}

static void emit_list(const char *name, const struct od_loader_map *map, const void *const *rows,
                      struct od_buf *to)
{
    size_t n = 0;
    for (; rows[n]; n++) {
        od_buf_printf(to, "static const %s %s_%zu = {", map->type, name, n);
        emit_members(map, rows[n], to);
        od_buf_add_str(to, "};\n");
    }
    emit_names(name, map->type, n, to);
}

/* Is the text specific enough to identify a program? Words that every log has are not. */
static bool is_telling(struct od_view text)
{
    enum { LEAST_FLAG = 4, LEAST = 5, LEAST_WORD = 10 };
    bool joined = false;
    if (text.n > 0 && text.p[0] == '-')
        return text.n >= LEAST_FLAG;
    for (size_t i = 0; i < text.n; i++)
        joined = joined || strchr("_-.=%", text.p[i]);
    return text.n >= (joined ? LEAST : LEAST_WORD);
}

struct signs {
    struct od_map seen;
    struct od_buf *to;
};

static void emit_setting(struct signs *signs, const char *form)
{
    struct od_view text = form ? od_knob_fixed(form) : (struct od_view){0};
    if (!is_telling(text))
        return;
    uint64_t *seen = od_map_at(&signs->seen, text);
    if ((*seen)++ > 0)
        return;
    struct od_buf word = {0};
    od_buf_add(&word, text);
    od_buf_add_str(signs->to, "    {0, 0, ");
    od_text_emit(od_buf_str(&word), signs->to);
    od_buf_add_str(signs->to, "},\n");
    od_buf_done(&word);
}

/* Writes the marks of a program. A path needs a mark for each separator, because programs print
 * that of their system. */
static void emit_marks(const struct od_software *software, size_t i, char separator,
                       struct od_buf *to)
{
    for (size_t k = 0; k < software->nmarks; k++) {
        const struct od_software_mark *mark = &software->marks[k];
        bool path = mark->kind == OD_MARK_PATH && strchr(mark->text, '/');
        struct od_buf text = {0};
        od_buf_add_str(&text, mark->text);
        for (size_t at = 0; at < text.n; at++)
            text.p[at] = text.p[at] == '/' && path ? separator : text.p[at];
        if (mark->kind != OD_MARK_PROCESS && (path || separator == '/')) {
            od_buf_printf(to, "    {&software_%zu, &marks_%zu[%zu], ", i, i, k);
            od_text_emit(od_buf_str(&text), to);
            od_buf_add_str(to, "},\n");
        }
        od_buf_done(&text);
    }
}

static void emit_signs(const struct od_software_list *list, struct od_buf *to)
{
    struct signs signs = {.to = to};
    od_buf_add_str(to, "const struct od_sign od_shipped_signs[] = {\n");
    for (size_t i = 0; i < 2 * list->n; i++)
        emit_marks(list->items[i / 2], i / 2, i % 2 ? '\\' : '/', to);
    for (size_t i = 0; i < list->n; i++) {
        for (size_t k = 0; k < list->items[i]->nknobs; k++) {
            emit_setting(&signs, list->items[i]->knobs[k].flag);
            emit_setting(&signs, list->items[i]->knobs[k].also);
            emit_setting(&signs, list->items[i]->knobs[k].key);
            emit_setting(&signs, list->items[i]->knobs[k].env);
        }
    }
    od_buf_add_str(to, "    {0, 0, 0}};\n");
    od_map_done(&signs.seen);
}

/* Writes marks as separate tables, because signs point to them. */
static void emit_software(const struct od_software_list *list, struct od_buf *to)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct od_software *software = list->items[i];
        od_buf_printf(to, "static const struct od_software_mark marks_%zu[] = {\n", i);
        emit_rows(&od_mark_map, software->marks, software->nmarks, to);
        od_buf_printf(to,
                      "};\nstatic const struct od_software software_%zu = {.marks = marks_%zu, "
                      ".nmarks = %zu, ",
                      i, i, software->nmarks);
        emit_members(&od_software_map, (const char *)software, to);
        od_buf_add_str(to, "};\n");
    }
    emit_names("software", "struct od_software", list->n, to);
    emit_signs(list, to);
}

void od_shipped_emit(const struct od_shipped *shipped, struct od_buf *to)
{
    od_buf_add_str(to, "/* Made from the rule packs by rulec; not to be edited. */\n"
                       "#include \"rules/advice.h\"\n#include \"rules/cause_rows.h\"\n"
                       "#include \"rules/ruleset.h\"\n"
                       "#include \"rules/software.h\"\n#include \"rules/topics.h\"\n"
                       "#include \"rules/words.h\"\n\n");
    emit_list("packs", &od_pack_map, (const void *const *)shipped->packs, to);
    emit_list("advice", &od_advice_map, (const void *const *)shipped->advice, to);
    emit_list("causes", &od_cause_map, (const void *const *)shipped->causes, to);
    emit_list("topics", &od_topic_map, (const void *const *)shipped->topics, to);
    od_buf_add_str(to, "const struct od_invariants od_shipped_invariants = {");
    emit_members(&od_invariants_map, (const char *)shipped->invariants, to);
    od_buf_add_str(to, "};\n");
    emit_software(shipped->software, to);
    od_buf_add_str(to, "const struct od_lexicon od_shipped_lexicon = {");
    emit_members(&od_lexicon_map, (const char *)shipped->lexicon, to);
    od_buf_add_str(to, "};\nconst struct od_meanings od_shipped_meanings[] = {\n");
    emit_rows(&od_meanings_map, shipped->meanings, OD_SUBJECT_END, to);
    od_buf_add_str(to, "};\n");
}
