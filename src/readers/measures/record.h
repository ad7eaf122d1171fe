/*
 * Rows of one name and one value below each other are a record: "pid: 812", "rss: 1.2 GB", as text,
 * indented JSON, a box or the fields of a status file. A measurement in a row belongs to the
 * process, container or machine that another row, or the heading above, names. A name that comes
 * again begins the next record.
 */
#pragma once

#include "facts/event.h"

/* The record found last; zeroed = none. Texts are views into the log. */
struct od_record {
    struct od_view rows;
    struct od_view prefix; /* what a logger prints before each row */
    struct od_count pid, rank;
    struct od_view process, group, machine, device;
};

/* Sets the owner of a measurement that has none to the owner of the record around it. at: offset of
 * its line in the log. */
void od_record_own(struct od_record *record, struct od_view log, size_t at, struct od_event *event);
