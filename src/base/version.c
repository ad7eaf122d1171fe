#include "base/version.h"

/* Reads the next number of a version; false at its end. */
static bool take_part(struct od_view *version, uint64_t *ret_part)
{
    if (version->n > 0 && version->p[0] == '.')
        *version = od_view_from(*version, 1);
    return od_num_take_u64(version, ret_part);
}

enum od_tri od_version_at_least(struct od_view version, const char *wanted)
{
    struct od_view want = od_view_of(wanted);
    uint64_t have_part, want_part;
    if (version.n > 0 && (version.p[0] == 'v' || version.p[0] == 'V'))
        version = od_view_from(version, 1);
    if (version.n == 0 || version.p[0] < '0' || version.p[0] > '9')
        return OD_CANNOT_TELL;
    while (take_part(&want, &want_part)) {
        if (!take_part(&version, &have_part))
            return want_part == 0 ? OD_YES : OD_CANNOT_TELL;
        if (have_part != want_part)
            return have_part > want_part ? OD_YES : OD_NO;
    }
    return OD_YES;
}
