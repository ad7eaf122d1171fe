/*
 * Shared by the readers of model descriptions: a model being read, from its first to its last line,
 * and the event at its end. A dialect recognizes the first line and parses each further line; all
 * other work is done here.
 *
 * Texts of layers are stored once in the reader's arena. A model without layers is dropped
 * silently, because its first line was misleading.
 */
#pragma once

#include "base/map.h"
#include "facts/model.h"
#include "readers/reader.h"

enum od_model_line {
    OD_MODEL_FOREIGN, /* a line of another program between lines of the model */
    OD_MODEL_TAKEN,
    OD_MODEL_ENDS /* the model ended before the current line */
};

struct od_model_builder;

struct od_model_dialect {
    const char *name; /* name of the reader */
    enum od_model_format format;
    const char *framework;
    size_t own_size; /* size in bytes of the dialect's own state in a builder, zeroed at first */

    /* Does a model start with this line? Only called between models. */
    bool (*begins)(struct od_model_builder *builder, struct od_view text);
    enum od_model_line (*line)(struct od_model_builder *builder, struct od_view text);
    /* Called after the last line to complete pending rows. May be NULL. */
    void (*finish)(struct od_model_builder *builder);
    /* Frees memory that `own` refers to. May be NULL. */
    void (*release)(void *own);
};

/* Texts of models of all lanes. */
struct od_model_texts {
    struct od_arena *arena;
    struct od_map index; /* maps a text to its index in items + 1 */
    OD_VEC(struct od_view) items;
};

/* The state of a reader of models. */
struct od_model_builder {
    const struct od_model_dialect *dialect;
    struct od_model_texts *texts;
    struct od_model model;
    struct od_prov at; /* place of the current line */
    uint32_t lane;
    bool open;
    bool headed;      /* the heading was read */
    bool has_totals;  /* the printed number of all parameters was read */
    unsigned foreign; /* number of consecutive lines that do not belong to the model */
    uint64_t lost;    /* number of layers above the limit */
    struct od_view excerpt;
    struct od_count optimizer; /* numbers of the optimizer, which the total of Keras 3 includes */
    struct od_map names;       /* maps a name to the index + 1 of the latest layer with it */
    void *own;
};

/* Copies a text into the arena; equal texts share one copy. */
struct od_view od_model_text(struct od_model_builder *builder, struct od_view text);

/* Appends a layer that was read on the current line, and copies its texts. NULL if the limit is
 * reached. Valid until the next call. */
struct od_layer *od_model_add(struct od_model_builder *builder, const struct od_layer *layer);

/* Records that a row on the current line is invalid. */
void od_model_unreadable(struct od_model_builder *builder);

/* Index of the latest layer with that name; UINT32_MAX = none. */
uint32_t od_model_find(const struct od_model_builder *builder, struct od_view name);

/* Reads a line below the table such as "Total params: 3,538,984 (13.50 MB)" into the model. False
 * for any other line. */
bool od_model_take_total(struct od_model_builder *builder, struct od_view text);

/* Marks layers of unknown type as containers if deeper layers follow them. */
void od_model_mark_containers(struct od_model *model);

/* Initializes all members of a struct od_reader except its name and literals. */
#define OD_MODEL_READER(its_dialect)                                                             \
    .state_size = sizeof(struct od_model_builder), .shared_size = sizeof(struct od_model_texts), \
    .dialect = &(its_dialect), .begin = od_model_reader_begin, .line = od_model_reader_line,     \
    .is_open = od_model_reader_is_open, .end = od_model_reader_end,                              \
    .release = od_model_reader_release, .release_shared = od_model_reader_release_shared

void od_model_reader_begin(const struct od_reader *reader, void *state, void *shared,
                           struct od_arena *arena);
void od_model_reader_release(void *state);
void od_model_reader_release_shared(void *shared);
enum od_take od_model_reader_line(void *state, const struct od_line *line,
                                  const struct od_sink *sink);
bool od_model_reader_is_open(const void *state);
void od_model_reader_end(void *state, const struct od_sink *sink);
