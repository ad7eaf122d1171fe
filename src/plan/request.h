/*
 * A request to the planner: a workload (estimate/) on a device and a host, described by knobs. A
 * knob is an option of `oomdoctor plan`, a field of a form, or an argument of --set, with a name
 * and a value as texts. Pure functions: no files are read.
 */
#pragma once

#include "base/diag.h"
#include "estimate/estimate.h"
#include "facts/shape.h"
#include "plan/device.h"

/* X(name, placeholder for the value or NULL for a yes-or-no knob, help) */
#define OD_KNOBS(X)                                                                           \
    X("framework", "NAME", "pytorch, tensorflow or jax")                                      \
    X("batch", "N", "Batch size per device (micro-batch)")                                    \
    X("precision", "WORD", "float32, tf32, amp_fp16, amp_bf16, fp16, bf16, ..._true, fp8")    \
    X("optimizer", "NAME", "sgd, momentum, nesterov, adam, adamw, amsgrad, adafactor, ...")   \
    X("checkpointing", "HOW", "none, selective, full or every:K")                             \
    X("objective", "NAME", "sft, dpo, kto, orpo, simpo, cpo, grpo, rloo, gkd, ppo")           \
    X("engine", "SHARE", "Of the device, for an engine (vLLM) in the training process: 0.3")  \
    X("accumulate", "N", "Gradient accumulation steps")                                       \
    X("keep-gradients", NULL, "zero_grad() comes after the forward pass, not before it")      \
    X("seq", "N", "Sequence length in tokens")                                                \
    X("lengths", "HOW", "fixed (or packed), varied, MEAN:MAX tokens, or a file of lengths")   \
    X("image", "HxW", "Image size")                                                           \
    X("world-size", "N", "Number of devices")                                                 \
    X("zero", "0..3", "ZeRO stage")                                                           \
    X("fsdp", NULL, "Fully sharded data parallel (as ZeRO 3)")                                \
    X("tp", "N", "Tensor parallelism")                                                        \
    X("pp", "N", "Pipeline parallelism")                                                      \
    X("sp", NULL, "Sequence parallelism")                                                     \
    X("ep", "N", "Expert parallelism")                                                        \
    X("offload", "WHAT", "optimizer or params: keep them in RAM")                             \
    X("offload-activations", NULL, "Keep saved activations in RAM")                           \
    X("lora", "R", "Train LoRA adapters of rank R only")                                      \
    X("lora-targets", "A,B", "Layers with adapters: q_proj,v_proj")                           \
    X("quantize", "BITS", "8 or 4: quantize the frozen weights; Q4_K_M, AWQ, ...: stored so") \
    X("with", "NAME=VALUE",                                                                   \
      "bitsandbytes=0.45, torch=2.4, transformers=4.46, lora_dropout=0, ...")                 \
    X("compile", NULL, "Use torch.compile or XLA")                                            \
    X("chunked-loss", NULL, "Compute the loss in chunks")                                     \
    X("optimizer-in-backward", NULL, "Apply and free each gradient during the backward pass") \
    X("inference", NULL, "Plan for inference instead of training")                            \
    X("prompt", "N", "Tokens of the prompt; --seq is the prompt and what is generated")       \
    X("running", "N", "Concurrent sequences in a paged KV cache (continuous batching)")       \
    X("mean-seq", "N", "Their average length in tokens; --seq is the maximum")                \
    X("kv-block", "N", "Tokens per KV cache block (16)")                                      \
    X("kv-dtype", "TYPE", "Type of the KV cache: float16, fp8, q8_0, q4_0, ...")              \
    X("chunk", "N", "Tokens of prompts that one forward pass reads at most")                  \
    X("gpu-layers", "N", "Blocks on the device; the others are in RAM")                       \
    X("utilization", "SHARE", "Share of the device that the program may reserve: 0.9")        \
    X("static", "SHARE", "Share for weights and KV cache alone, as SGLang divides it: 0.88")  \
    X("free-share", "SHARE", "Share for the KV cache of what weights leave (LMDeploy): 0.8")  \
    X("device", "NAME|SIZE", "\"RTX 3090\", a100-40gb, 24GB, 23.7GiB, ...")                   \
    X("metric", "WHICH", "allocated, reserved or device (default): which peak to plan for")   \
    X("params", "N", "Number of parameters, instead of a model")                              \
    X("activations", "N", "Elements kept for one sample, with --params")                      \
    X("workers", "N", "Data loader workers")                                                  \
    X("prefetch", "N", "Batches each worker loads ahead (2)")                                 \
    X("sample", "C,H,W,DTYPE", "One sample as it is loaded")                                  \
    X("dataset", "N,H,W,C,DTYPE", "The whole dataset as one array")                           \
    X("start-method", "HOW", "fork (default) or spawn: how workers start")                    \
    X("python-objects", "SIZE", "Dataset held as Python lists and dicts, which workers copy") \
    X("pin-memory", NULL, "Copy batches into pinned memory")                                  \
    X("cpus", "N", "CPU cores for data loading")                                              \
    X("ram", "SIZE", "RAM of the machine")                                                    \
    X("shm", "SIZE", "Size of /dev/shm")

#define OD_KNOB_ONE(name, argument, help) +1
enum { OD_KNOBS_N = 0 OD_KNOBS(OD_KNOB_ONE) };

/* A tensor for loading data; shape.known: it was given. */
struct od_plan_tensor {
    struct od_shape shape;
    enum od_dtype dtype;
};

enum { OD_PLAN_NOTES_MAX = 8 };

struct od_plan_request {
    struct od_workload workload;  /* batch 0 = not given */
    struct od_plan_device device; /* name NULL = not given */
    bool framework_given, precision_given, optimizer_given;
    bool precision_assumed; /* assumed 16 bit, the type of most language models */
    uint64_t devices;       /* the number in "2xA100"; 0 = not given */
    double utilization;     /* share of the device that a server uses; 0 = not given */
    double static_share;    /* share of the device for weights and cache; 0 = not given */
    double free_share;      /* share for the cache of the memory without weights; 0 = not given */
    double engine; /* share of the device for an inference engine during training; 0 = not given */
    struct od_count params, activations;
    struct od_count workers, prefetch, cpus;
    struct od_bytes ram, shm;
    struct od_bytes python_objects; /* objects of the data set whose references workers count */
    bool spawn, pin_memory;
    struct od_plan_tensor sample, dataset;
    /* remarks about settings files: values they set, and keys that are not supported */
    const char *notes[OD_PLAN_NOTES_MAX];
    size_t nnotes;
    const char *correction;       /* source of workload.correction; NULL = none */
    const char *said[OD_KNOBS_N]; /* values of knobs as given; NULL = not given */
};

/* Returns an empty request. */
struct od_plan_request od_plan_request_start(void);

enum od_knob_result {
    OD_KNOB_SET,
    OD_KNOB_UNKNOWN, /* no knob has this name */
    OD_KNOB_BAD      /* the value is invalid; *ret_why describes valid ones */
};

/* Sets a knob. value NULL or "yes" sets a yes-or-no knob. Texts are allocated in arena; the request
 * is unchanged on failure. */
enum od_knob_result od_knob_set(struct od_plan_request *request, const char *name,
                                const char *value, struct od_arena *arena, const char **ret_why);

/* The knob closest to a misspelt name; NULL if none is close. */
const char *od_knob_suggest(const char *name);
/* Returns "MEAN:MAX" for lines with the number of tokens of a sample; NULL for other text. */
const char *od_lengths_words(struct od_view text, struct od_arena *arena);

/* The given value of the knob; NULL = not given. */
const char *od_knob_said(const struct od_plan_request *request, const char *name);

/* Sets the model and what depends on it: framework, defaults. Call this once, after setting the
 * knobs; model must outlive the request. If the request has a number of parameters, model may be
 * NULL and a bare model is made in arena. False with a diagnostic if knobs contradict each other or
 * no model is given. */
bool od_plan_request_finish(struct od_plan_request *request, const struct od_model *model,
                            struct od_arena *arena, struct od_diags *diags);
