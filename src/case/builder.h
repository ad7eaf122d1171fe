/*
 * Internals of the builder for the files in this folder that merge events: incidents, moments,
 * devices, settings, dumps. Every list that grows with the input has its limit here.
 */
#pragma once

#include "base/map.h"
#include "case/case.h"
#include "case/line_clock.h"
#include "case/series_fold.h"

enum {
    OD_INCIDENTS_MAX = 5000,
    OD_ALLOCATORS_MAX = 512, /* the first half and the latest half */
    /* rows of all chunk lists, 8 MiB; further lists between the first and the latest are dropped */
    OD_CHUNKS_MAX = 1 << 18,
    OD_DEVICES_MAX = 256,
    OD_SETTINGS_MAX = 1000,
    OD_MODELS_MAX = 200,
    OD_MODEL_LAYERS_MAX = 32768, /* layers of all models */
    OD_STATES_MAX = 256,         /* numbers printed at every step become a series instead */
    OD_RUN_EVENTS_MAX = 4096,    /* moments in the middle of the run are dropped first */
    OD_CONFLICTS_MAX = 200,
    OD_TENANTS_MAX = 64,
    OD_HOLDINGS_MAX = 64,
    OD_INCIDENT_EVIDENCE_MAX = 8, /* the last element is always the latest line */
    OD_DRIVER_EVIDENCE_MAX = 4,
    OD_REFUSED_LINES_MAX = 20000,
    OD_GIVEN_UP_MAX = 32,
    OD_SEEN_EACH = 32, /* lines of one mark: the first half and the latest half */
    OD_SEEN_MAX = 16384,
    OD_SEEN_TEXT = 200,
    OD_FRAMES_MAX = 256,   /* frames of tracebacks that belong to no incident yet */
    OD_TRACEBACK_MAX = 96, /* innermost frames of an incident */
    OD_NAME_MAX = 1000     /* bytes of a name; longer ones are cut */
};

/* An incident into which events are merged. */
enum {
    OD_WORDINGS = 8,
    OD_NEXT_LINES = 3 /* a message continues within this many lines */
};

struct od_merge {
    struct od_incident inc;
    struct od_view host;
    uint64_t attempt;
    uint64_t refused;     /* number of reports by an allocator */
    uint64_t failed;      /* number of reports by an operation */
    char *last_text;      /* buffer of the latest evidence; NULL until the evidence is full */
    uint64_t occurrences; /* adjacent lines with different wordings are one */
    uint64_t wordings[OD_WORDINGS]; /* wordings of the current occurrence */
    size_t nwordings;
    bool fork; /* a fork failed */
};

/* The facts of one event about an incident. Texts belong to the scratch arena or the event. */
struct od_sighting {
    enum od_incident_kind kind;
    const struct od_event *event;
    struct od_count rank;
    struct od_view host, device, allocator, op;
    bool place_assumed; /* no line names the memory, and the device is a guess */
    bool fork;          /* a fork failed */
    bool full_heap;     /* a runtime reports that its heap is full */
    struct od_bytes requested;
    struct od_shape shape;
    enum od_dtype dtype;
    struct od_bytes tensor_bytes;
};

/* A frame that may belong to the next failure in its lane. */
struct od_loose_frame {
    uint32_t source, lane;
    uint64_t line; /* line of the log */
    struct od_count code_line;
    uint64_t means; /* computed at the first use */
    size_t file_n, function_n;
    char file[200];
    char function[160];
};

/* The latest moment, which may still get lines: its texts are overwritten in place. */
struct od_stretch {
    struct od_run_event moment;
    struct od_loose_frame frame; /* the call in the user's files; file_n 0 = none */
    struct od_view script;       /* file whose traceback starts at "<module>"; empty = none */
    size_t name_n, text_n;
    char name[96];
    char text[OD_EXCERPT];
};

/* A line in which an allocator refused a request, and the index of its incident. */
struct od_refused_line {
    uint32_t source;
    uint64_t line;
    size_t merge;
};

/* Free and total memory of the machine as a program printed them. */
struct od_reading_of_machine {
    struct od_view producer;
    struct od_bytes free, capacity, swap, swap_free;
};

struct od_case_builder {
    struct od_case *c;
    bool claim_concluded; /* the claim's memory is only concluded from a growth */
    /* growth of RAM with both values in the text, used if there is no other claim; NULL = none */
    struct od_incident *grown;
    struct od_reading_of_machine reading; /* the latest measurement */
    /* managed heap after the latest collection; size unknown = not the limit */
    struct od_bytes heap_used, heap_size;
    struct od_incident stated; /* amounts that a person states about the machine or its limit */
    struct od_arena *arena;    /* the case's arena */
    struct od_arena *scratch;  /* holds data of one event */
    struct od_buf key;
    struct od_map merges_by_key; /* key -> index + 1 of an incident */
    struct od_map settings;      /* name -> index + 1 of its latest value */
    OD_VEC(struct od_merge) merges;
    bool of_device;         /* some series measures a device's memory */
    struct od_merge driver; /* the driver's refusals; an incident only if there is no other */
    OD_VEC(struct od_stretch) stretches;
    OD_VEC(struct od_refused_line) refused;
    OD_VEC(struct od_loose_frame) frames;
    struct od_map signs; /* address of a mark -> its positions in the list */
    struct od_series_folder *series;
    struct od_line_clock clock;
    struct od_given given;
    const struct od_around *around; /* NULL = not kept */
    size_t model_layers;            /* layers of all stored models */
    size_t chunks;                  /* rows of all stored chunk lists */
    struct od_prov last_error;      /* the last exception, crash or end of a run; line 0 = none */
    /* the first call below that is in the user's files; file_n 0 = none */
    struct od_prov calls_begin;
    struct od_prov last_caller;   /* the input has a first post of a thread */
    struct od_loose_frame caller; /* framework that reported that it has no accelerator */
    size_t latest_failure; /* index + 1 of the incident extended last, except soft warnings */
    uint64_t attempt;
    bool trouble; /* an error occurred in this attempt */
    bool posted;  /* the host's allocator reported that it does not work */
    uint32_t posted_source;
    /* processes that an error named before the printing process ended them; the latest ones */
    struct od_view on_cpu;
    bool device_fault;                  /* a kernel of the device failed */
    bool heap_fault;                    /* the host's allocator reported that it cannot work */
    uint64_t given_up[OD_GIVEN_UP_MAX]; /* latest processes that an error named before the
                                           printing process ended them */
    /* number of all of them, with those no longer in given_up */
    size_t ngiven_up;
};

/* A copy with the life of the case, cut at OD_NAME_MAX. */
struct od_view od_case_copy(struct od_case_builder *b, struct od_view text);
struct od_evidence od_case_copy_evidence(struct od_case_builder *b, const struct od_event *event);
void od_fill_text(struct od_case_builder *b, struct od_view *to, struct od_view from);
void od_fill_bytes(struct od_bytes *to, struct od_bytes from);

/* signs.c */
void od_fold_sign(struct od_case_builder *b, const struct od_event *event);
void od_signs_finish(struct od_case_builder *b);

/* cures.c */
void od_cures_drop(struct od_case *c, struct od_assigned_list *assigned);

/* incidents.c */

/* Makes a warning of the driver's refusals if the log has no other memory problem. */
void od_driver_incident(struct od_case_builder *b);
void od_fold_refused(struct od_case_builder *b, const struct od_event *event);
void od_fold_failed(struct od_case_builder *b, const struct od_event *event);
void od_fold_soft(struct od_case_builder *b, const struct od_event *event);
void od_fold_plain(struct od_case_builder *b, const struct od_event *event);
/* The limit in an event; of a job with slots, the sum of their limits. */
struct od_bytes od_limit_of_job(const struct od_event *event);
void od_fold_driver(struct od_case_builder *b, const struct od_event *event);
/* Adds a process that holds memory to the latest failure. */
void od_fold_tenant(struct od_case_builder *b, const struct od_event *event);
/* Adds a holding of memory to the latest failure. */
void od_fold_holding(struct od_case_builder *b, const struct od_event *event);
/* A memory guard reports that a process is still running after its signal. */
void od_fold_not_ended(struct od_case_builder *b, const struct od_event *event);
void od_fold_node(struct od_case_builder *b, const struct od_event *event);

/* incident_merge.c */

struct od_sighting od_see(struct od_case_builder *b, const struct od_event *event);

/* Adds only the tensor and the evidence. */
void od_merge_add_tensor(struct od_case_builder *b, struct od_merge *d,
                         const struct od_sighting *s);

/* Fills unknown values, moves the end, and adds the evidence. */
void od_merge_add(struct od_case_builder *b, struct od_merge *d, const struct od_sighting *s);

/* A new, empty incident; NULL if the limit is reached. at: the first line that reports it. */
struct od_merge *od_merge_new(struct od_case_builder *b, enum od_incident_kind kind,
                              struct od_prov at);

/* The request by its printed size and its rounded size (a multiple of 256). */
struct od_bytes od_request_of(struct od_bytes requested, struct od_bytes rounded);

/* Can a request of that size be for this tensor? OD_CANNOT_TELL if a size is unknown. */
enum od_tri od_request_is_tensor(struct od_bytes requested, const struct od_shape *shape,
                                 struct od_bytes tensor_bytes);

/* frames.c: keeps a frame for the failure at the end of its traceback. An error drops the frames
 * above it in its lane. */
void od_fold_frame(struct od_case_builder *b, const struct od_event *event);
/* A call printed below the failure: the first one in the user's files is the failing line. */
void od_fold_caller(struct od_case_builder *b, const struct od_event *event);
void od_frames_attach(struct od_case_builder *b, struct od_incident *inc,
                      const struct od_event *event);
void od_frames_forget(struct od_case_builder *b, const struct od_event *event);

/* Sets the script and the innermost frame in the user's files, for the traceback that ends at the
 * event, if they are not set. */
void od_frames_of_user(struct od_case_builder *b, const struct od_event *event,
                       struct od_stretch *to);

/* A copy of the frame in the case's arena. */
struct od_frame od_frame_kept(struct od_case_builder *b, const struct od_loose_frame *frame);

/* A traceback without a message at its end belongs to the incident directly above it, or to the
 * incident in the title. */
void od_frames_below(struct od_case_builder *b);

/* incident_consequences.c: sets echo_of and fatal of the sorted incidents. */
void od_consequences_find(struct od_case *c);

/* Adds to the failure the processes, containers or job steps that nearby tables list as holders. */
void od_listed_add(struct od_incident *inc, const od_series_list *series);

/* settings.c: devices and settings */
void od_fold_device(struct od_case_builder *b, const struct od_event *event);
void od_fold_setting(struct od_case_builder *b, const struct od_event *event);

/* models.c: adds a described model unless an equal one exists */
void od_fold_model(struct od_case_builder *b, const struct od_event *event);
/* Sorts the models by place, because they arrive in the order of their last lines. */
void od_models_finish(struct od_case_builder *b);

/* Adds a memory guard's measurement of the machine, or the kill that follows it. */
void od_fold_reading(struct od_case_builder *b, const struct od_event *event);
void od_fold_pressure(struct od_case_builder *b, const struct od_event *event);

/* reported.c: failures that people report */
void od_fold_reported(struct od_case_builder *b, const struct od_event *event);

/* Adds growth of RAM that the text states. */
void od_fold_grown(struct od_case_builder *b, const struct od_event *event);
void od_reported_finish(struct od_case_builder *b);

/* memory_state.c */
/* Memory amounts stated in prose. */
void od_fold_remark(struct od_case_builder *b, const struct od_event *event);
void od_fold_state(struct od_case_builder *b, const struct od_event *event);

/* forecast.c: sets the limits of the sorted case's series and predicts when they are reached */
void od_series_forecast(struct od_case_builder *b);

/* run_events.c */
void od_run_event_add(struct od_case_builder *b, const struct od_event *event);
void od_run_events_finish(struct od_case_builder *b);

/* Did the run make progress after that line in the same attempt? */
bool od_run_events_went_on(const struct od_case *c, const struct od_prov *after);

/* dump_to_incident.c: assigns each dump of the sorted case to an incident, or makes one for it. A
 * dump without its first line takes the request of that incident. */
void od_dumps_assign(struct od_case_builder *b);

/* conflicts.c */
void od_conflicts_find(struct od_case_builder *b);
