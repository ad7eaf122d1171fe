/*
 * The words, numbers and marks of a line, and the state of reading them from left to right.
 */
#pragma once

#include "readers/measures/memory_words.h"
#include "readers/measures/template.h"

enum { OD_PIECES_MAX = 1000 };

struct od_piece {
    uint16_t at, end; /* of a number: without its unit */
    struct od_span unit;
    unsigned means;                  /* meanings of a word (OD_MW_...) */
    char mark;                       /* a sign other than a blank; 0 for words and numbers */
    bool number, plain, glued, rate; /* only digits; inside a name; "3 GB/s" */
    bool is_unit;
};

struct od_template_reading {
    struct od_template *to;
    struct od_view text;
    size_t i;            /* index of the next piece */
    unsigned label;      /* meanings of the words before the next number */
    size_t label_at;     /* position of the first memory word in the label */
    bool percent;        /* the label marks a share: "mem (%): 61" */
    bool broken;         /* an unknown word follows the memory words of the label */
    bool unknown;        /* the label contains an unknown word */
    unsigned context;    /* from earlier numbers of the line: device or host, memory */
    struct od_span unit; /* stated in a label: "(MB)" */
    struct od_view unit_above;
    struct od_template_count device;
    size_t first_number, first_label; /* positions of the first number and its label */
    size_t share_end;                 /* end of the share that was read last; 0 = none */
    size_t n;
    struct od_piece pieces[OD_PIECES_MAX + 2]; /* two empty pieces end the list */
};

void od_template_cut(struct od_template_reading *r);

/* Cuts the line into pieces without the meanings of words, which take most of the time. */
void od_template_cut_raw(struct od_template_reading *r);
unsigned od_piece_means(const struct od_template_reading *r, const struct od_piece *p);

/* The piece k after the next one. */
static inline const struct od_piece *od_piece_at(const struct od_template_reading *r, size_t k)
{
    return &r->pieces[r->i + k < r->n ? r->i + k : r->n];
}

static inline bool od_piece_is_word(const struct od_piece *p)
{
    return !p->number && p->mark == 0 && p->end > p->at;
}

static inline struct od_view od_piece_text(const struct od_template_reading *r,
                                           const struct od_piece *p)
{
    return od_view_head(od_view_from(r->text, p->at), (size_t)(p->end - p->at));
}

static inline struct od_span od_span_between(size_t at, size_t end)
{
    return end > at ? (struct od_span){(uint16_t)at, (uint16_t)(end - at)} : (struct od_span){0};
}

/* The value of a number that has only digits. */
struct od_template_count od_piece_count(const struct od_template_reading *r,
                                        const struct od_piece *number);

/* End of the piece including its unit. */
static inline size_t od_piece_end(const struct od_piece *p)
{
    return p->unit.n > 0 ? (size_t)p->unit.at + p->unit.n : p->end;
}

/* Does it follow the one before it without a blank? */
static inline bool od_piece_joined(const struct od_piece *p)
{
    return p->at == od_piece_end(p - 1);
}

/*
 * Takes the next pieces if they match the pattern: n = a number, o = "of", u = "out", other
 * characters = themselves; blanks are ignored. Returns the number; NULL = no match.
 */
const struct od_piece *od_template_take(struct od_template_reading *r, const char *pattern);

/* "rss=5123456789": can the number only count bytes? */
bool od_template_is_bytes(struct od_view number);

/* A spelled-out unit is decimal (Megatron's "mem-allocated-gigabytes" are bytes / 1e9); an
 * abbreviated one has the usual meaning. */
bool od_template_size(struct od_view number, struct od_view unit, struct od_bytes *ret_bytes);

/* Continues a hash with the text, or with all but its digits. */
uint64_t od_template_hash(uint64_t hash, struct od_view text, bool digits);

/* Takes what a word says about the line's place: step, epoch, rank, process, source. False if it
 * says nothing. Call it after the word was taken. */
bool od_template_take_place(struct od_template_reading *r, const struct od_piece *word);
/* "GPU 0", "cuda:0", "gpu_0_mem", but not "GPU: 3 GB". */
void od_template_take_device(struct od_template_reading *r);
/* Takes "after epoch", "before forward": the moment of a step at which memory was printed. */
void od_template_take_when(struct od_template_reading *r, const struct od_piece *word);
/* "[train]", "val |": takes a word that is the topic of the line. */
void od_template_take_phase(struct od_template_reading *r, const struct od_piece *word);
/* The source that may be named by a mix of letters and digits before the first number. */
void od_template_find_mixed(struct od_template_reading *r);
