/* Gives the bytes of a model's file to the reader that bids on it. */
#ifndef OD_TESTS_UNIT_ESTIMATE_MODEL_FILE_H
#define OD_TESTS_UNIT_ESTIMATE_MODEL_FILE_H

#include "base/diag.h"
#include "base/view.h"
#include "facts/model.h"

/* What came of it. */
struct model_file {
    bool bid, emitted;
    struct od_model model; /* its arrays are not kept */
    struct od_diags *diags;
};

/* The caller frees diags. The bytes are copied to their exact size first. */
struct model_file model_file_read(struct od_view bytes);

#endif
