/* The catalogue of software as C, and the list of what is looked for in lines. */
#include "base/map.h"
#include "base/text.h"
#include "rules/emit.h"

#include <string.h>

static void emit_field(const char *field, const char *text, struct od_buf *to)
{
    if (!text)
        return;
    od_buf_printf(to, ".%s = ", field);
    od_text_emit(text, to);
    od_buf_add_str(to, ", ");
}

static void emit_texts(char letter, size_t i, const char *const *texts, struct od_buf *to)
{
    if (!texts)
        return;
    od_buf_printf(to, "static const char *const sw_%c_%zu[] = {", letter, i);
    for (; *texts; texts++) {
        od_text_emit(*texts, to);
        od_buf_add_str(to, ", ");
    }
    od_buf_add_str(to, "0};\n");
}

static void emit_marks(size_t i, const struct od_software *software, struct od_buf *to)
{
    od_buf_printf(to, "static const struct od_software_mark sw_m_%zu[] = {\n", i);
    for (size_t k = 0; k < software->nmarks; k++) {
        od_buf_printf(to, "    {(enum od_mark_kind)%u, ", (unsigned)software->marks[k].kind);
        od_text_emit(software->marks[k].text, to);
        od_buf_add_str(to, ", ");
        emit_field("knob", software->marks[k].knob, to);
        od_buf_printf(to, ".more = %s},\n", software->marks[k].more ? "true" : "false");
    }
    od_buf_add_str(to, "};\n");
}

static void emit_knobs(size_t i, const struct od_software *software, struct od_buf *to)
{
    od_buf_printf(to, "static const struct od_knob sw_k_%zu[] = {\n", i);
    for (size_t k = 0; k < software->nknobs; k++) {
        const struct od_knob *knob = &software->knobs[k];
        od_buf_add_str(to, "    {");
        emit_field("name", knob->name, to);
        emit_field("flag", knob->flag, to);
        emit_field("key", knob->key, to);
        emit_field("env", knob->env, to);
        emit_field("set", knob->set, to);
        emit_field("code", knob->code, to);
        emit_field("since", knob->since, to);
        emit_field("before", knob->before, to);
        emit_field("value", knob->value, to);
        emit_field("remark", knob->remark, to);
        emit_field("source", knob->source, to);
        od_buf_printf(to, ".less = (enum od_less)%u, .checked = %s},\n", (unsigned)knob->less,
                      knob->checked ? "true" : "false");
    }
    od_buf_add_str(to, "};\n");
}

static void emit_software(size_t i, const struct od_software *software, struct od_buf *to)
{
    emit_texts('o', i, software->over, to);
    emit_texts('s', i, software->systems, to);
    emit_marks(i, software, to);
    emit_knobs(i, software, to);
    od_buf_printf(to, "static const struct od_software sw_%zu = {", i);
    emit_field("name", software->name, to);
    emit_field("title", software->title, to);
    emit_field("file", software->file, to);
    od_buf_printf(to, ".sort = (enum od_sort)%u, ", (unsigned)software->sort);
    if (software->over)
        od_buf_printf(to, ".over = sw_o_%zu, ", i);
    if (software->systems)
        od_buf_printf(to, ".systems = sw_s_%zu, ", i);
    od_buf_printf(to, ".marks = sw_m_%zu, .nmarks = %zu, .knobs = sw_k_%zu, .nknobs = %zu};\n\n", i,
                  software->nmarks, i, software->nknobs);
}

/* --- signs --- */

/* A word that stands in every log is no sign of anything. */
static bool is_telling(struct od_view text)
{
    enum { LEAST_FLAG = 4, LEAST = 5, LEAST_WORD = 10 };
    bool joined = false;
    if (text.n > 0 && text.p[0] == '-')
        return text.n >= LEAST_FLAG;
    for (size_t i = 0; i < text.n; i++)
        joined = joined || strchr("_-.=", text.p[i]);
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

static void emit_signs(const struct od_software_list *list, struct od_buf *to)
{
    struct signs signs = {.to = to};
    od_buf_add_str(to, "const struct od_sign od_shipped_signs[] = {\n");
    for (size_t i = 0; i < list->n; i++) {
        for (size_t k = 0; k < list->items[i]->nmarks; k++) {
            const struct od_software_mark *mark = &list->items[i]->marks[k];
            if (mark->kind == OD_MARK_PROCESS)
                continue;
            od_buf_printf(to, "    {&sw_%zu, &sw_m_%zu[%zu], ", i, i, k);
            od_text_emit(mark->text, to);
            od_buf_add_str(to, "},\n");
        }
    }
    for (size_t i = 0; i < list->n; i++) {
        for (size_t k = 0; k < list->items[i]->nknobs; k++) {
            emit_setting(&signs, list->items[i]->knobs[k].flag);
            emit_setting(&signs, list->items[i]->knobs[k].key);
            emit_setting(&signs, list->items[i]->knobs[k].env);
        }
    }
    od_buf_add_str(to, "    {0, 0, 0}};\n");
    od_map_done(&signs.seen);
}

void od_software_emit(const struct od_software_list *list, struct od_buf *to)
{
    od_buf_add_str(to, "\n#include \"rules/software.h\"\n\n");
    for (size_t i = 0; i < list->n; i++)
        emit_software(i, list->items[i], to);
    od_buf_add_str(to, "const struct od_software *const od_shipped_software[] = {");
    for (size_t i = 0; i < list->n; i++)
        od_buf_printf(to, "&sw_%zu, ", i);
    od_buf_add_str(to, "0};\n");
    emit_signs(list, to);
}
