#include "base/diag.h"

struct od_diags {
    struct od_arena *arena;
    OD_VEC(struct od_diag) list;
};

struct od_diags *od_diags_new(void)
{
    struct od_diags *diags = od_mem_alloc(1, sizeof *diags);
    diags->arena = od_arena_new();
    return diags;
}

void od_diags_free(struct od_diags *diags)
{
    if (!diags)
        return;
    od_vec_done(&diags->list);
    od_arena_free(diags->arena);
    od_mem_free(diags);
}

static const char *keep(struct od_diags *diags, const char *text)
{
    return text ? od_arena_str(diags->arena, od_view_of(text)) : NULL;
}

void od_diags_add(struct od_diags *diags, const struct od_diag *diag)
{
    struct od_diag copy = *diag;
    copy.code = keep(diags, diag->code);
    copy.file = keep(diags, diag->file);
    copy.message = keep(diags, diag->message);
    copy.snippet = keep(diags, diag->snippet);
    copy.help = keep(diags, diag->help);
    od_vec_push(&diags->list, copy);
}

void od_diags_add_all(struct od_diags *diags, const struct od_diags *others)
{
    for (size_t i = 0; i < others->list.n; i++)
        od_diags_add(diags, &others->list.items[i]);
}

bool od_diags_settle(struct od_diags *diags,
                     bool (*is_error)(const void *with, struct od_diag *diag), const void *with)
{
    size_t n = 0, errors = 0;
    for (size_t i = 0; i < diags->list.n; i++) {
        struct od_diag diag = diags->list.items[i];
        bool open = diag.severity == OD_OPEN;
        if (open && !is_error(with, &diag))
            continue;
        errors += open;
        diag.severity = open ? OD_ERROR : diag.severity;
        diag.help = keep(diags, diag.help);
        diags->list.items[n++] = diag;
    }
    diags->list.n = n;
    return errors == 0;
}

void od_diags_say(struct od_diags *diags, enum od_severity severity, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct od_diag diag = {.severity = severity};
    diag.message = od_arena_vprintf(diags->arena, format, args);
    va_end(args);
    od_vec_push(&diags->list, diag);
}

size_t od_diags_count(const struct od_diags *diags)
{
    return diags->list.n;
}

const struct od_diag *od_diags_at(const struct od_diags *diags, size_t i)
{
    return &diags->list.items[i];
}

bool od_diags_has_error(const struct od_diags *diags)
{
    for (size_t i = 0; i < diags->list.n; i++) {
        if (diags->list.items[i].severity == OD_ERROR)
            return true;
    }
    return false;
}

static const char *severity_name(enum od_severity severity)
{
    switch (severity) {
    case OD_NOTE:
        return "note";
    case OD_WARNING:
        return "warning";
    case OD_ERROR:
    case OD_OPEN:
        return "error";
    }
    return "error";
}

static void print_snippet(const struct od_diag *diag, struct od_buf *to)
{
    od_buf_add_str(to, "  | ");
    od_text_visible(od_view_of(diag->snippet), to);
    od_buf_add_char(to, '\n');
    if (diag->column == 0)
        return;
    od_buf_add_str(to, "  | ");
    struct od_view before = od_view_head(od_view_of(diag->snippet), (size_t)diag->column - 1);
    for (size_t i = 0; i < before.n; i++)
        od_buf_add_char(to, before.p[i] == '\t' ? '\t' : ' ');
    od_buf_add_char(to, '^');
    if (diag->width > 1)
        od_buf_add_repeat(to, "~", (size_t)diag->width - 1);
    od_buf_add_char(to, '\n');
}

void od_diag_print(const struct od_diag *diag, struct od_buf *to)
{
    if (diag->severity == OD_OPEN)
        return;
    if (diag->file) {
        od_text_visible(od_view_of(diag->file), to);
        if (diag->line > 0)
            od_buf_printf(to, ":%llu", (unsigned long long)diag->line);
        if (diag->line > 0 && diag->column > 0)
            od_buf_printf(to, ":%llu", (unsigned long long)diag->column);
        od_buf_add_str(to, ": ");
    }
    od_buf_add_str(to, severity_name(diag->severity));
    if (diag->code)
        od_buf_printf(to, " %s", diag->code);
    od_buf_add_str(to, ": ");
    od_text_visible(od_view_of(diag->message), to);
    od_buf_add_char(to, '\n');
    if (diag->snippet)
        print_snippet(diag, to);
    if (diag->help) {
        od_buf_add_str(to, "  help: ");
        od_text_visible(od_view_of(diag->help), to);
        od_buf_add_char(to, '\n');
    }
}
