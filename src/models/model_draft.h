/*
 * What the readers of model descriptions share: a model being read, from its first line to its
 * last, and the event at its end. A dialect says which line begins a model and
 * what each further line is; everything else is here.
 *
 * Texts of layers go, each once, into the reader's arena. A model that has no layer when it ends
 * is dropped without a word: its first line only looked like one.
 */
#pragma once

#include "base/map.h"
#include "facts/model.h"
#include "readers/reader.h"

enum od_model_line {
    OD_MODEL_FOREIGN, /* of another source, between lines of the model */
    OD_MODEL_TAKEN,
    OD_MODEL_ENDS /* the model ended before this line */
};

struct od_model_draft;

struct od_model_dialect {
    const char *name; /* of the reader */
    enum od_model_format format;
    const char *framework;
    size_t own_size; /* bytes of the dialect's own state in a draft; zeroed at the start */

    /* Does a model begin with this line? Called only where none is open. */
    bool (*begins)(struct od_model_draft *draft, struct od_view text);
    enum od_model_line (*line)(struct od_model_draft *draft, struct od_view text);
    /* No more lines: finishes what is pending. May be NULL. */
    void (*finish)(struct od_model_draft *draft);
    /* Frees what own holds. May be NULL. */
    void (*release)(void *own);
};

/* Of all lanes. */
struct od_model_texts {
    struct od_arena *arena;
    struct od_map index; /* -> index + 1 into items */
    OD_VEC(struct od_view) items;
};

/* The state of a reader of models. */
struct od_model_draft {
    const struct od_model_dialect *dialect;
    struct od_model_texts *texts;
    struct od_model model;
    struct od_prov at; /* of the line being read */
    uint32_t lane;
    bool open;
    bool headed;      /* the line that says what is to come was seen */
    bool has_totals;  /* the model's own count of parameters was seen */
    unsigned foreign; /* lines that were not the model's, in a row */
    uint64_t lost;    /* layers beyond the limit */
    struct od_view excerpt;
    struct od_count optimizer; /* numbers of the optimizer, which Keras 3 adds to the total */
    struct od_map names;       /* of layers -> index + 1 of the latest */
    void *own;
};

/* ---- for dialects ---- */

/* A copy that lives as long as the arena; equal texts share one. */
struct od_view od_model_text(struct od_model_draft *draft, struct od_view text);

/* Appends a layer read at the present line; its views are copied. NULL when the limit is reached;
 * valid until the next. */
struct od_layer *od_model_add(struct od_model_draft *draft, const struct od_layer *layer);

/* Notes a row that cannot be read, in the line at hand. */
void od_model_unreadable(struct od_model_draft *draft);

/* The latest layer of that name; UINT32_MAX = none. */
uint32_t od_model_find(const struct od_model_draft *draft, struct od_view name);

/*
 * "Total params: 3,538,984 (13.50 MB)" and its kin: true when the line is one of the lines under a
 * table; the numbers go into the model.
 */
bool od_model_take_total(struct od_model_draft *draft, struct od_view text);

/* Marks layers of unknown type that deeper layers follow as containers. */
void od_model_mark_containers(struct od_model *model);

/* ---- for readers ---- */

/* All of a struct od_reader but its name and literals. */
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
