/*
 * Sentences that say that memory ran out, in anybody's words: who, refusal, thing, space, and sizes
 * whose roles the words around them tell, in any order. The words come from a lexicon
 * (facts/words.h). A sentence counts only as a statement of this run: one that asks, supposes,
 * warns, advises, quotes or remembers is none, nor is one of something else that ran out.
 */
#pragma once

#include "facts/event.h"
#include "facts/trace.h"
#include "facts/words.h"

/* Is that line of a log one of a document, such as a manual or a source? Near: among lines of one,
 * where a sentence without a mark of an error is not of this run. Within: it is one, by its form or
 * in the middle of a paragraph. */
enum od_document { OD_DOCUMENT_NONE, OD_DOCUMENT_NEAR, OD_DOCUMENT_WITHIN };
enum { OD_SENTENCE_SIZES = OD_F_PEAK - OD_F_REQUESTED + 1 };

struct od_sentence {
    enum od_event_kind kind;                  /* OD_EV_NONE: the text is no such sentence */
    struct od_view said;                      /* the words of the refusal */
    const char *space;                        /* as in events; NULL = not said */
    const char *producer;                     /* NULL = not told */
    struct od_bytes sizes[OD_SENTENCE_SIZES]; /* of the field OD_F_REQUESTED + i */
    struct od_view device;                    /* "GPU 1", "cuda:0"; empty = not said */
    bool supposed;                            /* the space: nothing in the text tells it */
    bool marked;                              /* as an error, and not only as what is said */
    bool strict;                              /* only numbers with a unit are sizes */
    int weight;                               /* of the words that speak for it, in hundredths */
};

/*
 * What a text says, of 4096 bytes at most from the first literal on and what stands before it.
 * Takes time in proportion to the text. Views point into text.
 */
struct od_sentence od_sentence_read(const struct od_lexicon *lexicon, struct od_view text);

/* Who prints such a text, by the marks of the lexicon; NULL = not told. */
const char *od_sentence_producer(const struct od_lexicon *lexicon, struct od_view text);

/* Is the text of an error on a device: "wgpu error: Validation Error"? */
bool od_sentence_blames_device(const struct od_lexicon *lexicon, struct od_view text);

/* Does the text end so near to words that may begin a refusal that one may go on in the next line?
 */
bool od_sentence_may_open(const struct od_lexicon *lexicon, struct od_view text);

/* Does the text report that memory ran out, though it is no message of a program: a title ("CUDA
 * out of memory during validation"), or a person ("I ran out of memory on the second GPU")? A
 * condition, a question and advice report nothing. */
bool od_sentence_reports(const struct od_lexicon *lexicon, struct od_view text, bool title);

/* Notes why the text is, or is no, such sentence: its tokens, each refusal, its signs. */
void od_sentence_explain(const struct od_lexicon *lexicon, struct od_view text,
                         const struct od_trace *trace);

/* The event of a sentence on that line. Its texts point into both. */
struct od_event od_sentence_event(const struct od_sentence *sentence, const struct od_line *line);

/* Gives an event that a rule made of the line the sizes that its sentence tells, where the rule
 * told none. */
void od_sentence_complete(const struct od_lexicon *lexicon, const struct od_line *line,
                          struct od_event *event);
