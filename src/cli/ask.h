/*
 * Finds the topic that answers a question.
 */
#pragma once

#include "report/report.h"
#include "rules/topics.h"

/* The topic with the example most similar to the question; NULL if none is similar enough. */
const struct od_topic *od_topic_for(const char *question);

/* Prints a topic, with the numbers of a log where report is not NULL; an exit status. */
int od_explain_topic(const struct od_topic *topic, const struct od_report *report,
                     const struct od_format *format);
