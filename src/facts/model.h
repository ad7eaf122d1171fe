/*
 * A model as somebody described it: a printed summary, a module tree, a configuration file, the
 * header of a weights file, our own YAML. Nothing here is computed from anything else in it; what a
 * layer keeps and what it all weighs is the estimate's work (estimate/).
 *
 * Shapes have the batch first; it is OD_DIM_UNKNOWN where the text prints None or -1.
 * Ownership: a model owns its arrays (od_model_done); texts live in the arena it was made with.
 */
#pragma once

#include "facts/prov.h"
#include "facts/shape.h"

/* What a layer does, whatever its framework calls it. */
enum od_layer_kind {
#define OD_LAYER(constant, name) OD_LAYER_##constant,
#include "facts/layers.def"
#undef OD_LAYER
    OD_LAYER_END
};

/* Any framework's word for a layer type: Conv2d, Conv2D, DepthwiseConv2D, Linear, Dense, ... */
enum od_layer_kind od_layer_kind_find(struct od_view type);

/* The same for the first letters of such a word, as a table's edge cut it; OD_LAYER_OTHER when
 * words of several kinds begin so. */
enum od_layer_kind od_layer_kind_find_cut(struct od_view start);

/* The same for a layer's default name: "batch_normalization_3", "tf.nn.relu6_1". */
enum od_layer_kind od_layer_kind_of_name(struct od_view name);

/* Our word for it, as in JSON: "conv", "batch_norm"; "other". */
const char *od_layer_kind_name(enum od_layer_kind kind);

struct od_layer {
    struct od_view name; /* "conv2d_3", "Conv2d-7", "encoder.layer.0.attention"; may be empty */
    struct od_view type; /* as printed */
    enum od_layer_kind kind;
    struct od_shape input;  /* where a table has such a column */
    struct od_shape output; /* the first of noutputs */
    uint32_t noutputs;
    bool output_cut; /* the table's edge may have cut digits off its last dimension */
    struct od_count parameters;
    uint64_t parameters_slack; /* of a rounded print ("11.2 M"): +- so many; 0 = exact */
    struct od_count trainable; /* of the parameters; unknown = not said */
    uint32_t depth;            /* of nesting; 0 = the model itself or a flat table's row */
    uint32_t first_input;      /* into od_model.inputs */
    uint32_t ninputs;          /* 0 = the text does not say what it is connected to */
    bool recursive;            /* a row for a layer counted before (shared weights) */
    bool inplace;
    uint64_t repeat;             /* "(0-11): 12 x Block": so many alike; 0 and 1 = one */
    struct od_count in_features; /* of a printed module: channels, features, rows of a table */
    struct od_count out_features;
    struct od_shape kernel; /* of a conv or pool; a norm's shape; an adaptive pool's output */
    struct od_shape stride; /* of a conv or pool; the factor of an upsampling */
    struct od_shape padding;
    struct od_count dilation;
    struct od_count groups;
    struct od_count padding_idx;
    struct od_count num_layers; /* of a recurrent module */
    enum od_tri bias;           /* OD_CANNOT_TELL = not printed */
    enum od_tri bidirectional;
    double dropout; /* p as printed; negative = not printed */
    struct od_prov at;
};

/* What stands on top of a transformer. */
enum od_head_kind {
    OD_HEAD_NONE,
    OD_HEAD_LM,       /* one matrix over the vocabulary for every token */
    OD_HEAD_MASKED,   /* dense layer, norm, the embedding and a bias over the vocabulary */
    OD_HEAD_PRETRAIN, /* the same and a next-sentence classifier */
    OD_HEAD_LABELS,   /* a classifier of the whole sequence */
    OD_HEAD_TOKENS    /* a classifier of every token; two labels of a span */
};

/* How families of transformers differ. */
enum od_trait {
    OD_TR_CAUSAL = 1 << 0,
    OD_TR_OUT_BIAS = 1 << 1,      /* the projection after attention has a bias */
    OD_TR_KEY_NO_BIAS = 1 << 2,   /* of query, key, value only the key has none */
    OD_TR_NORM_BIAS = 1 << 3,     /* layer norms with a shift */
    OD_TR_NORM_BARE = 1 << 4,     /* norms without any parameter */
    OD_TR_HEAD_BIAS = 1 << 5,     /* of a language model's head */
    OD_TR_EMBED_NORM = 1 << 6,    /* a norm after the embeddings */
    OD_TR_NO_FINAL_NORM = 1 << 7, /* none after the last block */
    OD_TR_PARALLEL = 1 << 8,      /* attention and MLP read the same input */
    OD_TR_ONE_NORM = 1 << 9,      /* and share its norm */
    OD_TR_FOUR_NORMS = 1 << 10,   /* before and after both */
    OD_TR_QK_NORM = 1 << 11,      /* queries and keys are normalized by head */
    OD_TR_QK_NORM_WIDE = 1 << 12, /* or over all heads */
    OD_TR_POOLER = 1 << 13,       /* a dense layer over the first token */
    OD_TR_SHARED = 1 << 14,       /* all blocks are one */
    OD_TR_EAGER = 1 << 15,        /* attention keeps its scores: no fused kernel */
    OD_TR_FUSED = 1 << 16,        /* attention is fused, as the text says */
    OD_TR_SOFTCAP = 1 << 17,      /* scores pass a tanh: no fused kernel either */
    OD_TR_RELU = 1 << 18,         /* the MLP's activation keeps its output */
    OD_TR_AUDIO = 1 << 19,        /* two convolutions over a spectrogram come first */
    OD_TR_VISION = 1 << 20,       /* patches of an image come first, with a class token */
    OD_TR_DISTILLED = 1 << 21,    /* and a second token beside it */
    OD_TR_SHARED_GATE = 1 << 22,  /* a gate for the shared expert */
    OD_TR_ROUTER_BIAS = 1 << 23,  /* one number an expert beside the router's matrix */
    OD_TR_QK_FIXED = 1 << 24,     /* relative attention: one more projection, two biases a head */
    OD_TR_LABEL_DENSE = 1 << 25,  /* a dense layer below the labels */
    OD_TR_SCALED = 1 << 26,       /* each branch is scaled by a learnt vector */
    OD_TR_FUSED_QKV = 1 << 27,    /* one matrix, then rotary: the values keep its whole output */
    OD_TR_SINKS = 1 << 28,        /* one number a head that takes a share of attention */
    OD_TR_GELU_STEPS = 1 << 29,   /* the MLP's GELU is written out, step by step */
    OD_TR_ONE_QKV = 1 << 30       /* one matrix makes queries, keys and values */
};

/* The numbers of a transformer; unknown where the description does not say. */
struct od_transformer {
    bool known;
    struct od_count hidden, layers, heads, kv_heads, head_dim;
    struct od_count intermediate; /* width of the MLP */
    struct od_count vocab, positions, type_vocab;
    struct od_count decoder_layers; /* of an encoder-decoder; layers is the encoder's then */
    struct od_count experts, experts_active, shared_experts, expert_intermediate;
    struct od_count window;                 /* sliding attention */
    struct od_count full_layers;            /* that see everything beside it; unknown = none */
    struct od_count q_rank, kv_rank;        /* latent attention */
    struct od_count image, patch, channels; /* vision */
    bool gated;                             /* gate, up and down projections */
    bool rms_norm;
    bool tied; /* the head is the embedding */
    bool learned_positions;
    bool attention_bias, mlp_bias;
    struct od_count embedding; /* width of the embedding where it is not hidden's */
    struct od_count value_dim; /* latent attention: head_dim is that of queries and keys */
    struct od_count rope_dim;  /* latent attention: of head_dim, what is rotated */
    struct od_count decoder_heads, decoder_intermediate; /* where they differ from the encoder's */
    struct od_count dense_layers;        /* of a mixture of experts: the first so many have none */
    struct od_count expert_every;        /* every so many layers has experts; unknown = every one */
    struct od_count shared_intermediate; /* width of the experts that every token passes */
    struct od_count labels;              /* of a classifier's head */
    struct od_count buckets;             /* relative positions */
    struct od_count source_positions;    /* of an encoder that has other ones than its decoder */
    struct od_count stored_bits;         /* of matrices in a quantized checkpoint */
    struct od_count stored_group;        /* weights that share a scale; unknown = a whole row */
    bool stored_experts;                 /* those of experts alone */
    bool stored_nf4;                     /* by bitsandbytes: adapters can be trained on it */
    uint64_t position_rows;              /* rows of the position table beside the positions */
    uint32_t traits;                     /* enum od_trait */
    enum od_head_kind head;
    double hidden_dropout, attention_dropout;
    bool inner_dropout;            /* one more between the MLP's matrices */
    bool one_qkv;                  /* queries, keys and values come from one matrix */
    bool heads_guessed;            /* nothing prints the number of heads */
    bool rate_guessed;             /* nor the rates of dropout: 0 or not */
    bool block_guessed;            /* a family that is not known: its block may have other parts */
    uint64_t mergers, merged;      /* of a tower: outputs that are joined, patches of one token */
    bool query_gate;               /* queries come with a gate of the same width */
    struct od_count linear_layers; /* blocks whose attention keeps a state instead of a cache */
    struct od_count linear_key_heads, linear_value_heads, linear_key_dim, linear_value_dim;
    struct od_count linear_kernel; /* of the convolution over their queries, keys and values */
};

/*
 * What a public model keeps of one sample, measured once; see models/public_vision.h. By
 * the width of what it computes in: float32, and 16 bit under autocast.
 */
enum { OD_MEASURED_WIDTHS = 2 };

struct od_measured {
    bool known;
    bool counted;              /* nobody names it: it is told by its parameters and activations */
    struct od_view recognised; /* the names of one that a printed network is; its layers stand */
    struct od_view library;    /* whose, and of which version: "timm-1.0.31" */
    uint64_t height, width;    /* of the images */
    uint64_t evaluated;        /* side of those its library evaluates it with; 0 = the same */
    uint64_t fused[OD_MEASURED_WIDTHS], eager[OD_MEASURED_WIDTHS]; /* attention by one kernel or
                                                                      written out; bytes */
    double square_fused, square_eager; /* share of float32's that grows with the square of the
                                          area of images; negative = not measured */
    double checkpointed; /* share of float32's that lives at the most where the library computes
                            its segments again; negative = it has no way to, or not measured */
    uint64_t unfolded;   /* elements of the largest convolution's input, unfolded for its kernel */
    uint64_t buffers;    /* bytes */
};

/* Bytes that stand whatever the batch, and bytes of each sample. */
struct od_recorded_bytes {
    uint64_t fixed, sample;
};

/* What lives at one operation of a recorded step, beside parameters and buffers. */
struct od_recorded_moment {
    struct od_recorded_bytes held; /* without the gradients of parameters */
    uint64_t gradients;            /* bytes of those there are by then */
};

/* A step of training, operation by operation, as oomdoctor.graph/1 writes it (doc/graph.md). */
struct od_recorded {
    bool known;
    bool backward;                  /* the backward pass is recorded, too */
    size_t forward;                 /* moments of the forward pass, the first ones */
    struct od_recorded_bytes saved; /* kept for backward; parameters and buffers are not counted */
    uint64_t buffers;               /* bytes */
    uint64_t gradients;             /* bytes of all of them */
    uint64_t tensors;               /* of parameters that are trained */
    uint64_t unfolded;              /* as in od_measured */
    unsigned bits;                  /* of a number that most of it is kept in */
    struct od_recorded_moment *moments; /* in the arena of the texts */
    size_t nmoments;
    const struct od_recorded *autocast; /* the same step under autocast to 16 bits, or NULL */
};

/* A request of a traced run, or the release of an earlier one. */
struct od_traced_request {
    uint64_t bytes;
    uint32_t of; /* a release: index of the request */
    bool release;
};

/* What a run asked its allocator for, as a profiler saw it. Blocks of before come first. */
struct od_traced {
    bool known;
    struct od_traced_request *requests; /* in the arena of the texts */
    size_t nrequests;
    uint64_t gradients;       /* bytes that the optimizer cleared; 0 = it was not seen to */
    uint64_t states;          /* bytes that its step asked for and left */
    uint64_t stays;           /* bytes of before its first call that outlived its last */
    struct od_view optimizer; /* class of it; empty = none was seen */
    bool no_products;         /* of matrices: no library for them is called */
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
    OD_MODEL_GRAPH,  /* a recorded step */
    OD_MODEL_TRACE,  /* requests of a run */
    OD_MODEL_PUBLIC, /* measured beforehand */
    OD_MODEL_BARE,   /* parameters and activations alone */
    OD_MODEL_FORMATS
};

/* "aten.addmm.default", "aten::bmm": a product of matrices? */
bool od_op_is_product(struct od_view op);

const char *od_model_format_name(enum od_model_format format);

enum { OD_TOWERS_MOST = 2 };

struct od_model {
    struct od_view name;
    enum od_model_format format;
    struct od_view framework;       /* "tensorflow", "pytorch"; empty = not told by the format */
    struct od_prov at;              /* first line; nlines up to its last */
    OD_VEC(struct od_layer) layers; /* in the order of the text */
    OD_VEC(uint32_t) inputs;        /* indices of layers, od_layer.first_input */
    struct od_transformer transformer;
    struct od_transformer towers[OD_TOWERS_MOST]; /* what reads images and sound for it */
    size_t ntowers;
    bool join_guessed; /* how they are joined to the text is not known, or a part is not counted */
    struct od_measured measured;
    struct od_recorded recorded;
    struct od_traced traced;
    struct od_count parameters, trainable, non_trainable; /* as printed or stated */
    uint64_t parameters_slack;                            /* of a rounded print, as in od_layer */
    struct od_count activations;  /* elements one sample keeps, when stated */
    struct od_count batch;        /* that the printed shapes hold; unknown = one sample, or None */
    enum od_dtype dtype;          /* of the stored weights, when stated */
    struct od_bytes weight_bytes; /* of a weights file, or where a summary prints them */
    struct od_bytes input_bytes;  /* of the batch that the shapes hold, where a summary prints it */
    uint64_t unreadable_rows;
    struct od_prov unreadable_at; /* the first of them; line 0 = not known */
    bool complete;                /* from its heading to its totals */
    bool shortened;               /* rows beyond the limit are left out */
    bool told; /* every operation has a row: no activation or product is hidden in another */
};

/* A layer of which nothing is known yet. */
struct od_layer od_layer_blank(void);

/* Frees the arrays; the texts go with their arena. */
void od_model_done(struct od_model *model);
