/*
 * The models described in files: printed summaries alone or inside whole logs, module trees,
 * configurations, headers of weights, our own YAML. The same readers as of logs, without rules.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "case/case.h"
#include "facts/model.h"

struct od_models;

/* Reads a file, "-" for standard input, to its end; of a folder its config.json. What is no file
 * may be the name of a public model (models/public_models.h). Errors go to diags; the
 * caller frees what is returned, which is never NULL. */
struct od_models *od_models_read(const char *name, struct od_diags *diags);

/* The same, with sizes of dimensions that the file only names: "seq=128,height=224", or NULL. */
struct od_models *od_models_read_sized(const char *name, const char *dims, struct od_diags *diags);

/* The same of bytes in memory, which need live no longer than the call. A name is enough. */
struct od_models *od_models_read_bytes(const char *name, struct od_view bytes,
                                       struct od_diags *diags);

/* The public model that the settings of a case name; NULL where they name none, several, or one
 * whose weights are quantized: how many bytes those take is not in a configuration. */
struct od_models *od_models_named(const struct od_case *c, struct od_diags *diags);

/* The public vision model whose parameters and activations those are, NULL for none; *ret_side as
 * of od_public_vision_counted. */
struct od_models *od_models_counted(uint64_t parameters, uint64_t activations, uint64_t *ret_side);

/* Appends their names, one a line: ours, parameters as published, other names. */
void od_models_list(struct od_buf *to);

void od_models_free(struct od_models *models);

/* How reading went: OD_OK, OD_LOST, OD_ELIMIT or OD_EINPUT. */
enum od_err od_models_status(const struct od_models *models);

/* The first line of a plain file in which no model was found that looks like a row of a table all
 * the same; 0 = none does, or the file is packed or no file. */
uint64_t od_models_row(const char *name);

/*
 * The one to plan for: complete before cut, then the one with the most parameters, then the last.
 * NULL when there is none. With more than one, a note in diags says which it is.
 */
const struct od_model *od_models_choose(const struct od_models *models, struct od_diags *diags);
