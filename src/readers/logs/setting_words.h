/*
 * The vocabulary of settings (setting_keys.def) and the words that stand around their names:
 * "per_device_train_batch_size", "validation batch size", "reduce the batch size".
 */
#pragma once

#include "facts/setting.h"

enum od_setting_type {
    OD_SET_COUNT, /* above 0 */
    OD_SET_WHOLE,
    OD_SET_LENGTH, /* of at least three digits; not a key of JSON, where it means answers */
    OD_SET_PIXELS, /* 224, 1216x736, (3, 240, 240) */
    OD_SET_SHARE,  /* 0.9 */
    OD_SET_SCIENTIFIC,
    OD_SET_SWITCH,    /* true or false */
    OD_SET_MODE,      /* on, or how: full, selective */
    OD_SET_USED_MODE, /* the same, only of a key that begins with "use" */
    OD_SET_PRECISION,
    OD_SET_DTYPE,
    OD_SET_OPTIMIZER,
    OD_SET_IS_FP16, /* what is on says its name */
    OD_SET_IS_BF16,
    OD_SET_IS_AMP,
    OD_SET_IS_SHARDED
};

enum {
    OD_SET_FLAG = 1,   /* --key value */
    OD_SET_DASH = 2,   /* -k value */
    OD_SET_SIGN = 4,   /* key = value */
    OD_SET_SAID = 8,   /* key value, in words */
    OD_SET_BESIDE = 16 /* like OD_SET_SIGN, only beside another setting */
};

struct od_setting_key {
    uint32_t head, mask; /* od_head_of its first word; which of these bytes count */
    const char *words;
    enum od_setting_id id;
    enum od_setting_type type;
    unsigned where;
};

struct od_setting_keys {
    const struct od_setting_key *items;
    size_t n;
};

/* Those that may stand there, by the first two characters. */
struct od_setting_keys od_setting_keys_at(struct od_view text, size_t at);

/* How far the key goes that text has at that place; 0 = another word stands there, or a longer
 * one. */
size_t od_setting_key_end(struct od_view text, size_t at, const struct od_setting_key *key);

/* What a word before or behind a name says of it. */
enum od_setting_word {
    OD_SETW_NONE, /* nothing that is known */
    OD_SETW_NEUTRAL,
    OD_SETW_EVAL,  /* of validation, prediction */
    OD_SETW_WHOLE, /* of all devices */
    OD_SETW_OWN,   /* of one device */
    OD_SETW_NOT    /* a bound, a proposal, a trial: no setting of this run */
};
enum od_setting_word od_setting_word(struct od_view word);

/* Does a word begin there: behind another character, or a capital behind a small letter? */
static inline bool od_setting_word_begins(struct od_view text, size_t at)
{
    return od_is_alnum(text.p[at]) && (at == 0 || !od_is_alnum(text.p[at - 1]) ||
                                       (od_is_upper(text.p[at]) && !od_is_upper(text.p[at - 1])));
}

/* Has text one of those characters there? Where blanks that begin there end. */
bool od_setting_has_char(struct od_view text, size_t at, const char *chars);
size_t od_setting_blanks_end(struct od_view text, size_t at);
