#include "readers/logs/setting_words.h"

static const struct od_setting_key keys[] = {
#define FLAG OD_SET_FLAG
#define DASH OD_SET_DASH
#define SIGN OD_SET_SIGN
#define SAID OD_SET_SAID
#define BESIDE OD_SET_BESIDE
#define OD_SETTING_KEY(words, setting, type, where) \
    {words, OD_SETTING_##setting, OD_SET_##type, where},
#include "readers/logs/setting_keys.inc"
#undef OD_SETTING_KEY
#undef FLAG
#undef DASH
#undef SIGN
#undef SAID
#undef BESIDE
};

enum { LETTERS = 'z' - 'a' + 1 };

/* Where the keys begin whose first letter and second one these are; the last second one is all that
 * is no letter. */
static const uint16_t starts[LETTERS * (LETTERS + 1) + 1] = {
#include "readers/logs/settings_starts.inc"
};

struct od_setting_keys od_setting_keys_at(struct od_view text, size_t at)
{
    unsigned first = (unsigned)(od_lower(text.p[at]) - 'a'), second = LETTERS;
    if (first >= LETTERS)
        return (struct od_setting_keys){keys, 0};
    if (at + 1 < text.n && od_is_letter(text.p[at + 1]))
        second = (unsigned)(od_lower(text.p[at + 1]) - 'a');
    const uint16_t *from = &starts[first * (LETTERS + 1) + second];
    return (struct od_setting_keys){&keys[from[0]], (size_t)(from[1] - from[0])};
}

static bool joins(char c)
{
    return c == '_' || c == '-' || c == ' ';
}

size_t od_setting_key_end(struct od_view text, size_t at, const struct od_setting_key *key)
{
    for (const char *c = key->words; *c; c++) {
        if (*c == ' ') {
            at += at < text.n && joins(text.p[at]);
            continue;
        }
        if (at >= text.n || od_lower(text.p[at]) != *c)
            return 0;
        at++;
    }
    return at;
}

enum od_setting_word od_setting_word(struct od_view word)
{
    static const struct {
        enum od_setting_word says;
        const char *words[48];
    } classes[] = {
        {OD_SETW_EVAL,
         {"eval", "evaluation", "evaluate", "evaluating", "evaluator", "val", "valid", "validation",
          "validate", "test", "testing", "dev", "predict", "prediction", "predicting", "inference",
          "infer", NULL}},
        {OD_SETW_WHOLE, {"global", "total", "effective", "overall", NULL}},
        {OD_SETW_OWN,
         {"micro", "local", "per", "device", "gpu", "card", "rank", "replica", "process", "worker",
          "core", "instantaneous", "devices", "gpus", "replicas", "node", NULL}},
        {OD_SETW_NEUTRAL,
         {"train",   "training", "a",           "the",     "of",      "on",      "each",
          "my",      "our",      "its",         "use",     "enable",  "data",    "dataloader",
          "loader",  "dist",     "distributed", "mini",    "model",   "config",  "cfg",
          "args",    "param",    "params",      "hparams", "current", "initial", "is",
          "dataset", "text",     "audio",       NULL}},
        {OD_SETW_NOT,
         {"with",        "using",     "when",       "even",     "from",    "try",      "trying",
          "tried",       "than",      "reduce",     "reducing", "lower",   "lowering", "set",
          "setting",     "increase",  "increasing", "decrease", "min",     "minimum",  "maximum",
          "number",      "desired",   "default",    "max",      "finding", "find",     "optimal",
          "recommended", "suggested", "smaller",    "larger",   "bigger",  "if",       "for",
          "until",       "time",      "many",       "consider", "at",      "changing", "change",
          "why",         "your",      "same",       "other",    NULL}},
    };
    char lower[16];
    word = od_view_lowered(word, lower, sizeof lower);
    for (size_t i = 0; i < OD_COUNT_OF(classes); i++)
        if (od_view_eq_any(word, classes[i].words))
            return classes[i].says;
    return OD_SETW_NONE;
}

bool od_setting_has_char(struct od_view text, size_t at, const char *chars)
{
    return at < text.n && text.p[at] != '\0' && strchr(chars, text.p[at]);
}

size_t od_setting_blanks_end(struct od_view text, size_t at)
{
    while (od_setting_has_char(text, at, " \t"))
        at++;
    return at;
}
