#include "cli/command.h"
#include "cli/mcp_tools.h"
#include "config.h"
#include "runs/json_in.h"

#include <stdio.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {{0}};

const struct od_command od_command_mcp = {
    .name = "mcp",
    .arguments = "",
    .summary = "Offer analyze, plan and explain to an agent (Model Context Protocol)",
    .details = OD_HELP_mcp,
    .options = options,
    .run = run,
};

#define PROTOCOL "2025-06-18"

/* Error codes of JSON-RPC 2.0, section 5.1. */
enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, BAD_PARAMS = -32602 };

/* The protocol's error code for a resource that does not exist. */
enum { NO_RESOURCE = -32002 };

enum { LINE_MOST = 256 << 20 };

static bool send(json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    bool ok = text && fputs(text, stdout) >= 0 && fputc('\n', stdout) != EOF && fflush(stdout) == 0;
    free(text);
    json_decref(message);
    return ok;
}

/* id may be NULL if it could not be read. */
static bool send_error(json_t *id, int code, const char *why)
{
    json_t *given = id ? json_incref(id) : json_null();
    return send(json_pack("{s:s,s:o,s:{s:i,s:s}}", "jsonrpc", "2.0", "id", given, "error", "code",
                          code, "message", why));
}

static bool send_result(json_t *id, json_t *result)
{
    return send(json_pack("{s:s,s:O,s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

static json_t *greeting(void)
{
    return json_pack("{s:s,s:{s:{},s:{}},s:{s:s,s:s}}", "protocolVersion", PROTOCOL, "capabilities",
                     "tools", "resources", "serverInfo", "name", "oomdoctor", "version",
                     PACKAGE_VERSION);
}

static bool call_tool(struct od_mcp_tools *tools, json_t *id, const json_t *params)
{
    json_t *result = NULL;
    const char *name = json_string_value(json_object_get(params, "name"));
    switch (od_mcp_tools_call(tools, name, json_object_get(params, "arguments"), &result)) {
    case OD_MCP_DONE:
        return send_result(id, result);
    case OD_MCP_NO_TOOL:
        return send_error(id, BAD_PARAMS, "there is no such tool; tools/list names them");
    case OD_MCP_BAD_CALL:
        break;
    }
    bool ok = send_error(id, BAD_PARAMS, json_string_value(result));
    json_decref(result);
    return ok;
}

static bool read_resource(const struct od_mcp_tools *tools, json_t *id, const json_t *params)
{
    const char *address = json_string_value(json_object_get(params, "uri"));
    json_t *found = od_mcp_resources_read(tools, address);
    return found ? send_result(id, found)
                 : send_error(id, NO_RESOURCE, "there is no such resource, or it has expired");
}

static bool answer(struct od_mcp_tools *tools, json_t *message)
{
    json_t *id = json_object_get(message, "id");
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *params = json_object_get(message, "params");
    if (!json_is_object(message) || (id && !json_is_string(id) && !json_is_number(id)))
        return send_error(NULL, INVALID_REQUEST,
                          "a message is an object whose id is a string or number");
    if (!method) /* a reply to a request, but we never send one */
        return json_object_get(message, "result") || json_object_get(message, "error") ||
               send_error(id, INVALID_REQUEST, "the request has no method");
    if (!id) /* a notification, which gets no reply */
        return true;
    if (strcmp(method, "initialize") == 0)
        return send_result(id, greeting());
    if (strcmp(method, "ping") == 0)
        return send_result(id, json_object());
    if (strcmp(method, "tools/list") == 0)
        return send_result(id, od_mcp_tools_list());
    if (strcmp(method, "tools/call") == 0)
        return call_tool(tools, id, params);
    if (strcmp(method, "resources/list") == 0)
        return send_result(id, od_mcp_resources_list(tools));
    if (strcmp(method, "resources/templates/list") == 0)
        return send_result(id, json_pack("{s:[]}", "resourceTemplates"));
    if (strcmp(method, "resources/read") == 0)
        return read_resource(tools, id, params);
    return send_error(id, NO_METHOD, "there is no such method");
}

static bool answer_line(struct od_mcp_tools *tools, struct od_view line)
{
    json_t *message = od_json_in_parse(line);
    if (!message)
        return send_error(NULL, PARSE_ERROR, "this is not JSON");
    bool ok = answer(tools, message);
    json_decref(message);
    return ok;
}

/* Reads a line; false at the end of the input. A line that is too long is returned empty, which is
 * then reported as invalid JSON. */
static bool read_line(struct od_buf *line)
{
    int c;
    bool any = false;
    line->n = 0;
    while ((c = getc_unlocked(stdin)) != EOF && c != '\n') {
        any = true;
        if (line->n < LINE_MOST)
            od_buf_add_char(line, (char)c);
    }
    if (line->n == LINE_MOST)
        line->n = 0;
    return any || c != EOF;
}

static int run(int argc, char **argv)
{
    struct od_args args = od_args_start(&od_command_mcp, argc, argv);
    struct od_buf line = {0};
    bool ok = true;
    if (od_args_next(&args) != OD_ARGS_END)
        return OD_EXIT_USAGE;
    if (args.argc > args.at)
        return od_usage_error(&od_command_mcp, "it takes no arguments");
    struct od_mcp_tools *tools = od_mcp_tools_new();
    while (ok && read_line(&line))
        if (od_view_trim(od_buf_view(&line)).n > 0)
            ok = answer_line(tools, od_buf_view(&line));
    od_mcp_tools_free(tools);
    od_buf_done(&line);
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}
