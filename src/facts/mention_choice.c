/* Chooses the numbers that size the run's memory among all that a text states. */
#include "facts/mention.h"

#include "base/mask_digits.h"
#include "facts/meaning.h"
#include "facts/mention_parts.h"
#include "facts/number.h"

#include <math.h>

uint64_t od_mention_means(struct od_view name)
{
    enum { NAME_MOST = 64 };
    return od_words_mean(&od_shipped_meanings[OD_SUBJECT_SIZE], od_view_head(name, NAME_MOST),
                         true);
}

uint64_t od_mention_phrase_means(struct od_view phrase)
{
    uint64_t means = od_mention_means(phrase) & (UINT64_C(1) << OD_SIZE_DATA); /* "model size" */
    for (struct od_view word; od_view_cut(&phrase, ' ', &word);)
        means |= od_mention_means(word);
    return means;
}

/* --- the process or device of a number --- */

/* The device's number: 1 for "cuda:1" and "GPU 1". */
static struct od_count number_in(struct od_view device)
{
    uint64_t number;
    while (device.n > 0 && !od_is_digit(device.p[0]))
        device = od_view_from(device, 1);
    return od_num_take_u64(&device, &number) ? od_count_of(number) : (struct od_count){0};
}

bool od_mention_is_of_others(const struct od_mention_question *asked, struct od_view line)
{
    struct od_count device = number_in(asked->device);
    bool host = od_scope_is_within(asked->scope, OD_SCOPE_MACHINE) &&
                !od_means(od_mention_phrase_means(line), OD_SIZE_HOST);
    const struct {
        const char *word;
        struct od_count own;
        bool of_one; /* if our own number is unknown, any number is another's */
    } owners[] = {{"pid", asked->pid, true}, {"process", asked->pid, true},
                  {"gpu", device, host},     {"cuda", device, host},
                  {"rocm", device, host},    {"vulkan", device, host},
                  {"sycl", device, host},    {"xpu", device, host},
                  {"device", device, host},  {"rank", asked->rank, false}};
    char small[sizeof "process"];
    size_t speaker = line.n > 0 && strchr("([", line.p[0])
                         ? od_view_find_char(line, line.p[0] == '(' ? ')' : ']', 0)
                         : 0;
    for (size_t i = 0; i < line.n;) {
        struct od_view word = od_view_take_letters(&(struct od_view){line.p + i, line.n - i}), rest;
        i += word.n > 0 ? word.n : 1;
        rest = od_view_from(line, i);
        while (rest.n > 0 && strchr(" :#=(", rest.p[0]))
            rest = od_view_from(rest, 1);
        uint64_t number;
        if (word.n == 0 || word.n >= sizeof small || !od_num_take_u64(&rest, &number) ||
            (rest.n > 0 && od_is_letter(rest.p[0])) || /* "GPU 24GB", "process 900 files" */
            od_is_size(od_mention_means(od_word_at(rest, 1)), UINT64_C(1) << OD_SIZE_ITEMS))
            continue;
        word = od_view_lowered(word, small, sizeof small);
        for (size_t k = 0; k < OD_COUNT_OF(owners); k++)
            if (od_view_eq_str(word, owners[k].word) &&
                (owners[k].own.known ? owners[k].own.n != number : owners[k].of_one && i > speaker))
                return true;
    }
    return false;
}

/* --- the most informative ones --- */

/* Number of mentions with this name but another value. Values that change from line to line are
 * progress or measurements, of which the last one before the failure counts. Below a key, another
 * value may be another container's. */
static size_t others_of(const struct od_mentions_found *s, const struct od_mention *mention,
                        bool *ret_last)
{
    const uint64_t end = s->asked->at.line, at = mention->at.line;
    size_t others = 0;
    *ret_last = !mention->nested;
    for (size_t i = 0; i < s->n; i++) {
        const struct od_mention *other = &s->list[i];
        bool near = !mention->bytes.known && od_prov_cmp(&other->at, &mention->at) == 0;
        if (near || other->prose || od_view_eq(other->value, mention->value) ||
            !od_same_but_digits(other->label, mention->label))
            continue;
        others++;
        if (other < mention ? at > end && other->at.line <= end : other->at.line <= end)
            *ret_last = false;
    }
    return others;
}

static bool is_series(const struct od_mentions_found *s, const struct od_mention *mention)
{
    enum { OFTEN = 2 };
    bool last;
    size_t others = others_of(s, mention, &last);
    return others > 0 && (!last || (!mention->bytes.known && others >= OFTEN));
}

/* Is the number one of a series, or on a line with one, as in a server's metrics? */
static bool is_measurement(const struct od_mentions_found *s, const struct od_mention *mention)
{
    bool near = mention->sets && !mention->prose && mention->text.p[0] != '-';
    for (size_t i = 0; near && i < s->n; i++)
        if (&s->list[i] != mention && od_prov_cmp(&s->list[i].at, &mention->at) == 0 &&
            is_series(s, &s->list[i]))
            return true;
    return is_series(s, mention);
}

/* Is the number next to an amount or a large count, on its line or the next: "28 images of 2 MB",
 * "660 columns and 245269 rows"? */
static bool is_next_to_data(const struct od_mentions_found *s, const struct od_mention *mention)
{
    static const double many = 1000;
    for (size_t i = 0; i < s->n; i++) {
        const struct od_mention *other = &s->list[i];
        struct od_view value = other->value;
        double count = 0;
        bool counts = od_means(other->means, OD_SIZE_ITEMS) &&
                      od_num_parse_double(od_num_take_text(&value), &count) && count >= many;
        bool amount = other->bytes.known && other->prose == mention->prose;
        if (other != mention && (counts || amount) &&
            od_prov_distance(&other->at, &mention->at) <= (counts ? 1 : 0))
            return true;
    }
    return false;
}

/* Is it a flag to which people give one value only: "it fails with --parts 40"? */
static bool is_flag_in_prose(const struct od_mentions_found *s, const struct od_mention *mention)
{
    if (!mention->prose || !mention->sets || !od_view_starts(mention->name, OD_VIEW("--")))
        return false;
    for (size_t i = 0; i < s->n; i++)
        if (od_view_eq(s->list[i].name, mention->name) &&
            !od_view_eq(s->list[i].value, mention->value))
            return false;
    return true;
}

static bool is_personal(const struct od_mention *mention)
{
    return od_means(od_words_mean(&od_shipped_meanings[OD_SUBJECT_CLAIM], mention->text, false),
                    OD_CLAIM_PERSONAL);
}

/* Decides by rules/words/numbers.yaml whether the number helps to explain the failure. */
static bool explains(const struct od_mentions_found *s, const struct od_mention *mention)
{
    enum { NEAR = 5 }; /* lines; counts further from the failure are progress */
    static const double many = 1000, small = 0.01, tiny = 0.001;
    const struct od_mention_question *asked = s->asked;
    struct od_view value = mention->value;
    double count = 0, most = (double)asked->asked.lo, size = (double)mention->bytes.hi;
    for (size_t i = 0; !asked->asked.known && i < s->n; i++)
        most = s->list[i].prose ? most : fmax(most, (double)s->list[i].bytes.lo);
    bool amount = mention->bytes.known,
         counted = !amount && od_num_parse_double(od_num_take_text(&value), &count),
         items = od_means(mention->means, OD_SIZE_ITEMS),
         near = items && od_prov_distance(&mention->at, &asked->at) <= NEAR;
    const struct {
        bool is;
        const char *words;
    } known[] = {
        {od_means(mention->means, OD_SIZE_DEVICE), "of device"},
        {od_means(mention->means, OD_SIZE_HOST), "of host"},
        {true, "failed"},
        {true, asked->scope ? od_scope_name(asked->scope) : "memory"},
        {amount && size < tiny * most, "tiny"},
        {amount && size < small * most, "small"},
        {amount && od_means(mention->means, OD_SIZE_STATE), "state"},
        {amount, "amount"},
        {mention->share, "percentage"},
        {asked->read, "amounts read"},
        {asked->amounts, "no lack"},
        {true, near             ? "near"
               : mention->prose ? "person"
               : mention->sets  ? "setting"
                                : "program"},
        {mention->prose || od_means(mention->means, OD_SIZE_DATA), "data"},
        {items, "items"},
        {mention->sets && od_means(mention->means, OD_SIZE_MEMORY), "set memory"},
        {counted && count >= many, "thousands"},
        {counted && count < 1, "fraction"},
        {items && is_next_to_data(s, mention), "beside"},
        {od_means(mention->means, OD_SIZE_AT_ONCE), "parallel"},
        {mention->pair, "sides"},
        {mention->identifier && is_personal(mention), "identifier"},
        {is_flag_in_prose(s, mention), "only flag"},
    };
    struct od_buf words = {0};
    for (size_t i = 0; i < OD_COUNT_OF(known); i++)
        if (known[i].is)
            od_buf_printf(&words, "%s ", known[i].words);
    uint64_t means = od_words_mean(&od_shipped_meanings[OD_SUBJECT_NUMBER],
                                   od_view_of(od_buf_str(&words)), false);
    od_buf_done(&words);
    return od_means(means, OD_NUMBER_EXPLAINS);
}

/* Is the mention contained in a longer one, as "28 images" in "28 images of 2 MB"? */
static bool is_in_another(const struct od_mentions_found *s, const struct od_mention *mention)
{
    const char *end = mention->text.p + mention->text.n;
    for (size_t i = 0; i < s->n; i++) {
        struct od_view other = s->list[i].text;
        if (other.n > mention->text.n && other.p <= mention->text.p && end <= other.p + other.n)
            return true;
    }
    return false;
}

/* Did a person state another size of that memory before? Then this one is of another machine. */
static bool is_second(const struct od_mentions_found *s, const struct od_mention *mention)
{
    for (const struct od_mention *other = s->list; mention->whole && other < mention; other++)
        if (other->whole && od_bytes_same(other->bytes, mention->bytes) == OD_NO &&
            od_means(other->means, OD_SIZE_DEVICE) == od_means(mention->means, OD_SIZE_DEVICE))
            return true;
    return false;
}

/* Numbers in a person's words come last. A value that changes is not reported as a setting. */
void od_mentions_choose(const struct od_mentions_found *s, struct od_mentions *to)
{
    bool last;
    to->dropped = s->dropped;
    for (int rank = 0; rank < 2 * OD_RANKS; rank++)
        for (size_t i = 0; i < s->n && to->n < OD_MENTIONS_MOST; i++) {
            const struct od_mention *mention = &s->list[i];
            if (mention->rank + OD_RANKS * mention->prose != rank || !explains(s, mention) ||
                is_measurement(s, mention) || is_in_another(s, mention) || is_second(s, mention))
                continue;
            to->list[to->n] = *mention;
            to->list[to->n++].sets &= others_of(s, mention, &last) == 0;
        }
}
