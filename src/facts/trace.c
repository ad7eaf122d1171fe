#include "facts/trace.h"

static const char *const kinds[] = {
#define OD_TRACE_KIND(constant, name) name,
#include "facts/trace.def"
#undef OD_TRACE_KIND
};

static const char *const reasons[] = {
#define OD_TRACE_REASON(constant, text) text,
#include "facts/trace.def"
#undef OD_TRACE_REASON
};

const char *od_trace_kind_name(enum od_trace_kind kind)
{
    return kind < OD_TRACE_KIND_END ? kinds[kind] : NULL;
}

const char *od_trace_reason_text(enum od_trace_reason reason)
{
    return reason < OD_NOT_END ? reasons[reason] : NULL;
}
