/*
 * The case: everything one input told, folded from events and then frozen. Who, where, when, how
 * much; allocator dumps verified against their own arithmetic; incidents; the course of the run;
 * contradictions. No conclusion about causes is in here (diagnose/).
 *
 * Ownership: a case owns all its texts and tables; od_case_free releases them.
 */
#pragma once

#include "case/allocator.h"
#include "case/course.h"
#include "case/series.h"
#include "facts/amount.h"
#include "facts/event.h"
#include "facts/meaning.h"
#include "facts/prov.h"
#include "facts/setting.h"
#include "facts/shape.h"
#include "facts/trace.h"

struct od_evidence {
    struct od_prov at;
    struct od_view text; /* excerpt, at most OD_EXCERPT bytes */
    uint64_t means;      /* of incidents and moments: a bit for each od_said_meaning */
};

enum { OD_EXCERPT = 400 };

/* The contract's closed list. */
enum od_incident_kind {
    OD_INC_DEVICE_ALLOC_FAILED,
    OD_INC_DEVICE_COMPILE_OOM,
    OD_INC_DEVICE_CONTEXT_FAILED,
    OD_INC_KV_CACHE_TOO_SMALL,
    OD_INC_HOST_ALLOC_FAILED,
    OD_INC_HOST_OOM_KILL,
    OD_INC_CGROUP_OOM_KILL,
    OD_INC_JOB_LIMIT_KILL,
    OD_INC_PRESSURE_KILL,
    OD_INC_SHM_EXHAUSTED,
    OD_INC_WORKER_KILLED,
    OD_INC_UNEXPLAINED_KILL,
    OD_INC_SOFT_WARNING,
    OD_INC_END
};

/* The contract's word. */
const char *od_incident_kind_name(enum od_incident_kind kind);

/* Of the machine's memory, or what a kill without a reason has most often to do with. */
bool od_incident_kind_is_host(enum od_incident_kind kind);

/* A process was ended by somebody else. */
bool od_incident_kind_is_kill(enum od_incident_kind kind);

struct od_tensor {
    struct od_shape shape;
    enum od_dtype dtype;
    struct od_bytes bytes;
    struct od_view op;
};

/* A process a log names. */
struct od_process {
    struct od_count pid;
    struct od_view name;
    struct od_bytes rss; /* anon-rss where the kernel prints the parts */
    struct od_bytes virtual;
};

/* Another process said to hold the memory that was short. */
struct od_tenant {
    struct od_count pid;
    struct od_view name;
    struct od_bytes bytes;
};

/* What holds the memory that failed, as a kernel or a program counts it: processes by name, files
 * in memory, the kernel's own. */
struct od_held {
    enum od_holding_kind kind;
    struct od_view name; /* of processes; empty = several that are not told apart */
    struct od_count count;
    struct od_bytes bytes, swap;
};

/* One call of a traceback. */
struct od_frame {
    struct od_view file;
    struct od_view function;
    struct od_count line;
    uint64_t means; /* a bit for each od_frame_meaning */
};

struct od_incident {
    uint32_t id; /* 1-based, chronological */
    enum od_incident_kind kind;
    struct od_view producer;
    struct od_prov at;   /* the first of the folded repeats */
    struct od_prov last; /* the last of them */
    struct od_view stamp;
    uint64_t count;
    enum od_tri fatal;     /* the run (or attempt) ended by it; OD_CANNOT_TELL = null */
    struct od_view device; /* "GPU:0", "CPU"; empty = not said */
    bool place_assumed;    /* no line says which memory it was: "CPU" is a guess */
    struct od_count rank;
    struct od_view allocator;
    enum od_tri unified;
    struct od_bytes requested, capacity, limit, in_use, reserved, free, peak;
    struct od_bytes largest;         /* of what is free, in one piece */
    struct od_bytes held;            /* of the device, by the process that failed as a whole */
    struct od_tensor tensor;         /* shape.known or op.n tells whether there is one */
    bool contradicts;                /* its numbers do each other: nothing is derived from them */
    bool titled;                     /* a thread's title says it, once */
    bool evaluating;                 /* the function that was called is an evaluation's */
    bool op_error;                   /* an operation reported it, not only an allocator */
    size_t dump;                     /* index + 1 into allocators; 0 = none belongs to it */
    struct od_process process;       /* that failed or was killed; all unknown = none was named */
    struct od_view group;            /* cgroup, container or job */
    struct od_view printed_by;       /* container or program in front of its line; empty = none */
    struct od_bytes swap, swap_free; /* of the machine */
    bool swapoff;                    /* its swap was being switched off */
    struct od_view trigger; /* process whose request made the kernel kill; empty = not said */
    struct od_count signal; /* that ended the process */
    struct od_count status; /* its exit status */
    struct od_count tokens; /* of the longest sequence that the cache can hold, as a server says */
    uint64_t attempt;       /* counts the starts of the log after which something went wrong */
    uint32_t echo_of;       /* id of the incident that explains this one; 0 = none */
    const struct od_frame *frames; /* of its traceback, outermost first */
    size_t nframes;
    const struct od_frame *frame; /* the innermost in the user's own files; NULL = none */
    OD_VEC(struct od_tenant) others;
    OD_VEC(struct od_held) holdings;
    OD_VEC(struct od_evidence) evidence;
};

/* The last part of its group's name, "trainer.service"; empty = none. */
struct od_view od_incident_unit(const struct od_incident *incident);

/* Is that a service of the system, and no session of a user's? */
bool od_incident_is_of_service(const struct od_incident *incident);

/* Does one of its calls, or what was said of it, mean that? */
bool od_incident_calls(const struct od_incident *incident, enum od_frame_meaning meaning);
bool od_incident_says(const struct od_incident *incident, enum od_said_meaning meaning);

/* Does the innermost of its calls that is no layer or function of a framework mean that? */
bool od_incident_ends_in(const struct od_incident *incident, enum od_frame_meaning meaning);

/* The installed package of Python's that its innermost call stands in; empty = none. */
struct od_view od_incident_package(const struct od_incident *incident);

/* Do all lines that tell of it say that the program caught it and what it does instead? */
bool od_incident_is_handled(const struct od_incident *incident);

/* A device the log named, with what it said about its memory. */
struct od_device {
    struct od_view name;   /* as printed */
    struct od_view device; /* "GPU:0" when the line says it */
    struct od_bytes capacity;
    struct od_bytes limit; /* what the framework took or may take */
    struct od_bytes free;  /* before the run took any */
    struct od_evidence said;
};

struct od_setting {
    struct od_view name;
    enum od_setting_id id; /* OD_SETTING_NONE: a name that only the reports show */
    struct od_view value;
    struct od_evidence said;
};

/* Numbers about memory that came without a complaint: a summary of an allocator, a compiler's
 * plan, a buffer, what a loader says it took. */
struct od_memory_state {
    struct od_view name; /* of what: "memory_summary", "job_summary", "parameter", "weights", ... */
    struct od_view producer, device, op;
    struct od_bytes requested, capacity, limit, in_use, reserved, free, peak;
    struct od_shape shape;
    enum od_dtype dtype;
    struct od_count count;
    struct od_evidence said;
};

/* One stretch of the run in which the same kind of thing was said, in order of the log. */
struct od_moment {
    enum od_event_kind kind;
    struct od_prov first, last;
    uint64_t count;
    bool titled;             /* a thread's title says it */
    struct od_count status;  /* of OD_EV_RUN_ENDED */
    struct od_view name;     /* exception class, program */
    struct od_evidence said; /* the last of the stretch */
};

/* A line that shows a program or one of its settings: a row of the catalogue of software
 * (rules/software.h), which is read further up. */
struct od_seen {
    const struct od_sign *sign;
    struct od_view value; /* of a setting; of a program, its version */
    bool titled;          /* in a thread's title */
    bool worked;          /* the line says that it went well there */
    uint32_t lane;
    struct od_evidence said;
};

/* Numbers in the log that contradict each other. */
struct od_conflict {
    const char *code;
    struct od_prov at;
    struct od_view message;
};

/* Memory that prose states: a course (phase empty), or a phase before and after a change. */
struct od_stated {
    struct od_prov at;
    struct od_view phase;
    struct od_bytes before, after, saved;
};

enum { OD_STATED_MAX = 64, OD_COMMANDS_MAX = 16 };

/* X(constant, what it holds) */
#define OD_LISTS(X)                     \
    X(INCIDENTS, "failures")            \
    X(REPEATS, "repeats of a failure")  \
    X(DEVICES, "devices")               \
    X(SETTINGS, "settings")             \
    X(MODELS, "models")                 \
    X(LAYERS, "layers of a model")      \
    X(SERIES, "series of measurements") \
    X(MOMENTS, "moments of the run")    \
    X(CONFLICTS, "contradictions")
enum od_list {
#define OD_LIST_NAME(constant, words) OD_LIST_##constant,
    OD_LISTS(OD_LIST_NAME)
#undef OD_LIST_NAME
};

struct od_case {
    struct od_arena *arena;
    const struct od_trace *trace; /* of decisions made of the case; NULL = nobody observes */
    OD_VEC(struct od_allocator *) allocators; /* one a dump, in order of their first lines */
    OD_VEC(struct od_incident) incidents;
    struct od_incident *claim; /* what people report, where no line may show it; NULL = nothing */
    OD_VEC(struct od_device) devices;
    OD_VEC(struct od_setting) settings;
    OD_VEC(struct od_model) models; /* described in the log, each once; texts as the readers' */
    OD_VEC(struct od_memory_state) states; /* the first OD_STATES_MAX */
    uint64_t state_count;                  /* all that were said */
    OD_VEC(struct od_stated) stated;       /* the first OD_STATED_MAX */
    od_series_list series;                 /* in order of their first points */
    od_course_list courses;                /* one an input that has a course */
    OD_VEC(struct od_moment) moments;
    OD_VEC(struct od_evidence) commands; /* as shells showed them; the latest OD_COMMANDS_MAX */
    OD_VEC(struct od_seen) seen; /* in order of the log; of each sign the first and the latest */
    OD_VEC(struct od_conflict) conflicts;
    OD_VEC(struct od_evidence) driver_refusals; /* the first few */
    uint64_t driver_refusal_count;
    struct od_bytes driver_refused_smallest, driver_refused_largest;
    uint64_t events; /* folded in all */
    unsigned closed; /* bit OD_LIST_x: that list reached its limit, what came later is not in it */
    size_t dumps_forgotten;       /* whole, from between the first and the latest */
    size_t chunk_lists_forgotten; /* of dumps between the first and the latest: only what was
                                     computed of them is kept */
};

struct od_case_builder;

struct od_case_builder *od_case_builder_new(void);

/* Where the events go. Dumps are taken over: the event's dump is moved from, its arrays emptied. */
struct od_sink od_case_builder_sink(struct od_case_builder *builder);

/* What somebody who is no line of the log says that the device and the machine have: limits of the
 * series for which no line says one. capacity is that of the device that the run had. */
struct od_given {
    struct od_bytes device, machine, capacity; /* each may be unknown */
};

void od_case_builder_given(struct od_case_builder *builder, const struct od_given *given);

/* Decisions made of the case are noted there. */
void od_case_builder_observe(struct od_case_builder *builder, const struct od_trace *trace);

/* Ends folding; the builder is freed. Never NULL. */
const struct od_case *od_case_freeze(struct od_case_builder *builder);

void od_case_free(const struct od_case *c);

/* A setting's value, or empty. */
struct od_view od_case_setting(const struct od_case *c, enum od_setting_id id);

/* The number behind a word on the line that said the setting, "momentum=0.9"; 0 where there is
 * none. */
double od_setting_beside(const struct od_setting *setting, const char *word);

/* Is any of these said? ids ends with OD_SETTING_NONE. */
bool od_case_sets_any(const struct od_case *c, const enum od_setting_id *ids);

/* Its value in force at a place: the last said in front of it in its input; else the first behind
 * it (what a program prints may come later than its errors), the last of the inputs before, or any.
 * Empty where it is never said. */
struct od_view od_case_setting_at(const struct od_case *c, enum od_setting_id id,
                                  const struct od_prov *at);
