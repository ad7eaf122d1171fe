/* torchsummary's table: with and without a batch, several outputs, further columns. */
#include "base/num.h"
#include "tests/unit/readers/model_feed.h"
#include "tests/unit/readers/suites.h"

extern const struct od_reader od_reader_torchsummary;

struct row {
    const char *text;
    const char *told;
};

static const char batch[] =
    "----------------------------------------------------------------\n"
    "        Layer (type)               Output Shape         Param #\n"
    "================================================================\n"
    "            Conv2d-1           [16, 12, 30, 30]             336\n"
    "         LeakyReLU-2           [16, 12, 30, 30]               0\n"
    "               GRU-3      [[16, 5, 40], [2, 16, 20]]               0\n"
    "   SqueezeAndExcitationBottleneck-4           [16, 12, 30, 30]               0\n"
    "            Conv1D-5                [16, 5, 60]           2,460\n"
    "================================================================\n"
    "Total params: 2,796\n"
    "Trainable params: 2,460\n"
    "Non-trainable params: 336\n"
    "----------------------------------------------------------------\n"
    "Input size (MB): 0.18\n"
    "Forward/backward pass size (MB): 3.11\n"
    "Params size (MB): 0.01\n"
    "Estimated Total Size (MB): 3.30\n"
    "----------------------------------------------------------------\n";

static const char more_columns[] =
    "-------------------------------------------------------------------------------\n"
    "      Layer (type)         Input Shape         Param #     Tr. Param #\n"
    "===============================================================================\n"
    "          Conv2d-1     [1, 1, 28, 28]             260               0\n"
    "          Linear-2           [1, 320]          16,050          16,050\n"
    "===============================================================================\n"
    "Total params: 16,310\n"
    "Trainable params: 16,050\n"
    "Non-trainable params: 260\n"
    "-------------------------------------------------------------------------------\n";

static const char no_batch[] = "----------------------------------------------------------------\n"
                               "        Layer (type)               Output Shape         Param #\n"
                               "================================================================\n"
                               "            Linear-1                   [-1, 50]           1,050\n"
                               "UserWarning: something about (this) [-1, 2] model\n"
                               "              GELU-2                   [-1, 50]               0\n"
                               "            Linear-3                   [-1,\n"
                               "             MLP-4                     [-1, 2]               0\n"
                               "================================================================\n"
                               "Total params: 1,152\n"
                               "Trainable params: 1,152\n"
                               "Non-trainable params: 0\n"
                               "----------------------------------------------------------------\n"
                               "step 1\n";

static const struct row rows[] = {
    /* a batch that was asked for, several outputs, long names */
    {batch, "torchsummary  @2+17 complete p=2796 t=2460 n=336 batch=16\n"
            "Conv2d-1:Conv2d conv [16,12,30,30] p=336\n"
            "LeakyReLU-2:LeakyReLU leaky_relu [16,12,30,30] p=0\n"
            "GRU-3:GRU recurrent [16,5,40]*2 p=0\n"
            "SqueezeAndExcitationBottleneck-4:SqueezeAndExcitationBottleneck other [16,12,30,30] "
            "p=0\n"
            "Conv1D-5:Conv1D linear [16,5,60] p=2460\n"},
    /* pytorch_model_summary */
    {more_columns, "torchsummary  @2+9 complete p=16310 t=16050 n=260 batch=1\n"
                   "Conv2d-1:Conv2d conv <-[1,1,28,28] p=260 t=0\n"
                   "Linear-2:Linear linear <-[1,320] p=16050 t=16050\n"},
    /* interrupted by a warning; a row that is cut */
    {no_batch, "torchsummary  @2+12 complete p=1152 t=1152 n=0 unreadable=1\n"
               "Linear-1:Linear linear [?,50] p=1050\n"
               "GELU-2:GELU smooth [?,50] p=0\n"
               "MLP-4:MLP other [?,2] p=0\n"},
    /* Keras has the same heading */
    {"Layer (type)                 Output Shape              Param #\n"
     "=================================================================\n"
     "lstm_4 (LSTM)                (None, 11)                968\n"
     "=================================================================\n"
     "Total params: 968\n",
     ""},
    /* torchinfo without depths */
    {"Layer (type)                             Output Shape              Param #\n"
     "=================================================================\n"
     "Net                                      [7, 3]                    --\n"
     "├─Linear                                 [7, 12]                   156\n"
     "=================================================================\n"
     "Total params: 156\n",
     ""},
    /* prose */
    {"the columns are Layer (type)   Output Shape   Param #\n"
     "Row-1 says nothing\n",
     ""},
};

START_TEST(reads_tables)
{
    struct od_buf told = model_feed(&od_reader_torchsummary, od_view_of(rows[_i].text));
    ck_assert_str_eq(od_buf_str(&told), rows[_i].told);
    od_buf_done(&told);
}
END_TEST

/* Wherever the text is cut at its beginning or end, nothing is invented. */
START_TEST(survives_cuts)
{
    const char *wrong = model_feed_cuts(&od_reader_torchsummary, od_view_of(rows[_i].text));
    ck_assert_msg(!wrong, "%s", wrong);
}
END_TEST

Suite *od_torchsummary_suite(void)
{
    return model_feed_suite("torchsummary", reads_tables, survives_cuts, (int)OD_COUNT_OF(rows));
}
