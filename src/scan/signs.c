#include "scan/signs.h"

#include "base/mask_digits.h"
/* Does a word begin there? Always true for a mark that begins with punctuation. */
static bool begins_word(struct od_view text, size_t at, char first)
{
    return at == 0 || !od_is_word(first) || !od_is_word(text.p[at - 1]);
}

/* Can a number follow the flag directly, as in "-Xmx4g"? It can after one dash. */
static bool is_joined(const struct od_sign *sign, struct od_view text, size_t end)
{
    bool short_flag = sign->text[0] == '-' && sign->text[1] != '-';
    return short_flag && od_is_digit(od_view_at(text, end));
}

static bool ends_word(struct od_view text, size_t end, char last)
{
    return end >= text.n || !od_is_word(last) || (!od_is_word(text.p[end]) && text.p[end] != '-');
}

/* Does the word continue after the sign? "Denoiser" is not Deno and "mongodb://" not mongod, but
 * "YOLOv8n" is YOLOv8. */
static bool goes_on(const struct od_sign *sign, struct od_view text, size_t end)
{
    bool name =
        sign->mark && (sign->mark->kind == OD_MARK_NAME || sign->mark->kind == OD_MARK_PATH);
    return name && end < text.n && od_is_letter(text.p[end]) && !od_is_upper(text.p[end]) &&
           od_is_letter(text.p[end - 1]);
}

/* Skips a type that tables of settings print between name and value. */
static size_t skip_type(struct od_view text, size_t at)
{
    static const char *const types[] = {"big integer ", "integer ", "string ", "boolean ", NULL};
    struct od_view rest = od_view_from(text, at);
    (void)od_view_take_any(&rest, types);
    return od_past_any(text, text.n - rest.n, " ");
}

/* Skips quotes, brackets and assignment signs between a setting and its value, and the blanks and
 * bars of a table. */
static size_t skip_to_value(struct od_view text, size_t at, bool joined)
{
    enum { MOST = 6, TABLE = 64 };
    size_t from = at, signs = 0, wide = 0;
    for (; at < text.n && signs < MOST && wide < TABLE; at++, wide++) {
        if (!strchr(" \t'\"`,:=[(|", text.p[at]))
            break;
        signs += text.p[at] != ' ';
    }
    bool table = wide > MOST || (wide > 1 && text.p[at - 2] == '|');
    at = table ? skip_type(text, at) : at;
    return at > from || joined ? at : text.n;
}

static bool find_value(struct od_view text, size_t end, bool joined, struct od_sign_place *place)
{
    size_t from = skip_to_value(text, end, joined);
    if (from == end + 2 && text.p[end] == ' ' &&
        text.p[end + 1] == '(') /* a sentence that mentions the setting */
        return false;
    place->value = from;
    place->end = od_until_any(text, from, " \t'\"`,;)]}<>|");
    while (place->end > from && text.p[place->end - 1] == '.') /* the full stop of a sentence */
        place->end--;
    /* the next flag is no value of this one */
    return place->end > from && text.p[from] != '-' && text.p[from] != '$' && text.p[from] != '<';
}

/* Does the mark count only at the start of a line, or after a time and a level? */
static bool is_prefix(const struct od_sign *sign)
{
    return sign->mark && sign->mark->kind == OD_MARK_PREFIX;
}

/* Is the setting only proposed: "try setting max_split_size_mb", "Use X=0.0 to disable"? */
static bool is_proposed(struct od_view text, size_t at)
{
    static const char *const words[] = {
        "Use",      "use",        "setting",  "set",        "Set",    "try",      "Try",
        "increase", "increasing", "decrease", "decreasing", "adjust", "lowering", "raising",
        "reducing", "Reduce",     "reduce",   "least",      NULL};
    at = od_back_any(text, at, " \t`'\"");
    return od_view_eq_any(od_view_part(text, od_back(text, at, od_is_letter), at), words);
}

/* Is the software an environment in which programs run? */
static bool is_place(const struct od_software *software)
{
    return software &&
           (software->sort == OD_SORT_PLATFORM || software->sort == OD_SORT_ORCHESTRATOR ||
            software->sort == OD_SORT_SCHEDULER);
}

struct signs {
    const struct od_sign_place *list;
    size_t n;
};

/* Is it part of a longer sign of another environment? '"OOMKilled": true' belongs to Docker. */
static bool is_covered(const struct od_sign *sign, const struct signs *all, struct od_view text,
                       size_t at)
{
    struct od_view own = od_view_of(sign->text);
    for (size_t i = 0; is_place(sign->software) && i < all->n; i++) {
        const struct od_sign *other = all->list[i].sign;
        struct od_view longer = od_view_of(other->text);
        size_t within = od_view_find(longer, own, 0);
        if (is_place(other->software) && longer.n > own.n && within != OD_VIEW_NONE &&
            within <= at && !od_software_stands_on(other->software, sign->software) &&
            od_view_starts(od_view_from(text, at - within), longer))
            return true;
    }
    return false;
}

/* Start of the word with a flag, as in "-J-Xmx24m". */
static size_t word_of_flag(struct od_view text, size_t at)
{
    size_t from = at;
    while (from > 0 && (od_is_letter(text.p[from - 1]) || text.p[from - 1] == '-'))
        from--;
    return text.p[at] == '-' && text.p[from] == '-' ? from : at;
}

static bool find(const struct signs *all, struct od_view text, struct od_sign_place *place)
{
    enum { FRONT = 48 };
    const struct od_sign *sign = place->sign;
    struct od_view wanted = od_view_of(sign->text);
    bool setting = !sign->software, found = false;
    for (size_t at = 0; (at = od_view_find(text, wanted, at)) != OD_VIEW_NONE; at++) {
        size_t end = at + wanted.n;
        char last = wanted.p[wanted.n - 1];
        if (!begins_word(text, at, wanted.p[0]) || (at > FRONT && is_prefix(sign)) ||
            is_covered(sign, all, text, at) || goes_on(sign, text, end))
            continue;
        bool joined = is_joined(sign, text, end);
        bool command = !setting && sign->mark &&
                       (sign->mark->kind == OD_MARK_COMMAND || sign->mark->kind == OD_MARK_CALL);
        if (command && !ends_word(text, end, last))
            continue;
        if (setting && (!(joined || ends_word(text, end, last)) || is_proposed(text, at)))
            continue;
        if (setting && !find_value(text, end, joined || last == '=', place)) {
            if (wanted.p[0] != '-') /* a flag may have no value */
                continue;
            place->value = place->end = end;
        }
        place->at = word_of_flag(text, at);
        found = true;
        if (!joined) /* the last value counts in "-Xmx64m -Xmx32m" */
            break;
    }
    return found;
}

/* Does a sign have digits? Only some lines of a shape then contain it. */
static bool have_digits(const struct signs *all)
{
    size_t i = 0;
    while (i < all->n && !od_has_digit(od_view_of(all->list[i].sign->text)))
        i++;
    return i < all->n;
}

/* Reads a version directly after the name: "vLLM API server version 0.8.5", "KoboldCpp - Version
 * 1.94", "vllm==0.2.7", "node/v12.18.0/bin" in a path. It has a decimal point and is neither a size
 * nor a share. */
static struct od_view version_behind(struct od_view rest, bool in_path)
{
    size_t n = 0, points = 0;
    rest = od_view_from(rest, od_past_any(rest, 0, " =-:*("));
    if (od_view_take(&rest, OD_VIEW("version")) || od_view_take(&rest, OD_VIEW("Version")))
        rest = od_view_from(rest, od_past_any(rest, 0, " =:"));
    (void)od_view_take(&rest, OD_VIEW("v"));
    for (; n < rest.n && (od_is_digit(rest.p[n]) || (n > 0 && rest.p[n] == '.')); n++)
        points += rest.p[n] == '.' && n + 1 < rest.n && od_is_digit(rest.p[n + 1]);
    n = od_back_any(rest, n, ".");
    size_t at = n + (od_view_at(rest, n) == ' ');
    bool size = od_view_at_any(rest, n, in_path ? "%x" : "%x/") ||
                (od_view_at_any(rest, at, "KkMGT") && od_view_at_any(rest, at + 1, "iB"));
    return points == 0 || size ? (struct od_view){0} : od_view_head(rest, n);
}

/* Can a version follow the sign? It can after the name of a program, its banner or its folder. */
static bool tells_version(const struct od_software_mark *mark)
{
    return mark->kind == OD_MARK_NAME || mark->kind == OD_MARK_BANNER || mark->kind == OD_MARK_PATH;
}

/* Start of the variable that ends at `end`, an upper-case name with an underscore; `end` if the
 * text before it is something else. */
static size_t variable_before(struct od_view text, size_t end)
{
    size_t from = end;
    bool joined = false;
    for (; from > 0 && (od_is_upper(text.p[from - 1]) || od_is_digit(text.p[from - 1]) ||
                        text.p[from - 1] == '_');
         from--)
        joined |= text.p[from - 1] == '_';
    return joined ? from : end;
}

/* Start of the key of a properties file that ends at `end`, a line's first word with a point in it;
 * `end` if the text before it is something else. */
static size_t key_before(struct od_view text, size_t end)
{
    size_t from = end;
    bool joined = false;
    for (; from > 0 && (od_is_word(text.p[from - 1]) || text.p[from - 1] == '.'); from--)
        joined |= text.p[from - 1] == '.';
    return joined && from == 0 && text.p[end] == '=' ? from : end;
}

/* The setting with the variable or key that passes it to the program: "JAVA_OPTS=-Xms1g -Xmx2g",
 * "Picked up _JAVA_OPTIONS: -Xmx2g". */
static struct od_view setting_of(const struct od_sign_place *place, struct od_view text)
{
    size_t from = place->at, end = place->end;
    for (size_t sign = place->at; place->sign->text[0] == '-' && sign > 0; sign--) {
        size_t value = sign, name = variable_before(text, sign - 1);
        name = name == sign - 1 ? key_before(text, name) : name;
        if (!strchr("=:", text.p[sign - 1]) || name == sign - 1)
            continue;
        value = od_past_any(od_view_head(text, place->at), value, " \"'");
        if (value < place->at && text.p[value] != '-')
            continue;
        from = name;
        while (end + 1 < text.n && text.p[end] == ' ' && text.p[end + 1] == '-')
            end = od_until_any(text, end + 1, " \"'`");
        break;
    }
    return od_view_part(text, from, end);
}

/* Start of the command with that program, including "sudo". */
static size_t command_begins(struct od_view text, size_t at)
{
    static const char sudo[] = "sudo ";
    size_t n = sizeof sudo - 1;
    return at >= n && memcmp(text.p + at - n, sudo, n) == 0 ? at - n : at;
}

static void tell(const struct od_sign_place *place, const struct od_line *line,
                 const struct od_sink *sink)
{
    const struct od_software_mark *mark = place->sign->mark;
    struct od_view text = line->text;
    struct od_event event;
    od_event_begin(&event, OD_EV_SIGN, line, "software");
    event.excerpt = od_view_trim(text);
    event.sign = place->sign;
    if (!place->sign->software) {
        od_event_set_text(&event, OD_F_VALUE, od_view_part(text, place->value, place->end));
        event.excerpt = setting_of(place, text);
    } else if (mark->kind == OD_MARK_COMMAND) {
        event.excerpt = od_view_trim(od_view_from(text, command_begins(text, place->at)));
    } else if (tells_version(mark)) {
        size_t end = place->at + od_view_of(place->sign->text).n;
        struct od_view version =
            version_behind(od_view_from(text, end), mark->kind == OD_MARK_PATH);
        if (version.n > 0)
            od_event_set_text(&event, OD_F_VALUE, version);
    }
    od_sink_put(sink, &event);
}

void od_signs_tell(struct od_sign_place *places, size_t n, const struct od_line *line,
                   const struct od_sink *sink)
{
    const struct signs all = {places, n};
    OD_FOR_EACH_OF (struct od_sign_place, place, places, n) {
        if (!place->known) {
            place->stands = find(&all, line->text, place);
            place->known = !have_digits(&all);
        }
        if (place->stands)
            tell(place, line, sink);
    }
}
