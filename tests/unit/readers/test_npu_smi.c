/* npu-smi: devices, their processes, and rows that are neither. */
#include "base/num.h"
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_npu_smi;

#define NAME(number, name) \
    "| " number "     " name "  | OK   | 97.5        41                0    / 0             |\n"
#define PROCESSES \
    "| NPU     Chip   | Process id    | Process name             | Process memory(MB)      |\n"

static const struct {
    const char *text;
    const char *heard;
} tables[] = {
    {NAME("1", "910B3") "| 0       | 0000:C1:00.0  | 0      0    / 0          1024 / 65536  |\n",
     "sample@2 capacity=68719476736 in_use=1073741824 device=1\n"},
    /* the number among all chips, a blank less */
    {NAME("7", "Ascend910") "| 1     15   | 0000:83:00.0  | 0     0    / 0      1024/ 65536   |\n",
     "sample@2 capacity=68719476736 in_use=1073741824 device=15\n"},
    /* its own memory, where there is no HBM */
    {NAME("0", "310P3") "| 0       | 0000:82:00.0  | 0           1024 / 21527   |\n",
     "sample@2 capacity=22572695552 in_use=1073741824 device=0\n"},
    {PROCESSES "| 2       0     | 331201        | python        | 1024                  |\n"
               "| No running processes found in NPU 3                                |\n"
               "| 4       0     | 331202        | python        | 2048                  |\n",
     "sample@2 in_use=1073741824 pid=331201 device=2 process=python\n"
     "sample@4 in_use=2147483648 pid=331202 device=4 process=python\n"},
    /* a row without the one above it, a table of something else, a cut row */
    {"| 0       | 0000:C1:00.0  | 0           0    / 0          1024 / 65536  |\n", ""},
    {"| 2       0     | 331201        | python        | 1024                  |\n", ""},
    {NAME("1", "910B3") "| 0       | 0000:C1:00.0  | 0           0    / 0        \n", ""},
};

START_TEST(a_table_is_measurements)
{
    struct listener l;
    listen_begin(&l, &od_reader_npu_smi);
    listen_text(&l, 1, tables[_i].text);
    ck_assert_str_eq(listen_end(&l), tables[_i].heard);
    listen_done(&l);
}
END_TEST

Suite *od_npu_smi_suite(void)
{
    return od_suite_loop("npu_smi", a_table_is_measurements, (int)OD_COUNT_OF(tables));
}
