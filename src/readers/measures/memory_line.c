#include "readers/measures/memory_line.h"

#include "readers/measures/measure.h"
#include "readers/measures/memory_after_number.h"
#include "readers/measures/memory_place.h"
#include "readers/measures/memory_prefix.h"
#include "readers/measures/memory_words.h"

enum { BARE_BYTES = 10 << 20 };

static char at(const struct od_memory_line *l, size_t i)
{
    return od_memory_at(l, i);
}

/* --- words --- */

/* "memory stats heapAlloc=3 MiB": a key with its value, whatever was said before. */
static bool begins_key(const struct od_memory_line *l, struct od_view word)
{
    size_t i = (size_t)(word.p - l->text.p);
    if (i == 0 || at(l, i - 1) != ' ')
        return false;
    while (od_is_word(at(l, i)) || at(l, i) == '.')
        i++;
    return at(l, i) == '=';
}

/* "Memory used by MATLAB: 1204 MB", "memory usage in posts#show: 258 MB": takes the owner. */
static bool take_named(struct od_memory_line *l, struct od_view word)
{
    static const struct od_view words[] = {{" by ", 4}, {" in ", 4}, {" for ", 5}, {" of ", 4}};
    struct od_view before = od_view_head(l->text, (size_t)(word.p - l->text.p));
    size_t end = l->at;
    while (end < l->text.n && at(l, end) != ' ')
        end++;
    bool named = at(l, end - 1) == ':' && at(l, end) == ' ', after = false;
    for (size_t i = 0; i < OD_COUNT_OF(words); i++)
        after = after || od_view_ends(before, words[i]);
    if (named && after)
        l->at = end;
    return named && after;
}

/* "system.gpu.0.memoryAllocated" and "system.memory" of Weights & Biases are shares; the "memory"
 * of a device is its busy time. */
static void take_metric(struct od_memory_line *l, struct od_view word)
{
    static const char key[] = "system.";
    size_t start = (size_t)(word.p - l->text.p);
    while (start > 0 && (od_is_word(at(l, start - 1)) || at(l, start - 1) == '.'))
        start--;
    struct od_view name = od_view_head(od_view_from(l->text, start), l->at - start);
    if (at(l, l->at) == '.' || od_is_word(at(l, l->at)) ||
        !od_view_starts(name, OD_VIEW("system.")))
        return;
    bool allocated = od_view_ends(name, OD_VIEW(".memoryAllocated"));
    l->percent |= allocated || name.n == sizeof key - 1 + strlen("memory");
    l->broken |=
        !allocated && od_view_has(name, OD_VIEW("gpu")) && od_view_ends(name, OD_VIEW(".memory"));
}

/* "non-heap", "off-heap" */
static bool is_denied(const struct od_memory_line *l, struct od_view word)
{
    struct od_view before = od_view_head(l->text, (size_t)(word.p - l->text.p));
    return od_view_ends(before, OD_VIEW("on-")) || od_view_ends(before, OD_VIEW("off-"));
}

static void take_word(struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at), word;
    if (!od_memory_next_word(&rest, &word)) {
        l->at = l->text.n;
        return;
    }
    l->at = (size_t)(word.p + word.n - l->text.p);
    /* as in a heading of top; otherwise "res" is a resolution or a result */
    unsigned means = od_view_eq_str(word, "RES")  ? OD_MW_RSS
                     : od_view_eq_str(word, "MA") ? OD_MW_ALLOCATED /* DeepSpeed's */
                     : od_view_eq_str(word, "CA") ? OD_MW_RESERVED
                     : is_denied(l, word)         ? OD_MW_UNKNOWN
                                                  : od_memory_word(word);
    if (l->broken && !(l->label & OD_MW_FOREIGN) && begins_key(l, word)) {
        l->label = 0;
        l->broken = l->unknown = false;
    }
    l->loss = l->loss || od_memory_same(word, "loss");
    if (means & (OD_MW_TRAIN | OD_MW_VALIDATION))
        od_memory_take_phase(l, word, means);
    if (od_memory_take_place(l, word))
        return;
    if (od_memory_is_unit(word)) {
        l->unit = word;
        return;
    }
    if ((means & OD_MW_FOREIGN) && od_memory_take_call(l, word))
        return;
    if (means == OD_MW_UNKNOWN && take_named(l, word))
        return;
    if (means == OD_MW_UNKNOWN) {
        l->unknown = true;
        /* after words for memory it changes their meaning: "memory takes" */
        l->broken = l->broken || (l->label & ~(unsigned)OD_MW_BESIDE) != 0;
        return;
    }
    l->percent = l->percent || (means & OD_MW_PERCENT);
    if (means == OD_MW_DEVICE)
        od_memory_take_device(l);
    if (means & (OD_MW_ALLOCATED | OD_MW_RESERVED))
        od_memory_take_argument(l);
    if ((means & OD_MW_WHEN) && l->n == 0 && l->when.n == 0)
        od_memory_take_when(l, word);
    if ((means & ~(unsigned)OD_MW_BESIDE) && !(l->label & ~(unsigned)OD_MW_BESIDE))
        l->label_at = (size_t)(word.p - l->text.p);
    l->label |= means;
    if (means & (OD_MW_MEMORY | OD_MW_ALLOCATED))
        take_metric(l, word);
}

/* --- numbers --- */

static const unsigned states_mask = OD_MW_PEAK | OD_MW_MAX | OD_MW_USED | OD_MW_ALLOCATED |
                                    OD_MW_RESERVED | OD_MW_FREE | OD_MW_TOTAL;

static struct od_view take_number(struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at), number = od_num_take_text(&rest);
    l->at = l->text.n - rest.n;
    return number;
}

/* "3.6e+09": its magnitude does not show the unit. */
static bool has_exponent(struct od_view number)
{
    return number.n > 0 && (memchr(number.p, 'e', number.n) || memchr(number.p, 'E', number.n));
}

/* "2196644 K used memory": do words for memory follow there? */
static bool is_letter_of_memory(const struct od_memory_line *l, size_t at)
{
    struct od_view rest = od_view_from(l->text, at), state, memory;
    return od_view_take(&rest, OD_VIEW(" ")) && od_memory_next_word(&rest, &state) &&
           (od_memory_word(state) & states_mask) && od_memory_next_word(&rest, &memory) &&
           od_memory_word(memory) == OD_MW_MEMORY;
}

/* "34800 (max 46616) bytes": the unit after the bracket that starts at i is that of both. */
static struct od_view unit_after_bracket(const struct od_memory_line *l, size_t i)
{
    size_t end = od_view_find(l->text, OD_VIEW(") "), i);
    struct od_view rest = od_view_from(l->text, end == OD_VIEW_NONE ? l->text.n : end + 2), word;
    bool next = rest.n > 0 && od_is_letter(rest.p[0]) && od_memory_next_word(&rest, &word);
    return next && end - i < 24 && od_memory_is_unit(word) ? word : (struct od_view){0};
}

/* The unit right after a number: "3.1GiB", "3.1 GB", "4096M"; empty if there is none. */
static struct od_view take_unit(struct od_memory_line *l)
{
    size_t i = l->at;
    while (at(l, i) == ' ' && i < l->at + 2)
        i++;
    bool bracket = at(l, i) == '(' && i > l->at; /* "214320 (bytes)" */
    i += bracket;
    size_t end = i;
    while (od_is_letter(at(l, end)))
        end++;
    struct od_view word = od_view_head(od_view_from(l->text, i), end - i);
    if (bracket && !od_memory_is_unit(word))
        return unit_after_bracket(l, i);
    if (!od_memory_is_unit_at(word, i == l->at || is_letter_of_memory(l, end)) ||
        (bracket && at(l, end) != ')'))
        return (struct od_view){0};
    /* "3 GB/s" is a rate. */
    if (at(l, end) == '/' && at(l, end + 1) == 's')
        return (struct od_view){0};
    l->at = end;
    return word;
}

static unsigned words_of(const struct od_memory_line *l)
{
    unsigned words = l->label & ~(unsigned)OD_MW_BESIDE;
    if (!(words & (OD_MW_MEMORY | OD_MW_RSS | OD_MW_VIRTUAL)))
        words |= l->context & OD_MW_MEMORY;
    /* "Allocated: 1 GB, Reserved: 2 GB, CPU: 3 GB" */
    if ((words & OD_MW_HOST) && (l->context & (OD_MW_ALLOCATED | OD_MW_RESERVED)))
        words |= OD_MW_MEMORY;
    if (!(words & (OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM | OD_MW_RSS | OD_MW_VIRTUAL)))
        words |= l->context & (OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM);
    return words;
}

static void remember(struct od_memory_line *l, const struct od_memory_found *found)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct od_memory_found *other = &l->found[i];
        bool same_space = (!other->space && !found->space) ||
                          (other->space && found->space && strcmp(other->space, found->space) == 0);
        bool same_device =
            other->device.known == found->device.known && other->device.n == found->device.n;
        if (other->field == found->field && same_space && same_device &&
            other->privately == found->privately)
            return;
    }
    if (l->n == 0) {
        l->first_number = l->number_at;
        l->first_label = l->label & ~(unsigned)OD_MW_BESIDE ? l->label_at : 0;
    }
    if (l->n < OD_MEMORY_FOUND_MAX)
        l->found[l->n++] = *found;
}

/* The field that the words give a number; OD_F_NONE = none. */
static struct od_memory_found meaning(struct od_memory_line *l)
{
    struct od_memory_found found = {.device = l->device};
    unsigned words = words_of(l);
    if (!l->broken && !(words & OD_MW_MEMORY))
        words |= od_memory_thing_after(l);
    if (l->broken || (l->label & ~(unsigned)OD_MW_BESIDE) == 0) {
        if (!l->broken && od_memory_take_thing(l))
            return (struct od_memory_found){
                .device = l->device, .field = OD_F_IN_USE, .ownerless = true, .named = true};
        unsigned kind = od_memory_kind_after(l),
                 after = l->broken || kind ? kind : od_memory_word_after(l);
        const unsigned memory = OD_MW_MEMORY | OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM | OD_MW_RSS;
        words |= after;
        words |= after ? od_memory_owner_after(l) : 0;
        /* "10.0KiB allocated for chunks" */
        if (after == 0 || !(words & memory))
            return found;
    } else
        words |= od_memory_word_after(l) & (words & states_mask ? OD_MW_RSS : ~0u);
    const unsigned use = OD_MW_USED | OD_MW_PEAK | OD_MW_MAX;
    found.vague = (words & OD_MW_USED) && !(words & ~use) && !l->unknown;
    words |= found.vague ? OD_MW_MEMORY : 0;
    found.heap = words & OD_MW_HEAP;
    found.pages = words & (OD_MW_RSS | OD_MW_VIRTUAL);
    found.privately = words & OD_MW_PRIVATE;
    found.field = od_memory_field(words, &found.space);
    /* "max memory: 15 GB" may be a total or a peak */
    bool stated = words & (OD_MW_PEAK | OD_MW_USED | OD_MW_ALLOCATED | OD_MW_RESERVED | OD_MW_FREE |
                           OD_MW_TOTAL | OD_MW_RSS | OD_MW_VIRTUAL);
    found.bare = !stated;
    found.ownerless = !found.space && (words & OD_MW_USED) && !(words & (OD_MW_PEAK | OD_MW_MAX));
    found.given = words & (OD_MW_ALLOCATED | OD_MW_RESERVED);
    found.allocator = !(words & (OD_MW_MEMORY | OD_MW_DEVICE | OD_MW_RSS | OD_MW_VIRTUAL));
    return found;
}

static void keep_context(struct od_memory_line *l)
{
    unsigned sides = OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM;
    if (l->label & (sides | OD_MW_RSS)) {
        l->context &= ~sides;
        l->context |= l->label & sides;
    }
    l->context |= l->label & (OD_MW_MEMORY | OD_MW_ALLOCATED | OD_MW_RESERVED);
    l->label = 0;
    l->percent = false;
    l->broken = false;
    l->unknown = false;
}

static bool is_byte_count(struct od_view number)
{
    uint64_t n;
    bool address = number.n > 1 && number.p[0] == '0';
    return !address && od_num_parse_u64(number, &n) && n >= BARE_BYTES;
}

/* Is the number the end of its cell: "step 3 allocated 1200000000"? */
static bool ends_cell(const struct od_memory_line *l)
{
    char next = at(l, l->at);
    return next == '\0' || memchr(",;|])}\"'", next, 8);
}

/* "rss=5123456789" and results of torch.cuda.memory_allocated() are bytes, because no other unit
 * gives integers this large for these words. */
static bool are_bytes(struct od_memory_line *l, struct od_view number)
{
    bool known = (l->label & (OD_MW_RSS | OD_MW_VIRTUAL)) ||
                 ((l->label & (OD_MW_ALLOCATED | OD_MW_RESERVED)) &&
                  ((l->label & OD_MW_MEMORY) || ends_cell(l)));
    if (!known || (l->label & OD_MW_MAX && l->label & OD_MW_RSS) ||
        od_view_find_char(number, '.', 0) != OD_VIEW_NONE)
        return false;
    bool bytes = is_byte_count(number);
    od_memory_guard(l, (struct od_memory_guard){
                           .digits = od_memory_span(l, number), .of_bytes = true, .n = bytes});
    return bytes;
}

static bool is_share(struct od_memory_line *l, struct od_view percent)
{
    enum { ALWAYS = 2 }; /* digits before the point */
    size_t point = od_view_find_char(percent, '.', 0);
    double value;
    l->told |= (point == OD_VIEW_NONE ? percent.n : point) > ALWAYS;
    return od_num_parse_double(percent, &value) && value <= 100;
}

/* "(77.3%)", "61 %", and "mem (%): 61", "percent = 61" */
static bool take_percent(struct od_memory_line *l, struct od_view number)
{
    size_t i = l->at;
    double value;
    while (at(l, i) == ' ' && i < l->at + 2)
        i++;
    bool marked = at(l, i) == '%', said = l->percent && !od_is_letter(at(l, i));
    if (!marked && !said)
        return false;
    l->told |= has_exponent(number);
    if (!od_num_parse_double(number, &value))
        return false;
    if (marked)
        l->at = i + 1;
    struct od_memory_found found = meaning(l);
    bool behind_size = (l->label & ~(unsigned)OD_MW_BESIDE) == 0 && l->n > 0 && !l->unknown;
    found.share = value / 100;
    found.share_digits = od_memory_span(l, number);
    if (behind_size) {
        l->found[l->n - 1].share = found.share;
        l->found[l->n - 1].share_digits = found.share_digits;
    }
    /* "GPU mem 3.1 GB, CPU 45%": of its processors */
    else if (found.field == OD_F_IN_USE && (l->label & OD_MW_MEMORY) && is_share(l, number)) {
        found.field = OD_F_SHARE;
        found.bare = false; /* plans are not stated as shares */
        remember(l, &found);
        l->share_end = l->at;
    }
    keep_context(l);
    return true;
}

/* "3.1/8.0 GB", "3.1 GB / 8.0 GB", "3.1 of 8.0 GB": the total after the memory in use. */
static struct od_view take_whole(struct od_memory_line *l, struct od_view *ret_unit)
{
    size_t before = l->at;
    struct od_view rest = od_view_from(l->text, l->at);
    od_view_skip_blanks(&rest);
    if (!od_view_take(&rest, OD_VIEW("/")) && !od_view_take(&rest, OD_VIEW("]/[")) &&
        !od_view_take(&rest, OD_VIEW("out of ")) && !od_view_take(&rest, OD_VIEW("of ")))
        return (struct od_view){0};
    od_view_skip_blanks(&rest);
    l->at = l->text.n - rest.n;
    struct od_view number = take_number(l);
    *ret_unit = take_unit(l);
    if (number.n == 0)
        l->at = before;
    return number;
}

/* "246 MB -> 258 MB", "[17.5gb]->[16.5gb]": takes the current value. */
static void take_later(struct od_memory_line *l, struct od_view *number, struct od_view *unit)
{
    struct od_view rest = od_view_from(l->text, l->at), later;
    bool bracket = od_view_take(&rest, OD_VIEW("]"));
    od_view_skip_blanks(&rest);
    if (!od_view_take(&rest, OD_VIEW("->")) || (bracket && !od_view_take(&rest, OD_VIEW("["))))
        return;
    od_view_skip_blanks(&rest);
    size_t before = l->at;
    l->at = l->text.n - rest.n;
    later = take_number(l);
    struct od_view later_unit = take_unit(l);
    if (later.n > 0 && later_unit.n > 0) {
        *number = later;
        *unit = later_unit;
    } else
        l->at = before;
}

/* "GPU mem 3.1/8.0": derives the unit of both from the total, if the memory's place is stated. A
 * whole number may be a count. */
static struct od_view unit_by_whole(struct od_view number, struct od_view whole,
                                    const struct od_memory_found *found)
{
    const char *space = found->space;
    double part, all;
    if (!space || !od_num_parse_double(number, &part) || !od_num_parse_double(whole, &all) ||
        part > all || od_view_find_char(number, '.', 0) == OD_VIEW_NONE)
        return (struct od_view){0};
    const char *unit =
        od_measure_unit_of_whole(all, found->heap                    ? OD_WHOLE_HEAP
                                      : strcmp(space, "device") == 0 ? OD_WHOLE_DEVICE
                                                                     : OD_WHOLE_MACHINE);
    return unit ? od_view_of(unit) : (struct od_view){0};
}

/* A spelled-out unit is decimal (Megatron's "mem-allocated-gigabytes" are bytes / 1e9); an
 * abbreviated one has the usual meaning. */
static bool parse_size(struct od_view number, struct od_view unit, struct od_bytes *ret_bytes)
{
    bool spelled = od_view_ends(unit, OD_VIEW("abytes"));
    return od_bytes_parse_unit(number, unit.n > 0 ? unit : OD_VIEW("B"),
                               spelled ? OD_UNIT_DECIMAL : OD_UNIT_BINARY, ret_bytes);
}

/* The size of what was found; false if it is too large, and the line's shape is not stored then. */
static bool take_size(struct od_memory_line *l, struct od_view number, struct od_view unit,
                      struct od_memory_found *found)
{
    bool fits = parse_size(number, unit, &found->bytes);
    l->told |= !fits;
    found->digits = od_memory_span(l, number);
    if (unit.n > 0 && !l->told)
        found->unit = od_memory_span(l, unit);
    return fits;
}

/* "GPU: 2798.0/11011.5 MiB", "cuda:0: 2000MB / 24576MB": a number beside a device's total is the
 * memory in use. */
static bool is_part(struct od_memory_line *l, struct od_view number, struct od_view whole)
{
    double part, all;
    if (l->broken || (l->label & ~(unsigned)OD_MW_BESIDE) != OD_MW_DEVICE ||
        !od_num_parse_double(number, &part) || !od_num_parse_double(whole, &all))
        return false;
    l->told = true;
    return part <= all;
}

/* "HBM usage: 37.5% (30 GB / 80 GB)": the size for the preceding share. */
static bool is_size_of_share(const struct od_memory_line *l, struct od_view number)
{
    size_t at = (size_t)(number.p - l->text.p);
    struct od_view between = od_view_head(od_view_from(l->text, l->share_end),
                                          at > l->share_end ? at - l->share_end : 0);
    return l->share_end > 0 && l->n > 0 && l->found[l->n - 1].field == OD_F_SHARE &&
           od_view_eq_str(od_view_trim(between), "(");
}

/* "resident 2786 pages": the number counts things, named by a final word. */
static bool counts_things(const struct od_memory_line *l)
{
    struct od_view rest = od_view_from(l->text, l->at), word;
    od_view_skip_blanks(&rest);
    if (rest.n == 0 || !od_is_letter(rest.p[0]) || !od_memory_next_word(&rest, &word))
        return false;
    return od_memory_word(word) == OD_MW_UNKNOWN &&
           (rest.n == 0 || memchr(",;|.)", rest.p[0], 5) != NULL);
}

/* "used = 8310784(8116K)": the same size again with its unit. */
static void take_again(struct od_memory_line *l, struct od_view *number, struct od_view *unit)
{
    size_t before = l->at;
    struct od_view rest = od_view_from(l->text, l->at);
    od_view_skip_blanks(&rest);
    if (!od_view_take(&rest, OD_VIEW("(")))
        return;
    l->at = l->text.n - rest.n;
    struct od_view again = take_number(l), its = take_unit(l);
    if (again.n > 0 && its.n > 0 && at(l, l->at) == ')') {
        *number = again;
        *unit = its;
        l->at++;
    } else
        l->at = before;
}

/* "servers.web1.memory.used 4096 1795954118": do seconds since 1970 end the line? */
static bool is_before_time(const struct od_memory_line *l)
{
    struct od_view rest = od_view_trim(od_view_from(l->text, l->at));
    const uint64_t first = 1000000000, last = 4000000000;
    uint64_t n;
    return od_num_parse_u64(rest, &n) && n >= first && n <= last;
}

/* "mem: 5120", "rss=1234", "VRAM 3.1 |": a number directly after a word for memory, without a word
 * after it that changes its meaning. */
static bool is_alone(const struct od_memory_line *l, struct od_view number)
{
    static const unsigned memory = OD_MW_MEMORY | OD_MW_RSS;
    size_t start = (size_t)(number.p - l->text.p), word = start;
    while (word > 0 && memchr(" :=\"'\t", l->text.p[word - 1], 6))
        word--;
    bool behind_word = word > 0 && word < start && start - word <= 12 &&
                       (od_is_letter(l->text.p[word - 1]) || memchr(")}", l->text.p[word - 1], 2));
    /* "used=4096i,free=..." of InfluxDB's line protocol */
    bool typed = at(l, l->at) == 'i' && !od_is_letter(at(l, l->at + 1));
    char next = at(l, l->at + typed);
    bool row = (next == ' ' || next == '\t') && od_is_digit(at(l, l->at + 1)) && !is_before_time(l);
    /* "Memory of GPU:0: current: 0.18, peak: 2.55": the heading names the memory */
    bool headed = (l->n == 0 || l->found[l->n - 1].unitless) && (l->label & states_mask) &&
                  (words_of(l) & memory);
    return behind_word && !row && !l->broken && (typed || !counts_things(l)) &&
           ((l->label & memory) || headed) && (next == '\0' || memchr(" ,;|])}\t\"'", next, 10));
}

/* "3.1 GB after 100 iterations" */
static void take_step(struct od_memory_line *l, struct od_view number)
{
    uint64_t n;
    if (od_num_parse_u64(number, &n))
        l->step = (struct od_memory_count){true, n, od_memory_span(l, number)};
}

/* "tcp://10.0.0.7:36335 memory=63.4MiB": the address of the worker or node that the line is of. */
static bool take_address(struct od_memory_line *l, struct od_view number)
{
    size_t points = 0;
    for (size_t i = 0; i < number.n; i++)
        points += number.p[i] == '.';
    if (points != 3 || l->n > 0)
        return false;
    struct od_view rest = od_view_from(l->text, l->at);
    uint64_t port;
    if (od_view_take(&rest, OD_VIEW(":")) && od_num_take_u64(&rest, &port))
        l->at = l->text.n - rest.n;
    size_t start = (size_t)(number.p - l->text.p);
    l->key = (struct od_memory_span){(uint16_t)start, (uint16_t)(l->at - start)};
    l->told = true;
    return true;
}

static void take_quantity(struct od_memory_line *l)
{
    struct od_view number = take_number(l);
    if (take_address(l, number))
        return;
    l->number_at = (size_t)(number.p - l->text.p);
    if (take_percent(l, number))
        return;
    struct od_view unit = take_unit(l), whole_unit = {0};
    struct od_memory_found found;
    if (unit.n > 0)
        take_later(l, &number, &unit);
    else
        take_again(l, &number, &unit);
    struct od_view whole = take_whole(l, &whole_unit);
    if (unit.n == 0)
        unit = whole_unit;
    const unsigned named = OD_MW_MEMORY | OD_MW_RSS | OD_MW_VIRTUAL | states_mask;
    bool is_key = at(l, l->at) == ':'; /* "{0: 1024}" */
    bool stated = unit.n > 0 || (l->unit.n > 0 && (l->label & named) && !is_key);
    found = meaning(l);
    if (unit.n == 0)
        unit = l->unit;
    if (unit.n == 0 && whole.n > 0 && found.field == OD_F_IN_USE) {
        l->told = true;
        unit = unit_by_whole(number, whole, &found);
        stated = unit.n > 0;
    }
    if (found.field == OD_F_NONE && unit.n > 0 && is_part(l, number, whole)) {
        found.field = OD_F_IN_USE;
        found.space = "device";
    }
    if (found.field == OD_F_NONE && unit.n > 0 && is_size_of_share(l, number)) {
        found = l->found[--l->n];
        found.field = OD_F_IN_USE;
    }
    /* "step 5 gpu=5.1GB": beside a step */
    if (found.field == OD_F_NONE && unit.n > 0 && whole.n == 0 && !l->broken &&
        (l->label & ~(unsigned)OD_MW_BESIDE) == OD_MW_DEVICE) {
        found.field = OD_F_IN_USE;
        found.space = "device";
        found.bare = true;
    }
    found.bare = found.bare && whole.n == 0;
    l->told |= (found.field != OD_F_NONE && has_exponent(number)) ||
               (whole.n > 0 && (has_exponent(number) || has_exponent(whole)));
    if (found.field != OD_F_NONE && (stated || are_bytes(l, number)) &&
        take_size(l, number, stated ? unit : (struct od_view){0}, &found)) {
        remember(l, &found);
        struct od_memory_found all = found;
        all.field = OD_F_CAPACITY;
        all.bare = false;
        if (whole.n > 0 && (found.field == OD_F_IN_USE || found.field == OD_F_PEAK) &&
            take_size(l, whole, whole_unit.n > 0 ? whole_unit : unit, &all))
            remember(l, &all);
    } else if (found.field != OD_F_NONE && !stated && whole.n == 0 && is_alone(l, number) &&
               od_num_parse_double(number, &found.number)) {
        found.unitless = true;
        found.digits = od_memory_span(l, number);
        remember(l, &found);
    }
    l->allocated = l->allocated || (l->label & OD_MW_ALLOCATED);
    keep_context(l);
    od_memory_skip_remark_after(l);
    if (od_view_starts(od_view_from(l->text, l->at), OD_VIEW(" iterations")))
        take_step(l, number);
}

/* "[MemoryCallback] epoch 3", "MemoryMonitor: process memory": the name of the printing component,
 * not of the memory. */
static bool ends_name(const struct od_memory_line *l)
{
    char c = at(l, l->at);
    bool colon = c == ':' && at(l, l->at + 1) == ' ' && od_is_letter(at(l, l->at + 2));
    bool only = l->unknown && !(l->label & ~(unsigned)OD_MW_BESIDE);
    return (l->broken || only) && (c == ']' || colon);
}

/* jvm_memory_used_bytes{area="heap",id="Old Gen"} 4.5E8: labels distinguish series of one name. */
static bool take_labels(struct od_memory_line *l)
{
    size_t end = od_view_find_char(l->text, '}', l->at);
    struct od_view labels = od_view_head(od_view_from(l->text, l->at + 1), end - l->at - 1);
    if (l->at == 0 || end == OD_VIEW_NONE || at(l, end + 1) != ' ' ||
        !od_is_letter(at(l, l->at - 1)) || od_view_find_char(labels, '=', 0) == OD_VIEW_NONE)
        return false;
    l->when = labels;
    l->at = end + 1;
    return true;
}

/* "Working set, 35,5 MB": a comma between a name and its number. */
static bool is_cell_of_row(const struct od_memory_line *l)
{
    size_t i = l->at, next = l->at + 1 + (at(l, l->at + 1) == ' ');
    while (i > 0 && !od_is_digit(l->text.p[i - 1]) && !memchr(",;|", l->text.p[i - 1], 3))
        i--;
    bool named = i == 0 || !od_is_digit(l->text.p[i - 1]);
    return named && l->label && od_is_digit(at(l, next));
}

static void read_line(struct od_memory_line *l)
{
    while (l->at < l->text.n) {
        char c = l->text.p[l->at];
        bool inside =
            l->at > 0 && (od_is_letter(l->text.p[l->at - 1]) || l->text.p[l->at - 1] == '_');
        if (od_is_letter(c))
            take_word(l);
        else if (od_is_digit(c) && !inside)
            take_quantity(l);
        else if (!(c == '{' && take_labels(l)) && (c != '[' || !od_memory_take_pair(l))) {
            bool sentence =
                (c == '.' || c == '!') && (at(l, l->at + 1) == ' ' || at(l, l->at + 1) == '\0');
            bool row = c == ',' && is_cell_of_row(l);
            bool gap = c == '\t' && l->at > 0 && !memchr(":\t", at(l, l->at - 1), 2);
            l->percent = l->percent || c == '%';
            if (c == '|' || c == ';' || c == '{' || (c == ',' && !row) || gap || sentence ||
                ends_name(l))
                keep_context(l);
            l->at++;
        }
    }
}

/* Identity of a line: hash of the words that name its first memory number. */
static uint64_t words_hash(const struct od_memory_line *l)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = l->first_label; i < l->first_number; i++) {
        unsigned char c = (unsigned char)l->text.p[i];
        /* a count before it may change each time, but not the device */
        if (!od_is_digit((char)c))
            hash = (hash ^ c) * UINT64_C(1099511628211);
    }
    for (size_t i = 0; l->found[0].named && i < l->when.n; i++)
        hash = (hash ^ (unsigned char)l->when.p[i]) * UINT64_C(1099511628211);
    if (l->found[0].device.known)
        hash = (hash ^ l->found[0].device.n) * UINT64_C(1099511628211);
    for (size_t i = l->key.at; i < l->key.at + l->key.n; i++)
        hash = (hash ^ (unsigned char)l->text.p[i]) * UINT64_C(1099511628211);
    return hash;
}

/* Takes the size before a message, if the message has none. */
static void take_head(struct od_memory_line *l)
{
    struct od_view digits, unit, message;
    struct od_memory_found found = {.field = OD_F_IN_USE, .bare = true};
    if (!od_memory_prefix(l->text, &digits, &unit, &message) || !take_size(l, digits, unit, &found))
        return;
    l->headed = l->told = true;
    l->found[l->n++] = found;
    l->message = od_view_hash(message);
}

void od_memory_line_read(struct od_view text, const struct od_memory_under *under,
                         struct od_memory_line *ret_line)
{
    *ret_line = (struct od_memory_line){.text = text, .runtime = -1};
    if (under) {
        ret_line->context = under->context;
        ret_line->device = under->device;
        ret_line->unit = under->unit;
    }
    read_line(ret_line);
    ret_line->process =
        od_view_has(text, OD_VIEW("rocess mem")) || od_view_has(text, OD_VIEW("this process"));
    if (ret_line->n == 0)
        take_head(ret_line);
    else
        ret_line->words = words_hash(ret_line);
}

/* --- lines that differ only in digits --- */

struct od_memory_form {
    struct od_memory_form *next;
    struct od_memory_span when;
    struct od_memory_line line; /* only the used part; its text may be gone */
};

/* Forms of one shape, one for each device. */
enum { FORMS_MOST = 16 };

static size_t size_of(const struct od_memory_line *l)
{
    return offsetof(struct od_memory_line, found) + l->n * sizeof l->found[0];
}

struct od_memory_form *od_memory_form_keep(const struct od_memory_line *line,
                                           struct od_arena *arena, struct od_memory_form *forms)
{
    size_t n = 0;
    for (const struct od_memory_form *form = forms; form; form = form->next)
        n++;
    if (line->told || n >= FORMS_MOST || line->text.n > UINT16_MAX || od_num_has_long(line->text))
        return forms;
    size_t size = offsetof(struct od_memory_form, line) + size_of(line);
    struct od_memory_form *form = od_arena_alloc(arena, 1, size);
    memcpy(&form->line, line, size_of(line));
    form->when = od_memory_span(line, line->when);
    form->next = forms;
    return form;
}

static struct od_view part(struct od_view text, struct od_memory_span span)
{
    return od_view_head(od_view_from(text, span.at), span.n);
}

static bool holds(const struct od_memory_form *form, struct od_view text)
{
    for (size_t i = 0; i < form->line.nguards; i++) {
        const struct od_memory_guard *guard = &form->line.guards[i];
        struct od_view digits = part(text, guard->digits);
        uint64_t n = guard->of_bytes ? is_byte_count(digits) : UINT64_MAX;
        if (n != guard->n && (guard->of_bytes || !od_num_parse_u64(digits, &n) || n != guard->n))
            return false;
    }
    return true;
}

static bool read_count(struct od_view text, struct od_memory_count *count)
{
    return count->digits.n == 0 || od_num_parse_u64(part(text, count->digits), &count->n);
}

static bool read_found(struct od_view text, struct od_memory_found *found)
{
    struct od_view number = part(text, found->digits);
    if (found->share_digits.n > 0) {
        if (!od_num_parse_double(part(text, found->share_digits), &found->share))
            return false;
        found->share /= 100;
    }
    if (number.n == 0)
        return true;
    return found->unitless ? od_num_parse_double(number, &found->number)
                           : parse_size(number, part(text, found->unit), &found->bytes);
}

bool od_memory_form_read(const struct od_memory_form *forms, struct od_view text,
                         struct od_memory_line *ret_line)
{
    struct od_memory_line *l = ret_line;
    while (forms && !holds(forms, text))
        forms = forms->next;
    if (!forms)
        return false;
    memcpy(l, &forms->line, size_of(&forms->line));
    l->text = text;
    l->when = part(text, forms->when);
    l->unit = (struct od_view){0};
    bool good = read_count(text, &l->step) && read_count(text, &l->epoch) &&
                read_count(text, &l->rank) && read_count(text, &l->pid) &&
                (l->runtime_digits.n == 0 ||
                 od_num_parse_double(part(text, l->runtime_digits), &l->runtime));
    for (size_t i = 0; i < l->n && good; i++)
        good = read_found(text, &l->found[i]);
    return good;
}
