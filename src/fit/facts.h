/*
 * What the generators of hypotheses start from, gathered once: the failure, the batch, the
 * limit, what does not shrink with the batch, which batches the log shows to have worked or failed.
 */
#pragma once

#include "attribute/attribute.h"
#include "facts/certainty.h"
#include "failure/failure.h"
#include "fit/belief.h"
#include "plan/request.h"

/* What a fit rests on. request (knobs that the user adds to the log: batch, device, ram, cpus,
 * ...), model (given by the user) and named (a public one that the log names, where it describes
 * none) may be NULL. */
struct od_fit_question {
    const struct od_case *c;
    const struct od_failure *failure;
    const struct od_attribution *attribution;
    const struct od_plan_request *request;
    const struct od_model *model, *named;
};

struct od_fit_facts {
    const struct od_fit_question *q;
    struct od_arena *arena;
    const struct od_failure *failure;
    const struct od_holding *holding; /* of the failure's dump; NULL = none */
    const struct od_model *model;     /* NULL = none */
    const char *network; /* public one that the model was recognised as, by its name or the sizes of
                            its kernels; NULL = the log's or the user's */
    bool rebuilt;        /* the model was read off the sizes of its kernels */
    const struct od_model *guesses[8]; /* tables that those sizes can be; [0] is the model */
    size_t nguesses;
    uint64_t length;       /* of a sequence, whose logits the refused request is; 0 = not told so */
    struct od_count slots; /* optimizer states of a weight, as the network's kernels tell */
    enum od_framework framework;
    struct od_count batch; /* samples a step on one device */
    enum od_certainty batch_certainty;
    struct od_count overruled; /* a batch that the log states and the failing tensor contradicts */
    uint64_t shares;           /* devices that share a global batch; 1 = one */
    uint64_t worked, failed;   /* batches, as the log shows or people say; 0 = none */
    const struct od_evidence *worked_said, *failed_said; /* who says so; NULL = the run's course */
    uint64_t limit;          /* bytes that may be used for the answer; 0 = not known */
    uint64_t limit_then;     /* and in the failed run */
    bool moved;              /* the user asks for another device */
    struct od_bytes fixed;   /* whatever the batch */
    const char *fixed_basis; /* in words; NULL = as the method says */
    struct od_count parameters;
    bool sixteen_bit; /* mixed or half precision is on already */
    bool evaluates;   /* it failed in validation or prediction: forward alone */
    bool serves;      /* a server of models, which holds weights and makes its batches by itself */
    const struct od_workload
        *supposed; /* the run, as a method had to suppose it; NULL = none did */
    bool trained;  /* with this batch: it was an evaluation, of another one, that failed */
};

/* False when nothing failed for lack of a device's memory. */
bool od_fit_facts_of(const struct od_fit_question *question, struct od_arena *arena,
                     struct od_fit_facts *ret_facts);

/* An explanation of the memory of a step, and what it lets fit. */
struct od_hypothesis {
    double median, lo, hi; /* largest batch, 90 %; 0 = its memory alone is known */
    uint64_t safe;         /* no more than this is sure; only where safe_known */
    bool safe_known;
    double off;  /* part by which what was in use is not what it says; negative: not told */
    double less; /* times as much fits if the batch that failed was too large there; 0 = the same */
    bool of_moment; /* what was in use is taken to be the step's: void where it was not */
    bool beside;    /* what was in use is taken to be more than the step's: void where it was not */
    struct od_bytes fixed; /* unknown: as in the facts */
    double sample;         /* bytes each takes beside it; 0 = what is left, by what fits */
    struct od_count batch; /* tried, where it is known better than in the facts */
    const struct od_workload *workload; /* what it had to suppose of the run; NULL = nothing */
    const char *basis;                  /* in words */
    const char *memory_basis;
    const char *narrow; /* a fact that is lacking; NULL = none */
};

/* One generator a file; false where it has nothing to say. ret_found is blank before. */
bool od_fit_by_arena(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_table(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_estimate(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_blocks(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_states(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);

/* The run as a workload of its model, which must be known, as far as the log and the user say it;
 * its batch is 1. */
struct od_workload od_fit_workload(const struct od_fit_facts *facts);

/* Does the log say in which type weights are stored; is it one of 16 bits? */
bool od_fit_type_is_said(const struct od_case *c);
bool od_fit_type_is_half(const struct od_case *c);

struct od_view od_fit_sixteen_bit(const struct od_case *c, const struct od_incident *incident);

/* The optimizer that the log names, as libraries spell it: "AdamW", "torch.optim.SGD",
 * "adamw_torch". False where it names none. */
bool od_fit_optimizer(const struct od_case *c, enum od_optimizer *ret_optimizer);

/* Sets model and network where the sizes in the dump are those of a public network. */
void od_fit_know_network(struct od_fit_facts *facts);

/* The same by the name that the log gives, where the refused request is an output of its. */
void od_fit_know_named(struct od_fit_facts *facts);

/* Sets the model where the sizes in the dump tell its layers; a public network is looked for first.
 */
void od_fit_rebuild(struct od_fit_facts *facts);

/* The parameters that a transformer's numbers make; 0 = they do not tell. */
uint64_t od_fit_count(const struct od_model *model);

/* Bytes of the tensor that PyTorch could not get: more than lo, up to hi. False where the request
 * is too small to tell, or the batch is not known. */
struct od_request_span {
    double lo, hi;
};
bool od_fit_request(const struct od_fit_facts *facts, struct od_request_span *ret_bytes);

/* Of a transformer: sets length, and how its attention runs, as the refused request tells. */
void od_fit_read_request(struct od_fit_facts *facts);

/* The batches of the log in their order: which trained, which failed. Sets worked and failed. */
void od_fit_trials(struct od_fit_facts *facts);

/* Between that place and the failure nothing else was said of the batch, and both are of one
 * process. */
bool od_fit_same_run(const struct od_fit_facts *facts, const struct od_prov *at);

/* Sets worked and failed to what people say: the largest batch that works below the smallest that
 * fails. */
void od_fit_words(struct od_fit_facts *facts);

/* Does the value of that setting of the case mean it? */
bool od_fit_says(const struct od_case *c, enum od_setting_id id, enum od_value_meaning meaning);

/* "43.1M", "1,200,000", "1.2 billion": how many parameters somebody printed. */
struct od_count od_answer_parse_parameters(struct od_view text);
