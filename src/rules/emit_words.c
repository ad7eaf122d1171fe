#include "rules/emit.h"
#include "rules/words.h"

#include <inttypes.h>

static void emit_words(const struct od_lexicon *lexicon, struct od_buf *to)
{
    od_buf_add_str(to, "static const struct od_word lx_words[] = {\n");
    for (size_t i = 0; i < lexicon->nwords; i++) {
        od_buf_add_str(to, "    {");
        od_text_emit(lexicon->words[i].text, to);
        od_buf_printf(to, ", UINT64_C(0x%" PRIx64 ")},\n", lexicon->words[i].classes);
    }
    od_buf_add_str(to, "};\nstatic const struct od_producer_mark lx_marks[] = {\n");
    for (size_t i = 0; i < lexicon->nmarks; i++) {
        od_buf_add_str(to, "    {");
        od_text_emit(lexicon->marks[i].text, to);
        od_buf_add_str(to, ", ");
        od_text_emit(lexicon->marks[i].producer, to);
        od_buf_add_str(to, "},\n");
    }
    od_buf_add_str(to, "};\nstatic const char *const lx_literals[] = {\n");
    for (size_t i = 0; i < lexicon->nliterals; i++) {
        od_buf_add_str(to, "    ");
        od_text_emit(lexicon->literals[i], to);
        od_buf_add_str(to, ",\n");
    }
    od_buf_add_str(to, "};\n");
}

/* Samples prove the lexicon when the project is built; the program does not need them. */
void od_words_emit(const struct od_lexicon *lexicon, struct od_buf *to)
{
    od_buf_add_str(to, "#include \"rules/words.h\"\n\n");
    emit_words(lexicon, to);
    od_buf_add_str(to, "const struct od_lexicon od_shipped_lexicon = {\n    .file = ");
    od_text_emit(lexicon->file, to);
    od_buf_printf(to,
                  ",\n    .words = lx_words, .nwords = %zu,\n    .marks = lx_marks, .nmarks = "
                  "%zu,\n    .literals = lx_literals, .nliterals = %zu,\n};\n",
                  lexicon->nwords, lexicon->nmarks, lexicon->nliterals);
}

static void emit_globs(const struct od_meaning_row *row, struct od_buf *to)
{
    if (row->nglobs == 0) {
        od_buf_add_str(to, "NULL, 0");
        return;
    }
    od_buf_add_str(to, "(const struct od_meaning_glob[]){");
    for (size_t i = 0; i < row->nglobs; i++) {
        const struct od_meaning_glob *glob = &row->globs[i];
        od_buf_add_str(to, "{");
        od_text_emit(glob->text, to);
        od_buf_printf(to, ", %u, %u, %d, %d}, ", glob->n, glob->pair, glob->before, glob->behind);
    }
    od_buf_printf(to, "}, %zu", row->nglobs);
}

void od_meanings_emit(const struct od_meanings meanings[static OD_SUBJECT_END], struct od_buf *to)
{
    od_buf_add_str(to, "\nconst struct od_meanings od_shipped_meanings[] = {\n");
    for (size_t i = 0; i < OD_SUBJECT_END; i++) {
        const struct od_meanings *m = &meanings[i];
        od_buf_printf(to, "    {%d, %d, (const struct od_meaning_row[]){\n", m->fold, m->path);
        for (size_t k = 0; k < m->nrows; k++) {
            const struct od_meaning_row *row = &m->rows[k];
            od_buf_printf(to, "        {%u, %u, UINT64_C(0x%" PRIx64 "), UINT64_C(0x%" PRIx64 "), ",
                          row->meaning, (unsigned)row->field, row->with, row->except);
            emit_globs(row, to);
            od_buf_add_str(to, "},\n");
        }
        od_buf_printf(to, "    {0}}, %zu},\n", m->nrows);
    }
    od_buf_add_str(to, "};\n");
}
