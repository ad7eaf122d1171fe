/*
 * An event: one fact that was printed. Rules and readers make events and the case merges them;
 * later stages cannot tell which rule or reader made one (its provenance shows it).
 *
 * Kinds and fields are closed lists. Rules use their names (event_fields.def, event.c); a field has
 * the same type everywhere. A new wording needs no C; a new kind of fact does.
 *
 * Ownership: an event and everything it points at is only valid during the call that delivers it.
 */
#pragma once

#include "facts/dump.h"
#include "facts/excerpt.h"
#include "facts/line.h"
#include "facts/model.h"
#include "facts/shape.h"

enum od_event_kind {
    OD_EV_NONE,
    /* memory */
    OD_EV_ALLOC_REFUSED,   /* an allocator could not serve a request, which alone is no proof of a
                              failure */
    OD_EV_ALLOC_FAILED,    /* an operation failed for lack of memory */
    OD_EV_SOFT_WARNING,    /* an allocator or framework printed a warning and continued */
    OD_EV_DRIVER_REFUSED,  /* the driver refused memory to an allocator */
    OD_EV_CONTEXT_FAILED,  /* a library or the driver could not start for lack of memory */
    OD_EV_COMPILE_FAILED,  /* a compiler's memory plan does not fit the device */
    OD_EV_KV_CACHE_FAILED, /* the requested KV cache does not fit beside the weights */
    OD_EV_SHM_EXHAUSTED,   /* shared memory or descriptors ran out */
    OD_EV_HOST_KILLED,     /* the kernel killed a process because the machine's memory was
                              exhausted */
    OD_EV_CGROUP_KILLED,   /* the kernel killed a process because its group reached its limit */
    OD_EV_JOB_KILLED,      /* a scheduler or orchestrator killed a job that exceeded its memory
                              limit */
    OD_EV_PRESSURE_KILLED, /* a memory guard killed a process under memory pressure */
    OD_EV_WORKER_KILLED,   /* a data-loading or pool worker died */
    OD_EV_KILLED,          /* a process was killed (SIGKILL, 137) for an unknown reason */
    OD_EV_DUMP,            /* an allocator's dump (payload: dump) */
    OD_EV_TENANT,          /* another process holds memory of the device of the failure just
                              printed */
    OD_EV_HOLDING,         /* a holding of the memory that just failed; name: its kind
                              (od_holding_kind_name), process and count: its owners, swap: the
                              part outside of RAM */
    OD_EV_MEMORY_STATE,    /* numbers about a device or host, without an error */
    OD_EV_SAMPLE,          /* a repeated measurement: one point of one or more series */
    /* the run */
    OD_EV_DEVICE,      /* a device was found or created, with its memory */
    OD_EV_SETTING,     /* a setting of the run: name and value */
    OD_EV_FRAME,       /* one line of a traceback: value (file), count (line), name (function) */
    OD_EV_CALLER,      /* a call printed below its error: the innermost call first */
    OD_EV_NODE,        /* the operation of the failure just printed */
    OD_EV_PROGRESS,    /* a step, epoch or throughput was printed, so the run makes progress; its
                          memory amounts and seconds are points of series */
    OD_EV_SAVED,       /* a checkpoint was saved (name "saved") or is being saved ("saving");
                          value: path; step, epoch; count: a number in the path, of either */
    OD_EV_EXCEPTION,   /* a program's exception or error report; space "device": a kernel failed,
                          and later messages of the device are unreliable */
    OD_EV_CRASH,       /* a process died of a signal or an assertion */
    OD_EV_RUN_STARTED, /* a program or attempt starts */
    OD_EV_PROCESS_STARTED, /* a supervisor started a process, one of several perhaps; it is no
                              new run */
    OD_EV_RUN_ENDED,       /* a program printed how it ended */
    OD_EV_MODEL,           /* a description of a model (payload: model) */
    /* a person's words about a run beside its log; name: "growth" (memory grows), "grown" (the
     * same with numbers), "late" (it failed after work that had fitted), "validation", "batch"
     * (a smaller one worked), "course" (memory went from in_use to peak), "phase" (message: its
     * name; in_use before a change, peak after it, free: reported savings) */
    OD_EV_REMARK,
    OD_EV_SIGN, /* a line shows a program or one of its settings; payload: sign, and the
                   value of the setting */
    OD_EV_END
};

/* A mark of a program or the name of a setting in the software catalogue (rules/software.h). */
struct od_sign;

enum od_field {
    OD_F_NONE,
#define OD_EVENT_FIELD(constant, name, type) OD_F_##constant,
#include "facts/event_fields.def"
#undef OD_EVENT_FIELD
    OD_F_END
};

enum od_field_type { OD_T_BYTES, OD_T_SHAPE, OD_T_DTYPE, OD_T_COUNT, OD_T_NUMBER, OD_T_TEXT };

struct od_field_value {
    enum od_field field;
    union {
        struct od_bytes bytes;
        const struct od_shape *shape; /* never NULL */
        enum od_dtype dtype;
        uint64_t count;
        double number;
        struct od_view text;
    } as;
};

enum { OD_EVENT_FIELDS = 24 };

struct od_event {
    enum od_event_kind kind;
    struct od_prov at;
    const struct od_line *line; /* the line it was read from (the last one if there are several) */
    struct od_view excerpt;     /* the recognized text, not cut; used as evidence */
    const char *rule;           /* id of the rule, or name of the reader */
    bool unit_guessed;          /* its bytes are printed without a unit, and the unit was guessed */
    struct od_dump *dump;       /* OD_EV_DUMP only; the receiver may take its arrays */
    struct od_model *model;     /* OD_EV_MODEL only; the receiver may take its arrays */
    const struct od_sign *sign; /* OD_EV_SIGN only */
    struct od_shape shape;      /* storage for the shape field, unless it has another owner */
    uint64_t has;               /* a bit for each field that it has */
    uint8_t place[OD_F_END];    /* index in fields of each field that it has */
    size_t nfields;
    struct od_field_value fields[OD_EVENT_FIELDS];
};

/* The receiver of events. */
struct od_sink {
    void (*event)(void *self, const struct od_event *event);
    void *self;
};

static inline void od_sink_put(const struct od_sink *sink, const struct od_event *event)
{
    sink->event(sink->self, event);
}

/* Names of kinds and fields, and the reverse; NULL or *_NONE if there is none. */
const char *od_event_kind_name(enum od_event_kind kind);
enum od_event_kind od_event_kind_find(struct od_view name);
const char *od_field_name(enum od_field field);
enum od_field od_field_find(struct od_view name);
enum od_field_type od_field_type(enum od_field field);

/* Does that kind mean that something failed or was refused? */
bool od_event_kind_is_trouble(enum od_event_kind kind);

bool od_event_kind_has(enum od_event_kind kind, enum od_field field);

/* The field's value; unknown or empty if the event does not have the field. */
static inline const struct od_field_value *od_event_get(const struct od_event *event,
                                                        enum od_field field)
{
    return event->has >> field & 1 ? &event->fields[event->place[field]] : NULL;
}

static inline struct od_bytes od_event_bytes(const struct od_event *event, enum od_field field)
{
    const struct od_field_value *value = od_event_get(event, field);
    return value ? value->as.bytes : (struct od_bytes){0};
}

static inline struct od_view od_event_text(const struct od_event *event, enum od_field field)
{
    const struct od_field_value *value = od_event_get(event, field);
    return value ? value->as.text : (struct od_view){0};
}

static inline struct od_count od_event_count(const struct od_event *event, enum od_field field)
{
    const struct od_field_value *value = od_event_get(event, field);
    return value ? od_count_of(value->as.count) : (struct od_count){0};
}

static inline bool od_event_number(const struct od_event *event, enum od_field field,
                                   double *ret_number)
{
    const struct od_field_value *value = od_event_get(event, field);
    if (value)
        *ret_number = value->as.number;
    return value != NULL;
}

/* The evidence of an event: its excerpt, or else its line, cut to OD_EXCERPT bytes in room. */
struct od_view od_event_evidence(const struct od_event *event, char room[static OD_EXCERPT]);

/* Writes it to room in any case; returns its length. */
size_t od_event_keep_evidence(const struct od_event *event, char room[static OD_EXCERPT]);

/* Makes an event without fields for a line. Unused elements of its arrays stay uninitialized. */
void od_event_begin(struct od_event *ret_event, enum od_event_kind kind, const struct od_line *line,
                    const char *rule);

/* Copies the used part of an event, whose shape stays in `from`. */
void od_event_copy(struct od_event *to, const struct od_event *from);

/* Adds or replaces a field. An event has room for OD_EVENT_FIELDS fields (asserted). */
void od_event_set(struct od_event *event, const struct od_field_value *value);
void od_event_set_bytes(struct od_event *event, enum od_field field, struct od_bytes bytes);
void od_event_set_known(struct od_event *event, enum od_field field,
                        struct od_bytes bytes); /* ignored if unknown */
void od_event_set_text(struct od_event *event, enum od_field field, struct od_view text);
void od_event_set_count(struct od_event *event, enum od_field field, uint64_t count);
void od_event_set_number(struct od_event *event, enum od_field field, double number);
