#include "readers/logs/sentence_lines.h"

#include "base/log_prefix.h"
#include "base/mask_digits.h"
#include "readers/logs/sentence_parts.h"

enum { LINES_MAX = 6, LINE_KEPT = 2048, AGE_MAX = 16, ROWS_MAX = 2 };

struct od_sentences {
    const struct od_lexicon *lexicon;
    enum od_segment document; /* segment of `first` according to the lines around it */
    bool on_device;           /* lines before `first` show that it is about a device */
    bool open, finished;      /* the stored lines are a complete sentence */
    struct od_line first;
    struct od_buf kept;      /* storage for the texts of `first` */
    struct od_buf text;      /* the stored lines as one text */
    struct od_buf trial;     /* `text` and the next line, to see whether it continues */
    size_t quote_at;         /* offset in `text` where a quotation needs a blank; 0 = none */
    unsigned age;            /* lines of other lanes since the last stored line */
    unsigned rows;           /* lines after the sentence that added nothing to it */
    struct od_view log, raw; /* block of the log that contains the current line, and the line */
    enum od_segment around;  /* segment of the current line; valid if `looked` */
    bool looked, wrapped;    /* wrapped: the lines around it are not as they were printed */
    const char *speaker;     /* program of the latest exception or traceback; NULL = not known */
    struct od_prov speaks_at;
};

struct od_sentences *od_sentences_new(const struct od_lexicon *lexicon)
{
    struct od_sentences *s = od_mem_alloc(1, sizeof *s);
    s->lexicon = lexicon;
    return s;
}

void od_sentences_free(struct od_sentences *s)
{
    if (!s)
        return;
    od_buf_done(&s->kept);
    od_buf_done(&s->text);
    od_buf_done(&s->trial);
    od_mem_free(s);
}

bool od_sentences_is_open(const struct od_sentences *s)
{
    return s->open;
}

/* Does the mark occur here, or would it with other digits? */
static bool may_stand(struct od_view rest, struct od_view mark)
{
    size_t i = 0;
    while (i < rest.n && i < mark.n &&
           (rest.p[i] == mark.p[i] || (od_is_digit(rest.p[i]) && od_is_digit(mark.p[i]))))
        i++;
    return i == mark.n;
}

/* Do lines of this shape contain different marks because of their digits? */
static bool depends_on_digits(const struct od_lexicon *lexicon, struct od_view text)
{
    for (size_t i = 0; i < lexicon->nmarks; i++) {
        struct od_view mark = od_view_of(lexicon->marks[i].text);
        for (size_t at = 0; od_has_digit(mark) && at < text.n; at++)
            if (may_stand(od_view_from(text, at), mark))
                return true;
    }
    return false;
}

/* The first mark in the line; NULL = none. */
static const struct od_producer_mark *first_mark(const struct od_lexicon *lexicon,
                                                 const struct od_line *line)
{
    const struct od_producer_mark *end = lexicon->marks + lexicon->nmarks, *mark;
    void **kept = od_line_kept(line, lexicon->marks);
    if (kept && *kept)
        return *kept == end ? NULL : *kept;
    for (mark = lexicon->marks; mark < end && !od_has_producer_mark(line->text, mark);)
        mark++;
    if (kept && !depends_on_digits(lexicon, line->text))
        *kept = (void *)(uintptr_t)mark;
    return mark < end ? mark : NULL;
}

void od_sentences_note(struct od_sentences *s, const struct od_line *line)
{
    const struct od_producer_mark *mark = first_mark(s->lexicon, line);
    if (!mark)
        return;
    s->speaker = mark->producer;
    s->speaks_at = line->at;
}

void od_sentences_stand(struct od_sentences *s, struct od_view log, struct od_view line)
{
    s->log = log;
    s->raw = line;
    s->looked = false;
}

static size_t count_sizes(const struct od_sentence *sentence)
{
    size_t n = 0;
    for (size_t i = 0; i < OD_SENTENCE_SIZES; i++)
        n += sentence->sizes[i].known;
    return n;
}

/* Documents give their examples in round sizes. */
static bool has_exact_size(const struct od_sentence *sentence)
{
    enum { MEGA = 1000000, MEBI = 1 << 20 };
    for (size_t i = 0; i < OD_SENTENCE_SIZES; i++) {
        struct od_bytes size = sentence->sizes[i];
        if (size.known && size.lo == size.hi && size.n % MEGA != 0 && size.n % MEBI != 0)
            return true;
    }
    return false;
}

/* Is it a sentence of a document about errors rather than a statement about this run? If lines are
 * wrapped, the lines around it do not show that, and the sentence itself has to be clear. */
static bool is_documented(const struct od_sentences *s, enum od_segment document,
                          const struct od_sentence *sentence)
{
    enum { CLEARLY = -90 };
    bool bare = !sentence->marked && count_sizes(sentence) < 2 && !has_exact_size(sentence);
    return document == OD_SEGMENT_DOCUMENT || (document == OD_SEGMENT_PERSON && bare) ||
           (s->wrapped && bare && sentence->weight <= CLEARLY);
}

enum od_segment od_sentences_around(struct od_sentences *s)
{
    if (!s->looked)
        s->around = od_segment_around(s->log, s->raw);
    s->looked = true;
    return s->around;
}

bool od_sentences_are_of_document(struct od_sentences *s, const struct od_sentence *sentence)
{
    return is_documented(s, od_sentences_around(s), sentence);
}

bool od_sentences_are_apart(const struct od_sentences *s)
{
    return od_segment_is_apart(s->log, s->raw);
}

bool od_sentences_are_config(const struct od_sentences *s, struct od_view text)
{
    return od_segment_is_config(s->log, s->raw, text);
}

bool od_sentences_are_titled(const struct od_sentences *s, const struct od_line *line)
{
    return od_segment_is_title_below(s->log, s->raw, line->text);
}

/* "CUDA Runtime Error at: solve.cu:42" followed by "out of memory": takes the memory from the lines
 * before. */
static void place_by_lines_before(const struct od_sentences *s, struct od_sentence *sentence)
{
    enum { NEAR = 4, BYTES = 300 };
    struct od_view before = od_view_head(s->log, (size_t)(s->raw.p - s->log.p));
    for (unsigned i = 0; sentence->supposed && i < NEAR && before.n > 0; i++) {
        struct od_view line = od_view_head(od_line_before(&before), BYTES);
        if (!od_sentence_blames_device(s->lexicon, line))
            continue;
        sentence->space = "device";
        sentence->supposed = false;
    }
}

/* Emits the sentence. If it does not show the program, a traceback just before it may. */
static void put(struct od_sentences *s, struct od_sentence *sentence, const struct od_line *line,
                const struct od_sink *sink)
{
    enum { NEAR = 8 };
    bool near = s->speaker && line->at.source == s->speaks_at.source &&
                line->at.line - s->speaks_at.line <= NEAR;
    if (!sentence->producer && near)
        sentence->producer = s->speaker;
    struct od_event event = od_sentence_event(sentence, line);
    if (s->finished && s->open)
        event.line = &s->first;
    od_sink_put(sink, &event);
}

/* Emits the sentence of all stored lines, at the first of them. */
static void emit_stored(struct od_sentences *s, const struct od_sink *sink)
{
    struct od_line line = s->first;
    line.text = od_buf_view(&s->text);
    if (s->open && s->finished) {
        struct od_sentence sentence = od_sentence_read(s->lexicon, line.text);
        if (sentence.supposed && s->on_device)
            sentence.space = "device";
        if (s->quote_at > 0) {
            s->trial.n = 0;
            od_buf_printf(&s->trial, "%.*s %.*s", (int)s->quote_at, s->text.p,
                          (int)(s->text.n - s->quote_at), s->text.p + s->quote_at);
            line.text = od_buf_view(&s->trial);
        }
        if (sentence.kind != OD_EV_NONE && !is_documented(s, s->document, &sentence))
            put(s, &sentence, &line, sink);
    }
    s->open = false;
}

/* Emits the stored sentence and stores this line. */
static void keep(struct od_sentences *s, const struct od_line *line, bool finished,
                 const struct od_sink *sink)
{
    emit_stored(s, sink);
    s->open = true;
    s->finished = finished;
    if (finished)
        s->document = od_sentences_around(s);
    s->age = s->rows = 0;
    s->on_device = false;
    s->first = *line;
    s->kept.n = s->text.n = s->quote_at = 0;
    struct od_view text = od_view_head(line->text, LINE_KEPT);
    od_buf_add(&s->kept, text);
    od_buf_add(&s->kept, line->stamp);
    s->first.text = od_view_head(od_buf_view(&s->kept), text.n);
    s->first.stamp = od_view_from(od_buf_view(&s->kept), text.n);
    od_buf_add(&s->text, od_view_trim(text));
}

/* Does the text end where a sentence may continue? */
static bool is_unfinished(struct od_view text)
{
    text = od_view_trim(text);
    if (text.n == 0 || text.n > LINE_KEPT)
        return false;
    size_t open = 0;
    for (size_t i = 0; i < text.n; i++) {
        open += text.p[i] == '(' || text.p[i] == '[';
        open -= open > 0 && (text.p[i] == ')' || text.p[i] == ']');
    }
    return open > 0 || strchr(".!?)]}\"'", text.p[text.n - 1]) == NULL;
}

/* "$ python train.py", "serve m7 --max-model-len 4096": the numbers of a command are settings. */
static bool is_command(struct od_view text)
{
    static const char *const prompts[] = {"$ ", ">>> ", "--", NULL};
    size_t flag = od_view_find(text, OD_VIEW(" --"), 0);
    return od_view_starts_any(text, prompts) ||
           (flag != OD_VIEW_NONE && flag + 3 < text.n && od_is_letter(text.p[flag + 3]));
}

/* Does the line start a record: with a time, a level, an error or a frame of a traceback? */
static bool is_record(const struct od_lexicon *lexicon, struct od_view text)
{
    size_t n = 0;
    char word[24];
    if (od_log_begins_with_time(text) || od_view_starts(text, OD_VIEW("File \"")) ||
        od_view_starts(text, OD_VIEW("at ")))
        return true;
    while (n < text.n && (od_is_letter(text.p[n]) || (n == 0 && text.p[n] == '[') ||
                          (text.p[n] == '.' && n + 1 < text.n && od_is_letter(text.p[n + 1]))))
        n++; /* "torch.OutOfMemoryError" */
    struct od_view name = od_view_head(text, n);
    (void)od_view_take(&name, OD_VIEW("["));
    uint64_t classes = od_lexicon_classes(lexicon, od_view_lowered(name, word, sizeof word));
    bool ends = n + 1 < text.n && strchr(":(]", text.p[n]) != NULL;
    bool level = ends && (classes & (OD_WORD_BIT(OD_WORD_ERROR) | OD_WORD_BIT(OD_WORD_MILD))) != 0;
    return level || od_view_ends(name, OD_VIEW("Error")) ||
           od_view_ends(name, OD_VIEW("Exception"));
}

/* "1100MiB / 4096MiB": a part and its whole, printed by a tool. */
static bool is_of_tool(struct od_view text)
{
    size_t at = od_view_find(text, OD_VIEW("/"), 0);
    if (at == OD_VIEW_NONE)
        return false;
    struct od_view used = od_view_trim(od_view_head(text, at));
    struct od_view whole = od_view_trim(od_view_from(text, at + 1));
    return od_view_ends(used, OD_VIEW("B")) && whole.n > 0 && od_is_digit(whole.p[0]);
}

/* "my card has 8 GB", "500G SSD", "i7-13700K": after a complete sentence, a size that is neither
 * requested nor available. A continuation such as "1048576 bytes" has no unknown word. */
static bool is_remark(const struct od_lexicon *lexicon, struct od_view text)
{
    const uint64_t asked =
        OD_WORD_BIT(OD_WORD_GET) | OD_WORD_BIT(OD_WORD_ALLOCATION) | OD_WORD_BIT(OD_WORD_THING) |
        OD_WORD_BIT(OD_WORD_REQUESTED) | OD_WORD_BIT(OD_WORD_SIZE) | OD_WORD_BIT(OD_WORD_FREE) |
        OD_WORD_BIT(OD_WORD_CAPACITY) | OD_WORD_BIT(OD_WORD_LIMIT) | OD_WORD_BIT(OD_WORD_RESERVED);
    static const char *const links[] = {"of ", "is ", "than ", "on ", "to ", NULL};
    struct od_tokens t;
    uint64_t classes = 0;
    bool unknown = false;
    od_tokens_read(&t, lexicon, text);
    for (size_t i = 0; i < t.n; i++) {
        classes |= t.list[i].classes;
        unknown = unknown || (t.list[i].classes == 0 && !t.list[i].number);
    }
    bool number = t.n > 0 && t.list[0].number;
    bool known =
        t.n > 0 && t.list[0].classes != 0 && (t.list[0].classes & OD_WORD_BIT(OD_WORD_PEOPLE)) == 0;
    bool goes_on = number ? !unknown || (classes & OD_WORD_BIT(OD_WORD_MEMORY)) != 0
                          : known || od_view_starts_any(text, links);
    return !goes_on && (classes & asked) == 0;
}

/* How much more the stored lines say with the next line appended. If the next line is itself a
 * statement, it has to be the end: "allocating 3 GiB on device 0:" and "cudaMalloc failed: out of
 * memory". */
static size_t gain(struct od_sentences *s, struct od_view next, const char *between,
                   const struct od_sentence *before, const struct od_sentence *alone)
{
    s->trial.n = 0;
    od_buf_add(&s->trial, od_buf_view(&s->text));
    od_buf_add_str(&s->trial, between);
    od_buf_add(&s->trial, next);
    struct od_sentence after = od_sentence_read(s->lexicon, od_buf_view(&s->trial));
    if (after.kind == OD_EV_NONE || after.kind == OD_EV_SOFT_WARNING)
        return 0;
    size_t a = count_sizes(&after), b = count_sizes(before);
    if (alone->kind != OD_EV_NONE)
        return a > count_sizes(alone);
    /* a unit on the next line changes the size */
    bool scaled = a == b && after.sizes[0].n > before->sizes[0].n && before->sizes[0].known;
    /* "out of memory" and "GPU: RTX 3090 24GB" */
    bool places = before->supposed && !after.supposed;
    return a > b ? a - b : !s->finished || scaled || places;
}

/* Number of bytes at the start that belong to a number. */
static size_t digits_at_front(struct od_view text, bool hex)
{
    size_t n = 0;
    while (n < text.n && (od_is_digit(text.p[n]) || (hex && od_is_hex(text.p[n])) ||
                          (!hex && (text.p[n] == '.' || text.p[n] == ','))))
        n++;
    return n < text.n && od_is_letter(text.p[n]) && hex ? 0 : n;
}

/* Was the line broken within a number? (Digits on both sides.) */
static bool is_broken(struct od_view before, struct od_view next)
{
    size_t digits = before.n - od_back(before, before.n, od_is_hex);
    bool hex = od_view_ends(od_view_head(before, before.n - digits), OD_VIEW("0x"));
    return digits > 0 && (hex || od_is_digit(before.p[before.n - 1])) &&
           digits_at_front(next, hex) > 0;
}

/* "std::bad_alloc" and "Possible cause": a capital letter after a small one begins a word. */
static bool begins_word(struct od_view before, struct od_view next)
{
    return before.n > 0 && od_is_letter(before.p[before.n - 1]) &&
           !od_is_upper(before.p[before.n - 1]) && od_is_upper(next.p[0]);
}

bool od_sentences_goes_on(struct od_sentences *s, const struct od_line *line,
                          const struct od_sink *sink)
{
    if (!s->open)
        return false;
    /* a prefix is only printed once, and its line may be broken */
    bool next_line = line->at.source == s->first.at.source &&
                     line->at.line == s->first.at.line + s->first.at.nlines;
    if (line->lane != s->first.lane && !next_line) {
        if (++s->age > AGE_MAX)
            emit_stored(s, sink);
        return false;
    }
    struct od_view text = od_view_trim(line->text);
    if (text.n == 0 && s->finished) {
        emit_stored(s, sink); /* text after an empty line is another paragraph */
        return false;
    }
    bool may = text.n > 0 && text.n <= LINE_KEPT && s->first.at.nlines < LINES_MAX &&
               !od_segment_is_code(line->segment) && !is_command(text) &&
               !is_record(s->lexicon, text) &&
               !(s->finished && (is_of_tool(text) || is_remark(s->lexicon, text)));
    size_t apart = 0, joined = 0;
    bool plain = false; /* no refusal of its own */
    if (may) {
        struct od_sentence alone = od_sentence_read(s->lexicon, text);
        plain = alone.kind == OD_EV_NONE;
        if (plain || !s->finished) {
            struct od_sentence before = od_sentence_read(s->lexicon, od_buf_view(&s->text));
            apart = gain(s, text, " ", &before, &alone);
            joined = gain(s, text, "", &before, &alone);
        }
    }
    if (apart == 0 && joined == 0) {
        /* a row among several below the sentence may add nothing */
        bool row = s->finished && plain && ++s->rows <= ROWS_MAX && line->text.n > 0 &&
                   strchr(" \t", line->text.p[0]) != NULL;
        if (!row)
            emit_stored(s, sink);
        return false;
    }
    if (apart > joined || (apart == joined && !is_broken(od_buf_view(&s->text), text)))
        od_buf_add_char(&s->text, ' ');
    else if (begins_word(od_buf_view(&s->text), text))
        s->quote_at = s->text.n;
    od_buf_add(&s->text, text);
    if (!s->finished)
        s->document = od_sentences_around(s);
    s->finished = true;
    s->first.at.nlines += line->at.line > s->first.at.line ? line->at.nlines : 0;
    return true;
}

bool od_sentences_line(struct od_sentences *s, const struct od_line *line,
                       const struct od_sink *sink)
{
    struct od_sentence sentence = od_sentence_read(s->lexicon, line->text);
    s->wrapped = od_view_trim(line->text).n != od_view_trim(s->raw).n;
    if (sentence.kind != OD_EV_NONE && is_documented(s, od_sentences_around(s), &sentence))
        return false;
    bool open = is_unfinished(line->text);
    if (sentence.kind == OD_EV_SOFT_WARNING)
        open = false;
    else if (sentence.kind != OD_EV_NONE && count_sizes(&sentence) == 0)
        open = line->text.n <= LINE_KEPT; /* its numbers may be on the next line */
    if (sentence.kind == OD_EV_NONE) {
        if (open && od_sentence_may_open(s->lexicon, line->text))
            keep(s, line, false, sink);
        return false;
    }
    place_by_lines_before(s, &sentence);
    if (open) {
        keep(s, line, true, sink);
        s->on_device = sentence.space && sentence.space[0] == 'd';
        return true;
    }
    put(s, &sentence, line, sink);
    return true;
}

void od_sentences_end(struct od_sentences *s, const struct od_sink *sink)
{
    emit_stored(s, sink);
}
