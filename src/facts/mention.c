#include "facts/mention.h"

#include "facts/meaning.h"
#include "facts/number.h"
#include "facts/prose.h"

enum { MEBIBYTE = 1 << 20 };
enum { FOUND_MOST = 96, LINE_MOST = 600, NAME_MOST = 64, NEAR = 3 };

/* Weight of a number: highest for settings and counts that can be changed, then amounts. */
enum { WEIGHS_LEAST = 3, WEIGHS_STATE = 4, WEIGHS_EXTENT = 4, WEIGHS_AMOUNT = 6, WEIGHS_COUNT = 7 };

struct search {
    struct od_arena *arena;
    const struct od_mention_question *asked;
    struct od_prov line; /* place of the current line */
    struct od_view text; /* text of the current line */
    bool prose;          /* a person wrote it */
    size_t column;       /* column of the current number */
    struct od_mention found[FOUND_MOST];
    size_t n;
};

/* "maxBatchSize" and "max_batch-size" are compared as " max batch size ". */
static uint64_t means_of(struct od_view name)
{
    char words[2 * NAME_MOST + 2];
    size_t n = 0;
    words[n++] = ' ';
    name = od_view_head(name, NAME_MOST);
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool hump = i > 0 && od_is_upper(c) && !od_is_upper(name.p[i - 1]);
        if ((hump || !od_is_letter(c)) && words[n - 1] != ' ')
            words[n++] = ' ';
        if (od_is_letter(c))
            words[n++] = od_lower(c);
    }
    if (words[n - 1] != ' ')
        words[n++] = ' ';
    return od_size_means((struct od_view){words, n});
}

static bool is_any_of(uint64_t means, uint64_t wanted)
{
    return (means & wanted) != 0 && !od_means(means, OD_SIZE_OTHER);
}

#define BIT(meaning) (UINT64_C(1) << (meaning))
static const uint64_t counted = BIT(OD_SIZE_AT_ONCE) | BIT(OD_SIZE_ITEMS),
                      sizing = BIT(OD_SIZE_AT_ONCE) | BIT(OD_SIZE_ITEMS) | BIT(OD_SIZE_MEMORY) |
                               BIT(OD_SIZE_EXTENT);

static size_t skip_blanks_back(struct od_view text, size_t at)
{
    while (at > 0 && (text.p[at - 1] == ' ' || text.p[at - 1] == '\t'))
        at--;
    return at;
}

static bool is_among_words(struct od_view word, const char *const *words)
{
    char small[16];
    return word.n < sizeof small &&
           od_view_eq_any(od_view_lowered(word, small, sizeof small), words);
}

/* --- what a number counts --- */

/* Trivial values such as "0kB", "1", "0.0" are ignored. */
static bool is_trivial(const struct od_mention *mention)
{
    enum { LONG = 18 }; /* so many digits mean no limit at all */
    double value;
    struct od_view digits = od_view_head(mention->value, od_number_digits_end(mention->value, 0));
    return digits.n > LONG ||
           (od_num_parse_double(digits, &value) &&
            (value <= 0 || (od_view_eq_str(mention->value, "1") && !mention->bytes.known)));
}

static void add(struct search *s, struct od_mention mention)
{
    if (is_trivial(&mention))
        return;
    for (size_t i = 0; i < s->n; i++)
        if (od_view_eq(s->found[i].text, mention.text) ||
            (od_view_eq(s->found[i].name, mention.name) &&
             od_view_eq(s->found[i].value, mention.value)))
            return;
    mention.at = s->line;
    mention.column = s->column;
    mention.prose = s->prose;
    mention.said = od_view_trim(s->prose ? od_sentence_at(s->text, s->column) : s->text);
    if (!s->prose && !mention.sets && s->asked->read && mention.weight == WEIGHS_STATE)
        return;
    if (s->n < FOUND_MOST)
        s->found[s->n++] = mention;
}

static int weight_of(uint64_t means, bool bytes)
{
    if (bytes)
        return WEIGHS_COUNT;
    return is_any_of(means, counted)               ? WEIGHS_COUNT
           : is_any_of(means, BIT(OD_SIZE_MEMORY)) ? WEIGHS_AMOUNT
                                                   : WEIGHS_EXTENT;
}

/* "free heap: 61240", "avail mem=12.1 GB": start of a label of two words. */
static size_t with_word_before(struct od_view text, size_t start)
{
    size_t at = skip_blanks_back(text, start), from;
    if (at == 0 || at + 1 != start)
        return start;
    struct od_view word = od_joined_before(text, at, &from);
    struct od_bytes unit;
    bool plain = word.n > 1 && od_is_letter(word.p[0]) && word.p[word.n - 1] != '.' &&
                 !od_bytes_parse_unit(OD_VIEW("1"), word, OD_UNIT_BINARY, &unit);
    return plain ? from : start;
}

/* Takes the number as the value of a setting: "name=1000", "name: 1000", "--name 1000",
 * "-Xmx6g". */
static bool take_setting(struct search *s, const struct od_number *number)
{
    struct od_view text = s->text;
    struct od_number_name said;
    if (!od_number_name(text, number->start, &said))
        return false;
    struct od_view name = said.name;
    size_t start = said.start;
    bool sign = said.sign, flag = said.flag;
    uint64_t means = means_of(name);
    bool colon = sign && text.p[start + name.n] == ':';
    bool tight = colon && start + name.n + 1 == number->start;
    if (tight && (!is_any_of(means, counted) || od_view_find_char(name, '.', 0) != OD_VIEW_NONE))
        return true; /* "MemorySpace.cpp:26" */
    if (!s->prose && !flag && (colon || number->bytes.known)) {
        start = with_word_before(text, start);
        name = (struct od_view){text.p + start, (size_t)(name.p - text.p) + name.n - start};
        means = means_of(name);
    }
    bool single = flag && name.n == 2 && name.p[1] != '-';
    bool jobs = single && name.p[1] == 'j' && number->end - number->start < 4;
    bool amount = number->bytes.known && (flag || is_any_of(means, sizing));
    if (!amount && !jobs && (single || !is_any_of(means, sizing)))
        return od_means(means, OD_SIZE_OTHER) || flag;
    bool state =
        !flag && !s->prose && od_means(means, OD_SIZE_STATE) && (colon || number->bytes.known);
    struct od_view value = {text.p + number->start, number->end - number->start};
    const char *shown = od_arena_printf(s->arena, "%.*s%s%.*s", (int)name.n, name.p,
                                        colon                              ? ": "
                                        : sign                             ? "="
                                        : text.p[number->start - 1] == ' ' ? " "
                                                                           : "",
                                        (int)value.n, value.p);
    add(s, (struct od_mention){.text = od_view_of(shown),
                               .name = name,
                               .value = value,
                               .bytes = number->bytes,
                               .means = single ? BIT(OD_SIZE_AT_ONCE) : means,
                               .sets = !state,
                               .weight = state ? WEIGHS_STATE : weight_of(means, amount)});
    return true;
}

/* "400 x 300 x 200": start of the first factor. */
static size_t product_start(struct od_view text, size_t start)
{
    while (start > 3 && text.p[start - 1] == ' ' && od_lower(text.p[start - 2]) == 'x' &&
           text.p[start - 3] == ' ' && od_is_digit(text.p[start - 4])) {
        start -= 3;
        while (start > 0 && od_is_digit(text.p[start - 1]))
            start--;
    }
    return start;
}

/* Takes the number with its noun, the next word or the one after it: "13 gunicorn workers", "1750k
 * atoms". */
static bool take_counted(struct search *s, const struct od_number *number)
{
    struct od_view text = s->text;
    size_t at = number->end;
    uint64_t n = 0;
    bool thousands = number->glued && number->end == number->digits_end + 1 &&
                     strchr("kKM", text.p[number->digits_end]);
    if (number->bytes.known && !thousands)
        return false;
    struct od_view digits = {text.p + number->start, number->digits_end - number->start};
    bool whole = od_num_parse_u64(digits, &n);
    if (!thousands && (!whole || n < 2))
        return false;
    for (int i = 0; i < 3; i++) {
        while (at < text.n && (text.p[at] == ' ' || (unsigned char)text.p[at] >= 0x80))
            at++;
        struct od_view noun = od_word_at(text, at);
        bool joins = od_is_small_word(noun) && !od_view_eq_str(noun, "of");
        if (noun.n == 0 || joins || !od_is_letter(noun.p[0]))
            return false;
        at += noun.n;
        bool several =
            od_lower(noun.p[noun.n - 1]) == 's' || (unsigned char)text.p[number->end] >= 0x80;
        uint64_t means = several ? means_of(noun) : 0;
        if (!is_any_of(means, counted))
            continue;
        size_t start = product_start(text, number->start);
        add(s, (struct od_mention){.text = {text.p + start, at - start},
                                   .name = noun,
                                   .value = {text.p + number->start, number->end - number->start},
                                   .means = means,
                                   .weight = s->prose ? WEIGHS_COUNT : WEIGHS_EXTENT});
        return true;
    }
    return false;
}

/* Takes the number with a noun a few words before it: "configurations (26)", "configurations to a
 * maximum of `8`". */
static bool take_counted_before(struct search *s, const struct od_number *number)
{
    static const char *const between[] = {
        "of",   "to", "a",    "the", "maximum", "max",  "minimum", "is",   "was", "are", "about",
        "only", "at", "most", "set", "than",    "more", "least",   "with", "be",  "up",  NULL};
    struct od_view text = s->text;
    size_t at = number->start, start;
    for (int i = 0; i < 6; i++) {
        while (at > 0 && strchr(" `\"'(", text.p[at - 1]))
            at--;
        struct od_view word = od_joined_before(text, at, &start);
        if (word.n == 0)
            return false;
        at = start;
        if (is_among_words(word, between))
            continue;
        if (od_view_find_char(word, '.', 0) != OD_VIEW_NONE)
            return false;
        uint64_t means = means_of(word);
        bool noun = od_lower(word.p[word.n - 1]) == 's' || od_means(means, OD_SIZE_AT_ONCE) ||
                    od_view_find_char(word, '_', 0) != OD_VIEW_NONE;
        if (!noun || !is_any_of(means, counted) || (!s->prose && i > 0))
            return false;
        struct od_view shown = {text.p + start, number->end - start};
        bool opened = od_view_find_char(shown, '(', 0) != OD_VIEW_NONE;
        bool quoted = od_view_count(shown, '`') == 1;
        if ((opened || quoted) && number->end < text.n && strchr(")`", text.p[number->end]))
            shown.n++;
        add(s, (struct od_mention){.text = shown,
                                   .name = word,
                                   .value = {text.p + number->start, number->end - number->start},
                                   .means = means,
                                   .weight = WEIGHS_COUNT});
        return true;
    }
    return false;
}

/* End of the words that name the owner of an amount: "64 GB of the machine", "4GB RAM", "80 GB
 * H100". */
static size_t end_of_owner(struct od_view text, size_t end)
{
    enum { WORDS = 3 };
    bool of = false;
    for (size_t i = 0, at = end; i < WORDS; i++) {
        while (at < text.n && text.p[at] == ' ')
            at++;
        size_t from = at;
        while (at < text.n && od_is_name(text.p[at]) && text.p[at] != '.')
            at++;
        struct od_view word = {text.p + from, at - from};
        if (word.n == 0)
            return end;
        bool model = od_is_upper(word.p[0]) && od_is_digit(word.p[word.n - 1]);
        uint64_t owner = BIT(OD_SIZE_MEMORY) | BIT(OD_SIZE_PLACE) | BIT(OD_SIZE_STATE);
        if (model || is_any_of(means_of(word), owner))
            return at;
        bool small = od_is_small_word(word);
        if (of && !small && od_is_letter(word.p[0]))
            return at;
        of = of || (i == 0 && od_view_eq_str(word, "of"));
        if (!of && (i > 0 || small))
            return end;
    }
    return end;
}

/* Start of the words that name the owner before the amount: "about 3.5GB", "machine has 16 GB",
 * "c5.xlarge (8 GiB". */
static size_t start_of_owner(struct od_view text, size_t start)
{
    enum { WORDS = 3 };
    static const char *const verbs[] = {"is", "has", "have", "was", NULL};
    for (int i = 0; i < WORDS; i++) {
        size_t at = start, from;
        while (at > 0 && at + 2 > start && (text.p[at - 1] == ' ' || text.p[at - 1] == '('))
            at--;
        struct od_view word = od_joined_before(text, at, &from);
        if (word.n == 0 || !od_is_letter(word.p[0]) || strchr(".-", word.p[word.n - 1]) ||
            (od_is_small_word(word) && (i > 0 || !is_among_words(word, verbs))))
            break;
        start = from;
    }
    return start;
}

/* Is it the total of a memory ("16 GB RAM", "machine has 16 GB"), unlike "26 GB free"? */
static bool is_whole(struct od_view phrase)
{
    uint64_t means = 0;
    for (size_t i = 0; i < phrase.n; i++) {
        struct od_view word = od_word_at(phrase, i);
        if (od_view_eq_str(word, "from") || od_view_eq_str(word, "to"))
            return false; /* "pod rises from 1.1 GB" */
        means |= word.n > 0 ? means_of(word) : 0;
        i += word.n;
    }
    return (od_means(means, OD_SIZE_PLACE) || od_means(means, OD_SIZE_MEMORY)) &&
           !od_means(means, OD_SIZE_STATE);
}

/* Takes an amount with the words that name its owner: "64 GB of the machine", "4GB RAM", "about
 * 3.5GB". */
static void take_amount(struct search *s, const struct od_number *number)
{
    struct od_view text = s->text;
    size_t start = number->start, end = end_of_owner(text, number->end);
    if (end == number->end)
        start = start_of_owner(text, start);
    if (od_view_find_char((struct od_view){text.p + start, end - start}, '(', 0) != OD_VIEW_NONE &&
        !(end < text.n && text.p[end] == ')'))
        start = number->start; /* the brackets contain more than the amount */
    if (start == number->start && end == number->end)
        return;
    bool opened =
        od_view_find_char((struct od_view){text.p + start, end - start}, '(', 0) != OD_VIEW_NONE;
    end += opened && end < text.n && text.p[end] == ')';
    bool whole = is_whole((struct od_view){text.p + start, end - start});
    add(s, (struct od_mention){.text = {text.p + start, end - start},
                               .value = {text.p + number->start, number->end - number->start},
                               .bytes = number->bytes,
                               .means = BIT(OD_SIZE_MEMORY),
                               .whole = whole,
                               .weight = WEIGHS_AMOUNT});
}

/* Takes amounts in the failure's own words: "available 1552", "(1878720512 in use)". */
static void take_state(struct search *s, const struct od_number *number)
{
    static const struct od_view in_use = {"in use", 6};
    struct od_view text = s->text;
    size_t at = number->start, start;
    while (at > 0 && strchr(" :=(", text.p[at - 1]))
        at--;
    struct od_view word = od_joined_before(text, at, &start);
    bool before = word.n > 0 && is_any_of(means_of(word), BIT(OD_SIZE_STATE));
    struct od_view rest = od_view_from(text, number->end), ratio;
    if (od_view_take(&rest, OD_VIEW("/"))) { /* "937.5 MiB/953.6 MiB used" */
        ratio = od_num_take_text(&rest);
        od_view_skip_blanks(&rest);
        (void)(ratio.n > 0 && od_view_take_letters(&rest).n > 0);
    }
    od_view_skip_blanks(&rest);
    struct od_view after =
        od_view_starts(rest, in_use) ? od_view_head(rest, in_use.n) : od_word_at(rest, 0);
    bool behind = after.n > 0 && is_any_of(means_of(after), BIT(OD_SIZE_STATE));
    if (!before && !behind)
        return;
    enum { SMALL = 256 };
    double value = 0;
    struct od_view digits = {text.p + number->start, number->digits_end - number->start};
    struct od_bytes bytes = number->bytes;
    (void)od_num_parse_double(digits, &value);
    if (!bytes.known && value >= MEBIBYTE)
        /* without a unit, numbers in the millions are bytes */
        bytes = od_bytes_exact((uint64_t)value);
    if (!bytes.known && value < SMALL)
        return;
    struct od_view amount = {digits.p, number->end - number->start};
    if (bytes.known && number->end == number->digits_end)
        amount = od_view_of(od_bytes_text(s->arena, bytes));
    if (!behind)
        start = with_word_before(text, start);
    struct od_view name =
        behind ? after
               : (struct od_view){text.p + start, (size_t)(word.p - text.p) + word.n - start};
    const char *shown =
        behind
            ? od_arena_printf(s->arena, "%.*s %.*s", (int)amount.n, amount.p, (int)name.n, name.p)
            : od_arena_printf(s->arena, "%.*s %.*s", (int)name.n, name.p, (int)amount.n, amount.p);
    add(s, (struct od_mention){.text = od_view_of(shown),
                               .value = amount,
                               .bytes = bytes,
                               .means = BIT(OD_SIZE_STATE),
                               .weight = WEIGHS_STATE});
}

/* A measurement of `oomdoctor run` is a sample of a series. */
static bool is_measured(struct od_view line)
{
    return od_view_starts(line, OD_VIEW("oomdoctor run: ")) &&
           od_view_ends(od_view_trim(line), OD_VIEW(" bytes"));
}

static void read_line(struct search *s, struct od_view line)
{
    if (is_measured(line))
        return;
    s->text = od_view_head(line, LINE_MOST);
    bool near = od_prov_distance(&s->line, &s->asked->at) < NEAR;
    bool failed = od_prov_distance(&s->line, &s->asked->at) == 0;
    s->prose = !failed && od_is_prose(s->text);
    struct od_number number;
    for (size_t i = 0; od_number_next(s->text, &i, &number);) {
        bool glued = number.start > 0 && od_is_letter(s->text.p[number.start - 1]);
        bool option = number.glued && strchr("mgt", s->text.p[number.digits_end]) &&
                      number.end == number.digits_end + 1; /* "-t 5m" may be minutes */
        s->column = number.start;
        if (option && !glued)
            continue;
        if (take_setting(s, &number) || glued)
            continue;
        if (number.bytes.known && number.end - number.digits_end > 1) {
            if (s->prose)
                take_amount(s, &number);
            else if (near)
                take_state(s, &number);
        } else if (!take_counted(s, &number) && !take_counted_before(s, &number) && near) {
            take_state(s, &number);
        }
    }
}

/* --- the most informative ones --- */

/* A number that changes from line to line is progress, or memory over time. */
static bool is_series(const struct search *s, const struct od_mention *mention)
{
    enum { OFTEN = 2 };
    size_t others = 0;
    for (size_t i = 0; mention->name.n > 0 && i < s->n; i++)
        others += !s->found[i].prose && od_view_eq(s->found[i].name, mention->name) &&
                  !od_view_eq(s->found[i].value, mention->value);
    return others >= OFTEN;
}

/* Is it one of a series, or printed like a setting beside one, as in the metrics of a server? */
static bool is_measurement(const struct search *s, const struct od_mention *mention)
{
    bool beside = mention->sets && !mention->prose && mention->text.p[0] != '-';
    for (size_t i = 0; beside && i < s->n; i++)
        if (&s->found[i] != mention && od_prov_cmp(&s->found[i].at, &mention->at) == 0 &&
            is_series(s, &s->found[i]))
            return true;
    return is_series(s, mention);
}

static bool precedes(const struct od_mention *a, const struct od_mention *b)
{
    return a->at.line < b->at.line || (a->at.line == b->at.line && a->column < b->column);
}

static void choose(const struct search *s, struct od_mentions *to)
{
    bool taken[FOUND_MOST] = {false};
    for (int weight = WEIGHS_COUNT; weight >= WEIGHS_LEAST; weight--)
        for (size_t i = 0; i < s->n && to->n < OD_MENTIONS_MOST; i++) {
            const struct od_mention *mention = &s->found[i];
            if (mention->weight != weight || is_measurement(s, mention))
                continue;
            taken[i] = true;
            to->n++;
        }
    to->n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (taken[i])
            to->list[to->n++] = s->found[i];
    for (size_t i = 1; i < to->n; i++) /* windows may precede earlier ones */
        for (size_t k = i; k > 0 && precedes(&to->list[k], &to->list[k - 1]); k--) {
            struct od_mention swap = to->list[k];
            to->list[k] = to->list[k - 1];
            to->list[k - 1] = swap;
        }
}

const struct od_mentions *od_mentions_find(const struct od_mention_question *question,
                                           struct od_arena *arena)
{
    struct od_mentions *mentions = OD_NEW(arena, struct od_mentions);
    struct search *s = OD_NEW(arena, struct search);
    s->arena = arena;
    s->asked = question;
    s->line = (struct od_prov){.source = question->at.source, .nlines = 1};
    struct od_view rest = od_around_head(question->around, s->line.source), line;
    while (od_view_cut(&rest, '\n', &line)) {
        s->line.line++;
        read_line(s, line);
    }
    while (od_around_next(question->around, &s->line, &line))
        read_line(s, line);
    choose(s, mentions);
    return mentions;
}
