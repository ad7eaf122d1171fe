/*
 * Reads models from files: printed summaries alone or within logs, module trees, configurations,
 * headers of weights, our own YAML. Uses the readers for logs without rules.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "case/case.h"
#include "facts/model.h"

struct od_models;

/* Reads a file, "-" for standard input, or the config.json of a folder. A name that is not a file
 * may be that of a public model (models/public_models.h). Errors go to diags. The result must be
 * freed and is never NULL. */
struct od_models *od_models_read(const char *name, struct od_diags *diags);

/* Like od_models_read, with values for named dimensions: "seq=128,height=224"; may be NULL. */
struct od_models *od_models_read_sized(const char *name, const char *dims, struct od_diags *diags);

/* Like od_models_read, for bytes in memory, valid during the call. name is arbitrary. */
struct od_models *od_models_read_bytes(const char *name, struct od_view bytes,
                                       struct od_diags *diags);

/* Reads the public model named in a case's settings. NULL if there is none or several, or if it has
 * quantized weights, whose size no configuration contains. */
struct od_models *od_models_named(const struct od_case *c, struct od_diags *diags);

/* Reads the public vision model with these numbers of parameters and activations; NULL if none.
 * *ret_side as for od_public_vision_counted. */
struct od_models *od_models_counted(uint64_t parameters, uint64_t activations, uint64_t *ret_side);

/* Appends the names of public models, one per line: our name, published parameters, other names. */
void od_models_list(struct od_buf *to);

/* Is the word a type of stored weights as in names of published models ("Q4_K_M")? */
bool od_models_stored(const char *word);

void od_models_free(struct od_models *models);

/* OD_OK, OD_LOST, OD_ELIMIT or OD_EINPUT, whichever the reading returned. */
enum od_err od_models_status(const struct od_models *models);

/* Number of the first line of a plain file without a model that looks like a row of a table; 0 =
 * none, or not a plain file. */
uint64_t od_models_row(const char *name);

/* Chooses the model to plan for: complete ones first, then the one with the most parameters, then
 * the last. NULL if there is none. If there are several, a note in diags names the chosen one. */
const struct od_model *od_models_choose(const struct od_models *models, struct od_diags *diags);
