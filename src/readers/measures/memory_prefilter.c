/*
 * Selects lines that are worth reading word by word.
 */
#include "readers/measures/memory_line.h"
#include "readers/measures/memory_words.h"

static const unsigned measured = OD_MW_MEMORY | OD_MW_RSS | OD_MW_VIRTUAL | OD_MW_PEAK | OD_MW_MAX |
                                 OD_MW_USED | OD_MW_ALLOCATED | OD_MW_RESERVED | OD_MW_FREE |
                                 OD_MW_TOTAL;

/* Is there a word for a measure right before that place? */
static bool is_behind_measure(struct od_view text, size_t at)
{
    size_t end = at, start;
    while (end > 0 && memchr(" :=\"'\t", text.p[end - 1], 6))
        end--;
    for (start = end; start > 0 && (od_is_letter(text.p[start - 1]) || text.p[start - 1] == '_');)
        start--;
    struct od_view word, rest = od_view_head(od_view_from(text, start), end - start);
    unsigned means = 0;
    while (od_memory_next_word(&rest, &word))
        means = od_memory_is_unit(word) ? means : od_memory_word(word); /* "alloc_mb=118" */
    return end < at && (means & measured) && !(means & OD_MW_UNKNOWN);
}

/* "mem: 5120", "rss=3.1", "peak 3": a number right after a word for a measure. */
static bool has_bare_number(struct od_view text)
{
    static const char *const stems[] = {"mem", "Mem", "MEM", "rss",     "RSS",  "RAM",
                                        "ram", "USS", "eap", "esident", "lloc", NULL};
    if (!od_view_has_any(text, stems))
        return false;
    for (size_t i = 1; i < text.n; i++)
        if (od_is_digit(text.p[i]) && !od_is_digit(text.p[i - 1]) && is_behind_measure(text, i))
            return true;
    return false;
}

static char byte_at(struct od_view text, size_t i)
{
    return i < text.n ? text.p[i] : '\0';
}

/* Does the line have a unit, a percent sign, a number of bytes, or a number at a word for memory?
 * Most lines have none, and reading them word by word would take most of the time. */
bool od_memory_line_may_hold(struct od_view text)
{
    static const char *const letters[] = {"K used mem", "K free mem", NULL};
    if (has_bare_number(text) || od_view_has_any(text, letters))
        return true;
    static const char marks[] = "BGMKT%";
    static const char *const words[] = {"gb",      "mb",      "gib",  "mib",      "rss",     "byte",
                                        "memory_", "_memory", "mem_", "llocated", "eserved", NULL};
    bool marked = false;
    for (size_t i = 0; marks[i] && !marked; i++)
        marked = od_view_find_char(text, marks[i], 0) != OD_VIEW_NONE;
    if (!marked && !od_view_has_any(text, words))
        return false;
    size_t digits = 0;
    bool dotted = false; /* "3.1" and optional blanks, followed by "/" */
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i], next = byte_at(text, i + 1);
        if (od_is_digit(c)) {
            if (++digits >= 8)
                return true;
            continue;
        }
        if (c == '/' && dotted)
            return true;
        dotted = c == '.' ? digits > 0 : dotted && c == ' ';
        bool prefix = c != '\0' && strchr("KMGTkmg", c);
        bool of_bytes =
            next == 'B' || next == 'b' || (next == 'i' && (byte_at(text, i + 2) | 0x20) == 'b');
        if (c == '%' || (prefix && of_bytes) || (prefix && digits > 0 && !od_is_letter(next)) ||
            ((c | 0x20) == 'b' && next == 'y' && byte_at(text, i + 2) == 't'))
            return true;
        digits = 0;
    }
    return false;
}
