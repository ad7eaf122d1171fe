#include "facts/model.h"

#include "base/ascii.h"

struct kind_row {
    const char *name;
    const char *types; /* words of all frameworks, separated by spaces */
};

static const struct kind_row kinds[OD_LAYER_END] = {
    [OD_LAYER_OTHER] = {"other", ""},
    [OD_LAYER_CONTAINER] = {"container",
                            "Sequential ModuleList ModuleDict Functional Model DataParallel "
                            "DistributedDataParallel FullyShardedDataParallel FSDPModule "
                            "DeepSpeedEngine OptimizedModule PeftModel LoraModel "
                            "TransformerEncoder TransformerDecoder TransformerEncoderLayer "
                            "TransformerDecoderLayer Transformer"},
    [OD_LAYER_INPUT] = {"input", "InputLayer Input"},
    [OD_LAYER_CONV] =
        {"conv", "Conv1d Conv2d Conv3d Conv1D Conv2D Conv3D Convolution1D Convolution2D "
                 "Convolution3D ConvTranspose1d ConvTranspose2d ConvTranspose3d Conv1DTranspose "
                 "Conv2DTranspose Conv3DTranspose Deconvolution2D Deconvolution3D DepthwiseConv1D "
                 "DepthwiseConv2D SeparableConv1D SeparableConv2D SeparableConvolution1D "
                 "SeparableConvolution2D AtrousConvolution1D AtrousConvolution2D "
                 "LocallyConnected1D LocallyConnected2D Conv2dSame Conv2dStaticSamePadding "
                 "Conv2dDynamicSamePadding StdConv2d StdConv2dSame ScaledStdConv2d "
                 "ScaledStdConv2dSame WSConv2d CondConv2d CausalConv1d DeformConv2d LazyConv1d "
                 "LazyConv2d LazyConv3d LazyConvTranspose2d QuantizedConv2d"},
    [OD_LAYER_LINEAR] =
        {"linear",
         "Linear Dense LazyLinear EinsumDense TFDense NonDynamicallyQuantizableLinear "
         "Linear8bitLt Linear4bit LinearNF4 QuantLinear QuantizedLinear Bilinear Matmul "
         "MatMul Einsum ColumnParallelLinear RowParallelLinear MergedColumnParallelLinear "
         "QKVParallelLinear ReplicatedLinear ParallelLMHead"},
    [OD_LAYER_EMBEDDING] =
        {"embedding",
         "Embedding EmbeddingBag TFSharedEmbeddings TokenAndPositionEmbedding "
         "PositionEmbedding WordEmbedding ParallelEmbedding VocabParallelEmbedding "
         "ScaledWordEmbedding LearnedPositionalEmbedding OPTLearnedPositionalEmbedding "
         "BartLearnedPositionalEmbedding BartScaledWordEmbedding "
         "GemmaTextScaledWordEmbedding WhisperPositionalEmbedding"},
    [OD_LAYER_BATCH_NORM] =
        {"batch_norm",
         "BatchNorm BatchNorm1d BatchNorm2d BatchNorm3d BatchNormalization "
         "BatchNormalizationV1 BatchNormalizationV2 SyncBatchNorm BatchNormAct2d SyncBatchNormAct "
         "SyncBatchNormalization NaiveSyncBatchNorm FrozenBatchNorm2d LazyBatchNorm1d "
         "LazyBatchNorm2d LazyBatchNorm3d FusedBatchNorm"},
    [OD_LAYER_NORM] =
        {"norm", "LayerNorm LayerNormalization GroupNorm GroupNormalization InstanceNorm1d "
                 "InstanceNorm2d InstanceNorm3d InstanceNormalization RMSNorm RMSNormalization "
                 "LayerNorm2d LayerNormAct LayerNormAct2d GroupNormAct LayerNormFp32 "
                 "LayerNormChannelsFirst LocalResponseNorm "
                 "FusedLayerNorm FusedRMSNorm MixedFusedLayerNorm UnitNormalization "
                 "SpectralNormalization GroupNorm1 GroupNorm32 LRN"},
    [OD_LAYER_RELU] = {"relu", "ReLU Relu relu ThresholdedReLU Threshold FReLU"},
    [OD_LAYER_LEAKY_RELU] = {"leaky_relu", "LeakyReLU LeakyRelu leaky_relu PReLU RReLU"},
    [OD_LAYER_RELU6] = {"relu6", "ReLU6 Relu6 relu6 Hardtanh HardTanh"},
    [OD_LAYER_SIGMOID] = {"sigmoid", "Sigmoid sigmoid"},
    [OD_LAYER_TANH] = {"tanh", "Tanh tanh"},
    [OD_LAYER_SOFTMAX] = {"softmax", "Softmax LogSoftmax Softmax2d softmax log_softmax Softmin"},
    [OD_LAYER_SMOOTH] =
        {"smooth", "GELU Gelu gelu SiLU Silu silu Swish swish MemoryEfficientSwish ELU Elu elu "
                   "CELU SELU Selu selu Hardswish HardSwish Hardsigmoid HardSigmoid Mish Softplus "
                   "Softsign LogSigmoid GLU GELUActivation NewGELUActivation FastGELUActivation "
                   "QuickGELUActivation QuickGELU PytorchGELUTanh GELUTanh AccurateGELUActivation "
                   "SiLUActivation MishActivation ClippedGELUActivation BloomGelu HSwish "
                   "Hswish h_swish hswish HSigmoid Hsigmoid h_sigmoid NewGELU"},
    [OD_LAYER_ACTIVATION] = {"activation", "Activation"},
    [OD_LAYER_MAX_POOL] =
        {"max_pool", "MaxPool1d MaxPool2d MaxPool3d MaxPooling1D MaxPooling2D MaxPooling3D "
                     "AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d GlobalMaxPooling1D "
                     "GlobalMaxPooling2D GlobalMaxPooling3D GlobalMaxPool1D GlobalMaxPool2D "
                     "FractionalMaxPool2d MaxPool1D MaxPool2D MaxPool3D MaxPool2dSame"},
    [OD_LAYER_AVG_POOL] =
        {"avg_pool", "AvgPool1d AvgPool2d AvgPool3d AveragePooling1D AveragePooling2D "
                     "AveragePooling3D AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d "
                     "GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D "
                     "GlobalAvgPool1D GlobalAvgPool2D AvgPool1D AvgPool2D FastAdaptiveAvgPool2d "
                     "SelectAdaptivePool2d AvgPool2dSame LPPool2d Mean ReduceMean reduce_mean"},
    [OD_LAYER_DROPOUT] = {"dropout",
                          "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout "
                          "SpatialDropout1D SpatialDropout2D SpatialDropout3D GaussianDropout "
                          "StableDropout FixedDropout FusedDropout"},
    [OD_LAYER_ADD] = {"add", "Add add AddV2 Subtract subtract Average Sum FloatFunctional"},
    [OD_LAYER_MULTIPLY] = {"multiply", "Multiply multiply Dot Mul mul Maximum Minimum"},
    [OD_LAYER_CONCAT] = {"concat", "Concatenate Concat concat Merge Stack stack"},
    [OD_LAYER_VIEW] = {"view",
                       "Flatten flatten Reshape reshape Unflatten Identity GetItem "
                       "Squeeze squeeze ExpandDims expand_dims SlicingOpLambda Slice "
                       "strided_slice StridedSlice Split split View StopGradient Masking NotEqual"},
    [OD_LAYER_COPY] =
        {"copy", "Permute Transpose transpose PermuteLayer ZeroPad2d ZeroPadding1D ZeroPadding2D "
                 "ZeroPadding3D ConstantPad1d ConstantPad2d ReflectionPad1d ReflectionPad2d "
                 "ReplicationPad2d Cropping1D Cropping2D Cropping3D Upsample UpsamplingBilinear2d "
                 "UpsamplingNearest2d UpSampling1D UpSampling2D UpSampling3D PixelShuffle "
                 "PixelUnshuffle ChannelShuffle RepeatVector Resizing Rescaling Normalization "
                 "CenterCrop RandomFlip RandomCrop RandomRotation RandomZoom RandomContrast "
                 "RandomTranslation RandomHeight RandomWidth Fold Unfold DropPath StochasticDepth "
                 "Cast cast pad Pad resize Resize"},
    [OD_LAYER_RECURRENT] = {"recurrent",
                            "LSTM GRU RNN SimpleRNN CuDNNLSTM CuDNNGRU LSTMCell GRUCell RNNCell "
                            "Bidirectional ConvLSTM1D ConvLSTM2D ConvLSTM3D"},
    [OD_LAYER_ATTENTION] = {"attention", "MultiheadAttention MultiHeadAttention "
                                         "GroupQueryAttention GroupedQueryAttention "
                                         "AdditiveAttention Attention"},
    [OD_LAYER_LOSS] =
        {"loss", "CrossEntropyLoss BCELoss BCEWithLogitsLoss NLLLoss MSELoss L1Loss SmoothL1Loss "
                 "HuberLoss KLDivLoss CTCLoss CosineEmbeddingLoss TripletMarginLoss AddLoss "
                 "LabelSmoothingCrossEntropy SoftTargetCrossEntropy MarginRankingLoss"},
};

/* What the end of a word tells where the whole word is some project's own. */
static const struct {
    const char *suffix;
    enum od_layer_kind kind;
} suffixes[] = {
    {"RMSNorm", OD_LAYER_NORM},
    {"LayerNorm", OD_LAYER_NORM},
    {"LayerNormalization", OD_LAYER_NORM},
    {"GroupNorm", OD_LAYER_NORM},
    {"InstanceNorm2d", OD_LAYER_NORM},
    {"BatchNorm1d", OD_LAYER_BATCH_NORM},
    {"BatchNorm2d", OD_LAYER_BATCH_NORM},
    {"BatchNorm3d", OD_LAYER_BATCH_NORM},
    {"BatchNormalization", OD_LAYER_BATCH_NORM},
    {"GELUActivation", OD_LAYER_SMOOTH},
    {"Linear", OD_LAYER_LINEAR},
    {"WordEmbedding", OD_LAYER_EMBEDDING},
    {"LearnedPositionalEmbedding", OD_LAYER_EMBEDDING},
    {"Loss", OD_LAYER_LOSS},
};

/* "Conv2dSame", "Conv3DSimple": somebody's convolution; with a norm beside it is a block. */
static bool is_own_conv(struct od_view type)
{
    static const char *const more[] = {"Norm", "BN", "Act", "Block", "Module", "ReLU", "Bn", NULL};
    bool conv = type.n > 6 && od_view_starts(type, OD_VIEW("Conv")) && type.p[4] >= '1' &&
                type.p[4] <= '3' && (type.p[5] | 0x20) == 'd';
    return conv && !od_view_has_any(type, more);
}

enum od_layer_kind od_layer_kind_find(struct od_view type)
{
    if (type.n == 0)
        return OD_LAYER_OTHER;
    for (unsigned kind = 0; kind < OD_LAYER_END; kind++) {
        struct od_view words = od_view_of(kinds[kind].types);
        struct od_view word;
        while (od_view_cut(&words, ' ', &word)) {
            if (od_view_eq(word, type))
                return (enum od_layer_kind)kind;
        }
    }
    for (size_t i = 0; i < OD_COUNT_OF(suffixes); i++) {
        if (od_view_ends(type, od_view_of(suffixes[i].suffix)))
            return suffixes[i].kind;
    }
    return is_own_conv(type) ? OD_LAYER_CONV : OD_LAYER_OTHER;
}

enum od_layer_kind od_layer_kind_find_cut(struct od_view start)
{
    enum od_layer_kind found = OD_LAYER_OTHER;
    if (start.n == 0)
        return found;
    for (unsigned kind = 0; kind < OD_LAYER_END; kind++) {
        struct od_view words = od_view_of(kinds[kind].types);
        struct od_view word;
        bool here = false;
        while (!here && od_view_cut(&words, ' ', &word))
            here = od_view_starts(word, start);
        if (here && found != OD_LAYER_OTHER)
            return OD_LAYER_OTHER;
        if (here)
            found = (enum od_layer_kind)kind;
    }
    return found;
}

/* "tf.nn.relu6_1" -> "relu6", "batch_normalization_3" -> "batch_normalization" */
static struct od_view stem_of(struct od_view name)
{
    size_t end = name.n;
    while (end > 0 && name.p[end - 1] >= '0' && name.p[end - 1] <= '9')
        end--;
    if (end > 0 && end < name.n && name.p[end - 1] == '_')
        name = od_view_head(name, end - 1);
    for (size_t i = name.n; i-- > 0;) {
        if (name.p[i] == '.' || name.p[i] == '/')
            return od_view_from(name, i + 1);
    }
    return name;
}

/* The same letters, whatever their case and without the underscores of a snake_case name. */
static bool same_letters(struct od_view name, struct od_view word)
{
    size_t at = 0;
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '_')
            continue;
        if (at == word.n || od_lower(word.p[at]) != od_lower(name.p[i]))
            return false;
        at++;
    }
    return at > 0 && at == word.n;
}

enum od_layer_kind od_layer_kind_of_name(struct od_view name)
{
    name = stem_of(name);
    for (unsigned kind = 0; kind < OD_LAYER_END; kind++) {
        struct od_view words = od_view_of(kinds[kind].types);
        struct od_view word;
        while (od_view_cut(&words, ' ', &word)) {
            if (same_letters(name, word))
                return (enum od_layer_kind)kind;
        }
    }
    return OD_LAYER_OTHER;
}

const char *od_layer_kind_name(enum od_layer_kind kind)
{
    return kind < OD_LAYER_END ? kinds[kind].name : NULL;
}

bool od_op_is_product(struct od_view op)
{
    static const char *const products[] = {"addmm",       "bmm",          "matmul",
                                           "attention",   "aten.mm.",     "aten::mm",
                                           "aten.linear", "aten::linear", NULL};
    return od_view_has_any(op, products);
}

const char *od_model_format_name(enum od_model_format format)
{
    static const char *const names[OD_MODEL_FORMATS] = {
        [OD_MODEL_KERAS] = "keras",
        [OD_MODEL_TORCHSUMMARY] = "torchsummary",
        [OD_MODEL_TORCHINFO] = "torchinfo",
        [OD_MODEL_LIGHTNING] = "lightning",
        [OD_MODEL_MODULE_TREE] = "module_tree",
        [OD_MODEL_HF_CONFIG] = "hf_config",
        [OD_MODEL_SAFETENSORS] = "safetensors",
        [OD_MODEL_GGUF] = "gguf",
        [OD_MODEL_YAML] = "yaml",
        [OD_MODEL_ONNX] = "onnx",
        [OD_MODEL_GRAPH] = "graph",
        [OD_MODEL_TRACE] = "trace",
        [OD_MODEL_PUBLIC] = "public",
        [OD_MODEL_BARE] = "bare",
    };
    return format < OD_MODEL_FORMATS ? names[format] : NULL;
}

struct od_layer od_layer_blank(void)
{
    return (struct od_layer){
        .bias = OD_CANNOT_TELL, .bidirectional = OD_CANNOT_TELL, .dropout = -1.0};
}

void od_model_done(struct od_model *model)
{
    od_vec_done(&model->layers);
    od_vec_done(&model->inputs);
}
