/*
 * Makes the sentences of the answer from the rows of rules/words/answers.yaml and the computed
 * values. Leaves out lines with unknown values.
 */
#pragma once

#include "answer/actions.h"
#include "answer/host_parts.h"

/* A remedy whose effect is computed: the input, and further values for its sentence. */
struct od_priced {
    const struct od_fit_facts *facts;
    const struct od_answer_line *line;
    const struct od_answer *answer;
    const char *remedy; /* id of the remedy */
    /* name of the row in answers.yaml; equals the id unless several remedies share the row */
    const char *text;
    double tried; /* the batch that failed; 0 = not known */
    struct od_bytes room, then;
    /* the dimension of a sample that is halved: "side"; NULL = unknown */
    const char *halved;
    /* the room is a size that a driver refused; it is an upper bound */
    bool refused, at_most;
    /* bytes of one sample of a data set; numbers of samples; 0 = not known */
    double sample, samples, validation, tests;
};

/* Computes effect and sentence of a remedy for a whole data set on the device. False for other
 * remedies, or if nothing is known about the data set. */
bool od_answer_price_dataset(struct od_priced *priced, struct od_answer_action *action);

/* The batch of a step if the samples of an update are divided among that many steps. */
uint64_t od_answer_part(double batch, uint64_t steps);

/* The sentence about the effect of the remedy; NULL = none, or its numbers are not known. */
const char *od_answer_words(const struct od_priced *priced, const struct od_answer_action *action);

/* The sentence in the row of that name about processes that load data; NULL as above. */
const char *od_host_words(const struct od_host_facts *facts, const char *name);
