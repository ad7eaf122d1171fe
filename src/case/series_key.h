/*
 * The series_key of an event: to which series its numbers belong, and what the run is doing. All
 * events of one rule or reader from lines that differ only in digits, with the same words and
 * process, share a series_key, which is computed once.
 */
#pragma once

#include "case/run_state.h"
#include "case/series.h"

/* A field that is a point of a series. */
struct od_built_series {
    enum od_field field;
    enum od_series_metric metric;
    uint16_t *builder; /* index in the series folder (series_fold.c); NULL = not looked up yet */
};

enum { OD_SERIES_KEY_TEXTS = 8, OD_SERIES_KEY_BYTES = 160, OD_SERIES_KEY_MEASURES = 8 };

struct od_series_key {
    uint64_t log; /* the log in which it was computed; one of another log is not used again */
    bool whole;   /* all texts that distinguish series are stored */
    enum od_event_kind kind;
    uint64_t has;
    uint32_t source;
    const struct od_place *place;
    struct od_count rank, pid;
    struct {
        size_t at; /* index in the event's fields */
        enum od_field field;
        struct od_view text;
    } texts[OD_SERIES_KEY_TEXTS]; /* texts that distinguish series */
    size_t ntexts;
    char bytes[OD_SERIES_KEY_BYTES]; /* storage of the texts */

    enum od_series_phase phase;
    bool training, validation;
    enum od_doing_what doing;
    bool host; /* the memory is the host's */
    struct od_built_series measured[OD_SERIES_KEY_MEASURES];
    size_t nmeasured;
    struct od_keyed *keyed[2]; /* [0] for device memory and memory without a place, [1] for host
                                  memory */
};

/* The place of the event's lane; never NULL. */
const struct od_place *od_place_of(const struct od_event *event);

/* NULL if the event is neither progress nor a measurement. Otherwise stored with the shape of its
 * line, or in room. */
struct od_series_key *od_series_key_of(const struct od_event *event, struct od_arena *scratch,
                                       struct od_series_key *room);
