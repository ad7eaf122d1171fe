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
    unsigned means;                  /* of a word */
    char mark;                       /* 0: a word or a number; all of a line's marks but blanks */
    bool number, plain, glued, rate; /* of digits only; within a name; "3 GB/s" */
    bool is_unit;
};

struct od_template_reading {
    struct od_template *to;
    struct od_view text;
    size_t i;            /* the next piece */
    unsigned label;      /* words before the next number */
    size_t label_at;     /* place of the first word for a measure */
    bool percent;        /* they mark a share: "mem (%): 61" */
    bool broken;         /* an unknown word is between these words and the number */
    bool unknown;        /* it contains an unknown word */
    unsigned context;    /* from earlier numbers of the line: device or host, memory */
    struct od_span unit; /* stated in a label: "(MB)" */
    struct od_view unit_above;
    struct od_template_count device;
    size_t first_number, first_label; /* positions of the first number and of its words */
    size_t share_end;                 /* end of a share that was read; 0 = none */
    size_t n;
    struct od_piece pieces[OD_PIECES_MAX + 2]; /* the last two are empty */
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

/* The count that a number of digits only is. */
struct od_template_count od_piece_count(const struct od_template_reading *r,
                                        const struct od_piece *number);

/* End of the piece with its unit. */
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
 * Takes the pieces from there if they match: n a number, o "of", u "out", signs themselves. Blanks
 * are ignored. Returns the number; NULL = no.
 */
const struct od_piece *od_template_take(struct od_template_reading *r, const char *pattern);

/* "rss=5123456789": can the number only count bytes? */
bool od_template_is_bytes(struct od_view number);

/* A spelled-out unit is decimal (Megatron's "mem-allocated-gigabytes" are bytes / 1e9); an
 * abbreviated one has the usual meaning. */
bool od_template_size(struct od_view number, struct od_view unit, struct od_bytes *ret_bytes);

/* Continues a hash with the text, or with all but its digits. */
uint64_t od_template_hash(uint64_t hash, struct od_view text, bool digits);

/* Takes what a word says about the place of the line: step, epoch, rank, process, source. False if
 * it says nothing. The word has been taken. */
bool od_template_take_place(struct od_template_reading *r, const struct od_piece *word);
/* "GPU 0", "cuda:0", "gpu_0_mem", but not "GPU: 3 GB". */
void od_template_take_device(struct od_template_reading *r);
/* "after epoch", "before forward": a program may print at several moments of a step. */
void od_template_take_when(struct od_template_reading *r, const struct od_piece *word);
/* "[train]", "val |": takes a word that is the topic of the line. */
void od_template_take_phase(struct od_template_reading *r, const struct od_piece *word);
/* The source that may be named by a mix of letters and digits before the first number. */
void od_template_find_mixed(struct od_template_reading *r);
