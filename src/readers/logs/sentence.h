/*
 * Recognizes sentences that report an exhausted memory in any wording: subject, refusal, thing,
 * memory, and sizes whose roles follow from the words around them, in any order. The words come
 * from a lexicon (facts/words.h). A sentence only counts if it states a failure of this run: one
 * that asks, supposes, warns, advises, quotes or recalls does not, and neither does one about
 * another resource.
 */
#pragma once

#include "facts/event.h"
#include "facts/trace.h"
#include "facts/words.h"

enum { OD_SENTENCE_SIZES = OD_F_PEAK - OD_F_REQUESTED + 1 };

struct od_sentence {
    enum od_event_kind kind; /* OD_EV_NONE: the text is not a sentence of this kind */
    struct od_view said;     /* the words of the refusal */
    const char *space;       /* as in events; NULL = not stated */
    const char *producer;    /* NULL = not known */
    struct od_bytes sizes[OD_SENTENCE_SIZES]; /* sizes[i] is the field OD_F_REQUESTED + i */
    struct od_view device;                    /* "GPU 1", "cuda:0"; empty = not stated */
    bool supposed;                            /* space is a guess */
    bool marked;                              /* marked as an error, as opposed to a plain
                                                 statement */
    bool strict;                              /* only numbers with a unit are sizes */
    int weight;                               /* weight of the evidence, in hundredths */
};

/* Reads at most 4096 bytes from the first literal on, and some text before it, in linear time.
 * Views point into text. */
struct od_sentence od_sentence_read(const struct od_lexicon *lexicon, struct od_view text);

/* Is the mark in the text? One that begins with a small letter begins a word or follows "lib": "sh:
 * " is not in "mesh: ". */
bool od_has_producer_mark(struct od_view text, const struct od_producer_mark *mark);

/* The program that prints a text of this kind, by the marks of the lexicon; NULL = not known. */
const char *od_sentence_producer(const struct od_lexicon *lexicon, struct od_view text);

/* Is it the text of a device error: "wgpu error: Validation Error"? */
bool od_sentence_blames_device(const struct od_lexicon *lexicon, struct od_view text);

/* Does the text end so close to words of a refusal that one may continue on the next line? */
bool od_sentence_may_open(const struct od_lexicon *lexicon, struct od_view text);

/* Does a title ("CUDA out of memory during validation") or a person ("I ran out of memory on the
 * second GPU") report that memory ran out? Conditions, questions and advice do not. */
bool od_sentence_reports(const struct od_lexicon *lexicon, struct od_view text, bool title);

/* Traces why the text is or is not a sentence of this kind: its tokens, each refusal, its signs. */
void od_sentence_explain(const struct od_lexicon *lexicon, struct od_view text,
                         const struct od_trace *trace);

/* The event of a sentence on that line. Its texts point into both. */
struct od_event od_sentence_event(const struct od_sentence *sentence, const struct od_line *line);

/* Adds the sizes in the line's sentence to an event that a rule made without them. */
void od_sentence_complete(const struct od_lexicon *lexicon, const struct od_line *line,
                          struct od_event *event);
