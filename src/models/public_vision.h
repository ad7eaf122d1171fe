/*
 * Public vision models by name: of torchvision and timm, as tests/accuracy/public_vision.py has
 * measured them. Rows are made from public_vision.tsv when the project is built. What a model keeps
 * depends on the version of its library, which is in its row.
 */
#pragma once

#include "facts/model.h"

/* No pointers: each would have to be set whenever the program starts. */
struct od_public_vision {
    char names[144]; /* with blanks between them; the first is the library's today */
    char library[24];
    uint64_t parameters, buffers; /* numbers; bytes */
    uint16_t height, width, evaluated;
    uint64_t fused[OD_MEASURED_WIDTHS], eager[OD_MEASURED_WIDTHS];
    int16_t square_fused, square_eager, checkpointed; /* thousandths; negative as in od_measured */
    uint64_t unfolded;
    uint64_t activations; /* elements that convolutions and matrices make of a sample; 0 = unknown
                           */
    uint64_t printed;     /* parameters whose sizes print(model) tells */
};

/* All of them, in the order of the file. */
const struct od_public_vision *od_public_visions(size_t *ret_n);

/*
 * Finds a model by name; NULL if unknown. Separators and case are ignored. "torchvision/" or
 * "timm/" before the name selects the library; the default is the library that comes first in the
 * file. A tag of weights after a point ("resnet50.a1_in1k") is not part of the name.
 */
const struct od_public_vision *od_public_vision_find(struct od_view name);

/*
 * The one that has so many parameters and activations, rounded as printed: a number counts as
 * rounded to its last digit that is no 0. Where the images are of another size than the row's, as
 * the activations tell, *ret_side is theirs; else 0. NULL for none, and where several keep
 * different bytes.
 */
const struct od_public_vision *od_public_vision_counted(uint64_t parameters, uint64_t activations,
                                                        uint64_t *ret_side);

/*
 * Sets what is measured of a printed PyTorch network where it is one of them: it has as many
 * parameters, or those whose sizes a module prints, with a head of 1000 classes in place of its
 * own. Not where the table is of images of another size, or a part
 * is frozen, or several that have them keep different bytes.
 */
void od_public_vision_recognise(struct od_model *model);

/* The nearest name, in arena; NULL where none is near. */
const char *od_public_vision_suggest(struct od_view name, struct od_arena *arena);

/* As a description of a model; texts are static. */
struct od_model od_public_vision_model(const struct od_public_vision *vision);
