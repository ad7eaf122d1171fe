/* The parts of the outline. Each adds its sections, or none if it has nothing to say. */
#pragma once

#include "report/doc.h"
#include "report/report.h"

enum {
    OD_OUTLINE_BLOCKS = 3,  /* remedies with commands on one screen */
    OD_OUTLINE_ROWS = 1000, /* rows of one table in a verbose report; further rows are counted */
    OD_OUTLINE_FOLDED = 100 /* rows of one table that is folded away */
};

/* The kind of picture below the answer. */
enum od_picture_kind {
    OD_PICTURE_NONE,
    OD_PICTURE_BAR,
    OD_PICTURE_STRIP,
    OD_PICTURE_COURSE,
    OD_PICTURE_HISTORY
};

/* A reference to a line of the log, with the line's text if known. */
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
    const char *(*locate)(struct od_view file, const char *log, struct od_arena *arena);
    bool of_run;       /* no file was read */
    bool of_page;      /* the log was pasted into a page */
    size_t rows;       /* most rows of a table that is not on the first screen */
    bool cause_stated; /* the headline states the most likely cause */
    bool quoted;       /* the failure's own lines have been quoted */
    enum od_picture_kind picture;
    const struct od_series *drawn; /* the series in the picture; NULL = none */
    OD_VEC(struct od_cited) cited;
};

/* Adds "line 123" with a reference; text: the text of the line, if known. */
void od_outline_refer(struct od_outline *outline, struct od_text *words, struct od_prov at,
                      struct od_view text);

void od_outline_refer_cell(struct od_outline *outline, struct od_cell *cell, struct od_prov at);

/* The address of a file that a line of that source names, for links; NULL = none. */
const char *od_outline_locate(const struct od_outline *outline, struct od_view file,
                              uint32_t source);

/* Adds " See line 3, line 17." for evidence; nothing if there is none. */
void od_outline_said_at(struct od_outline *outline, struct od_text *words,
                        const struct od_evidence *evidence, size_t n);

/* Adds a line of the log as a quotation. */
void od_outline_quote(struct od_outline *outline, struct od_section *section,
                      const struct od_evidence *evidence);

/* The text of a quotation: whole if it has no more bytes than that, otherwise its key_lines part,
 * of `most` bytes at most, with "…" on the sides where something is left out. */
struct od_view od_outline_quoted(const struct od_outline *outline, struct od_view text,
                                 size_t whole, size_t most);

/* Adds "line 3: ..." to a text: the place and the start of a line. */
void od_outline_say_line(struct od_outline *outline, struct od_text *text,
                         const struct od_evidence *evidence);

/* Adds further informative lines of the log after the quoted failure, each once. */
void od_outline_key_lines(struct od_outline *outline);

/* Adds the most informative numbers of the log (facts/mention.h) that are not stated yet. */
void od_outline_mentions(struct od_outline *outline);

/* Drops sentences and clauses whose amounts the document has stated already. Returns "" if nothing
 * is left. */
const char *od_outline_new(struct od_outline *outline, const char *sentences);

/* Drops marked parts of the sentences that the report has stated (request, limit, cause). Returns
 * "" if nothing is left. */
const char *od_outline_unstated(struct od_outline *outline, const char *sentences,
                                const struct od_claimed_parts *parts);

/* Does a sentence of ours contain that name? */
bool od_outline_names(const char *sentence, const char *name);

/* Adds the cited lines of the log with their neighbors, at the end of the document. */
void od_outline_excerpt(struct od_outline *outline);

/* The log as an operand of a command: its name, or LOG if there are several logs or a shell would
 * change the name. */
const char *od_outline_operand(const struct od_report *report);

/* Adds the commands that decide open questions, and the work that was lost. */
void od_outline_decide(struct od_outline *outline);

/* The commands that decide an open question, if the first remedy runs the same program: the
 * remedy's block then shows them. NULL = none. */
const char *od_outline_decide_in_block(struct od_outline *outline);
void od_outline_lost(struct od_outline *outline);

/* Adds why the run failed: the best finding, then the others. */
void od_outline_why(struct od_outline *outline);
void od_outline_also(struct od_outline *outline);

/* --why: each number with its formula, its inputs and its lines. */
void od_outline_numbers(struct od_outline *outline);

/* Adds which log this is, of which time, program and device. Shown above the headline if the medium
 * has room. */
void od_outline_facts(struct od_outline *outline);

/* The name of an allocator, or "the allocator". */
static inline const char *od_outline_name(const struct od_outline *outline,
                                          const struct od_allocator *a)
{
    return a->name.n > 0 ? od_arena_str(outline->arena, a->name) : "the allocator";
}

/* Adds where the memory went: a table that sums to the allocator's limit, or the printed
 * numbers. */
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

/* False if the roles of most of the memory are unknown. */
bool od_outline_roles(const struct od_outline *outline, const struct od_allocator *a,
                      uint64_t in_use, struct od_role_rows *ret_rows);

/* With -v, a sentence: the memory held at any batch size, and the memory held by each sample. */
void od_outline_say_holding(struct od_outline *outline, struct od_section *section,
                            const struct od_allocator *a);

/* With -v: each size in use, and the tensors that it can be. */
void od_outline_sizes(struct od_outline *outline, const struct od_allocator *a);

/* Adds the address space of an allocator, with the request at its largest hole. */
void od_outline_strip(struct od_outline *outline, const struct od_allocator *a);

/* Adds the largest blocks with their stacks, if there are any. */
void od_outline_blocks(struct od_outline *outline, const struct od_allocator *a);

/* Adds the memory of data loading on the host, if that failed. */
void od_outline_host(struct od_outline *outline);

/* Adds the numbers of a text that is not a log, and memory that a release left reserved. */
void od_outline_stated(struct od_outline *outline);

/* The topic (rules/topics.h) about which a person asks or, if nothing was found, that a person
 * mentions; NULL = none. */
const struct od_topic *od_outline_topic(const struct od_outline *outline,
                                        const struct od_run_event *moment);
void od_outline_topics(struct od_outline *outline);
void od_outline_kept(struct od_outline *outline);

/* Adds the largest buffers that a compiler planned, and what each phase adds to the peak. */
void od_outline_plan_buffers(struct od_outline *outline);
void od_outline_phases(struct od_outline *outline);

/* Adds memory and time over the run: growing series, and the memory that failed. */
void od_outline_series(struct od_outline *outline);
/* The series with the largest growth in a run that did not fail; NULL = none. */
const struct od_series *od_outline_growing(const struct od_outline *outline);

/* The largest growth as a clause: "memory in use grows steadily: 1 GiB to 2 GiB"; empty = none. */
const char *od_outline_growth(const struct od_outline *outline);

/* Growth that people report, as a sentence with their words or numbers; empty = none. */
const char *od_outline_growth_told(const struct od_outline *outline);

/* Adds what fits: the batch, fixed and per-sample memory, and the missing fact. */
void od_outline_answer(struct od_outline *outline);

/* Adds what to do, its effect and cost, and what does not help. */
void od_outline_advice(struct od_outline *outline);

/* Adds the remedies after the first, for a terminal or a file. */
void od_outline_further(struct od_outline *outline);

/* Other incidents and allocator dumps. */
void od_outline_others(struct od_outline *outline);

/* Adds how far to trust the report (checks, contradictions, unread parts), and the next command. */
void od_outline_trust(struct od_outline *outline);
void od_outline_next(struct od_outline *outline);

/* If nothing failed: adds a model that the log prints, and the command that plans it. */
void od_outline_models(struct od_outline *outline);

/* "51 × php-cgi", "files in memory": a part of the account. */
const char *od_outline_held_words(const struct od_outline *outline, const struct od_held *held);

/* Each returns whether it had something to draw. */
bool od_outline_bar(struct od_outline *outline);
bool od_outline_course(struct od_outline *outline);

/* What the allocator recorded about itself; first: as the picture next to the answer. */
bool od_outline_history(struct od_outline *outline, const struct od_allocator *a, bool first);

/*
 * The first sentences of a report: where memory ran out, the request, what was free; then the
 * likely cause (doc/writing.md). Printed sizes have three significant digits; exact bytes are in
 * the tables of the report and in JSON.
 */
void od_headline_add(struct od_outline *outline, struct od_text *text);

/* Its first sentence: what happened. outline needs no document; in its arena. */
const char *od_headline_event(const struct od_outline *outline);

/* The requested bytes; if unknown, those of the tensor. */
struct od_bytes od_headline_request(const struct od_incident *incident);

/* The words of an error that is not about memory, cut to this many bytes; empty = none. */
enum { OD_HEADLINE_ERROR = 240 };
struct od_view od_headline_error(const struct od_diagnosis *diagnosis);

/* Is it a file of an allocator's state, recorded while nothing failed? */
bool od_headline_is_snapshot(const struct od_outline *outline);

/* Is it text with numbers of memory, and no output of a run? */
bool od_headline_is_prose(const struct od_outline *outline);

/* Does the headline say all that is known? */
bool od_headline_is_all(const struct od_outline *outline);
