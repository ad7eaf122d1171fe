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
 *   R0106 a text that cannot be        R0116 literal too short
 *   R0107 not a field of that kind     R0117 no literal
 *   R0108 not the kind of node         R0118 pattern does not compile
 *   R0109 unknown key                  R0119 no sample
 *   R0110 missing key                  R0120 unit group without its field
 */
#ifndef OD_RULES_LOADER_H
#define OD_RULES_LOADER_H

#include "base/err.h"
#include "base/map.h"
#include "base/yaml.h"
#include "rules/pack.h"

struct od_loader {
    struct od_yaml_source source;
    struct od_arena *arena;
    struct od_map ids; /* of rules -> line */
};

/* A key of a mapping: handlers run in order of the table, whatever the order of the text. */
struct od_loader_key {
    const char *name;
    bool required;
    void (*load)(struct od_loader *loader, const struct od_yaml_node *value, void *to);
};

/* Loads a mapping into to; `what` names it in messages ("a rule"). False when it is none. */
struct od_loader_map {
    const char *what;
    const struct od_loader_key *keys;
    size_t nkeys;
};
bool od_loader_map(struct od_loader *loader, const struct od_yaml_node *node,
                   const struct od_loader_map *map, void *to);

/* Reports an error that underlines a whole node; help may be NULL. */
void od_loader_error(struct od_loader *loader, const struct od_yaml_node *at, const char *code,
                     const char *help, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Is it a list (mapping, non-empty text)? Reports when not; `what` names the key. */
bool od_loader_is(struct od_loader *loader, const struct od_yaml_node *node,
                  enum od_yaml_kind kind);

/* The index of a text among words; n after reporting with code. */
size_t od_loader_word(struct od_loader *loader, const struct od_yaml_node *node,
                      const char *const *words, size_t n);

/* The texts of a list, NULL-terminated, in the arena; NULL after reporting that it is none. ret_n
 * (may be NULL) is how many. */
const char **od_loader_texts(struct od_loader *loader, const struct od_yaml_node *node,
                             size_t *ret_n);

/* Is it a text, of one line or many, neither empty nor huge? Reports when not. */
bool od_loader_is_block(struct od_loader *loader, const struct od_yaml_node *node);

/* The handler of the key `schema`. */
void od_loader_schema(struct od_loader *loader, const struct od_yaml_node *node, void *to);

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

/* Loads a rule; errors are reported and leave it unusable. */
void od_loader_rule(struct od_loader *loader, const struct od_yaml_node *node,
                    struct od_rule *rule);

/* The keys of mappings that belong to rules (a sample, `set:` and `gives:`). */
void od_loader_fields(struct od_loader *loader, const struct od_yaml_node *node,
                      const struct od_rule *rule, struct od_rule_text **ret_texts);
void od_loader_samples(struct od_loader *loader, const struct od_yaml_node *node,
                       struct od_rule *rule);
void od_loader_near_misses(struct od_loader *loader, const struct od_yaml_node *node,
                           struct od_rule *rule);

/* Reports what is wrong with the pattern of a rule: its syntax, the names of its groups. */
void od_loader_pattern(struct od_loader *loader, const struct od_yaml_node *node,
                       const struct od_rule *rule);

#endif
