#include "facts/mention.h"

#include "base/mask_digits.h"
#include "facts/meaning.h"
#include "facts/number.h"
#include "facts/segment.h"
#include "facts/statement.h"

#include "facts/mention_lists.inc"
#include "facts/mention_parts.h"

enum { LINE_MOST = 600 };

struct search {
    struct od_arena *arena;
    const struct od_mention_question *asked;
    struct od_prov line;    /* place of the current line */
    struct od_view text;    /* text of the current line */
    bool prose;             /* a person wrote the current line */
    size_t column;          /* column of the current number */
    size_t amount_end;      /* end of the line's last amount; 0 = none */
    struct od_view head;    /* last line without digits, which may be a heading of columns */
    struct od_view key;     /* key above the current line, as in YAML: "limits" */
    size_t indent;          /* indentation of that key */
    uint64_t heading;       /* meanings of the last line that ends with a colon */
    struct od_view row;     /* "Mem" of "MiB Mem : 1949.6 total, 57.3 free" */
    struct od_view lead;    /* "rss" of "rss: current: 3221225472, peak: 4294967296" */
    struct od_view unit;    /* unit of that row or lead: "MiB" */
    struct od_view columns; /* unit of the columns of free, which prints none */
    struct od_mentions_found found;
};

#define BIT(meaning) (UINT64_C(1) << (meaning))
static const uint64_t counted = BIT(OD_SIZE_AT_ONCE) | BIT(OD_SIZE_ITEMS),
                      sizing = BIT(OD_SIZE_AT_ONCE) | BIT(OD_SIZE_ITEMS) | BIT(OD_SIZE_MEMORY) |
                               BIT(OD_SIZE_EXTENT),
                      named_state = BIT(OD_SIZE_STATE) | BIT(OD_SIZE_LIMIT) | BIT(OD_SIZE_ASKED);

/* --- numbers that count things --- */

/* "12k requests" */
static bool is_thousands(struct od_view text, const struct od_number *number)
{
    struct od_view noun = od_word_at(text, number->end + 1);
    return number->end == number->digits_end + 1 && number->end < text.n &&
           text.p[number->end] == ' ' && noun.n > 0 && od_is_letter(noun.p[0]) &&
           od_view_ends(noun, OD_VIEW("s")) && od_is_size(od_mention_means(noun), counted);
}

/* Trivial values such as "0kB", "1", "0.0" are ignored. */
static bool is_trivial(const struct od_mention *mention)
{
    enum { LONG = 18 }; /* more digits mean "no limit" */
    double value;
    struct od_view digits = od_view_head(mention->value, od_number_digits_end(mention->value, 0));
    static const uint64_t none = UINT64_C(1) << 60, few = 1024; /* bytes */
    return digits.n > LONG || mention->bytes.lo >= none ||
           (mention->bytes.known && mention->bytes.hi < few) ||
           (od_num_parse_double(digits, &value) &&
            (value <= 0 || (od_view_eq_str(mention->value, "1") && !mention->bytes.known)));
}

static void add(struct search *s, struct od_mention mention)
{
    bool amount = mention.bytes.known && !mention.sets && !mention.of.known;
    if (is_trivial(&mention))
        return;
    if (s->prose) { /* quote a person's whole sentence, or nothing */
        if (od_statement_check(s->text, mention.value, mention.means, amount) !=
            OD_STATEMENT_GOOD) {
            s->found.dropped++;
            return;
        }
        mention.text = od_statement_around(s->text, mention.value);
    }
    for (size_t i = 0; i < s->found.n; i++)
        if ((!s->prose && od_view_eq(s->found.list[i].text, mention.text)) ||
            (od_view_eq(s->found.list[i].name, mention.name) &&
             od_view_eq(s->found.list[i].value, mention.value)))
            return;
    mention.at = s->line;
    mention.column = s->column;
    mention.prose = s->prose;
    if (mention.label.n == 0)
        mention.label = mention.name;
    if (s->found.n < OD_MENTIONS_FOUND)
        s->found.list[s->found.n++] = mention;
}

static int rank_of(uint64_t means, bool amount)
{
    bool held = od_is_size(means, BIT(OD_SIZE_STATE) | BIT(OD_SIZE_MEMORY));
    return od_is_size(means, BIT(OD_SIZE_LIMIT))     ? (amount ? OD_RANK_LIMIT : OD_RANK_SET)
           : od_is_size(means, BIT(OD_SIZE_ASKED))   ? (amount ? OD_RANK_ASKED : OD_RANK_SET)
           : held                                    ? (amount ? OD_RANK_HELD : OD_RANK_SET)
           : od_is_size(means, BIT(OD_SIZE_AT_ONCE)) ? (amount ? OD_RANK_SET : OD_RANK_COUNT)
           : amount                                  ? OD_RANK_AMOUNT
                                                     : OD_RANK_ITEMS;
}

/* --- amounts with their names --- */

/* The words before an amount that name it: "KV self size  = 4 GiB", "weights take 5 GiB", "mem (8
 * GiB"; an empty name = none. */
static struct od_number_name label_before(struct od_view text, size_t number)
{
    enum { WORDS = 5 };
    size_t end = od_back_any(text, od_back_any(text, number, "\"'`([~*"), " \t*"), n = 0;
    struct od_number_name label = {.sign = end > 0 && strchr("=:", text.p[end - 1]),
                                   .link = number > 0 && strchr("([", text.p[number - 1])};
    bool tight = label.sign && end > 1 && text.p[end - 1] == '=' && text.p[end - 2] != ' ';
    end = od_back_any(text, end - label.sign, " \t");
    label.unit = od_unit_in_brackets(text, &end);
    end = od_back_any(text, od_back_any(text, end, " \t"), "\"'`");
    for (size_t start = end; n < (tight ? 1 : WORDS);) {
        size_t at = od_back_any(text, start, " "), first = at;
        while (first > 0 && !strchr(" \t,;|([{<>=:\"`\\*", text.p[first - 1]))
            first--;
        struct od_view word = {text.p + first, at - first};
        bool names =
            word.n > 0 && !od_view_eq_any(word, levels) &&
            (od_is_letter(word.p[0]) || strchr("_%-", word.p[0])) &&
            (od_is_word(word.p[word.n - 1]) || (n > 0 && word.p[word.n - 1] == '.' &&
                                                od_is_shortened(od_view_head(word, word.n - 1))));
        struct od_bytes unit; /* "1.12 GB to 61 GB" */
        bool measures = (n == 0 || !label.sign) &&
                        od_bytes_parse_unit(OD_VIEW("1"), word, OD_UNIT_BINARY, &unit);
        if (!names || measures || (n > 0 && start - at != 1))
            break;
        bool verb = !label.sign && od_view_eq_any(word, verbs);
        bool between = verb || (!label.sign && od_view_eq_any(word, joints));
        if (!label.sign && ((n > 0 && verb) || (!between && od_is_small_word(word))))
            break;
        between = between && n == 0;
        if (between && first > 1 && text.p[first - 1] == '(') /* "a file (about 30 GB" */
            first -= text.p[first - 2] == ' ' ? 2 : 1;
        start = first;
        end = between ? first : end;
        n += !between;
        if (n == 1 || !od_is_small_word(word)) /* drop "my", "the" before a name */
            label.start = first;
        label.link = label.link || (between && verb);
    }
    end = od_back_any(text, end, " ");
    if (n > 0 && end > label.start)
        label.name = (struct od_view){text.p + label.start, end - label.start};
    return label;
}

/* The file that the words end in, "model-q4.bin" of "the model-q4.bin file"; empty = none. */
static struct od_view file_in(struct od_view words)
{
    enum { SHORTEST = 2, LONGEST = 12 }; /* letters of an extension */
    struct od_view word = od_view_last_word(words), rest;
    if (od_view_eq_str(word, "file"))
        word = od_view_last_word(od_view_trim(od_view_head(words, words.n - word.n)));
    size_t dot = word.n;
    while (dot > 1 && word.p[dot - 1] != '.')
        dot--;
    rest = od_view_from(word, dot);
    bool file = dot > 1 && rest.n >= SHORTEST && rest.n <= LONGEST && od_is_letter(rest.p[0]);
    return file && !od_view_has(word, OD_VIEW("://")) ? word : (struct od_view){0};
}

/* "limits memory", "Mem free": two parts of a name, either of which may be missing. */
static struct od_view joined(const struct search *s, struct od_view a, struct od_view b)
{
    if (a.n == 0 || b.n == 0 || a.p == b.p)
        return a.n > 0 ? a : b;
    return od_view_of(od_arena_printf(s->arena, "%.*s %.*s", (int)a.n, a.p, (int)b.n, b.p));
}

/* The name of an amount. Stores the unit and name of a row for its further numbers. */
static struct od_number_name label_of(struct search *s, const struct od_number *number)
{
    struct od_number_name label = label_before(s->text, number->start);
    struct od_view rest = label.name, first;
    bool several = od_view_cut(&rest, ' ', &first) && rest.n > 0;
    if (several && od_number_in_unit(OD_VIEW("1"), first).known) {
        s->unit = first;
        s->row = label.name = rest;
        label.start += (size_t)(rest.p - first.p);
    } else if (label.sign && label.name.n > 0) {
        if (!od_means(od_mention_means(label.name), OD_SIZE_MEMORY))
            label.name = joined(s, s->lead, label.name);
        s->row = label.name;
    }
    return label;
}

/* The column's name: the word of the heading above the number. */
static struct od_view column_of(const struct search *s, const struct od_number *number)
{
    struct od_view head = s->head, word = {0};
    if (od_view_has(head, OD_VIEW("Mounted")) && !od_view_has(s->text, OD_VIEW("shm")) &&
        !od_view_has(s->text, OD_VIEW("tmpfs")))
        return word; /* sizes of disks (df) */
    for (size_t at = 0; at < head.n && at<number->end; at += word.n> 0 ? word.n : 1) {
        word = od_word_at(head, at);
        if (word.n > 0 && at + word.n >= number->start &&
            od_is_size(od_mention_means(word), named_state))
            return word;
    }
    return (struct od_view){0};
}

/* Gives a number without a unit that of its row or name. Otherwise millions are bytes, if the
 * number is memory, and so is any limit or use in bytes. */
static void find_unit(struct search *s, const struct od_number_name *label,
                      struct od_number *number)
{
    enum { MEBIBYTE = 1 << 20 };
    struct od_view digits = {s->text.p + number->start, number->digits_end - number->start};
    bool has_unit = label->unit.n > 0 || od_view_ends(label->name, OD_VIEW("ytes"));
    uint64_t value, means = label->name.n > 0 && !s->prose ? od_mention_means(label->name) : 0;
    uint64_t wanted =
        BIT(OD_SIZE_MEMORY) | (has_unit && !od_means(means, OD_SIZE_EXTENT) ? named_state : 0);
    bool memory = od_is_size(means, wanted) && !od_is_size(means, counted);
    if (number->bytes.known || number->share)
        return;
    bool column = s->row.n > 0 && column_of(s, number).n > 0;
    struct od_view unit = s->unit.n > 0 ? s->unit : column ? s->columns : od_unit_in(label->name);
    number->bytes = od_number_in_unit(digits, unit.n > 0 || !memory ? unit : label->unit);
    if (!number->bytes.known && memory && od_num_parse_u64(digits, &value) && value >= MEBIBYTE)
        number->bytes = od_bytes_exact(value);
}

/* "free" of "57.3 free, 1836.2 used", not "Max" of "2048 MB Max Memory Used: 91 MB" */
static struct od_view state_behind(struct od_view rest)
{
    static const struct od_view in_use = {"in use", 6};
    od_view_skip_blanks(&rest);
    struct od_view word = od_view_starts(rest, in_use) ? in_use : od_word_at(rest, 0);
    rest = od_view_from(rest, word.n);
    bool ends = rest.n == 0 || !od_is_word(rest.p[0]);
    od_view_skip_blanks(&rest);
    ends = ends && (rest.n == 0 || !od_is_letter(rest.p[0]));
    return ends && od_is_size(od_mention_means(word), named_state) ? word : (struct od_view){0};
}

/* The name from its first known word on: "Total Memory" of "says Total Memory". */
static struct od_view known_part(struct od_view name)
{
    uint64_t known = named_state | BIT(OD_SIZE_MEMORY) | BIT(OD_SIZE_PLACE);
    for (struct od_view rest = name, word; od_view_cut(&rest, ' ', &word);)
        if (od_is_size(od_mention_means(word), known))
            return od_view_from(name, (size_t)(word.p - name.p));
    return (struct od_view){0};
}

/* "CPU Virtual Memory" of "CPU Virtual Memory:  used = 40 GB", "avail" of "avail mem=3 GB" */
static struct od_view owner_before(struct od_view text, const struct od_number_name *label,
                                   bool state, bool *ret_known)
{
    struct od_number_name owner = label_before(text, label->start);
    bool near =
        label->sign && od_is_size(od_mention_means(od_view_last_word(owner.name)), named_state);
    bool known = known_part(owner.name).n > 0 ||
                 od_means(od_mention_means(od_view_last_word(owner.name)), OD_SIZE_MEMORY);
    *ret_known = !(state && owner.sign) || known;
    return state && owner.sign ? owner.name
           : !state && near    ? od_view_last_word(owner.name)
                               : (struct od_view){0};
}

/* Takes an amount with its name: "model weights take 5.2 GiB", "57.3 MiB free", "mem: 2 of 8 GB",
 * or with the names of its row and column. A name before it must be of memory. */
static void take_named(struct search *s, const struct od_number *number,
                       const struct od_number_name *said, struct od_bytes of)
{
    enum { LARGE = 1 << 30 }; /* bytes; a size that is no block or file */
    struct od_view text = s->text, rest = od_view_from(text, number->end);
    struct od_number_name label = *said;
    struct od_view name = label.name;
    size_t start = number->start, indent = (size_t)(od_view_trim(text).p - text.p);
    bool negative = start > 0 && text.p[start - 1] == '-';
    uint64_t means = od_mention_means(name), amounts = named_state | BIT(OD_SIZE_MEMORY);
    struct od_view behind = state_behind(rest), row = s->row;
    if (behind.n == 0) {
        behind = column_of(s, number);
        row = od_word_at(text, indent);
    }
    bool column = !label.sign && start > 1 && text.p[start - 2] == ' ',
         memory = od_means(means, OD_SIZE_MEMORY);
    bool long_name = behind.n > 0 && od_view_count(name, ' ') > 2;
    if (long_name)
        row = (struct od_view){0};
    struct od_view file = label.sign ? (struct od_view){0} : file_in(name);
    if (!label.sign && !(label.link && od_is_size(means, amounts)))
        name = file.n > 0 ? file : known_part(name);
    if (long_name || (!label.sign && !label.link && file.n == 0 &&
                      !od_is_size(od_mention_means(od_view_last_word(name)), amounts)))
        name = (struct od_view){0};
    bool nested = label.sign && label.start == indent && s->key.n > 0 && indent > s->indent;
    if (behind.n > 0 && !od_is_size(means, named_state))
        name = joined(s, name.n > 0 ? name : row, behind);
    else if (nested)
        name = joined(s, s->key, name);
    bool known = true;
    means = od_mention_means(name);
    bool state = od_is_size(means, named_state);
    if (name.n > 0 && name.p == label.name.p && !(state && memory))
        name = joined(s, owner_before(text, &label, state, &known), name);
    bool tells =
        number->share ? od_means(means, OD_SIZE_MEMORY) && !column : od_is_size(means, amounts);
    bool sized = number->bytes.known && number->bytes.lo >= LARGE &&
                 od_means(means, OD_SIZE_EXTENT) &&
                 (means & (BIT(OD_SIZE_OTHER) | BIT(OD_SIZE_DATA))) == 0 &&
                 od_view_find_char(name, ' ', 0) != OD_VIEW_NONE;
    bool plain = !sized && (means & (BIT(OD_SIZE_OTHER) | BIT(OD_SIZE_EXTENT))) != 0; /* "Size" */
    bool place =
        label.sign && (text.p[number->start - 1] == ':' || /* "min:42080kB", "a.tar: 4 MB" */
                       od_view_find_char(name, '.', 0) != OD_VIEW_NONE);
    bool owned = label.link || label.unit.n > 0 || of.known || od_view_count(name, ' ') > 0 ||
                 od_means(means, OD_SIZE_MEMORY) || (label.sign && !od_view_eq_str(name, "total"));
    bool sums =
        od_scope_is_within(s->asked->scope, OD_SCOPE_MACHINE) && od_means(s->heading, OD_SIZE_NODE);
    bool of_last =
        !label.sign && label.name.n > 0 && s->amount_end > 0 && label.start <= s->amount_end + 1;
    if (name.n == 0 || negative || !owned || of_last || !known || sums ||
        !(tells || (number->bytes.known && !number->share && !plain && !place)))
        return;
    size_t from = label.name.n > 0 ? label.start : start;
    add(s, (struct od_mention){.text = {text.p + from, number->end - from},
                               .name = label.name,
                               .label = name,
                               .value = {text.p + start, number->end - start},
                               .bytes = number->bytes,
                               .of = of,
                               .share = number->share,
                               .means = means,
                               .nested = nested,
                               .sets = label.sign && !od_is_size(means, named_state),
                               .rank = rank_of(means, true)});
}

/* Takes the number as the value of a setting: "name=1000", "name: 1000", "--name 1000",
 * "-Xmx6g". */
static bool take_setting(struct search *s, const struct od_number *number,
                         const struct od_number_name *label)
{
    struct od_view text = s->text;
    struct od_number_name said;
    if (!od_number_name(text, number->start, &said))
        return false;
    struct od_view name = said.name;
    size_t start = said.start;
    bool sign = said.sign, flag = said.flag;
    uint64_t means = od_mention_means(name);
    bool colon = sign && text.p[start + name.n] == ':';
    bool tight = colon && start + name.n + 1 == number->start;
    if (tight && !number->bytes.known &&
        (!od_is_size(means, counted) || od_view_find_char(name, '.', 0) != OD_VIEW_NONE))
        return true; /* "MemorySpace.cpp:26" */
    if (!s->prose && !flag && number->bytes.known)
        return false;
    bool single = flag && name.n == 2 && name.p[1] != '-';
    bool jobs = single && name.p[1] == 'j' && number->end - number->start < 4;
    bool amount = number->bytes.known && (flag || od_is_size(means, sizing));
    bool identifier = s->prose && sign && !colon && number->end == number->digits_end &&
                      od_view_find_char(name, '_', 0) != OD_VIEW_NONE;
    bool told = (identifier || (s->prose && flag && !single)) && !od_means(means, OD_SIZE_OTHER);
    if (!amount && !jobs && !told && (single || !od_is_size(means, sizing)))
        return od_means(means, OD_SIZE_OTHER) || flag;
    if (!number->bytes.known && colon && column_of(s, number).n > 0)
        return true;
    if (!number->bytes.known && colon &&
        od_is_size(od_mention_means(od_word_at(text, number->end + 1)), counted))
        return false; /* "cache: 24576 tokens" */
    struct od_view value = {text.p + number->start, number->end - number->start};
    const char *shown = od_arena_printf(s->arena, "%.*s%s%.*s", (int)name.n, name.p,
                                        colon                              ? ": "
                                        : sign                             ? "="
                                        : text.p[number->start - 1] == ' ' ? " "
                                                                           : "",
                                        (int)value.n, value.p);
    add(s, (struct od_mention){.text = od_view_of(shown),
                               .name = name,
                               .label = flag || s->prose ? name : label->name,
                               .value = value,
                               .bytes = number->bytes,
                               .means = single ? BIT(OD_SIZE_AT_ONCE) : means,
                               .sets = true,
                               .identifier = identifier,
                               .rank = rank_of(means, number->bytes.known)});
    return true;
}

/* Is the number the name's: directly after it ("batch size 8"), or after a word such as "of"
 * ("length of 8192"), but not "to"? */
static bool is_linked(struct od_view text, const struct od_number_name *label, size_t number)
{
    size_t end = label->name.n > 0 ? (size_t)(label->name.p - text.p) + label->name.n : number;
    struct od_view between = od_view_from(od_view_head(text, number), end);
    size_t letter = 0;
    while (letter < between.n && !od_is_letter(between.p[letter]))
        letter++;
    return od_view_eq_str(between, " ") ||
           (letter < between.n && !od_view_has(between, OD_VIEW(" to ")));
}

/* Takes the number with its noun, the next word or the one after it: "13 gunicorn workers", "1750k
 * atoms". */
static void take_counted(struct search *s, const struct od_number *number)
{
    struct od_view text = s->text;
    size_t at = number->end;
    uint64_t n = 0;
    bool thousands = number->glued && number->end == number->digits_end + 1 &&
                     strchr("kKM", text.p[number->digits_end]);
    if (number->bytes.known && !thousands)
        return;
    struct od_view digits = {text.p + number->start, number->digits_end - number->start};
    bool whole = od_num_parse_u64(digits, &n);
    if (!thousands && (!whole || n < 2))
        return;
    struct od_number_name label = label_before(text, number->start);
    bool opened = number->start > 0 && strchr("([", text.p[number->start - 1]);
    if (s->prose && !opened && is_linked(text, &label, number->start) &&
        od_means(od_mention_means(label.name), OD_SIZE_INPUT)) {
        add(s, (struct od_mention){.text = {text.p + label.start, number->end - label.start},
                                   .name = label.name,
                                   .value = {text.p + number->start, number->end - number->start},
                                   .means = BIT(OD_SIZE_ITEMS),
                                   .pair = true,
                                   .rank = OD_RANK_COUNT});
        return;
    }
    for (int i = 0; i < 3; i++) {
        while (at < text.n && (text.p[at] == ' ' || (unsigned char)text.p[at] >= 0x80))
            at++;
        struct od_view noun = od_word_at(text, at);
        bool joins = od_is_small_word(noun) && !od_view_eq_str(noun, "of");
        if (noun.n == 0 || joins || !od_is_letter(noun.p[0]))
            return;
        at += noun.n;
        bool several =
            od_lower(noun.p[noun.n - 1]) == 's' || (unsigned char)text.p[number->end] >= 0x80;
        uint64_t means = several ? od_mention_means(noun) : 0;
        if (!od_is_size(means, counted))
            continue;
        add(s, (struct od_mention){.text = {text.p + number->start, at - number->start},
                                   .name = noun,
                                   .value = {text.p + number->start, number->end - number->start},
                                   .means = means,
                                   .rank = rank_of(means, false)});
        return;
    }
}

/* Is it the name of a card: "A100", "V100"? */
static bool is_model(struct od_view word)
{
    return word.n > 2 && od_is_upper(word.p[0]) && od_is_digit(word.p[word.n - 1]);
}

/* End of the words that name the owner of an amount: "64 GB of the machine", "4GB RAM", "80 GB
 * H100". */
static size_t end_of_owner(struct od_view text, size_t end)
{
    enum { WORDS = 3 };
    bool of = false, found = false;
    for (size_t i = 0, at = end; i < WORDS; i++) {
        while (at < text.n && text.p[at] == ' ')
            at++;
        size_t from = at;
        while (at < text.n && od_is_name(text.p[at]) && text.p[at] != '.')
            at++;
        struct od_view word = {text.p + from, at - from};
        if (word.n == 0)
            return end;
        bool model = is_model(word);
        uint64_t owner = BIT(OD_SIZE_MEMORY) | BIT(OD_SIZE_PLACE) | BIT(OD_SIZE_DATA) | named_state;
        if (model || od_is_size(od_mention_means(word), owner)) {
            end = at; /* "12 GB of GPU memory" */
            found = true;
            continue;
        }
        if (found)
            return end;
        bool small = od_is_small_word(word);
        if (of && !small && od_is_letter(word.p[0]))
            return at;
        of = of || (i == 0 && od_view_eq_str(word, "of"));
        if (!of && (small || (i > 0 && !od_is_upper(word.p[0])))) /* "4 GB Digital Ocean droplet" */
            return end;
    }
    return end;
}

/* Is it the total of a memory ("16 GB RAM", "machine has 16 GB"), unlike "26 GB free" and "pod
 * rises from 1.1 GB"? */
static bool is_whole(struct od_view phrase)
{
    uint64_t means = od_mention_phrase_means(phrase);
    return (od_means(means, OD_SIZE_PLACE) || od_means(means, OD_SIZE_MEMORY)) &&
           (means & (named_state | BIT(OD_SIZE_DATA))) == 0 &&
           !od_view_has(phrase, OD_VIEW(" from ")) && !od_view_has(phrase, OD_VIEW(" to "));
}

/* Does a word before it say that the amount is needed, "need about 42 GB"? */
static bool is_needed(struct od_view text, size_t start)
{
    size_t from, end = od_back_any(text, start, " ");
    struct od_view word = od_joined_before(text, end, &from);
    if (od_view_eq_any(word, joints))
        word = od_joined_before(text, od_back_any(text, from, " "), &from);
    return od_view_eq_any(word, needs);
}

/* The words around the number within its clause, up to the next numbers. */
static struct od_view words_around(const struct search *s, const struct od_number *number)
{
    struct od_view value = od_view_part(s->text, number->start, number->end),
                   part = od_statement_part(s->text, value);
    size_t from = (size_t)(part.p - s->text.p), to = number->end, end = from + part.n;
    while (to < end && !od_number_begins(s->text, to))
        to++;
    return od_view_part(s->text, s->amount_end > from ? s->amount_end : from, to);
}

/* Do the words around the number show that it is not memory, as in "250 GB SSD"? */
static bool is_of_other(struct od_view text, const struct od_number *number, struct od_view before)
{
    enum { WORDS = 2 };
    struct od_view rest = od_view_from(text, number->end), word;
    bool other = od_means(od_mention_phrase_means(before), OD_SIZE_OTHER);
    od_view_skip_blanks(&rest);
    for (int i = 0; i < WORDS && od_view_cut(&rest, ' ', &word) && !od_view_eq_any(word, joints);
         i++)
        other = other || od_means(od_mention_means(word), OD_SIZE_OTHER);
    return other;
}

/* Takes an amount of a person's words if those around it say whose it is: "64 GB of the machine",
 * "the RAM that I have is 8 GB", "A100 with 40 GB". */
static void take_amount(struct search *s, const struct od_number *number, struct od_bytes of)
{
    struct od_view text = s->text, phrase = words_around(s, number);
    struct od_number_name label = label_before(text, number->start);
    uint64_t means = file_in(label.name).n > 0
                         ? BIT(OD_SIZE_DATA)
                         : od_mention_phrase_means(phrase) | od_mention_phrase_means(label.name);
    if (is_model(od_view_last_word(label.name)))
        means |= BIT(OD_SIZE_PLACE) | BIT(OD_SIZE_DEVICE);
    bool linked = is_linked(text, &label, number->start) && od_means(means, OD_SIZE_ITEMS);
    uint64_t owner = named_state | BIT(OD_SIZE_MEMORY) | BIT(OD_SIZE_PLACE) | BIT(OD_SIZE_DATA) |
                     BIT(OD_SIZE_DEVICE) | BIT(OD_SIZE_HOST);
    bool whole = !is_needed(text, number->start) && is_whole(phrase);
    if (!((means & owner) || linked || of.known) ||
        (is_of_other(text, number, label.name) && !od_means(means, OD_SIZE_DATA)) ||
        (!whole && s->line.line == 1 && s->asked->at.line > 1)) /* a title repeats the failure */
        return;
    add(s, (struct od_mention){.text = phrase,
                               .value = {text.p + number->start, number->end - number->start},
                               .bytes = of.known ? of : number->bytes,
                               .of = of,
                               .means = (BIT(OD_SIZE_MEMORY) | means) & ~BIT(OD_SIZE_OTHER),
                               .whole = whole,
                               .rank = whole || of.known ? OD_RANK_HELD : OD_RANK_AMOUNT});
}

/* Reads the letter as a unit if a noun of memory is beside it, "16G of RAM", "8 g heap", "swap of
 * 2G", or before it: "memory usage is about 90G". */
static bool take_letter(const struct search *s, struct od_number *number)
{
    struct od_view digits = {s->text.p + number->start, number->digits_end - number->start};
    size_t at = number->digits_end, from = at + (at < s->text.n && s->text.p[at] == ' ');
    struct od_view letter = od_word_at(s->text, from);
    char unit = letter.n == 1 && strchr("kKmMgGtT", letter.p[0]) ? od_upper(letter.p[0]) : 0;
    if (!unit)
        return false;
    size_t end = from + letter.n, owner = end_of_owner(s->text, end);
    struct od_view name = label_before(s->text, number->start).name;
    bool large = strchr("GT", letter.p[0]) != NULL;
    uint64_t means = owner > end ? od_mention_means((struct od_view){s->text.p + end, owner - end})
                     : strchr("GT", unit) ? od_mention_means(od_view_last_word(name))
                                          : 0;
    means |= large ? od_mention_phrase_means(name) & BIT(OD_SIZE_MEMORY) : 0;
    bool file = owner == end && file_in(name).n > 0;
    if (!file && !od_is_size(means, BIT(OD_SIZE_MEMORY) | BIT(OD_SIZE_DATA)))
        return false;
    number->end = end;
    return od_bytes_parse_unit(digits, (struct od_view){&unit, 1}, OD_UNIT_BINARY, &number->bytes);
}

/* A measurement of `oomdoctor run` is a sample of a series. */
static bool is_measured(struct od_view line)
{
    return od_view_starts(line, OD_VIEW("oomdoctor run: ")) &&
           od_view_ends(od_view_trim(line), OD_VIEW(" bytes"));
}

/* Notes what names the numbers of the lines below: a key, a line of columns. */
static void note_names(struct search *s, struct od_view line)
{
    struct od_view words = od_view_trim(line);
    size_t indent = (size_t)(words.p - line.p);
    if (indent <= s->indent)
        s->key = (struct od_view){0};
    if (words.n > 1 && words.p[words.n - 1] == ':' &&
        od_view_find_char(words, ' ', 0) == OD_VIEW_NONE) {
        s->key = od_view_head(words, words.n - 1);
        s->indent = indent;
    }
    if (words.n == 0 || words.p[words.n - 1] == ':')
        s->heading = words.n > 0 ? od_mention_means(words) : 0;
    if (!od_has_digit(line))
        s->head = line;
    struct od_view total = od_view_trim(od_view_from(words, words.n < 4 ? words.n : 4));
    uint64_t n;
    if (od_view_starts(words, OD_VIEW("Mem:")) && od_num_take_u64(&total, &n)) {
        const char *unit = od_number_unit_of_machine((double)n);
        s->columns = od_view_of(unit ? unit : "MiB"); /* `free -m` of a small machine */
    }
    s->row = s->unit = s->lead = (struct od_view){0};
    struct od_view key = od_word_at(words, 0), rest = od_view_from(words, key.n);
    if (od_view_take(&rest, OD_VIEW(": ")) && rest.n > 0 && od_is_letter(rest.p[0]) &&
        od_means(od_mention_means(key), OD_SIZE_MEMORY))
        s->lead = key;
}

/* Is the word after the amount a memory of the machine or device? */
static bool names_memory(struct od_view text, const struct od_number *number)
{
    size_t at = number->end + (number->end < text.n && text.p[number->end] == ' ');
    uint64_t means = number->bytes.known ? od_mention_means(od_word_at(text, at)) : 0;
    return od_means(means, OD_SIZE_MEMORY) &&
           (od_means(means, OD_SIZE_DEVICE) || od_means(means, OD_SIZE_HOST));
}

/* "0.75 GiB short", "2 GB too much" */
static bool is_difference(struct od_view text, const struct od_number *number)
{
    size_t at = number->end + (number->end < text.n && text.p[number->end] == ' ');
    return number->bytes.known && od_view_eq_any(od_word_at(text, at), differences);
}

/* The end of "x3000", " x 3000", ", 3000", from the end of the first side on; 0 = none. */
static size_t end_of_side(struct od_view text, size_t end, bool in_brackets)
{
    static const char *const signs[] = {"x", "X", "\xc3\x97", NULL};
    struct od_view rest = od_view_from(text, end);
    od_view_skip_blanks(&rest);
    bool times = in_brackets && od_view_take(&rest, OD_VIEW(","));
    for (size_t i = 0; signs[i] && !times; i++)
        times = od_view_take(&rest, od_view_of(signs[i]));
    od_view_skip_blanks(&rest);
    size_t at = (size_t)(rest.p - text.p);
    while (times && at < text.n && od_is_digit(text.p[at]))
        at++;
    return times && text.p + at > rest.p ? at : 0;
}

/* Takes the two sides of an image or a table with the words that name them: "resolution:
 * 4000x3000", "image shape is (750, 1000)", "1024x1024 images". */
static void take_pair(struct search *s, size_t start)
{
    enum { LEAST = 3 }; /* digits of one side */
    struct od_view text = s->text;
    size_t end = start, from = start;
    while (end < text.n && od_is_digit(text.p[end]))
        end++;
    bool opened = start > 0 && strchr("([", text.p[start - 1]);
    size_t whole = end - start < LEAST ? 0 : end_of_side(text, end, opened);
    if (whole < end + 1 + LEAST || (whole < text.n && od_is_word(text.p[whole])) ||
        end_of_side(text, whole, opened) > 0)
        return;
    struct od_number_name label = label_before(text, start - opened);
    size_t at = whole + (whole < text.n && text.p[whole] == ' ');
    struct od_view noun = od_word_at(text, at);
    uint64_t named = od_mention_means(label.name), after = od_mention_means(noun);
    if (s->prose) /* "images with a size of 4000x3000" */
        named |= od_mention_phrase_means(od_statement_part(text, od_view_part(text, start, end))) &
                 (BIT(OD_SIZE_ITEMS) | BIT(OD_SIZE_INPUT));
    whole += opened && whole < text.n;
    if (od_is_size(after, BIT(OD_SIZE_ITEMS) | BIT(OD_SIZE_INPUT)))
        whole = at + noun.n;
    else if (od_means(named, OD_SIZE_INPUT) || (s->prose && od_is_size(named, BIT(OD_SIZE_ITEMS))))
        from = label.start;
    else
        return;
    add(s, (struct od_mention){.text = {text.p + from, whole - from},
                               .value = {text.p + start, whole - start},
                               .means = BIT(OD_SIZE_ITEMS),
                               .pair = true,
                               .rank = OD_RANK_COUNT});
}

static void read_line(struct search *s, struct od_view line)
{
    if (is_measured(line))
        return;
    note_names(s, line);
    s->text = od_view_head(line, LINE_MOST);
    bool failed = od_prov_distance(&s->line, &s->asked->at) == 0;
    s->prose = !failed && od_segment_of(s->text) == OD_SEGMENT_PERSON;
    if (od_mention_is_of_others(s->asked, s->text))
        return;
    struct od_number number;
    s->amount_end = 0;
    for (size_t i = 0; i < s->text.n; i++)
        if (od_number_begins(s->text, i))
            take_pair(s, s->column = i);
    for (size_t i = 0; od_number_or_share_next(s->text, &i, &number);) {
        bool thousands = is_thousands(s->text, &number);
        bool letter = !thousands && s->prose && take_letter(s, &number);
        number.bytes = thousands ? (struct od_bytes){0} : number.bytes;
        bool glued = number.start > 0 && od_is_letter(s->text.p[number.start - 1]);
        bool option = number.glued && strchr("mgt", s->text.p[number.digits_end]) &&
                      number.end == number.digits_end + 1; /* "-t 5m" may be minutes */
        struct od_bytes of = {0};
        s->column = number.start;
        struct od_number_name label = label_of(s, &number);
        if ((option && !glued && !letter) || (number.share && s->prose))
            continue;
        if (od_number_take_whole(s->text, &number, &of))
            i = number.end;
        if ((number.end < s->text.n && s->text.p[number.end] == '/') || /* "310 MB/s" */
            is_difference(s->text, &number))
            continue;
        find_unit(s, &label, &number);
        if ((!number.share && take_setting(s, &number, &label)) || glued)
            continue;
        bool amount = number.bytes.known || number.share, prose = s->prose;
        s->prose = prose || names_memory(s->text, &number); /* "32GB RAM" */
        if (amount && !s->prose)
            take_named(s, &number, &label, of);
        else if (letter || (amount && number.end - number.digits_end > 1))
            take_amount(s, &number, of);
        else
            take_counted(s, &number);
        s->prose = prose;
        s->amount_end = amount ? number.end : s->amount_end;
    }
}

/* An amount in a unit of ours; as printed if that may be a decimal one ("3.38 GB"). */
static const char *amount_in(struct od_arena *arena, const struct od_mention *mention)
{
    struct od_view unit = mention->value, number = od_num_take_text(&unit);
    unit = od_view_trim(unit);
    bool decimal = unit.n == 2 && strchr("MGT", unit.p[0]) && unit.p[1] == 'B';
    bool part = unit.n > 1 && number.n > 0 && number.p[0] == '0'; /* "0.01 GiB" has one digit */
    return (decimal || part) && !mention->of.known
               ? od_arena_printf(arena, "%.*s %.*s", (int)number.n, number.p, (int)unit.n, unit.p)
               : od_bytes_text(arena, mention->bytes);
}

const char *od_mention_words(const struct od_mention *mention, struct od_arena *arena)
{
    struct od_view rest = mention->value, number = od_num_take_text(&rest);
    if (mention->prose || !(mention->bytes.known || mention->share || mention->sets))
        return od_arena_str(arena, mention->text);
    return od_arena_printf(arena, "%.*s %s%s%s%s", (int)mention->label.n, mention->label.p,
                           mention->bytes.known ? amount_in(arena, mention)
                                                : od_arena_str(arena, number),
                           mention->share ? " %" : "", mention->of.known ? " of " : "",
                           mention->of.known ? od_bytes_text(arena, mention->of) : "");
}

const struct od_mentions *od_mentions_find(const struct od_mention_question *question,
                                           struct od_arena *arena)
{
    struct od_mentions *mentions = OD_NEW(arena, struct od_mentions);
    struct search *s = OD_NEW(arena, struct search);
    s->arena = arena;
    s->asked = s->found.asked = question;
    struct od_around_walk walk = od_around_walk(question->around, question->at.source);
    struct od_view line, head = {0};
    while (od_around_next(&walk, &line)) {
        s->line = walk.at;
        read_line(s, od_number_row(line, &head, arena));
    }
    od_mentions_choose(&s->found, mentions);
    return mentions;
}
