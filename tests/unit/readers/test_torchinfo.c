/* torchinfo's tree: all columns, names of variables, plain letters, weights, torch-summary. */
#include "base/num.h"
#include "tests/unit/readers/model_feed.h"
#include "tests/unit/readers/suites.h"

extern const struct od_reader od_reader_torchinfo;

struct row {
    const char *text;
    const char *told;
};

static const char all_columns[] =
    "===================================================================================="
    "===================================================================================="
    "============\n"
    "Layer (type (var_name):depth-idx)                       Kernel Shape              In"
    "put Shape               Output Shape              Param #                   Param % "
    "                  Mult-Adds                 Trainable\n"
    "===================================================================================="
    "===================================================================================="
    "============\n"
    "Detector (Detector)                                     --                        [4"
    ", 3, 40, 40]            [4, 6]                    12                            0.10"
    "%                   --                        Partial\n"
    "├─Stem (stem)                                           --                        [4"
    ", 3, 40, 40]            [4, 8, 20, 20]            --                             -- "
    "                    --                        False\n"
    "│    └─Conv2d (conv)                                    [3, 3]                    [4"
    ", 3, 40, 40]            [4, 8, 20, 20]            (216)                          1.8"
    "%                   345,600                   False\n"
    "│    └─Hardswish (act)                                  --                        [4"
    ", 8, 20, 20]            [4, 8, 20, 20]            --                             -- "
    "                    --                        --\n"
    "├─Linear (head)                                         --                        [4"
    ", 8]                    [4, 6]                    54                             0.4"
    "%                   216                       True\n"
    "├─Linear (head)                                         --                        [4"
    ", 8]                    [4, 6]                    (recursive)               (recursi"
    "ve)                216                       True\n"
    "===================================================================================="
    "===================================================================================="
    "============\n"
    "Total params: 282\n"
    "Trainable params: 66\n"
    "Non-trainable params: 216\n"
    "Total mult-adds (Units.MEGABYTES): 0.35\n"
    "===================================================================================="
    "===================================================================================="
    "============\n"
    "Input size (MB): 0.08\n"
    "Forward/backward pass size (MB): 0.20\n"
    "Params size (MB): 0.00\n"
    "Estimated Total Size (MB): 0.28\n"
    "===================================================================================="
    "===================================================================================="
    "============\n";

static const char plain_letters[] =
    "======================================================================\n"
    "Layer (type:depth-idx)        Output Shape        Param #\n"
    "======================================================================\n"
    "Tagger                        [2, 30, 9]          --\n"
    "+ Embedding: 1-1              [2, 30, 16]         8,000\n"
    "|    + weight                                     +-8,000\n"
    "+ LSTM: 1-2                   [2, 30, 24]         4,032\n"
    "+ Sequential: 1-3             [2, 30, 9]          --\n"
    "|    + Dropout: 2-1           [2, 30, 24]         --\n"
    "|    + Linear: 2-2            [2, 30, 9]          225\n"
    "======================================================================\n"
    "Total params: 12,257\n"
    "Trainable params: 12,257\n"
    "Non-trainable params: 0\n"
    "======================================================================\n";

static const char torch_summary[] =
    "===================================================================================="
    "======\n"
    "Layer (type:depth-idx)                   Output Shape              Param #\n"
    "===================================================================================="
    "======\n"
    "├─Conv2d: 1-1                            [-1, 10, 24, 24]          260\n"
    "|    └─weight                            --                        ├─250\n"
    "|    └─bias                              --                        └─10\n"
    "├─Dropout2d: 1-2                         [-1, 10, 12, 12]          --\n"
    "├─ModuleList: 1                          []                        --\n"
    "|    └─Linear: 2-1                       [-1, 4]                   5,764\n"
    "===================================================================================="
    "======\n"
    "Total params: 6,024\n"
    "Trainable params: 6,024\n"
    "Non-trainable params: 0\n"
    "Total mult-adds (M): 0.15\n"
    "===================================================================================="
    "======\n";

static const char no_depths[] =
    "=================================================================\n"
    "Layer (type)                             Output Shape              Param #\n"
    "=================================================================\n"
    "Net                                      [7, 3]                    --\n"
    "├─Linear                                 [7, 12]                   156\n"
    "├─ReLU6                                  [7, 12]                   --\n"
    "├─Linear                                 [7, 3]                    39\n"
    "=================================================================\n"
    "Total params: 195\n"
    "Trainable params: 195\n"
    "Non-trainable params: 0\n"
    "=================================================================\n";

static const struct row rows[] = {
    /* all columns, names of variables, frozen and shared modules */
    {all_columns, "torchinfo Detector @2+19 complete p=282 t=66 n=216 batch=4\n"
                  "Detector:Detector container <-[4,3,40,40] [4,6] p=12\n"
                  ".stem:Stem container <-[4,3,40,40] [4,8,20,20] t=0\n"
                  "..conv:Conv2d conv <-[4,3,40,40] [4,8,20,20] p=216 t=0 k[3,3]\n"
                  "..act:Hardswish smooth <-[4,8,20,20] [4,8,20,20]\n"
                  ".head:Linear linear <-[4,8] [4,6] p=54\n"
                  ".head:Linear linear <-[4,8] [4,6] recursive\n"},
    /* without Unicode */
    {plain_letters, "torchinfo Tagger @2+14 complete p=12257 t=12257 n=0 batch=2\n"
                    "Tagger:Tagger container [2,30,9]\n"
                    ".Embedding: 1-1:Embedding embedding [2,30,16] p=8000\n"
                    ".LSTM: 1-2:LSTM recurrent [2,30,24] p=4032\n"
                    ".Sequential: 1-3:Sequential container [2,30,9]\n"
                    "..Dropout: 2-1:Dropout dropout [2,30,24]\n"
                    "..Linear: 2-2:Linear linear [2,30,9] p=225\n"},
    /* the forerunner: no root, weights below their module */
    {torch_summary, "torchinfo  @2+14 complete p=6024 t=6024 n=0\n"
                    ".Conv2d: 1-1:Conv2d conv [?,10,24,24] p=260\n"
                    ".Dropout2d: 1-2:Dropout2d dropout [?,10,12,12]\n"
                    ".ModuleList: 1:ModuleList container []\n"
                    "..Linear: 2-1:Linear linear [?,4] p=5764\n"},
    /* row_settings without depths */
    {no_depths, "torchinfo Net @2+11 complete p=195 t=195 n=0 batch=7\n"
                "Net:Net container [7,3]\n"
                ".Linear:Linear linear [7,12] p=156\n"
                ".ReLU6:ReLU6 relu6 [7,12]\n"
                ".Linear:Linear linear [7,3] p=39\n"},
    /* Keras */
    {"Layer (type)                 Output Shape              Param #\n"
     "=================================================================\n"
     "lstm_4 (LSTM)                (None, 11)                968\n"
     "=================================================================\n"
     "Total params: 968\n",
     ""},
    /* torchsummary */
    {"        Layer (type)               Output Shape         Param #\n"
     "================================================================\n"
     "            Conv2d-1           [16, 12, 30, 30]             336\n"
     "              ReLU-2           [16, 12, 30, 30]               0\n"
     "================================================================\n"
     "Total params: 336\n",
     ""},
    /* prose */
    {"Layer (type:depth-idx)  Output Shape  Param #\n"
     "is what torchinfo prints.\n",
     ""},
};

START_TEST(reads_tables)
{
    struct od_buf told = model_feed(&od_reader_torchinfo, od_view_of(rows[_i].text));
    ck_assert_str_eq(od_buf_str(&told), rows[_i].told);
    od_buf_done(&told);
}
END_TEST

/* Wherever the text is cut at its beginning or end, nothing is invented. */
START_TEST(survives_cuts)
{
    const char *wrong = model_feed_cuts(&od_reader_torchinfo, od_view_of(rows[_i].text));
    ck_assert_msg(!wrong, "%s", wrong);
}
END_TEST

Suite *od_torchinfo_suite(void)
{
    return model_feed_suite("torchinfo", reads_tables, survives_cuts, (int)OD_COUNT_OF(rows));
}
