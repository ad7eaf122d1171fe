/* Finds names in paths: "/home/NAME", "~NAME". */
#include "redact/found.h"

#include "base/mask_digits.h"

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

/* End of a component. Windows names may contain blanks before a separator or the end of a
 * prompt. */
static size_t component_end(struct od_view text, size_t at, char slash)
{
    size_t end = at + od_run(text, at, "_-.+$");
    bool drive =
        at > 8 && od_view_has(od_view_part(text, at > 12 ? at - 12 : 0, at), OD_VIEW(":/"));
    if (slash != '\\' && !drive)
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
    return far < text.n && (text.p[far] == slash || text.p[far] == '>') ? far : end;
}

/* Skips folders that only group names: "/afs/x/user/a/alice", "/dss/home/0A/alice". */
static size_t pass_sorting(struct od_view text, size_t at)
{
    for (int depth = 0; depth < DEPTH_MOST; depth++) {
        size_t n = od_run(text, at, "_-.");
        bool sorts = n == 1 || (n == 2 && od_has_digit(od_view_part(text, at, at + n)));
        if (!sorts || at + n >= text.n || !is_slash(text.p[at + n]))
            break;
        at = skip_slashes(text, at + n);
    }
    return at;
}

static bool add_component(struct od_search *s, size_t at, char slash)
{
    struct od_view text = s->text;
    at = pass_sorting(text, at);
    size_t end = component_end(text, at, slash);
    while (end > at && (text.p[end - 1] == '.' || text.p[end - 1] == '-'))
        end--;
    struct od_view name = od_view_part(text, at, end);
    if (name.n < 2 || name.p[0] == '.' || !od_is_user(s->words, name))
        return false;
    bool group = od_has_digit(name) && od_view_starts(name, OD_VIEW("proj"));
    od_found_add(s, (struct od_found){at, end, group ? OD_REDACT_ORG : OD_REDACT_USER, true});
    return true;
}

static struct od_view without_number(struct od_view folder)
{
    while (folder.n > 0 && od_is_digit(folder.p[folder.n - 1]))
        folder.n--;
    return folder;
}

/* Is it a folder of users: "nfs_users", "nexus-scratch", "localscratch", "homefs", "home07"? */
static bool is_partly(struct od_view folder)
{
    enum { HOME_MOST = 7 };
    folder = without_number(folder);
    return (folder.n <= HOME_MOST && od_view_starts(folder, OD_VIEW("home"))) ||
           od_view_ends(folder, OD_VIEW("home")) || od_view_ends(folder, OD_VIEW("homes")) ||
           od_view_ends(folder, OD_VIEW("users")) || od_view_ends(folder, OD_VIEW("scratch"));
}

/* Adds a person's folder in that of a group, "GROUP/NAME": a word with a number or a dot. */
static bool add_member(struct od_search *s, size_t group_end)
{
    struct od_view text = s->text;
    size_t at = skip_slashes(text, group_end),
           end = component_end(text, at, od_view_at(text, group_end));
    struct od_view name = od_view_part(text, at, end);
    bool ends = end >= text.n || strchr("/\\:'\" ,", text.p[end]) != NULL;
    if (at == group_end || !ends || od_run(name, 0, ".") < name.n || !od_is_own(s->words, name) ||
        (!is_slash(od_view_at(text, end)) && od_view_has(name, OD_VIEW("."))))
        return false;
    od_found_add(s, (struct od_found){at, end, OD_REDACT_USER, true});
    return true;
}

/* Does an absolute path begin here, or up to two folders before, whose folders belong neither to a
 * person nor to the system? */
static bool is_near_root(struct od_view text, size_t start)
{
    enum { FOLDERS_MOST = 2, PATH_MOST = 64 };
    static const char *const others[] = {"/home", "/usr", "/opt", "/root", "/Users", "/tmp", NULL};
    size_t at = start - od_run_back(text, start, "/\\_-.:", PATH_MOST), folders = 0;
    struct od_view path = od_view_part(text, at, start);
    for (size_t i = 1; i < path.n; i++)
        folders += is_slash(path.p[i]) && !is_slash(path.p[i - 1]);
    size_t drive = od_view_find_char(path, ':', 0);
    struct od_view root = drive == OD_VIEW_NONE ? path : od_view_from(path, drive + 1);
    return root.n > 0 && is_slash(root.p[0]) && is_slash(path.p[path.n - 1]) &&
           folders <= FOLDERS_MOST + 1 && !od_view_starts_any(root, others);
}

/* Does the folder hold those of people and groups: "cluster_storage", "data2", "projappl"? */
static bool is_shared(const struct od_words *words, struct od_view folder)
{
    static const char *const heads[] = {"proj", "Proj", "PROJ", "group", NULL};
    struct od_view last = without_number(folder);
    size_t part = od_run_back(last, last.n, "", last.n);
    last = part + 1 < last.n ? od_view_from(last, last.n - part) : last;
    return od_words_is(words, last, OD_ROLE_SHARED) || od_view_starts_any(folder, heads);
}

/* "/project/NAME/", "/fsx/GROUP/NAME", "/data2/NAME/", "D:\\Projects\\NAME\\" */
static bool find_shared(struct od_search *s, size_t slash, struct od_view folder)
{
    struct od_view text = s->text;
    size_t at = pass_sorting(text, skip_slashes(text, slash));
    size_t end = component_end(text, at, text.p[slash]);
    struct od_view name = od_view_part(text, at, end);
    const uint32_t known = OD_ROLE_HOME | OD_ROLE_SHARED | OD_ROLE_COMMON;
    if (!is_slash(od_view_at(text, end)) || !is_shared(s->words, folder) || is_partly(name) ||
        od_words_is(s->words, name, known) || !is_near_root(text, slash - folder.n))
        return false;
    size_t next = skip_slashes(text, end);
    struct od_view below = od_view_part(text, next, next + od_run(text, next, "_-"));
    bool marked = !od_is_letters(name, ""),
         code = marked && od_is_letter(name.p[0]) && !od_view_has(name, OD_VIEW("."));
    bool group = od_is_own(s->words, name) ||
                 (code && od_has_digit(name) && od_view_starts(folder, OD_VIEW("proj"))) ||
                 (code && od_words_is(s->words, below, OD_ROLE_HOME));
    bool member = (group || marked) && add_member(s, end);
    if (group || member)
        od_found_add(s, (struct od_found){at, end,
                                          member || (code && !od_is_own(s->words, name))
                                              ? OD_REDACT_ORG
                                              : OD_REDACT_USER,
                                          true});
    return group || member;
}

void od_found_add_share(struct od_search *s, size_t at)
{
    struct od_view text = s->text;
    size_t start = skip_slashes(text, at), end = start + od_run(text, start, "_-.");
    if (od_words_is(s->words, without_number(od_view_part(text, start, end)), OD_ROLE_SHARED)) {
        start = skip_slashes(text, end);
        end = start + od_run(text, start, "_-.");
    }
    struct od_view name = od_view_part(text, start, end);
    bool ends = end >= text.n || is_slash(text.p[end]) || text.p[end] == ' ';
    if (name.n > 2 && ends && od_is_letter(name.p[0]) && od_words_roles(s->words, name) == 0)
        od_found_add(s, (struct od_found){start, end, OD_REDACT_ORG, !od_is_letters(name, "")});
}

/* "\\\\HOST\\share": begins before the first word. */
static bool find_unc(struct od_search *s, size_t slash)
{
    struct od_view text = s->text;
    char before = slash > 0 ? text.p[slash - 1] : ' ';
    if (before != ' ' && !strchr("\"'(=<[", before))
        return false; /* a run of backslashes is read only once */
    size_t at = slash;
    while (od_view_at(text, at) == '\\')
        at++;
    size_t n = od_run(text, at, "-._");
    struct od_view name = od_view_part(text, at, at + n);
    if (at < slash + 2 || n < 3 || od_view_at(text, at + n) != '\\' || !od_is_letter(name.p[0]) ||
        od_is_common_name(s->words, name))
        return false;
    od_found_add(s, (struct od_found){at, at + n, OD_REDACT_HOST, true});
    size_t share = skip_slashes(text, at + n), m = od_run(text, share, "-._");
    /* the name of a hidden share ends in a dollar: "imaging$" */
    bool hidden = m > 1 && od_view_at(text, share + m) == '$';
    bool home = od_words_is(s->words, od_view_part(text, share, share + m), OD_ROLE_HOME);
    size_t below = skip_slashes(text, share + m + hidden), end = component_end(text, below, '\\');
    struct od_view person = od_view_part(text, below, end);
    if (hidden && !home)
        od_found_add(s, (struct od_found){share, share + m + 1, OD_REDACT_ORG, false});
    else if (!hidden)
        od_found_add_share(s, share);
    if (home || (od_view_at(text, end) == '\\' && od_is_own(s->words, person)))
        (void)add_component(s, below, '\\');
    s->covered = at + n;
    return true;
}

/* "CORP\\alice", "LAB.LOCAL\\alice", "lab-ws-11\\alice": a login of Windows. */
static bool find_windows_login(struct od_search *s, size_t slash)
{
    static const char *const nobody[] = {"AUTHORITY", "BUILTIN", "SERVICE", "HKLM", "HKCU", NULL};
    struct od_view text = s->text;
    size_t start = slash - od_run_back(text, slash, "-.", 20), letters = 0;
    struct od_view domain = od_view_part(text, start, slash);
    bool capitals = true;
    for (size_t i = 0; i < domain.n; i++) {
        letters += od_is_letter(domain.p[i]);
        capitals = capitals && (!od_is_letter(domain.p[i]) || od_is_upper(domain.p[i]));
    }
    if (letters < 2)
        return false; /* a run of backslashes is read only once */
    size_t at = skip_slashes(text, slash), end = at + od_run(text, at, "_-.");
    while (end > at && text.p[end - 1] == '.')
        end--;
    struct od_view name = od_view_part(text, at, end);
    char before = start > 0 ? text.p[start - 1] : ' ', next = od_view_at(text, end);
    bool escape = name.n > 0 && strchr("nrtxu0", name.p[0]) && /* an escape: "ERROR\\nTrace" */
                  !od_is_strange(s->words, od_view_from(name, 1));
    bool dotted = od_view_find_char(domain, '.', 0) != OD_VIEW_NONE;
    if (strchr(":/\\._", before) || next == '\\' || next == '/' || next == '(' || escape ||
        (dotted && !capitals) ||
        !(capitals || (od_has_digit(domain) && od_is_machine(s->words, domain, true))) ||
        name.n < 3 || !od_is_letter(name.p[0]) || !od_is_user(s->words, name) ||
        od_view_eq_any(domain, nobody))
        return false;
    od_found_add(s, (struct od_found){start, slash, OD_REDACT_HOST, false});
    od_found_add(s, (struct od_found){at, end, OD_REDACT_USER, true});
    return true;
}

/* Finds a folder of two uncommon words: "E:\\Sven Olsson\\thesis", "/drive/Sven Olsson/x". */
static bool find_full_name(struct od_search *s, size_t slash)
{
    size_t at = skip_slashes(s->text, slash);
    if (!od_is_upper(od_view_at(s->text, at)))
        return false;
    size_t first = at + od_run(s->text, at, "-"), end = first + 1 + od_run(s->text, first + 1, "-");
    struct od_view name = od_view_part(s->text, at, end);
    if (!is_slash(od_view_at(s->text, end)) || !od_is_full_name(name) ||
        !od_is_person(s->words, name))
        return false;
    od_found_add(s, (struct od_found){at, end, OD_REDACT_USER, true});
    return true;
}

/* Finds an owner's name after the type of a resource, "projects/NAME/locations",
 * "https://x/teams/NAME", but no folder of a file. */
static bool find_resource(struct od_search *s, size_t slash, struct od_view folder)
{
    enum { PATH_MOST = 160, NUMBER_LEAST = 9 };
    const uint32_t owners = OD_ROLE_ORG | OD_ROLE_USER | OD_ROLE_HOST;
    struct od_view text = s->text;
    uint32_t roles = od_words_roles(s->words, folder);
    if (text.p[slash] != '/' || !(roles & owners) || roles & OD_ROLE_HOME)
        return false;
    size_t start = slash - od_run_back(text, slash, "/_-.:@", PATH_MOST);
    size_t end = slash + 1 + od_run(text, slash + 1, "_-.");
    struct od_view name = od_view_part(text, slash + 1, end),
                   path = od_view_part(text, start, slash);
    bool file = od_view_at(path, 0) == '/' && !od_view_starts(path, OD_VIEW("/subscriptions"));
    bool number = name.n >= NUMBER_LEAST && od_num_digits(name) == name.n;
    if (file || od_words_roles(s->words, name) || !(number || od_is_strange(s->words, name)))
        return false;
    od_found_add(s, (struct od_found){slash + 1, end,
                                      roles & OD_ROLE_USER   ? OD_REDACT_USER
                                      : roles & OD_ROLE_HOST ? OD_REDACT_HOST
                                                             : OD_REDACT_ORG,
                                      true});
    return true;
}

/* Finds a name after "home/" or "Users\\" at this separator, which may be missing at the start of a
 * relative path. */
bool od_find_home(struct od_search *s, size_t slash)
{
    struct od_view text = s->text;
    size_t end = slash, start = end - od_run_back(text, end, "_", 16);
    struct od_view folder = od_view_part(text, start, end);
    if (text.p[slash] == '\\' && (find_unc(s, slash) || find_windows_login(s, slash)))
        return true;
    if (find_full_name(s, slash))
        return true;
    size_t wide = end - od_run_back(text, end, "_-", 24);
    if (find_shared(s, slash, od_view_part(text, wide, end)) || find_resource(s, slash, folder))
        return true;
    bool rooted = start > 0 && (is_slash(text.p[start - 1]) || text.p[start - 1] == '-');
    if (od_is_common_name(s->words, od_view_part(text, wide, end)) && wide < start)
        return false; /* a role, not a person: "ec2-user" */
    if (!(od_words_told(s->words, folder) & OD_ROLE_HOME)) {
        static const char *const old[] = {"Settings", "Profiles", NULL}; /* folders of Windows */
        if (!is_partly(folder) && !(text.p[slash] == '\\' && od_view_eq_any(folder, old)))
            return false;
        rooted = true;
    }
    if (!rooted && start > 0 && od_is_text(text.p[start - 1]))
        return false;
    size_t name = skip_slashes(text, slash);
    /* in "/scratch/users/NAME" the next folder is the name */
    size_t n = od_run(text, name, "_");
    struct od_view next = od_view_part(text, name, name + n);
    if (od_words_is(s->words, next, OD_ROLE_HOME) ||
        (od_words_is(s->words, next, OD_ROLE_SHARED) && is_slash(od_view_at(text, name + n))))
        return false;
    size_t wide_next = name + od_run(text, name, "_-");
    if (!od_has_digit(next) && is_shared(s->words, next) && is_slash(od_view_at(text, wide_next)))
        return find_shared(s, wide_next, next);
    size_t after = component_end(text, name, text.p[slash]);
    bool goes_on = after < text.n && is_slash(text.p[after]);
    if (!rooted && !goes_on) /* an ordinary folder: "home/work" */
        return false;
    bool any = add_component(s, name, text.p[slash]);
    return (any && goes_on && !od_is_letters(od_view_part(text, name, after), "") &&
            add_member(s, after)) ||
           any;
}

/* "~NAME" at the start of a path. */
bool od_find_tilde(struct od_search *s, size_t tilde)
{
    struct od_view text = s->text;
    if (tilde > 0 &&
        (od_is_text(text.p[tilde - 1]) || text.p[tilde - 1] == '.' || text.p[tilde - 1] == ')'))
        return false;
    size_t end = tilde + 1 + od_run(text, tilde + 1, "_-.");
    struct od_view name = od_view_part(text, tilde + 1, end);
    if (end >= text.n || text.p[end] != '/' || name.n < 2 || !od_is_letter(name.p[0]) ||
        !od_is_user(s->words, name))
        return false;
    od_found_add(s, (struct od_found){tilde + 1, end, OD_REDACT_USER, true});
    return true;
}

/* Finds a value in the query of a URL that looks random, unless its name marks an id:
 * "?appid=0f3a...". */
bool od_find_query(struct od_search *s, size_t mark)
{
    enum { LEAST = 20 };
    struct od_view text = s->text;
    size_t name = mark + 1, equals = name + od_run(text, name, "_-"), last = equals;
    while (last > name && od_is_alnum(text.p[last - 1]))
        last--;
    if (equals == name || od_view_at(text, equals) != '=' ||
        od_words_is(s->words, od_view_part(text, last, equals), OD_ROLE_ID))
        return false;
    size_t n = od_run(text, equals + 1, "_-.~%");
    struct od_view value = od_view_part(text, equals + 1, equals + 1 + n);
    if (n < LEAST || !od_is_random(value))
        return false;
    od_found_add(s, (struct od_found){equals + 1, equals + 1 + n, OD_REDACT_SECRET, false});
    return true;
}
