#include "cli/command.h"
#include "plan/tensor.h"
#include "report/plan.h"
#include "report/report.h"

static int run(int argc, char **argv);

static const struct od_option options[] = {
    {"format", 'f', "FORMAT", "text (default), json or jsonl"},
    {"bytes", 0, "N", "Show which part of the shape, or which batch, N bytes can be"},
    {"batch", 0, "N", "With --bytes and no shape: the first dimension"},
    {0}};

const struct od_command od_command_tensor = {
    .name = "tensor",
    .use = OD_USE_BEFORE,
    .arguments = "[OPTION...] [SHAPE [DTYPE]]",
    .summary = "Print the size of a tensor in every type",
    .details = OD_HELP_tensor,
    .examples = "oomdoctor tensor 180,64,224,224\n"
                "oomdoctor tensor --bytes 1156055040 --batch 180",
    .options = options,
    .run = run,
};

struct tensor {
    struct od_tensor_question question;
    const char *format;
};

static int take_option(void *self, const struct od_args *args, int option)
{
    struct tensor *t = self;
    struct od_bytes bytes;
    uint64_t n;
    if (od_args_is(args, option, "format")) {
        t->format = args->value;
        if (strcmp(t->format, "text") != 0 && strcmp(t->format, "json") != 0 &&
            strcmp(t->format, "jsonl") != 0)
            return od_usage_error(args->command, "no format '%s'", args->value);
    } else if (od_args_is(args, option, "bytes")) {
        if (!od_bytes_parse(od_view_of(args->value), OD_UNIT_BINARY, &bytes) || bytes.n == 0)
            return od_usage_error(args->command, "--bytes takes a number of bytes, not '%s'",
                                  args->value);
        t->question.bytes = od_count_of(bytes.n);
    } else if (od_args_is(args, option, "batch")) {
        if (!od_num_parse_u64(od_view_of(args->value), &n) || n == 0)
            return od_usage_error(args->command, "--batch takes a whole number from 1, not '%s'",
                                  args->value);
        t->question.batch = od_count_of(n);
    }
    return OD_EXIT_OK;
}

static int take_operands(struct tensor *t, char **words, int n)
{
    const struct od_command *self = &od_command_tensor;
    if (n > 2)
        return od_usage_error(self, "give one shape and one type");
    if (n == 0 && !t->question.bytes.known)
        return od_usage_error(self, "give a shape (180,64,224,224) or --bytes N");
    if (n > 0) {
        struct od_view text = od_view_of(words[0]);
        uint64_t elements;
        if (!od_tensor_read_shape(text, &t->question))
            return od_usage_error(self, "'%s' is not a shape; write 180,64,224,224", words[0]);
        if (!od_shape_elements(&t->question.shape, &elements))
            return od_usage_error(self,
                                  "'%s' has an unknown dimension, or more elements than 64 "
                                  "bits count",
                                  words[0]);
    }
    if (n > 1) {
        t->question.dtype = od_dtype_parse(od_view_of(words[1]));
        if (t->question.dtype == OD_DTYPE_UNKNOWN)
            return od_usage_error(self, "unknown type '%s'; use float32, bf16, int8, ...",
                                  words[1]);
    }
    return OD_EXIT_OK;
}

static int answer(const struct tensor *t)
{
    struct od_arena *arena = od_arena_new();
    struct od_tensor_answer a;
    struct od_buf text = {0};
    int status = OD_EXIT_USAGE;
    if (od_tensor_answer(&t->question, arena, &a)) {
        if (strcmp(t->format, "text") == 0) {
            struct od_doc *doc = od_tensor_outline(&a);
            od_text_render(doc, &(struct od_report_options){.unicode = od_speaks_utf8()}, &text);
            od_doc_free(doc);
        } else {
            od_tensor_json(&a, strcmp(t->format, "json") == 0, &text);
        }
        status = od_write_all(od_buf_str(&text), text.n) ? OD_EXIT_OK : OD_EXIT_INTERNAL;
    }
    od_buf_done(&text);
    od_arena_free(arena);
    return status;
}

static int run(int argc, char **argv)
{
    struct tensor t = {.format = "text"};
    struct od_args args = od_args_start(&od_command_tensor, argc, argv);
    int status = od_args_take(&args, take_option, &t);
    if (status != OD_EXIT_OK)
        return status;
    status = take_operands(&t, argv + args.at, argc - args.at);
    return status == OD_EXIT_OK ? answer(&t) : status;
}
