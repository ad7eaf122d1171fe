/* Models made by hand, row by row, as a reader would emit them. */
#ifndef OD_TESTS_UNIT_ESTIMATE_LAYERS_H
#define OD_TESTS_UNIT_ESTIMATE_LAYERS_H

#include "facts/model.h"

struct row {
    const char *type;
    enum od_layer_kind kind;
    const char *output; /* "[None,8,8,4]"; NULL = not printed */
    uint64_t parameters;
    uint32_t depth;
    const char *inputs; /* "0 2": rows that it reads; NULL = not said */
};

/* The caller calls od_model_done. Totals are the sum of the rows. Rows end with a NULL type. */
struct od_model layers_model(enum od_model_format format, const struct row *rows);

#endif
