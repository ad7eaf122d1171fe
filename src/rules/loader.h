/*
 * Shared by the files that load packs: checks of nodes and mappings against tables of keys.
 * Internal to this folder.
 *
 * Error codes:
 * R0101 not YAML                     R0111 newer schema
 * R0102 not one document             R0112 unknown event kind
 * R0103 anchor, alias, tag           R0113 a value that is not of its type
 * R0104 key twice                    R0114 an id of another form
 * R0105 too large, too deep          R0115 id twice
 * R0106 a text that cannot be        R0116 literal too common
 * R0107 not a field of that kind     R0117 no literal
 * R0108 not the kind of node         R0118 pattern does not compile
 * R0109 unknown key                  R0119 no sample
 * R0110 missing key                  R0120 unit group without its field
 * R0121 a text without a subject     R0122 unknown word of patterns
 * R0123 half a block                 R0124 two blocks of one beginning
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
    struct od_map ids;                /* ids taken so far -> line */
    void *of;                         /* the object that contains the one being read */
    const struct od_yaml_node *words; /* of the pack's patterns; NULL = none */
};

/* Types of values that are read here and written as C (rules/emit.h). */
enum od_form {
    OD_NOTHING, /* nothing is stored */
    OD_LINE,    /* const char *: a text of one line */
    OD_BLOCK,   /* const char *: a text of several lines, without white space at its end */
    OD_NAME,    /* const char *: one of `words` */
    OD_WORD,    /* an enum: the index in `words` */
    OD_TRUTH,   /* bool: the second one of two words (default: false, true) */
    OD_TEXTS,   /* const char *const *, NULL-terminated: a list, whose items are among `words` if
                   that is set */
    OD_ROWS,    /* an array of structs: a list of mappings */
    OD_AT,      /* unsigned: the line of the mapping itself */
    OD_BITS,    /* uint64_t */
    OD_WHEN,    /* struct od_when: a condition, read by its own function */
};

typedef void od_loader_fn(struct od_loader *loader, const struct od_yaml_node *value, void *to);

/* A key of a mapping and the struct member that it is read into. Keys are read in the order of the
 * table, not of the text. */
struct od_loader_key {
    const char *name; /* NULL: not in the text */
    bool required;
    enum od_form form;
    od_loader_fn
        *read; /* replaces the reading by form; gets the struct, of a condition the member */
    od_loader_fn *check; /* called with a value of the right form */
    const char *member;
    size_t at, count;         /* offsets of the member and of its number of items (0: not stored) */
    const char *const *words; /* NULL-terminated */
    const struct od_loader_map *rows;
};

struct od_loader_map {
    const char *what; /* used in messages: "a rule" */
    const char *type; /* "struct od_rule" */
    size_t size;
    const struct od_loader_key *keys;
    size_t nkeys;
    od_loader_fn *check; /* called after the mapping was read */
    bool owns;           /* its contents belong to it: loader->of is set to it while they are
                            read */
};

/* First and remaining macro arguments; the remaining ones may be empty. */
#define OD_FIRST(first, ...) first
#define OD_REST(first, ...) __VA_ARGS__
#define OD_COUNTED(first, ...) n##first
#define OD_TEXT_OF(text) #text
#define OD_TEXT(text) OD_TEXT_OF(text)

/* Initializer of an od_loader_map for a struct: its table of keys, then further members of
 * od_loader_map. */
#define OD_MAP(title, of, ...)                                                    \
    {                                                                             \
        .type = #of, .size = sizeof(of), .keys = OD_FIRST(__VA_ARGS__, 0),        \
        .nkeys = sizeof(OD_FIRST(__VA_ARGS__, 0)) / sizeof(struct od_loader_key), \
        OD_REST(__VA_ARGS__, .what = title)                                       \
    }
/* Initializers of an od_loader_key: the struct member to fill, then further members of
 * od_loader_key. OD_COUNTED also fills a number of items, the member whose name starts with "n". */
#define OD_KEY(type, key, needed, shape, ...)                                             \
    {                                                                                     \
        .required = needed, .form = shape, .member = OD_TEXT(OD_FIRST(__VA_ARGS__, 0)),   \
        .at = offsetof(type, OD_FIRST(__VA_ARGS__, 0)), OD_REST(__VA_ARGS__, .name = key) \
    }
#define OD_KEYS(type, key, needed, shape, ...)    \
    OD_KEY(type, key, needed, shape, __VA_ARGS__, \
           .count = offsetof(type, OD_COUNTED(__VA_ARGS__, 0)))
enum { OD_MAY = false, OD_MUST = true };

/* Loads a mapping into `to`. False if the node is not a mapping. */
bool od_loader_map(struct od_loader *loader, const struct od_yaml_node *node,
                   const struct od_loader_map *map, void *to);

/* Loads a list of mappings; NULL after reporting a node that is not a list. */
void *od_loader_rows(struct od_loader *loader, const struct od_yaml_node *node,
                     const struct od_loader_map *map, size_t *ret_n);

/* Reports an error that underlines a whole node; help may be NULL. */
void od_loader_error(struct od_loader *loader, const struct od_yaml_node *at, const char *code,
                     const char *help, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reports a text that starts with It, Its, There or That, which does not name its subject. */
void od_loader_check_subject(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* Reports a literal that is too short or consists of digits: the filter treats all digits alike. */
void od_loader_check_literal(struct od_loader *loader, const struct od_yaml_node *node,
                             const char *text, bool may_be_short);

/* Is it a list (mapping, non-empty text)? Otherwise an error is reported; `what` names the key. */
bool od_loader_is(struct od_loader *loader, const struct od_yaml_node *node,
                  enum od_yaml_kind kind);

/* The slots of a sentence are facts that can be printed, and its marks are known. */
void od_loader_check_sentence(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* Checks, once all files are read (od_advice_check_names), that the text, or each one of a list, is
 * the name of a kind of memory or the id of a remedy. Slots are not checked. */
void od_loader_check_kinds(struct od_loader *loader, const struct od_yaml_node *node, void *to);
void od_loader_check_remedy(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* Index of a text in words (NULL-terminated); the number of words if it is unknown (reported). */
size_t od_loader_word(struct od_loader *loader, const struct od_yaml_node *node,
                      const char *const *words);
size_t od_loader_count(const char *const *words);

/* Takes an unused id. Reports a used one with that code and returns false. */
bool od_loader_take_id(struct od_loader *loader, const struct od_yaml_node *node, const char *code);

/* The texts of a list, NULL-terminated, allocated in the arena; NULL after reporting a node that is
 * not a list. ret_n (may be NULL) gets their number. */
const char **od_loader_texts(struct od_loader *loader, const struct od_yaml_node *node,
                             size_t *ret_n);

/* Reads the key `schema`, which comes first in each file. */
void od_loader_schema(struct od_loader *loader, const struct od_yaml_node *node, void *to);
#define OD_KEY_SCHEMA                                                \
    {                                                                \
        .name = "schema", .required = true, .read = od_loader_schema \
    }

/* What to read from a file (a mapping): its name for messages, its keys, and the object to fill. */
struct od_loading {
    const char *name;
    struct od_arena *arena;
    struct od_diags *diags;
    const struct od_loader_map *map;
    void *to;
};

/* OD_ERULE with diagnostics in order of the text if it is invalid or its schema is newer. */
enum od_err od_loader_read(const struct od_loading *loading, struct od_view yaml) OD_MUST_USE;

/* Reads the file root/name, or name if root is NULL. OD_EINPUT if it cannot be read. */
enum od_err od_loader_read_file(const struct od_loading *loading, const char *root) OD_MUST_USE;

/* Tables for whole files and their parts. */
extern const struct od_loader_map od_pack_map, od_rule_map, od_advice_map, od_cause_map,
    od_topic_map, od_invariants_map, od_software_map, od_mark_map, od_lexicon_map, od_meanings_map;

/* Fields and their values, for `set:` and `gives:`. */
extern const struct od_loader_map od_rule_text_map;
const struct od_rule_text *od_loader_fields(struct od_loader *loader,
                                            const struct od_yaml_node *node, size_t *ret_n);
void od_loader_near_misses(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* The keys of samples; loader->of is the rule. */
extern const struct od_loader_map od_sample_map;

/* A pattern of a rule, with the words of the pack in place of their names: "(?&size)". Reports
 * errors in its syntax and in the names of its groups; NULL if it is no text. */
const char *od_loader_pattern(struct od_loader *loader, const struct od_yaml_node *node,
                              const struct od_rule *rule);

/* Reads the condition of a node into *ret_when. Reports with position and suggestion:
 * R0501 unknown fact               R0504 an operator that does not fit the fact's type
 * R0502 not a word of the fact     R0505 a named condition that needs itself
 * R0503 not a condition            R0506 arguments that the call does not take */
void od_when_load(struct od_loader *loader, const struct od_yaml_node *node, void *ret_when);

/* Loads a condition with other rows than od_facts, but equally many. */
void od_when_load_with(struct od_loader *loader, const struct od_yaml_node *node,
                       const struct od_fact_row *facts, struct od_when *ret_when);
