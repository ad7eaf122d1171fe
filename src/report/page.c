#include "report/page.h"

enum { CONTROL_PICTURES = 0x2400, PICTURE_OF_DELETE = 0x2421 };

struct range {
    uint32_t first, last;
};

/* Two columns on a terminal: CJK, Hangul, full-width forms, pictures. */
static const struct range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23F3},   {0x25FD, 0x25FE},
    {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x26FF},
    {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},   {0x274C, 0x2757},
    {0x2795, 0x2797},   {0x27B0, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B55},
    {0x2E80, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
    {0xFE10, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18DFF},
    {0x1AFF0, 0x1B2FF}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F1FF},
    {0x1F200, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

static uint8_t columns_of(uint32_t code)
{
    for (size_t i = 0; i < OD_COUNT_OF(wide) && code >= wide[i].first; i++) {
        if (code <= wide[i].last)
            return 2;
    }
    return 1;
}

/* The ASCII text for a code point outside of ASCII. */
static const char *ascii_of(uint32_t code, char control[static 3])
{
    if (code >= CONTROL_PICTURES && code <= PICTURE_OF_DELETE) {
        control[0] = '^';
        control[1] = code == PICTURE_OF_DELETE ? '?' : (char)(code - CONTROL_PICTURES + '@');
        control[2] = '\0';
        return control;
    }
    switch (code) {
    case 0xD7: /* multiplication sign */
        return "x";
    case 0x2026: /* ellipsis */
        return "...";
    case 0x2013: /* dashes */
    case 0x2014:
        return "-";
    case 0x2018: /* quotation marks */
    case 0x2019:
        return "'";
    case 0x201C:
    case 0x201D:
        return "\"";
    default:
        return "?";
    }
}

static void push(struct od_glyphs *glyphs, enum od_tone tone, uint32_t code)
{
    struct od_glyph glyph = {
        .code = code == '\t' ? ' ' : code, .tone = (uint8_t)tone, .columns = columns_of(code)};
    od_vec_push(glyphs, glyph);
}

void od_glyphs_add(const struct od_page *page, struct od_glyphs *glyphs, enum od_tone tone,
                   struct od_view text)
{
    struct od_buf visible = {0};
    od_text_visible(text, &visible);
    struct od_view rest = od_buf_view(&visible);
    while (rest.n > 0) {
        uint32_t code;
        char control[3];
        rest = od_view_from(rest, od_text_decode(rest, &code));
        if (page->unicode || code < 0x80) {
            push(glyphs, tone, code);
            continue;
        }
        for (const char *p = ascii_of(code, control); *p; p++)
            push(glyphs, tone, (uint32_t)(unsigned char)*p);
    }
    od_buf_done(&visible);
}

void od_glyphs_draw(const struct od_page *page, struct od_glyphs *glyphs, enum od_tone tone,
                    struct od_stroke stroke, size_t times)
{
    uint32_t code = (uint32_t)(unsigned char)stroke.ascii;
    if (page->unicode)
        (void)od_text_decode(stroke.unicode, &code);
    for (size_t i = 0; i < times; i++)
        push(glyphs, tone, code);
}

void od_glyphs_blank(struct od_glyphs *glyphs, size_t times)
{
    for (size_t i = 0; i < times; i++)
        push(glyphs, OD_PLAIN, ' ');
}

size_t od_glyphs_columns(const struct od_glyphs *glyphs, size_t start, size_t end)
{
    size_t columns = 0;
    for (size_t i = start; i < end; i++)
        columns += glyphs->items[i].columns;
    return columns;
}

static size_t skip_blanks(const struct od_glyphs *glyphs, size_t at)
{
    while (at < glyphs->n && glyphs->items[at].code == ' ')
        at++;
    return at;
}

/* Breaks a word that is longer than the line: after a slash that is not its first character (paths,
 * names of operations), else anywhere. */
static size_t behind_slash(const struct od_glyphs *glyphs, size_t start, size_t end)
{
    for (size_t at = end; at > start + (end - start) / 4; at--)
        if (glyphs->items[at - 1].code == '/')
            return at;
    return end;
}

bool od_glyphs_wrap(const struct od_glyphs *glyphs, size_t columns, struct od_wrap *wrap)
{
    size_t start = wrap->at == 0 ? 0 : skip_blanks(glyphs, wrap->at);
    if (start >= glyphs->n)
        return false;
    size_t end = start;
    size_t used = 0;
    while (end < glyphs->n && used + glyphs->items[end].columns <= columns)
        used += glyphs->items[end++].columns;
    if (end == start)
        end++; /* a page narrower than one glyph: od_page_line cuts it */
    if (end < glyphs->n && glyphs->items[end].code != ' ') {
        size_t blank = end;
        while (blank > start && glyphs->items[blank - 1].code != ' ')
            blank--;
        if (blank > start)
            end = blank;
        else
            end = behind_slash(glyphs, start, end);
    }
    *wrap = (struct od_wrap){.at = end, .start = start, .end = end};
    return true;
}

/* Colors of the fixed palette, as themes set the first sixteen for one background only: each has a
 * contrast (WCAG 2) of 4 to white and to a dark gray (30, 30, 30). */
static const char *const color_codes[OD_TONES] = {
    [OD_STRONG] = "\x1b[1m",     [OD_CODE] = "\x1b[38;5;31m", [OD_DIM] = "\x1b[2m",
    [OD_GOOD] = "\x1b[38;5;65m", [OD_BAD] = "\x1b[38;5;196m",
};

static void change_tone(const struct od_page *page, enum od_tone *tone, enum od_tone next)
{
    if (page->color && *tone != next) {
        if (*tone != OD_PLAIN)
            od_buf_add_str(page->to, "\x1b[0m");
        if (color_codes[next])
            od_buf_add_str(page->to, color_codes[next]);
    }
    *tone = next;
}

/* Glyphs that fit the page, without the blanks at their end. */
static size_t fitting(const struct od_page *page, const struct od_glyphs *glyphs)
{
    size_t n = 0;
    size_t used = 0;
    while (n < glyphs->n && used + glyphs->items[n].columns <= page->columns)
        used += glyphs->items[n++].columns;
    while (n > 0 && glyphs->items[n - 1].code == ' ')
        n--;
    return n;
}

/* Index of the second sign of "::" at the start of a line, which begins a command to GitHub's
 * runner; n where there is none. A blank goes before it. */
static size_t command_sign(const struct od_glyphs *glyphs, size_t n)
{
    size_t at = skip_blanks(glyphs, 0);
    bool begins = at + 1 < n && glyphs->items[at].code == ':' && glyphs->items[at + 1].code == ':';
    return begins ? at + 1 : n;
}

void od_page_line(const struct od_page *page, const struct od_glyphs *glyphs)
{
    size_t n = fitting(page, glyphs);
    size_t command = command_sign(glyphs, n);
    enum od_tone tone = OD_PLAIN;
    for (size_t i = 0; i < n; i++) {
        const struct od_glyph *glyph = &glyphs->items[i];
        if (i == command)
            od_buf_add_char(page->to, ' ');
        change_tone(page, &tone, glyph->code == ' ' ? tone : (enum od_tone)glyph->tone);
        od_text_encode(glyph->code, page->to);
    }
    change_tone(page, &tone, OD_PLAIN);
    od_buf_add_char(page->to, '\n');
}
