/*
 * Of each line of the input the signs that weigh for or against its stating a failure, each behind
 * a tab; an empty line where nothing in it can be a refusal. Of a text of several lines \x01 parts
 * them.
 */
#include "base/code_line.h"
#include "readers/logs/sentence_parts.h"
#include "rules/words.h"

#include <stdio.h>
#include <string.h>

static void tell(void *self, struct od_view sign)
{
    (void)self;
    (void)putchar('\t');
    for (size_t i = 0; i < sign.n; i++)
        (void)putchar(sign.p[i] == '\t' || sign.p[i] == '\n' ? ' ' : sign.p[i]);
}

static bool has_literal(struct od_view text)
{
    for (size_t i = 0; i < od_shipped_lexicon.nliterals; i++) {
        if (od_view_has(text, od_view_of(od_shipped_lexicon.literals[i])))
            return true;
    }
    return false;
}

/* Those of the first refusal that may be stated. */
static void tell_signs(struct od_view text)
{
    struct od_tokens tokens;
    struct od_refusal refusal;
    if (od_is_code_line(text) || !has_literal(text))
        return;
    od_tokens_read(&tokens, &od_shipped_lexicon, text);
    for (size_t n = 0; od_refusal_next(&tokens, &n, &refusal);) {
        enum od_statement stated = od_refusal_stated(&tokens, &refusal);
        struct od_sentence sentence = {.kind = OD_EV_ALLOC_FAILED,
                                       .marked = stated == OD_STATED_AS_ERROR};
        if (stated == OD_STATED_NOT)
            continue;
        if (stated == OD_STATED_HANDLED)
            return;
        od_sentence_sizes(&tokens, &refusal, &sentence);
        od_sentence_signs(&tokens, &refusal, &sentence, &(struct od_sign_sink){.tell = tell});
        return;
    }
}

int main(void)
{
    static char line[65536];
    while (fgets(line, sizeof line, stdin)) {
        for (char *part = line; (part = strchr(part, '\x01')) != NULL;)
            *part = '\n';
        tell_signs(od_view_trim(od_view_of(line)));
        (void)putchar('\n');
    }
    return 0;
}
