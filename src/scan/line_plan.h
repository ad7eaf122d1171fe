/*
 * The plan of a line: who has to look at it. Made of the candidates of one line, it holds for all
 * lines of its shape, those that differ from it in digits alone, as long as its guards hold. What a
 * rule made of the line is kept in its step where that is of the shape, too.
 */
#pragma once

#include "facts/line.h"
#include "scan/candidates.h"
#include "scan/signs.h"

struct od_step {
    size_t rule;
    struct od_rule_made *made; /* of a line of the shape; NULL = it is not of the shape */
    bool asked;                /* once; what of it is of the shape is known */
};

struct od_line_plan {
    uint64_t readers;      /* a bit for each of od_readers */
    uint64_t silent;       /* those that the line holds words of, and that will say nothing */
    struct od_step *steps; /* the rules that are no fallback, then those that are */
    size_t nmain, nsteps;
    struct od_sign_place *signs;
    size_t nsigns;
    const struct od_guard *guards;
    size_t nguards;
    bool hit; /* the line holds a literal, be it one that tells that unwrapping changes it */
    bool mentions, speaks;
    bool kept; /* it belongs to a shape */
    bool settled;
    bool over;   /* settled: nobody has anything to say about such a line */
    bool counts; /* settled: all there is to say are signs, steps of a run and measurements */
    struct od_shape_memory
        memory; /* where it is kept: of readers, and of whom their events go to */
    struct {    /* of them where they are another thread (behind.h) */
        char before[64];
        struct od_shape_memory memory;
        char after[64]; /* it does not share a line of the cache with what changes here */
    } other;
};

/* Of the current set of candidates; lives as long as the arena. */
struct od_line_plan *od_line_plan_new(struct od_arena *arena, const struct od_candidates *c);

/* Is it the plan of that text, too, which is of its shape? */
bool od_line_plan_holds(const struct od_line_plan *plan, struct od_view text);

/* Once all rules of a plan were asked: leaves out those that make nothing of any such line, and
 * notes what is known of it from now on. */
void od_line_plan_settle(struct od_line_plan *plan);

/* Those of the plan's readers that are offered the line: of a command, those that read commands. */
uint64_t od_line_plan_readers(const struct od_line_plan *plan, struct od_view text);

/* Those of the readers that use no line of the text's shape. */
uint64_t od_line_plan_silent_readers(uint64_t readers, struct od_view text);
