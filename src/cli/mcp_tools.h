/*
 * The tools of the Model Context Protocol: analyze, plan and explain. Each call runs this program
 * as a new process, so that a log can only affect its own call. The answer is text for a person;
 * its JSON is a resource, and the newest resources are retained.
 */
#pragma once

#include "base/base.h"

#include <jansson.h>

struct od_mcp_tools;

struct od_mcp_tools *od_mcp_tools_new(void);
void od_mcp_tools_free(struct od_mcp_tools *tools);

/* The answer to "tools/list"; the caller calls json_decref. Arguments are the commands' options. */
json_t *od_mcp_tools_list(void);

enum od_mcp_call {
    OD_MCP_DONE,    /* *ret_result is the tool's result, also if the tool failed */
    OD_MCP_NO_TOOL, /* no tool has that name */
    OD_MCP_BAD_CALL /* *ret_result is a string that says what is wrong with the arguments */
};

/* arguments may be NULL. The caller calls json_decref on *ret_result. */
enum od_mcp_call od_mcp_tools_call(struct od_mcp_tools *tools, const char *name,
                                   const json_t *arguments, json_t **ret_result);

/* The answers to "resources/list" and "resources/read"; NULL: no resource has that address. */
json_t *od_mcp_resources_list(const struct od_mcp_tools *tools);
json_t *od_mcp_resources_read(const struct od_mcp_tools *tools, const char *address);
