/*
 * A document: the contents of a report, in order, independent of the output format. Every format
 * for people renders the same tree: sections of nodes, and details, which contain no further
 * details. The first text of the first section is the headline of the document.
 *
 * Texts are unescaped bytes, including text of the log. A renderer escapes them for its medium as
 * the last step (base/text.h). The document's arena owns everything; texts passed as views must
 * live as long as the arena, formatted texts are copied.
 */
#pragma once

#include "facts/prov.h"

enum od_tone { OD_PLAIN, OD_STRONG, OD_CODE, OD_DIM, OD_GOOD, OD_BAD, OD_TONES };

struct od_span {
    enum od_tone tone;
    struct od_view text;
    struct od_prov at;   /* the place of the quoted text; line 0 = unknown */
    const char *address; /* address of the file that the text names; NULL = no link */
    struct od_span *next;
};

/* Running text; also an item of a list. */
struct od_text {
    struct od_arena *arena; /* the document's arena, as in all parts of a document */
    struct od_span *first, *last;
    struct od_text *next; /* next item of a list */
};

enum od_column_kind { OD_COLUMN_LEFT, OD_COLUMN_RIGHT, OD_COLUMN_BAR };

struct od_column {
    const char *title;
    enum od_column_kind kind;
};

struct od_cell {
    enum od_tone tone;
    struct od_view text;
    double part;       /* filled part of a bar, 0..1 */
    struct od_prov at; /* place of the quoted text; line 0 = unknown */
};

struct od_row {
    struct od_cell *cells; /* one for each column */
    bool total;            /* the sum of the rows above */
    struct od_row *next;
};

enum { OD_COLUMNS_MAX = 8 };

/* A table. All numbers of a column have the unit that its title names. */
struct od_table {
    struct od_arena *arena;
    const char *caption; /* NULL: the section's title is the caption */
    bool searched;       /* long: HTML adds a search field for its rows */
    struct od_column columns[OD_COLUMNS_MAX];
    size_t ncolumns;
    struct od_row *first, *last;
};

/* A mark on a bar. Start and length are parts of the bar; a length above 1 does not fit. */
struct od_mark {
    const char *label;
    enum od_tone tone;
    double start, length;
};

/* The kinds of parts of a bar. Every medium draws each kind in its own way. */
enum od_fill { OD_FILL_USED, OD_FILL_BASE, OD_FILL_HELD, OD_FILL_OTHERS, OD_FILL_FREE, OD_FILLS };

/* The number of shades in which neighboring parts of one kind are drawn. */
enum { OD_SHADES = 3 };

struct od_bar_part {
    struct od_view label; /* "activations 7.90 GiB" */
    enum od_fill fill;
    unsigned shade; /* given by od_doc_bar_part */
    bool again;     /* an earlier part has the same label and look; set by od_doc_bar_part */
    double length;  /* part of the bar, 0..1 */
    struct od_bar_part *next;
};

/* A bar that shows the parts of a memory. */
struct od_bar {
    struct od_arena *arena;
    const char *title; /* title of the bar, "GPU 0, 9.63 GiB" */
    bool small;        /* the text next to it says the same, so plain text leaves it out */
    double whole; /* part of the bar at which the memory ends; the request may extend past it */
    struct od_bar_part *first, *last;
    struct od_mark request; /* label NULL: none */
};

enum { OD_PLOT_POINTS = 240 };

/* A curve of memory over the run, with a forecast. Levels and places are fractions of the axes,
 * 0..1. */
struct od_plot {
    const char *title;
    double levels[OD_PLOT_POINTS]; /* highest level of each stretch */
    size_t n;
    double drawn;    /* fraction of the run's axis that the points cover */
    double forecast; /* forecast level at the end of the axis; negative: no forecast */
    double limit;    /* negative: not known */
    double failed;   /* place of the failure; negative: the run did not fail */
    const char *top, *half, *bottom; /* labels of the levels 1, 0.5 and 0 */
    const char *from, *to;           /* labels of the ends of the run's axis */
    const char *note;                /* NULL = none */
    bool grows;                      /* the memory leaks: drawn in the color of bad news */
};

/* A quotation from the log, with its place. */
struct od_quote {
    const char *file;
    const char *address; /* of that file, for links; NULL = none */
    struct od_prov at;   /* line 0 = not known */
    struct od_view text;
};

/* A line of an excerpt. */
struct od_log_line {
    const char *file;
    struct od_prov at;
    struct od_view text;
    bool cited; /* false: context of a cited line */
};

/* The lines of the log that the document refers to, each once, by source and line. */
struct od_excerpt {
    struct od_log_line *lines;
    size_t n;
};

struct od_picture;
struct od_redactor;

enum od_node_kind {
    OD_NODE_TEXT,
    OD_NODE_LIST,
    OD_NODE_TABLE,
    OD_NODE_BAR,
    OD_NODE_PLOT,
    OD_NODE_QUOTE,
    OD_NODE_CODE,
    OD_NODE_FIGURE,  /* media without pictures leave it out */
    OD_NODE_CARD,    /* a remedy: title, effect, command */
    OD_NODE_DETAILS, /* folded if the medium can fold */
    OD_NODE_EXCERPT  /* the document's excerpt; plain text leaves it out */
};

struct od_node {
    struct od_arena *arena;
    enum od_node_kind kind;
    struct od_node *next;
    struct od_text *text; /* the text of a text node; the first item of a list */
    struct od_text *text_last;
    struct od_table *table;
    struct od_bar *bar;
    struct od_plot *plot;
    struct od_quote quote;
    const char *code; /* lines to paste, neither wrapped nor cut */
    const struct od_picture *picture;
    struct od_section
        *details; /* contents of a card or of folded details, whose title stays visible */
};

struct od_section {
    struct od_arena *arena;
    bool picture;       /* a picture, placed next to the headline if the medium is wide */
    const char *title;  /* NULL: no heading, as in the first section */
    const char *source; /* where the remedy of this card is documented; NULL = unknown */
    bool indented;      /* continues the previous section: no heading, indented like its text */
    bool folded;        /* the whole section is folded, if the medium can fold */
    const char
        *part; /* its name in the list of parts left out on a low terminal; NULL: never left out */
    unsigned rank; /* sections with a name are left out in order of falling rank */
    struct od_node *first, *last;
    struct od_section *next;
};

struct od_doc {
    struct od_arena *arena;
    struct od_section *first, *last;
    enum od_tone tone; /* tone of the headline: good news or bad */
    struct od_node
        *facts; /* a list that says which log this is: name, time, program; NULL = none */
    struct od_excerpt excerpt;
};

/* The caller calls od_doc_free. */
struct od_doc *od_doc_new(void);
void od_doc_free(struct od_doc *doc);

/* Appends a section; title may be NULL and must live as long as the document. */
struct od_section *od_doc_section(struct od_doc *doc, const char *title);

/* Each appends a node to the section. */
struct od_text *od_doc_text(struct od_section *section);
/* Appends at most `most` paragraphs of the text, which empty lines separate. */
void od_doc_paragraphs(struct od_section *section, const char *text, size_t most);
struct od_node *od_doc_list(struct od_section *section);
struct od_table *od_doc_table(struct od_section *section);
struct od_bar *od_doc_bar(struct od_section *section);
struct od_plot *od_doc_plot(struct od_section *section);
void od_doc_code(struct od_section *section, const char *code);
void od_doc_quote(struct od_section *section, const struct od_quote *quote);
void od_doc_figure(struct od_section *section, const struct od_picture *picture);

/* Appends a card: a section that nodes and details can be added to. */
struct od_section *od_doc_card(struct od_section *section, const char *title);

/* Appends an item to the facts. */
struct od_text *od_doc_fact(struct od_doc *doc);

/* Marks where the document's excerpt is shown. */
void od_doc_excerpt(struct od_section *section);

/* Appends folded details: a section that nodes can be added to, but no further details. */
struct od_section *od_doc_details(struct od_section *section, const char *title);

struct od_text *od_doc_item(struct od_node *list);

/* Appends words to a text, as they are or formatted. */
void od_doc_add(struct od_text *text, enum od_tone tone, struct od_view words);
void od_say(struct od_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void od_say_as(struct od_text *text, enum od_tone tone, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends a reference to a place, "line 123". */
void od_doc_refer(struct od_text *text, struct od_prov at, const char *words);

/* Adds columns, before any row: their titles, separated by "|". ">" before a title aligns the
 * column to the right, "#" makes it a column of bars. */
void od_doc_columns(struct od_table *table, const char *titles, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a row with empty cells, or with texts for the first n: od_doc_row_of(table,
 * OD_CELLS("weights", "1.20")). */
struct od_row *od_doc_row(struct od_table *table);
struct od_row *od_doc_row_of(struct od_table *table, size_t n, const char *const *texts);
#define OD_CELLS(...) \
    OD_COUNT_OF(((const char *const[]){__VA_ARGS__})), ((const char *const[]){__VA_ARGS__})

/* Removes the columns that are empty in all rows. */
void od_doc_drop_blank_columns(struct od_table *table);

/* Negative, 0 or positive if a is before, at or after b. */
int od_log_line_order(struct od_prov a, struct od_prov b);

/* Does a text or a command of the document contain that number, not as part of a longer number,
 * together with a word of the name? The name may be empty. Quotations do not count. */
bool od_doc_states(const struct od_doc *doc, struct od_view number, struct od_view name);

/* Does the text contain amounts of memory ("14.00 GiB") that the document already has, all of
 * them? */
bool od_doc_states_amounts(const struct od_doc *doc, struct od_view text);

/* Does the text contain an amount of memory that the document does not have? */
bool od_doc_adds_amount(const struct od_doc *doc, struct od_view text);

/* Does a text after the headline refer to that line of the log? */
bool od_doc_refers(const struct od_doc *doc, struct od_prov at);

/* Does the document quote those words of that line? */
bool od_doc_quotes(const struct od_doc *doc, struct od_prov at, struct od_view words);

/* Does the line contain the other line's message, ignoring the time and numbers before it? */
bool od_is_part_of_line(struct od_view part, struct od_view line);

/* Does the line contain more than half of the other line's message in one piece? */
bool od_is_mostly_in_line(struct od_view part, struct od_view line);

/* Does the document quote that line, or a longer line that contains its message? */
bool od_doc_shows_line(const struct od_doc *doc, struct od_view line);

/* Does the document's excerpt contain that line? */
bool od_doc_has_line(const struct od_doc *doc, struct od_prov at);

/* Passes every text through the redactor, and adds the number of replacements at the end. */
void od_doc_redact(struct od_doc *doc, struct od_redactor *redactor);
void od_doc_say_redacted(struct od_doc *doc, const struct od_redactor *redactor);

void od_doc_bar_part(struct od_bar *bar, const struct od_bar_part *part);
