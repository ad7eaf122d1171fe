/*
 * The case: everything read from one input, merged from events and then never changed. Places,
 * times, amounts; dumps checked by their own arithmetic; incidents; the course of the run;
 * contradictions. Causes are decided elsewhere (diagnose/). A case owns all its texts and tables;
 * od_case_free releases them.
 */
#pragma once

#include "case/allocator.h"
#include "case/run_state.h"
#include "case/series.h"
#include "facts/amount.h"
#include "facts/assigned.h"
#include "facts/event.h"
#include "facts/meaning.h"
#include "facts/prov.h"
#include "facts/setting.h"
#include "facts/shape.h"
#include "facts/trace.h"

struct od_evidence {
    struct od_prov at;
    struct od_view text; /* excerpt of the line (facts/excerpt.h) */
    uint64_t means;      /* for incidents and moments: bits of enum od_said_meaning */
    bool repeats;        /* for incidents: all its facts are in earlier lines */
};

enum od_incident_kind {
#define OD_INCIDENT_KIND(constant, name, scope, is, depth, least, event) OD_INC_##constant,
#include "case/incident_kinds.def"
    OD_INC_END
};

/* Name in the JSON contract. */
const char *od_incident_kind_name(enum od_incident_kind kind);

/* Is it about host memory, or a kill without a reason, which usually is? */
bool od_incident_kind_is_host(enum od_incident_kind kind);

/* Was a process ended by another one? */
bool od_incident_kind_is_kill(enum od_incident_kind kind);

/* Was it killed by the kernel, a scheduler or another guard of a limit? */
bool od_incident_kind_is_guard(enum od_incident_kind kind);

struct od_tensor {
    struct od_shape shape;
    enum od_dtype dtype;
    struct od_bytes bytes;
    struct od_view op;
};

/* A process in a log. */
struct od_process {
    struct od_count pid;
    struct od_view name;
    struct od_bytes rss; /* without pages of files, if the kernel prints the parts */
    struct od_bytes virtual;
    double score_adj; /* oom_score_adj; 0 = none or not known */
};

/* Another process that holds exhausted memory according to the log. */
struct od_tenant {
    struct od_count pid;
    struct od_view name;
    struct od_bytes bytes;
    bool of_run; /* a launcher of the run names it as one of its ranks */
    bool listed; /* from a table of processes, which may list the failed process, too */
};

/* Exhausted memory that is held, as counted by a kernel or program: processes of one name, files in
 * memory, kernel memory. */
struct od_held {
    enum od_holding_kind kind;
    struct od_view name;        /* of the processes; empty = several without names */
    struct od_count count, pid; /* the PID is known for a single process only */
    struct od_bytes bytes, swap;
    struct od_bytes least; /* RAM of the smallest of several processes */
    double score_adj;      /* oom_score_adj; 0 = none or not known */
};

/* One call of a traceback. */
struct od_frame {
    struct od_view file;
    struct od_view function;
    struct od_count line;
    uint64_t means; /* bits of enum od_frame_meaning */
};

struct od_incident {
    uint32_t id; /* 1-based, chronological */
    enum od_incident_kind kind;
    struct od_view producer;
    struct od_prov at;   /* the first of the merged repeats */
    struct od_prov last; /* the last of the merged repeats */
    struct od_view stamp;
    uint64_t count;
    enum od_tri fatal;     /* it ended the run or attempt; OD_CANNOT_TELL is null in JSON */
    struct od_view device; /* "GPU:0", "CPU"; empty = not printed */
    bool place_assumed;    /* no line names the memory, and "CPU" is a guess */
    struct od_count rank;
    struct od_view allocator;
    enum od_tri unified;
    struct od_bytes requested, capacity, limit, in_use, reserved, free, peak;
    struct od_bytes wanted;  /* memory in use with the request */
    struct od_bytes largest; /* largest free block */
    struct od_bytes held;    /* all device memory of the failed process */
    struct od_tensor tensor; /* set if shape.known or op.n > 0 */
    /* its numbers contradict each other, and nothing is derived from them */
    bool contradicts;
    bool titled;     /* only the title of a thread reports it */
    bool evaluating; /* the traceback has a call of an evaluation */
    bool op_error;   /* an operation reported it, not just an allocator */
    size_t dump;     /* index + 1 in allocators; 0 = none */
    /* the failed or killed process; all members unknown = not named */
    struct od_process process;
    struct od_view group;            /* cgroup, container or job */
    struct od_view printed_by;       /* prefix of its line, a container or program; empty = none */
    struct od_bytes swap, swap_free; /* swap of the machine */
    bool swapoff;                    /* swap was being turned off */
    struct od_view measured, threshold; /* the two values that a guard compared */
    struct od_view trigger; /* the process whose request triggered the kill; empty = not printed */
    struct od_count signal; /* the signal that ended the process */
    struct od_count status; /* the exit status of the process */
    struct od_count needed, fits;  /* unit of `counted`: tokens, buffers, files */
    struct od_view counted;        /* "tokens" */
    struct od_count kills;         /* number of killed processes in its line */
    uint64_t attempt;              /* number of starts in the log that an error followed */
    uint32_t echo_of;              /* id of the incident that explains this one; 0 = none */
    const struct od_frame *frames; /* its traceback, outermost first */
    size_t nframes;
    const struct od_frame *frame; /* the innermost of them in the user's own files; NULL = none */
    OD_VEC(struct od_tenant) others;
    OD_VEC(struct od_held) holdings;
    OD_VEC(struct od_evidence) evidence;
};

/* An amount (member: offsetof of an od_bytes) with the memory that it is part of, by the kind of
 * the incident. */
struct od_amount od_incident_amount(const struct od_incident *incident, size_t member);

/* The last component of its group's name, such as "trainer.service"; empty = none. */
struct od_view od_incident_unit(const struct od_incident *incident);

/* Number of the job in the path of its control group, "88123" in
 * "/slurm/uid_1000/job_88123/step_0"; empty = none. */
struct od_view od_incident_job(const struct od_incident *incident);

/* Is its unit a system service rather than a user session? */
bool od_incident_is_of_service(const struct od_incident *incident);

/* Does one of its calls (od_incident_calls) or messages (od_incident_says) have that meaning? */
bool od_incident_calls(const struct od_incident *incident, enum od_frame_meaning meaning);
bool od_incident_says(const struct od_incident *incident, enum od_said_meaning meaning);

/* Does its innermost call outside of a framework's layers and functions have that meaning? */
bool od_incident_ends_in(const struct od_incident *incident, enum od_frame_meaning meaning);

/* The installed Python package that contains its innermost call; empty = none. */
struct od_view od_incident_package(const struct od_incident *incident);

/* Did the killed process or its job hold so little that it hardly reached this limit? */
bool od_incident_is_far_below(const struct od_incident *incident, struct od_bytes limit);

/* Do all its lines state that the program caught it, and what it does instead? */
bool od_incident_is_handled(const struct od_incident *incident);

/* A device in the log, with its memory. */
struct od_device {
    struct od_view name;   /* as printed */
    struct od_view device; /* "GPU:0" if the line shows it */
    struct od_bytes capacity;
    struct od_bytes limit; /* memory that the framework took or may take */
    struct od_bytes free;  /* before the run allocated anything */
    struct od_evidence said;
};

struct od_setting {
    struct od_view name;
    enum od_setting_id id; /* OD_SETTING_NONE: a name that is only shown in reports */
    struct od_view value;
    struct od_evidence said;
};

/* Memory numbers outside of errors: an allocator's summary, a compiler's plan, a buffer, loaded
 * weights. */
struct od_memory_state {
    /* subject of the numbers: "memory_summary", "job_summary", "parameter", "weights", ... */
    struct od_view name;
    struct od_view producer, device, op;
    struct od_bytes requested, capacity, limit, in_use, reserved, free, peak;
    struct od_shape shape;
    enum od_dtype dtype;
    struct od_count count;
    struct od_evidence said;
};

/* Consecutive events of one kind in a run, in the order of the log. */
struct od_run_event {
    enum od_event_kind kind;
    struct od_prov first, last;
    uint64_t count;
    bool titled;            /* in the title of a thread */
    struct od_count status; /* exit status of OD_EV_RUN_ENDED */
    struct od_view name;    /* class of the exception, or program */
    const struct od_frame
        *frame; /* innermost frame of the first traceback in the user's files; NULL = none */
    struct od_view script;   /* the file in which its tracebacks start; empty = unknown */
    struct od_evidence said; /* the last line of these events */
};

/* A line that shows a program or a setting of it, found by a mark of the software catalogue
 * (rules/software.h). */
struct od_seen {
    const struct od_sign *sign;
    struct od_view value; /* value of a setting, or version of a program */
    bool titled;          /* in the title of a thread */
    bool worked;          /* the line reports that it worked with this program, or this value */
    uint32_t lane;
    struct od_evidence said;
};

/* Numbers in the log that contradict each other. */
struct od_conflict {
    const char *code;
    struct od_prov at;
    struct od_view message;
};

/* Memory amounts in prose: two at different times (phase empty), or of a phase before and after a
 * change. */
struct od_stated {
    struct od_prov at;
    struct od_view phase;
    struct od_bytes before, after, saved;
};

/* A proposal in the text: a setting with values before and after, or a size that memory must not
 * exceed. */
struct od_proposed {
    struct od_prov at;
    struct od_view setting, before, after; /* empty = not stated, or a bound without a setting */
    struct od_bytes below;
    bool of_device; /* the bound is for device memory, otherwise for RAM */
};

enum { OD_STATED_MAX = 64, OD_COMMANDS_MAX = 16 };

/* X(constant, contents of the list) */
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
    const struct od_trace *trace; /* records the decisions made from the case; NULL = not
                                     recorded */
    /* numbers with names in the text of the first failure; NULL = the text was not kept */
    const struct od_assigned_list *assigned;
    OD_VEC(struct od_allocator *) allocators; /* one for each dump, in order of their first lines */
    OD_VEC(struct od_incident) incidents;
    /* a failure that people report; a line need not show it; NULL = none */
    struct od_incident *claim;
    OD_VEC(struct od_device) devices;
    OD_VEC(struct od_setting) settings;
    /* models described in the log, each once; texts belong to the readers */
    OD_VEC(struct od_model) models;
    OD_VEC(struct od_memory_state) states; /* the first OD_STATES_MAX */
    uint64_t state_count;                  /* total number, with those not stored */
    OD_VEC(struct od_stated) stated;       /* the first OD_STATED_MAX */
    OD_VEC(struct od_proposed) proposed;   /* the first OD_STATED_MAX */
    od_series_list series;                 /* in order of their first points */
    od_run_state_list courses;             /* one for each input with progress or checkpoints */
    OD_VEC(struct od_run_event) run_events;
    /* as shown after shell prompts; the latest OD_COMMANDS_MAX */
    OD_VEC(struct od_evidence) commands;
    /* in the order of the log; the first and the latest of each mark */
    OD_VEC(struct od_seen) seen;
    OD_VEC(struct od_conflict) conflicts;
    OD_VEC(struct od_evidence) driver_refusals; /* the first refusals */
    uint64_t driver_refusal_count;
    struct od_bytes driver_refused_smallest, driver_refused_largest;
    uint64_t events;        /* number of merged events */
    unsigned closed;        /* bit OD_LIST_x: the list is full and lacks later entries */
    size_t dumps_forgotten; /* number of dumps dropped between the first and the latest */
    /* number of dumps between the first and the latest without their chunk lists; computed
     * values remain */
    size_t chunk_lists_forgotten;
};

struct od_case_builder;

struct od_case_builder *od_case_builder_new(void);

/* The sink for events. Moves dumps out of them. */
struct od_sink od_case_builder_sink(struct od_case_builder *builder);

/* Sizes of device and machine from the user: limits of series for which no line prints one.
 * capacity: of the device of the run. */
struct od_given {
    struct od_bytes device, machine, capacity; /* each may be unknown */
};

void od_case_builder_given(struct od_case_builder *builder, const struct od_given *given);

/* The text near failures, kept until the case is frozen. */
void od_case_builder_text(struct od_case_builder *builder, const struct od_around *around);

/* Records decisions made from the case in trace. */
void od_case_builder_observe(struct od_case_builder *builder, const struct od_trace *trace);

/* Ends the collection and frees the builder. Never NULL. */
const struct od_case *od_case_freeze(struct od_case_builder *builder);

void od_case_free(const struct od_case *c);

/* The value of a setting, or empty. */
struct od_view od_case_setting(const struct od_case *c, enum od_setting_id id);

/* The number after a word on the line that printed the setting, as in "momentum=0.9"; 0 = none. */
double od_setting_number_after(const struct od_setting *setting, const char *word);

/* Does a line name a reason other than memory, by a row of rules/failures.yaml? */
bool od_case_names_failure(const struct od_case *c);

/* Is any of these settings printed? ids ends with OD_SETTING_NONE. */
bool od_case_sets_any(const struct od_case *c, const enum od_setting_id *ids);

/* The value that applies at a place: the last one before it in its source; otherwise the first one
 * after it (a program may print its settings after its errors), the last one of earlier sources, or
 * any. Empty if none is printed. */
struct od_view od_case_setting_at(const struct od_case *c, enum od_setting_id id,
                                  const struct od_prov *at);

/* The setting that applies at a place (as od_case_setting_at) with its line; NULL = none. */
const struct od_setting *od_case_find_setting_at(const struct od_case *c, enum od_setting_id id,
                                                 const struct od_prov *at);

/* The last memory numbers with that name; NULL = none. */
const struct od_memory_state *od_case_find_state(const struct od_case *c, const char *name);

/* The full file system in the output of df whose path is in the text; the longest if several are.
 * NULL = none. */
const struct od_memory_state *od_case_disk_of(const struct od_case *c, struct od_view text);

/* The size in a setting. An option states it exactly, a heap without a unit is in MiB, and the
 * machine's memory is rounded as printed. False if it is no size. */
bool od_setting_size(const struct od_setting *setting, struct od_bytes *ret_size);

/* The memory limit of the failed job, container or group, as stated in the log. Of several
 * containers with their own limits, the one whose state the place shows. NULL = none, or unknown
 * which one. */
const struct od_setting *od_case_limit_at(const struct od_case *c, const struct od_prov *at);
