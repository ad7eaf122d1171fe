#include "cli/mcp_tools.h"

#include "cli/command.h"
#include "host/child.h"
#include "host/system.h"

#include <unistd.h>

extern const struct od_command od_command_analyze, od_command_plan, od_command_explain;

enum { LIMIT_MS = 300000, OUTPUT_MOST = 256 << 20, WORDS_MOST = 512, RESOURCES_MOST = 16 };

/* The JSON of recent answers, in a ring buffer. */
struct od_mcp_tools {
    struct od_mcp_resource {
        char *text; /* text of json_dumps; NULL = none */
        const char *name;
    } resources[RESOURCES_MOST];
    unsigned count; /* of all answers so far; number i is at i % RESOURCES_MOST */
};

struct od_mcp_tools *od_mcp_tools_new(void)
{
    return od_mem_alloc(1, sizeof(struct od_mcp_tools));
}

void od_mcp_tools_free(struct od_mcp_tools *tools)
{
    OD_FOR_EACH_OF (struct od_mcp_resource, resource, tools->resources, RESOURCES_MOST)
        free(resource->text);
    od_mem_free(tools);
}

static const struct tool {
    const struct od_command *command;
    const char *description;
    const char *json;    /* the format of its resource; NULL = it has none */
    bool brief;          /* the tool can answer briefly */
    const char *operand; /* the argument that holds a file, a name or a code */
    const char *operand_says;
    bool many;         /* the operand is a list */
    const char *input; /* the argument with a text to read instead of a file; NULL = none */
} tools[] = {
    {&od_command_analyze,
     "Says what failed in a log of a run that ran out of memory, why, how sure that is, what was "
     "lost, and what to change. Answers with a report, or briefly with the evidence for an answer "
     "of your own; its JSON is a resource.",
     "jsonl", true, "files", "Paths of logs; several are one run: rank logs, a job log and dmesg",
     true, "log"},
    {&od_command_plan,
     "Tells the memory of a described training or inference workload: whether it fits, the largest "
     "batch, what to change. Answers with a text; its JSON is a resource.",
     "jsonl", false, "model", "A file, or the name of a public model", false, "description"},
    {&od_command_explain, "The long form of a finding: what it means and what helps.", NULL, false,
     "code", "A code (OD101) or a cause (fragmented); without one all are listed", false, NULL},
};

/* Options that write files or change the presentation are not offered. */
static bool is_offered(const struct od_option *option)
{
    static const char *const kept[] = {
        "format", "output",   "color",        "plots",     "plot-format", "rules", "stats",
        "trace",  "unknowns", "baseline",     "fail-on",   "verbose",     "quiet", "exit-zero",
        "why",    "no-jit",   "no-prefilter", "no-shapes", "models",      NULL};
    return option->help && !od_is_among(option->name, kept);
}

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
    if (tool->brief)
        (void)json_object_set_new(
            properties, "format",
            json_pack("{s:s,s:[s,s],s:s}", "type", "string", "enum", "text", "brief", "description",
                      "text (default): the report; brief: the failing lines, the account and what "
                      "is ruled out, in at most 3,800 bytes, with secrets replaced"));
    return json_pack("{s:s,s:o,s:b}", "type", "object", "properties", properties,
                     "additionalProperties", 0);
}

/* The values of an answer that programs use for decisions; the resource has the rest. */
struct value {
    const char *name;
    const char *path; /* path in the JSON: keys, and 0 for the first item of a list */
    const char *type, *says;
};

static const struct value report_values[] = {
    {"outcome", "outcome", "string",
     "memory_failure, survived, other_failure, no_failure, unknown"},
    {"cause", "diagnosis/0/cause", "string", "The first cause; null: none is known"},
    {"certainty", "diagnosis/0/certainty", "string", "certain, likely or possible"},
    {"probability", "diagnosis/0/probability", "number", "Of the cause, 0 to 1"},
    {"requested_bytes", "incidents/0/requested_bytes", "integer", "Of the first incident"},
    {"batch", "plan/batch/recommended", "integer", "The batch that is recommended"},
    {"action", "plan/actions/0/title", "string", "The first remedy"},
    {0}};
static const struct value plan_values[] = {
    {"peak_bytes", "peak_bytes", "integer", "What the run needs"},
    {"fits_probability", "fits_probability", "number", "0 to 1; null: no device was named"},
    {"largest_batch", "largest_batch/safe", "integer", "The largest batch that is safe"},
    {0}};

static const struct value *values_of(const struct tool *tool)
{
    static const struct value none[] = {{0}};
    return !tool->json ? none : tool->command == &od_command_analyze ? report_values : plan_values;
}

static json_t *output_schema(const struct tool *tool)
{
    json_t *properties = json_object(), *required = json_array();
    for (const struct value *v = values_of(tool); v->name; v++) {
        json_t *types = json_pack("[s,s]", v->type, "null");
        (void)json_object_set_new(properties, v->name,
                                  json_pack("{s:o,s:s}", "type", types, "description", v->says));
        (void)json_array_append_new(required, json_string(v->name));
    }
    add_property(properties, "resource", "string", "The address of all of it, for resources/read");
    (void)json_array_append_new(required, json_string("resource"));
    return json_pack("{s:s,s:o,s:o}", "type", "object", "properties", properties, "required",
                     required);
}

static json_t *description_of(const struct tool *tool)
{
    json_t *made = json_pack("{s:s,s:s,s:o,s:{s:b,s:b}}", "name", tool->command->name,
                             "description", tool->description, "inputSchema", schema_of(tool),
                             "annotations", "readOnlyHint", 1, "openWorldHint", 0);
    if (tool->json)
        (void)json_object_set_new(made, "outputSchema", output_schema(tool));
    return made;
}

json_t *od_mcp_tools_list(void)
{
    json_t *list = json_array();
    OD_FOR_EACH_OF (const struct tool, tool, tools, OD_COUNT_OF(tools))
        (void)json_array_append_new(list, description_of(tool));
    return json_pack("{s:o}", "tools", list);
}

struct call {
    const struct tool *tool;
    struct od_arena *arena;
    const char *words[WORDS_MOST + 1];
    size_t n;
    struct od_view input;
    char file[32];   /* for the JSON */
    const char *why; /* an error message: the command cannot be built */
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

/* Numbers are accepted in place of texts. */
static const char *text_of(struct call *call, const json_t *value)
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_integer(value))
        return od_arena_printf(call->arena, "%lld", (long long)json_integer_value(value));
    if (json_is_real(value))
        return od_arena_printf(call->arena, "%.17g", json_real_value(value));
    call->why = "the value of an option must be a string or a number";
    return "";
}

static const char *arguments_of(const struct call *call)
{
    const struct tool *tool = call->tool;
    const char *words = tool->operand;
    if (tool->input)
        words = od_arena_printf(call->arena, "%s, %s", words, tool->input);
    if (tool->brief)
        words = od_arena_printf(call->arena, "%s, format", words);
    for (const struct od_option *o = tool->command->options; o->name; o++)
        if (is_offered(o))
            words = od_arena_printf(call->arena, "%s, %s", words, o->name);
    return words;
}

static void add_option(struct call *call, const char *name, const json_t *value)
{
    const struct od_option *option = option_of(call, name);
    if (!option)
        call->why = od_arena_printf(call->arena, "there is no argument '%s'; it takes %s", name,
                                    arguments_of(call));
    else if (option->argument)
        add_word(call, od_arena_printf(call->arena, "--%s=%s", name, text_of(call, value)));
    else if (!json_is_boolean(value))
        call->why = "a flag must be true or false";
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

static void add_format(struct call *call, const json_t *arguments)
{
    const json_t *value = json_object_get(arguments, "format");
    const char *format = !call->tool->brief || !value ? "text" : json_string_value(value);
    if (!format || (strcmp(format, "text") != 0 && strcmp(format, "brief") != 0))
        call->why = "the format must be text or brief";
    else
        add_word(call, od_arena_printf(call->arena, "--format=%s", format));
}

static void make_words(struct call *call, const json_t *arguments)
{
    const char *key;
    json_t *value;
    add_word(call, od_system_self());
    add_word(call, call->tool->command->name);
    if (call->tool->json)
        add_format(call, arguments);
    if (call->tool->json)
        add_word(call,
                 od_arena_printf(call->arena, "--output=%s:%s", call->tool->json, call->file));
    json_object_foreach((json_t *)(uintptr_t)arguments, key, value)
    {
        if (is_named(call->tool->input, key) && json_is_string(value))
            call->input = (struct od_view){json_string_value(value), json_string_length(value)};
        else if (is_named(call->tool->input, key))
            call->why = "a text must be a string";
        else if (strcmp(call->tool->operand, key) != 0 &&
                 !(call->tool->brief && strcmp(key, "format") == 0))
            add_option(call, key, value);
    }
    const json_t *operand = json_object_get(arguments, call->tool->operand);
    if (call->tool->command == &od_command_analyze && !operand && !call->input.p)
        call->why = "pass files or a log";
    add_operands(call, operand);
}

static json_t *text_content(struct od_view text)
{
    json_t *words = json_stringn(text.p ? text.p : "", text.n);
    if (!words) /* output of a log may be invalid UTF-8 */
        words = json_string("the answer is not text");
    return json_pack("[{s:s,s:o}]", "type", "text", "text", words);
}

static json_t *value_at(const json_t *in, const char *path)
{
    char name[32];
    for (; in && *path; path += *path == '/') {
        size_t n = strcspn(path, "/");
        (void)snprintf(name, sizeof name, "%.*s", (int)n, path);
        in = strcmp(name, "0") == 0 ? json_array_get(in, 0) : json_object_get(in, name);
        path += n;
    }
    return in ? json_incref((json_t *)(uintptr_t)in) : json_null();
}

/* Takes ownership of `whole` and stores it as a resource. Returns the important values with its
 * address. */
static json_t *keep(struct od_mcp_tools *kept, const struct tool *tool, json_t *whole)
{
    json_t *values = json_object();
    for (const struct value *v = values_of(tool); v->name; v++)
        (void)json_object_set_new(values, v->name, value_at(whole, v->path));
    struct od_mcp_resource *place = &kept->resources[kept->count % RESOURCES_MOST];
    free(place->text);
    *place = (struct od_mcp_resource){json_dumps(whole, JSON_COMPACT), tool->command->name};
    (void)json_object_set_new(values, "resource",
                              json_sprintf("oomdoctor://%s/%u", place->name, kept->count++));
    json_decref(whole);
    return values;
}

static json_t *result_of(struct od_mcp_tools *kept, const struct call *call,
                         const struct od_child_result *done)
{
    bool good = done->end == OD_CHILD_EXITED && done->status <= OD_EXIT_FAILURE_FOUND;
    struct od_view out = od_buf_view(&done->out), err = od_buf_view(&done->err);
    if (!good && err.n == 0)
        err = done->end == OD_CHILD_TOO_LONG ? OD_VIEW("the analysis took too long")
                                             : OD_VIEW("the tool ended before it could answer");
    json_t *content = text_content(good ? out : err);
    json_t *result = json_pack("{s:O,s:b}", "content", content, "isError", good ? 0 : 1);
    json_t *whole = good && call->tool->json ? json_load_file(call->file, 0, NULL) : NULL;
    if (whole) {
        json_t *values = keep(kept, call->tool, whole);
        (void)json_array_append_new(content, json_pack("{s:s,s:O,s:s,s:s}", "type", "resource_link",
                                                       "uri", json_object_get(values, "resource"),
                                                       "name", call->tool->command->name,
                                                       "mimeType", "application/json"));
        (void)json_object_set_new(result, "structuredContent", values);
    }
    json_decref(content);
    return result;
}

static json_t *run_call(struct od_mcp_tools *kept, const struct call *call)
{
    extern char **environ;
    struct od_child child = {.argv = call->words,
                             .environment = (const char *const *)environ,
                             .folder = ".",
                             .input = call->input,
                             .output_most = OUTPUT_MOST,
                             .file_most = OUTPUT_MOST,
                             .limit_ms = LIMIT_MS};
    struct od_child_result done = od_child_run(&child);
    json_t *result = result_of(kept, call, &done);
    od_child_done(&done);
    return result;
}

/* Creates an empty file for the JSON; the caller removes it. */
static bool make_file(struct call *call)
{
    (void)snprintf(call->file, sizeof call->file, "/tmp/oomdoctor.XXXXXX");
    int fd = od_system_temporary(call->file);
    if (fd < 0)
        call->why = "cannot create a file in /tmp";
    else
        (void)close(fd);
    return fd >= 0;
}

enum od_mcp_call od_mcp_tools_call(struct od_mcp_tools *kept, const char *name,
                                   const json_t *arguments, json_t **ret_result)
{
    struct call call = {0};
    for (size_t i = 0; name && i < OD_COUNT_OF(tools); i++)
        if (strcmp(name, tools[i].command->name) == 0)
            call.tool = &tools[i];
    if (!call.tool)
        return OD_MCP_NO_TOOL;
    call.arena = od_arena_new();
    if (arguments && !json_is_object(arguments)) {
        call.why = "arguments must be an object";
    } else if (make_file(&call)) {
        make_words(&call, arguments);
        if (!call.why)
            *ret_result = run_call(kept, &call);
        (void)unlink(call.file);
    }
    if (call.why)
        *ret_result = json_string(call.why);
    od_arena_free(call.arena);
    return call.why ? OD_MCP_BAD_CALL : OD_MCP_DONE;
}

static unsigned first_of(const struct od_mcp_tools *kept)
{
    return kept->count > RESOURCES_MOST ? kept->count - RESOURCES_MOST : 0;
}

static json_t *address_of(const struct od_mcp_tools *kept, unsigned number)
{
    return json_sprintf("oomdoctor://%s/%u", kept->resources[number % RESOURCES_MOST].name, number);
}

json_t *od_mcp_resources_list(const struct od_mcp_tools *kept)
{
    json_t *list = json_array();
    for (unsigned i = first_of(kept); i < kept->count; i++)
        (void)json_array_append_new(list,
                                    json_pack("{s:o,s:s,s:s}", "uri", address_of(kept, i), "name",
                                              kept->resources[i % RESOURCES_MOST].name, "mimeType",
                                              "application/json"));
    return json_pack("{s:o}", "resources", list);
}

json_t *od_mcp_resources_read(const struct od_mcp_tools *kept, const char *address)
{
    json_t *found = NULL;
    for (unsigned i = first_of(kept); address && !found && i < kept->count; i++) {
        json_t *own = address_of(kept, i);
        if (strcmp(json_string_value(own), address) == 0)
            found = json_pack("{s:[{s:s,s:s,s:s}]}", "contents", "uri", address, "mimeType",
                              "application/json", "text", kept->resources[i % RESOURCES_MOST].text);
        json_decref(own);
    }
    return found;
}
