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
    struct od_prov at; /* the place of the quoted text; line 0 = unknown */
    struct od_span *next;
};

/* Running text; also an item of a list. */
struct od_text {
    struct od_arena *arena; /* the document's, as of sections, nodes, tables and bars */
    struct od_span *first, *last;
    struct od_text *next; /* of a list */
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
    struct od_prov at; /* as of a span */
};

struct od_row {
    struct od_cell *cells; /* one a column */
    bool total;            /* what the rows above sum to */
    struct od_row *next;
};

enum { OD_COLUMNS_MAX = 8 };

/* Every number of a column is in the one unit that its title names. */
struct od_table {
    struct od_arena *arena;
    const char *caption; /* NULL: the section's title says it */
    bool searched;       /* long enough to look for a row by its words, where the medium can */
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

/* What a part of a bar is: each looks its own way in every medium. */
enum od_fill { OD_FILL_USED, OD_FILL_BASE, OD_FILL_HELD, OD_FILL_OTHERS, OD_FILL_FREE, OD_FILLS };

/* The number of shades in which neighboring parts of one kind are drawn. */
enum { OD_SHADES = 3 };

struct od_bar_part {
    struct od_view label; /* "activations 7.90 GiB" */
    enum od_fill fill;
    unsigned shade; /* given by od_doc_bar_part */
    bool again;     /* an earlier part has the same label and look; set by od_doc_bar_part, too */
    double length;  /* part of the bar, 0..1 */
    struct od_bar_part *next;
};

/* Who holds how much of a memory, side by side. */
struct od_bar {
    struct od_arena *arena;
    const char *title; /* "GPU 0, 9.63 GiB" */
    bool small;        /* the words next to it say the same; text leaves it out */
    double whole; /* part of the bar at which the memory ends; the request may extend past it */
    struct od_bar_part *first, *last;
    struct od_mark request; /* label NULL: none */
};

enum { OD_PLOT_POINTS = 240 };

/* Memory over the run, and where it would go. Levels and places are parts of the axes, 0..1. */
struct od_plot {
    const char *title;
    double levels[OD_PLOT_POINTS]; /* the highest of each stretch */
    size_t n;
    double drawn;    /* part of the run's axis that the points take */
    double forecast; /* forecast level at the end of the axis; negative: no forecast */
    double limit;    /* negative: not known */
    double failed;   /* negative: it did not */
    const char *top, *half, *bottom; /* what the levels 1, 0.5 and 0 mean */
    const char *from, *to;           /* the ends of the run's axis */
    const char *note;                /* NULL = none */
    bool grows;                      /* memory that should not: bad news */
};

/* Words of the log and their place. */
struct od_quote {
    const char *file;
    struct od_prov at; /* line 0 = not known */
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
    OD_NODE_CARD,    /* a remedy: its title, its gain, its command */
    OD_NODE_DETAILS, /* folded away where the medium can */
    OD_NODE_EXCERPT  /* the document's; text leaves it out */
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
    struct od_section *details; /* its title is what is seen of it while it is folded; of a card */
};

struct od_section {
    struct od_arena *arena;
    bool picture;      /* shown next to the headline where the medium is wide */
    const char *title; /* NULL: the opening, or the end, without one */
    bool indented;    /* goes on with the section before: no title of its own, set in as its text */
    bool folded;      /* the whole section is folded, if the medium can fold */
    const char *part; /* what a low terminal calls it when it leaves it out; NULL: it never does */
    unsigned rank;    /* sections with a part are left out in the order of falling ranks */
    struct od_node *first, *last;
    struct od_section *next;
};

struct od_doc {
    struct od_arena *arena;
    struct od_section *first, *last;
    enum od_tone tone;     /* tone of the headline: good news or bad */
    struct od_node *facts; /* a list: which log, when, of what; NULL = none */
    struct od_excerpt excerpt;
};

/* The caller frees with od_doc_free. */
struct od_doc *od_doc_new(void);
void od_doc_free(struct od_doc *doc);

/* A new section at the end; title may be NULL and must live as long as the document. */
struct od_section *od_doc_section(struct od_doc *doc, const char *title);

/* A new node at the end of the section. */
struct od_text *od_doc_text(struct od_section *section);
struct od_node *od_doc_list(struct od_section *section);
struct od_table *od_doc_table(struct od_section *section);
struct od_bar *od_doc_bar(struct od_section *section);
struct od_plot *od_doc_plot(struct od_section *section);
void od_doc_code(struct od_section *section, const char *code);
void od_doc_quote(struct od_section *section, const struct od_quote *quote);
void od_doc_figure(struct od_section *section, const struct od_picture *picture);

/* A card: a section of its own to add nodes to, details among them. */
struct od_section *od_doc_card(struct od_section *section, const char *title);

/* An item of the facts. */
struct od_text *od_doc_fact(struct od_doc *doc);

/* The place of the document's excerpt. */
void od_doc_excerpt(struct od_section *section);

/* The folded contents: a section to which nodes can be added, but no further details. */
struct od_section *od_doc_details(struct od_section *section, const char *title);

/* A new item at the end of a list. */
struct od_text *od_doc_item(struct od_node *list);

/* More words of a text: as they are, or formatted. */
void od_doc_add(struct od_text *text, enum od_tone tone, struct od_view words);
void od_say(struct od_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void od_say_as(struct od_text *text, enum od_tone tone, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Words for a place: "line 123". */
void od_doc_refer(struct od_text *text, struct od_prov at, const char *words);

/* Adds columns, before any row: their titles, separated by "|". ">" before a title aligns the
 * column to the right, "#" makes it a column of bars. */
void od_doc_columns(struct od_table *table, const char *titles, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a row with empty cells; or with a text in each of the first n: od_doc_row_of(table,
 * OD_CELLS("weights", "1.20")). */
struct od_row *od_doc_row(struct od_table *table);
struct od_row *od_doc_row_of(struct od_table *table, size_t n, const char *const *texts);
#define OD_CELLS(...) \
    OD_COUNT_OF(((const char *const[]){__VA_ARGS__})), ((const char *const[]){__VA_ARGS__})

/* Takes away the columns in which no row says anything. */
void od_doc_drop_blank_columns(struct od_table *table);

/* Negative, 0 or positive if a is before, at or after b. */
int od_log_line_order(struct od_prov a, struct od_prov b);

/* Does a text or a command of the document hold that number, between other characters than digits,
 * together with a word of the name? The name may be empty. Quotations do not count. */
bool od_doc_states(const struct od_doc *doc, struct od_view number, struct od_view name);

/* Does the text hold amounts of memory ("14.00 GiB"), and the document all of them already? */
bool od_doc_states_amounts(const struct od_doc *doc, struct od_view text);

/* Does the text hold an amount of memory that the document does not state? */
bool od_doc_adds_amount(const struct od_doc *doc, struct od_view text);

/* Does a text after the headline refer to that line of the log? */
bool od_doc_refers(const struct od_doc *doc, struct od_prov at);

/* Does the document quote those words of that line? */
bool od_doc_quotes(const struct od_doc *doc, struct od_prov at, struct od_view words);

/* Does the line hold the message of the other one, whatever that one's time and numbers before it?
 */
bool od_is_part_of_line(struct od_view part, struct od_view line);

/* Does the line hold more than half of the message of the other one, in one piece? */
bool od_is_mostly_in_line(struct od_view part, struct od_view line);

/* Does the document quote that line, or a longer one that holds its message? */
bool od_doc_shows_line(const struct od_doc *doc, struct od_view line);

/* Does the document's excerpt hold that line? */
bool od_doc_has_line(const struct od_doc *doc, struct od_prov at);

/* Puts every text through the redactor; and says at the end how much was replaced. */
void od_doc_redact(struct od_doc *doc, struct od_redactor *redactor);
void od_doc_say_redacted(struct od_doc *doc, const struct od_redactor *redactor);

/* A part after those already there. */
void od_doc_bar_part(struct od_bar *bar, const struct od_bar_part *part);
