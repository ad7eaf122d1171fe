/* The parts of the outline; each adds its sections, or none when it has nothing to say. */
#pragma once

#include "report/doc.h"
#include "report/report.h"

enum {
    OD_OUTLINE_BLOCKS = 3,  /* remedies with their commands on one screen */
    OD_OUTLINE_ROWS = 1000, /* rows of one table in a verbose report; further rows are counted */
    OD_OUTLINE_FOLDED = 100 /* rows of one table that is folded away */
};

/* What the picture below the answer is. */
enum od_picture_kind {
    OD_PICTURE_NONE,
    OD_PICTURE_BAR,
    OD_PICTURE_STRIP,
    OD_PICTURE_COURSE,
    OD_PICTURE_HISTORY
};

/* What the document refers to: a line, and the words of it that are known. */
struct od_cited {
    struct od_prov at;
    struct od_view text; /* may be empty */
};

/*
 * The level of detail: one screen (neither verbose nor folds), everything (verbose), or one screen
 * with the rest folded (folds). Parts that are not for a screen test `all`.
 */
struct od_outline {
    struct od_doc *doc;
    struct od_arena *arena; /* arena of doc */
    const struct od_report *report;
    const struct od_case *c;
    const struct od_diagnosis *diagnosis;
    const struct od_incident *incident;   /* the decisive one; NULL = none */
    const struct od_allocator *allocator; /* the decisive one; NULL = none */
    bool verbose;
    bool unicode;
    bool folds;
    bool all; /* verbose or folds */
    bool why;
    bool of_run;                    /* no file was read */
    bool of_page;                   /* the log was pasted */
    size_t rows;                    /* most rows of a table that is not on the first screen */
    bool cause_stated;              /* the headline states the most likely cause */
    bool quoted;                    /* the failure's own lines have been quoted */
    const struct od_section *lines; /* the section of further lines of the log; NULL = none */
    enum od_picture_kind picture;
    const struct od_series *drawn; /* the series in the picture; NULL = none */
    OD_VEC(struct od_cited) cited;
};

/* "line 123" with a reference to it; text: the text of the line, if known. */
void od_outline_refer(struct od_outline *outline, struct od_text *words, struct od_prov at,
                      struct od_view text);

void od_outline_refer_cell(struct od_outline *outline, struct od_cell *cell, struct od_prov at);

/* " See line 3, line 17." of evidence. Nothing where there is none. */
void od_outline_said_at(struct od_outline *outline, struct od_text *words,
                        const struct od_evidence *evidence, size_t n);

/* A line of the log as a quotation. */
void od_outline_quote(struct od_outline *outline, struct od_section *section,
                      const struct od_evidence *evidence);

/* "line 3: ..." in a text: the place and the beginning of a line. */
void od_outline_say_line(struct od_outline *outline, struct od_text *text,
                         const struct od_evidence *evidence);

/* After the quotations of the failure: lines of the log that tell more, each once. */
void od_outline_telling(struct od_outline *outline);

/* Numbers of the text that size the run's memory, but for those that the report states or quotes.
 */
void od_outline_mentions(struct od_outline *outline);

/* The sentences and clauses that state something new: without those with amounts all of which the
 * document states already. Empty if nothing is left. */
const char *od_outline_new(struct od_outline *outline, const char *sentences);

/* The summary of a cause without what the headline says of the request, the limit and the cause;
 * empty if nothing is left. */
const char *od_outline_after_headline(struct od_outline *outline, const struct od_finding *finding);

/* The end of the document: the cited lines of the log with their neighbors. */
void od_outline_excerpt(struct od_outline *outline);

/* The log as an operand of a command: its name, or LOG where there are several or a shell would not
 * take the name as it is. */
const char *od_outline_operand(const struct od_report *report);

/* The commands that would decide what is open; and what was lost. */
void od_outline_decide(struct od_outline *outline);
void od_outline_lost(struct od_outline *outline);

/* Why it failed: the best finding; and the others. */
void od_outline_why(struct od_outline *outline);
void od_outline_also(struct od_outline *outline);

/* --why: each number with its formula, its inputs and its lines. */
void od_outline_numbers(struct od_outline *outline);

/* Which log, when, of which program and device: above the headline, where the medium has room. */
void od_outline_facts(struct od_outline *outline);

/* The name of an allocator, or "the allocator". */
static inline const char *od_outline_name(const struct od_outline *outline,
                                          const struct od_allocator *a)
{
    return a->name.n > 0 ? od_arena_str(outline->arena, a->name) : "the allocator";
}

/* Where the memory went: a table that closes with the allocator's limit, or what was printed. */
void od_outline_memory(struct od_outline *outline, const struct od_allocator *a);
void od_outline_incident_memory(struct od_outline *outline);

/* The memory in use by role, in bytes; the rows sum to in_use. */
struct od_role_row {
    enum od_role role;
    const char *what;
    uint64_t bytes;
};

struct od_role_rows {
    struct od_role_row list[OD_ROLES + 1];
    size_t n;
};

/* False when the roles of most of it are not known. */
bool od_outline_roles(const struct od_outline *outline, const struct od_allocator *a,
                      uint64_t in_use, struct od_role_rows *ret_rows);

/* With -v, a sentence: the memory held at any batch size, and the memory held by each sample. */
void od_outline_say_holding(struct od_outline *outline, struct od_section *section,
                            const struct od_allocator *a);

/* With -v: each size in use, and the tensors that it can be. */
void od_outline_sizes(struct od_outline *outline, const struct od_allocator *a);

/* The address space of an allocator, with the request at its largest hole. */
void od_outline_strip(struct od_outline *outline, const struct od_allocator *a);

/* The largest blocks with their stacks, where there are some. */
void od_outline_blocks(struct od_outline *outline, const struct od_allocator *a);

/* What loading takes of the host, where that failed. */
void od_outline_host(struct od_outline *outline);

/* The numbers of a text that is no log; memory that a release leaves reserved. */
void od_outline_stated(struct od_outline *outline);
void od_outline_kept(struct od_outline *outline);

/* The largest buffers that a compiler planned; what each phase adds to the peak. */
void od_outline_plan_buffers(struct od_outline *outline);
void od_outline_phases(struct od_outline *outline);

/* Memory and time over the run: what grows, and whether what failed did. */
void od_outline_series(struct od_outline *outline);
/* The series of a run that did not fail whose memory grows most; NULL = none. */
const struct od_series *od_outline_growing(const struct od_outline *outline);

/* The same as a clause: "memory in use grows steadily: 1 GiB to 2 GiB"; empty when there is none.
 */
const char *od_outline_growth(const struct od_outline *outline);

/* Growth that a text reports, as a sentence in the text's words or numbers; empty without one. */
const char *od_outline_growth_told(const struct od_outline *outline);

/* What fits: the batch, fixed and per-sample memory, and which fact would tell more. */
void od_outline_answer(struct od_outline *outline);

/* What to do, what it gives and costs, and what does not help. */
void od_outline_advice(struct od_outline *outline);

/* The remedies after the first, on a terminal or in a file. */
void od_outline_further(struct od_outline *outline);

/* Other incidents and allocator dumps. */
void od_outline_others(struct od_outline *outline);

/* How far to trust it: checks, contradictions, what could not be read. And what to type next. */
void od_outline_trust(struct od_outline *outline);
void od_outline_next(struct od_outline *outline);

/* If nothing failed: a model that the log prints, and the command that plans it. */
void od_outline_models(struct od_outline *outline);

/* "51 × php-cgi", "files in memory": a part of the account. */
const char *od_outline_held_words(const struct od_outline *outline, const struct od_held *held);

/* Each adds a section, and says whether there was something to draw. */
bool od_outline_bar(struct od_outline *outline);
bool od_outline_course(struct od_outline *outline);

/* What the allocator recorded of itself; first: as the picture beside the answer. */
bool od_outline_history(struct od_outline *outline, const struct od_allocator *a, bool first);

/*
 * The first sentences of a report: where memory ran out, the request, what was free; then the
 * likely cause (doc/writing.md). Printed sizes have three significant digits; exact bytes are in
 * the tables of the report and in JSON.
 */
/* Adds the headline to text. */
void od_headline_add(struct od_outline *outline, struct od_text *text);

/* Its first sentence: what happened. outline needs no document; in its arena. */
const char *od_headline_event(const struct od_outline *outline);

/* What was asked for: the request, else the tensor that it was for. */
struct od_bytes od_headline_request(const struct od_incident *incident);

/* Of another failure than memory's: the words of the error in its line, so many bytes of them at
 * most; empty where there is none. */
enum { OD_HEADLINE_ERROR = 240 };
struct od_view od_headline_error(const struct od_diagnosis *diagnosis);

/* A file of an allocator's state alone, taken while nothing failed? */
bool od_headline_is_snapshot(const struct od_outline *outline);

/* Numbers of memory in sentences and tables, and nothing that a run prints. */
bool od_headline_is_prose(const struct od_outline *outline);

/* Was nothing read that more could be said of? */
bool od_headline_is_all(const struct od_outline *outline);
