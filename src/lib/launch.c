#include "lib/launch.h"

#include "base/ascii.h"
#include "base/num.h"
#include "readers/models/public_models.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 64 << 10, KEY_MAX = 48, NAME_MAX_BYTES = 96 };

enum kind {
    NUMBER, /* the value is the knob's */
    SHARE,  /* the same, with a point */
    FLAG    /* the knob has a value of its own where this is true */
};

/* Keys as they are spelled with "_"; of one knob the first in the text counts. */
static const struct key {
    const char *key;
    const char *knob;
    enum kind kind;
    const char *value; /* of a flag; NULL = none */
} keys[] = {
    {"per_device_train_batch_size", "batch", NUMBER, NULL},
    {"micro_batch_size", "batch", NUMBER, NULL},
    {"train_micro_batch_size_per_gpu", "batch", NUMBER, NULL},
    {"gradient_accumulation_steps", "accumulate", NUMBER, NULL},
    {"sequence_len", "seq", NUMBER, NULL},
    {"cutoff_len", "seq", NUMBER, NULL},
    {"max_seq_length", "seq", NUMBER, NULL},
    {"max_seq_len", "seq", NUMBER, NULL},
    {"max_model_len", "seq", NUMBER, NULL},
    {"model_max_length", "seq", NUMBER, NULL},
    {"context_length", "seq", NUMBER, NULL},
    {"ctx_size", "seq", NUMBER, NULL},
    {"lora_rank", "lora", NUMBER, NULL},
    {"lora_r", "lora", NUMBER, NULL},
    {"quantization_bit", "quantize", NUMBER, NULL},
    {"load_in_4bit", "quantize", FLAG, "4"},
    {"load_in_8bit", "quantize", FLAG, "8"},
    {"bf16", "precision", FLAG, "amp_bf16"},
    {"fp16", "precision", FLAG, "amp_fp16"},
    {"pure_bf16", "precision", FLAG, "bf16_true"},
    {"gradient_checkpointing", "checkpointing", FLAG, "full"},
    {"tensor_parallel_size", "tp", NUMBER, NULL},
    {"nproc_per_node", "world-size", NUMBER, NULL},
    {"max_num_seqs", "running", NUMBER, NULL},
    {"gpu_memory_utilization", "utilization", SHARE, NULL},
};

static const char *const names[] = {"model_name_or_path",
                                    "base_model",
                                    "base_model_name_or_path",
                                    "pretrained_model_name_or_path",
                                    "pretrained_model_name",
                                    "model_name",
                                    "model_path",
                                    "model_id",
                                    "model",
                                    "serve",
                                    NULL};

static bool is_of_word(char c)
{
    return od_is_letter(c) || od_is_digit(c) || (c && strchr("._-/~", c));
}

/* The next word and what stands right behind it; comments of YAML and shells are passed over. */
static bool next_word(struct od_view *text, struct od_view *ret_word)
{
    size_t at = 0, end;
    while (at < text->n && !is_of_word(text->p[at])) {
        bool comment = text->p[at] == '#' && (at == 0 || text->p[at - 1] <= ' ');
        while (comment && at + 1 < text->n && text->p[at + 1] != '\n')
            at++;
        at++;
    }
    for (end = at; end < text->n && is_of_word(text->p[end]);)
        end++;
    *ret_word = od_view_head(od_view_from(*text, at), end - at);
    *text = od_view_from(*text, end);
    return ret_word->n > 0;
}

/* "--per-device-train-batch-size" -> "per_device_train_batch_size" */
static bool fold(struct od_view word, char key[static KEY_MAX])
{
    while (od_view_take(&word, OD_VIEW("-")))
        ;
    if (word.n == 0 || word.n >= KEY_MAX)
        return false;
    for (size_t i = 0; i < word.n; i++)
        key[i] = word.p[i] == '-' ? '_' : word.p[i];
    key[word.n] = '\0';
    return true;
}

/* "org/name", and no path of a file. */
static bool is_public(struct od_view word)
{
    size_t slash = od_view_find_char(word, '/', 0);
    return word.n < NAME_MAX_BYTES && slash != OD_VIEW_NONE && slash > 0 && slash + 1 < word.n &&
           od_view_find_char(word, '/', slash + 1) == OD_VIEW_NONE && !strchr("./~-", word.p[0]) &&
           !od_view_ends(word, OD_VIEW(".py")) && !od_view_ends(word, OD_VIEW(".yaml")) &&
           !od_view_ends(word, OD_VIEW(".json")) && od_view_find_char(word, '~', 0) == OD_VIEW_NONE;
}

static bool is_true(struct od_view word)
{
    static const char *const words[] = {"true", "True", "yes", "auto", "1", NULL};
    return od_view_eq_any(word, words);
}

/* The option that the key and the word behind it make; NULL for none. */
static const char *option_of(const struct key *key, struct od_view value, struct od_arena *arena)
{
    uint64_t n;
    double share;
    if (key->kind == FLAG) /* on a command line a flag may stand alone */
        return is_true(value) || od_view_starts(value, OD_VIEW("--"))
                   ? od_arena_printf(arena, "--%s %s", key->knob, key->value)
                   : NULL;
    bool good = key->kind == NUMBER ? od_num_parse_u64(value, &n) && n > 0
                                    : od_num_parse_double(value, &share) && share > 0 && share <= 1;
    return good && value.n < KEY_MAX
               ? od_arena_printf(arena, "--%s %.*s", key->knob, (int)value.n, value.p)
               : NULL;
}

static void take_option(struct od_launch *launch, const char *key, struct od_view value,
                        struct od_arena *arena)
{
    for (size_t i = 0; i < OD_COUNT_OF(keys); i++) {
        if (strcmp(key, keys[i].key) != 0)
            continue;
        const char *option = option_of(&keys[i], value, arena);
        const char *said = od_arena_printf(arena, "--%s ", keys[i].knob);
        if (option && !(launch->options && strstr(launch->options, said)))
            launch->options =
                launch->options ? od_arena_printf(arena, "%s %s", launch->options, option) : option;
    }
}

static void take_name(struct od_launch *launch, const char *key, struct od_view value,
                      struct od_arena *arena)
{
    if (!launch->model && od_view_eq_any(od_view_of(key), names) && is_public(value))
        launch->model = od_arena_printf(arena, "%.*s", (int)value.n, value.p);
}

struct od_launch od_launch_find(struct od_view text, struct od_arena *arena)
{
    struct od_launch launch = {0};
    struct od_view word, rest = od_view_head(text, text.n < TEXT_MAX ? text.n : TEXT_MAX);
    char key[KEY_MAX];
    launch.index = od_view_has(rest, OD_VIEW("\"weight_map\""));
    bool server = od_view_has(text, OD_VIEW("vllm ")) || od_view_has(text, OD_VIEW("sglang"));
    if (server)
        launch.options = "--inference";
    while (next_word(&rest, &word)) {
        struct od_view behind = rest, value = {0};
        (void)next_word(&behind, &value);
        if (!fold(word, key))
            continue;
        take_name(&launch, key, value, arena);
        take_option(&launch, key, value, arena);
    }
    bool quantized;
    launch.known = launch.model && od_public_model_find(od_view_of(launch.model), &quantized);
    return launch;
}

struct od_launch od_launch_find_in_file(const char *name, struct od_arena *arena)
{
    struct od_launch launch = {0};
    FILE *file = strcmp(name, "-") == 0 ? NULL : fopen(name, "re");
    if (!file)
        return launch;
    char *text = OD_NEW_N(arena, TEXT_MAX, char);
    size_t n = fread(text, 1, TEXT_MAX, file);
    launch = od_launch_find((struct od_view){text, n}, arena);
    (void)fclose(file);
    return launch;
}
