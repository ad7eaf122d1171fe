/*
 * The public C API, include/oomdoctor.h, implemented by a session. Each object has its own heap: if
 * an allocation fails, the call is aborted and the object can no longer be used.
 */
#include "config.h"
#include "lib/oomdoctor.h"
#include "report/report.h"
#include <oomdoctor.h>

#define PUBLIC __attribute__((visibility("default")))

struct state {
    struct od_diags *diags;
    struct od_session *session; /* NULL if the packs could not be read */
    const struct od_report *report;
};

struct oomdoctor {
    struct od_heap *heap;
    struct state *state; /* allocated on the heap; NULL = out of memory */
};

/* The arguments and the result of a call. */
struct call {
    struct state *state;
    const char *const *rules;
    size_t n; /* number of rules, bytes or characters */
    const char *name, *bytes;
    bool ok;
    int status;
    char *text;
};

static bool run(struct oomdoctor *doctor, void (*work)(void *call), struct call *call)
{
    if (!doctor || !doctor->heap)
        return false;
    call->state = doctor->state;
    if (od_heap_run(doctor->heap, work, call))
        return true;
    od_heap_free(doctor->heap);
    *doctor = (struct oomdoctor){0};
    return false;
}

PUBLIC const char *oomdoctor_version(void)
{
    return PACKAGE_VERSION;
}

static void start(void *self)
{
    struct call *call = self;
    const struct od_session_options options = {.rule_files = call->rules, .nrule_files = call->n};
    struct state *state = call->state = od_mem_alloc(1, sizeof *state);
    state->diags = od_diags_new();
    state->session = od_session_new(&options, state->diags);
}

PUBLIC struct oomdoctor *oomdoctor_new(const char *const *rules, size_t nrules)
{
    struct call call = {.rules = rules, .n = nrules};
    struct oomdoctor *doctor = calloc(1, sizeof *doctor);
    if (doctor && (doctor->heap = od_heap_new()) && run(doctor, start, &call)) {
        doctor->state = call.state;
        return doctor;
    }
    free(doctor);
    return NULL;
}

PUBLIC void oomdoctor_free(struct oomdoctor *doctor)
{
    if (!doctor)
        return;
    if (doctor->state) {
        od_session_free(doctor->state->session);
        od_diags_free(doctor->state->diags);
    }
    od_heap_free(doctor->heap);
    free(doctor);
}

static void add(void *self)
{
    struct call *call = self;
    struct od_session *session = call->state->report ? NULL : call->state->session;
    if (session)
        call->ok = call->bytes ? od_session_add_bytes(session, call->name, call->bytes, call->n)
                               : od_session_add(session, call->name);
}

PUBLIC bool oomdoctor_add_file(struct oomdoctor *doctor, const char *path)
{
    struct call call = {.name = path};
    return run(doctor, add, &call) && call.ok;
}

PUBLIC bool oomdoctor_add_bytes(struct oomdoctor *doctor, const char *name, const char *bytes,
                                size_t n)
{
    struct call call = {.name = name, .bytes = bytes ? bytes : "", .n = n};
    return run(doctor, add, &call) && call.ok;
}

static void analyze(void *self)
{
    struct call *call = self;
    struct state *state = call->state;
    call->status = OOMDOCTOR_UNREADABLE;
    if (state->session && !state->report)
        state->report = od_session_analyze(state->session);
    if (state->session)
        call->status = od_session_status(state->session);
}

PUBLIC enum oomdoctor_status oomdoctor_analyze(struct oomdoctor *doctor)
{
    struct call call = {0};
    return run(doctor, analyze, &call) ? (enum oomdoctor_status)call.status : OOMDOCTOR_NO_MEMORY;
}

/* Gives the text with a terminating NUL to the caller. */
static void hand_out(struct call *call, struct od_buf *text)
{
    call->n = text->n;
    od_buf_add_char(text, '\0');
    call->text = od_heap_take(text->p);
}

static void render(void *self)
{
    struct call *call = self;
    const struct od_format *format = od_format_find(od_view_of(call->name));
    const struct od_report_options options = {.unicode = true};
    struct od_buf text = {0};
    if (!call->state->report || !format ||
        !(format->report || format->annotations || format->document))
        return;
    od_format_report(format, call->state->report, &options, &text);
    hand_out(call, &text);
}

/* Removes const: the state that the object points to may change. */
static struct oomdoctor *changeable(const struct oomdoctor *doctor)
{
    return (struct oomdoctor *)(uintptr_t)doctor;
}

PUBLIC char *oomdoctor_render(const struct oomdoctor *doctor, const char *format, size_t *ret_n)
{
    struct call call = {.name = format};
    if (!run(changeable(doctor), render, &call) || !call.text)
        return NULL;
    if (ret_n)
        *ret_n = call.n;
    return call.text;
}

static void list_messages(void *self)
{
    struct call *call = self;
    struct od_buf text = {0};
    for (size_t i = 0; i < od_diags_count(call->state->diags); i++)
        od_diag_print(od_diags_at(call->state->diags, i), &text);
    hand_out(call, &text);
}

PUBLIC char *oomdoctor_messages(const struct oomdoctor *doctor)
{
    struct call call = {0};
    return run(changeable(doctor), list_messages, &call) ? call.text : NULL;
}

PUBLIC void oomdoctor_text_free(char *text)
{
    od_mem_free(text);
}
