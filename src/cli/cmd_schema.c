#include "cli/command.h"
#include "report/report.h"

static int run(int argc, char **argv);

static const struct od_option options[] = {{0}};

const struct od_command od_command_schema = {
    .name = "schema",
    .use = OD_USE_OTHER,
    .arguments = "NAME",
    .summary = "Print the JSON Schema of an output",
    .details = OD_HELP_schema,
    .options = options,
    .run = run,
};

static int run(int argc, char **argv)
{
    struct od_args args = od_args_start(&od_command_schema, argc, argv);
    if (od_args_next(&args) != OD_ARGS_END)
        return OD_EXIT_USAGE;
    const char *schema =
        args.argc - args.at == 1 ? od_schema_find(od_view_of(args.argv[args.at])) : NULL;
    if (!schema)
        return od_usage_error(&od_command_schema,
                              "name a schema: report, plan, diff, fleet, tensor, model or graph");
    return od_write_all(schema, strlen(schema)) ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}
