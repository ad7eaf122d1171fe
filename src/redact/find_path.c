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

/* End of a component. Windows names may contain blanks if a separator or the end of a prompt
 * follows. */
static size_t component_end(struct od_view text, size_t at, char slash)
{
    size_t end = at + od_run(text, at, "_-.+$");
    bool drive = at > 8 && od_view_has(od_part(text, at > 12 ? at - 12 : 0, at), OD_VIEW(":/"));
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

/* Skips folders that only sort names: "/afs/x/user/a/alice", "/dss/home/0A/alice". */
static size_t pass_sorting(struct od_view text, size_t at)
{
    for (int depth = 0; depth < DEPTH_MOST; depth++) {
        size_t n = od_run(text, at, "_-.");
        bool sorts = n == 1 || (n == 2 && od_has_digit(od_part(text, at, at + n)));
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
    struct od_view name = od_part(text, at, end);
    if (name.n < 2 || name.p[0] == '.' || !od_is_user(s->words, name))
        return false;
    od_found_add(s, (struct od_found){at, end, OD_REDACT_USER, true});
    return true;
}

static struct od_view without_number(struct od_view folder)
{
    while (folder.n > 0 && od_is_digit(folder.p[folder.n - 1]))
        folder.n--;
    return folder;
}

/* "nfs_users", "nexus-scratch", "localscratch", "homefs", "home07". */
static bool is_partly(struct od_view folder)
{
    enum { HOME_MOST = 7 };
    static const char *const ends[] = {"users", "homes", "home", "scratch", NULL};
    folder = without_number(folder);
    size_t n = od_run_back(folder, folder.n, "", folder.n);
    struct od_view last = od_view_from(folder, folder.n - n);
    return (n < folder.n && od_view_eq_any(last, ends)) ||
           (folder.n <= HOME_MOST && od_view_starts(folder, OD_VIEW("home"))) ||
           (n == folder.n &&
            (od_view_ends(last, OD_VIEW("scratch")) || od_view_ends(last, OD_VIEW("home"))));
}

/* Is it a login name as systems assign them ("jhalvorsen", "hxz5012", "t.aldana", "Weidner") and
 * not a known word? */
static bool is_login(const struct od_words *words, struct od_view name)
{
    enum { LEAST = 4, MOST = 16 };
    size_t n = name.n > 0 && od_is_upper(name.p[0]);
    while (n < name.n && ((name.p[n] >= 'a' && name.p[n] <= 'z') || (name.p[n] == '.' && n > 0)))
        n++;
    size_t letters = n;
    while (n < name.n && od_is_digit(name.p[n]))
        n++;
    size_t digits = n - letters;
    while (digits > 1 && n < name.n && name.p[n] >= 'a' && name.p[n] <= 'z') /* "user91x" */
        n++;
    return n == name.n && n >= LEAST && n <= MOST &&
           (letters >= 3 || (letters == 2 && digits >= 2)) &&
           od_words_roles(words, od_view_head(name, letters)) == 0;
}

/* Is it a full name, "Sven Olsson"? */
static bool is_full_name(struct od_view name)
{
    size_t blank = od_view_find_char(name, ' ', 0);
    return blank != OD_VIEW_NONE && blank >= 2 && blank + 2 < name.n && od_is_upper(name.p[0]) &&
           od_is_upper(name.p[blank + 1]) && !od_has_digit(name);
}

/* Does an absolute path begin here, or up to two folders earlier, and these folders belong neither
 * to a person nor to the system? */
static bool is_near_root(struct od_view text, size_t start)
{
    enum { FOLDERS_MOST = 2, PATH_MOST = 64 };
    static const char *const others[] = {"/home", "/usr", "/opt", "/root", "/Users", "/tmp", NULL};
    size_t at = start - od_run_back(text, start, "/\\_-.:", PATH_MOST), folders = 0;
    struct od_view path = od_part(text, at, start);
    for (size_t i = 1; i < path.n; i++)
        folders += is_slash(path.p[i]) && !is_slash(path.p[i - 1]);
    size_t drive = od_view_find_char(path, ':', 0);
    struct od_view root = drive == OD_VIEW_NONE ? path : od_view_from(path, drive + 1);
    return root.n > 0 && is_slash(root.p[0]) && is_slash(path.p[path.n - 1]) &&
           folders <= FOLDERS_MOST + 1 && !od_view_starts_any(root, others);
}

/* Folders of a project ("project", "project_2001", "group", "teams"), which contain folders of
 * people. */
static bool is_project(struct od_view folder)
{
    static const char *const heads[] = {"proj", "Proj", "PROJ", "group", NULL};
    static const char *const others[] = {"team", "teams",    "lab",       "labs", "dept",
                                         "orgs", "research", "institute", NULL};
    return od_view_starts_any(folder, heads) || od_view_eq_any(folder, others);
}

/* Is it the name of a project or group ("project_2001", "nlp-core", "bsc19") and not a known
 * word? */
static bool is_group(const struct od_words *words, struct od_view name)
{
    size_t n = 0;
    while (n < name.n && od_is_letter(name.p[n]))
        n++;
    struct od_view head = od_view_head(name, n);
    return n > 1 && n < name.n && strchr("_-0123456789", name.p[n]) &&
           (is_project(head) || od_words_roles(words, head) == 0);
}

/* Is the path on a cluster's file system, which has folders for groups and in these for people? */
static bool is_of_cluster(struct od_view text, size_t at)
{
    static const char *const systems[] = {"/lustre", "/gpfs",   "/fsx", "/weka", "/beegfs",
                                          "/cephfs", "/panfs/", "/p/",  NULL};
    enum { PATH_MOST = 64 };
    return od_view_starts_any(od_view_from(text, at - od_run_back(text, at, "/_-.", PATH_MOST)),
                              systems);
}

/* "GROUP/NAME/": the folder that ends here belongs to a group, and the next one to a person. */
static bool add_member(struct od_search *s, struct od_view within, size_t start, size_t end)
{
    struct od_view text = s->text, group = od_part(text, start, end);
    size_t at = skip_slashes(text, end), stop = component_end(text, at, od_byte(text, end));
    struct od_view name = od_part(text, at, stop);
    bool file = od_view_find_char(name, '.', 0) != OD_VIEW_NONE;
    bool ends = is_slash(od_byte(text, stop)) ||
                (!file && (stop == text.n || strchr(":'\" ", text.p[stop])));
    bool sure = is_project(within) || is_group(s->words, group) || od_view_starts(name, group);
    if (at == end || !ends || !(sure || is_of_cluster(text, start)) || !is_login(s->words, name))
        return false;
    od_found_add(s, (struct od_found){at, stop, OD_REDACT_USER, sure});
    return true;
}

/* "/project/NAME/", "/fsx/NAME/", "/data2/NAME/", "D:\\Projects\\NAME\\": folders that contain
 * folders of people and others. */
static bool find_shared(struct od_search *s, size_t slash, struct od_view folder)
{
    struct od_view text = s->text;
    struct od_view last = without_number(folder); /* "cluster_storage" */
    size_t part = od_run_back(last, last.n, "", last.n);
    last = part + 1 < last.n ? od_view_from(last, last.n - part) : last;
    bool shared = od_words_is(s->words, last, OD_ROLE_SHARED) || is_project(folder);
    size_t at = pass_sorting(text, skip_slashes(text, slash));
    size_t end = component_end(text, at, text.p[slash]);
    struct od_view name = od_part(text, at, end);
    bool goes_on = end < text.n && is_slash(text.p[end]);
    if (!shared || !goes_on || is_partly(name) || !is_near_root(text, slash - folder.n) ||
        od_words_is(s->words, name, OD_ROLE_HOME | OD_ROLE_SHARED | OD_ROLE_COMMON))
        return false;
    if (is_full_name(name)) {
        od_found_add(s, (struct od_found){at, end, OD_REDACT_USER, true});
        return true;
    }
    size_t next = skip_slashes(text, end), stop = component_end(text, next, text.p[slash]);
    struct od_view below = od_part(text, next, stop);
    bool person = add_member(s, folder, at, end);
    bool numbered = is_project(folder) && od_has_digit(name);
    bool group = (numbered || is_group(s->words, name)) &&
                 (person || (is_project(folder) && (od_words_is(s->words, below, OD_ROLE_HOME) ||
                                                    is_of_cluster(text, at))));
    if (!group && !is_login(s->words, name))
        return person;
    od_found_add(
        s, (struct od_found){at, end, person || group ? OD_REDACT_ORG : OD_REDACT_USER, true});
    return true;
}

void od_found_add_share(struct od_search *s, size_t at)
{
    static const char *const roots[] = {"ifs",    "export", "exports", "vol",
                                        "volume", "srv",    "mnt",     NULL};
    struct od_view text = s->text;
    size_t start = skip_slashes(text, at), end = start + od_run(text, start, "_-.");
    struct od_view name = without_number(od_part(text, start, end));
    if (od_view_eq_any(name, roots) || od_words_is(s->words, name, OD_ROLE_SHARED)) {
        start = skip_slashes(text, end);
        end = start + od_run(text, start, "_-.");
        name = od_part(text, start, end);
    }
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
        return false; /* reads a run of backslashes only once */
    size_t at = slash;
    while (od_byte(text, at) == '\\')
        at++;
    size_t n = od_run(text, at, "-._");
    struct od_view name = od_part(text, at, at + n);
    if (at < slash + 2 || n < 3 || od_byte(text, at + n) != '\\' || !od_is_letter(name.p[0]) ||
        od_is_common_name(s->words, name))
        return false;
    od_found_add(s, (struct od_found){at, at + n, OD_REDACT_HOST, true});
    size_t share = skip_slashes(text, at + n), m = od_run(text, share, "-._");
    bool hidden = m > 1 && od_byte(text, share + m) == '$'; /* "imaging$" */
    bool home = od_words_is(s->words, od_part(text, share, share + m), OD_ROLE_HOME);
    size_t below = skip_slashes(text, share + m + hidden), end = component_end(text, below, '\\');
    struct od_view person = od_part(text, below, end);
    if (hidden && !home)
        od_found_add(s, (struct od_found){share, share + m + 1, OD_REDACT_ORG, false});
    else if (!hidden)
        od_found_add_share(s, share);
    if (home ||
        (od_byte(text, end) == '\\' && (is_login(s->words, person) || is_full_name(person))))
        (void)add_component(s, below, '\\');
    s->covered = at + n;
    return true;
}

/* Is the backslash part of an escape, as in "ERROR\\nTrace"? A name that begins with an escape
 * letter continues in lower case, and has no other backslash nearby. */
static bool is_escape(struct od_view near, size_t slashes, struct od_view name, bool capitals)
{
    bool logs_in = od_view_has(near, OD_VIEW("ser"));
    bool single = od_view_count(near, '\\') <= slashes;
    bool letters = name.n > 1 && name.p[1] >= 'a' && name.p[1] <= 'z';
    return name.n > 0 && strchr("nrtxu0", name.p[0]) &&
           !(single && (logs_in || (capitals && letters)));
}

/* "CORP\\alice", "LAB.LOCAL\\alice", "lab-ws-11\\alice": a Windows login. */
static bool find_windows_login(struct od_search *s, size_t slash)
{
    enum { NEAR = 256 }; /* bytes to search for other backslashes */
    static const char *const nobody[] = {"AUTHORITY", "BUILTIN", "SERVICE", "HKLM", "HKCU", NULL};
    struct od_view text = s->text;
    size_t start = slash - od_run_back(text, slash, "-.", 20), letters = 0;
    struct od_view domain = od_part(text, start, slash);
    bool capitals = true;
    for (size_t i = 0; i < domain.n; i++) {
        letters += od_is_letter(domain.p[i]);
        capitals = capitals && (!od_is_letter(domain.p[i]) || od_is_upper(domain.p[i]));
    }
    if (letters < 2)
        return false; /* reads a run of backslashes only once */
    size_t at = skip_slashes(text, slash), end = at + od_run(text, at, "_-.");
    struct od_view near =
        od_part(text, start > NEAR ? start - NEAR : 0, text.n - end > NEAR ? end + NEAR : text.n);
    while (end > at && text.p[end - 1] == '.')
        end--;
    struct od_view name = od_part(text, at, end);
    char before = start > 0 ? text.p[start - 1] : ' ', next = od_byte(text, end);
    const uint32_t place = OD_ROLE_DOMAIN_ | OD_ROLE_INSIDE | OD_ROLE_MACHINE;
    bool known = (od_words_roles(s->words, domain) & ~place) != 0;
    bool dotted = od_view_find_char(domain, '.', 0) != OD_VIEW_NONE;
    if (strchr(":/\\._", before) || next == '\\' || next == '/' || next == '(' ||
        is_escape(near, at - slash, name, capitals && !known) || (dotted && !capitals) ||
        !(capitals || (od_has_digit(domain) && od_is_machine(s->words, domain, true))) ||
        name.n < 3 || !od_is_letter(name.p[0]) || !od_is_user(s->words, name) ||
        od_view_eq_any(domain, nobody))
        return false;
    od_found_add(s, (struct od_found){start, slash, OD_REDACT_HOST, false});
    od_found_add(s, (struct od_found){at, end, OD_REDACT_USER, true});
    return true;
}

/* "E:\\Sven Olsson\\thesis", "/drive/Sven Olsson/x": a folder named by two words that are not known
 * words. */
static bool find_full_name(struct od_search *s, size_t slash)
{
    size_t at = skip_slashes(s->text, slash);
    if (!od_is_upper(od_byte(s->text, at)))
        return false;
    size_t first = at + od_run(s->text, at, "-"), end = first + 1 + od_run(s->text, first + 1, "-");
    struct od_view name = od_part(s->text, at, end);
    if (!is_slash(od_byte(s->text, end)) || !is_full_name(name) || !od_is_person(s->words, name))
        return false;
    od_found_add(s, (struct od_found){at, end, OD_REDACT_USER, true});
    return true;
}

/* Called at the separator before "home/NAME" or "Users\\NAME"; also at the start of a relative
 * path. */
bool od_find_home(struct od_search *s, size_t slash)
{
    struct od_view text = s->text;
    size_t end = slash, start = end - od_run_back(text, end, "_", 16);
    struct od_view folder = od_part(text, start, end);
    if (text.p[slash] == '\\' && (find_unc(s, slash) || find_windows_login(s, slash)))
        return true;
    if (find_full_name(s, slash))
        return true;
    size_t wide = end - od_run_back(text, end, "_-", 24);
    if (find_shared(s, slash, od_part(text, wide, end)))
        return true;
    bool rooted = start > 0 && (is_slash(text.p[start - 1]) || text.p[start - 1] == '-');
    if (od_is_common_name(s->words, od_part(text, wide, end)) && wide < start)
        return false; /* "ec2-user" */
    if (!(od_words_told(s->words, folder) & OD_ROLE_HOME)) {
        if (!is_partly(folder) && !(text.p[slash] == '\\' && (od_view_eq_str(folder, "Settings") ||
                                                              od_view_eq_str(folder, "Profiles"))))
            return false;
        rooted = true;
    }
    if (!rooted && start > 0 && od_is_text(text.p[start - 1]))
        return false;
    size_t name = skip_slashes(text, slash);
    /* "/scratch/users/NAME": the next folder is the name */
    size_t n = od_run(text, name, "_");
    struct od_view next = od_part(text, name, name + n);
    if (od_words_is(s->words, next, OD_ROLE_HOME) ||
        (od_words_is(s->words, next, OD_ROLE_SHARED) && is_slash(od_byte(text, name + n))))
        return false;
    size_t wide_next = name + od_run(text, name, "_-");
    if (is_project(next) && is_slash(od_byte(text, wide_next))) {
        if (is_group(s->words, od_part(text, name, wide_next)))
            od_found_add(s, (struct od_found){name, wide_next, OD_REDACT_ORG, true});
        return add_component(s, skip_slashes(text, wide_next), text.p[slash]);
    }
    size_t after = component_end(text, name, text.p[slash]);
    bool goes_on = after < text.n && is_slash(text.p[after]);
    if (!rooted && !goes_on) /* "home/work" */
        return false;
    bool any = add_component(s, name, text.p[slash]);
    return (any && goes_on && add_member(s, folder, name, after)) || any;
}

/* "~NAME" at the start of a path. */
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

/* "?appid=0f3a...": a random-looking value in the query of a URL, unless its name says that it is
 * an id. */
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
    size_t n = od_run(text, equals + 1, "_-.~%");
    struct od_view value = od_part(text, equals + 1, equals + 1 + n);
    if (n < LEAST || !od_is_random(value))
        return false;
    od_found_add(s, (struct od_found){equals + 1, equals + 1 + n, OD_REDACT_SECRET, false});
    return true;
}
