#include "base/ansi.h"

enum { CSI_BYTES = 32 };

static const char esc = '\x1b';

size_t od_ansi_csi(struct od_view v)
{
    size_t n = 0;
    v = od_view_head(v, CSI_BYTES);
    while (n < v.n && v.p[n] >= 0x30 && v.p[n] <= 0x3f)
        n++;
    /* "ESC [ 2 SP q": any other space is text after an incomplete sequence. */
    if (n + 1 < v.n && v.p[n] >= 0x20 && v.p[n] <= 0x2f)
        return strchr("pqw", v.p[n + 1]) && v.p[n + 1] != '\0' ? n + 2 : 0;
    return n < v.n && v.p[n] >= 0x40 && v.p[n] <= 0x7e ? n + 1 : 0;
}

/* Length of a string after "ESC ]" and similar; it ends with BEL or "ESC \"; 0 if unterminated. */
static size_t string_length(struct od_view v)
{
    for (size_t i = 0; i < v.n; i++) {
        if (v.p[i] == '\a')
            return i + 1;
        if (v.p[i] == esc)
            return i + 1 < v.n && v.p[i + 1] == '\\' ? i + 2 : 0;
        if ((unsigned char)v.p[i] < 0x20)
            return 0;
    }
    return 0;
}

size_t od_ansi_sequence(struct od_view v)
{
    if (v.n == 0)
        return 0;
    struct od_view after = od_view_from(v, 1);
    size_t n;
    switch (v.p[0]) {
    case '[':
        n = od_ansi_csi(after);
        return n > 0 ? n + 1 : 0;
    case ']':
    case 'P':
    case '^':
    case '_':
        n = string_length(after);
        return n > 0 ? n + 1 : 0;
    case '(':
    case ')':
    case '#':
    case '%':
        return after.n > 0 ? 2 : 1;
    default:
        return (unsigned char)v.p[0] >= 0x30 && (unsigned char)v.p[0] < 0x7f ? 1 : 0;
    }
}
