#include "scan/shell_trace.h"

#include "base/code_line.h"

enum { LINES_MOST = 64, BYTES_MOST = 16 << 10 };

/* Does a quote open here? It does at the start of a word, and in "A='b c'", "$'one\ttwo'",
 * "'don'\''t'". */
static bool opens(struct od_view text, size_t at)
{
    return text.p[at] == '\'' && at > 0 && strchr(" =$'", text.p[at - 1]) != NULL;
}

/* The end of the command's last line; 0 if it has a single line, or no end. */
static size_t end_of_command(struct od_view text)
{
    unsigned lines = 0;
    bool quoted = false, escapes = true;
    text = od_view_head(text, BYTES_MOST);
    for (size_t i = 0; i < text.n && lines < LINES_MOST; i++) {
        char c = text.p[i];
        if (c == '\n' && !quoted)
            return lines > 0 ? i + 1 : 0;
        lines += c == '\n';
        if (c == '\n' && od_view_starts(od_view_from(text, i + 1), OD_VIEW("+ ")))
            return 0; /* the next command begins */
        if (c == '\\' && escapes) {
            i++;
        } else if (quoted ? c == '\'' : opens(text, i)) {
            escapes = quoted || text.p[i - 1] == '$';
            quoted = !quoted;
        }
    }
    return text.n < BYTES_MOST && lines > 0 && lines < LINES_MOST && !quoted ? text.n : 0;
}

static size_t line_end(struct od_view text, size_t at)
{
    size_t end = od_view_find_char(text, '\n', at);
    return end == OD_VIEW_NONE ? text.n : end + 1;
}

/* Finds the next command that begins at an offset or later. False at the end of the block. */
static bool find_next(struct od_shell_trace *trace, struct od_view block)
{
    size_t at = trace->asked;
    while (at < block.n) {
        size_t end = block.p[at] == '+' ? line_end(block, at) : 0;
        struct od_view line = od_view_from(od_view_head(block, end), at);
        size_t n =
            end > 0 && od_is_command_line(line) ? end_of_command(od_view_from(block, at)) : 0;
        if (n > 0) {
            trace->start = end;
            trace->end = trace->asked = at + n;
            return true;
        }
        size_t next = od_view_find(block, OD_VIEW("\n+"), at);
        at = next == OD_VIEW_NONE ? block.n : next + 1;
    }
    trace->asked = block.n;
    return false;
}

void od_shell_trace_look(struct od_shell_trace *trace, const struct od_block *block,
                         const struct od_raw_line *line)
{
    size_t at = (size_t)(line->bytes.p - block->bytes.p);
    if (trace->offset != block->offset || trace->source != block->source || at < trace->start)
        *trace = (struct od_shell_trace){.offset = block->offset, .source = block->source};
    while (!block->offsets && at >= trace->end && find_next(trace, block->bytes))
        ;
}

bool od_shell_trace_has(const struct od_shell_trace *trace, struct od_prov at)
{
    return at.source == trace->source && at.offset >= trace->offset + trace->start &&
           at.offset < trace->offset + trace->end;
}
