#include "readers/logs/checkpoint_words.h"

#include "base/word_table.h"

/* The meaning of a word here. */
enum {
    OTHER,
    SAVES, /* it is being saved */
    SAVED,
    STATE, /* something that a run can be resumed from */
    STEPS, /* counts steps, before or after its number */
    EPOCHS,
    LOOSE, /* in a path: the number after it may count steps or epochs */
    NOT    /* negated, planned, requested, loaded, or something else is saved */
};

static const struct od_word_means words[] = {
#include "readers/logs/checkpoint_words.inc"
};

static unsigned meaning(struct od_view word)
{
    return od_word_means(words, OD_COUNT_OF(words), word);
}

/* The meaning of a word in a file name. */
static unsigned meaning_in_path(struct od_view word)
{
    unsigned means = meaning(word);
    return means == STEPS || means == EPOCHS ? means : LOOSE;
}

/* ---- paths ---- */

static bool is_file(struct od_view token)
{
    static const char *const ends[] = {
        "pt",          "pth",      "ckpt",    "h5",         "hdf5",        "keras",  "bin",
        "safetensors", "tar",      "params",  "npz",        "pkl",         "nemo",   "weights",
        "mdl",         "pdparams", "msgpack", "caffemodel", "solverstate", "distcp", NULL};
    size_t n = token.n;
    while (n > 0 && token.p[n - 1] != '.')
        n--;
    return n > 1 && od_view_eq_any(od_view_from(token, n), ends);
}

static bool is_around(char c)
{
    return c && strchr("'\"`()[]<>,;:!", c);
}

static struct od_view bare(struct od_view token)
{
    while (token.n > 0 && is_around(token.p[0]))
        token = od_view_from(token, 1);
    while (token.n > 0 && (is_around(token.p[token.n - 1]) || token.p[token.n - 1] == '.'))
        token.n--;
    return token;
}

/* "4000/10000" is not a path */
static bool is_path(struct od_view token)
{
    bool letters = false;
    for (size_t i = 0; i < token.n; i++)
        letters |= od_is_letter(token.p[i]);
    return letters && (od_view_find_char(token, '/', 0) != OD_VIEW_NONE || is_file(token));
}

/* Reads a step or epoch from one part of a path: "checkpoint-4000", "epoch=3-step=4000.ckpt",
 * "model_0004999.pth". */
static bool read_name(struct od_view name, struct od_checkpoint_words *to)
{
    struct od_view word = {0};
    bool told = false;
    while (name.n > 0) {
        uint64_t n;
        if (od_is_letter(name.p[0])) {
            word = od_view_take_letters(&name);
        } else if (od_num_take_u64(&name, &n)) {
            unsigned means = meaning_in_path(word);
            struct od_count *count = means == STEPS    ? &to->step
                                     : means == EPOCHS ? &to->epoch
                                                       : &to->number;
            *count = od_count_of(n);
            told = told || meaning(word) != OTHER;
            word = (struct od_view){0};
        } else {
            if (!strchr("-_=", name.p[0]))
                word = (struct od_view){0};
            name = od_view_from(name, 1);
        }
    }
    return told;
}

/* If a folder in the path has the number, that folder is the checkpoint and the rest are its parts.
 * False if no part is named like a checkpoint. */
static bool read_path(struct od_view path, struct od_checkpoint_words *to)
{
    size_t at = 0;
    to->path = path;
    while (at < path.n) {
        size_t end = od_view_find_char(path, '/', at);
        bool last = end == OD_VIEW_NONE;
        struct od_view name = od_view_head(od_view_from(path, at), (last ? path.n : end) - at);
        struct od_checkpoint_words found = {0};
        if (last)
            return read_name(name, to);
        if (read_name(name, &found)) {
            to->path = od_view_head(path, end);
            to->step = found.step;
            to->epoch = found.epoch;
            to->number = found.number;
            return true;
        }
        at = end + 1;
    }
    return false;
}

/* ---- the line ---- */

struct reading {
    bool saves, saved, state, denied;
    unsigned before;       /* meaning of the previous word: steps or epochs are counted next */
    struct od_count loose; /* a number without a word for steps before it */
    struct od_count step, epoch, number;
};

static void count(struct reading *r, unsigned means, uint64_t n)
{
    if (means == STEPS)
        r->step = od_count_of(n);
    else if (means == EPOCHS)
        r->epoch = od_count_of(n);
}

static void take_word(struct reading *r, struct od_view word)
{
    unsigned means = meaning(word);
    if (means == OTHER && r->before == STATE &&
        (od_view_eq_str(word, "for") || od_view_eq_str(word, "at")))
        means = STATE; /* "checkpoints for 4000" */
    r->saves |= means == SAVES;
    r->saved |= means == SAVED;
    r->state |= means == STATE;
    r->denied |= means == NOT;
    if (r->loose.known && (means == STEPS || means == EPOCHS)) { /* "4000 iterations" */
        count(r, means, r->loose.n);
        r->number.known = false;
    }
    r->loose.known = false;
    r->before = means;
}

static void take_number(struct reading *r, uint64_t n)
{
    count(r, r->before, n);
    if (r->before == STATE)
        r->number = od_count_of(n);
    r->loose = od_count_of(n);
    if (r->before == STEPS || r->before == EPOCHS)
        r->loose.known = false;
    r->before = OTHER;
}

/* "4000" or "4,000" */
static bool take_whole_number(struct od_view *token, uint64_t *ret_n)
{
    size_t n = 0;
    while (n < token->n && (od_is_digit(token->p[n]) || (n > 0 && token->p[n] == ',')))
        n++;
    if (n == 0 || !od_num_parse_u64(od_view_head(*token, n), ret_n))
        return od_num_take_u64(token, ret_n);
    *token = od_view_from(*token, n);
    return true;
}

/* Reads words and numbers of a token that is not a path: "step=4000", "iteration", "4,000". */
static void take_token(struct reading *r, struct od_view token)
{
    while (token.n > 0) {
        uint64_t n;
        if (od_is_letter(token.p[0]))
            take_word(r, od_view_take_letters(&token));
        else if (take_whole_number(&token, &n))
            take_number(r, n);
        else
            token = od_view_from(token, 1);
    }
}

static bool next_token(struct od_view *text, struct od_view *ret_token)
{
    struct od_view raw;
    while (od_view_cut(text, ' ', &raw)) {
        *ret_token = bare(od_view_trim(raw));
        if (ret_token->n > 0)
            return true;
    }
    return false;
}

bool od_checkpoint_words_read(struct od_view text, struct od_checkpoint_words *ret_words)
{
    struct reading r = {0};
    struct od_view token;
    struct od_checkpoint_words found = {0};
    while (next_token(&text, &token) && !r.denied) {
        if (is_path(token) && (r.saves || r.saved || r.state))
            r.state |= read_path(token, &found);
        else if (!is_path(token))
            take_token(&r, token);
    }
    found.done = r.saved;
    if (r.step.known)
        found.step = r.step;
    if (r.epoch.known)
        found.epoch = r.epoch;
    if (r.number.known)
        found.number = r.number;
    *ret_words = found;
    bool where = found.path.n > 0 || found.step.known || found.epoch.known;
    return !r.denied && (r.saves || r.saved) && r.state && where;
}
