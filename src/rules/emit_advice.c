#include "rules/emit.h"

/* Names of tables: ad_<letter>_<advice>_<remedy>_<way>. */
struct place {
    size_t advice;
    size_t remedy;
    size_t how;
};

/* "     .field = "text"," or nothing. */
static void emit_field(const char *field, const char *text, struct od_buf *to)
{
    if (!text)
        return;
    od_buf_printf(to, "     .%s = ", field);
    od_text_emit(text, to);
    od_buf_add_str(to, ",\n");
}

static void emit_unless(const struct place *at, const struct od_advice_how *how, struct od_buf *to)
{
    if (how->nunless == 0)
        return;
    od_buf_printf(to, "static const struct od_advice_setting ad_u_%zu_%zu_%zu[] = {\n", at->advice,
                  at->remedy, at->how);
    for (size_t i = 0; i < how->nunless; i++) {
        od_buf_add_str(to, "    {");
        od_text_emit(how->unless[i].name, to);
        od_buf_add_str(to, ", ");
        od_text_emit(how->unless[i].value, to);
        od_buf_add_str(to, "},\n");
    }
    od_buf_add_str(to, "};\n");
}

static void emit_how(const struct place *at, const struct od_advice_how *how, struct od_buf *to)
{
    od_buf_add_str(to, "    {\n");
    emit_field("framework", how->framework, to);
    emit_field("since", how->since, to);
    emit_field("before", how->before, to);
    emit_field("text", how->text, to);
    emit_field("code", how->code, to);
    if (how->nunless > 0)
        od_buf_printf(to, "     .unless = ad_u_%zu_%zu_%zu,\n     .nunless = %zu,\n", at->advice,
                      at->remedy, at->how, how->nunless);
    od_buf_add_str(to, "    },\n");
}

static void emit_list(const char *field, const char *const *words, struct od_buf *to)
{
    if (!words)
        return;
    od_buf_printf(to, "     .%s = (const char *const[]){", field);
    for (; *words; words++) {
        od_text_emit(*words, to);
        od_buf_add_str(to, ", ");
    }
    od_buf_add_str(to, "0},\n");
}

static void emit_hows(struct place at, const struct od_advice_remedy *remedy, struct od_buf *to)
{
    if (remedy->nhow == 0)
        return;
    for (at.how = 0; at.how < remedy->nhow; at.how++)
        emit_unless(&at, &remedy->how[at.how], to);
    od_buf_printf(to, "static const struct od_advice_how ad_h_%zu_%zu[] = {\n", at.advice,
                  at.remedy);
    for (at.how = 0; at.how < remedy->nhow; at.how++)
        emit_how(&at, &remedy->how[at.how], to);
    od_buf_add_str(to, "};\n");
}

static void emit_remedies(struct place at, const struct od_advice *advice, struct od_buf *to)
{
    if (advice->nremedies == 0)
        return;
    for (at.remedy = 0; at.remedy < advice->nremedies; at.remedy++)
        emit_hows(at, &advice->remedies[at.remedy], to);
    od_buf_printf(to, "static const struct od_advice_remedy ad_r_%zu[] = {\n", at.advice);
    for (at.remedy = 0; at.remedy < advice->nremedies; at.remedy++) {
        const struct od_advice_remedy *remedy = &advice->remedies[at.remedy];
        od_buf_add_str(to, "    {\n");
        emit_field("id", remedy->id, to);
        emit_field("title", remedy->title, to);
        emit_field("named", remedy->named, to);
        emit_field("cost", remedy->cost, to);
        emit_field("figures", remedy->figures, to);
        emit_field("source", remedy->source, to);
        emit_list("knobs", remedy->knobs, to);
        emit_list("only", remedy->only, to);
        emit_field("space", remedy->space, to);
        emit_field("when", remedy->when, to);
        emit_field("phase", remedy->phase, to);
        emit_field("inference_cost", remedy->inference_cost, to);
        if (remedy->more)
            od_buf_add_str(to, "     .more = true,\n");
        if (remedy->nhow > 0)
            od_buf_printf(to, "     .how = ad_h_%zu_%zu,\n     .nhow = %zu,\n", at.advice,
                          at.remedy, remedy->nhow);
        od_buf_add_str(to, "    },\n");
    }
    od_buf_add_str(to, "};\n");
}

static void emit_vain(size_t i, const struct od_advice *advice, struct od_buf *to)
{
    if (advice->nvain == 0)
        return;
    od_buf_printf(to, "static const struct od_advice_vain ad_v_%zu[] = {\n", i);
    for (size_t k = 0; k < advice->nvain; k++) {
        od_buf_add_str(to, "    {\n");
        emit_field("title", advice->vain[k].title, to);
        emit_field("why", advice->vain[k].why, to);
        emit_field("framework", advice->vain[k].framework, to);
        od_buf_add_str(to, "    },\n");
    }
    od_buf_add_str(to, "};\n");
}

static void emit_advice(size_t i, const struct od_advice *advice, struct od_buf *to)
{
    emit_remedies((struct place){.advice = i}, advice, to);
    emit_vain(i, advice, to);
    od_buf_printf(to, "static const struct od_advice ad_%zu = {\n", i);
    emit_field("cause", advice->cause, to);
    emit_field("title", advice->title, to);
    emit_field("explain", advice->explain, to);
    emit_field("sure", advice->sure, to);
    emit_field("file", advice->file, to);
    if (advice->nremedies > 0)
        od_buf_printf(to, "     .remedies = ad_r_%zu,\n     .nremedies = %zu,\n", i,
                      advice->nremedies);
    if (advice->nvain > 0)
        od_buf_printf(to, "     .vain = ad_v_%zu,\n     .nvain = %zu,\n", i, advice->nvain);
    od_buf_add_str(to, "};\n\n");
}

void od_advice_emit(const struct od_advice *const *advice, size_t n, struct od_buf *to)
{
    od_buf_add_str(to, "\n#include \"rules/advice.h\"\n\n");
    for (size_t i = 0; i < n; i++)
        emit_advice(i, advice[i], to);
    od_buf_add_str(to, "const struct od_advice *const od_shipped_advice[] = {");
    for (size_t i = 0; i < n; i++)
        od_buf_printf(to, "&ad_%zu, ", i);
    od_buf_add_str(to, "NULL};\n");
}
