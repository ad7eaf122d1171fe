#include "readers/measures/template_pieces.h"

struct od_template_count od_piece_count(const struct od_template_reading *r,
                                        const struct od_piece *number)
{
    struct od_template_count counted = {.digits = od_span_between(number->at, number->end)};
    counted.count.known = od_num_parse_u64(od_piece_text(r, number), &counted.count.n);
    return counted;
}

/* "2196644 K used memory": do words for memory follow there? */
static bool is_letter_of_memory(struct od_view rest)
{
    struct od_view state, memory;
    const unsigned states = OD_MW_USED | OD_MW_FREE | OD_MW_TOTAL;
    return od_view_take(&rest, OD_VIEW(" ")) && od_memory_next_word(&rest, &state) &&
           (od_memory_word(state) & states) && od_memory_next_word(&rest, &memory) &&
           od_memory_word(memory) == OD_MW_MEMORY;
}

/* The unit right after a number: "3.1GiB", "3.1 GB", "4096M", "214320 (bytes)"; returns its end. */
static size_t add_unit(struct od_view text, struct od_piece *number)
{
    struct od_view rest = od_view_from(text, number->end);
    for (int i = 0; i < 2; i++)
        (void)od_view_take(&rest, OD_VIEW(" "));
    bool joined = rest.n + number->end == text.n;
    bool bracket = !joined && od_view_take(&rest, OD_VIEW("("));
    size_t at = text.n - rest.n;
    struct od_view word = od_view_take_letters(&rest);
    char after = rest.n > 0 ? rest.p[0] : '\0';
    if (word.n == 0 || (bracket && after != ')') ||
        !od_memory_is_unit_at(word, !bracket && (joined || is_letter_of_memory(rest))))
        return number->end;
    number->rate = od_view_starts(rest, OD_VIEW("/s"));
    number->unit = number->rate ? (struct od_span){0} : od_span_between(at, at + word.n);
    return at + word.n + bracket;
}

static size_t cut_number(struct od_view text, size_t at, struct od_piece *to)
{
    struct od_view rest = od_view_from(text, at), number = od_num_take_text(&rest);
    char before = at > 0 ? text.p[at - 1] : ' ';
    to->number = true;
    to->glued = od_is_letter(before) || before == '_';
    to->plain = od_num_digits(number) == number.n;
    to->end = (uint16_t)(at + number.n);
    return add_unit(text, to);
}

unsigned od_piece_means(const struct od_template_reading *r, const struct od_piece *p)
{
    struct od_view word = od_piece_text(r, p), before = od_view_head(r->text, p->at);
    bool denied = od_view_ends(before, OD_VIEW("on-")) || od_view_ends(before, OD_VIEW("off-"));
    /* as in a heading of top; otherwise "res" is a resolution or a result */
    return od_view_eq_str(word, "RES")  ? OD_MW_RSS
           : od_view_eq_str(word, "MA") ? OD_MW_ALLOCATED /* DeepSpeed's */
           : od_view_eq_str(word, "CA") ? OD_MW_RESERVED
           : denied                     ? OD_MW_UNKNOWN /* "non-heap", "off-heap" */
                                        : od_memory_word(word);
}

static size_t cut_word(struct od_view text, size_t at, struct od_piece *to)
{
    struct od_view rest = od_view_from(text, at), word;
    (void)od_memory_next_word(&rest, &word);
    to->end = (uint16_t)(at + word.n);
    to->is_unit = od_memory_is_unit(word);
    return to->end;
}

void od_template_cut_raw(struct od_template_reading *r)
{
    struct od_view text = r->text;
    r->n = 0;
    for (size_t at = 0; at < text.n && r->n < OD_PIECES_MAX;) {
        char c = text.p[at];
        if (c == ' ') {
            at++;
            continue;
        }
        struct od_piece *to = &r->pieces[r->n++];
        *to = (struct od_piece){.at = (uint16_t)at, .end = (uint16_t)(at + 1)};
        if (od_is_letter(c))
            at = cut_word(text, at, to);
        else if (od_is_digit(c))
            at = cut_number(text, at, to);
        else {
            to->mark = c;
            at++;
        }
    }
    r->pieces[r->n] = (struct od_piece){.at = (uint16_t)text.n, .end = (uint16_t)text.n};
    r->pieces[r->n + 1] = r->pieces[r->n];
}

void od_template_cut(struct od_template_reading *r)
{
    od_template_cut_raw(r);
    for (size_t i = 0; i < r->n; i++)
        if (od_piece_is_word(&r->pieces[i]))
            r->pieces[i].means = od_piece_means(r, &r->pieces[i]);
}

const struct od_piece *od_template_take(struct od_template_reading *r, const char *pattern)
{
    const struct od_piece *number = NULL;
    size_t k = 0;
    for (; pattern[k]; k++) {
        const struct od_piece *p = od_piece_at(r, k);
        struct od_view text = od_piece_text(r, p);
        char c = pattern[k];
        bool good = c == 'n'   ? p->number && !p->glued
                    : c == 'o' ? od_view_eq_str(text, "of")
                    : c == 'u' ? od_view_eq_str(text, "out")
                               : p->mark == c;
        if (!good)
            return NULL;
        number = c == 'n' ? p : number;
    }
    r->i += k;
    return number;
}
