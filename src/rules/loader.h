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
    struct od_map ids;                /* maps used ids to their lines */
    void *of;                         /* object that contains the one being read */
    const struct od_yaml_node *words; /* named patterns of the pack; NULL = none */
};

/* Types of values that are read here and written as C (rules/emit.h). */
enum od_form {
    OD_NOTHING, /* no member is set */
    OD_LINE,    /* const char *: a text of one line */
    OD_BLOCK,   /* const char *: a text of several lines, without white space at its end */
    OD_NAME,    /* const char *: one of `words` */
    OD_WORD,    /* an enum: index in `words` */
    OD_TRUTH,   /* bool: true for the second of two words (default: false, true) */
    OD_TEXTS,   /* const char *const *: texts of a list, NULL at the end, in `words` if set */
    OD_ROWS,    /* an array of structs: a list of mappings */
    OD_AT,      /* unsigned: line of the mapping */
    OD_BITS,    /* uint64_t */
    OD_WHEN,    /* struct od_when: a condition, with its own reading function */
};

typedef void od_loader_fn(struct od_loader *loader, const struct od_yaml_node *value, void *to);

/* A key of a mapping and the struct member for its value. Keys are read in the order of the table,
 * not of the text. */
struct od_loader_key {
    const char *name; /* NULL = the value is not in the text */
    bool required;
    enum od_form form;
    od_loader_fn *read; /* replaces reading by form; its last argument is the struct, but the member
                         * for a condition */
    od_loader_fn *check; /* called with a value of the right form */
    const char *member;
    size_t at, count; /* offsets of the member and of its number of items (0 = not stored) */
    const char *const *words; /* ends with NULL */
    const struct od_loader_map *rows;
};

struct od_loader_map {
    const char *what; /* used in messages: "a rule" */
    const char *type; /* name of the C type: "struct od_rule" */
    size_t size;
    const struct od_loader_key *keys;
    size_t nkeys;
    od_loader_fn *check; /* called after the mapping was read */
    bool owns;           /* loader->of is set to this object while its contents are read */
};

/* First macro argument and the others, which may be empty. */
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

/* Loads a list of mappings. Reports a node that is no list and returns NULL. */
void *od_loader_rows(struct od_loader *loader, const struct od_yaml_node *node,
                     const struct od_loader_map *map, size_t *ret_n);

/* Reports an error that underlines a whole node; help may be NULL. */
void od_loader_error(struct od_loader *loader, const struct od_yaml_node *at, const char *code,
                     const char *help, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reports a text that begins with It, Its, There or That instead of its subject. */
void od_loader_check_subject(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* Reads a size such as "16 MiB". */
void od_loader_size(struct od_loader *loader, const struct od_yaml_node *node, uint64_t *ret_bytes);

/* Reports a literal that is short or has only digits, which the filter does not distinguish. */
void od_loader_check_literal(struct od_loader *loader, const struct od_yaml_node *node,
                             const char *text, bool may_be_short);

/* Is the node a list (mapping, non-empty text)? Reports an error if not; `what` names the key. */
bool od_loader_is(struct od_loader *loader, const struct od_yaml_node *node,
                  enum od_yaml_kind kind);

/* Checks that the slots of a sentence are printable facts and that its marks are known. */
void od_loader_check_sentence(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* Marks a text or each text of a list for od_advice_check_names: it must be the name of a kind of
 * memory or the id of a remedy. Slots are not checked. */
void od_loader_check_kinds(struct od_loader *loader, const struct od_yaml_node *node, void *to);
void od_loader_check_remedy(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* Marks a text like od_loader_check_kinds: it must be the name of a program or of a group of
 * programs. A program with releases is an error, because no condition gives the release. */
void od_loader_check_program(struct od_loader *loader, const struct od_yaml_node *node, void *to);
void od_loader_check_release(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* Index of a text in words, which end with NULL. Reports an unknown text and returns their
 * number. */
size_t od_loader_word(struct od_loader *loader, const struct od_yaml_node *node,
                      const char *const *words);
size_t od_loader_count(const char *const *words);

/* Marks an id as used. Reports an id that is already used with that code and returns false. */
bool od_loader_take_id(struct od_loader *loader, const struct od_yaml_node *node, const char *code);

/* Reads a list of texts into the arena; the result ends with NULL. Reports a node that is no list
 * and returns NULL. ret_n may be NULL. */
const char **od_loader_texts(struct od_loader *loader, const struct od_yaml_node *node,
                             size_t *ret_n);

/* Reads the key `schema`, which must come first in each file. */
void od_loader_schema(struct od_loader *loader, const struct od_yaml_node *node, void *to);
#define OD_KEY_SCHEMA                                                \
    {                                                                \
        .name = "schema", .required = true, .read = od_loader_schema \
    }

/* A file (a mapping) to read: its name for messages, its keys, and the object to fill. */
struct od_loading {
    const char *name;
    struct od_arena *arena;
    struct od_diags *diags;
    const struct od_loader_map *map;
    void *to;
};

/* Reads a file's text. OD_ERULE, with diagnostics in order of the text, if it is invalid or its
 * schema is newer. */
enum od_err od_loader_read(const struct od_loading *loading, struct od_view yaml) OD_MUST_USE;

/* Reads the file root/name; root may be NULL. OD_EINPUT if it cannot be read. */
enum od_err od_loader_read_file(const struct od_loading *loading, const char *root) OD_MUST_USE;

/* Maps for whole files and their parts. */
extern const struct od_loader_map od_pack_map, od_rule_map, od_advice_map, od_cause_map,
    od_topic_map, od_invariants_map, od_software_map, od_mark_map, od_lexicon_map, od_meanings_map;

/* Map for fields and their values in `set:` and `gives:`. */
extern const struct od_loader_map od_rule_text_map;
const struct od_rule_text *od_loader_fields(struct od_loader *loader,
                                            const struct od_yaml_node *node, size_t *ret_n);
void od_loader_near_misses(struct od_loader *loader, const struct od_yaml_node *node, void *to);

/* Map for samples; loader->of must be the rule. */
extern const struct od_loader_map od_sample_map;

/* Reads a pattern of a rule and replaces names of the pack's words by their patterns: "(?&size)".
 * Reports errors in its syntax and in the names of its groups. NULL if the node is no text. */
const char *od_loader_pattern(struct od_loader *loader, const struct od_yaml_node *node,
                              const struct od_rule *rule);

/* Reads the condition of a node into *ret_when. Reports with position and suggestion:
 * R0501 unknown fact               R0504 an operator that does not fit the fact's type
 * R0502 not a word of the fact     R0505 a named condition that needs itself
 * R0503 not a condition            R0506 arguments that the call does not take */
void od_when_load(struct od_loader *loader, const struct od_yaml_node *node, void *ret_when);

/* Loads a condition with another table of facts, which must have as many rows as od_facts. */
void od_when_load_with(struct od_loader *loader, const struct od_yaml_node *node,
                       const struct od_fact_row *facts, struct od_when *ret_when);
