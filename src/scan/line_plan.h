/*
 * The plan of a line: the readers and rules that examine it. It is made from the candidates of one
 * line and applies to all lines of its shape (lines that differ only in digits) whose guards hold.
 * A step caches the parts of a rule's event that are equal for the whole shape.
 */
#pragma once

#include "facts/line.h"
#include "scan/candidates.h"
#include "scan/signs.h"

struct od_line_shapes;

struct od_step {
    size_t rule;
    struct od_rule_made *made; /* cached event; NULL = the event depends on digits */
    bool asked;                /* `made` is valid, because the rule was tried once */
    bool unheard;              /* the rule reads people's words, but a program printed the line */
};

struct od_line_plan {
    uint64_t readers;      /* bit set of od_readers */
    uint64_t silent;       /* readers with literals in the line that use no line of this shape */
    struct od_step *steps; /* ordinary rules, then fallback rules */
    size_t nmain, nsteps;
    struct od_sign_place *signs;
    size_t nsigns;
    const struct od_guard *guards;
    size_t nguards;
    bool hit; /* the line has a literal, or a sign that unwrapping changes it */
    bool mentions, has_failure_word;
    bool kept; /* a shape owns the plan */
    bool segmented;
    /* segment of all lines of the shape according to their words; valid if `segmented` */
    enum od_segment segment;
    bool complete;
    bool unwanted;                 /* valid if `complete`: no reader or rule uses the line */
    bool only_measurements;        /* valid if `complete`: only signs, steps and measurements */
    struct od_shape_memory memory; /* state of readers and the case for this shape */
};

/* Makes a plan from the current set of candidates, in arena. */
struct od_line_plan *od_line_plan_new(struct od_arena *arena, const struct od_candidates *c);

/* Stores the plan in the shape of the text. */
void od_line_plan_keep(struct od_line_plan *plan, struct od_view text,
                       struct od_line_shapes *shapes, uint64_t log);

/* Tries a step's rule once on a line of a stored plan. False if it matches no line of the shape. */
bool od_line_plan_ask(const struct od_line_plan *plan, struct od_step *step,
                      struct od_ruleset *rules, const struct od_line *line);

/* Index + 1 of the rule whose block begins in the line; 0 = none. *ret_at is the column. */
size_t od_line_plan_block(struct od_line_plan *plan, struct od_ruleset *rules,
                          const struct od_line *line, size_t *ret_at);

/* Does the plan apply to a text of its shape? */
bool od_line_plan_holds(const struct od_line_plan *plan, struct od_view text);

/* Completes a plan after all its rules were tried: removes rules that match no line of the shape.
 */
void od_line_plan_complete(struct od_line_plan *plan);

/* The plan's readers for the line. A command is only given to readers of commands. */
uint64_t od_line_plan_readers(const struct od_line_plan *plan, enum od_segment segment);

/* The segment of the line: a title, or as its words show. */
enum od_segment od_line_plan_segment(struct od_line_plan *plan, const struct od_line *line);

/* The readers that use no line of the text's shape. */
uint64_t od_line_plan_silent_readers(uint64_t readers, struct od_view text);
