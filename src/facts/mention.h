/*
 * Numbers in a text that determine the memory of its run, for any program: settings
 * ("n_batches=1000", "-Xmx6g"), counts ("13 gunicorn workers") and amounts ("a GPU with 4GB"). The
 * words that make a number one of these are data (rules/words/sizes.yaml).
 */
#pragma once

#include "base/base.h"
#include "facts/around.h"

enum { OD_MENTIONS_MOST = 6 };

struct od_mention {
    struct od_prov at;
    struct od_view text;        /* as written: "n_batches=1000" */
    struct od_view said;        /* its sentence, or its line */
    struct od_view name, value; /* "n_batches", "1000"; name is that of a setting, or the noun */
    struct od_bytes bytes;      /* set for an amount of memory */
    uint64_t means;             /* meanings of the name (OD_SIZE_...) */
    bool sets;                  /* it is a setting */
    bool prose;                 /* written by a person */
    bool whole;                 /* the total memory of a machine or device */
    int weight;
    size_t column; /* column of the number in its line */
};

struct od_mentions {
    struct od_mention list[OD_MENTIONS_MOST]; /* in the order of the text */
    size_t n;
};

struct od_mention_question {
    const struct od_around *around;
    struct od_prov at; /* place of the failure */
    bool read;         /* a reader has the amounts of the failing line */
};

/* Allocated in arena; texts belong to around. */
const struct od_mentions *od_mentions_find(const struct od_mention_question *question,
                                           struct od_arena *arena);
