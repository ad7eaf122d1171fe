/*
 * A person's claim about a run: "the process gets killed with out of memory around step 500, when
 * it uses 60 of the 64 GB of RAM". It has a holder, a predicate and amounts; the words are data
 * (rules/words/claims.yaml). A claim is not a failure: it only counts if the log itself shows none.
 */
#pragma once

#include "facts/event.h"
#include "facts/meaning.h"

struct od_claim {
    uint64_t means;         /* bits OD_CLAIM_... of all clauses that state something */
    bool denied;            /* memory only ran out in another run, or is supposed to */
    struct od_bytes in_use; /* when the run ended */
    struct od_bytes limit;  /* a configured limit */
    struct od_bytes
        capacity; /* capacity of the machine, or of the device if the claim is about a device */
};

/* Reads the claim in a line that a person wrote. */
struct od_claim od_claim_read(struct od_view line);

/* Does it claim that memory ended a run, or that the run was killed on a machine whose memory is
 * stated? A thread's title is about its author's run; any other line has to make that clear. */
bool od_claim_is_failure(const struct od_claim *claim, bool title);

/* Makes a remark event of that name from the claim; line must outlive the event. */
void od_claim_event(const struct od_claim *claim, const struct od_line *line, const char *name,
                    struct od_event *ret_event);
