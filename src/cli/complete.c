#include "cli/complete.h"

#include "base/num.h"
#include "base/view.h"
#include "diagnose/diagnose.h"

#include <string.h>

static bool is_word(struct od_view v)
{
    for (size_t i = 0; i < v.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", v.p[i]))
            return false;
    return v.n > 0;
}

/* The next item of "text (default), html, json or sarif, ..."; false where the list ends. */
static bool next_item(struct od_view *rest, struct od_view *ret_item)
{
    static const char *const ends[] = {", ", " or ", ": ", "; ", ".\n", "\n", " ("};
    size_t end = rest->n;
    for (size_t i = 0; i < OD_COUNT_OF(ends); i++) {
        size_t at = od_view_find(*rest, od_view_of(ends[i]), 0);
        end = at < end ? at : end;
    }
    *ret_item = od_view_head(*rest, end);
    *rest = od_view_from(*rest, end);
    bool last = rest->n == 0 || rest->p[0] == ':' || rest->p[0] == ';' || rest->p[0] == '.';
    if (od_view_starts(*rest, OD_VIEW(" (default)")))
        *rest = od_view_from(*rest, strlen(" (default)"));
    else if (od_view_starts(*rest, OD_VIEW(" (")))
        last = true;
    if (od_view_starts(*rest, OD_VIEW(", ")))
        *rest = od_view_from(*rest, 2);
    else if (!last && od_view_starts(*rest, OD_VIEW(" or ")))
        *rest = od_view_from(*rest, 4);
    else
        *rest = od_view_from(*rest, rest->n);
    return ret_item->n > 0;
}

/* The words that a help text begins with, where it lists two or more. */
static bool listed(struct od_view help, struct od_buf *words)
{
    struct od_view item;
    size_t start = words->n, count = 0;
    while (next_item(&help, &item)) {
        if (od_view_find_char(item, ' ', 0) < item.n)
            break;
        if (!is_word(item))
            continue; /* "every:K", "..." */
        od_buf_add_str(words, words->n > start ? " " : "");
        od_buf_add(words, item);
        count++;
    }
    if (count < 2)
        words->n = start;
    return count >= 2;
}

enum od_complete_kind od_complete_value(const struct od_option *option, struct od_buf *words)
{
    static const char *const files[] = {"FILE", "DIR", "REPORT", "FORMAT:FILE", "MODEL"};
    if (!option->argument)
        return OD_COMPLETE_NOTHING;
    for (size_t i = 0; i < OD_COUNT_OF(files); i++)
        if (strcmp(option->argument, files[i]) == 0)
            return OD_COMPLETE_FILES;
    return listed(od_view_of(option->help), words) ? OD_COMPLETE_WORDS : OD_COMPLETE_NOTHING;
}

static void add_causes(struct od_buf *words)
{
    for (unsigned c = 0; c < OD_CAUSE_END; c++)
        od_buf_printf(words, "%s%s", c > 0 ? " " : "", od_cause_name((enum od_cause)c));
}

/* Of "check [PACK...] | list | show ID" the words in small letters. */
static bool small_words(struct od_view arguments, struct od_buf *words)
{
    size_t start = words->n;
    struct od_view piece;
    while (od_view_cut(&arguments, '|', &piece)) {
        piece = od_view_trim(piece);
        struct od_view word = od_view_head(piece, od_view_find_char(piece, ' ', 0));
        if (!is_word(word) || word.p[0] < 'a' || word.p[0] > 'z')
            continue;
        od_buf_add_str(words, words->n > start ? " " : "");
        od_buf_add(words, word);
    }
    return words->n > start;
}

enum od_complete_kind od_complete_operand(const struct od_command *command, struct od_buf *words)
{
    static const char name_is[] = "NAME is ";
    struct od_view details = od_view_of(command->details ? command->details : "");
    if (small_words(od_view_of(command->arguments), words))
        return OD_COMPLETE_WORDS;
    if (od_view_starts(details, OD_VIEW(name_is)) &&
        listed(od_view_from(details, sizeof name_is - 1), words))
        return OD_COMPLETE_WORDS;
    if (strstr(command->arguments, "CAUSE")) {
        add_causes(words);
        return OD_COMPLETE_WORDS;
    }
    static const char *const files[] = {"FILE", "MODEL", "OLD"};
    for (size_t i = 0; i < OD_COUNT_OF(files); i++)
        if (strstr(command->arguments, files[i]))
            return OD_COMPLETE_FILES;
    return OD_COMPLETE_NOTHING;
}

void od_complete_quote(const char *text, struct od_buf *to)
{
    od_buf_add_char(to, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            od_buf_add_str(to, "\\'");
        else if (*text == '\\')
            od_buf_add_str(to, "\\\\");
        else
            od_buf_add_char(to, *text);
    }
    od_buf_add_char(to, '\'');
}
