/*
 * The builder's inside, shared by the files of this room that fold events: incidents, moments,
 * devices and settings, dumps. Every list the input can make grow has its limit here.
 */
#pragma once

#include "base/map.h"
#include "case/case.h"
#include "case/line_clock.h"
#include "case/series_fold.h"

enum {
    OD_INCIDENTS_MAX = 5000,
    OD_ALLOCATORS_MAX = 512, /* the first half and the latest */
    OD_CHUNKS_MAX = 1 << 18, /* rows of all chunk lists, 8 MiB; beyond it the lists in the middle
                                are forgotten, not the first and the latest */
    OD_DEVICES_MAX = 256,
    OD_SETTINGS_MAX = 1000,
    OD_MODELS_MAX = 200,
    OD_MODEL_LAYERS_MAX = 32768, /* of all models */
    OD_STATES_MAX = 256,         /* what is printed at every step is a series, not kept here */
    OD_MOMENTS_MAX = 4096,       /* beyond it the middle of the run is forgotten, not its ends */
    OD_CONFLICTS_MAX = 200,
    OD_TENANTS_MAX = 64,
    OD_HOLDINGS_MAX = 64,
    OD_INCIDENT_EVIDENCE_MAX = 8, /* the last one always is the latest */
    OD_DRIVER_EVIDENCE_MAX = 4,
    OD_REFUSED_LINES_MAX = 20000,
    OD_GIVEN_UP_MAX = 32,
    OD_SEEN_EACH = 32, /* of one sign: the first half and the latest */
    OD_SEEN_MAX = 16384,
    OD_SEEN_TEXT = 200,
    OD_FRAMES_MAX = 256,   /* remembered, of tracebacks that are not attached yet */
    OD_TRACEBACK_MAX = 48, /* frames kept with an incident, the innermost */
    OD_NAME_MAX = 1000     /* bytes of a name kept */
};

/* An incident while it is folded. */
enum {
    OD_WORDINGS = 8,
    OD_NEXT_LINES = 3 /* what goes on with a line follows at most so far below */
};

struct od_draft {
    struct od_incident inc;
    struct od_view host;
    uint64_t attempt;
    uint64_t refused; /* times an allocator said it */
    uint64_t failed;  /* times an operation said it */
    char *last_text;  /* where the latest evidence is written; NULL until there are many */
    uint64_t told;    /* events: lines next to each other, in other words each, tell one */
    uint64_t wordings[OD_WORDINGS]; /* of the event that is being told */
    size_t nwordings;
};

/* What one event says about an incident, in the case's words. Texts live in scratch or the event.
 */
struct od_sighting {
    enum od_incident_kind kind;
    const struct od_event *event;
    struct od_count rank;
    struct od_view host, device, allocator, op;
    bool place_assumed; /* no word says which memory it was; the device's name is a guess */
    struct od_bytes requested;
    struct od_shape shape;
    enum od_dtype dtype;
    struct od_bytes tensor_bytes;
};

/* A moment while its stretch goes on: texts are overwritten in place. */
struct od_stretch {
    struct od_moment moment;
    size_t name_n, text_n;
    char name[96];
    char text[OD_EXCERPT];
};

/* A frame that may belong to the next failure of its lane. */
struct od_loose_frame {
    uint32_t source, lane;
    uint64_t line; /* of the log */
    struct od_count code_line;
    uint64_t means; /* once it is asked for */
    size_t file_n, function_n;
    char file[200];
    char function[96];
};

/* A line at which an allocator refused, and the draft it was folded into. */
struct od_refused_line {
    uint32_t source;
    uint64_t line;
    size_t draft;
};

struct od_case_builder {
    struct od_case *c;
    struct od_incident stated; /* amounts that a person states of the machine or its limit */
    struct od_arena *arena;    /* the case's */
    struct od_arena *scratch;  /* one event */
    struct od_buf key;
    struct od_map drafts_by_key; /* -> index + 1 */
    struct od_map settings;      /* name -> index + 1 of its latest value */
    OD_VEC(struct od_draft) drafts;
    bool of_device;         /* one of them is of a device's memory */
    struct od_draft driver; /* the driver's refusals: an incident where there is no other */
    OD_VEC(struct od_stretch) stretches;
    OD_VEC(struct od_refused_line) refused;
    OD_VEC(struct od_loose_frame) frames;
    struct od_map signs; /* a sign's address -> what is kept of it */
    struct od_series_folder *series;
    struct od_line_clock clock;
    struct od_given given;
    size_t model_layers;   /* of the models kept */
    size_t chunks;         /* rows kept of all chunk lists */
    size_t latest_failure; /* index + 1 of the draft last added to, soft warnings aside */
    uint64_t attempt;
    bool trouble; /* something went wrong in this attempt */
    bool posted;  /* the first post of a thread was seen, in this source: */
    uint32_t posted_source;
    bool device_fault;                  /* a kernel of it went wrong */
    bool heap_fault;                    /* the host's allocator says that it cannot work */
    uint64_t given_up[OD_GIVEN_UP_MAX]; /* processes an error named, the latest; then they are */
    size_t ngiven_up;                   /* ended by who printed it; counts all */
};

/* A copy that lives with the case, cut at OD_NAME_MAX. */
struct od_view od_keep(struct od_case_builder *b, struct od_view text);
struct od_evidence od_keep_evidence(struct od_case_builder *b, const struct od_event *event);
void od_fill_text(struct od_case_builder *b, struct od_view *to, struct od_view from);
void od_fill_bytes(struct od_bytes *to, struct od_bytes from);

/* signs.c */
void od_fold_sign(struct od_case_builder *b, const struct od_event *event);
void od_signs_finish(struct od_case_builder *b);

/* incidents.c */

/* Refusals of the driver are all that the log complains of: they become a warning. */
void od_driver_incident(struct od_case_builder *b);
void od_fold_refused(struct od_case_builder *b, const struct od_event *event);
void od_fold_failed(struct od_case_builder *b, const struct od_event *event);
void od_fold_soft(struct od_case_builder *b, const struct od_event *event);
void od_fold_plain(struct od_case_builder *b, const struct od_event *event);
void od_fold_driver(struct od_case_builder *b, const struct od_event *event);
/* The next numbers of the failure just printed: a process that holds memory. */
void od_fold_tenant(struct od_case_builder *b, const struct od_event *event);
/* What holds the memory of the failure just printed. */
void od_fold_holding(struct od_case_builder *b, const struct od_event *event);
/* A guard says that the process that it signaled goes on. */
void od_fold_not_ended(struct od_case_builder *b, const struct od_event *event);
void od_fold_node(struct od_case_builder *b, const struct od_event *event);

/* drafts.c */

struct od_sighting od_see(struct od_case_builder *b, const struct od_event *event);

/* Only the tensor, and the words as evidence. */
void od_draft_add_tensor(struct od_case_builder *b, struct od_draft *d,
                         const struct od_sighting *s);

/* What every fold does: fill what is unknown, move the end, keep the words. */
void od_draft_add(struct od_case_builder *b, struct od_draft *d, const struct od_sighting *s);

/* A new draft; NULL when the limit is reached. at is where it was said first. */
struct od_draft *od_draft_new(struct od_case_builder *b, enum od_incident_kind kind,
                              struct od_prov at);

/* The request as far as the rounded size (a multiple of 256) and the printed one tell it. */
struct od_bytes od_request_of(struct od_bytes requested, struct od_bytes rounded);

/* Can a request of that size have been for this tensor? OD_CANNOT_TELL when sizes are unknown. */
enum od_tri od_request_is_tensor(struct od_bytes requested, const struct od_shape *shape,
                                 struct od_bytes tensor_bytes);

/* frames.c: a frame waits for the failure that its traceback ends in; any error forgets those of
 * its lane that stand above it. */
void od_fold_frame(struct od_case_builder *b, const struct od_event *event);
void od_frames_attach(struct od_case_builder *b, struct od_incident *inc,
                      const struct od_event *event);
void od_frames_forget(struct od_case_builder *b, const struct od_event *event);

/* A thread's title names the error, and the traceback below it ends before its own message: frames
 * that nobody took are of the incident of the first line. */
void od_frames_of_title(struct od_case_builder *b);

/* echoes.c: of the sorted incidents, sets echo_of where another one explains it, and fatal. */
void od_echoes_find(struct od_case *c);

/* settings.c: devices and settings */
void od_fold_device(struct od_case_builder *b, const struct od_event *event);
void od_fold_setting(struct od_case_builder *b, const struct od_event *event);

/* models.c: keeps a described model, unless it is known already */
void od_fold_model(struct od_case_builder *b, const struct od_event *event);
/* In the order of the log; they arrive in that of their ends. */
void od_models_finish(struct od_case_builder *b);

/* reported.c: what people claim. */
void od_fold_reported(struct od_case_builder *b, const struct od_event *event);
void od_reported_finish(struct od_case_builder *b);

/* states.c */
/* What prose states of memory. */
void od_fold_remark(struct od_case_builder *b, const struct od_event *event);
void od_fold_state(struct od_case_builder *b, const struct od_event *event);

/* forecast.c: gives the series of the (sorted) case their limits, and says when they reach them */
void od_series_forecast(struct od_case_builder *b);

/* moments.c */
void od_moment_add(struct od_case_builder *b, const struct od_event *event);
void od_moments_finish(struct od_case_builder *b);

/* Did the run move on after that line, in the same attempt? */
bool od_moments_went_on(const struct od_case *c, const struct od_prov *after);

/* links.c: gives each allocator of the (sorted) case to an incident, or makes one for it. A dump
 * without its head takes the request of the failure it belongs to. */
void od_dumps_link(struct od_case_builder *b);

/* conflicts.c */
void od_conflicts_find(struct od_case_builder *b);
