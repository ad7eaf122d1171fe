/*
 * Packs and advice from files.
 */
#ifndef OD_RULES_LOAD_FILE_H
#define OD_RULES_LOAD_FILE_H

#include "base/buf.h"
#include "rules/load.h"

/* As od_pack_load, of the file root/name, or name when root is NULL; packs and diagnostics say
 * name. OD_EINPUT with a diagnostic when the file cannot be read. */
enum od_err od_pack_load_file(const char *root, const char *name, struct od_arena *arena,
                              struct od_diags *diags, const struct od_pack **ret_pack) OD_MUST_USE;

/* Appends the file root/name (name when root is NULL), at most a byte more than a pack may have.
 * OD_EINPUT after saying why it cannot be read. */
enum od_err od_rules_read_file(const char *root, const char *name, struct od_diags *diags,
                               struct od_buf *to) OD_MUST_USE;

#endif
