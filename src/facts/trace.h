/*
 * An observer of decisions: which rules and readers were tried on a line, which causes and remedies
 * were considered, and why each was rejected. It changes nothing; NULL = no observer. `oomdoctor
 * rules trace` and `analyze --trace` print the entries.
 */
#pragma once

#include "facts/prov.h"

/* What an entry is about, in the order of a trace. */
enum od_trace_kind {
#define OD_TRACE_KIND(constant, name) OD_TRACE_##constant,
#include "facts/trace.def"
#undef OD_TRACE_KIND
    OD_TRACE_KIND_END
};

/* Why a rule, a reader or a sentence made no event of a line. */
enum od_trace_reason {
#define OD_TRACE_REASON(constant, text) OD_NOT_##constant,
#include "facts/trace.def"
#undef OD_TRACE_REASON
    OD_NOT_END
};

/* Texts are only valid during the call. */
struct od_trace_entry {
    enum od_trace_kind kind;
    const char *name;    /* of the rule, fact, cause, remedy, ...; never NULL */
    const char *verdict; /* "yes", "no", a value; may be NULL */
    const char *reason;  /* may be NULL */
};

struct od_trace {
    void (*note)(void *self, const struct od_trace_entry *entry);
    void *self;
    struct od_prov only; /* trace only this line; line 0 = every line */
};

const char *od_trace_kind_name(enum od_trace_kind kind);
const char *od_trace_reason_text(enum od_trace_reason reason);

/* Does nothing without an observer. */
static inline void od_trace_note(const struct od_trace *trace, enum od_trace_kind kind,
                                 const char *name, const char *verdict, const char *reason)
{
    if (trace)
        trace->note(trace->self,
                    &(struct od_trace_entry){
                        .kind = kind, .name = name, .verdict = verdict, .reason = reason});
}
