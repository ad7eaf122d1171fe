#include "cli/ask.h"
#include "cli/command.h"
#include "lib/oomdoctor.h"

static int run(int argc, char **argv);

static const struct od_option options[] = {
    {"format", 'f', "FORMAT", "text (default), html or markdown"},
    {"log", 'l', "FILE", "Put the numbers of this log into the table of what each step frees"},
    {0}};

const struct od_command od_command_ask = {
    .name = "ask",
    .use = OD_USE_AFTER,
    .arguments = "[OPTION...] QUESTION...",
    .summary = "Answer a general question on memory",
    .details = OD_HELP_ask,
    .examples = "oomdoctor ask why does memory grow\n"
                "oomdoctor ask \"will clear_session work in TF 2?\"\n"
                "oomdoctor ask --log train.log how to free GPU memory",
    .options = options,
    .run = run,
};

static void add_topics(struct od_buf *to)
{
    for (const struct od_topic *const *topic = od_shipped_topics; *topic; topic++)
        od_buf_printf(to, "%-15s  %s\n", (*topic)->topic, (*topic)->questions[0]);
}

static int answer_with(const struct od_topic *topic, const char *log,
                       const struct od_format *format)
{
    struct od_diags *diags = od_diags_new();
    struct od_session *session = od_session_new(NULL, diags);
    int status = OD_EXIT_UNREADABLE;
    if (session && od_session_add(session, log))
        status = od_explain_topic(topic, od_session_analyze(session), format);
    od_diags_flush(diags);
    od_session_free(session);
    od_diags_free(diags);
    return status;
}

static int answer(const char *question, const char *log, const struct od_format *format)
{
    const struct od_topic *topic = od_topic_for(question);
    if (!topic)
        return od_usage_error(&od_command_ask,
                              "no answer to '%s'; 'oomdoctor ask' lists the topics, "
                              "'oomdoctor explain TEXT' searches all causes",
                              question);
    return log ? answer_with(topic, log, format) : od_explain_topic(topic, NULL, format);
}

static int run(int argc, char **argv)
{
    struct od_args args = od_args_start(&od_command_ask, argc, argv);
    const struct od_format *format = od_format_find(OD_VIEW("text"));
    const char *log = NULL;
    int option;
    while ((option = od_args_next(&args)) >= 0) {
        if (od_args_is(&args, option, "log")) {
            log = args.value;
            continue;
        }
        format = od_format_find(od_view_of(args.value));
        if (!format || !format->document)
            return od_usage_error(&od_command_ask, "unknown format '%s'", args.value);
    }
    if (option == OD_ARGS_MISUSED)
        return OD_EXIT_USAGE;
    struct od_buf text = {0};
    for (int i = args.at; i < args.argc; i++)
        od_buf_printf(&text, "%s%s", i > args.at ? " " : "", argv[i]);
    int status;
    if (args.at < args.argc) {
        status = answer(od_buf_str(&text), log, format);
    } else {
        add_topics(&text);
        status = od_write_all(od_buf_str(&text), text.n) ? OD_EXIT_OK : OD_EXIT_INTERNAL;
    }
    od_buf_done(&text);
    return status;
}
