/*
 * What the files that load packs share: checks of nodes and mappings against tables of keys.
 * Private to this room.
 *
 * Codes of errors:
 *   R0101 not YAML                     R0111 newer schema
 *   R0102 not one document             R0112 unknown event kind
 *   R0103 anchor, alias, tag           R0113 a value that is not of its type
 *   R0104 key twice                    R0114 an id of another form
 *   R0105 too large, too deep          R0115 id twice
 *   R0106 a text that cannot be        R0116 literal too common
 *   R0107 not a field of that kind     R0117 no literal
 *   R0108 not the kind of node         R0118 pattern does not compile
 *   R0109 unknown key                  R0119 no sample
 *   R0110 missing key                  R0120 unit group without its field
 *                                      R0121 a text without a subject
 */
#pragma once

#include "base/err.h"
#include "base/map.h"
#include "base/yaml.h"
#include "rules/pack.h"
#include "rules/when.h"

struct od_loader {
    struct od_yaml_source source;
    struct od_arena *arena;
    struct od_map ids; /* taken so far -> line */
    void *of;          /* what is being read belongs to */
};

/* The types of what is read, and is written as C (rules/emit.h). */
enum od_form {
    OD_NOTHING, /* is kept: reading is all */
    OD_LINE,    /* const char *: a text of one line */
    OD_BLOCK,   /* const char *: of many, without white space at its end */
    OD_NAME,    /* const char *: one of words */
    OD_WORD,    /* an enum: the place among words */
    OD_TRUTH,   /* bool: the second of two words, which are false and true where none are given */
    OD_TEXTS, /* const char *const *, NULL-terminated: a list, each of words where they are given */
    OD_ROWS,  /* an array of structs: a list of mappings */
    OD_AT,    /* unsigned: the line of the mapping itself */
    OD_BITS,  /* uint64_t */
    OD_WHEN,  /* struct od_when: a condition, which its own function reads */
};

typedef void od_loader_fn(struct od_loader *loader, const struct od_yaml_node *value, void *to);

/* A key of a mapping and the member of the struct that it is read into. Keys are read in order of
 * the table, whatever the order of the text. */
struct od_loader_key {
    const char *name; /* NULL: it is not in the text */
    bool required;
    enum od_form form;
    od_loader_fn *read;  /* instead of what the form does */
    od_loader_fn *check; /* what was read, where it has its form */
    const char *member;
    size_t at, count; /* bytes into the struct, of the member and of the number of its items (0:
                         none is kept) */
    const char *const *words; /* NULL-terminated */
    const struct od_loader_map *rows;
};

struct od_loader_map {
    const char *what; /* in messages: "a rule" */
    const char *type; /* "struct od_rule" */
    size_t size;
    const struct od_loader_key *keys;
    size_t nkeys;
    od_loader_fn *check; /* of the mapping, once it is read */
    bool owns;           /* what stands in it belongs to it: it is loader->of meanwhile */
};

/* What stands first of several, and what follows it: a tail may have nothing but its head. */
#define OD_FIRST(first, ...) first
#define OD_REST(first, ...) __VA_ARGS__
#define OD_COUNTED(first, ...) n##first
#define OD_TEXT_OF(text) #text
#define OD_TEXT(text) OD_TEXT_OF(text)

/* A mapping into a struct: its table of keys, then further members of od_loader_map. */
#define OD_MAP(title, of, ...)                                                    \
    {                                                                             \
        .type = #of, .size = sizeof(of), .keys = OD_FIRST(__VA_ARGS__, 0),        \
        .nkeys = sizeof(OD_FIRST(__VA_ARGS__, 0)) / sizeof(struct od_loader_key), \
        OD_REST(__VA_ARGS__, .what = title)                                       \
    }
/* A key of that name: the member that it fills, then further members of od_loader_key. And one
 * whose items are counted by the member "n" before its name. */
#define OD_KEY(type, key, needed, shape, ...)                                             \
    {                                                                                     \
        .required = needed, .form = shape, .member = OD_TEXT(OD_FIRST(__VA_ARGS__, 0)),   \
        .at = offsetof(type, OD_FIRST(__VA_ARGS__, 0)), OD_REST(__VA_ARGS__, .name = key) \
    }
#define OD_KEYS(type, key, needed, shape, ...)    \
    OD_KEY(type, key, needed, shape, __VA_ARGS__, \
           .count = offsetof(type, OD_COUNTED(__VA_ARGS__, 0)))
enum { OD_MAY = false, OD_MUST = true };

/* Loads a mapping into to. False when it is none. */
bool od_loader_map(struct od_loader *loader, const struct od_yaml_node *node,
                   const struct od_loader_map *map, void *to);

/* Loads a list of mappings; NULL after reporting that it is none. */
void *od_loader_rows(struct od_loader *loader, const struct od_yaml_node *node,
                     const struct od_loader_map *map, size_t *ret_n);

/* Reports an error that underlines a whole node; help may be NULL. */
void od_loader_error(struct od_loader *loader, const struct od_yaml_node *at, const char *code,
                     const char *help, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reports a text that begins with a word for something that is not named: It, Its, There, That. */
void od_loader_check_subject(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* Reports a literal that is too short, or that stands wherever digits do: the filter takes all
 * digits for one. */
void od_loader_check_literal(struct od_loader *loader, const struct od_yaml_node *node,
                             const char *text, bool may_be_short);

/* Is it a list (mapping, non-empty text)? Reports when not; `what` names the key. */
bool od_loader_is(struct od_loader *loader, const struct od_yaml_node *node,
                  enum od_yaml_kind kind);

/* The index of a text among words (NULL-terminated); their number after reporting. */
size_t od_loader_word(struct od_loader *loader, const struct od_yaml_node *node,
                      const char *const *words);
size_t od_loader_count(const char *const *words);

/* Is the id nobody's yet? It is taken then; else that is reported with code. */
bool od_loader_take_id(struct od_loader *loader, const struct od_yaml_node *node, const char *code);

/* The texts of a list, NULL-terminated, in the arena; NULL after reporting that it is none. ret_n
 * (may be NULL) is how many. */
const char **od_loader_texts(struct od_loader *loader, const struct od_yaml_node *node,
                             size_t *ret_n);

/* The key `schema`, first in each file. */
void od_loader_schema(struct od_loader *loader, const struct od_yaml_node *node, void *to);
#define OD_KEY_SCHEMA                                                \
    {                                                                \
        .name = "schema", .required = true, .read = od_loader_schema \
    }

/* What is read from a file, a mapping: its name in messages, its keys, what they are read into. */
struct od_loading {
    const char *name;
    struct od_arena *arena;
    struct od_diags *diags;
    const struct od_loader_map *map;
    void *to;
};

/* OD_ERULE with diagnostics, in order of the text, when it is invalid or its schema is newer. */
enum od_err od_loader_read(const struct od_loading *loading, struct od_view yaml) OD_MUST_USE;

/* The same of the file root/name, or name when root is NULL. OD_EINPUT when it cannot be read. */
enum od_err od_loader_read_file(const struct od_loading *loading, const char *root) OD_MUST_USE;

/* Of whole files, and of what stands in them. */
extern const struct od_loader_map od_pack_map, od_rule_map, od_advice_map, od_software_map,
    od_mark_map, od_lexicon_map, od_meanings_map;

/* Fields and what they are to be, of `set:` and `gives:`: read into the struct of its key. */
extern const struct od_loader_map od_rule_text_map;
const struct od_rule_text *od_loader_fields(struct od_loader *loader,
                                            const struct od_yaml_node *node, size_t *ret_n);
void od_loader_near_misses(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* The keys of samples; the rule is loader->of. */
extern const struct od_loader_map od_sample_map;

/* Reports what is wrong with the pattern of a rule: its syntax, the names of its groups. */
void od_loader_pattern(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/*
 * Reads the condition of a node into *ret_when. Reports with place and suggestion:
 *   R0501 unknown fact               R0504 an operator that does not fit the fact's type
 *   R0502 not a word of the fact     R0505 a named condition that needs itself
 *   R0503 not a condition            R0506 arguments that the call does not take
 */
void od_when_load(struct od_loader *loader, const struct od_yaml_node *node,
                  struct od_when *ret_when);

/* The same with other rows than od_facts, which have as many. */
void od_when_load_with(struct od_loader *loader, const struct od_yaml_node *node,
                       const struct od_fact_row *facts, struct od_when *ret_when);
