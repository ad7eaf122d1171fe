/*
 * Facts that all methods of this folder use, collected once: the failure, the batch, the limit,
 * memory that does not shrink with the batch, and batches that worked or failed.
 */
#pragma once

#include "attribute/attribute.h"
#include "facts/certainty.h"
#include "failure/failure.h"
#include "fit/belief.h"
#include "fit/product.h"
#include "plan/request.h"

/* Input of a fit. These may be NULL: request (the user's knobs: batch, device, ram, cpus, ...),
 * model (given by the user), named (a public model that the log names without describing it). */
struct od_fit_question {
    const struct od_case *c;
    const struct od_failure *failure;
    const struct od_attribution *attribution;
    const struct od_plan_request *request;
    const struct od_model *model, *named;
    uint64_t named_count; /* parameters of `named`; 0 = not known; set by od_fit_of */
};

struct od_fit_facts {
    const struct od_fit_question *q;
    struct od_arena *arena;
    const struct od_failure *failure;
    const struct od_holding *holding; /* memory in use of the failure's dump; NULL = no dump */
    const struct od_model *model;     /* NULL = none */
    /* the public network recognized by name or kernel sizes; NULL = the log or the user
     * describes the model */
    const char *network;
    bool rebuilt;                      /* the model was derived from kernel sizes */
    const struct od_model *guesses[8]; /* tables with the same kernel sizes; [0] is the model */
    size_t nguesses;
    const struct od_product *product; /* the failed request as a product; NULL = none */
    uint64_t length; /* sequence length, if the failed request was for logits; 0 = not known */
    struct od_count slots; /* optimizer states per weight, from kernel sizes */
    enum od_framework framework;
    struct od_count batch; /* samples per step on one device */
    enum od_certainty batch_certainty;
    struct od_count overruled; /* the printed batch size, if the failed tensor contradicts it */
    uint64_t shares;           /* devices that share the global batch; 1 = one */
    /* batch sizes that worked and failed, from the log or people's remarks; 0 = none */
    uint64_t worked, failed;
    /* texts that report them; NULL = derived from the run's progress */
    const struct od_evidence *worked_said, *failed_said;
    uint64_t limit;          /* bytes available for the answer; 0 = not known */
    uint64_t limit_then;     /* bytes available in the failed run */
    bool moved;              /* the user's knobs name another device */
    struct od_bytes fixed;   /* memory that does not depend on the batch */
    const char *fixed_basis; /* source of `fixed` as text; NULL = as stated by the method */
    struct od_count parameters;
    const struct od_plan_request *command; /* command line of a known trainer; NULL = none */
    bool sixteen_bit;                      /* mixed or half precision is already in use */
    bool evaluates; /* the failure was in validation or prediction, which only has a forward pass */
    bool serves;    /* a model server, which holds weights and forms its batches itself */
    const struct od_workload *supposed; /* the workload that a method assumed; NULL = none */
    bool trained; /* training worked with this batch; an evaluation with another batch failed */
};

/* Collects the facts. False if the log has no known failure of device memory. */
bool od_fit_facts_of(const struct od_fit_question *question, struct od_arena *arena,
                     struct od_fit_facts *ret_facts);

/* An explanation of a step's memory, and the batch that fits according to it. */
struct od_hypothesis {
    double median, lo, hi; /* largest batch with its 90 % interval; 0 = only memory is known */
    uint64_t safe;         /* the largest batch that is certain to fit; valid if safe_known */
    bool safe_known;
    double off;  /* relative difference of the memory in use; negative: not known */
    double less; /* factor for the largest batch because the failed batch was too large; 0 = none */
    bool of_moment;        /* valid only if the memory in use belongs to the step */
    bool needs_others;     /* valid only if other memory besides the step's is in use */
    struct od_bytes fixed; /* unknown = as in the facts */
    /* bytes per sample in addition to fixed; 0 = remaining memory divided by the largest batch */
    double sample;
    struct od_count batch; /* the batch that was tried, if better known than in the facts */
    const struct od_workload *workload; /* the assumed workload; NULL = none */
    const char *basis;                  /* how the batch was derived, as text */
    const char *memory_basis;
    const char *missing_fact; /* a missing fact that would narrow the range; NULL = none */
};

/* The methods, one file each. False if they do not apply. *ret_found is zeroed before. */
bool od_fit_by_arena(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_table(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_estimate(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_blocks(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
bool od_fit_by_states(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);

/* Describes the run as a workload with batch 1, from its model (which must be set), the log and the
 * user's knobs. */
struct od_workload od_fit_workload(const struct od_fit_facts *facts);

/* Reads the options of the log's last command line of a known trainer, with defaults for missing
 * options. NULL = none. */
const struct od_plan_request *od_fit_command(const struct od_case *c, struct od_arena *arena);

/* Does the log print the type of the stored weights? And is that a 16-bit type? */
bool od_fit_type_is_said(const struct od_case *c);
bool od_fit_type_is_half(const struct od_case *c);

struct od_view od_fit_sixteen_bit(const struct od_case *c, const struct od_incident *incident);

/* Finds an optimizer that the log names in a library's spelling: "AdamW", "torch.optim.SGD",
 * "adamw_torch". False if none. */
bool od_fit_optimizer(const struct od_case *c, enum od_optimizer *ret_optimizer);

/* Sets model and network if the sizes in the dump are those of a public network. */
void od_fit_network_by_sizes(struct od_fit_facts *facts);

/* Sets the model if the sizes in the dump show its layers. Tries public networks first. */
void od_fit_rebuild(struct od_fit_facts *facts);

/* Number of parameters according to a transformer's configuration; 0 = not known. */
uint64_t od_fit_count(const struct od_model *model);

/* Size of the tensor that PyTorch could not allocate: more than lo, at most hi bytes. False if the
 * request is too small or the batch is unknown. */
struct od_request_span {
    double lo, hi;
};
bool od_fit_request(const struct od_fit_facts *facts, struct od_request_span *ret_bytes);

/* Derives a transformer's sequence length and kind of attention from the failed request. */
void od_fit_read_request(struct od_fit_facts *facts);

/* Sets `worked` and `failed` from the batch sizes in the log, in their order. */
void od_fit_trials(struct od_fit_facts *facts);

/* Was no other batch size printed between that place and the failure, by the same process? */
bool od_fit_same_run(const struct od_fit_facts *facts, const struct od_prov *at);

/* Sets `worked` and `failed` from people's remarks: the largest that works below the smallest that
 * fails. */
void od_fit_remarks(struct od_fit_facts *facts);

bool od_fit_says(const struct od_case *c, enum od_setting_id id, enum od_value_meaning meaning);

/* Parses a printed number of parameters: "43.1M", "1,200,000", "1.2 billion". */
struct od_count od_answer_parse_parameters(struct od_view text);
