/*
 * The plan of a line: the readers and rules that have to examine it. It is made from the candidates
 * of one line and applies to all lines of its shape (lines that differ only in digits) whose guards
 * hold. A step caches the parts of a rule's event that are the same for the whole shape.
 */
#pragma once

#include "facts/line.h"
#include "scan/candidates.h"
#include "scan/signs.h"

struct od_line_shapes;

struct od_step {
    size_t rule;
    struct od_rule_made *made; /* the cached event; NULL = it depends on the digits */
    bool asked;                /* the rule was tried once, so that made is known */
    bool unheard;              /* it reads what people write, and a program wrote the line */
};

struct od_line_plan {
    uint64_t readers;      /* one bit for each of od_readers */
    uint64_t silent;       /* readers with literals in the line that use no line of this shape */
    struct od_step *steps; /* ordinary rules, then fallback rules */
    size_t nmain, nsteps;
    struct od_sign_place *signs;
    size_t nsigns;
    const struct od_guard *guards;
    size_t nguards;
    bool hit; /* the line has a literal, or a sign that unwrapping will change it */
    bool mentions, has_failure_word;
    bool kept; /* the plan is stored in a shape */
    bool segmented;
    enum od_segment segment; /* of all lines of the shape, by their words; if segmented */
    bool complete;
    bool unwanted;                 /* complete, and no reader or rule uses such a line */
    bool only_measurements;        /* complete, and only signs, steps and measurements come of it */
    struct od_shape_memory memory; /* state that readers and the case keep for this shape */
};

/* Makes a plan from the current set of candidates; it lives as long as the arena. */
struct od_line_plan *od_line_plan_new(struct od_arena *arena, const struct od_candidates *c);

/* Stores the plan in the shape of the text. */
void od_line_plan_keep(struct od_line_plan *plan, struct od_view text,
                       struct od_line_shapes *shapes, uint64_t log);

/* Tries the rule of a step once on a line of a kept plan; false if it matches no line of the
 * shape. */
bool od_line_plan_ask(const struct od_line_plan *plan, struct od_step *step,
                      struct od_ruleset *rules, const struct od_line *line);

/* The rule whose block begins with the line, plus 1; 0 = none. *ret_at is where in the line. */
size_t od_line_plan_block(struct od_line_plan *plan, struct od_ruleset *rules,
                          const struct od_line *line, size_t *ret_at);

/* Does the plan apply to that text, which has the same shape? */
bool od_line_plan_holds(const struct od_line_plan *plan, struct od_view text);

/* Called after all rules of a plan were tried: removes the rules that match no line of this shape,
 * and marks the plan as complete. */
void od_line_plan_complete(struct od_line_plan *plan);

/* The plan's readers that are offered the line; a command goes only to readers of commands. */
uint64_t od_line_plan_readers(const struct od_line_plan *plan, enum od_segment segment);

/* Who speaks in the line: its title, or by its words. */
enum od_segment od_line_plan_segment(struct od_line_plan *plan, const struct od_line *line);

/* The readers that use no line of the text's shape. */
uint64_t od_line_plan_silent_readers(uint64_t readers, struct od_view text);
