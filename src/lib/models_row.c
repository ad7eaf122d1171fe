/*
 * Recognizes rows of a table pasted without its heading, for an error message.
 */
#include "lib/models.h"

#include <stdio.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_of_word(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

/* Does the line begin with the name of a layer and a shape? */
static bool is_row(struct od_view line)
{
    enum { WORDS = 8 };
    bool layer = false;
    size_t at = 0;
    for (int words = 0; words < WORDS && at < line.n && !layer; words++) {
        while (at < line.n && !is_letter(line.p[at]))
            at++;
        size_t from = at;
        while (at < line.n && is_of_word(line.p[at]))
            at++;
        struct od_view word = {line.p + from, at - from};
        layer = word.n > 3 && od_layer_kind_find(word) != OD_LAYER_OTHER;
    }
    struct od_view rest = od_view_from(line, at);
    size_t open = od_view_find(rest, OD_VIEW("(None"), 0);
    if (open == OD_VIEW_NONE)
        open = od_view_find_char(rest, '[', 0);
    return layer && open != OD_VIEW_NONE && od_view_find_char(rest, ',', open) != OD_VIEW_NONE;
}

uint64_t od_models_row(const char *name)
{
    enum { LINES = 100000, LONGEST = 1024 };
    char line[LONGEST];
    uint64_t number = 1, found = 0;
    FILE *file = fopen(name, "re");
    while (file && found == 0 && number < LINES && fgets(line, sizeof line, file)) {
        struct od_view text = od_view_of(line);
        found = is_row(text) ? number : 0;
        number += text.n > 0 && text.p[text.n - 1] == '\n';
    }
    if (file)
        (void)fclose(file);
    return found;
}
