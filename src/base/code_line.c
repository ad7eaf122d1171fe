#include "base/code_line.h"

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

/* Can a string begin at this quote? No after a letter: there it is an apostrophe. */
static bool opens_string(struct od_view text, size_t at)
{
    if (!is_quote(text.p[at]))
        return false;
    while (at > 0 && strchr("frbuL", text.p[at - 1]) != NULL)
        at--;
    return at == 0 || strchr(" \t(,=[{+", text.p[at - 1]) != NULL;
}

static bool has_string(struct od_view text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (opens_string(text, i) && od_view_find_char(text, text.p[i], i + 1) != OD_VIEW_NONE)
            return true;
    }
    return false;
}

/* Is the string that begins the text closed before a bracket? */
static bool has_argument_string(struct od_view text)
{
    size_t depth = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (opens_string(text, i))
            return true;
        if (text.p[i] == '(')
            depth++;
        else if (text.p[i] == ')' && --depth == 0)
            return false;
    }
    return false;
}

static bool is_statement(struct od_view text)
{
    static const char *const words[] = {"raise ",     "throw ",   "return ", "if ",     "elif ",
                                        "} else if ", "else if ", "if(",     "assert ", "case ",
                                        "echo ",      "print ",   "printf ", "def ",    "func ",
                                        "const ",     "static "};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        struct od_view rest = text;
        if (od_view_take(&rest, od_view_of(words[i])))
            return has_string(rest);
    }
    return false;
}

static bool is_of_a_name(char c)
{
    return od_is_word(c) || c == '.' || c == ':' || c == '!' || c == '[' || c == ']';
}

/* Is the name a function or macro? The name of a class may also be printed by an exception. */
static bool names_function(struct od_view name)
{
    size_t at = name.n;
    while (at > 0 && (od_is_word(name.p[at - 1]) || name.p[at - 1] == '!'))
        at--;
    struct od_view last = od_view_from(name, at);
    if (last.n == 0 || od_is_digit(last.p[0]) || od_is_digit(name.p[0]))
        return false;
    bool lower = false;
    bool joined = false;
    for (size_t i = 0; i < last.n; i++) {
        lower = lower || (od_is_letter(last.p[i]) && !od_is_upper(last.p[i]));
        joined = joined || last.p[i] == '_';
    }
    return !od_is_upper(last.p[0]) || (joined && !lower);
}

static size_t length_of_name(struct od_view text)
{
    size_t n = 0;
    while (n < text.n && is_of_a_name(text.p[n]))
        n++;
    return n;
}

/* Is the text a call: `log.error("...")`, `found = find("...")`? */
static bool is_call(struct od_view text)
{
    size_t n = length_of_name(text);
    struct od_view rest = od_view_from(text, n);
    if (n > 0 && (od_view_take(&rest, OD_VIEW(" = ")) || od_view_take(&rest, OD_VIEW(" := ")))) {
        text = rest;
        n = length_of_name(text);
        rest = od_view_from(text, n);
    }
    return rest.n > 0 && rest.p[0] == '(' && names_function(od_view_head(text, n)) &&
           has_argument_string(rest);
}

static bool has_conversion(struct od_view text)
{
    for (size_t i = 1; i + 1 < text.n; i++) {
        if (text.p[i] == '%' && strchr("dsuzlfxp", text.p[i + 1]) != NULL &&
            !od_is_digit(text.p[i - 1]))
            return true;
    }
    return false;
}

/*
 * Is the text a string argument: one with conversions, or one of several that the compiler joins
 * (they end with a blank between words)?
 */
static bool is_argument_string(struct od_view text)
{
    while (text.n > 0 && strchr(",);", text.p[text.n - 1]) != NULL)
        text.n--;
    return text.n > 3 && opens_string(text, text.p[0] == 'f' ? 1 : 0) &&
           is_quote(text.p[text.n - 1]) && (text.p[text.n - 2] == ' ' || has_conversion(text));
}

/* Is the text an entry of a table of errors: `-9: "out of memory"`? */
static bool is_entry(struct od_view text)
{
    uint64_t number;
    (void)od_view_take(&text, OD_VIEW("-"));
    return od_num_take_u64(&text, &number) && od_view_take(&text, OD_VIEW(": \"")) &&
           (od_view_ends(text, OD_VIEW("\",")) || od_view_ends(text, OD_VIEW("\"")));
}

/* Is the text a literal in prose: ``Killed`` in a manual, \verb|Killed| in a paper? */
static bool is_literal_of_prose(struct od_view text)
{
    const struct od_view ticks = OD_VIEW("``"), verbatim = OD_VIEW("\\verb|");
    if (!od_view_starts(text, ticks))
        return od_view_has(text, verbatim);
    const size_t end = od_view_find(text, ticks, ticks.n);
    const struct od_view rest = od_view_from(text, end < text.n ? end + ticks.n : text.n);
    return rest.n > 1 && rest.p[0] == ' ' && od_is_letter(rest.p[1]) && !od_is_upper(rest.p[1]);
}

bool od_begins_as_code(struct od_view text)
{
    static const char *const starts[] = {"#",       "//",      "raise ",  "def ",   "class ",
                                         "assert ", "if ",     "if(",     "elif ",  "case ",
                                         "return ", "except ", "except:", "usage:", NULL};
    return od_view_starts_any(od_view_trim(text), starts);
}

/* Does the text begin like a command: with a program, a path, or an assignment to a variable? */
static bool begins_with_program(struct od_view text)
{
    size_t n = 0;
    bool sets = false;
    while (n < text.n && strchr(" \t", text.p[n]) == NULL) {
        sets = sets || text.p[n] == '=';
        n++;
    }
    return n > 0 && (sets || !od_is_upper(text.p[0])) && !od_is_digit(text.p[0]) &&
           strchr(":,", text.p[n - 1]) == NULL;
}

/* Removes a prompt: "ana@gpu-box:~/seg$ ", "[ana@gpu-box seg]# ", "(env) ana@gpu-box:~$ ". */
static bool take_prompt(struct od_view *text)
{
    enum { PROMPT_MOST = 200 };
    struct od_view rest = od_view_head(*text, PROMPT_MOST);
    size_t at = 0, n = 0;
    if (rest.n > 0 && rest.p[0] == '(')
        at = od_view_find(rest, OD_VIEW(") "), 0) + 2;
    rest = at < rest.n ? od_view_from(rest, at) : (struct od_view){0};
    bool bracket = od_view_take(&rest, OD_VIEW("["));
    while (n < rest.n && (od_is_word(rest.p[n]) || strchr(".-@", rest.p[n]) != NULL))
        n++;
    if (od_view_find_char(od_view_head(rest, n), '@', 1) == OD_VIEW_NONE || n == rest.n ||
        strchr(bracket ? " :" : ":", rest.p[n]) == NULL)
        return false;
    while (n + 1 < rest.n && !(strchr("#$%", rest.p[n]) != NULL && rest.p[n + 1] == ' '))
        n++;
    *text = od_view_from(rest, n + 1 < rest.n ? n + 2 : rest.n);
    return n + 1 < rest.n;
}

bool od_command_of_line(struct od_view text, struct od_view *ret_command)
{
    text = od_view_trim(text);
    if (text.n < 3)
        return false;
    *ret_command = text;
    if (od_view_take(ret_command, OD_VIEW("oomdoctor run: runs: ")))
        return true;
    size_t n = 0;
    while (n < text.n && text.p[n] == '+')
        n++;
    *ret_command = od_view_from(text, n);
    if ((n > 0 && od_view_take(ret_command, OD_VIEW(" "))) ||
        od_view_take(ret_command, OD_VIEW("$ ")))
        return begins_with_program(*ret_command);
    bool may_prompt = od_is_word(text.p[0]) || text.p[0] == '(' || text.p[0] == '[';
    *ret_command = text;
    return may_prompt && take_prompt(ret_command) && begins_with_program(*ret_command);
}

bool od_script_of_line(struct od_view text, struct od_view *ret_place, struct od_view *ret_setting)
{
    text = od_view_trim(text);
    if (!od_view_take(&text, OD_VIEW("oomdoctor run: ")))
        return false;
    if (od_view_take(&text, OD_VIEW("sets: "))) {
        size_t end = od_view_find(text, OD_VIEW(": "), 0);
        *ret_place = od_view_head(text, end);
        *ret_setting = od_view_from(text, end + 2);
        return end != OD_VIEW_NONE;
    }
    size_t name = 0;
    while (name < text.n &&
           (od_is_upper(text.p[name]) || od_is_digit(text.p[name]) || text.p[name] == '_'))
        name++;
    *ret_place = od_view_head(text, 0);
    *ret_setting = text;
    return name > 0 && name < text.n && text.p[name] == '=';
}

bool od_is_command_of_viewer(struct od_view text)
{
    static const char *const viewers[] = {"dmesg",        "journalctl",   "grep ",
                                          "zgrep ",       "tail ",        "cat ",
                                          "kubectl logs", "docker logs ", NULL};
    struct od_view command;
    if (!od_command_of_line(text, &command))
        return false;
    (void)od_view_take(&command, OD_VIEW("sudo "));
    return od_view_starts_any(command, viewers);
}

bool od_is_command_line(struct od_view text)
{
    struct od_view command;
    return od_command_of_line(text, &command);
}

bool od_is_code_line(struct od_view text)
{
    text = od_view_trim(text);
    if (od_is_command_line(text))
        return true;
    if (text.n > 1 && (text.p[0] == '+' || text.p[0] == '-') && strchr(" \t", text.p[1]) != NULL)
        text = od_view_trim(od_view_from(text, 1)); /* the sign that begins a line of a patch */
    if (text.n == 0)
        return false;
    return od_view_starts(text, OD_VIEW("//")) || od_view_has(text, OD_VIEW(" << \"")) ||
           od_view_ends(text, OD_VIEW("\");")) || od_view_ends(text, OD_VIEW("');")) ||
           od_view_ends(text, OD_VIEW("\";")) || is_entry(text) || is_statement(text) ||
           is_call(text) || is_argument_string(text) || is_literal_of_prose(text);
}
