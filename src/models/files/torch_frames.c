/*
 * Finds the code that allocated a block from a snapshot's frames (innermost first).
 */
#include "models/files/torch_snapshot.h"

enum { FRAMES_MOST = 512, NAME_MOST = 200 };

static bool is_python(struct od_view file)
{
    /* code of a notebook or of the interactive interpreter has a name in angle brackets */
    bool cell = od_view_starts(file, OD_VIEW("<")) && !od_view_starts(file, OD_VIEW("<frozen")) &&
                !od_view_eq_str(file, "<eval_with_key>");
    return cell || od_view_ends(file, OD_VIEW(".py"));
}

/* Is the file part of a framework or of Python itself? */
static bool is_library(struct od_view file)
{
    static const char *const folders[] = {
        "site-packages/", "dist-packages/",   "/lib/python", "/torch/nn/",
        "/torch/_",       "/torch/autograd/", NULL};
    return od_view_has_any(file, folders);
}

static struct od_view base_name(struct od_view file)
{
    size_t at = file.n;
    while (at > 0 && file.p[at - 1] != '/' && file.p[at - 1] != '\\')
        at--;
    return od_view_from(file, at);
}

static const struct od_pickle_value *choose(struct od_torch_snapshot *s,
                                            const struct od_pickle_value *frames)
{
    const struct od_pickle_value *python = NULL;
    size_t n = od_pickle_count(frames);
    for (size_t i = 0; i < n && i < FRAMES_MOST; i++) {
        const struct od_pickle_value *frame = od_pickle_item(frames, i);
        struct od_view file = od_pickle_text(od_torch_field(s, frame, "filename"));
        if (!is_python(file))
            continue;
        if (!is_library(file))
            return frame;
        if (!python)
            python = frame;
    }
    return python ? python : od_pickle_item(frames, 0);
}

static struct od_view describe(struct od_torch_snapshot *s, const struct od_pickle_value *frame)
{
    struct od_view file = od_pickle_text(od_torch_field(s, frame, "filename"));
    struct od_view name = od_pickle_text(od_torch_field(s, frame, "name"));
    uint64_t line;
    bool has_line = od_torch_size(s, frame, "line", &line) && line > 0;
    file = od_view_head(base_name(file), NAME_MOST);
    name = od_view_head(name, NAME_MOST);
    if (name.n == 0 && file.n == 0)
        return (struct od_view){0};
    if (file.n == 0 || !has_line)
        return od_view_of(od_arena_printf(s->arena, "%.*s%s%.*s%s", (int)name.n, name.p,
                                          file.n > 0 ? " (" : "", (int)file.n,
                                          file.n > 0 ? file.p : "", file.n > 0 ? ")" : ""));
    return od_view_of(od_arena_printf(s->arena, "%.*s (%.*s:%" PRIu64 ")", (int)name.n, name.p,
                                      (int)file.n, file.p, line));
}

struct od_view od_torch_place(struct od_torch_snapshot *s, const struct od_pickle_value *frames)
{
    if (!od_pickle_is(frames, OD_PICKLE_LIST) || od_pickle_count(frames) == 0)
        return (struct od_view){0};
    /* blocks of one origin share a list of frames, which is examined only once */
    const struct od_pickle_value *first = od_pickle_item(frames, 0);
    struct od_view key = {.p = (const char *)&first, .n = sizeof first};
    s->steps++;
    uint64_t *known = od_map_at(&s->places, key);
    if (*known == 0) {
        struct od_view *kept = OD_NEW(s->arena, struct od_view);
        *kept = describe(s, choose(s, frames));
        *known = (uint64_t)(uintptr_t)kept;
    }
    return *(const struct od_view *)(uintptr_t)*known;
}

enum whose { WHOSE_USER, WHOSE_PYTHON, WHOSE_ANY };

static enum whose whose(struct od_view file)
{
    if (!is_python(file))
        return WHOSE_ANY;
    return is_library(file) ? WHOSE_PYTHON : WHOSE_USER;
}

/* Shortens a path to its end, which is more informative than its start. */
static struct od_view path_end(struct od_view file)
{
    enum { PATH_MOST = 1024 };
    return file.n > PATH_MOST ? od_view_from(file, file.n - PATH_MOST) : file;
}

static void keep_call(struct od_torch_snapshot *s, const struct od_pickle_value *frame,
                      struct od_dump *dump)
{
    uint64_t line;
    struct od_view file = od_pickle_text(od_torch_field(s, frame, "filename"));
    struct od_view name = od_pickle_text(od_torch_field(s, frame, "name"));
    struct od_call call = {.file = path_end(file), .function = od_view_head(name, NAME_MOST)};
    if (od_torch_size(s, frame, "line", &line) && line > 0)
        call.line = od_count_of(line);
    od_vec_push(&dump->calls, call);
}

size_t od_torch_calls(struct od_torch_snapshot *s, const struct od_pickle_value *frames,
                      struct od_dump *dump)
{
    size_t n = od_pickle_is(frames, OD_PICKLE_LIST) ? od_pickle_count(frames) : 0;
    n = n < FRAMES_MOST ? n : FRAMES_MOST;
    size_t first = dump->calls.n;
    for (enum whose wanted = WHOSE_USER; wanted <= WHOSE_ANY && dump->calls.n == first; wanted++) {
        for (size_t i = 0; i < n && dump->calls.n - first < OD_TORCH_CALLS; i++) {
            const struct od_pickle_value *frame = od_pickle_item(frames, i);
            if (whose(od_pickle_text(od_torch_field(s, frame, "filename"))) <= wanted)
                keep_call(s, frame, dump);
        }
    }
    return dump->calls.n - first;
}
