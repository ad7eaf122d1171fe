#include "rules/set_sentence.h"

/* Does the text begin like a sentence: "process in slices", "the same command continues"? */
static bool is_sentence(const char *set)
{
    static const char *const verbs[] = {
        "choose", "close", "crop",    "download", "gather", "import",    "iterate", "keep", "link",
        "lint",   "load",  "process", "read",     "render", "recompute", "run",     "set",  "split",
        "stop",   "store", "stream",  "submit",   "the",    "transfer",  "unload",  "use"};
    struct od_view first = {set, strcspn(set, " ")};
    bool same = strncmp(set, "the ", 4) != 0 || strncmp(set, "the same ", 9) == 0;
    bool found = false;
    same = same && set[first.n] == ' ' && set[first.n + 1] != '{';
    for (size_t i = 0; same && i < OD_COUNT_OF(verbs); i++)
        found = found || od_view_eq_str(first, verbs[i]);
    return found;
}

/* Is it a line of a file ("pm.max_requests = 500") or code rather than words? */
static bool is_line(const char *set)
{
    return strcspn(set, ".:_(=-{[") < strcspn(set, " ") || strpbrk(set, "={");
}

/* The verb for a setting: for a name, a line of a file, or words. */
static const char *verb_of_set(const char *set, enum od_less less, const char *usual)
{
    static const char *const amounts[] = {"a ",    "an ",   "fewer ",   "less ",   "lower ",
                                          "more ", "only ", "shorter ", "smaller "};
    static const char *const statements[] = {"ALTER ", "CALL ", "EXEC ", "SET "};
    const char *call = strchr(set, '('), *sign = strpbrk(set, "={");
    bool words = strstr(set, " instead of ") || strchr(set, ';');
    for (size_t i = 0; i < OD_COUNT_OF(amounts); i++)
        words = words || strncmp(set, amounts[i], strlen(amounts[i])) == 0;
    if (strncmp(set, "SETTINGS ", 9) == 0)
        return "Add";
    for (size_t i = 0; i < OD_COUNT_OF(statements); i++)
        if (strncmp(set, statements[i], strlen(statements[i])) == 0)
            return "Run";
    if (words || (call && call > set && call[-1] != ' ' && (!sign || call < sign)))
        return "Use";
    if (sign || (is_line(set) && strstr(set, ": ")))
        return "Set";
    if (less == OD_LESS_ON || less == OD_LESS_NONE)
        return "Use";
    if (less == OD_LESS_HIGHER && !od_is_upper(set[0]) && !strpbrk(set, "._"))
        return "Choose a larger";
    return less == OD_LESS_OFF ? "Turn off" : usual;
}

/* The text after the place of a setting: "oomd.conf: SwapUsedLimit=95%", "Render Properties,
 * Simplify: Texture Limit". NULL = there is no place, as in "build.sourcemap: false". */
static const char *after_place(const char *set)
{
    const char *colon = strstr(set, ": ");
    if (!colon || strstr(set, " instead of ") || strcspn(set, "=({[\"'") < (size_t)(colon - set) ||
        od_is_digit(colon[2]) || strncmp(colon + 2, "false", 5) == 0 ||
        strncmp(colon + 2, "true", 4) == 0)
        return NULL;
    struct od_view place = {set, (size_t)(colon - set)};
    bool menu = od_view_find_char(place, '>', 0) != OD_VIEW_NONE || od_is_upper(set[0]);
    return menu || od_view_find_char(place, '.', 0) != OD_VIEW_NONE ? colon : NULL;
}

const char *od_set_sentence(const char *set, enum od_less less, const char *usual,
                            struct od_arena *arena)
{
    const char *colon = after_place(set);
    if (is_sentence(set))
        return od_arena_printf(arena, "%c%s.", od_upper(set[0]), set + 1);
    if (!colon)
        return od_arena_printf(arena, "%s %s.", verb_of_set(set, less, usual), set);
    const char *rest = colon + 2, *verb = is_sentence(rest) ? "" : verb_of_set(rest, less, usual);
    if (*verb)
        rest = od_arena_printf(arena, "%c%s %s", od_lower(verb[0]), verb + 1, rest);
    return od_arena_printf(arena, "In %.*s, %s.", (int)(colon - set), set, rest);
}
