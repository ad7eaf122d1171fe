/*
 * The vocabulary of settings (setting_keys.def) and the words around their names:
 * "per_device_train_batch_size", "validation batch size", "reduce the batch size".
 */
#pragma once

#include "facts/setting.h"

enum od_setting_type {
    OD_SET_COUNT, /* 1 or more */
    OD_SET_WHOLE,
    OD_SET_LENGTH, /* at least three digits; in JSON, length describes an answer */
    OD_SET_PIXELS, /* 224, 1216x736, (3, 240, 240) */
    OD_SET_SHARE,  /* 0.9 */
    OD_SET_SCIENTIFIC,
    OD_SET_SWITCH,    /* true or false */
    OD_SET_MODE,      /* on, or how: full, selective */
    OD_SET_USED_MODE, /* a mode, only for a key that starts with "use" */
    OD_SET_PRECISION,
    OD_SET_DTYPE,
    OD_SET_OPTIMIZER,
    OD_SET_IS_FP16, /* set to the name of its key if it is on */
    OD_SET_IS_BF16,
    OD_SET_IS_AMP,
    OD_SET_IS_SHARDED
};

enum {
    OD_SET_FLAG = 1,      /* --key value */
    OD_SET_DASH = 2,      /* -k value */
    OD_SET_SIGN = 4,      /* key = value */
    OD_SET_SAID = 8,      /* key value, in words */
    OD_SET_DEPENDENT = 16 /* like OD_SET_SIGN, but only with another setting on the line */
};

struct od_setting_key {
    uint32_t head, mask; /* od_head_of its first word; mask of the relevant bytes */
    const char *words;
    enum od_setting_id id;
    enum od_setting_type type;
    unsigned where;
};

struct od_setting_keys {
    const struct od_setting_key *items;
    size_t n;
};

/* Keys that may start at that place, by the first two characters. */
struct od_setting_keys od_setting_keys_at(struct od_view text, size_t at);

/* End of the key in text at that place; 0 = another or a longer word. */
size_t od_setting_key_end(struct od_view text, size_t at, const struct od_setting_key *key);

/* The meaning of a word before or after a setting's name. */
enum od_setting_word {
    OD_SETW_NONE, /* unknown */
    OD_SETW_NEUTRAL,
    OD_SETW_EVAL,  /* for validation or prediction */
    OD_SETW_WHOLE, /* the sum over all devices */
    OD_SETW_OWN,   /* the value for one device */
    OD_SETW_NOT    /* a bound, a proposal or a trial: no setting of this run */
};
enum od_setting_word od_setting_word(struct od_view word);

/* Does a word start here: after another character, or with a capital after a small letter? */
static inline bool od_setting_word_begins(struct od_view text, size_t at)
{
    return od_is_alnum(text.p[at]) && (at == 0 || !od_is_alnum(text.p[at - 1]) ||
                                       (od_is_upper(text.p[at]) && !od_is_upper(text.p[at - 1])));
}
