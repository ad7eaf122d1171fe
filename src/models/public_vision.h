/*
 * Public models for images and sound by name (torchvision, timm, transformers), measured by
 * tests/accuracy/public_vision.py. The build generates the rows from public_vision.tsv. The memory
 * of a model depends on the version of its library, which is in its row.
 */
#pragma once

#include "facts/model.h"

/* Has no pointers, which would need relocation at every start of the program. */
struct od_public_vision {
    char names[144]; /* separated by blanks; first that of the library's current version */
    char library[24];
    uint64_t parameters, buffers; /* number of parameters, and bytes of buffers */
    uint32_t height, width, evaluated;
    uint64_t fused[OD_MEASURED_WIDTHS], eager[OD_MEASURED_WIDTHS];
    int16_t square_fused, square_eager, checkpointed; /* thousandths; negative as in od_measured */
    uint64_t unfolded;
    uint64_t activations; /* elements of outputs of convolutions and matrices per sample; 0 =
                             unknown */
    uint64_t printed;     /* parameters whose sizes print(model) has */
};

/* All public vision models in the order of the file. */
const struct od_public_vision *od_public_visions(size_t *ret_n);

/*
 * Finds a model by name; NULL if unknown. Ignores separators and case. "torchvision/" or "timm/"
 * before the name selects the library, any other word there must belong to the name; by default the
 * first library in the file counts. A tag of weights after a point ("resnet50.a1_in1k") is not part
 * of the name.
 */
const struct od_public_vision *od_public_vision_find(struct od_view name);

/* Finds the model with that many parameters and activations, which may be rounded to their last
 * non-zero digit. *ret_side is the image size if the activations show another one than the row's,
 * otherwise 0. NULL if none, or if several candidates keep different bytes. */
const struct od_public_vision *od_public_vision_counted(uint64_t parameters, uint64_t activations,
                                                        uint64_t *ret_side);

/* Recognizes a printed PyTorch network and sets its measurements: it must have as many parameters,
 * or as many in printed modules, if its head is replaced by one with 1000 classes. Not if the table
 * is for images of another size, if a part is frozen, or if several candidates keep different
 * bytes. */
void od_public_vision_recognise(struct od_model *model);

/* The most similar name, allocated in arena; NULL if no name is close. */
const char *od_public_vision_suggest(struct od_view name, struct od_arena *arena);

/* The description of the model; texts are static. */
struct od_model od_public_vision_model(const struct od_public_vision *vision);
