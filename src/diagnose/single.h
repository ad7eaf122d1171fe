/*
 * What speaks against the batch and for what one sample or the model takes by itself: what the run
 * was for, the program that failed, the request against the device, what was tried already.
 */
#pragma once

#include "diagnose/diagnose.h"

struct od_single {
    bool trains;      /* a step of a training was under way, or is set up */
    bool infers;      /* a model was only used: one sample after the other */
    bool batchless;   /* the program has no batch to set */
    bool exceeds;     /* asked for more than the whole device in one piece, of a batch that is 1 or
                         that nobody states */
    bool piles;       /* it worked for long, or somebody says that memory grew */
    bool scores;      /* it was for the scores of attention, of a batch that nobody states */
    bool of_one;      /* its batch is 1 already */
    bool straw;       /* little was asked for, and the process fills the device already */
    bool same_anyway; /* another batch asked for the same number of bytes */
    const struct od_evidence *input; /* somebody says that the input is too large */
    const struct od_evidence *vain;  /* a smaller batch was tried in vain, or there is none */
};

struct od_single od_single_of(const struct od_diagnosis_context *context);

/* Was a checkpoint read to the device that its tensors were saved from? */
bool od_single_restores(const struct od_diagnosis_context *context);

/* Does this process hold nearly all that the device has? */
bool od_single_fills(const struct od_failure *failure);

/* A model that worked for so long does fit. */
bool od_single_has_fitted(const struct od_failure *failure);
