#include "base/word_table.h"

/* Like strcmp, ignoring the case of word. */
static int compare(struct od_view word, const char *text)
{
    for (size_t i = 0; i < word.n; i++)
        if (text[i] == '\0' || od_lower(word.p[i]) != text[i])
            return (unsigned char)od_lower(word.p[i]) < (unsigned char)text[i] ? -1 : 1;
    return text[word.n] == '\0' ? 0 : -1;
}

unsigned od_word_means(const struct od_word_means *table, size_t n, struct od_view word)
{
    size_t low = 0;
    while (low < n) {
        size_t mid = low + (n - low) / 2;
        int order = compare(word, table[mid].word);
        if (order == 0)
            return table[mid].means;
        if (order < 0)
            n = mid;
        else
            low = mid + 1;
    }
    return 0;
}
