#include "rules/advice.h"

#include "base/num.h"

#include <string.h>

const char *const od_advice_numbers[] = {"request_bytes", "limit_bytes", "in_use_bytes",
                                         "pool_bytes", NULL};

bool od_advice_has_number(enum od_cause cause, struct od_view name)
{
    return od_view_eq_any(name, od_cause_numbers(cause)) || od_view_eq_any(name, od_advice_numbers);
}

static bool report(struct od_diags *diags, const char *code, const char *file, const char *message)
{
    od_diags_add(diags, &(struct od_diag){
                            .severity = OD_ERROR, .code = code, .file = file, .message = message});
    return false;
}

enum od_err od_advice_check_all(const struct od_advice *const *advice, size_t n,
                                struct od_diags *diags)
{
    const struct od_advice *of[OD_CAUSE_END] = {NULL};
    struct od_arena *scratch = od_arena_new();
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        enum od_cause cause = od_cause_named(advice[i]->cause);
        if (cause == OD_CAUSE_END) /* the settings that any program may have */
            continue;
        const struct od_advice **place = &of[cause];
        if (*place)
            good = report(diags, "R0309", advice[i]->file,
                          od_arena_printf(scratch, "%s also is advice for %s", (*place)->file,
                                          advice[i]->cause));
        *place = advice[i];
    }
    for (unsigned i = 0; i < OD_CAUSE_END; i++) {
        if (!of[i])
            good = report(diags, "R0310", NULL,
                          od_arena_printf(scratch, "no advice for the cause %s",
                                          od_cause_name((enum od_cause)i)));
    }
    od_arena_free(scratch);
    return good ? OD_OK : OD_ERULE;
}

const struct od_advice *od_advice_find(const struct od_advice *const *list, const char *cause)
{
    for (; list && *list; list++) {
        if (strcmp((*list)->cause, cause) == 0)
            return *list;
    }
    return NULL;
}
