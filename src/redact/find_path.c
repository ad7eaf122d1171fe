/* Names in paths: "/home/NAME", "~NAME". */
#include "redact/found.h"

enum { NAME_MOST = 48, BLANKS_IN_NAME = 2, DEPTH_MOST = 2 };

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

static size_t skip_slashes(struct od_view text, size_t at)
{
    size_t n = 0;
    while (n < 8 && at < text.n && is_slash(text.p[at])) {
        at++;
        n++;
    }
    return at;
}

/* Windows' names may hold blanks, where a separator follows. */
static size_t component_end(struct od_view text, size_t at, char slash)
{
    size_t end = at + od_run(text, at, "_-.+$");
    if (slash != '\\')
        return end;
    size_t blanks = 0;
    size_t far = end;
    while (far < text.n && far - at < NAME_MOST && text.p[far] == ' ' &&
           blanks++ < BLANKS_IN_NAME) {
        size_t n = od_run(text, far + 1, "_-.");
        if (n == 0)
            break;
        far += 1 + n;
    }
    return far < text.n && text.p[far] == '\\' ? far : end;
}

/* "/afs/x/user/a/alice": letters that sort names are passed. */
static size_t pass_letters(struct od_view text, size_t at)
{
    for (int depth = 0; depth < DEPTH_MOST; depth++) {
        size_t n = od_run(text, at, "_-.");
        if (n == 0 || n > 1 || at + n >= text.n || !is_slash(text.p[at + n]))
            break;
        at = skip_slashes(text, at + n);
    }
    return at;
}

static bool add_component(struct od_search *s, size_t at, char slash)
{
    struct od_view text = s->text;
    at = pass_letters(text, at);
    size_t end = component_end(text, at, slash);
    while (end > at && (text.p[end - 1] == '.' || text.p[end - 1] == '-'))
        end--;
    struct od_view name = od_part(text, at, end);
    if (name.n < 2 || name.p[0] == '.' || !od_is_user(s->words, name))
        return false;
    od_found_add(s, (struct od_found){at, end, OD_REDACT_USER, true});
    return true;
}

/* Which folders of that name hold people's, not everybody's. */
static bool is_shallow(struct od_view folder)
{
    return od_view_eq_str(folder, "u") || od_view_eq_str(folder, "user") ||
           od_view_eq_str(folder, "mail") || od_view_eq_str(folder, "media") ||
           od_view_starts(folder, OD_VIEW("scratch"));
}

/* "nfs_users", "nexus-scratch". */
static bool is_partly(struct od_view folder, char before)
{
    static const char *const ends[] = {"users", "home", "homes", "scratch"};
    char last = folder.n > 3 ? folder.p[folder.n - 1] : '\0';
    bool likely = last == 's' || last == 'e' || last == 'h';
    for (size_t i = 0; likely && i < OD_COUNT_OF(ends); i++) {
        struct od_view end = od_view_of(ends[i]);
        if (od_view_ends(folder, end) &&
            (folder.n == end.n ? before == '-' : folder.p[folder.n - end.n - 1] == '_'))
            return true;
    }
    return false;
}

/* "/gpfs/work1/NAME": a folder for work in a file system of a cluster. */
static bool is_working(struct od_view text, size_t start, struct od_view folder)
{
    static const char *const systems[] = {"gpfs", "lustre", "beegfs", "cephfs", "panfs", "weka"};
    struct od_view before = od_view_head(text, start > 0 ? start - 1 : 0);
    for (size_t i = 0; od_view_starts(folder, OD_VIEW("work")) && i < OD_COUNT_OF(systems); i++)
        if (od_view_ends(before, od_view_of(systems[i])))
            return true;
    return false;
}

/* The separator before "home/NAME" or "Users\\NAME"; also at the head of a relative path. */
bool od_find_home(struct od_search *s, size_t slash)
{
    struct od_view text = s->text;
    size_t end = slash;
    size_t start = end;
    while (start > 0 && end - start < 16 &&
           (od_is_alnum(text.p[start - 1]) || text.p[start - 1] == '_'))
        start--;
    struct od_view folder = od_part(text, start, end);
    bool rooted = start > 0 && (is_slash(text.p[start - 1]) || text.p[start - 1] == '-');
    if (!(od_words_told(s->words, folder) & OD_ROLE_HOME)) {
        if (!is_partly(folder, od_byte(text, start - (start > 0))) &&
            !is_working(text, start, folder) &&
            !(text.p[slash] == '\\' && od_view_eq_str(folder, "Settings")))
            return false;
        rooted = true;
    }
    if (!rooted && start > 0 && od_is_text(text.p[start - 1]))
        return false;
    if (is_shallow(folder) && !rooted)
        return false;
    size_t name = skip_slashes(text, slash);
    /* "/scratch/users/NAME": the next folder says it better. */
    size_t n = od_run(text, name, "_");
    if (od_words_is(s->words, od_part(text, name, name + n), OD_ROLE_HOME))
        return false;
    size_t after = component_end(text, name, text.p[slash]);
    bool goes_on = after < text.n && is_slash(text.p[after]);
    if (!rooted && !goes_on) /* "home/work" */
        return false;
    return add_component(s, name, text.p[slash]);
}

/* "~NAME" at the head of a path. */
bool od_find_tilde(struct od_search *s, size_t tilde)
{
    struct od_view text = s->text;
    if (tilde > 0 &&
        (od_is_text(text.p[tilde - 1]) || text.p[tilde - 1] == '.' || text.p[tilde - 1] == ')'))
        return false;
    size_t end = tilde + 1 + od_run(text, tilde + 1, "_-.");
    struct od_view name = od_part(text, tilde + 1, end);
    if (end >= text.n || text.p[end] != '/' || name.n < 2 || !od_is_letter(name.p[0]) ||
        !od_is_user(s->words, name))
        return false;
    od_found_add(s, (struct od_found){tilde + 1, end, OD_REDACT_USER, true});
    return true;
}

/* "?appid=0f3a...": what looks made by chance in the query of an address, unless its name says that
 * it is an id. */
bool od_find_query(struct od_search *s, size_t mark)
{
    enum { LEAST = 20 };
    struct od_view text = s->text;
    size_t name = mark + 1, equals = name + od_run(text, name, "_-"), last = equals;
    while (last > name && od_is_alnum(text.p[last - 1]))
        last--;
    if (equals == name || od_byte(text, equals) != '=' ||
        od_words_is(s->words, od_part(text, last, equals), OD_ROLE_ID))
        return false;
    size_t n = od_run(text, equals + 1, "_-.~");
    struct od_view value = od_part(text, equals + 1, equals + 1 + n);
    if (n < LEAST || !od_is_random(value))
        return false;
    od_found_add(s, (struct od_found){equals + 1, equals + 1 + n, OD_REDACT_SECRET, false});
    return true;
}
