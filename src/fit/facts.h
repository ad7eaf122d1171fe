/*
 * The facts that all methods of this folder start from, collected once: the failure, the batch, the
 * limit, memory that does not shrink with the batch, and batches that worked or failed.
 */
#pragma once

#include "attribute/attribute.h"
#include "facts/certainty.h"
#include "failure/failure.h"
#include "fit/belief.h"
#include "fit/product.h"
#include "plan/request.h"

/* The input of a fit. request (knobs that the user adds to the log: batch, device, ram, cpus, ...),
 * model (given by the user) and named (a public model named in a log that describes none) may be
 * NULL. */
struct od_fit_question {
    const struct od_case *c;
    const struct od_failure *failure;
    const struct od_attribution *attribution;
    const struct od_plan_request *request;
    const struct od_model *model, *named;
    uint64_t named_count; /* parameters of `named`; 0 = not known. Set by od_fit_of */
};

struct od_fit_facts {
    const struct od_fit_question *q;
    struct od_arena *arena;
    const struct od_failure *failure;
    const struct od_holding *holding; /* of the failure's dump; NULL = none */
    const struct od_model *model;     /* NULL = none */
    const char *network; /* the public network that the model was recognized as, by name or by
                            its kernels' sizes; NULL = the model is the log's or the user's */
    bool rebuilt;        /* the model was derived from the sizes of its kernels */
    const struct od_model *guesses[8]; /* tables with the same sizes; [0] is the model */
    size_t nguesses;
    const struct od_product *product; /* what the failed request is; NULL = not known */
    uint64_t length;       /* length of a sequence, if the failed request was for its logits; 0 =
                              not known */
    struct od_count slots; /* optimizer states per weight, from the sizes of the kernels */
    enum od_framework framework;
    struct od_count batch; /* samples per step on one device */
    enum od_certainty batch_certainty;
    struct od_count overruled; /* the printed batch size, if the failed tensor contradicts it */
    uint64_t shares;           /* devices that share the global batch; 1 = one */
    uint64_t worked, failed;   /* batch sizes that worked and failed, from the log or people; 0 =
                                  none */
    const struct od_evidence *worked_said, *failed_said; /* the text that reports it; NULL =
                                                            derived from the run's progress */
    uint64_t limit;          /* bytes available for the answer; 0 = not known */
    uint64_t limit_then;     /* bytes available in the failed run */
    bool moved;              /* the user asks about another device */
    struct od_bytes fixed;   /* memory that does not depend on the batch */
    const char *fixed_basis; /* its source as text; NULL = as the method states */
    struct od_count parameters;
    const struct od_plan_request *command; /* options of the run's command line, if it is one of a
                                              known trainer; NULL = none */
    bool sixteen_bit;                      /* mixed or half precision is already used */
    bool evaluates; /* it failed in validation or prediction, which only has a forward pass */
    bool serves;    /* a model server, which holds weights and forms its batches itself */
    const struct od_workload *supposed; /* the workload that a method had to assume; NULL = none */
    bool trained; /* training worked with this batch; an evaluation with another batch failed */
};

/* False if no failure of device memory is known. */
bool od_fit_facts_of(const struct od_fit_question *question, struct od_arena *arena,
                     struct od_fit_facts *ret_facts);

/* An explanation of a step's memory, and the batch that fits according to it. */
struct od_hypothesis {
    double median, lo, hi; /* largest batch with its 90 % interval; 0 = only its memory is known */
    uint64_t safe;         /* the largest batch that is certain to fit; valid if safe_known */
    bool safe_known;
    double off;     /* relative difference between the memory in use and the explanation; negative:
                       not known */
    double less;    /* factor by which more fits if the failed batch was too large on its device; 0
                       = none */
    bool of_moment; /* assumes that the memory in use is the step's; invalid otherwise */
    bool beside;    /* assumes that the memory in use is more than the step's; invalid otherwise */
    struct od_bytes fixed; /* unknown: as in the facts */
    double sample;         /* bytes per sample in addition to fixed; 0 = remaining memory divided
                              by what fits */
    struct od_count batch; /* the batch that was tried, if it is better known than in the facts */
    const struct od_workload *workload; /* the workload that had to be assumed; NULL = none */
    const char *basis;                  /* how it was derived, as text */
    const char *memory_basis;
    const char *narrow; /* a missing fact that would narrow the range; NULL = none */
};

/* The methods, one file each. They return false if they do not apply. *ret_found is zeroed
 * before. */
bool od_fit_by_arena(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_table(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_estimate(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_blocks(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_states(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);

/* The run as a workload of its model, which must be set, from the log and the user's knobs; its
 * batch is 1. */
struct od_workload od_fit_workload(const struct od_fit_facts *facts);

/* The options of the last command line in the log that a known trainer reads; an option that it
 * leaves out has its default. NULL = none. */
const struct od_plan_request *od_fit_command(const struct od_case *c, struct od_arena *arena);

/* Does the log print the type of the stored weights? Is it a 16-bit type? */
bool od_fit_type_is_said(const struct od_case *c);
bool od_fit_type_is_half(const struct od_case *c);

struct od_view od_fit_sixteen_bit(const struct od_case *c, const struct od_incident *incident);

/* The optimizer named in the log in a library's spelling: "AdamW", "torch.optim.SGD",
 * "adamw_torch". False if none is named. */
bool od_fit_optimizer(const struct od_case *c, enum od_optimizer *ret_optimizer);

/* Sets model and network if the sizes in the dump are those of a public network. */
void od_fit_network_by_sizes(struct od_fit_facts *facts);

/* Sets the model if the sizes in the dump show its layers; a public network is tried first. */
void od_fit_rebuild(struct od_fit_facts *facts);

/* Number of parameters from a transformer's configuration; 0 = not known. */
uint64_t od_fit_count(const struct od_model *model);

/* Bytes of the tensor that PyTorch could not allocate: more than lo, at most hi. False if the
 * request is too small, or if the batch is not known. */
struct od_request_span {
    double lo, hi;
};
bool od_fit_request(const struct od_fit_facts *facts, struct od_request_span *ret_bytes);

/* For a transformer: derives the sequence length and the kind of attention from the failed
 * request. */
void od_fit_read_request(struct od_fit_facts *facts);

/* Sets worked and failed from the batches in the log, in their order. */
void od_fit_trials(struct od_fit_facts *facts);

/* Was no other batch size printed between that place and the failure, and are both of one
 * process? */
bool od_fit_same_run(const struct od_fit_facts *facts, const struct od_prov *at);

/* Sets worked and failed from people's remarks: the largest batch that works below the smallest
 * that fails. */
void od_fit_remarks(struct od_fit_facts *facts);

/* Does the value of that setting have that meaning? */
bool od_fit_says(const struct od_case *c, enum od_setting_id id, enum od_value_meaning meaning);

/* A printed number of parameters: "43.1M", "1,200,000", "1.2 billion". */
struct od_count od_answer_parse_parameters(struct od_view text);
