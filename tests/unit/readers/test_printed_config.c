/* Configurations that programs print. */
#include "base/num.h"
#include "tests/unit/readers/model_feed.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_printed_config;

#define NUMBERS                                                                                 \
    "  \"model_type\": \"gpt2\",\n  \"n_embd\": 640,\n  \"n_head\": 10,\n  \"n_layer\": 10,\n"  \
    "  \"n_positions\": 768,\n  \"task_specific_params\": {\n    \"a\": {\"b\": \"}\"}\n  },\n" \
    "  \"vocab_size\": 30011\n"

static const struct row {
    const char *text;
    const char *told;
} rows[] = {
    {"[INFO|configuration_utils.py:601] >> Model config GPT2Config {\n" NUMBERS "}\n\nnext\n",
     "hf_config gpt2 @1+1 complete\n"},
    {"first\nTinyConfig {\n" NUMBERS "}\n", "hf_config gpt2 @2+1 complete\n"},
    /* another rank prints in between */
    {"Model config GPT2Config {\n@2 step 4 {\n" NUMBERS "}\n", "hf_config gpt2 @1+1 complete\n"},
    /* it lacks a number, is cut, is not JSON, describes what reads images, or opens nothing */
    {"Model config GPT2Config {\n  \"model_type\": \"gpt2\",\n  \"n_layer\": 10\n}\n", ""},
    {"Model config GPT2Config {\n" NUMBERS, ""},
    {"Model config GPT2Config {\n  n_layer: 10\n}\n", ""},
    {"Model config SomeConfig {\n  \"vision_config\": {\n  },\n" NUMBERS "}\n", ""},
    {"class GPT2Config { // of ours\n" NUMBERS "}\n", ""},
    {"Config {\n" NUMBERS "}\n", ""},
};

START_TEST(configurations_are_read)
{
    struct od_buf told = model_feed(&od_reader_printed_config, od_view_of(rows[_i].text));
    ck_assert_str_eq(od_buf_str(&told), rows[_i].told);
    od_buf_done(&told);
}
END_TEST

Suite *od_printed_config_suite(void)
{
    return od_suite_loop("printed config", configurations_are_read, (int)OD_COUNT_OF(rows));
}
