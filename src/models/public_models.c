#include "models/public_models.h"

#include "base/suggest.h"

static const struct od_public_model models[] = {
#include "models/public_models.inc"
};

enum { NAME_MAX_BYTES = 512, KEY_MAX = 128, TOKEN_MAX = 16, NAMES_MOST = 1024 };

/* A normalized name: "meta-llama/Llama-2-7b-chat-hf" and "llama2:7b" both give "llama-2-7b". */
struct key {
    char text[KEY_MAX];
    size_t n;
    bool sized;     /* the name has a size such as "7b" */
    bool quantized; /* the name has a quantization */
};

static bool is_separator(char c)
{
    return c == '-' || c == '_' || c == ' ' || c == ':' || c == '.';
}

/* Takes a token: letters, or digits and letters after them ("3.1", "7b"). False at the end. */
static bool take_token(struct od_view *left, struct od_view *ret_token)
{
    while (left->n > 0 && is_separator(left->p[0]))
        *left = od_view_from(*left, 1);
    size_t n = 0;
    bool letters = false;
    for (; n < left->n; n++) {
        char c = left->p[n];
        bool point = c == '.' && n > 0 && n + 1 < left->n && od_is_digit(left->p[n - 1]) &&
                     od_is_digit(left->p[n + 1]);
        if ((is_separator(c) && !point) || (letters && od_is_digit(c)))
            break;
        letters = letters || !(od_is_digit(c) || point);
    }
    *ret_token = od_view_head(*left, n);
    *left = od_view_from(*left, n);
    return n > 0;
}

/* Is the token a size: "7b", "0.5b", "125m"? */
static bool is_size(struct od_view token)
{
    char last = token.n > 1 ? od_lower(token.p[token.n - 1]) : 0;
    return (last == 'b' || last == 'm') && od_is_digit(token.p[token.n - 2]);
}

static bool is_one_of(struct od_view token, const char *const *words)
{
    char lower[TOKEN_MAX];
    if (token.n >= sizeof lower)
        return false;
    for (size_t i = 0; i < token.n; i++)
        lower[i] = od_lower(token.p[i]);
    for (; *words; words++)
        if (od_view_eq_str((struct od_view){lower, token.n}, *words))
            return true;
    return false;
}

/* Does the rest of the name only describe how the weights are stored? */
static bool ends_name(struct key *key, struct od_view token, struct od_view left)
{
    static const char *const packed[] = {"gptq", "awq",  "gguf", "ggml",      "exl", "bnb",
                                         "nf",   "mlx",  "4bit", "8bit",      "int", "q",
                                         "iq",   "nvfp", "mxfp", "quantized", "ud",  NULL};
    static const char *const plain[] = {"fp", "bf", "f", "w", NULL};
    struct od_view bits;
    if (key->n > 0 && is_one_of(token, packed)) {
        key->quantized = true;
        return true;
    }
    if (key->n == 0 || !is_one_of(token, plain) || !take_token(&left, &bits))
        return false;
    static const char *const few[] = {"4", "4a", "8", "8a", NULL};
    key->quantized = is_one_of(bits, few);
    return key->quantized || od_view_eq_str(bits, "16") || od_view_eq_str(bits, "32");
}

static bool add_token(struct key *key, struct od_view token)
{
    if (key->n + token.n + 2 > sizeof key->text)
        return false;
    if (key->n > 0)
        key->text[key->n++] = '-';
    for (size_t i = 0; i < token.n; i++)
        key->text[key->n++] = token.p[i] == '.' ? '-' : od_lower(token.p[i]); /* as in "llama3_1" */
    key->text[key->n] = '\0';
    return true;
}

/* The part after the last '/'; for a folder in the hub's cache, the name of its model. */
static struct od_view last_part(struct od_view name)
{
    static const char cache[] = "models--";
    size_t at = od_view_find(name, OD_VIEW("models--"), 0);
    if (at != OD_VIEW_NONE) {
        struct od_view folder = od_view_from(name, at + sizeof cache - 1), head = {0};
        (void)od_view_cut(&folder, '/', &head);
        at = od_view_find(head, OD_VIEW("--"), 0);
        return at == OD_VIEW_NONE ? head : od_view_from(head, at + 2);
    }
    while (name.n > 0 && name.p[name.n - 1] == '/')
        name.n--;
    for (size_t i = name.n; i > 0; i--)
        if (name.p[i - 1] == '/')
            return od_view_from(name, i);
    return name;
}

static bool is_one_line(struct od_view text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] < ' ')
            return false;
    return text.n > 0 && text.n <= NAME_MAX_BYTES;
}

/* Normalizes a name. False if it cannot be one of a model. */
static bool make_key(struct od_view name, struct key *key)
{
    static const char *const variants[] = {"hf",  "chat", "instruct", "it",       "pt",      "sft",
                                           "dpo", "base", "nemo",     "thinking", "unsloth", NULL};
    *key = (struct key){0};
    name = od_view_trim(name);
    if (!is_one_line(name))
        return false;
    struct od_view left = last_part(name), token;
    while (take_token(&left, &token)) {
        if (ends_name(key, token, left))
            break;
        if (key->sized && is_one_of(token, variants))
            continue;
        if (!add_token(key, token))
            return false;
        key->sized = key->sized || is_size(token);
    }
    return key->n > 0;
}

const struct od_public_model *od_public_models(size_t *ret_n)
{
    *ret_n = OD_COUNT_OF(models);
    return models;
}

struct od_view od_public_model_name(const struct od_public_model *model)
{
    struct od_view names = od_view_of(model->names), name = {0};
    (void)od_view_cut(&names, ' ', &name);
    return name;
}

const struct od_public_model *od_public_model_find(struct od_view name, bool *ret_quantized)
{
    struct key asked, known;
    if (!make_key(name, &asked))
        return NULL;
    for (size_t i = 0; i < OD_COUNT_OF(models); i++) {
        struct od_view names = od_view_of(models[i].names), one;
        while (od_view_cut(&names, ' ', &one)) {
            if (!make_key(one, &known) || strcmp(known.text, asked.text) != 0)
                continue;
            *ret_quantized = asked.quantized;
            return &models[i];
        }
    }
    return NULL;
}

/* Compares normalized names, so that irrelevant differences do not count. */
const char *od_public_model_suggest(struct od_view name, struct od_arena *arena)
{
    const char *spelt[NAMES_MOST];
    const struct od_public_model *of[NAMES_MOST];
    struct key asked, known;
    size_t n = 0;
    if (!make_key(name, &asked))
        return NULL;
    for (size_t i = 0; i < OD_COUNT_OF(models); i++) {
        struct od_view names = od_view_of(models[i].names), one;
        while (n < NAMES_MOST && od_view_cut(&names, ' ', &one) && make_key(one, &known)) {
            of[n] = &models[i];
            spelt[n++] = od_arena_str(arena, (struct od_view){known.text, known.n});
        }
    }
    const char *best = od_suggest(asked.text, spelt, n);
    for (size_t i = 0; best && i < n; i++)
        if (spelt[i] == best)
            return od_arena_str(arena, od_public_model_name(of[i]));
    return NULL;
}
