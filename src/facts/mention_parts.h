/* What mention.c finds and mention_choice.c chooses from. */
#pragma once

#include "facts/meaning.h"
#include "facts/mention.h"

enum { OD_MENTIONS_FOUND = 96 };

struct od_mentions_found {
    const struct od_mention_question *asked;
    struct od_mention list[OD_MENTIONS_FOUND];
    size_t n;
    size_t dropped; /* sentences that od_statement_check refused */
};

/* Is one of the meanings wanted, and none of them "other" (not memory)? */
static inline bool od_is_size(uint64_t means, uint64_t wanted)
{
    return (means & wanted) != 0 && !od_means(means, OD_SIZE_OTHER);
}

/* What a number states, the most informative kind first. */
enum od_mention_rank {
    OD_RANK_LIMIT,
    OD_RANK_ASKED,
    OD_RANK_HELD,
    OD_RANK_AMOUNT,
    OD_RANK_SET,
    OD_RANK_COUNT,
    OD_RANK_ITEMS,
    OD_RANKS
};

/* The meanings of all words of the phrase, joined. */
uint64_t od_mention_phrase_means(struct od_view phrase);

/* Is the line about a process, device or rank that did not fail: "Process 42 has", "GPU 3"? */
bool od_mention_is_of_others(const struct od_mention_question *asked, struct od_view line);

void od_mentions_choose(const struct od_mentions_found *found, struct od_mentions *to);
