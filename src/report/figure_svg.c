#include "report/figure_svg.h"

#include <math.h>

/* What a shape takes over from the groups around it. */
enum property {
    FILL,
    FILL_OPACITY,
    STROKE,
    STROKE_WIDTH,
    DASHES,
    OPACITY,
    ANCHOR,
    FONT_SIZE,
    FONT_WEIGHT,
    RENDERING,
    TRANSFORM,
    PROPERTIES
};

enum kind { COLOR, NUMBERS, WORD, MOVES };

static const struct {
    const char *name;
    enum kind kind;
    const char *usual; /* where nothing is said: not written */
} properties[PROPERTIES] = {
    [FILL] = {"fill", COLOR, "none"},
    [FILL_OPACITY] = {"fill-opacity", NUMBERS, "1"},
    [STROKE] = {"stroke", COLOR, "none"},
    [STROKE_WIDTH] = {"stroke-width", NUMBERS, "1"},
    [DASHES] = {"stroke-dasharray", NUMBERS, ""},
    [OPACITY] = {"opacity", NUMBERS, "1"},
    [ANCHOR] = {"text-anchor", WORD, "start"},
    [FONT_SIZE] = {"font-size", NUMBERS, "15"},
    [FONT_WEIGHT] = {"font-weight", WORD, "normal"},
    [RENDERING] = {"shape-rendering", WORD, "auto"},
    [TRANSFORM] = {"transform", MOVES, ""},
};

enum { DEPTH_MOST = 24, ATTRIBUTES_MOST = 24 };

struct look {
    const char *values[PROPERTIES];
};

struct tag {
    struct od_view name;
    bool closing, empty; /* </name>, <name/> */
    struct {
        struct od_view name, value;
    } attributes[ATTRIBUTES_MOST];
    size_t n;
};

struct rewriter {
    struct od_view rest;
    struct od_arena *arena;
    struct look stack[DEPTH_MOST];
    size_t depth;       /* open elements that are kept; 0 = before <svg> */
    size_t skipped;     /* open elements within one that is not kept, it included */
    struct look joined; /* of the path being collected */
    struct od_buf path, words;
    bool in_text, failed, ended;
    struct od_buf *to;
};

static bool only(struct od_view text, const char *letters)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '\0' || !strchr(letters, text.p[i]))
            return false;
    return true;
}

#define DIGITS "0123456789"
#define NUMERIC DIGITS ".,+-eE \t\n"
#define WORDY "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"
#define PATHS "MLHVCSQTAZmlhvcsqtaz"

static struct od_view attribute(const struct tag *tag, const char *name)
{
    for (size_t i = 0; i < tag->n; i++)
        if (od_view_eq_str(tag->attributes[i].name, name))
            return tag->attributes[i].value;
    return (struct od_view){0};
}

/* Numbers with one decimal, and no more space than keeps them apart. */
static void add_numbers(struct od_view text, struct od_buf *to)
{
    bool number_before = false;
    while (text.n > 0) {
        size_t n = 0;
        double value;
        while (n < text.n && strchr(n > 0 ? DIGITS ".eE" : DIGITS ".+-", text.p[n]))
            n++;
        if (n > 0 && od_num_parse_double(od_view_head(text, n), &value)) {
            value = round(value * 10) / 10;
            od_buf_printf(to, "%s%.6g", number_before && value >= 0 ? " " : "",
                          value + 0); /* no -0 */
            number_before = true;
        } else if (strchr(PATHS ",", *text.p)) {
            od_buf_add_char(to, *text.p);
            number_before = false;
        }
        text = od_view_from(text, n > 0 ? n : 1);
    }
}

static bool take_part(struct od_view *text, uint64_t *ret_part)
{
    while (text->n > 0 && strchr(" ,", *text->p))
        *text = od_view_from(*text, 1);
    return od_num_take_u64(text, ret_part) && *ret_part < 256;
}

/* Whatever else it may be (a reference, say) is no colour. */
static const char *color_of(struct od_view text, struct od_arena *arena)
{
    struct od_view rest = text;
    uint64_t red, green, blue;
    const char *color = "none";
    if (od_view_take(&rest, OD_VIEW("rgb(")) && take_part(&rest, &red) &&
        take_part(&rest, &green) && take_part(&rest, &blue))
        color =
            od_arena_printf(arena, "#%02X%02X%02X", (unsigned)red, (unsigned)green, (unsigned)blue);
    else if (only(text, "#" WORDY DIGITS))
        color = od_arena_str(arena, text);
    bool black = strcmp(color, "#000000") == 0 || strcmp(color, "black") == 0;
    return black ? "currentColor" : color;
}

/* NULL for a value that is not of its kind. */
static const char *value_of(enum kind kind, struct od_view text, struct od_arena *arena)
{
    switch (kind) {
    case COLOR:
        return color_of(text, arena);
    case NUMBERS:
        return only(text, NUMERIC) ? od_arena_str(arena, od_view_trim(text)) : NULL;
    case WORD:
        return only(text, WORDY) ? od_arena_str(arena, text) : NULL;
    case MOVES:
        return only(text, WORDY "() " DIGITS ".,") ? od_arena_str(arena, text) : NULL;
    }
    return NULL;
}

/* Numbers that say the same in other words ("1.00") are one. */
static const char *tidy(enum property property, const char *value, struct od_arena *arena)
{
    double number;
    if (properties[property].kind == NUMBERS && property != DASHES &&
        od_num_parse_double(od_view_of(value), &number))
        return od_arena_printf(arena, "%.4g", number);
    return value;
}

static struct look look_of(struct rewriter *r, const struct tag *tag)
{
    struct look look = {{0}};
    if (r->depth > 0)
        look = r->stack[r->depth - 1];
    for (unsigned i = 0; i < PROPERTIES; i++) {
        struct od_view text = attribute(tag, properties[i].name);
        const char *value = text.n > 0 ? value_of(properties[i].kind, text, r->arena) : NULL;
        if (!value)
            continue;
        if (i == TRANSFORM && look.values[i])
            value = od_arena_printf(r->arena, "%s %s", look.values[i], value);
        look.values[i] = tidy((enum property)i, value, r->arena);
    }
    return look;
}

static const char *shown(const struct look *look, unsigned property)
{
    const char *value = look->values[property];
    return value ? value : properties[property].usual;
}

static bool is_same(const struct look *a, const struct look *b)
{
    for (unsigned i = 0; i < PROPERTIES; i++)
        if (strcmp(shown(a, i), shown(b, i)) != 0)
            return false;
    return true;
}

static void add_attribute(struct od_buf *to, const char *name, const char *value)
{
    od_buf_printf(to, " %s=\"%s\"", name, value);
}

/* Of a line nothing but the stroke shows, of a text nothing but the fill. */
static bool shows(const struct look *look, unsigned property, bool is_text)
{
    bool of_text = property == ANCHOR || property == FONT_SIZE || property == FONT_WEIGHT;
    bool of_line = property == STROKE_WIDTH || property == DASHES;
    if (of_text || property == STROKE || of_line)
        return is_text == of_text && (!of_line || strcmp(shown(look, STROKE), "none") != 0);
    return strcmp(shown(look, property), properties[property].usual) != 0;
}

static void add_look(struct od_buf *to, const struct look *look, bool is_text)
{
    for (unsigned i = 0; i < PROPERTIES; i++)
        if (shows(look, i, is_text) && strcmp(shown(look, i), properties[i].usual) != 0)
            add_attribute(to, properties[i].name, shown(look, i));
}

static bool is_unseen(const struct look *look)
{
    return strcmp(shown(look, FILL), "none") == 0 && strcmp(shown(look, STROKE), "none") == 0;
}

static void end_path(struct rewriter *r)
{
    if (r->path.n > 0 && !is_unseen(&r->joined)) {
        od_buf_add_str(r->to, "<path");
        add_look(r->to, &r->joined, false);
        add_attribute(r->to, "d", od_buf_str(&r->path));
        od_buf_add_str(r->to, "/>\n");
    }
    r->path.n = 0;
}

/* Shapes of one look that follow each other are one path. */
static void add_path(struct rewriter *r, const struct tag *tag, const char *name, bool closes)
{
    struct od_view numbers = attribute(tag, name);
    struct look look = look_of(r, tag);
    if (numbers.n == 0 || !only(numbers, NUMERIC PATHS))
        return;
    if (!is_same(&look, &r->joined))
        end_path(r);
    r->joined = look;
    od_buf_add_str(&r->path, closes ? "M" : "");
    add_numbers(numbers, &r->path);
    od_buf_add_str(&r->path, closes ? "z" : "");
}

static void add_shape(struct rewriter *r, const struct tag *tag)
{
    static const char *const names[] = {"x",  "y",  "width", "height", "cx", "cy", "r",
                                        "rx", "ry", "x1",    "y1",     "x2", "y2"};
    struct look look = look_of(r, tag);
    if (is_unseen(&look))
        return;
    end_path(r);
    od_buf_add_char(r->to, '<');
    od_buf_add(r->to, tag->name);
    add_look(r->to, &look, false);
    for (size_t i = 0; i < OD_COUNT_OF(names); i++) {
        struct od_view value = attribute(tag, names[i]);
        if (value.n > 0 && only(value, NUMERIC)) {
            od_buf_printf(r->to, " %s=\"", names[i]);
            add_numbers(value, r->to);
            od_buf_add_char(r->to, '"');
        }
    }
    od_buf_add_str(r->to, "/>\n");
}

/* Text of theirs is written with five entities; anything else stands for itself. */
static void add_words(struct od_view words, struct od_buf *to)
{
    static const struct {
        struct od_view written;
        const char *means;
    } entities[] = {{{"&amp;", 5}, "&amp;"},   {{"&lt;", 4}, "&lt;"},     {{"&gt;", 4}, "&gt;"},
                    {{"&quot;", 6}, "&quot;"}, {{"&apos;", 6}, "&apos;"}, {{"<", 1}, "&lt;"},
                    {{">", 1}, "&gt;"},        {{"&", 1}, "&amp;"}};
    struct od_buf fit = {0};
    od_text_visible(words, &fit);
    for (struct od_view rest = od_buf_view(&fit); rest.n > 0;) {
        size_t i = 0;
        while (i < OD_COUNT_OF(entities) && !od_view_take(&rest, entities[i].written))
            i++;
        if (i < OD_COUNT_OF(entities)) {
            od_buf_add_str(to, entities[i].means);
        } else {
            od_buf_add_char(to, *rest.p);
            rest = od_view_from(rest, 1);
        }
    }
    od_buf_done(&fit);
}

/* translate(x,y), alone or with more behind it, as numbers with one decimal. */
static void add_text(struct rewriter *r)
{
    const struct look *look = &r->stack[r->depth - 1];
    struct od_view words = od_view_trim(od_buf_view(&r->words));
    struct look rest = *look;
    struct od_view move = od_view_of(shown(look, TRANSFORM)), x, y;
    end_path(r);
    if (words.n > 0) {
        od_buf_add_str(r->to, "<text");
        if (od_view_take(&move, OD_VIEW("translate(")) && od_view_cut(&move, ',', &x) &&
            od_view_cut(&move, ')', &y) && od_view_trim(move).n == 0) {
            rest.values[TRANSFORM] = NULL;
            od_buf_add_str(r->to, " x=\"");
            add_numbers(x, r->to);
            od_buf_add_str(r->to, "\" y=\"");
            add_numbers(y, r->to);
            od_buf_add_char(r->to, '"');
        }
        add_look(r->to, &rest, true);
        od_buf_add_char(r->to, '>');
        add_words(words, r->to);
        od_buf_add_str(r->to, "</text>\n");
    }
    r->words.n = 0;
    r->in_text = false;
}

static bool is_name(const struct tag *tag, const char *name)
{
    return od_view_eq_str(tag->name, name);
}

static void push(struct rewriter *r, const struct tag *tag)
{
    if (r->depth == DEPTH_MOST) {
        r->failed = true;
        return;
    }
    r->stack[r->depth] = look_of(r, tag);
    r->depth++;
}

static void close_tag(struct rewriter *r, const struct tag *tag)
{
    if (r->skipped > 0) {
        r->skipped--;
        return;
    }
    if (r->depth == 0) {
        r->failed = true;
        return;
    }
    if (is_name(tag, "text"))
        add_text(r);
    r->depth--;
    r->ended = r->depth == 0;
}

static void open_tag(struct rewriter *r, const struct tag *tag)
{
    bool kept = r->depth == 0 ? is_name(tag, "svg")
                              : is_name(tag, "g") || is_name(tag, "text") || is_name(tag, "tspan");
    if (r->skipped > 0) {
        r->skipped += !tag->empty;
    } else if (r->depth == 0 && !kept) {
        r->failed = true;
    } else if (kept && !tag->empty) {
        push(r, tag);
        r->in_text = r->in_text || is_name(tag, "text");
    } else {
        if (is_name(tag, "path"))
            add_path(r, tag, "d", false);
        else if (is_name(tag, "polygon"))
            add_path(r, tag, "points", true);
        else if (is_name(tag, "rect") || is_name(tag, "circle") || is_name(tag, "ellipse") ||
                 is_name(tag, "line"))
            add_shape(r, tag);
        r->skipped += !tag->empty;
    }
}

static const char blanks[] = " \t\r\n";

static struct od_view take_until(struct od_view *text, const char *ends)
{
    size_t n = 0;
    while (n < text->n && text->p[n] != '\0' && !strchr(ends, text->p[n]))
        n++;
    struct od_view head = od_view_head(*text, n);
    *text = od_view_from(*text, n);
    return head;
}

static void skip_blanks(struct od_view *text)
{
    while (text->n > 0 && *text->p != '\0' && strchr(blanks, *text->p))
        *text = od_view_from(*text, 1);
}

/* What stands between < and >. False when it is no tag. */
static bool read_tag(struct od_view *text, struct tag *tag)
{
    tag->closing = od_view_take(text, OD_VIEW("/"));
    tag->name = take_until(text, " \t\r\n/>");
    while (skip_blanks(text), text->n > 0 && *text->p != '>' && *text->p != '/') {
        struct od_view name = take_until(text, " \t\r\n=/>");
        skip_blanks(text);
        if (tag->n == ATTRIBUTES_MOST || !od_view_take(text, OD_VIEW("=")))
            return false;
        skip_blanks(text);
        bool single = od_view_take(text, OD_VIEW("'"));
        if (!single && !od_view_take(text, OD_VIEW("\"")))
            return false;
        tag->attributes[tag->n].name = name;
        tag->attributes[tag->n++].value = od_view_trim(take_until(text, single ? "'" : "\""));
        *text = od_view_from(*text, 1);
    }
    tag->empty = od_view_take(text, OD_VIEW("/"));
    return tag->name.n > 0 && od_view_take(text, OD_VIEW(">"));
}

static void step(struct rewriter *r)
{
    struct od_view words = take_until(&r->rest, "<");
    struct tag tag = {0};
    if (r->in_text && r->skipped == 0)
        od_buf_add(&r->words, words);
    if (r->rest.n == 0 || !od_view_take(&r->rest, OD_VIEW("<"))) {
        r->failed = true;
    } else if (r->rest.n > 0 && (*r->rest.p == '?' || *r->rest.p == '!')) {
        (void)take_until(&r->rest, ">");
        r->rest = od_view_from(r->rest, 1);
    } else if (!read_tag(&r->rest, &tag)) {
        r->failed = true;
    } else if (tag.closing) {
        close_tag(r, &tag);
    } else {
        open_tag(r, &tag);
    }
}

bool od_figure_svg(const struct od_figure *figure, struct od_view drawn, struct od_buf *to)
{
    struct rewriter r = {.rest = drawn, .arena = od_arena_new(), .to = to};
    size_t start = to->n;
    od_buf_printf(to,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" role=\"img\" "
                  "aria-labelledby=\"figure-%s-title figure-%s-desc\" fill=\"none\" "
                  "font-family=\"sans-serif\" font-size=\"15\">\n<title id=\"figure-%s-title\">",
                  OD_FIGURE_WIDTH, figure->height, figure->name, figure->name, figure->name);
    add_words(od_view_of(figure->title), to);
    od_buf_printf(to, "</title>\n<desc id=\"figure-%s-desc\">", figure->name);
    add_words(od_view_of(figure->alt), to);
    od_buf_add_str(to, "</desc>\n");
    while (!r.failed && !r.ended)
        step(&r);
    end_path(&r);
    od_buf_add_str(to, "</svg>\n");
    if (r.failed)
        to->n = start;
    od_buf_done(&r.path);
    od_buf_done(&r.words);
    od_arena_free(r.arena);
    return !r.failed;
}
