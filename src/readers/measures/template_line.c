#include "readers/measures/template_pieces.h"

static const unsigned states = OD_MW_PEAK | OD_MW_MAX | OD_MW_USED | OD_MW_ALLOCATED |
                               OD_MW_RESERVED | OD_MW_FREE | OD_MW_TOTAL;
static const unsigned behind = OD_MW_USED | OD_MW_ALLOCATED | OD_MW_RESERVED | OD_MW_FREE |
                               OD_MW_TOTAL | OD_MW_RSS | OD_MW_PEAK;

static unsigned named(const struct od_template_reading *r)
{
    return r->label & ~(unsigned)OD_MW_NEUTRAL;
}

static struct od_span span_of(const struct od_piece *p)
{
    return od_span_between(p->at, p->end);
}

/* "memory stats heapAlloc=3 MiB": a key with its value, whatever was said before. */
static bool begins_key(const struct od_template_reading *r, const struct od_piece *word)
{
    size_t i = word->at;
    if (i == 0 || r->text.p[i - 1] != ' ')
        return false;
    while (od_is_word(od_view_at(r->text, i)) || od_view_at(r->text, i) == '.')
        i++;
    return od_view_at(r->text, i) == '=';
}

static void take_word(struct od_template_reading *r, const struct od_piece *word)
{
    unsigned means = word->means;
    r->i++;
    if (r->broken && !(r->label & OD_MW_FOREIGN) && begins_key(r, word)) {
        r->label = 0;
        r->broken = r->unknown = false;
    }
    r->to->loss |= (means & OD_MW_LOSS) != 0;
    if (means & (OD_MW_TRAIN | OD_MW_VALIDATION))
        od_template_take_phase(r, word);
    if (od_template_take_place(r, word))
        return;
    if (word->is_unit) {
        r->unit = span_of(word);
        return;
    }
    if (means & OD_MW_UNKNOWN) {
        static const char *const of[] = {"by", "in", "for", NULL};
        struct od_view before = word > r->pieces ? od_piece_text(r, word - 1) : (struct od_view){0};
        bool source = (r->label & OD_MW_RSS) && od_view_eq_str(before, "of");
        bool owner = source || od_view_eq_any(before, of);
        r->unknown = true;
        /* an unknown word after memory words changes their meaning ("memory takes"), except an
         * owner's name: "Memory used by MATLAB: 1204 MB" */
        r->broken = r->broken || (named(r) != 0 && !owner);
        for (const struct od_piece *p = word + 1; owner && p->end > p->at && od_piece_joined(p);
             p++) {
            bool part = od_piece_is_word(p + 1) && od_piece_joined(p + 1); /* "web:worker" */
            if (p->mark == ':' && !part)
                break;
            r->i++;
        }
        if (source && r->to->n == 0 && r->to->key.n == 0) /* "RSS of web:web is 81084416" */
            r->to->key = od_span_between(word->at, r->pieces[r->i - 1].end);
        return;
    }
    r->percent = r->percent || (means & OD_MW_PERCENT);
    const struct od_piece *argument = od_piece_at(r, 1);
    if (means == OD_MW_DEVICE)
        od_template_take_device(r);
    else if ((means & (OD_MW_ALLOCATED | OD_MW_RESERVED)) && argument->plain &&
             od_template_take(r, "(n)")) /* "memory_allocated(0)": of device 0 */
        r->device = od_piece_count(r, argument);
    if ((means & OD_MW_WHEN) && r->to->n == 0 && r->to->when.n == 0)
        od_template_take_when(r, word);
    if ((means & ~(unsigned)OD_MW_NEUTRAL) && !named(r))
        r->label_at = word->at;
    r->label |= means;
    /* Weights & Biases: "system.gpu.0.memory" is a share or a busy time */
    char after = od_view_at(r->text, word->end);
    r->broken |= (means & (OD_MW_MEMORY | OD_MW_ALLOCATED)) && (after == '"' || after == '\'') &&
                 od_view_has(od_view_head(r->text, word->at), OD_VIEW("system."));
}

/* --- the words after a number --- */

/* Do words between two numbers belong to the second: "gpu mem 9 GB rss 4 GB"? They belong to the
 * first if words end the row: "gpu 1 GB used 2 GB free". k: index of the piece after the word. */
static bool is_of_next(const struct od_template_reading *r, size_t k)
{
    enum { ROW_MOST = 16 };
    for (; k < ROW_MOST && od_piece_at(r, k)->number && od_piece_at(r, k)->unit.n > 0; k += 2)
        if (!od_piece_is_word(od_piece_at(r, k + 1)) || !(od_piece_at(r, k + 1)->means & behind))
            return true;
    return false;
}

/* "3.1 GB used": the word after the size gives the measure if the words before name only memory. */
static unsigned word_after(const struct od_template_reading *r)
{
    size_t k = od_piece_at(r, 0)->mark == '(';
    if (k > 0 && od_piece_at(r, 2)->mark == '%' && od_piece_at(r, 3)->mark == ')')
        k = 4; /* "376M (18.39%) committed" */
    const struct od_piece *word = od_piece_at(r, k), *next = od_piece_at(r, k + 1);
    unsigned means = word->means;
    if (!od_piece_is_word(word))
        return 0;
    if ((means & (OD_MW_USED | OD_MW_FREE)) && next->means == OD_MW_MEMORY &&
        next->at == word->end + 1) {
        means |= OD_MW_MEMORY; /* "3 GB used memory" */
        k++;
    }
    bool key = (next->mark == ':' || next->mark == '=') && od_piece_joined(next);
    return (means & behind) && !key && !(named(r) && is_of_next(r, k + 1)) ? means : 0;
}

/* "using 3.1 GB of RAM", "14.5 GB (60%) of memory": the memory that the words after a number name,
 * if the words before do not. */
static unsigned thing_after(const struct od_template_reading *r)
{
    static const unsigned things = OD_MW_MEMORY | OD_MW_RAM | OD_MW_DEVICE;
    unsigned found = 0;
    size_t k = 0;
    if (od_piece_at(r, 0)->mark == '(')
        while (k < 4 && od_piece_at(r, k)->mark != ')')
            k++;
    k += k > 0;
    struct od_view of = od_piece_text(r, od_piece_at(r, k));
    if (!od_view_eq_str(of, "of") && !od_view_eq_str(of, "in"))
        return 0;
    for (size_t i = k + 1; i <= k + 2 && od_piece_is_word(od_piece_at(r, i)); i++) {
        if (!(od_piece_at(r, i)->means & things))
            break;
        found |= od_piece_at(r, i)->means;
    }
    return found & (OD_MW_MEMORY | OD_MW_RAM) ? found & ~(unsigned)OD_MW_NEUTRAL : 0;
}

/* "12.3 Mbytes of vectors used": the words between name one of several things. */
static bool take_thing(struct od_template_reading *r)
{
    enum { WORDS = 3 };
    if (named(r) || r->unknown || r->to->when.n > 0 ||
        !od_view_eq_str(od_piece_text(r, od_piece_at(r, 0)), "of"))
        return false;
    for (size_t k = 1; k <= WORDS + 1 && od_piece_is_word(od_piece_at(r, k)); k++) {
        if ((od_piece_at(r, k)->means & OD_MW_USED) && k > 1) {
            uint16_t at = od_piece_at(r, 1)->at;
            r->to->when = (struct od_span){at, (uint16_t)(od_piece_at(r, k - 1)->end - at)};
            return true;
        }
        if (!(od_piece_at(r, k)->means & OD_MW_UNKNOWN))
            break;
    }
    return false;
}

static unsigned words_of(const struct od_template_reading *r)
{
    unsigned words = named(r);
    if (!(words & (OD_MW_MEMORY | OD_MW_RSS | OD_MW_VIRTUAL)))
        words |= r->context & OD_MW_MEMORY;
    /* "Allocated: 1 GB, Reserved: 2 GB, CPU: 3 GB" */
    if ((words & OD_MW_HOST) && (r->context & (OD_MW_ALLOCATED | OD_MW_RESERVED)))
        words |= OD_MW_MEMORY;
    if (!(words & (OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM | OD_MW_RSS | OD_MW_VIRTUAL)))
        words |= r->context & (OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM | OD_MW_HEAP);
    return words;
}

/* The slot with the field that the words before and after a number give it; OD_F_NONE = none. */
static struct od_slot meaning(struct od_template_reading *r)
{
    struct od_slot slot = {.device = r->device};
    unsigned words = words_of(r);
    unsigned thing = !r->broken && !(words & OD_MW_MEMORY) ? thing_after(r) : 0;
    words |= thing;
    if (r->broken || named(r) == 0) {
        if (!r->broken && take_thing(r)) {
            slot.field = OD_F_IN_USE;
            slot.ownerless = slot.named = true;
            return slot;
        }
        unsigned after = r->broken ? 0 : word_after(r);
        const unsigned memory = OD_MW_MEMORY | OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM | OD_MW_RSS;
        words |= after;
        /* "10.0KiB allocated for chunks"; but "is at 3 GB of RAM" */
        bool said = after != 0 || (thing != 0 && !r->unknown && r->to->n == 0);
        if (!said || !(words & memory))
            return slot;
    } else
        words |= word_after(r) & (words & states ? OD_MW_RSS : ~0u);
    const unsigned use = OD_MW_USED | OD_MW_COMMITTED | OD_MW_PEAK | OD_MW_MAX;
    slot.vague = (words & OD_MW_USED) && !(words & ~(use | OD_MW_NEUTRAL)) && !r->unknown;
    words |= slot.vague ? OD_MW_MEMORY : 0;
    slot.heap = words & OD_MW_HEAP;
    slot.pages = words & (OD_MW_RSS | OD_MW_VIRTUAL);
    slot.privately = words & OD_MW_PRIVATE;
    slot.field = od_memory_field(words, &slot.space);
    /* "max memory: 15 GB" may be a total or a peak */
    slot.bare =
        !(words & (OD_MW_PEAK | (states & ~(unsigned)OD_MW_MAX) | OD_MW_RSS | OD_MW_VIRTUAL));
    slot.ownerless = !slot.space && (words & OD_MW_USED) && !(words & (OD_MW_PEAK | OD_MW_MAX));
    slot.committed = words & OD_MW_COMMITTED;
    slot.given = words & (OD_MW_ALLOCATED | OD_MW_RESERVED);
    slot.allocator = !(words & (OD_MW_MEMORY | OD_MW_DEVICE | OD_MW_RSS | OD_MW_VIRTUAL));
    return slot;
}

static void keep_context(struct od_template_reading *r)
{
    unsigned sides = OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM | OD_MW_HEAP;
    if (r->label & (sides | OD_MW_RSS)) {
        r->context &= ~sides;
        r->context |= r->label & sides;
    }
    r->context |= r->label & (OD_MW_MEMORY | OD_MW_ALLOCATED | OD_MW_RESERVED);
    r->label = 0;
    r->percent = r->broken = r->unknown = false;
}

static bool same_space(const struct od_slot *a, const struct od_slot *b)
{
    return a->space == b->space || (a->space && b->space && strcmp(a->space, b->space) == 0);
}

static void remember(struct od_template_reading *r, const struct od_slot *slot)
{
    struct od_template *to = r->to;
    for (size_t i = 0; i < to->n; i++) {
        struct od_slot *other = &to->slots[i];
        if (other->committed && !slot->committed && other->field == slot->field)
            *other = *slot; /* "376M committed, 102M used" */
        if (other->field == slot->field && same_space(other, slot) &&
            other->device.count.known == slot->device.count.known &&
            other->device.count.n == slot->device.count.n && other->privately == slot->privately)
            return;
    }
    if (to->n == 0) {
        r->first_number = slot->digits.n > 0 ? slot->digits.at : slot->share_digits.at;
        r->first_label = named(r) ? r->label_at : 0;
    }
    if (to->n < OD_SLOTS_MAX)
        to->slots[to->n++] = *slot;
}

/* "3.6e+09": its magnitude does not show the unit. */
static bool has_exponent(struct od_view number)
{
    return od_view_find_char(number, 'e', 0) != OD_VIEW_NONE ||
           od_view_find_char(number, 'E', 0) != OD_VIEW_NONE;
}

/* "rss=5123456789" and results of torch.cuda.memory_allocated() are bytes, because no other unit
 * gives integers this large for these words. */
static bool are_bytes(const struct od_template_reading *r, const struct od_piece *number)
{
    char next = od_view_at(r->text, number->end);
    bool cell = next == '\0' || strchr(",;|])}\"'", next);
    bool known =
        (r->label & (OD_MW_RSS | OD_MW_VIRTUAL)) ||
        ((r->label & (OD_MW_ALLOCATED | OD_MW_RESERVED)) && ((r->label & OD_MW_MEMORY) || cell));
    return known && !(r->label & OD_MW_MAX && r->label & OD_MW_RSS);
}

/* "(77.3%)", "61 %", and "mem (%): 61", "percent = 61" */
static bool take_percent(struct od_template_reading *r, const struct od_piece *number)
{
    enum { ALWAYS = 2 }; /* digits before the point of what is never above 100 */
    const struct od_piece *next = od_piece_at(r, 0);
    struct od_view text = od_piece_text(r, number);
    double value;
    bool marked = next->mark == '%';
    if ((!marked && !(r->percent && number->unit.n == 0 && !od_piece_is_word(next))) ||
        !od_num_parse_double(text, &value))
        return false;
    r->i += marked;
    struct od_slot slot = meaning(r);
    struct od_template *to = r->to;
    to->digits_matter |= has_exponent(text);
    slot.share = value / 100;
    slot.share_digits = span_of(number);
    if (named(r) == 0 && to->n > 0 && !r->unknown) { /* "3 GB (61 %)" */
        to->slots[to->n - 1].share = slot.share;
        to->slots[to->n - 1].share_digits = slot.share_digits;
    }
    /* "GPU mem 3.1 GB, CPU 45%": of its processors */
    else if (slot.field == OD_F_IN_USE && (r->label & OD_MW_MEMORY)) {
        size_t point = od_view_find_char(text, '.', 0);
        to->digits_matter |= (point == OD_VIEW_NONE ? text.n : point) > ALWAYS;
        slot.field = OD_F_SHARE;
        slot.bare = false; /* plans are not stated as shares */
        if (value <= 100)
            remember(r, &slot);
        r->share_end = r->i;
    }
    keep_context(r);
    return true;
}

/* "resident 2786 pages": the number counts things, named by a final word. */
static bool counts_things(const struct od_template_reading *r)
{
    const struct od_piece *word = od_piece_at(r, 0), *after = od_piece_at(r, 1);
    return od_piece_is_word(word) && (word->means & OD_MW_UNKNOWN) &&
           (after->at == after->end || (after->mark && strchr(",;|.)", after->mark)));
}

/* "servers.web1.memory.used 4096 1795954118": do seconds since 1970 end the line? */
static bool is_time(const struct od_template_reading *r, const struct od_piece *p)
{
    const uint64_t first = 1000000000, last = 4000000000;
    uint64_t n;
    return p == &r->pieces[r->n - 1] && p->plain && od_num_parse_u64(od_piece_text(r, p), &n) &&
           n >= first && n <= last;
}

/* "mem: 5120", "rss=1234", "VRAM 3.1 |": a number directly after a word for memory, without a word
 * after it that changes its meaning. */
static bool is_alone(const struct od_template_reading *r, const struct od_piece *number)
{
    static const unsigned memory = OD_MW_MEMORY | OD_MW_RSS;
    size_t start = number->at, word = od_back_any(r->text, start, " :=.\"'\t");
    bool behind_word = word > 0 && word < start && start - word <= 12 &&
                       (od_is_letter(r->text.p[word - 1]) || strchr(")}", r->text.p[word - 1]));
    const struct od_piece *after = od_piece_at(r, 0);
    /* "used=4096i,free=..." of InfluxDB's line protocol */
    bool typed = od_piece_joined(after) && od_view_eq_str(od_piece_text(r, after), "i");
    char next = od_view_at(r->text, number->end + typed);
    bool row = after->number && !od_piece_joined(after) && !is_time(r, after);
    /* "Memory of GPU:0: current: 0.18, peak: 2.55": the heading names the memory */
    const struct od_slot *last = r->to->n > 0 ? &r->to->slots[r->to->n - 1] : NULL;
    bool headed = (!last || last->unitless) && (r->label & states) && (words_of(r) & memory);
    return behind_word && !row && !r->broken && (typed || !counts_things(r)) &&
           ((r->label & memory) || headed) && (next == '\0' || strchr(" ,;|])}\t\"'", next));
}

/* "tcp://10.0.0.7:36335 memory=63.4MiB": the address of the worker or node that the line is of. */
static bool take_address(struct od_template_reading *r, const struct od_piece *number)
{
    if (od_view_count(od_piece_text(r, number), '.') != 3 || r->to->n > 0)
        return false;
    const struct od_piece *port = od_template_take(r, ":n");
    r->to->key = (struct od_span){number->at, (uint16_t)((port ? port : number)->end - number->at)};
    return true;
}

/* Takes the number that one of the patterns finds, such as a total ("/ 16 GB"); NULL = none. */
static const struct od_piece *take_one(struct od_template_reading *r, const char *const *patterns)
{
    const struct od_piece *number = NULL;
    for (size_t i = 0; patterns[i] && !number; i++)
        number = od_template_take(r, patterns[i]);
    return number;
}

static struct od_span unit_of(const struct od_template_reading *r, const struct od_piece *number)
{
    /* "34800 (max 46616) bytes": the unit after the bracket is that of both */
    for (size_t k = 1; number->unit.n == 0 && od_piece_at(r, 0)->mark == '(' && k < 8; k++)
        if (od_piece_at(r, k)->mark == ')')
            return od_piece_at(r, k + 1)->is_unit ? span_of(od_piece_at(r, k + 1))
                                                  : (struct od_span){0};
    return number->unit;
}

/* Gives the slot its size; false if it is too large. */
static bool set_size(struct od_template_reading *r, const struct od_piece *number,
                     struct od_view unit, struct od_slot *slot)
{
    slot->digits = span_of(number);
    bool inside = unit.n > 0 && unit.p >= r->text.p && unit.p < r->text.p + r->text.n;
    r->to->digits_matter |= unit.n > 0 && !inside; /* of a heading, or derived */
    if (inside)
        slot->unit = (struct od_span){(uint16_t)(unit.p - r->text.p), (uint16_t)unit.n};
    return od_template_size(od_piece_text(r, number), unit, &slot->bytes);
}

/* Is it a part of a whole after a device's name: "GPU: 2798.0/11011.5 MiB", "cuda:0: 2000MB /
 * 24576MB"? On a line with a step no whole is needed: "step 5 gpu=5.1GB". */
static bool is_of_device(struct od_template_reading *r, const struct od_piece *number,
                         const struct od_piece *whole)
{
    double part, all;
    if (r->broken || named(r) != OD_MW_DEVICE)
        return false;
    r->to->digits_matter |= whole != NULL;
    return !whole || (od_num_parse_double(od_piece_text(r, number), &part) &&
                      od_num_parse_double(od_piece_text(r, whole), &all) && part <= all);
}

static void take_size(struct od_template_reading *r, const struct od_piece *number)
{
    static const char *const later[] = {"->n", "]->[n", NULL};
    static const char *const wholes[] = {"/n", "]/[n", "uon", "on", NULL};
    const struct od_piece *now = NULL, *whole;
    struct od_view unit = od_span_of(r->text, unit_of(r, number));
    size_t before = r->i;
    if (unit.n > 0)
        now = take_one(r, later);
    else if (od_piece_at(r, 1)->unit.n > 0 && od_piece_joined(od_piece_at(r, 0)))
        now = od_template_take(r, "(n)"); /* "used = 8310784(8116K)" */
    if (now && now->unit.n > 0) {
        number = now;
        unit = od_span_of(r->text, now->unit);
    } else if (now)
        r->i = before;
    whole = take_one(r, wholes);
    struct od_view whole_unit = whole ? od_span_of(r->text, whole->unit) : (struct od_view){0};
    unit = unit.n > 0 ? unit : whole_unit;
    bool is_key = od_piece_at(r, 0)->mark == ':'; /* "{0: 1024}" */
    struct od_view above = r->unit.n > 0 ? od_span_of(r->text, r->unit) : r->unit_above;
    const unsigned measured = OD_MW_MEMORY | OD_MW_RSS | OD_MW_VIRTUAL | states;
    bool stated = unit.n > 0 || (above.n > 0 && (r->label & measured) && !is_key);
    struct od_slot slot = meaning(r);
    unit = unit.n > 0 ? unit : above;
    const struct od_piece *share = r->share_end > 0 ? &r->pieces[r->share_end] : NULL;
    if (slot.field == OD_F_NONE && unit.n > 0 && is_of_device(r, number, whole)) {
        slot.field = OD_F_IN_USE;
        slot.space = "device";
        slot.bare = !whole;
    } else if (slot.field == OD_F_NONE && unit.n > 0 && share && share->mark == '(' &&
               share + 1 == number && r->to->n > 0) {
        slot = r->to->slots[--r->to->n]; /* "HBM usage: 37.5% (30 GB / 80 GB)" */
        slot.field = OD_F_IN_USE;
    }
    slot.bare = slot.bare && !whole;
    struct od_view text = od_piece_text(r, number);
    r->to->digits_matter |= has_exponent(text) || (whole && has_exponent(od_piece_text(r, whole)));
    bool large = !stated && od_template_is_bytes(text), bytes = large && are_bytes(r, number);
    slot.counted = bytes;
    if (slot.field == OD_F_NONE)
        return;
    if ((stated || bytes) && set_size(r, number, stated ? unit : (struct od_view){0}, &slot)) {
        remember(r, &slot);
        struct od_slot all = slot;
        all.field = OD_F_CAPACITY;
        all.bare = all.counted = false;
        if (whole && (slot.field == OD_F_IN_USE || slot.field == OD_F_PEAK) &&
            set_size(r, whole, whole_unit.n > 0 ? whole_unit : unit, &all))
            remember(r, &all);
    } else if (!stated && !whole && is_alone(r, number) &&
               od_num_parse_double(text, &slot.number)) {
        slot.unitless = true;
        slot.digits = span_of(number);
        remember(r, &slot);
    } else
        r->to->digits_matter = true;
}

/* "heap used/committed/max: 15/380/400 MB": as many numbers as names, of which each has its own. */
static bool take_list(struct od_template_reading *r, const struct od_piece *number)
{
    enum { LIST_MOST = 4 };
    size_t n = 1, names = 1;
    const struct od_piece *name = number, *end = r->pieces + r->n;
    while (n < LIST_MOST && number + 2 * n < end && number[2 * n - 1].mark == '/' &&
           number[2 * n].number)
        n++;
    while (name > r->pieces && !od_piece_is_word(name))
        name--;
    while (names < n && name > r->pieces + 1 && name[-1].mark == '/' && od_piece_is_word(name - 2))
        name -= 2, names++;
    const struct od_piece *last = number + 2 * (n - 1);
    if (n < 2 || names < n || last->unit.n == 0 || r->broken)
        return false;
    unsigned of_all = 0;
    for (const struct od_piece *p = r->pieces; p < name; p++)
        of_all |= p->means & (OD_MW_MEMORY | OD_MW_HEAP | OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM);
    for (size_t i = 0; i < n; i++) {
        struct od_slot slot = {.device = r->device, .heap = of_all & OD_MW_HEAP};
        unsigned means = name[2 * i].means & OD_MW_MAX ? OD_MW_TOTAL : name[2 * i].means;
        slot.field = od_memory_field((of_all | means) & ~(unsigned)OD_MW_NEUTRAL, &slot.space);
        slot.ownerless = !slot.space;
        if (slot.field != OD_F_NONE &&
            set_size(r, number + 2 * i, od_span_of(r->text, last->unit), &slot))
            remember(r, &slot);
    }
    r->i += 2 * (n - 1);
    keep_context(r);
    return true;
}

static void take_number(struct od_template_reading *r, const struct od_piece *number)
{
    r->i++;
    if (number->glued || take_address(r, number) || take_list(r, number) || take_percent(r, number))
        return;
    take_size(r, number);
    r->to->allocated |= (r->label & OD_MW_ALLOCATED) != 0;
    keep_context(r);
    if (od_piece_at(r, 0)->mark == '(' && (od_piece_at(r, 1)->means & behind) &&
        od_piece_at(r, 2)->mark == ')')
        r->i += 3; /* " (highwater)" only belongs to it */
    const struct od_piece *after = od_piece_at(r, 0);
    if (od_view_eq_str(od_piece_text(r, after), "iterations") && number->plain)
        r->to->step = od_piece_count(r, number); /* "3.1 GB after 100 iterations" */
}

/* jvm_memory_used_bytes{area="heap",id="Old Gen"} 4.5E8: labels distinguish series of one name. */
static bool take_labels(struct od_template_reading *r, const struct od_piece *mark)
{
    size_t end = od_view_find_char(r->text, '}', mark->at);
    struct od_view labels = od_view_head(od_view_from(r->text, mark->end), end - mark->end);
    if (mark->at == 0 || end == OD_VIEW_NONE || od_view_at(r->text, end + 1) != ' ' ||
        !od_is_letter(r->text.p[mark->at - 1]) || od_view_find_char(labels, '=', 0) == OD_VIEW_NONE)
        return false;
    r->to->when = (struct od_span){mark->end, (uint16_t)labels.n};
    while (r->i < r->n && r->pieces[r->i].at <= end)
        r->i++;
    return true;
}

/* Does the mark end what the words before it are of? A comma between a name and its number does
 * not: "Working set, 35,5 MB". */
static bool ends_cell(const struct od_template_reading *r, const struct od_piece *mark)
{
    const struct od_piece *next = mark + 1, *before = mark > r->pieces ? mark - 1 : mark;
    bool apart = next->at == next->end || !od_piece_joined(next);
    switch (mark->mark) {
    case '|':
    case ';':
    case '{':
        return true;
    case '.': /* except of a leader, "resident set ....... 22 MiB" */
    case '!':
        return apart && before->mark != '.' && (mark == before || od_piece_joined(mark));
    case ',': {
        const struct od_piece *p = mark;
        while (p > r->pieces && !(p - 1)->number &&
               !((p - 1)->mark && strchr(",;|", (p - 1)->mark)))
            p--;
        return (p > r->pieces && (p - 1)->number) || !r->label || !next->number;
    }
    case '\t':
        return mark->at > 0 && before->mark != ':' && before->mark != '\t';
    case ']':
    case ':': {
        /* "[MemoryCallback] epoch 3", "MemoryMonitor: process memory": the name of the printing
         * component, not of the memory */
        bool name = r->broken || (r->unknown && !named(r));
        return name && (mark->mark == ']' || (apart && od_piece_is_word(next)));
    }
    default:
        return false;
    }
}

static void read_pieces(struct od_template_reading *r)
{
    while (r->i < r->n) {
        const struct od_piece *p = &r->pieces[r->i];
        if (od_piece_is_word(p))
            take_word(r, p);
        else if (p->number)
            take_number(r, p);
        else if (!(p->mark == '{' && take_labels(r, p))) {
            r->percent = r->percent || p->mark == '%';
            if (ends_cell(r, p))
                keep_context(r);
            r->i++;
        }
    }
}

/* --- a size at the head of a line --- */

/*
 * Some programs print the memory of their process before each message, with the elapsed time and
 * without a word: "[M::pass::12.3*4.5@1.2GB] ", "[12.3MiB/0.12s] ", "0:00:12.345   1G / 12G  INFO
 * ". If the messages differ, the size is not about the message. One line cannot show that.
 */
static void take_head(struct od_template_reading *r)
{
    enum { HEAD_MOST = 80 };
    const struct od_piece *size = NULL, *p = r->pieces, *end = p + r->n;
    bool bracket = p->mark == '[', timed = false, whole = false;
    for (; p < end && p->at < HEAD_MOST && p->mark != ']'; p++) {
        bool seconds = od_view_eq_str(od_piece_text(r, p), "s") && od_piece_joined(p);
        if (od_piece_is_word(p) && !bracket && !seconds)
            break;
        if (!p->number || p->glued)
            continue;
        bool point = !p->plain, clock = p > r->pieces && p[-1].mark == ':';
        bool follows = p + 1 < end && od_piece_is_word(p + 1) && od_piece_joined(p + 1);
        whole = whole || (size && p->unit.n > 0);
        if (p->unit.n > 0 && !size)
            size = p;
        else if (p->unit.n == 0)
            timed |= point &&
                     (follows ? od_view_eq_str(od_piece_text(r, p + 1), "s") : bracket || clock);
    }
    p += p < end && p->mark == ']';
    struct od_view message = od_view_from(r->text, p < end ? p->at : r->text.n);
    size_t words = 0;
    bool other = false;
    for (; p < end; p++) {
        /* words like a sentence, and no file name or size of what is moved or stored */
        bool alone = od_piece_is_word(p) && p->end - p->at > 2;
        words += alone && (p == r->pieces || !od_piece_joined(p));
        other |= p->mark == '/' || (p->means & OD_MW_FOREIGN);
    }
    static const char *const moves[] = {"ownload", "pload",  "ransfer", "opied", "opying", "etch",
                                        "Sent",    "Receiv", "rchive",  "ackup", "xtract", NULL};
    struct od_slot slot = {.field = OD_F_IN_USE, .bare = true};
    if (!size || !timed || (bracket && whole) || words < 2 || other ||
        od_view_has_any(message, moves) ||
        !set_size(r, size, od_span_of(r->text, size->unit), &slot))
        return;
    r->to->headed = r->to->digits_matter = true;
    r->to->slots[r->to->n++] = slot;
    r->to->message = od_view_hash(message);
}

static void begin(struct od_template_reading *r, struct od_template *to, struct od_view text)
{
    memset(r, 0, offsetof(struct od_template_reading, pieces));
    memset(to, 0, offsetof(struct od_template, slots));
    r->to = to;
    r->text = to->text = text;
    od_template_cut(r);
}

void od_template_read(struct od_view text, const struct od_template_under *under,
                      struct od_template *ret_template)
{
    struct od_template_reading r;
    struct od_template *to = ret_template;
    begin(&r, to, text);
    if (under) {
        r.context = under->context;
        r.device = under->device;
        r.unit_above = under->unit;
        to->digits_matter = true;
    }
    read_pieces(&r);
    to->process =
        od_view_has(text, OD_VIEW("rocess mem")) || od_view_has(text, OD_VIEW("this process"));
    if (to->n == 0) {
        take_head(&r);
        return;
    }
    struct od_view label = od_view_from(od_view_head(text, r.first_number), r.first_label);
    to->label = od_template_hash(UINT64_C(14695981039346656037), label, false);
    if (to->slots[0].named)
        to->label = od_template_hash(to->label, od_span_of(text, to->when), true);
    if (to->key.n == 0)
        od_template_find_mixed(&r);
}

bool od_template_heading(struct od_view text, struct od_template_under *ret_under)
{
    enum { HEADING_MOST = 80 };
    static const unsigned sides = OD_MW_MEMORY | OD_MW_DEVICE | OD_MW_HOST | OD_MW_RAM | OD_MW_RSS;
    struct od_template_reading r;
    struct od_template t;
    text = od_view_trim(text);
    if (text.n == 0 || text.n > HEADING_MOST ||
        (text.p[text.n - 1] != ':' && !strchr("=-#*", text.p[0])))
        return false;
    begin(&r, &t, text);
    read_pieces(&r);
    if (t.n > 0 || !((r.label | r.context) & sides) || (r.label & OD_MW_FOREIGN) || r.unknown ||
        r.broken)
        return false;
    *ret_under = (struct od_template_under){
        .context = r.label | r.context, .device = r.device, .unit = od_span_of(text, r.unit)};
    return true;
}

/* Is there a number with a unit, a percent sign, many digits, or a word for a measure before it? */
bool od_template_may_be(struct od_view text)
{
    enum { BYTES_LEAST = 8 };
    struct od_template_reading r;
    r.text = text;
    r.i = 0;
    od_template_cut_raw(&r);
    bool unit = false;
    for (size_t i = 0; i < r.n; i++) {
        const struct od_piece *p = &r.pieces[i], *next = p + 1, *word = p - 1;
        unit |= p->is_unit;
        if (!p->number)
            continue;
        while (word > r.pieces &&
               (word->is_unit || (word->mark && strchr(":=\"'\t(_)%", word->mark))))
            word--;
        if (unit || p->unit.n > 0 || next->mark == '%' || (next->mark == '/' && !p->plain) ||
            (p->end - p->at >= BYTES_LEAST && !memchr(text.p + p->at, 'e', p->end - p->at)) ||
            (i > 0 && od_piece_is_word(word) &&
             (od_piece_means(&r, word) & (OD_MW_MEMORY | OD_MW_RSS | OD_MW_VIRTUAL | states))))
            return true;
    }
    return false;
}
