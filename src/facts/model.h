/*
 * A model as described in a text: a printed summary, a module tree, a configuration file, the
 * header of a weights file, our own YAML. Nothing here is computed from other parts of it;
 * estimate/ computes what layers keep and weigh.
 *
 * Shapes start with the batch, OD_DIM_UNKNOWN if the text prints None or -1. Ownership: a model
 * owns its arrays (od_model_done); texts are allocated in the arena it was made with.
 */
#pragma once

#include "facts/prov.h"
#include "facts/shape.h"

/* The kind of a layer, independent of its framework. */
enum od_layer_kind {
#define OD_LAYER(constant, name) OD_LAYER_##constant,
#include "facts/layers.def"
#undef OD_LAYER
    OD_LAYER_END
};

/* The kind of a layer type in any framework: Conv2d, Conv2D, DepthwiseConv2D, Linear, Dense, ... */
enum od_layer_kind od_layer_kind_find(struct od_view type);

/* The kind of a layer whose name was cut by the edge of a table; OD_LAYER_OTHER if names of several
 * kinds start this way. */
enum od_layer_kind od_layer_kind_find_cut(struct od_view start);

/* The kind of a layer from its default name: "batch_normalization_3", "tf.nn.relu6_1". */
enum od_layer_kind od_layer_kind_of_name(struct od_view name);

/* Our name for it, as in JSON: "conv", "batch_norm"; "other". */
const char *od_layer_kind_name(enum od_layer_kind kind);

struct od_layer {
    struct od_view name; /* "conv2d_3", "Conv2d-7", "encoder.layer.0.attention"; may be empty */
    struct od_view type; /* as printed */
    enum od_layer_kind kind;
    struct od_shape input;  /* unknown if the table does not print it */
    struct od_shape output; /* the first of noutputs */
    uint32_t noutputs;
    bool output_cut; /* the table's edge may have cut digits of its last dimension */
    struct od_count parameters;
    uint64_t parameters_slack; /* error of a rounded number ("11.2 M"); 0 = exact */
    struct od_count trainable; /* number of trainable parameters; unknown = not printed */
    uint32_t depth;            /* level of nesting; 0 = the model itself, or a row of a flat
                                  table */
    uint32_t first_input;      /* index in od_model.inputs */
    uint32_t ninputs;          /* 0 = the text does not show its inputs */
    bool recursive;            /* a layer that was already counted (shared weights) */
    bool inplace;
    uint64_t repeat;             /* "(0-11): 12 x Block": number of equal layers; 0 and 1 = one */
    struct od_count in_features; /* printed arguments of a module: channels, features, rows of a
                                    table */
    struct od_count out_features;
    struct od_shape kernel; /* of a conv or pool; shape of a norm; output of an adaptive pool */
    struct od_shape stride; /* of a conv or pool; factor of an upsampling */
    struct od_shape padding;
    struct od_count dilation;
    struct od_count groups;
    struct od_count padding_idx;
    struct od_count num_layers; /* num layers of a recurrent module */
    enum od_tri bias;           /* OD_CANNOT_TELL = not printed */
    enum od_tri bidirectional;
    double dropout; /* p as printed; negative = not printed */
    struct od_prov at;
};

/* The head of a transformer. */
enum od_head_kind {
    OD_HEAD_NONE,
    OD_HEAD_LM,       /* one matrix over the vocabulary, for every token */
    OD_HEAD_MASKED,   /* dense layer, norm, embedding and a bias over the vocabulary */
    OD_HEAD_PRETRAIN, /* pretraining with a next-sentence classifier */
    OD_HEAD_LABELS,   /* a classifier of the whole sequence */
    OD_HEAD_TOKENS    /* a classifier of each token; a span has two labels */
};

/* Differences between transformer families. */
enum od_trait {
    OD_TR_CAUSAL = 1 << 0,
    OD_TR_OUT_BIAS = 1 << 1,      /* the projection after attention has a bias */
    OD_TR_KEY_NO_BIAS = 1 << 2,   /* of query, key and value, only the key has no bias */
    OD_TR_NORM_BIAS = 1 << 3,     /* layer norms with a shift */
    OD_TR_NORM_BARE = 1 << 4,     /* norms without parameters */
    OD_TR_HEAD_BIAS = 1 << 5,     /* the head of a language model has a bias */
    OD_TR_EMBED_NORM = 1 << 6,    /* a norm after the embeddings */
    OD_TR_NO_FINAL_NORM = 1 << 7, /* no norm after the last block */
    OD_TR_PARALLEL = 1 << 8,      /* attention and MLP read the same input */
    OD_TR_ONE_NORM = 1 << 9,      /* attention and MLP share one norm (with OD_TR_PARALLEL) */
    OD_TR_FOUR_NORMS = 1 << 10,   /* norms before and after both attention and MLP */
    OD_TR_QK_NORM = 1 << 11,      /* queries and keys are normalized per head */
    OD_TR_QK_NORM_WIDE = 1 << 12, /* queries and keys are normalized over all heads */
    OD_TR_POOLER = 1 << 13,       /* a dense layer over the first token */
    OD_TR_SHARED = 1 << 14,       /* all blocks share their weights */
    OD_TR_EAGER = 1 << 15,        /* attention keeps its scores (no fused kernel) */
    OD_TR_FUSED = 1 << 16,        /* the text says that attention is fused */
    OD_TR_SOFTCAP = 1 << 17,      /* scores pass through tanh, which excludes a fused kernel */
    OD_TR_RELU = 1 << 18,         /* the MLP's activation keeps its output */
    OD_TR_AUDIO = 1 << 19,        /* two convolutions over a spectrogram come first */
    OD_TR_VISION = 1 << 20,       /* patches of an image and a class token come first */
    OD_TR_DISTILLED = 1 << 21,    /* a second special token beside the class token */
    OD_TR_SHARED_GATE = 1 << 22,  /* the shared expert has a gate */
    OD_TR_ROUTER_BIAS = 1 << 23,  /* the router has one bias per expert */
    /* relative attention: one more projection and two biases per head */
    OD_TR_QK_FIXED = 1 << 24,
    OD_TR_LABEL_DENSE = 1 << 25, /* a dense layer before the labels */
    OD_TR_SCALED = 1 << 26,      /* each branch is scaled by a learned vector */
    /* one matrix followed by rotary embeddings: the values keep its whole output */
    OD_TR_FUSED_QKV = 1 << 27,
    OD_TR_SINKS = 1 << 28,      /* one number per head that takes a share of attention */
    OD_TR_GELU_STEPS = 1 << 29, /* the MLP's GELU is computed in separate steps */
    OD_TR_ONE_QKV = 1 << 30     /* one matrix computes queries, keys and values */
};

/* The numbers of a transformer; unknown if the description does not state them. */
struct od_transformer {
    bool known;
    struct od_count hidden, layers, heads, kv_heads, head_dim;
    struct od_count intermediate; /* width of the MLP */
    struct od_count vocab, positions, type_vocab;
    struct od_count
        decoder_layers; /* decoder layers of an encoder-decoder, whose `layers` are the encoder's */
    struct od_count experts, experts_active, shared_experts, expert_intermediate;
    struct od_count window;                 /* for sliding-window attention */
    struct od_count full_layers;            /* layers with full attention beside the sliding
                                               ones; unknown = none */
    struct od_count full_kv;                /* key width of these layers; unknown = as in others */
    struct od_count borrowing_layers;       /* layers that attend with the keys of others */
    struct od_count q_rank, kv_rank;        /* for latent attention */
    struct od_count image, patch, channels; /* for vision models */
    bool gated;                             /* the MLP has gate, up and down projections */
    bool rms_norm;
    bool tied; /* the head shares its weights with the embedding */
    bool learned_positions;
    bool attention_bias, mlp_bias;
    struct od_count embedding; /* width of the embedding if it differs from hidden */
    struct od_count value_dim; /* latent attention, where head_dim is that of queries and keys */
    struct od_count rope_dim;  /* latent attention: rotated part of head_dim */
    struct od_count decoder_heads, decoder_intermediate; /* if they differ from the encoder's */
    struct od_count dense_layers;        /* leading layers of a mixture of experts that have no
                                            experts */
    struct od_count expert_every;        /* distance of layers with experts; unknown = every
                                            layer */
    struct od_count shared_intermediate; /* width of the experts that every token passes */
    struct od_count labels;              /* labels of a classifier's head */
    struct od_count buckets;             /* for relative positions */
    struct od_count
        source_positions; /* source positions of an encoder, if they differ from the decoder's */
    struct od_count stored_bits;  /* stored bits of matrices in a quantized checkpoint */
    struct od_count stored_group; /* weights that share a scale; unknown = a whole row */
    bool stored_experts;          /* only the experts are quantized */
    bool stored_nf4;              /* quantized by bitsandbytes, so adapters can be trained */
    uint64_t position_rows;       /* additional rows of the position table */
    uint32_t traits;              /* bits of enum od_trait */
    enum od_head_kind head;
    double hidden_dropout, attention_dropout;
    bool inner_dropout;            /* another dropout between the MLP's matrices */
    bool one_qkv;                  /* queries, keys and values come from one matrix */
    bool heads_guessed;            /* the number of heads is not printed */
    bool rate_guessed;             /* the dropout rates are not printed */
    bool block_guessed;            /* unknown family, whose blocks may have other parts */
    struct od_count counted;       /* all parameters by a formula of the family, towers included */
    uint64_t mergers, merged;      /* for images: outputs that are joined, patches for each token */
    bool query_gate;               /* queries come with a gate of the same width */
    struct od_count linear_layers; /* layers whose attention keeps a state instead of a cache */
    struct od_count linear_key_heads, linear_value_heads, linear_key_dim, linear_value_dim;
    struct od_count linear_kernel; /* of the convolution over their queries, keys and values */
    double linear_state;           /* numbers that these layers keep for a sequence */
};

/* Memory that a public model keeps for one sample, measured once; see models/public_vision.h. One
 * element for float32 and one for 16 bit under autocast. */
enum { OD_MEASURED_WIDTHS = 2 };

struct od_measured {
    bool known;
    bool counted;              /* matched only by its numbers of parameters and activations */
    struct od_view recognised; /* names of the public models that a printed network may be; its
                                  layers stay */
    struct od_view library;    /* library and version: "timm-1.0.31" */
    uint64_t height, width;    /* of the images */
    uint64_t evaluated;        /* image side with which its library evaluates it; 0 = the same */
    uint64_t fused[OD_MEASURED_WIDTHS], eager[OD_MEASURED_WIDTHS]; /* bytes with a fused
                                                                      attention kernel or with
                                                                      separate steps */
    double square_fused, square_eager; /* share of float32's bytes that grows with the square of
                                          the image area; negative = not measured */
    double checkpointed; /* share of float32's bytes that remains with the library's activation
                            checkpointing; negative = not supported or not measured */
    uint64_t unfolded;   /* elements of the largest convolution's input after unfolding */
    uint64_t buffers;    /* bytes */
};

/* A pipeline that makes images from text: encoders of the text, a denoiser, and the decoder of a
 * VAE; parameters of each. */
struct od_pipeline {
    bool known;
    uint64_t text, largest_text; /* all encoders, and the largest one */
    uint64_t denoiser, vae;
    uint64_t side;     /* pixels of a side of an image */
    uint64_t frames;   /* of a video, as the denoiser reads it; 0 = an image */
    uint64_t adapters; /* inputs and outputs of its attention's matrices: an adapter of rank r
                          has r times as many parameters */
    uint64_t kept[8];  /* MiB of one sample of the given side at the peak of a step in 16 bit: all
                          trained, adapters; both with checkpointing; all four with attention
                          written out (0 = it never was) */
    uint64_t passed, written, decoded; /* MiB of a pass for one sample of that side in 16 bit: of
                                          the denoiser, with attention written out (0 = it never
                                          was), of the decoder */
};

/* Bytes that do not depend on the batch, and bytes per sample. */
struct od_recorded_bytes {
    uint64_t fixed, sample;
};

/* Memory at one operation of a recorded step, besides parameters and buffers. */
struct od_recorded_moment {
    struct od_recorded_bytes held; /* without the gradients of parameters */
    uint64_t gradients;            /* bytes of gradients that exist by then */
};

/* A training step, operation by operation, as in oomdoctor.graph/1 (doc/graph.md). */
struct od_recorded {
    bool known;
    bool backward;                  /* the backward pass is recorded, too */
    size_t forward;                 /* number of moments of the forward pass, which come first */
    struct od_recorded_bytes saved; /* kept for the backward pass, without parameters and buffers */
    uint64_t buffers;               /* bytes */
    uint64_t gradients;             /* bytes of all gradients */
    uint64_t tensors;               /* number of trainable parameter tensors */
    uint64_t unfolded;              /* as in od_measured */
    unsigned bits;                  /* width of a number in most of it */
    struct od_recorded_moment *moments; /* allocated in the arena of the texts */
    size_t nmoments;
    const struct od_recorded *autocast; /* the same step under autocast to 16 bits, or NULL */
};

/* A request of a traced run, or the release of an earlier request. */
struct od_traced_request {
    uint64_t bytes;
    uint32_t of; /* for a release: index of the request */
    bool release;
};

/* Requests of a run to its allocator as seen by a profiler. Blocks from before the trace come
 * first. */
struct od_traced {
    bool known;
    struct od_traced_request *requests; /* allocated in the arena of the texts */
    size_t nrequests;
    uint64_t gradients;       /* bytes that the optimizer cleared; 0 = not seen */
    uint64_t states;          /* bytes that the optimizer's step allocated and kept */
    uint64_t stays;           /* bytes allocated before the optimizer's first call and still in
                                 use after its last one */
    struct od_view optimizer; /* class of the optimizer; empty = not seen */
    bool no_products;         /* it multiplies no matrices, so no library for that is loaded */
};

enum od_model_format {
    OD_MODEL_KERAS,
    OD_MODEL_TORCHSUMMARY,
    OD_MODEL_TORCHINFO,
    OD_MODEL_LIGHTNING,
    OD_MODEL_MODULE_TREE,
    OD_MODEL_HF_CONFIG,
    OD_MODEL_SAFETENSORS,
    OD_MODEL_GGUF,
    OD_MODEL_YAML,
    OD_MODEL_ONNX,
    OD_MODEL_GRAPH,  /* operations of a recorded training step */
    OD_MODEL_TRACE,  /* allocations of a profiled run */
    OD_MODEL_PUBLIC, /* a public model whose memory was measured for our tables */
    OD_MODEL_BARE,   /* only the numbers of parameters and activations */
    OD_MODEL_FORMATS
};

/* Is the operation a matrix product ("aten.addmm.default", "aten::bmm")? */
bool od_op_is_product(struct od_view op);

const char *od_model_format_name(enum od_model_format format);

enum { OD_TOWERS_MOST = 2 };

struct od_model {
    struct od_view name;
    enum od_model_format format;
    struct od_view framework;       /* "tensorflow", "pytorch"; empty if the format does not show
                                       it */
    struct od_prov at;              /* first line; nlines extends to its last line */
    OD_VEC(struct od_layer) layers; /* in the order of the text */
    OD_VEC(uint32_t) inputs;        /* indices of layers; see od_layer.first_input */
    struct od_transformer transformer;
    struct od_transformer towers[OD_TOWERS_MOST]; /* parts that read images and sound */
    size_t ntowers;
    bool join_guessed; /* the connection to the text part is unknown, or a part is not counted */
    struct od_measured measured;
    struct od_pipeline pipeline;
    struct od_recorded recorded;
    struct od_traced traced;
    struct od_count parameters, trainable, non_trainable; /* as printed */
    uint64_t parameters_slack;                            /* error of a rounded number, as in
                                                             od_layer */
    struct od_count activations;  /* elements kept for one sample, if printed */
    struct od_count batch;        /* batch of the printed shapes; unknown = one sample, or None */
    enum od_dtype dtype;          /* dtype of the stored weights, if printed */
    struct od_bytes weight_bytes; /* from a weights file or a summary that prints it */
    struct od_bytes input_bytes;  /* for the batch of the shapes, if a summary prints it */
    uint64_t unreadable_rows;
    struct od_prov unreadable_at; /* place of the first one; line 0 = not known */
    bool complete;                /* from its heading to its totals */
    bool shortened;               /* rows beyond the limit were dropped */
    bool all_operations; /* every operation has its own row, so no activation or product is hidden
                  in another one */
};

/* A layer with all members unknown. */
struct od_layer od_layer_blank(void);

/* Frees the arrays; the texts are freed with their arena. */
void od_model_done(struct od_model *model);

/* The parameters that a name states: 40e9 of "some-org/some-40B-chat". 0 = none, or those of one of
 * several experts ("8x7B"). *ret_part: the name without its folders. */
double od_model_name_parameters(struct od_view name, struct od_view *ret_part);
