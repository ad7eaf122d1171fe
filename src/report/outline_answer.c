/* What fits: the answer in a sentence or two, and what it rests on. */
#include "report/outline_parts.h"

#include "report/words.h"

static void say_batch(struct od_outline *outline, struct od_text *text,
                      const struct od_answer *answer)
{
    struct od_arena *arena = outline->arena;
    if (answer->largest.known)
        od_doc_say(outline->doc, text, OD_STRONG, "The largest batch that fits is about %s",
                   od_words_count(arena, answer->largest.n));
    else if (answer->below.known)
        od_doc_say(outline->doc, text, OD_STRONG, "A batch below %s fits",
                   od_words_count(arena, answer->below.n));
    else
        return;
    if (answer->largest.known && answer->lo.known && answer->hi.known)
        od_doc_say(outline->doc, text, OD_PLAIN, " (90 %%: %s to %s)",
                   od_words_count(arena, answer->lo.n), od_words_count(arena, answer->hi.n));
    if (answer->batch.known)
        od_doc_say(outline->doc, text, OD_PLAIN, "; %s was tried",
                   od_words_count(arena, answer->batch.n));
    if (answer->recommended.known) {
        od_doc_say(outline->doc, text, OD_PLAIN, ". Safe: ");
        od_doc_say(outline->doc, text, OD_STRONG, "%s",
                   od_words_count(arena, answer->recommended.n));
    }
    if (answer->recommended.known && answer->accumulation.known && answer->accumulation.n > 1)
        od_doc_say(outline->doc, text, OD_PLAIN, ", gradients of %s batches added up",
                   od_words_count(arena, answer->accumulation.n));
    od_doc_say(outline->doc, text, OD_PLAIN, ".");
}

void od_outline_answer(struct od_outline *outline, struct od_section *section)
{
    const struct od_answer *answer = outline->report->answer;
    if (!answer || (!answer->largest.known && !answer->below.known))
        return;
    struct od_text *text = od_doc_text(outline->doc, section);
    say_batch(outline, text, answer);
    if (!outline->all)
        return;
    if (answer->basis)
        od_doc_say(outline->doc, text, OD_DIM, " Told from: %s.", answer->basis);
    if (answer->narrow)
        od_doc_say(outline->doc, text, OD_DIM, " It would be narrower with: %s.", answer->narrow);
}
