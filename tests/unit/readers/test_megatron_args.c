/* Lists of arguments that describe a transformer. */
#include "base/num.h"
#include "tests/unit/readers/model_feed.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_megatron_args;

#define HEAD "------------------------ arguments ------------------------\n"
#define END "-------------------- end of arguments ---------------------\n"
#define NUMBERS                                                 \
    "  hidden_size ..................................... 768\n" \
    "  num_layers ...................................... 10\n"  \
    "  num_attention_heads ............................. 12\n"  \
    "  padded_vocab_size ............................... 50304\n"

static const struct row {
    const char *text;
    const char *told;
} rows[] = {
    {HEAD NUMBERS END, "hf_config gpt2 @1+1 complete\n"},
    {"using world size: 4\n" HEAD "@2 step 3\n" NUMBERS
     "  normalization ................................... LayerNorm\n" END,
     "hf_config gpt2 @2+1 complete\n"},
    /* as GPT-NeoX prints it */
    {HEAD "  hidden_size ..................... 768.........................updated\n"
          "  num_layers ...................... 10..........................updated\n"
          "  num_attention_heads ............. 12..........................updated\n"
          "  padded_vocab_size ............... 50304.......................updated\n"
          "  pos_emb ......................... rotary......................updated\n" END,
     "hf_config gpt_neox @1+1 complete\n"},
    {HEAD NUMBERS "  swiglu .......................................... True\n"
                  "  normalization ................................... RMSNorm\n"
                  "  position_embedding_type ......................... rope\n"
                  "  num_query_groups ................................ 4\n"
                  "  add_bias_linear ................................. False\n" END,
     "hf_config llama @1+1 complete\n"},
    /* blocks of no family, experts, numbers that lack, and a list that is cut */
    {HEAD NUMBERS "  swiglu .......................................... True\n" END, ""},
    {HEAD NUMBERS "  num_experts ..................................... 8\n" END, ""},
    {HEAD "  hidden_size ..................................... 768\n" END, ""},
    {HEAD NUMBERS, ""},
    {NUMBERS END, ""},
};

START_TEST(arguments_are_read)
{
    struct od_buf told = model_feed(&od_reader_megatron_args, od_view_of(rows[_i].text));
    ck_assert_str_eq(od_buf_str(&told), rows[_i].told);
    od_buf_done(&told);
}
END_TEST

Suite *od_megatron_args_suite(void)
{
    return od_suite_loop("megatron args", arguments_are_read, (int)OD_COUNT_OF(rows));
}
