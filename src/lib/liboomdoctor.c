/* The library's face, include/oomdoctor.h, over a session. */
#include "config.h"
#include "lib/oomdoctor.h"
#include "report/report.h"
#include <oomdoctor.h>

#define PUBLIC __attribute__((visibility("default")))

struct oomdoctor {
    struct od_diags *diags;
    struct od_session *session; /* NULL when the packs were not readable */
    const struct od_report *report;
};

PUBLIC const char *oomdoctor_version(void)
{
    return PACKAGE_VERSION;
}

PUBLIC struct oomdoctor *oomdoctor_new(const char *const *rules, size_t nrules)
{
    struct oomdoctor *doctor = od_mem_alloc(1, sizeof *doctor);
    const struct od_session_options options = {.rule_files = rules, .nrule_files = nrules};
    doctor->diags = od_diags_new();
    doctor->session = od_session_new(&options, doctor->diags);
    return doctor;
}

PUBLIC void oomdoctor_free(struct oomdoctor *doctor)
{
    if (!doctor)
        return;
    od_session_free(doctor->session);
    od_diags_free(doctor->diags);
    od_mem_free(doctor);
}

PUBLIC bool oomdoctor_add_file(struct oomdoctor *doctor, const char *path)
{
    return doctor->session && !doctor->report && od_session_add(doctor->session, path);
}

PUBLIC bool oomdoctor_add_bytes(struct oomdoctor *doctor, const char *name, const char *bytes,
                                size_t n)
{
    return doctor->session && !doctor->report &&
           od_session_add_bytes(doctor->session, name, bytes, n);
}

PUBLIC enum oomdoctor_status oomdoctor_analyze(struct oomdoctor *doctor)
{
    if (!doctor->session)
        return OOMDOCTOR_UNREADABLE;
    if (!doctor->report)
        doctor->report = od_session_analyze(doctor->session);
    return (enum oomdoctor_status)od_session_status(doctor->session);
}

/* The caller's own, with a NUL. */
static char *hand_out(struct od_buf *text, size_t *ret_n)
{
    if (ret_n)
        *ret_n = text->n;
    od_buf_add_char(text, '\0');
    return text->p;
}

PUBLIC char *oomdoctor_render(const struct oomdoctor *doctor, const char *format, size_t *ret_n)
{
    const struct od_format *found = od_format_find(od_view_of(format));
    const struct od_report_options options = {.unicode = true};
    struct od_buf text = {0};
    if (!doctor->report || !found || !(found->report || found->document))
        return NULL;
    od_format_report(found, doctor->report, &options, &text);
    return hand_out(&text, ret_n);
}

PUBLIC char *oomdoctor_messages(const struct oomdoctor *doctor)
{
    struct od_buf text = {0};
    for (size_t i = 0; i < od_diags_count(doctor->diags); i++)
        od_diag_print(od_diags_at(doctor->diags, i), &text);
    return hand_out(&text, NULL);
}

PUBLIC void oomdoctor_text_free(char *text)
{
    od_mem_free(text);
}
