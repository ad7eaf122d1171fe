#include "input/peel.h"

enum { DEPTH = 32, MESSAGE_DEPTH = 2, META_DEPTH = 3 };

/* The meaning of a key. */
enum sort {
    OTHER,
    MESSAGE,
    MORE, /* text that is appended to the message */
    STAMP,
    HOST,
    PROCESS,
    PID,
    RANK,
    FORMAT, /* format of a notebook */
    CELL,
    SORTS
};

static const char *const keys[SORTS][14] = {
    [OTHER] = {NULL},
    /* the most specific key comes first */
    [MESSAGE] = {"log", "MESSAGE", "message", "msg", "textPayload", "content", "line", "text",
                 NULL},
    [MORE] = {"exception", "exc_info", "exc_text", "traceback", "stack", "stacktrace",
              "stack_trace", "error", "err", "stderr", "stdout", "evalue", "output", NULL},
    [STAMP] = {"time", "timestamp", "@timestamp", "ts", "asctime", "__REALTIME_TIMESTAMP", NULL},
    [HOST] = {"host", "hostname", "_HOSTNAME", "node", NULL},
    [PROCESS] = {"container_name", "CONTAINER_NAME", "pod_name", "container", "SYSLOG_IDENTIFIER",
                 "_COMM", "process_name", NULL},
    [PID] = {"pid", "_PID", "process_id", "SYSLOG_PID", NULL},
    [RANK] = {"rank", "global_rank", NULL},
    [FORMAT] = {"nbformat", NULL},
    [CELL] = {"cell_type", NULL},
};

/* Keys of a notebook that contain texts. */
static const char *const notebook_keys[] = {"text", "evalue", "traceback", "text/plain", NULL};

/* Meaning of a key. *ret_place is its index in the list of that meaning, from 1. */
static enum sort sort_of(struct od_view key, unsigned *ret_place)
{
    for (unsigned sort = OTHER + 1; key.n > 0 && sort < SORTS; sort++)
        for (unsigned i = 0; keys[sort][i]; i++)
            if (keys[sort][i][0] == key.p[0] && od_view_eq_str(key, keys[sort][i])) {
                *ret_place = i + 1;
                return (enum sort)sort;
            }
    return OTHER;
}

/* A walk over a JSON value, with bounded depth and without copying. */
struct walk {
    struct od_view rest;
    unsigned depth;
    bool object[DEPTH + 1];        /* an object (not an array) is open at that depth */
    struct od_view key[DEPTH + 1]; /* key of the current member */
    bool wants_key;
};

struct value {
    struct od_view key;
    struct od_view text; /* text without quotes, with its escapes */
    unsigned depth; /* depth of the value's object; for an array's element, of the array's key */
    bool string;
};

enum found { FOUND_VALUE, FOUND_END, FOUND_ERROR };

/* Reads a string from its opening quote on. False if it is not closed. */
static bool take_string(struct od_view *rest, struct od_view *ret_text)
{
    size_t i = 1, end = 0, escape;
    do {
        end = end < i ? od_view_find_char(*rest, '"', i) : end;
        escape = od_view_find_char(od_view_head(*rest, end), '\\', i);
        i = escape + 2;
    } while (escape != OD_VIEW_NONE && i < rest->n);
    if (escape != OD_VIEW_NONE || end == OD_VIEW_NONE)
        return false;
    *ret_text = od_view_from(od_view_head(*rest, end), 1);
    *rest = od_view_from(*rest, end + 1);
    return true;
}

static bool is_scalar(char c)
{
    return od_is_digit(c) || od_is_letter(c) || c == '-' || c == '+' || c == '.';
}

static bool open_one(struct walk *walk, bool object)
{
    if (walk->depth == DEPTH)
        return false;
    /* elements of an array have the array's key */
    struct od_view key = walk->key[walk->depth];
    walk->depth++;
    walk->object[walk->depth] = object;
    walk->key[walk->depth] = object ? (struct od_view){0} : key;
    walk->wants_key = object;
    return true;
}

static bool close_one(struct walk *walk, bool object)
{
    if (walk->depth == 0 || walk->object[walk->depth] != object)
        return false;
    walk->depth--;
    walk->wants_key = false;
    return true;
}

static bool take_key(struct walk *walk)
{
    if (!take_string(&walk->rest, &walk->key[walk->depth]))
        return false;
    od_view_skip_blanks(&walk->rest);
    walk->wants_key = false;
    return od_view_take(&walk->rest, OD_VIEW(":"));
}

static void fill_value(const struct walk *walk, struct value *value)
{
    value->key = walk->key[walk->depth];
    value->depth = walk->depth;
    while (value->depth > 0 && !walk->object[value->depth])
        value->depth--;
}

static enum found take_scalar(struct walk *walk, struct value *ret_value)
{
    size_t n = 0;
    while (n < walk->rest.n && is_scalar(walk->rest.p[n]))
        n++;
    if (n == 0)
        return FOUND_ERROR;
    ret_value->string = false;
    ret_value->text = od_view_head(walk->rest, n);
    walk->rest = od_view_from(walk->rest, n);
    fill_value(walk, ret_value);
    return FOUND_VALUE;
}

/* Reads a punctuation mark. False if it is not allowed here. */
static bool take_mark(struct walk *walk, char c)
{
    walk->rest = od_view_from(walk->rest, 1);
    switch (c) {
    case '{':
        return open_one(walk, true);
    case '[':
        return open_one(walk, false);
    case '}':
        return close_one(walk, true);
    case ']':
        return close_one(walk, false);
    default:
        walk->wants_key = walk->object[walk->depth];
        return true;
    }
}

static enum found walk_next(struct walk *walk, struct value *ret_value)
{
    for (;;) {
        while (walk->rest.n > 0 && od_is_space(walk->rest.p[0]))
            walk->rest = od_view_from(walk->rest, 1);
        if (walk->rest.n == 0)
            return FOUND_ERROR;
        char c = walk->rest.p[0];
        if (c == '"' && walk->wants_key) {
            if (!take_key(walk))
                return FOUND_ERROR;
        } else if (c == '"') {
            if (!take_string(&walk->rest, &ret_value->text))
                return FOUND_ERROR;
            ret_value->string = true;
            fill_value(walk, ret_value);
            return FOUND_VALUE;
        } else if (c == '{' || c == '[' || c == '}' || c == ']' || c == ',') {
            if (!take_mark(walk, c))
                return FOUND_ERROR;
            if (walk->depth == 0)
                return FOUND_END;
        } else {
            return take_scalar(walk, ret_value);
        }
    }
}

/* Positions of relevant members of an object. */
struct object {
    struct od_view message_key;
    unsigned message_rank; /* preference of the key of the message; 0 = no message yet */
    unsigned message_depth;
    bool notebook;
    bool measured; /* the record may have measurements besides its message */
    struct od_view stamp, host, process;
    struct od_count pid, rank;
};

static void see_message(struct object *object, const struct value *value, unsigned rank)
{
    if (!value->string || value->depth > MESSAGE_DEPTH)
        return;
    bool better = object->message_rank == 0 || value->depth < object->message_depth ||
                  (value->depth == object->message_depth && rank < object->message_rank);
    if (!better)
        return;
    object->message_rank = rank;
    object->message_depth = value->depth;
    object->message_key = value->key;
}

static void see_count(struct od_count *count, struct od_view text)
{
    uint64_t n;
    if (od_num_parse_u64(text, &n))
        *count = od_count_of(n);
}

static void see_meta(struct object *object, const struct value *value, enum sort sort)
{
    if (value->depth > META_DEPTH || value->text.n == 0)
        return;
    if (sort == STAMP && value->depth == 1)
        object->stamp = value->text;
    else if (sort == HOST && value->string)
        object->host = value->text;
    else if (sort == PROCESS && value->string)
        object->process = value->text;
    else if (sort == PID)
        see_count(&object->pid, value->text);
    else if (sort == RANK)
        see_count(&object->rank, value->text);
}

/* "20.1MiB", "512 MB" */
static bool is_size(struct od_view text)
{
    enum { LONGEST = 16 };
    return text.n > 1 && text.n <= LONGEST && memchr("Bb", text.p[text.n - 1], 2) &&
           memchr("KMGTkmgi", text.p[text.n - 2], 8);
}

/* Is it a measurement besides a message: "rss_mb": 812.5, "mem": {"used_mb": 812}? */
static bool is_measured(const struct walk *walk, const struct value *value)
{
    static const char *const stems[] = {"rss",  "RSS",  "mem",  "Mem", "heap",
                                        "Heap", "vram", "VRAM", NULL};
    bool named = od_view_has_any(value->key, stems) ||
                 (value->depth > 1 && od_view_has_any(walk->key[value->depth - 1], stems));
    return (!value->string || is_size(value->text)) && value->depth <= META_DEPTH &&
           value->text.n > 0 && od_is_digit(value->text.p[0]) && named;
}

/* Reads the whole object. False if it is invalid or has no message. */
static bool read_object(struct od_view text, struct object *ret_object)
{
    struct object object = {0};
    struct walk walk = {.rest = text};
    struct value value;
    enum found found;
    unsigned all = 0, rank = 0;
    while ((found = walk_next(&walk, &value)) == FOUND_VALUE) {
        enum sort sort = sort_of(value.key, &rank);
        all |= 1U << sort;
        if (sort == MESSAGE)
            see_message(&object, &value, rank);
        see_meta(&object, &value, sort);
        object.measured = object.measured || is_measured(&walk, &value);
    }
    if (found == FOUND_ERROR)
        return false;
    struct od_view tail = od_view_trim(walk.rest);
    object.notebook = (all >> FORMAT & 1) && (all >> CELL & 1);
    *ret_object = object;
    return (tail.n == 0 || od_view_eq_str(tail, ",")) && (object.notebook || object.message_rank);
}

static bool is_wanted(const struct object *object, const struct value *value)
{
    unsigned place;
    if (!value->string)
        return false;
    if (object->notebook)
        return od_view_eq_any(value->key, notebook_keys);
    if (value->depth == object->message_depth && od_view_eq(value->key, object->message_key))
        return true;
    return value->depth <= MESSAGE_DEPTH && sort_of(value->key, &place) == MORE;
}

static size_t put(char *out, size_t n, struct od_view text)
{
    if (text.n > 0)
        memcpy(out + n, text.p, text.n);
    return n + text.n;
}

/* Appends the measurements as one line: "rss_mb=812.5 mem.heap_mb=40". room: size of out. */
static size_t gather_measured(struct od_view text, char *out, size_t n, size_t room)
{
    struct walk walk = {.rest = text};
    struct value value;
    bool first = true;
    while (walk_next(&walk, &value) == FOUND_VALUE) {
        /* for elements of a list the key would repeat */
        if (!walk.object[walk.depth] || !is_measured(&walk, &value))
            continue;
        struct od_view outer = value.depth > 1 ? walk.key[value.depth - 1] : (struct od_view){0};
        if (n + outer.n + value.key.n + value.text.n + 3 > room)
            break;
        out[n++] = first ? '\n' : ' ';
        n = put(out, n, outer);
        if (outer.n > 0)
            out[n++] = '.';
        n = put(out, n, value.key);
        out[n++] = '=';
        n = put(out, n, value.text);
        first = false;
    }
    return n;
}

/* Collects the printed texts of the object, each on its own lines. */
static struct od_view gather(struct od_peel *peel, const struct object *object)
{
    struct walk walk = {.rest = peel->text};
    struct value value;
    /* each text loses its quotes, which gives space for a line end; the rest is for outer keys */
    size_t room = 2 * peel->text.n;
    char *out = od_arena_alloc(peel->arena, room, 1);
    struct od_view only = {0};
    size_t n = 0, ntexts = 0;
    while (walk_next(&walk, &value) == FOUND_VALUE) {
        if (!is_wanted(object, &value))
            continue;
        only = value.text;
        ntexts++;
        struct od_view text = od_peel_unescape(peel, value.text);
        if (n > 0 && out[n - 1] != '\n')
            out[n++] = '\n';
        if (text.n > 0)
            memcpy(out + n, text.p, text.n);
        n += text.n;
    }
    if (n > 0 && out[n - 1] == '\n')
        n--;
    if (ntexts == 1 && n > 0 && n <= only.n && !object->measured && memcmp(out, only.p, n) == 0)
        return od_view_head(only, n); /* a single text is used in place */
    if (object->measured && !object->notebook)
        n = gather_measured(peel->text, out, n, room);
    return (struct od_view){.p = out, .n = n};
}

bool od_peel_json(struct od_peel *peel)
{
    struct od_view text = peel->text;
    struct object object;
    od_view_skip_blanks(&text);
    if (text.n < 2 || text.p[0] != '{' || !read_object(text, &object))
        return false;
    struct od_view message = gather(peel, &object);
    peel->text = message;
    if (object.stamp.n > 0)
        peel->stamp = object.stamp;
    if (object.host.n > 0)
        peel->host = object.host;
    if (object.process.n > 0)
        peel->process = object.process;
    if (object.pid.known)
        peel->pid = object.pid;
    if (object.rank.known)
        peel->rank = object.rank;
    return true;
}
