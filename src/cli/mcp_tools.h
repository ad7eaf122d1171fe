/*
 * The tools of the Model Context Protocol: analyze, plan and explain. Each call is this program
 * once more, as a process of its own, so that what a log does to one call it does to that call
 * alone. The answer is the text for a person; its JSON is a resource, of which the newest are kept.
 */
#pragma once

#include "base/base.h"

#include <jansson.h>

struct od_mcp_tools;

struct od_mcp_tools *od_mcp_tools_new(void);
void od_mcp_tools_free(struct od_mcp_tools *tools);

/* What "tools/list" answers; the caller calls json_decref. Arguments are the commands' options. */
json_t *od_mcp_tools_list(void);

enum od_mcp_call {
    OD_MCP_DONE,    /* *ret_result is a result, of a tool that failed, too */
    OD_MCP_NO_TOOL, /* no tool has that name */
    OD_MCP_BAD_CALL /* *ret_result is a string: what is wrong with the arguments */
};

/* arguments may be NULL. The caller calls json_decref on *ret_result. */
enum od_mcp_call od_mcp_tools_call(struct od_mcp_tools *tools, const char *name,
                                   const json_t *arguments, json_t **ret_result);

/* What "resources/list" and "resources/read" answer; NULL: there is no resource of that address. */
json_t *od_mcp_resources_list(const struct od_mcp_tools *tools);
json_t *od_mcp_resources_read(const struct od_mcp_tools *tools, const char *address);
