/*
 * Determines the memory, the device and the program of a failure.
 */
#include "readers/logs/sentence_parts.h"

static const struct {
    enum od_word_class class;
    const char *space;
} spaces[] = {
    {OD_WORD_PINNED, "pinned"},
    {OD_WORD_UNIFIED, "unified"},
    {OD_WORD_DEVICE, "device"},
    {OD_WORD_HOST, "host"},
};

/* "can't malloc 3 GiB on sycl0": a function called so may allocate any memory. */
static bool is_call_of_host(const struct od_token *token)
{
    return od_token_is(token, OD_WORD_HOST) && od_token_is(token, OD_WORD_GET);
}

static const char *space_of(const struct od_token *token)
{
    if (is_call_of_host(token))
        return NULL;
    for (size_t i = 0; i < OD_COUNT_OF(spaces); i++)
        if (od_token_is(token, spaces[i].class))
            return spaces[i].space;
    return NULL;
}

/* "GPU and shared host memory": a program on a device needs both. */
static bool is_joined_to_device(const struct od_tokens *t, size_t i)
{
    enum { BETWEEN = 2 };
    for (size_t k = i; k > 1 && i - k <= BETWEEN; k--) {
        struct od_view text = od_token_text(t, &t->list[k - 1]);
        if ((od_view_eq_str(text, "and") || od_view_eq_str(text, "or")) &&
            od_token_is(&t->list[k - 2], OD_WORD_DEVICE))
            return true;
    }
    return false;
}

/* The memory named closest to the words for memory within a range of tokens: "GPU memory", "memory
 * on GPU 0". */
static const char *space_near(const struct od_tokens *t, size_t from, size_t upto)
{
    enum { WORDS_BETWEEN = 3 };
    for (size_t i = from; i < upto && i < t->n; i++) {
        if (!od_token_is(&t->list[i], OD_WORD_MEMORY))
            continue;
        /* "accelerator RAM", "GPU heap", "mémoire GPU" */
        if ((i > 0 && t->list[i].mark == 0 && od_token_is(&t->list[i - 1], OD_WORD_DEVICE)) ||
            (i + 1 < t->n && t->list[i + 1].mark == 0 && !t->list[i + 1].bracket &&
             od_token_is(&t->list[i + 1], OD_WORD_DEVICE)))
            return "device";
        bool apart = false;
        for (size_t k = 0; k <= WORDS_BETWEEN; k++) {
            const char *space = i >= k ? space_of(&t->list[i - k]) : NULL;
            if (space && is_joined_to_device(t, i - k))
                return "device";
            apart = apart || (k > 0 && (i + k >= t->n || t->list[i + k].mark != 0));
            if (!space && k > 0 && !apart)
                space = space_of(&t->list[i + k]);
            if (space)
                return space;
        }
    }
    return NULL;
}

/* The first memory named anywhere: before the refusal, in it, or after it. */
static const char *space_anywhere(const struct od_tokens *t, const struct od_refusal *r)
{
    const char *space = NULL;
    for (size_t i = r->from; i < r->upto && !space; i++)
        space = space_of(&t->list[i]);
    for (size_t i = r->from; i > 0 && !space; i--)
        space = space_of(&t->list[i - 1]);
    for (size_t i = r->upto; i < t->n && !space; i++)
        space = space_of(&t->list[i]);
    return space;
}

static bool names(const struct od_tokens *t, enum od_word_class class)
{
    return od_tokens_have(t, 0, t->n, OD_WORD_BIT(class));
}

enum od_event_kind od_sentence_kind(const struct od_tokens *t)
{
    if (names(t, OD_WORD_SHM))
        return OD_EV_SHM_EXHAUSTED;
    if (names(t, OD_WORD_CACHE))
        return OD_EV_KV_CACHE_FAILED;
    if (names(t, OD_WORD_CONTEXT))
        return OD_EV_CONTEXT_FAILED;
    return names(t, OD_WORD_COMPILE) ? OD_EV_COMPILE_FAILED : OD_EV_ALLOC_FAILED;
}

static bool is_word(const struct od_tokens *t, size_t i, const char *word, const char *other)
{
    struct od_view text = od_token_text(t, &t->list[i]);
    return od_view_eq_str(text, word) || od_view_eq_str(text, other);
}

/* "GPU 1", "cuda:0", "device ordinal 2", "dev 2": a small number directly after the name of a
 * device. */
static struct od_view device_of(const struct od_tokens *t)
{
    enum { MOST_DEVICES = 1024 };
    for (size_t i = 1; i < t->n; i++) {
        const struct od_token *number = &t->list[i];
        bool counted = i > 1 && is_word(t, i - 1, "ordinal", "id");
        const struct od_token *name = &t->list[i - 1 - counted];
        bool small = number->number && !number->unit && number->size.n < MOST_DEVICES;
        bool near = number->at - t->list[i - 1].end <= 2 && t->text.p[t->list[i - 1].end] != '_';
        bool device = od_token_is(name, OD_WORD_DEVICE) ||
                      (name->mark != '/' && is_word(t, i - 1 - counted, "dev", "ordinal"));
        if (small && near && device && (counted || t->text.p[name->end] == '='))
            return od_token_text(t, number);
        if (small && near && device)
            return od_view_part(t->text, name->at, number->end);
    }
    for (size_t i = 0; i + 1 < t->n; i++) { /* "CUDA1" */
        const struct od_token *name = &t->list[i], *digits = &t->list[i + 1];
        if (od_token_is(name, OD_WORD_DEVICE) && digits->at == name->end &&
            digits->end - digits->at <= 2 && od_is_digit(t->text.p[digits->at]))
            return od_view_part(t->text, name->at, digits->end);
    }
    return (struct od_view){0};
}

bool od_has_producer_mark(struct od_view text, const struct od_producer_mark *mark)
{
    struct od_view word = od_view_of(mark->text);
    size_t at = od_view_find(text, word, 0);
    while (at != OD_VIEW_NONE) {
        bool inside = od_is_letter(word.p[0]) && !od_is_upper(word.p[0]) && at > 0 &&
                      od_is_alnum(text.p[at - 1]);
        if (!inside || od_view_ends(od_view_head(text, at), OD_VIEW("lib")))
            return true;
        at = od_view_find(text, word, at + 1);
    }
    return false;
}

const char *od_sentence_producer(const struct od_lexicon *lexicon, struct od_view text)
{
    for (size_t i = 0; i < lexicon->nmarks; i++) {
        if (od_has_producer_mark(text, &lexicon->marks[i]))
            return lexicon->marks[i].producer;
    }
    return NULL;
}

static bool runs_on_devices(const char *producer)
{
    static const char *const others[] = {"python", "spark", "dask",     "ray",
                                         "shell",  "linux", "windows",  "systemd",
                                         "docker", "slurm", "earlyoom", NULL};
    return producer && !od_view_eq_any(od_view_of(producer), others);
}

/* An allocator or command that names no memory means host memory, unless a device framework prints
 * it. */
static bool is_of_machine(const struct od_tokens *t, const struct od_refusal *r,
                          const char *producer)
{
    const struct od_token *first = &t->list[r->from];
    return od_token_is(first, OD_WORD_REFUSAL) || (producer && !runs_on_devices(producer)) ||
           (!runs_on_devices(producer) &&
            (od_token_is(first, OD_WORD_CANNOT) || od_token_is(first, OD_WORD_ALLOCATION) ||
             od_is_said_by_command(t, r)));
}

/* cuMemHostAlloc and similar calls only allocate pinned memory. */
static bool calls_pinned(const struct od_tokens *t)
{
    for (size_t i = 0; i < t->n; i++) {
        struct od_view text = od_token_text(t, &t->list[i]);
        if (od_token_is(&t->list[i], OD_WORD_PINNED) && od_view_has(text, OD_VIEW("Host")) &&
            !od_view_has(text, OD_VIEW(" ")))
            return true;
    }
    return false;
}

/* Does the text contain ENOMEM as a number, which is the system's error? */
static bool tells_enomem(struct od_view text)
{
    static const char *const codes[] = {"rrno 12",    "rrno=12",         "rrno: 12",
                                        "s error 12", "rror code is 12", "rror code 12"};
    for (size_t k = 0; k < OD_COUNT_OF(codes); k++) {
        struct od_view code = od_view_of(codes[k]);
        size_t at = od_view_find(text, code, 0);
        if (at != OD_VIEW_NONE && (at + code.n >= text.n || !od_is_digit(text.p[at + code.n])))
            return true;
    }
    return false;
}

void od_sentence_place(const struct od_tokens *t, const struct od_refusal *r,
                       const struct od_lexicon *lexicon, struct od_sentence *s)
{
    size_t from = od_sentence_from(t, r->from), upto = od_sentence_upto(t, r->from);
    s->space = calls_pinned(t) ? "pinned" : space_near(t, r->from, r->upto);
    if (!s->space)
        s->space = space_near(t, from, upto);
    if (!s->space)
        s->space = space_anywhere(t, r);
    /* "메모리 할당 실패 (cudaMalloc)": words for memory in other languages often mean host memory,
     * if nothing else is named */
    bool foreign = (t->text.p[t->list[r->from].at] & 0x80) != 0;
    for (size_t i = 0; foreign && i < t->n; i++) {
        if (od_token_is(&t->list[i], OD_WORD_DEVICE) &&
            od_token_is(&t->list[i], OD_WORD_ALLOCATION))
            s->space = "device";
    }
    if (!s->space && tells_enomem(t->text))
        s->space = "host";
    for (size_t i = 0; i < t->n && !s->space; i++)
        s->space = is_call_of_host(&t->list[i]) ? "host" : NULL;
    s->producer = od_sentence_producer(lexicon, t->text);
    if (s->kind == OD_EV_KV_CACHE_FAILED && !s->space)
        s->space = "device";
    s->supposed = !s->space && !od_token_is(&t->list[r->from], OD_WORD_REFUSAL);
    if (!s->space && is_of_machine(t, r, s->producer))
        s->space = "host";
    if (!s->space || s->space[0] == 'd')
        s->device = device_of(t);
}

bool od_sentence_blames_device(const struct od_lexicon *lexicon, struct od_view text)
{
    struct od_tokens tokens;
    od_tokens_read(&tokens, lexicon, text);
    return names(&tokens, OD_WORD_ERROR) && names(&tokens, OD_WORD_DEVICE);
}
