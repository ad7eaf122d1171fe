/*
 * Who speaks in a line. It is decided once, before rules and readers are asked: a program's output
 * reports what happened, a person claims it, and code, commands and documents only mention it.
 */
#pragma once

#include "base/base.h"

enum od_segment {
#define OD_SEGMENT(constant, name) OD_SEGMENT_##constant,
#include "facts/segment.def"
#undef OD_SEGMENT
    OD_SEGMENT_END
};

const char *od_segment_name(enum od_segment segment);

/* Decides by the words of the line, so lines that differ only in digits have the same segment. */
enum od_segment od_segment_of(struct od_view text);

/* Like od_segment_of, but faster: OPEN for prose, whose words it does not examine. */
enum od_segment od_segment_by_form(struct od_view text);

/* By the lines around that line of the log. DOCUMENT: part of a document by its form, or in the
 * middle of a paragraph. PERSON: among prose, where a sentence without an error mark is not about
 * this run. Otherwise OPEN. */
enum od_segment od_segment_around(struct od_view log, struct od_view line);

/* Is it a title further down: a paragraph of its own, below a person's? text: the line without its
 * wrapping. */
bool od_segment_is_title_below(struct od_view log, struct od_view line, struct od_view text);

/* Is it one of a list of settings: "work_mem = 64MB" of a file, "memory: 1Gi" of a manifest? A list
 * has each name once; a measured block is repeated. text: the line without its wrapping. */
bool od_segment_is_config(struct od_view log, struct od_view line, struct od_view text);

/* Is the line a paragraph of its own, between empty lines? */
bool od_segment_is_apart(struct od_view log, struct od_view line);

/* "ng build gets killed after 3 minutes": may it be a title beside a paragraph of a person? A
 * program's message has a prefix, a value or a path. */
bool od_is_title_words(struct od_view text);

/* Is it a phrase, "Evaluation runs out of CUDA memory", and no log record, command or sentence? */
bool od_is_title_phrase(struct od_view text);

/* Is it one line of words? A program may have printed it, too. */
bool od_is_title_line(struct od_view text);

/* "# 2026-01-02 08:07:56.468609: W ...": a log line after a comment sign. */
bool od_is_commented_record(struct od_view text);

/* Source code or a command: it may contain the words of a failure without reporting one. */
static inline bool od_segment_is_code(enum od_segment segment)
{
    return segment == OD_SEGMENT_CODE || segment == OD_SEGMENT_COMMAND;
}

/* Is it a word that every sentence uses: "the", "with", "my"? */
bool od_is_small_word(struct od_view word);

/* Removes and returns the last line of a text. */
struct od_view od_line_before(struct od_view *text);
