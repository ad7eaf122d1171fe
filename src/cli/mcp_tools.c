#include "cli/mcp_tools.h"

#include "cli/command.h"
#include "host/child.h"
#include "host/system.h"

#include <unistd.h>

extern const struct od_command od_command_analyze, od_command_plan, od_command_explain;

enum { LIMIT_MS = 300000, OUTPUT_MOST = 256 << 20, WORDS_MOST = 512 };

static const struct tool {
    const struct od_command *command;
    const char *description;
    const char *format;  /* of --format; NULL = what it prints is text */
    const char *operand; /* the argument that holds a file, a name or a code */
    const char *operand_says;
    bool many;         /* the operand is a list */
    const char *input; /* the argument that holds a text to be read instead; NULL = none */
} tools[] = {
    {&od_command_analyze,
     "Says what failed in a log of a run that ran out of memory, why, how sure that is, what was "
     "lost, and what to change. Answers with a report in JSON.",
     "jsonl", "files", "Paths of logs; several are one run: rank logs, a job log and dmesg", true,
     "log"},
    {&od_command_plan,
     "Tells the memory of a described training or inference workload: whether it fits, the largest "
     "batch, what to change. Answers in JSON.",
     "jsonl", "model", "A file, or the name of a public model", false, "description"},
    {&od_command_explain, "The long form of a finding: what it means and what helps.", NULL, "code",
     "A code (OD101) or a cause (fragmented); without one all are listed", false, NULL},
};

/* Options that write files or change how the answer looks are not for a caller. */
static bool is_offered(const struct od_option *option)
{
    static const char *const kept[] = {
        "format",       "output",    "color",      "plots",    "plot-format", "rules",
        "stats",        "trace",     "unknowns",   "baseline", "fail-on",     "verbose",
        "quiet",        "exit-zero", "one-thread", "why",      "two-threads", "no-jit",
        "no-prefilter", "no-shapes", "models",     NULL};
    return option->help && !od_is_among(option->name, kept);
}

/* ---- the list ---- */

static void add_property(json_t *to, const char *name, const char *type, const char *description)
{
    (void)json_object_set_new(to, name,
                              json_pack("{s:s,s:s}", "type", type, "description", description));
}

static json_t *schema_of(const struct tool *tool)
{
    json_t *properties = json_object();
    for (const struct od_option *o = tool->command->options; o->name; o++)
        if (is_offered(o))
            add_property(properties, o->name, o->argument ? "string" : "boolean", o->help);
    if (tool->many)
        (void)json_object_set_new(properties, tool->operand,
                                  json_pack("{s:s,s:{s:s},s:s}", "type", "array", "items", "type",
                                            "string", "description", tool->operand_says));
    else
        add_property(properties, tool->operand, "string", tool->operand_says);
    if (tool->input)
        add_property(properties, tool->input, "string", "The text itself, instead of a file");
    return json_pack("{s:s,s:o,s:b}", "type", "object", "properties", properties,
                     "additionalProperties", 0);
}

json_t *od_mcp_tools_list(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < OD_COUNT_OF(tools); i++)
        (void)json_array_append_new(list, json_pack("{s:s,s:s,s:o,s:{s:b,s:b}}", "name",
                                                    tools[i].command->name, "description",
                                                    tools[i].description, "inputSchema",
                                                    schema_of(&tools[i]), "annotations",
                                                    "readOnlyHint", 1, "openWorldHint", 0));
    return json_pack("{s:o}", "tools", list);
}

/* ---- a call ---- */

struct call {
    const struct tool *tool;
    struct od_arena *arena;
    const char *words[WORDS_MOST + 1];
    size_t n;
    struct od_view input;
    const char *why; /* it cannot be made */
};

static void add_word(struct call *call, const char *word)
{
    if (call->n == WORDS_MOST)
        call->why = "too many arguments";
    else
        call->words[call->n++] = word;
}

static const struct od_option *option_of(const struct call *call, const char *name)
{
    for (const struct od_option *o = call->tool->command->options; o->name; o++)
        if (strcmp(o->name, name) == 0 && is_offered(o))
            return o;
    return NULL;
}

/* Numbers are taken where a text is wanted. */
static const char *text_of(struct call *call, const json_t *value)
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_integer(value))
        return od_arena_printf(call->arena, "%lld", (long long)json_integer_value(value));
    if (json_is_real(value))
        return od_arena_printf(call->arena, "%.17g", json_real_value(value));
    call->why = "an option's value is a string or a number";
    return "";
}

static void add_option(struct call *call, const char *name, const json_t *value)
{
    const struct od_option *option = option_of(call, name);
    if (!option)
        call->why = "there is no such argument; tools/list names them";
    else if (option->argument)
        add_word(call, od_arena_printf(call->arena, "--%s=%s", name, text_of(call, value)));
    else if (!json_is_boolean(value))
        call->why = "a flag is true or false";
    else if (json_is_true(value))
        add_word(call, od_arena_printf(call->arena, "--%s", name));
}

static bool is_named(const char *name, const char *key)
{
    return name && strcmp(name, key) == 0;
}

static void add_operands(struct call *call, const json_t *value)
{
    size_t i;
    json_t *one;
    add_word(call, "--");
    if (call->input.p)
        add_word(call, "-");
    if (json_is_string(value))
        add_word(call, json_string_value(value));
    else if (value && !(call->tool->many && json_is_array(value)))
        call->why = "a file or name is a string";
    json_array_foreach(value, i, one)
    {
        if (json_is_string(one))
            add_word(call, json_string_value(one));
        else
            call->why = "a file or name is a string";
    }
}

static void make_words(struct call *call, const json_t *arguments)
{
    const char *key;
    json_t *value;
    add_word(call, od_system_self());
    add_word(call, call->tool->command->name);
    if (call->tool->format)
        add_word(call, od_arena_printf(call->arena, "--format=%s", call->tool->format));
    json_object_foreach((json_t *)(uintptr_t)arguments, key, value)
    {
        if (is_named(call->tool->input, key) && json_is_string(value))
            call->input = (struct od_view){json_string_value(value), json_string_length(value)};
        else if (is_named(call->tool->input, key))
            call->why = "a text is a string";
        else if (strcmp(call->tool->operand, key) != 0)
            add_option(call, key, value);
    }
    const json_t *operand = json_object_get(arguments, call->tool->operand);
    if (call->tool->command == &od_command_analyze && !operand && !call->input.p)
        call->why = "files or a log is needed";
    add_operands(call, operand);
}

static json_t *text_content(struct od_view text)
{
    json_t *words = json_stringn(text.p ? text.p : "", text.n);
    if (!words) /* what a log says may be no UTF-8 */
        words = json_string("the answer is no text");
    return json_pack("[{s:s,s:o}]", "type", "text", "text", words);
}

static json_t *result_of(const struct call *call, const struct od_child_result *done)
{
    bool good = done->end == OD_CHILD_EXITED && done->status <= OD_EXIT_FAILURE_FOUND;
    struct od_view out = od_buf_view(&done->out), err = od_buf_view(&done->err);
    if (!good && err.n == 0)
        err = done->end == OD_CHILD_TOO_LONG ? OD_VIEW("it took too long")
                                             : OD_VIEW("it ended before it could answer");
    json_t *result =
        json_pack("{s:o,s:b}", "content", text_content(good ? out : err), "isError", good ? 0 : 1);
    json_t *parsed = good && call->tool->format ? json_loadb(out.p, out.n, 0, NULL) : NULL;
    if (parsed)
        (void)json_object_set_new(result, "structuredContent", parsed);
    return result;
}

static json_t *run_call(const struct call *call)
{
    extern char **environ;
    struct od_child child = {.argv = call->words,
                             .environment = (const char *const *)environ,
                             .folder = ".",
                             .input = call->input,
                             .output_most = OUTPUT_MOST,
                             .limit_ms = LIMIT_MS};
    struct od_child_result done = od_child_run(&child);
    json_t *result = result_of(call, &done);
    od_child_done(&done);
    return result;
}

enum od_mcp_call od_mcp_tools_call(const char *name, const json_t *arguments, json_t **ret_result,
                                   const char **ret_why)
{
    struct call call = {0};
    for (size_t i = 0; name && i < OD_COUNT_OF(tools); i++)
        if (strcmp(name, tools[i].command->name) == 0)
            call.tool = &tools[i];
    if (!call.tool)
        return OD_MCP_NO_TOOL;
    if (arguments && !json_is_object(arguments)) {
        *ret_why = "arguments are an object";
        return OD_MCP_BAD_CALL;
    }
    call.arena = od_arena_new();
    make_words(&call, arguments);
    *ret_why = call.why;
    if (!call.why)
        *ret_result = run_call(&call);
    od_arena_free(call.arena);
    return call.why ? OD_MCP_BAD_CALL : OD_MCP_DONE;
}
