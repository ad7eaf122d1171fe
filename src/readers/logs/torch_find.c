#include "readers/logs/torch_find.h"

enum { LEAD = 120 /* bytes before a message that are examined */ };

/* The relevant text before `at`. */
static struct od_view lead(struct od_view text, size_t at)
{
    return od_view_from(od_view_head(text, at), at > LEAD ? at - LEAD : 0);
}

static struct od_view class_at_end(struct od_view head)
{
    head = od_view_trim(head);
    while (head.n > 0 &&
           (head.p[head.n - 1] == '\'' || head.p[head.n - 1] == '"' || head.p[head.n - 1] == '\\'))
        head.n--;
    if (!od_view_ends(head, OD_VIEW(":")) && !od_view_ends(head, OD_VIEW("(")))
        return (struct od_view){0};
    head.n--;
    size_t at = head.n;
    while (at > 0 && strchr(" ([<'\":,\t", head.p[at - 1]) == NULL)
        at--;
    struct od_view name = od_view_from(head, at);
    bool is_class =
        od_view_ends(name, OD_VIEW("Error")) || od_view_ends(name, OD_VIEW("Exception"));
    return is_class ? name : (struct od_view){0};
}

struct od_view od_torch_class_before(struct od_view text, size_t at)
{
    return class_at_end(lead(text, at));
}

/* Are there only labels before it: "", "[rank0]: ", "E   ", "WARNING:root:"? */
static bool only_labels(struct od_view head)
{
    head = od_view_trim(head);
    return head.n <= 1 || strchr(":]|>)#-'\"(", head.p[head.n - 1]) != NULL;
}

/* Does the message continue after "out of memory" with ". Tried to allocate 2.00 GiB", possibly
 * truncated? */
static bool tells_request(struct od_view rest)
{
    static const char words[] = ". Tried to allocate ";
    for (size_t i = 0; words[i]; i++) {
        if (i == rest.n)
            return i > 0;
        if (rest.p[i] != words[i])
            return false;
    }
    rest = od_view_from(rest, sizeof words - 1);
    return rest.n == 0 || rest.p[0] == '.' || od_is_digit(rest.p[0]) ||
           od_view_starts(rest, OD_VIEW("more than "));
}

static bool is_message(struct od_view head, struct od_view rest)
{
    struct od_view name = class_at_end(head);
    struct od_view before_name =
        name.n > 0 ? od_view_head(head, (size_t)(name.p - head.p)) : (struct od_view){0};
    bool alone = only_labels(name.n > 0 ? before_name : head);
    if (tells_request(rest))
        return rest.n > 12 || alone;
    if (od_view_starts(rest, OD_VIEW(" (MPS allocated:")))
        return true;
    struct od_view next = od_view_trim(rest);
    if (name.n == 0)
        return alone && od_view_eq_str(next, ".");
    return alone && (next.n == 0 || strchr(".;,'\")", next.p[0]) != NULL);
}

/* "Allocation on device 0 would exceed allowed memory. (out of memory)" */
static bool is_async_message(struct od_view head, struct od_view rest)
{
    return od_view_has(od_view_head(rest, 60), OD_VIEW("would exceed allowed memory")) ||
           od_view_ends(class_at_end(head), OD_VIEW("OutOfMemoryError")) ||
           od_view_ends(od_view_trim(head), OD_VIEW("Exception during processing !!!"));
}

/* Start of the message, including "CUDA " or "MPS backend ". */
static size_t start_of(struct od_view text, size_t at)
{
    struct od_view head = lead(text, at);
    size_t n = head.n;
    if (od_view_ends(head, OD_VIEW(" backend ")))
        head.n -= 8;
    while (head.n > 0 && head.p[head.n - 1] == ' ')
        head.n--;
    while (head.n > 0 && head.p[head.n - 1] >= 'A' && head.p[head.n - 1] <= 'Z')
        head.n--;
    return at - (n - head.n);
}

/* "Tried to allocate 2.00 GiB (GPU 0; ...": a message without its first words. A device must
 * follow, because other programs use the same words. */
static bool is_rest_alone(struct od_view head, struct od_view rest)
{
    size_t at = 0;
    while (at < rest.n &&
           (od_is_digit(rest.p[at]) || rest.p[at] == '.' || rest.p[at] == ' ' ||
            od_is_letter(rest.p[at])) &&
           !od_view_starts(od_view_from(rest, at), OD_VIEW(". ")))
        at++;
    struct od_view after = od_view_from(rest, at);
    bool quoted = head.n > 0 && strchr("`'\"", head.p[head.n - 1]) != NULL;
    return (quoted || only_labels(head)) && rest.n > 0 && od_is_digit(rest.p[0]) &&
           (od_view_starts(after, OD_VIEW("(GPU ")) || od_view_starts(after, OD_VIEW("(NPU ")) ||
            od_view_starts(after, OD_VIEW(". GPU ")));
}

size_t od_torch_find_rest(struct od_view text)
{
    const struct od_view words = OD_VIEW("Tried to allocate ");
    size_t at = od_view_find(text, words, 0);
    bool found =
        at != OD_VIEW_NONE && is_rest_alone(lead(text, at), od_view_from(text, at + words.n));
    return found ? at : OD_VIEW_NONE;
}

size_t od_torch_find(struct od_view text, size_t from, size_t *ret_next)
{
    const struct od_view words = OD_VIEW("out of memory");
    const struct od_view async = OD_VIEW("Allocation on device");
    for (size_t at = from; (at = od_view_find(text, words, at)) != OD_VIEW_NONE; at += words.n) {
        size_t start = start_of(text, at);
        *ret_next = at + words.n;
        if (is_message(lead(text, start), od_view_from(text, *ret_next)))
            return start;
    }
    size_t at = od_view_find(text, async, from);
    *ret_next = at == OD_VIEW_NONE ? text.n : text.n > at + 80 ? at + 80 : text.n;
    if (at != OD_VIEW_NONE && is_async_message(lead(text, at), od_view_from(text, at + async.n)))
        return at;
    return OD_VIEW_NONE;
}
