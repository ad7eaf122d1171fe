/*
 * Numbers in a text that determine the memory of its run, for any program: settings
 * ("n_batches=1000", "-Xmx6g"), counts ("13 gunicorn workers") and amounts with their names ("KV
 * self size = 4 GiB", "a GPU with 4GB"). The words that make a number one of these are data
 * (rules/words/sizes.yaml). Numbers of another process, device or rank are left out.
 */
#pragma once

#include "facts/amount.h"
#include "facts/around.h"

enum { OD_MENTIONS_MOST = 24 };

struct od_mention {
    struct od_prov at;
    struct od_view text;        /* words with the number: "n_batches=1000" */
    struct od_view name, value; /* "n_batches" (a setting or a noun), "1000" */
    struct od_view label;       /* the name with its row, column or section */
    struct od_bytes bytes, of;  /* of an amount of memory; of: the 8 GiB of "2 of 8 GiB" */
    uint64_t means;             /* meanings of the name (OD_SIZE_...) */
    bool sets;                  /* the name is a setting */
    bool prose;                 /* written by a person */
    bool identifier;            /* a person gives an identifier that value: "num_parts=8" */
    bool whole;                 /* the total memory of a machine or device */
    bool share;                 /* a percentage */
    bool pair;                  /* the sides of an image or table: "4000x3000" */
    bool nested;                /* below a key, as in YAML */
    int rank;                   /* enum od_mention_rank: limits are the first */
    size_t column;              /* column of the number in its line */
};

struct od_mentions {
    struct od_mention list[OD_MENTIONS_MOST]; /* limits first, numbers in a person's words last */
    size_t n;
    size_t dropped; /* number of sentences that od_statement_check rejects */
};

struct od_mention_question {
    const struct od_around *around;
    struct od_prov at;         /* place of the failure */
    struct od_count pid, rank; /* the failed process; numbers of others are left out */
    struct od_view device;     /* the failed device, "cuda:1" */
    struct od_bytes asked;     /* the request that failed */
    enum od_scope scope;       /* the memory that ran out */
    bool read;                 /* readers know two amounts of the failure already */
    bool amounts;              /* only amounts of memory, no counts */
};

/* Allocated in arena; texts belong to around. */
const struct od_mentions *od_mentions_find(const struct od_mention_question *question,
                                           struct od_arena *arena);

/* "memory_limit 2 GiB", "swap free 1.2 GiB of 2 GiB"; a person's words as written. */
const char *od_mention_words(const struct od_mention *mention, struct od_arena *arena);

/* Meanings of the name of a setting (OD_SIZE_...): "maxBatchSize" and "max_batch-size" are compared
 * as " max batch size ". */
uint64_t od_mention_means(struct od_view name);
