/*
 * Shared by the readers of model descriptions: a model being read, from its first to its last line,
 * and the event at its end. A dialect recognizes the first line and parses each further line;
 * everything else is here.
 *
 * Texts of layers are stored once in the reader's arena. A model without layers is dropped
 * silently: its first line was misleading.
 */
#pragma once

#include "base/map.h"
#include "facts/model.h"
#include "readers/reader.h"

enum od_model_line {
    OD_MODEL_FOREIGN, /* another program's line between lines of the model */
    OD_MODEL_TAKEN,
    OD_MODEL_ENDS /* the model ended before this line */
};

struct od_model_draft;

struct od_model_dialect {
    const char *name; /* of the reader */
    enum od_model_format format;
    const char *framework;
    size_t own_size; /* bytes of the dialect's own state in a draft, zeroed at first */

    /* Does a model start with this line? Only called if none is open. */
    bool (*begins)(struct od_model_draft *draft, struct od_view text);
    enum od_model_line (*line)(struct od_model_draft *draft, struct od_view text);
    /* Called after the last line to finish what is pending. May be NULL. */
    void (*finish)(struct od_model_draft *draft);
    /* Frees what `own` contains. May be NULL. */
    void (*release)(void *own);
};

/* Texts of all lanes. */
struct od_model_texts {
    struct od_arena *arena;
    struct od_map index; /* -> index + 1 in items */
    OD_VEC(struct od_view) items;
};

/* The state of a reader of models. */
struct od_model_draft {
    const struct od_model_dialect *dialect;
    struct od_model_texts *texts;
    struct od_model model;
    struct od_prov at; /* place of the current line */
    uint32_t lane;
    bool open;
    bool headed;      /* the heading was seen */
    bool has_totals;  /* the printed number of all parameters was seen */
    unsigned foreign; /* consecutive lines that do not belong to the model */
    uint64_t lost;    /* layers beyond the limit */
    struct od_view excerpt;
    struct od_count optimizer; /* numbers of the optimizer, which Keras 3 includes in the total */
    struct od_map names;       /* name -> index + 1 of the latest layer of that name */
    void *own;
};

/* A copy that lives as long as the arena; equal texts share one. */
struct od_view od_model_text(struct od_model_draft *draft, struct od_view text);

/* Appends a layer read on the current line; its texts are copied. NULL if the limit is reached;
 * valid until the next call. */
struct od_layer *od_model_add(struct od_model_draft *draft, const struct od_layer *layer);

/* Records that a row on the current line is invalid. */
void od_model_unreadable(struct od_model_draft *draft);

/* The latest layer of that name; UINT32_MAX = none. */
uint32_t od_model_find(const struct od_model_draft *draft, struct od_view name);

/* Takes a line under the table such as "Total params: 3,538,984 (13.50 MB)" and stores its number
 * in the model; false for other lines. */
bool od_model_take_total(struct od_model_draft *draft, struct od_view text);

/* Marks layers of unknown type as containers if deeper layers follow. */
void od_model_mark_containers(struct od_model *model);

/* All members of a struct od_reader except its name and literals. */
#define OD_MODEL_READER(its_dialect)                                                           \
    .state_size = sizeof(struct od_model_draft), .shared_size = sizeof(struct od_model_texts), \
    .dialect = &(its_dialect), .begin = od_model_reader_begin, .line = od_model_reader_line,   \
    .is_open = od_model_reader_is_open, .end = od_model_reader_end,                            \
    .release = od_model_reader_release, .release_shared = od_model_reader_release_shared

void od_model_reader_begin(const struct od_reader *reader, void *state, void *shared,
                           struct od_arena *arena);
void od_model_reader_release(void *state);
void od_model_reader_release_shared(void *shared);
enum od_take od_model_reader_line(void *state, const struct od_line *line,
                                  const struct od_sink *sink);
bool od_model_reader_is_open(const void *state);
void od_model_reader_end(void *state, const struct od_sink *sink);
