/* Lightning's table of modules: rounded counts, sizes, nesting. */
#include "base/num.h"
#include "tests/unit/readers/model_feed.h"
#include "tests/unit/readers/suites.h"

extern const struct od_reader od_reader_lightning_table;

struct row {
    const char *text;
    const char *told;
};

static const char sizes[] =
    "2031-02-03 INFO starting\n"
    "  | Name             | Type             | Params | Mode  | FLOPs | In sizes       | "
    "Out sizes\n"
    "------------------------------------------------------------------------------------"
    "---------\n"
    "0 | net              | GraphNet         | 11.2 M | train | 0     | [2, 3, 64, 64] | "
    "[[2, 9], [2, 1]]\n"
    "1 | net.stem         | Conv2d           | 840    | train | 0     | [2, 3, 64, 64] | "
    "[2, 9, 64, 64]\n"
    "2 | net.stem.weight  | Parameter        | ?      | train | 0     | ?              | "
    "?\n"
    "3 | criterion        | CrossEntropyLoss | 0      | train | 0     | ?              | "
    "?\n"
    "4 | table.embed      | Embedding        | 2.0 B  | eval  | 0     | ?              | "
    "?\n"
    "------------------------------------------------------------------------------------"
    "---------\n"
    "11.2 M    Trainable params\n"
    "2.0 B     Non-trainable params\n"
    "2.0 B     Total params\n"
    "8,044.755 Total estimated model params size (MB)\n"
    "12        Modules in train mode\n"
    "1         Modules in eval mode\n"
    "0         Total Flops\n"
    "Epoch 0:   0%|          | 0/10 [00:00<?, ?it/s]\n";

static const char old[] = "\n"
                          "  | Name      | Type       | Params\n"
                          "-----------------------------------------\n"
                          "0 | model     | Sequential | 1.5 K\n"
                          "1 | train_acc | Accuracy   | 0\n"
                          "-----------------------------------------\n"
                          "1.5 K     Trainable params\n"
                          "0         Non-trainable params\n"
                          "1.5 K     Total params\n"
                          "0.006     Total estimated model params size (MB)\n";

static const struct row rows[] = {
    /* Lightning 2.5, two levels */
    {sizes, "lightning  @2+11 complete p=2000000000+-50000000 t=11200000 n=2000000000\n"
            "net:GraphNet container <-[2,3,64,64] [2,9]*2 p=11200000+-50000\n"
            ".net.stem:Conv2d conv <-[2,3,64,64] [2,9,64,64] p=840\n"
            "..net.stem.weight:Parameter other\n"
            "criterion:CrossEntropyLoss loss p=0\n"
            "table.embed:Embedding embedding p=2000000000+-50000000\n"},
    /* before 2.0 */
    {old, "lightning  @2+9 complete p=1500+-50 t=1500 n=0 bytes=6000\n"
          "model:Sequential container p=1500+-50\n"
          "train_acc:Accuracy other p=0\n"},
    /* other tables with a name: no numbers of rows */
    {"| Name | Type | Params |\n"
     "|------|------|--------|\n"
     "| a | b | 3 M |\n",
     ""},
    /* no types */
    {"  | Name | Size | Params\n"
     "--------\n"
     "0 | a | b | 3 M\n",
     ""},
    /* nvidia-smi */
    {"+----+\n"
     "| GPU  Name        Persistence-M|\n"
     "|   0  Tesla       Off |\n",
     ""},
};

START_TEST(reads_tables)
{
    struct od_buf told = model_feed(&od_reader_lightning_table, od_view_of(rows[_i].text));
    ck_assert_str_eq(od_buf_str(&told), rows[_i].told);
    od_buf_done(&told);
}
END_TEST

/* Wherever the text is cut at its beginning or end, nothing is invented. */
START_TEST(survives_cuts)
{
    const char *wrong = model_feed_cuts(&od_reader_lightning_table, od_view_of(rows[_i].text));
    ck_assert_msg(!wrong, "%s", wrong);
}
END_TEST

Suite *od_lightning_table_suite(void)
{
    return model_feed_suite("lightning_table", reads_tables, survives_cuts, (int)OD_COUNT_OF(rows));
}
