/* Keras' tables of all generations: wrapped, cut, nested, boxed, flattened, interleaved. */
#include "base/num.h"
#include "tests/unit/readers/model_feed.h"
#include "tests/unit/readers/suites.h"

extern const struct od_reader od_reader_keras_summary;

struct row {
    const char *text;
    const char *told;
};

static const char classic[] =
    "Model: \"u_shaped\"\n"
    "____________________________________________________________________________________"
    "______________\n"
    "Layer (type)                    Output Shape         Param #     Connected to\n"
    "===================================================================================="
    "==============\n"
    "picture (InputLayer)            [(None, 48, 64, 3)]  0\n"
    "____________________________________________________________________________________"
    "______________\n"
    "stem (Conv2D)                   (None, 24, 32, 20)   1520        picture[0][0]\n"
    "____________________________________________________________________________________"
    "______________\n"
    "normalise_the_stem (BatchNormal (None, 24, 32, 20)   80          stem[0][0]\n"
    "____________________________________________________________________________________"
    "______________\n"
    "activation (Activation)         (None, 24, 32, 20)   0           normalise_the_stem["
    "0][0]\n"
    "____________________________________________________________________________________"
    "______________\n"
    "widen_the_picture (Conv2DTransp (None, 48, 64, 1280) 640000      activation[0][0]\n"
    "____________________________________________________________________________________"
    "______________\n"
    "side_branch_of_the_network (Sep (None, 24, 32, 20)   600         activation[0][0]\n"
    "____________________________________________________________________________________"
    "______________\n"
    "add (Add)                       (None, 24, 32, 20)   0           side_branch_of_the_"
    "network[0][0]\n"
    "                                                                 activation[0][0]\n"
    "____________________________________________________________________________________"
    "______________\n"
    "tf.nn.relu_3 (TFOpLambda)       (None, 24, 32, 20)   0           add[0][0]\n"
    "____________________________________________________________________________________"
    "______________\n"
    "gru (GRU)                       [(None, 7), (None, 7 588         tf.nn.relu_3[0][0]\n"
    "===================================================================================="
    "==============\n"
    "Total params: 642,788\n"
    "Trainable params: 642,748\n"
    "Non-trainable params: 40\n"
    "____________________________________________________________________________________"
    "______________\n"
    "\n";

static const char wrapped[] =
    "Model: \"u_shaped\"\n"
    "____________________________________________________________________________________"
    "______________\n"
    " Layer (type)                Output Shape                 Param #   Connected to\n"
    "===================================================================================="
    "==============\n"
    " picture (InputLayer)        [(None, 48, 64, 3)]          0         []\n"
    "\n"
    " stem (Conv2D)               (None, 24, 32, 20)           1520      ['picture[0][0]'"
    "]\n"
    "\n"
    " normalise_the_stem (BatchNo  (None, 24, 32, 20)          80        ['stem[0][0]']\n"
    " rmalization)\n"
    "\n"
    " activation (Activation)     (None, 24, 32, 20)           0         ['normalise_the_"
    "stem[0][0]']\n"
    "\n"
    " widen_the_picture (Conv2DTr  (None, 48, 64, 1280)        640000    ['activation[0]["
    "0]']\n"
    " anspose)\n"
    "\n"
    " side_branch_of_the_network   (None, 24, 32, 20)          600       ['activation[0]["
    "0]']\n"
    " (SeparableConv2D)\n"
    "\n"
    " add (Add)                   (None, 24, 32, 20)           0         ['side_branch_of"
    "_the_network[0\n"
    "                                                                    ][0]',\n"
    "                                                                     'activation[0]["
    "0]']\n"
    "\n"
    " tf.nn.relu_3 (TFOpLambda)   (None, 24, 32, 20)           0         ['add[0][0]']\n"
    "\n"
    " gru (GRU)                   [(None, 7),                  588       ['tf.nn.relu_3[0"
    "][0]']\n"
    "                              (None, 7)]\n"
    "\n"
    "===================================================================================="
    "==============\n"
    "Total params: 642788 (2.45 MB)\n"
    "Trainable params: 642748 (2.45 MB)\n"
    "Non-trainable params: 40 (160.00 Byte)\n"
    "____________________________________________________________________________________"
    "______________\n"
    "\n";

static const char nested[] = "Model: \"outer\"\n"
                             "_________________________________________________________________\n"
                             " Layer (type)                Output Shape              Param #   \n"
                             "=================================================================\n"
                             " in (InputLayer)             [(None, 9)]               0         \n"
                             "                                                                 \n"
                             " inner (Functional)          (None, 4)                 60        \n"
                             "                                                                 \n"
                             "|¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯|\n"
                             "| in_2 (InputLayer)          [(None, 9)]               0        |\n"
                             "|                                                               |\n"
                             "| dense_of_inner (Dense)     (None, 4)                 40       |\n"
                             "|                                                               |\n"
                             "| deepest (Sequential)       (None, 4)                 20       |\n"
                             "|                                                               |\n"
                             "||¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯||\n"
                             "|| dense_9 (Dense)           (None, 4)                 20      ||\n"
                             "||                                                             ||\n"
                             "¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯¯\n"
                             " last (Dense)                (None, 1)                 5         \n"
                             "                                                                 \n"
                             "=================================================================\n"
                             "Total params: 65 (260.00 Byte)\n"
                             "Trainable params: 65 (260.00 Byte)\n"
                             "Non-trainable params: 0 (0.00 Byte)\n"
                             "_________________________________________________________________\n"
                             "\n";

static const char boxed[] =
    "Model: \"retina\"\n"
    "┏━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━┓\n"
    "┃ Layer (type)        ┃ Output Shape      ┃    Param # ┃ Connected to      ┃\n"
    "┡━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━┩\n"
    "│ photo (InputLayer)  │ (None, 96, 96, 3) │          0 │ -                 │\n"
    "├─────────────────────┼───────────────────┼────────────┼───────────────────┤\n"
    "│ depthwise_conv2d    │ (None, 48, 48, 3) │         30 │ photo[0][0]       │\n"
    "│ (DepthwiseConv2D)   │                   │            │                   │\n"
    "├─────────────────────┼───────────────────┼────────────┼───────────────────┤\n"
    "│ layer_normalization │ (None, 48, 48, 3) │          6 │ depthwise_conv2d… │\n"
    "│ (LayerNormalizatio… │                   │            │                   │\n"
    "├─────────────────────┼───────────────────┼────────────┼───────────────────┤\n"
    "│ layer_normalizatio… │ (None, 48, 48, 3) │          6 │ layer_normalizat… │\n"
    "│ (LayerNormalizatio… │                   │            │                   │\n"
    "├─────────────────────┼───────────────────┼────────────┼───────────────────┤\n"
    "│ add_5 (Add)         │ (None, 48, 48, 3) │          0 │ layer_normalizat… │\n"
    "│                     │                   │            │ layer_normalizat… │\n"
    "├─────────────────────┼───────────────────┼────────────┼───────────────────┤\n"
    "│ functional_1        │ (None, 5)         │  1,234,567 │ add_5[0][0]       │\n"
    "│ (Functional)        │                   │            │                   │\n"
    "├─────────────────────┼───────────────────┼────────────┼───────────────────┤\n"
    "│    └ dense_7        │ (None, 5)         │  1,234,567 │ -                 │\n"
    "│ (Dense)             │                   │            │                   │\n"
    "├─────────────────────┼───────────────────┼────────────┼───────────────────┤\n"
    "│ late (Embedding)    │ ?                 │          0 │ -                 │\n"
    "│                     │                   │  (unbuilt) │                   │\n"
    "└─────────────────────┴───────────────────┴────────────┴───────────────────┘\n"
    " Total params: 3,703,829 (14.13 MB)\n"
    " Trainable params: 1,234,609 (4.71 MB)\n"
    " Non-trainable params: 0 (0.00 B)\n"
    " Optimizer params: 2,469,220 (9.42 MB)\n";

static const char ascii_box[] =
    "Model: \"sequential_2\"\n"
    "+---------------------------------+------------------------+---------------+-------+\n"
    "| Layer (type)                    | Output Shape           |       Param # | Trai… |\n"
    "+=================================+========================+===============+=======+\n"
    "| dense_3 (Dense)                 | (None, 40)             |         2,040 |   N   |\n"
    "|---------------------------------+------------------------+---------------+-------|\n"
    "| dense_4 (Dense)                 | (None, 1)              |   0 (unbuilt) |   Y   |\n"
    "+---------------------------------+------------------------+---------------+-------+\n"
    " Total params: 2,040 (7.97 KB)\n"
    " Trainable params: 0 (0.00 B)\n"
    " Non-trainable params: 2,040 (7.97 KB)\n";

static const char flattened[] = "Model: \"flat\"\n"
                                "\n"
                                "Layer (type) Output Shape Param # Connected to\n"
                                "==================================================\n"
                                "input_5 (InputLayer) (None, 28, 28, 1) 0\n"
                                "\n"
                                "conv2d_9 (Conv2D) (None, 26, 26, 8) 80 input_5[0][0]\n"
                                "\n"
                                "Total params: 80\n"
                                "Trainable params: 80\n"
                                "Non-trainable params: 0\n";

static const char interleaved[] =
    "Model: \"two_lanes\"\n"
    "@2 Model: \"other_lane\"\n"
    "_________________________________________________________________\n"
    "Layer (type)                 Output Shape              Param #\n"
    "@2 Layer (type)                 Output Shape              Param #\n"
    "=================================================================\n"
    "@2 =================================================================\n"
    "lstm_4 (LSTM)                (None, 11)                968\n"
    "2031-03-04 10:11:12.131415: W tensorflow/core/util.cc:1] something (else) 3\n"
    "@2 dense_1 (Dense)              multiple                  77\n"
    "_________________________________________________________________\n"
    "dense_6 (Dense)              (None, 4)                 many\n"
    "_________________________________________________________________\n"
    "dense_7 (Dense)              (None, 4)                 48\n"
    "=================================================================\n"
    "@2 =================================================================\n"
    "@2 Total params: 77\n"
    "Total params: 1,016\n"
    "Trainable params: 1,016\n"
    "Non-trainable params: 0\n"
    "_________________________________________________________________\n"
    "Epoch 1/3\n";

static const char two_models[] =
    "Model: \"one\"\n"
    "_________________________________________________________________\n"
    " Layer (type)                Output Shape              Param #\n"
    "=================================================================\n"
    " conv1d (Conv1D)             (None, 8, 3)              30\n"
    "Model: \"two\"\n"
    "_________________________________________________________________\n"
    " Layer (type)                Output Shape              Param #\n"
    "=================================================================\n"
    " conv1d (Conv1D)             (None, 8, 3)              30\n"
    " flatten (Flatten)           (None, 24)                0\n"
    "=================================================================\n"
    "Total params: 30\n"
    "Trainable params: 30\n"
    "Non-trainable params: 0\n"
    "_________________________________________________________________\n";

static const struct row rows[] = {
    /* Keras 1 and early 2: cells cut at their edge */
    {classic, "keras u_shaped @1+27 complete p=642788 t=642748 n=40\n"
              "picture:InputLayer input [?,48,64,3] p=0\n"
              "stem:Conv2D conv [?,24,32,20] p=1520 <0\n"
              "normalise_the_stem:BatchNormal batch_norm [?,24,32,20] p=80 <1\n"
              "activation:Activation activation [?,24,32,20] p=0 <2\n"
              "widen_the_picture:Conv2DTransp conv [?,48,64,1280] p=640000 <3\n"
              "side_branch_of_the_network:Sep conv [?,24,32,20] p=600 <3\n"
              "add:Add add [?,24,32,20] p=0 <5,3\n"
              "tf.nn.relu_3:TFOpLambda relu [?,24,32,20] p=0 <6\n"
              "gru:GRU recurrent [?,7]*2 p=588 <7\n"},
    /* Keras 2.7 and later: cells wrapped inside words */
    {wrapped, "keras u_shaped @1+33 complete p=642788 t=642748 n=40\n"
              "picture:InputLayer input [?,48,64,3] p=0\n"
              "stem:Conv2D conv [?,24,32,20] p=1520 <0\n"
              "normalise_the_stem:BatchNormalization batch_norm [?,24,32,20] p=80 <1\n"
              "activation:Activation activation [?,24,32,20] p=0 <2\n"
              "widen_the_picture:Conv2DTranspose conv [?,48,64,1280] p=640000 <3\n"
              "side_branch_of_the_network:SeparableConv2D conv [?,24,32,20] p=600 <3\n"
              "add:Add add [?,24,32,20] p=0 <5,3\n"
              "tf.nn.relu_3:TFOpLambda relu [?,24,32,20] p=0 <6\n"
              "gru:GRU recurrent [?,7]*2 p=588 <7\n"},
    /* expanded models between bars */
    {nested, "keras outer @1+26 complete p=65 t=65 n=0\n"
             "in:InputLayer input [?,9] p=0\n"
             "inner:Functional container [?,4] p=60\n"
             ".in_2:InputLayer input [?,9] p=0\n"
             ".dense_of_inner:Dense linear [?,4] p=40\n"
             ".deepest:Sequential container [?,4] p=20\n"
             "..dense_9:Dense linear [?,4] p=20\n"
             "last:Dense linear [?,1] p=5\n"},
    /* Keras 3: what is cut ends in an ellipsis; the total counts the optimizer */
    {boxed, "keras retina @1+31 complete p=1234609 t=1234609 n=0\n"
            "photo:InputLayer input [?,96,96,3] p=0\n"
            "depthwise_conv2d:DepthwiseConv2D conv [?,48,48,3] p=30 <0\n"
            "layer_normalization:LayerNormalizatio norm [?,48,48,3] p=6 <1\n"
            "layer_normalizatio:LayerNormalizatio norm [?,48,48,3] p=6 <2\n"
            "add_5:Add add [?,48,48,3] p=0 <3,2\n"
            "functional_1:Functional container [?,5] p=1234567 <4\n"
            ".dense_7:Dense linear [?,5] p=1234567\n"
            "late:Embedding embedding\n"},
    /* the box without Unicode, and whether a layer trains */
    {ascii_box, "keras sequential_2 @1+11 complete p=2040 t=0 n=2040\n"
                "dense_3:Dense linear [?,40] p=2040 t=0\n"
                "dense_4:Dense linear [?,1]\n"},
    /* columns lost on the way through a page */
    {flattened, "keras flat @1+11 complete p=80 t=80 n=0\n"
                "input_5:InputLayer input [?,28,28,1] p=0\n"
                "conv2d_9:Conv2D conv [?,26,26,8] p=80 <0\n"},
    /* two lanes, a foreign line, a row that cannot be read */
    {interleaved, "keras two_lanes @1+21 complete p=1016 t=1016 n=0 unreadable=1\n"
                  "lstm_4:LSTM recurrent [?,11] p=968\n"
                  "dense_7:Dense linear [?,4] p=48\n"
                  "keras other_lane @2+16 complete p=77\n"
                  "dense_1:Dense linear p=77\n"},
    /* a table cut by the next */
    {two_models, "keras one @1+5\n"
                 "conv1d:Conv1D conv [?,8,3] p=30\n"
                 "keras two @6+11 complete p=30 t=30 n=0\n"
                 "conv1d:Conv1D conv [?,8,3] p=30\n"
                 "flatten:Flatten view [?,24] p=0\n"},
    /* torchsummary has the same heading */
    {"        Layer (type)               Output Shape         Param #\n"
     "================================================================\n"
     "            Conv2d-1           [16, 12, 30, 30]             336\n"
     "              ReLU-2           [16, 12, 30, 30]               0\n"
     "================================================================\n"
     "Total params: 336\n",
     ""},
    /* a sentence about it */
    {"The heading says Layer (type)   Output Shape   Param # and so on.\n"
     "conv2d (Conv2D) is a layer\n",
     ""},
    /* a heading and nothing */
    {"Model: \"empty\"\n"
     "____\n"
     "Layer (type)   Output Shape   Param #\n"
     "====\n"
     "\n",
     ""},
    /* other tables */
    {"| Layer (type) | Count |\n"
     "|---|---|\n"
     "| Conv2D | 12 |\n",
     ""},
};

START_TEST(reads_tables)
{
    struct od_buf told = model_feed(&od_reader_keras_summary, od_view_of(rows[_i].text));
    ck_assert_str_eq(od_buf_str(&told), rows[_i].told);
    od_buf_done(&told);
}
END_TEST

/* Wherever the text is cut at its beginning or end, nothing is invented. */
START_TEST(survives_cuts)
{
    const char *wrong = model_feed_cuts(&od_reader_keras_summary, od_view_of(rows[_i].text));
    ck_assert_msg(!wrong, "%s", wrong);
}
END_TEST

Suite *od_keras_summary_suite(void)
{
    return model_feed_suite("keras_summary", reads_tables, survives_cuts, (int)OD_COUNT_OF(rows));
}
