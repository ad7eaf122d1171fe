#include "cli/ask.h"
#include "cli/command.h"

static int run(int argc, char **argv);

static const struct od_option options[] = {
    {"format", 'f', "FORMAT", "text (default), html or markdown"}, {0}};

const struct od_command od_command_ask = {
    .name = "ask",
    .use = OD_USE_AFTER,
    .arguments = "[OPTION...] QUESTION...",
    .summary = "Answer a general question on memory",
    .details = "QUESTION is a sentence, with or without quotes around it. The answers are part of "
               "the program; nothing is sent anywhere. Without a question the topics are "
               "listed.\n",
    .examples = "oomdoctor ask why does memory grow\n"
                "oomdoctor ask \"will clear_session work in TF 2?\"",
    .options = options,
    .run = run,
};

static void add_topics(struct od_buf *to)
{
    for (const struct od_topic *const *topic = od_shipped_topics; *topic; topic++)
        od_buf_printf(to, "%-15s  %s\n", (*topic)->topic, (*topic)->questions[0]);
}

static int answer(const char *question, const struct od_format *format)
{
    const struct od_topic *topic = od_topic_for(question);
    if (!topic)
        return od_usage_error(&od_command_ask,
                              "no answer to '%s'; 'oomdoctor ask' lists what can be asked, "
                              "'oomdoctor explain TEXT' searches all causes",
                              question);
    return od_explain_topic(topic, format);
}

static int run(int argc, char **argv)
{
    struct od_args args = od_args_start(&od_command_ask, argc, argv);
    const struct od_format *format = od_format_find(OD_VIEW("text"));
    int option;
    while ((option = od_args_next(&args)) >= 0) {
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
        status = answer(od_buf_str(&text), format);
    } else {
        add_topics(&text);
        status = od_write_all(od_buf_str(&text), text.n) ? OD_EXIT_OK : OD_EXIT_INTERNAL;
    }
    od_buf_done(&text);
    return status;
}
