/*
 * Words that show the kind of the text after them (words.tsv), and the kind of a value by its name.
 */
#pragma once

#include "base/base.h"

/* Roles of a word, as bits. words.tsv explains them. */
#define OD_ROLES(X)       \
    X(PASS, pass)         \
    X(MAYBE, maybe)       \
    X(KEY, key)           \
    X(KEYOF, keyof)       \
    X(NOTKEY, notkey)     \
    X(NOTTOKEN, nottoken) \
    X(NOTPASS, notpass)   \
    X(BEHIND, behind)     \
    X(USER, user)         \
    X(SUREUSER, sureuser) \
    X(ORG, org)           \
    X(HOST, host)         \
    X(MAYHOST, mayhost)   \
    X(PERSON, person)     \
    X(PERSONOF, personof) \
    X(HOME, home)         \
    X(SHARED, shared)     \
    X(COMMON, common)     \
    X(EMPTY, empty)       \
    X(DOMAIN_, domain)    \
    X(INSIDE, inside)     \
    X(SITE, site)         \
    X(MACHINE, machine)   \
    X(DEVICE, device)     \
    X(NAMEPART, namepart) \
    X(SAID, said)         \
    X(ID, id)             \
    X(GLUED, glued)       \
    X(NAMES, names) /* never the role of a single word; see od_words_told */

enum {
#define OD_ROLE_NUMBER(constant, word) OD_ROLE_NUMBER_##constant,
    OD_ROLES(OD_ROLE_NUMBER)
#undef OD_ROLE_NUMBER
};

enum {
#define OD_ROLE_BIT(constant, word) OD_ROLE_##constant = 1 << OD_ROLE_NUMBER_##constant,
    OD_ROLES(OD_ROLE_BIT)
#undef OD_ROLE_BIT
};

struct od_words;

struct od_words *od_words_new(void);
void od_words_free(struct od_words *words);

/* The roles of a word, ignoring case; 0 = none. */
uint32_t od_words_roles(const struct od_words *words, struct od_view word);

static inline bool od_words_is(const struct od_words *words, struct od_view word, uint32_t roles)
{
    return (od_words_roles(words, word) & roles) != 0;
}

/* Is it a name that many machines have ("ubuntu", "runner", "data"), not a person's? */
bool od_is_common_name(const struct od_words *words, struct od_view name);

/* The kind of a value according to its name. */
enum od_named {
    OD_NAMED_NOTHING,
    OD_NAMED_RANDOM,  /* a secret if it looks random */
    OD_NAMED_PASS,    /* a secret if it looks like a password, not like a plain word or number */
    OD_NAMED_MAYBE,   /* a secret unless it is a number, path or word */
    OD_NAMED_SECRET,  /* a secret */
    OD_NAMED_USER,    /* a user if it looks like a user name */
    OD_NAMED_HOST,    /* a host */
    OD_NAMED_MAYHOST, /* a host if it looks like one */
    OD_NAMED_ORG,     /* an account, bucket or organization if it looks like a name */
    OD_NAMED_PERSON   /* a full name */
};

/* word is the last word of the name and has its roles. name is the whole name
 * ("aws_secret_access_key"). */
enum od_named od_named_by(const struct od_words *words, struct od_view name);

/* The roles of a word, with OD_ROLE_NAMES if names that end with it have roles. Caches recent
 * words. */
uint32_t od_words_told(struct od_words *words, struct od_view word);
