#include "lib/trace_writer.h"

#include "facts/trace.h"

struct od_trace_writer {
    struct od_trace trace;
    FILE *to;
    bool lines_only;
    bool of_report; /* the last entry was about the report, not a line */
    size_t lines;
};

/* Writes an entry: "  rule      torch.oom          no   its pattern does not match". */
static void write_row(FILE *to, const struct od_trace_entry *entry)
{
    fprintf(to, "  %-9s %s", od_trace_kind_name(entry->kind), entry->name);
    if (entry->verdict)
        fprintf(to, "  %s", entry->verdict);
    if (entry->reason)
        fprintf(to, "%s%s", entry->verdict && entry->kind != OD_TRACE_EVENT ? ": " : "  ",
                entry->reason);
    fputc('\n', to);
}

static void write_entry(void *self, const struct od_trace_entry *entry)
{
    struct od_trace_writer *w = self;
    bool of_report = entry->kind > OD_TRACE_EVENT;
    if (of_report && w->lines_only)
        return;
    if (of_report && !w->of_report)
        fprintf(w->to, "%sreport\n", w->lines > 0 ? "\n" : "");
    w->of_report = of_report;
    if (entry->kind != OD_TRACE_LINE) {
        write_row(w->to, entry);
        return;
    }
    fprintf(w->to, "%sline %s: %s\n", w->lines > 0 ? "\n" : "", entry->verdict, entry->name);
    w->lines++;
}

struct od_trace_writer *od_trace_writer_new(FILE *to, bool lines_only)
{
    struct od_trace_writer *w = od_mem_alloc(1, sizeof *w);
    *w = (struct od_trace_writer){.to = to, .lines_only = lines_only};
    w->trace = (struct od_trace){.note = write_entry, .self = w};
    return w;
}

void od_trace_writer_free(struct od_trace_writer *writer)
{
    od_mem_free(writer);
}

void od_trace_writer_only(struct od_trace_writer *writer, uint64_t line)
{
    writer->trace.only = (struct od_prov){.line = line, .nlines = 1};
}

const struct od_trace *od_trace_writer_trace(const struct od_trace_writer *writer)
{
    return &writer->trace;
}

size_t od_trace_writer_lines(const struct od_trace_writer *writer)
{
    return writer->lines;
}
