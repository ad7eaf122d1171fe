/*
 * Numbers that a text states and that size the memory of its run, whatever program it is of:
 * settings ("n_batches=1000", "-Xmx6g"), counts ("13 gunicorn workers"), and amounts ("a GPU with
 * 4GB"). The words that make a number one of these are data (rules/words/sizes.yaml).
 */
#pragma once

#include "base/base.h"
#include "facts/around.h"

enum { OD_MENTIONS_MOST = 6 };

struct od_mention {
    struct od_prov at;
    struct od_view text;        /* as it is written: "n_batches=1000" */
    struct od_view name, value; /* "n_batches", "1000"; name: of a setting, else the noun */
    struct od_bytes bytes;      /* of an amount of memory */
    uint64_t means;             /* of the name (OD_SIZE_...) */
    bool sets;                  /* it is a setting */
    bool prose;                 /* a person says it */
    bool worked;                /* and that with this number the run goes well */
    bool whole;                 /* an amount that a machine or device has in all */
    int weight;
    size_t column; /* of the number in its line */
};

struct od_mentions {
    struct od_mention list[OD_MENTIONS_MOST]; /* in the order of the text */
    size_t n;
};

struct od_mention_question {
    const struct od_around *around;
    struct od_prov at; /* of the failure */
    bool tables;       /* an allocator's tables are in the text, and read */
    bool read;         /* a reader knows the amounts of the failing line */
};

/* In arena, with texts of around. */
const struct od_mentions *od_mentions_find(const struct od_mention_question *question,
                                           struct od_arena *arena);
