/*
 * The tools of the Model Context Protocol: analyze, plan and explain. Each call is this program
 * once more, as a process of its own, so that what a log does to one call it does to that call
 * alone.
 */
#pragma once

#include <jansson.h>

/* What "tools/list" answers; the caller calls json_decref. Arguments are the commands' options. */
json_t *od_mcp_tools_list(void);

enum od_mcp_call {
    OD_MCP_DONE,    /* *ret_result is a result, of a tool that failed, too */
    OD_MCP_NO_TOOL, /* there is none of that name */
    OD_MCP_BAD_CALL /* *ret_why says what is wrong with the arguments */
};

/* arguments may be NULL. *ret_why is constant. The caller calls json_decref on *ret_result. */
enum od_mcp_call od_mcp_tools_call(const char *name, const json_t *arguments, json_t **ret_result,
                                   const char **ret_why);
