#include "report/page.h"

enum { CONTROL_PICTURES = 0x2400, PICTURE_OF_DELETE = 0x2421 };

static const struct {
    uint32_t first, last;
} wide[] = {
#define OD_WIDE(first, last) {first, last},
#include "report/words.def"
};

static uint8_t columns_of(uint32_t code)
{
    for (size_t i = 0; i < OD_COUNT_OF(wide) && code >= wide[i].first; i++) {
        if (code <= wide[i].last)
            return 2;
    }
    return 1;
}

static const struct {
    uint32_t code;
    const char *text;
} in_ascii[] = {
#define OD_IN_ASCII(code, text) {code, text},
#include "report/words.def"
};

/* The ASCII text for a code point outside of ASCII. */
static const char *ascii_of(uint32_t code, char control[static 3])
{
    if (code >= CONTROL_PICTURES && code <= PICTURE_OF_DELETE) {
        control[0] = '^';
        control[1] = code == PICTURE_OF_DELETE ? '?' : (char)(code - CONTROL_PICTURES + '@');
        control[2] = '\0';
        return control;
    }
    for (size_t i = 0; i < OD_COUNT_OF(in_ascii); i++)
        if (code == in_ascii[i].code)
            return in_ascii[i].text;
    return "?";
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

void od_glyphs_link(const struct od_page *page, struct od_glyphs *glyphs, size_t start,
                    const char *address)
{
    static const char web[] = "https://", file[] = "file://";
    static const char safe[] = "-._~:/?#=&%+@"; /* no terminal obeys them */
    struct od_view link = od_view_of(address);
    bool leads =
        page->links && address &&
        (strncmp(address, web, strlen(web)) == 0 || strncmp(address, file, strlen(file)) == 0);
    for (size_t i = 0; i < link.n; i++)
        leads = leads && (od_is_alnum(link.p[i]) || strchr(safe, link.p[i]));
    for (size_t i = start; leads && i < glyphs->n; i++)
        glyphs->items[i].link = link;
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

/* Where to break a word that is longer than the line: after a slash that is not its first character
 * (paths, names of operations), otherwise anywhere. */
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

/* Colors of the fixed palette; themes choose the first sixteen for one background only. Each has a
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

/* Begins, ends or changes a hyperlink. The id joins the pieces of one address on several lines. */
static void change_link(const struct od_page *page, struct od_view *link, struct od_view next)
{
    if (od_view_eq(*link, next))
        return;
    if (next.n > 0)
        od_buf_printf(page->to, "\x1b]8;id=1;%.*s\x1b\\", (int)next.n, next.p);
    else
        od_buf_add_str(page->to, "\x1b]8;;\x1b\\");
    *link = next;
}

/* Number of glyphs that fit the page, without trailing blanks. */
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

/* Index of the second colon of a "::" at the start of a line, which begins a command to GitHub's
 * runner; n if there is none. A blank is inserted before it. */
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
    struct od_view link = {0};
    for (size_t i = 0; i < n; i++) {
        const struct od_glyph *glyph = &glyphs->items[i];
        if (i == command)
            od_buf_add_char(page->to, ' ');
        change_link(page, &link, glyph->link);
        change_tone(page, &tone, glyph->code == ' ' ? tone : (enum od_tone)glyph->tone);
        od_text_encode(glyph->code, page->to);
    }
    change_tone(page, &tone, OD_PLAIN);
    change_link(page, &link, (struct od_view){0});
    od_buf_add_char(page->to, '\n');
}

void od_text_setting_done(struct od_text_setting *setting)
{
    od_vec_done(&setting->first);
    od_vec_done(&setting->other);
}

void od_text_copy(struct od_glyphs *to, const struct od_glyphs *from, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++)
        od_vec_push(to, from->items[i]);
}

void od_text_lines(const struct od_page *page, const struct od_glyphs *glyphs,
                   const struct od_text_setting *setting)
{
    struct od_wrap wrap = {0};
    for (size_t i = 0;; i++) {
        const struct od_glyphs *before = i == 0 ? &setting->first : &setting->other;
        size_t indent = od_glyphs_columns(before, 0, before->n);
        if (!od_glyphs_wrap(glyphs, page->columns - indent, &wrap))
            break;
        struct od_glyphs line = {0};
        od_text_copy(&line, before, 0, before->n);
        od_text_copy(&line, glyphs, wrap.start, wrap.end);
        od_page_line(page, &line);
        od_vec_done(&line);
    }
}

void od_text_title(const struct od_page *page, const char *title)
{
    struct od_glyphs glyphs = {0};
    struct od_text_setting plain = {0};
    od_glyphs_add(page, &glyphs, OD_STRONG, od_view_of(title));
    od_text_lines(page, &glyphs, &plain);
    od_vec_done(&glyphs);
    od_text_setting_done(&plain);
}
