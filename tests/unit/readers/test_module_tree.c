/* Printed PyTorch modules: arguments, repeated blocks, parameter counts after modules. */
#include "base/num.h"
#include "tests/unit/readers/model_feed.h"
#include "tests/unit/readers/suites.h"

extern const struct od_reader od_reader_module_tree;

struct row {
    const char *text;
    const char *told;
};

static const char speech[] =
    "INFO model: SpeechNet(\n"
    "  (front): Sequential(\n"
    "    (0): Conv2d(1, 24, kernel_size=(5, 3), stride=(2, 1), padding=(2, 1), groups=1, "
    "bias=False)\n"
    "    (1): BatchNorm2d(24, eps=1e-05, momentum=0.1, affine=True, track_running_stats=T"
    "rue)\n"
    "    (2): ReLU(inplace)\n"
    "    (3): MaxPool2d(kernel_size=3, stride=2, padding=1, dilation=1, ceil_mode=False)\n"
    "    (4): GroupNorm(6, 24, eps=1e-05, affine=True)\n"
    "  )\n"
    "  (tokens): Embedding(5000, 96, padding_idx=0)\n"
    "  (rnn): LSTM(96, 128, num_layers=2, batch_first=True, dropout=0.25, bidirectional=T"
    "rue)\n"
    "  (blocks): ModuleList(\n"
    "    (0-5): 6 x Block(\n"
    "      (norm): Qwen9RMSNorm((96,), eps=1e-06)\n"
    "      (mix): MultiheadAttention(\n"
    "        (out_proj): NonDynamicallyQuantizableLinear(in_features=96, out_features=96,"
    " bias=True)\n"
    "      )\n"
    "      (c_fc): Conv1D(nf=384, nx=96)\n"
    "      (act): QuickGELUActivation()\n"
    "      (drop): Dropout(p=0.15, inplace=True)\n"
    "      (post): LayerNormAct2d(\n"
    "        (96,), eps=1e-06, elementwise_affine=True\n"
    "        (act): GELU(approximate='none')\n"
    "      )\n"
    "    )\n"
    "  )\n"
    "  (head): Linear(in_features=96, out_features=5000, bias=False)\n"
    ")\n";

static const char counted[] =
    "TinyNet(\n"
    "  (enc): Encoder(\n"
    "    (q): Linear(in_features=8, out_features=8, bias=True), 72 params\n"
    "    (d): Dropout(p=0.2, inplace=False), 0 params\n"
    "  ), 80 params\n"
    "  (out): Linear(in_features=8, out_features=2, bias=True), 18 params\n"
    "), 98 params\n"
    "=======================================================================\n"
    "Total params: 90\n"
    "Trainable params: 90\n"
    "Non-trainable params: 0\n"
    "-----------------------------------------------------------------------\n";

static const char rootless[] = "Thing(\n"
                               "  (a): Linear(in_features=2, out_features=3, bias=True)\n"
                               "  some words, \"3\" numbers\n"
                               "  (b): Wrapper(\n"
                               "    (c): Tanh()\n"
                               "  )\n"
                               ")\n"
                               "  (d): Linear(in_features=3, out_features=3, bias=True)\n";

static const char with_profile[] =
    "FooModel(\n"
    "  12.3 M = 100% Params, 4.56 GMACs = 100% MACs\n"
    "  (att): BarAttention(\n"
    "    1.2 M = 10% Params, 0.3 GMACs\n"
    "    (key): Linear(590.6 K = 5% Params, in_features=32, out_features=64, bias=False)\n"
    "  )\n"
    ")\n";

static const struct row rows[] = {
    /* arguments of all sorts, repeated blocks, a module that has children and arguments */
    {speech, "module_tree SpeechNet @1+27 complete\n"
             ":SpeechNet container\n"
             ".front:Sequential container\n"
             "..0:Conv2d conv in=1 out=24 k[5,3] s[2,1] g=1 nobias\n"
             "..1:BatchNorm2d batch_norm out=24\n"
             "..2:ReLU relu inplace\n"
             "..3:MaxPool2d max_pool k[3] s[2]\n"
             "..4:GroupNorm norm out=24 g=6\n"
             ".tokens:Embedding embedding in=5000 out=96 pad=0\n"
             ".rnn:LSTM recurrent in=96 out=128 num=2 both drop=0.25\n"
             ".blocks:ModuleList container\n"
             "..0-5:Block container x6\n"
             "...norm:Qwen9RMSNorm norm k[96]\n"
             "...mix:MultiheadAttention attention\n"
             "....out_proj:NonDynamicallyQuantizableLinear linear in=96 out=96 bias\n"
             "...c_fc:Conv1D linear in=96 out=384\n"
             "...act:QuickGELUActivation smooth\n"
             "...drop:Dropout dropout drop=0.15 inplace\n"
             "...post:LayerNormAct2d norm k[96]\n"
             "....act:GELU smooth\n"
             ".head:Linear linear in=96 out=5000 nobias\n"},
    /* pytorch_model_summary; totals that disagree are not believed */
    {counted, "module_tree TinyNet @1+12 complete p=98\n"
              ":TinyNet container p=98\n"
              ".enc:Encoder container p=80\n"
              "..q:Linear linear p=72 in=8 out=8 bias\n"
              "..d:Dropout dropout p=0 drop=0.2\n"
              ".out:Linear linear p=18 in=8 out=2 bias\n"},
    /* first seen at its first child; a line of another program; nothing after the end */
    {rootless, "module_tree  @2+6\n"
               "a:Linear linear in=2 out=3 bias\n"
               "b:Wrapper container\n"
               ".c:Tanh tanh\n"},
    /* numbers of a profiler among the arguments */
    {with_profile, "module_tree FooModel @1+7 complete\n"
                   ":FooModel container\n"
                   ".att:BarAttention container\n"
                   "..key:Linear linear in=32 out=64 nobias\n"},
    /* code */
    {"    model = nn.Sequential(\n"
     "        nn.Linear(2, 3),\n"
     "        (a): b\n"
     "    )\n",
     ""},
    /* a traceback */
    {"  File \"x.py\", line 3, in Net\n"
     "    return Model(\n"
     "TypeError: (x): bad (y)\n",
     ""},
    /* lists */
    {"  (1): first point\n"
     "  (2): second point\n",
     ""},
    /* a call */
    {"Trainer(\n"
     "  (lr=0.1)\n"
     ")\n",
     ""},
};

START_TEST(reads_tables)
{
    struct od_buf told = model_feed(&od_reader_module_tree, od_view_of(rows[_i].text));
    ck_assert_str_eq(od_buf_str(&told), rows[_i].told);
    od_buf_done(&told);
}
END_TEST

/* Wherever the text is cut at its beginning or end, nothing is invented. */
START_TEST(survives_cuts)
{
    const char *wrong = model_feed_cuts(&od_reader_module_tree, od_view_of(rows[_i].text));
    ck_assert_msg(!wrong, "%s", wrong);
}
END_TEST

Suite *od_module_tree_suite(void)
{
    return model_feed_suite("module_tree", reads_tables, survives_cuts, (int)OD_COUNT_OF(rows));
}
