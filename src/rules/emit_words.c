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
