#include "readers/logs/found_name.h"

bool od_is_of_name(char c)
{
    return od_is_word(c) || c == '-' || c == '.';
}

/* "-j2", "-Xmx2g", "-DMAP=ON" */
static size_t short_flag_of(struct od_view text)
{
    enum { LETTERS_MOST = 4 };
    size_t n = od_past(text, 1, od_is_word);
    if (n > 2 && od_view_at(text, n) == '=' && od_is_of_name(od_view_at(text, n + 1))) {
        n = od_past(text, n + 1, od_is_of_name);
        return n - (text.p[n - 1] == '.');
    }
    n = od_past(od_view_head(text, LETTERS_MOST + 1), 1, od_is_letter);
    size_t digits = n > 1 ? od_num_digits(od_view_from(text, n)) : 0;
    n += digits;
    n += digits > 0 && od_view_at_any(text, n, "kKmMgGtT");
    return digits > 0 && (n == text.n || !od_is_of_name(text.p[n]) || text.p[n] == '.') ? n : 0;
}

/* "--tiles", "--tiles=4", "--tiles 4", "-j2" */
size_t od_flag_length(struct od_view text)
{
    if (text.n > 2 && text.p[0] == '-' && text.p[1] != '-')
        return short_flag_of(text);
    if (!od_view_starts(text, OD_VIEW("--")) || text.n < 4 || !od_is_letter(text.p[2]))
        return 0;
    size_t n = od_past(text, 2, od_is_of_name);
    if (n + 1 < text.n && (text.p[n] == '=' || (text.p[n] == ' ' && od_is_digit(text.p[n + 1]))))
        n = od_past(text, n + 1, od_is_of_name);
    return od_back_any(text, n, ".");
}

/* Length of a name with "_", "." or "()": "max_split_size_mb", "spark.executor.cores",
 * "reader.close()". 0 for a plain word, a file's name and an abbreviation ("a.k.a"). */
static size_t joined_name(struct od_view text)
{
    size_t n = 0, dots = 0, dot = 0, line = 0;
    while (n < text.n && (od_is_word(text.p[n]) ||
                          (text.p[n] == '.' && n + 1 < text.n && od_is_letter(text.p[n + 1])))) {
        line = text.p[n] == '_' ? n : line;
        dot = text.p[n] == '.' ? n : dot;
        dots += text.p[n++] == '.';
    }
    bool sets = n + 1 < text.n && text.p[n] == '=' && text.p[n + 1] != '=';
    bool call = dots > 0 && n < text.n && text.p[n] == '(';
    bool file = dots == 1 && dot > line && !sets && !call;
    bool letters = dots > 0 && n == 2 * dots + 1;
    return (n < text.n && text.p[n] == '/') || file || letters ||
                   (line == 0 && dots < 2 && !sets && !call)
               ? 0
               : n;
}

/* "max_split_size_mb", "NAME_OF_IT=1", "engine=\"lazy\"". */
size_t od_name_length(struct od_view text)
{
    size_t n = text.n > 0 && od_is_letter(text.p[0]) ? joined_name(text) : 0;
    static const char *const signs[] = {"=", " = ", NULL};
    for (size_t i = 0; n > 0 && signs[i]; i++) {
        struct od_view rest = od_view_from(text, n);
        bool sign = od_view_take(&rest, od_view_of(signs[i]));
        bool quote = sign && rest.n > 1 && strchr("\"'", rest.p[0]);
        if (!sign || rest.n == 0 || !od_is_of_name(rest.p[quote]))
            continue;
        n = text.n - rest.n + quote;
        while (n < text.n && (od_is_of_name(text.p[n]) || text.p[n] == ':'))
            n++;
        n += quote && n < text.n && text.p[n] == rest.p[0];
        break;
    }
    return od_back_any(text, n, ".:");
}
