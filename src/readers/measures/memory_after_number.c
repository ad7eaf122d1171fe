#include "readers/measures/memory_after_number.h"

#include "readers/measures/memory_place.h"
#include "readers/measures/memory_words.h"

static const unsigned behind_mask = OD_MW_USED | OD_MW_ALLOCATED | OD_MW_RESERVED | OD_MW_FREE |
                                    OD_MW_TOTAL | OD_MW_RSS | OD_MW_PEAK;

/* Skips " 4.1 GB" and the characters right after it. */
static bool skip_size(struct od_view *rest)
{
    struct od_view word;
    od_view_skip_blanks(rest);
    if (od_num_take_text(rest).n == 0)
        return false;
    bool at_number = rest->n > 0 && od_is_letter(rest->p[0]);
    od_view_skip_blanks(rest);
    return od_memory_next_word(rest, &word) && od_memory_is_unit_at(word, at_number);
}

/* "gpu mem 9 GB rss 4 GB": a word before a number is of that one, unless words end the row: "gpu
 * 1 GB used 2 GB free". rest is what follows the word. */
static bool is_of_next(struct od_view rest)
{
    enum { ROW_MOST = 8 };
    struct od_view word;
    for (int i = 0; i < ROW_MOST && skip_size(&rest); i++) {
        od_view_skip_blanks(&rest);
        if (rest.n == 0 || !od_is_letter(rest.p[0]) || !od_memory_next_word(&rest, &word) ||
            !(od_memory_word(word) & behind_mask))
            return true;
    }
    return false;
}

/* "3.1 GB used": the word after the size gives the measure if the words before name only memory. */
unsigned od_memory_word_after(const struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at), word;
    od_view_skip_blanks(&rest);
    (void)od_view_take(&rest, OD_VIEW("("));
    if (rest.n == 0 || !od_is_letter(rest.p[0]) || !od_memory_next_word(&rest, &word))
        return 0;
    unsigned means = od_memory_word(word);
    struct od_view next = rest;
    if ((means & OD_MW_USED || means & OD_MW_FREE) && od_view_take(&next, OD_VIEW(" ")) &&
        od_memory_next_word(&next, &word) && od_memory_word(word) == OD_MW_MEMORY)
        means |= OD_MW_MEMORY; /* "3 GB used memory" */
    bool labels = l->label & ~(unsigned)OD_MW_BESIDE;
    return means & behind_mask && !od_view_starts(rest, OD_VIEW(":")) &&
                   !od_view_starts(rest, OD_VIEW("=")) && !(labels && is_of_next(rest))
               ? means
               : 0;
}

/* "using 3.1 GB of RAM", "14.5 GB (60%) of memory": the memory that the words after a number name,
 * if the words before do not. */
unsigned od_memory_thing_after(const struct od_memory_line *l)
{
    static const unsigned things = OD_MW_MEMORY | OD_MW_RAM | OD_MW_DEVICE;
    struct od_view rest = od_view_from(l->text, l->at), word;
    size_t close = od_view_find_char(od_view_head(rest, 12), ')', 0);
    od_view_skip_blanks(&rest);
    if (od_view_starts(rest, OD_VIEW("(")) && close != OD_VIEW_NONE)
        rest = od_view_from(od_view_from(l->text, l->at), close + 1);
    od_view_skip_blanks(&rest);
    if (!od_view_take(&rest, OD_VIEW("of ")) && !od_view_take(&rest, OD_VIEW("in ")))
        return 0;
    unsigned found = 0;
    for (int i = 0; i < 2 && rest.n > 0 && od_is_letter(rest.p[0]); i++) {
        if (!od_memory_next_word(&rest, &word) || !(od_memory_word(word) & things))
            break;
        found |= od_memory_word(word);
        od_view_skip_blanks(&rest);
    }
    return found & (OD_MW_MEMORY | OD_MW_RAM) ? found : 0;
}

/* "1.2 GB allocated on cuda:0", "in use by the GPU": the owner comes last. */
unsigned od_memory_owner_after(const struct od_memory_line *l)
{
    enum { WORDS = 4 };
    struct od_view rest = od_view_from(l->text, l->at), word;
    for (int i = 0; i < WORDS; i++) {
        od_view_skip_blanks(&rest);
        if (rest.n == 0 || !od_is_letter(rest.p[0]) || !od_memory_next_word(&rest, &word))
            return 0;
        unsigned means = od_memory_word(word);
        if (means & (OD_MW_DEVICE | OD_MW_HOST))
            return means;
        if (!(means & (OD_MW_GLUE | behind_mask)))
            return 0;
    }
    return 0;
}

/* " (highwater)" only belongs to the number before it. */
void od_memory_skip_remark_after(struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at), word;
    od_view_skip_blanks(&rest);
    if (od_view_take(&rest, OD_VIEW("(")) && rest.n > 0 && od_is_letter(rest.p[0]) &&
        od_memory_next_word(&rest, &word) && (od_memory_word(word) & behind_mask) &&
        od_view_starts(rest, OD_VIEW(")")))
        l->at = l->text.n - rest.n;
}

/* "1.2 GB of 4 GB physical memory used": independent of the words before it. */
unsigned od_memory_kind_after(const struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at);
    od_view_skip_blanks(&rest);
    return od_view_starts(rest, OD_VIEW("physical memory used"))  ? OD_MW_RAM | OD_MW_MEMORY
           : od_view_starts(rest, OD_VIEW("virtual memory used")) ? OD_MW_VIRTUAL
                                                                  : 0;
}

/* "12.3 Mbytes of vectors used": the words between name one of several things. */
bool od_memory_take_thing(struct od_memory_line *l)
{
    enum { WORDS = 3 };
    struct od_view rest = od_view_from(l->text, l->at), word, thing = {0};
    od_view_skip_blanks(&rest);
    if ((l->label & ~(unsigned)OD_MW_BESIDE) || l->unknown || l->when.n > 0 ||
        !od_view_take(&rest, OD_VIEW("of ")))
        return false;
    for (int i = 0; i <= WORDS && rest.n > 0 && od_is_letter(rest.p[0]); i++) {
        if (!od_memory_next_word(&rest, &word))
            return false;
        unsigned means = od_memory_word(word);
        if ((means & OD_MW_USED) && thing.n > 0) {
            l->when = thing;
            return true;
        }
        if (!(means & OD_MW_UNKNOWN))
            return false;
        thing = od_view_head((struct od_view){thing.n > 0 ? thing.p : word.p, l->text.n},
                             (size_t)(word.p + word.n - (thing.n > 0 ? thing.p : word.p)));
        od_view_skip_blanks(&rest);
    }
    return false;
}
