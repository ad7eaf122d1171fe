/*
 * Where an event goes: of which series its numbers are points, and what the run is doing. All that
 * one rule or reader makes of lines that differ in digits alone, with the same words and of the
 * same process, goes one way, which is found once.
 */
#pragma once

#include "case/course.h"
#include "case/series.h"

/* A field that is a point of a series. */
struct od_drafted {
    enum od_field field;
    enum od_series_metric metric;
    uint16_t *draft; /* of its folder (series_fold.c); NULL = not asked yet */
};

enum { OD_ROUTE_TEXTS = 8, OD_ROUTE_BYTES = 160, OD_ROUTE_MEASURES = 8 };

struct od_route {
    struct od_route *next;
    enum od_event_kind kind;
    uint64_t has;
    uint32_t source;
    const struct od_place *place;
    struct od_count rank, pid;
    struct {
        size_t at; /* in the fields */
        enum od_field field;
        struct od_view text;
    } texts[OD_ROUTE_TEXTS]; /* by which series are told apart */
    size_t ntexts;
    char bytes[OD_ROUTE_BYTES]; /* of the texts */

    enum od_series_phase phase;
    bool training, validation;
    enum od_doing_what doing;
    bool host; /* its memory is the host's */
    struct od_drafted measured[OD_ROUTE_MEASURES];
    size_t nmeasured;
    struct od_keyed *keyed[2]; /* of what is a device's or nobody's, and of what is a host's */
};

/* Of the lane of the event's line; never NULL. */
const struct od_place *od_place_of(const struct od_event *event);

/* NULL where the event is neither a step nor a measurement; else kept with the shape of its line,
 * or in room. */
struct od_route *od_route_of(const struct od_event *event, struct od_arena *scratch,
                             struct od_route *room);
