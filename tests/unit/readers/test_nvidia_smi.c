/* nvidia-smi's tables of several drivers. */
#include "base/num.h"
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_nvidia_smi;

static const struct {
    const char *text;
    const char *heard;
} tables[] = {
    /* -q */
    {"GPU 00000000:07:00.0\n    FB Memory Usage\n        Total                             : 4096 "
     "MiB\n"
     "        Reserved                          : 100 MiB\n"
     "        Used                              : 1024 MiB\n"
     "        Free                              : 2972 MiB\n    BAR1 Memory Usage\n"
     "        Total                             : 256 MiB\n"
     "        Used                              : 5 MiB\n",
     "sample@5 capacity=4294967296 in_use=1073741824 group=00000000:07:00.0\n"},
    /* 470: two devices, processes with instances */
    {"Tue Mar  5 09:12:33 2024       \n"
     "| NVIDIA-SMI 470.57.02    Driver Version: 470.57.02    CUDA Version: 11.4     |\n"
     "|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |\n"
     "| N/A   41C    P0    26W /  70W |   1024MiB / 15109MiB |     12%      Default |\n"
     "|                               |                      |                  N/A |\n"
     "|   1  Tesla T4            Off  | 00000000:00:05.0 Off |                    0 |\n"
     "| N/A   41C    P0    26W /  70W |      3MiB / 15109MiB |      0%      Default |\n"
     "| Processes:                                                                  |\n"
     "|    0   N/A  N/A      9120      C   python train.py                  1018MiB |\n"
     "|    1   N/A  N/A      1201      G   /usr/lib/xorg/Xorg                  3MiB |\n"
     "Tue Mar  5 09:13:33 2024       \n"
     "| NVIDIA-SMI 470.57.02    Driver Version: 470.57.02    CUDA Version: 11.4     |\n"
     "|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |\n"
     "| N/A   41C    P0    26W /  70W |   2048MiB / 15109MiB |     12%      Default |\n",
     "sample@4 capacity=15842934784 in_use=1073741824 elapsed=0 device=0\n"
     "sample@7 capacity=15842934784 in_use=3145728 elapsed=0 device=1\n"
     "sample@9 in_use=1067450368 pid=9120 elapsed=0 device=0 process=python train.py\n"
     "sample@10 in_use=3145728 pid=1201 elapsed=0 device=1 process=/usr/lib/xorg/Xorg\n"
     "sample@14 capacity=15842934784 in_use=2147483648 elapsed=60 device=0\n"},
    /* 384: bus ids of four digits, a fan, processes without instances */
    {"| NVIDIA-SMI 384.130                Driver Version: 384.130                   |\n"
     "|   0  GeForce GTX 970     Off  | 0000:02:00.0      On |                  N/A |\n"
     "| 30%   38C    P8    11W / 160W |    512MiB /  4036MiB |      0%      Default |\n"
     "| Processes:                                                       GPU Memory |\n"
     "|  GPU       PID   Type   Process name                             Usage      |\n"
     "|    0      1201    C+G   python                                      400MiB |\n",
     "sample@3 capacity=4232052736 in_use=536870912 device=0\n"
     "sample@6 in_use=419430400 pid=1201 device=0 process=python\n"},
    /* 304: MB, and no type */
    {"| NVIDIA-SMI 4.304.88   Driver Version: 304.88         |\n"
     "|   0  Tesla K20m               | 0000:02:00.0     Off |                    0 |\n"
     "| N/A   33C  P8    17W / 225W   |   11MB /  4799MB     |      0%      Default |\n"
     "| Processes:                                                       GPU Memory |\n"
     "|    0      4410  ./solver                                              8MB  |\n",
     "sample@3 capacity=5032116224 in_use=11534336 device=0\n"
     "sample@5 in_use=8388608 pid=4410 device=0 process=./solver\n"},
    /* nvitop */
    {"\xe2\x94\x82   0  Tesla T4            Off  \xe2\x94\x82 00000000:00:04.0 Off \xe2\x94\x82"
     "                    0 \xe2\x94\x82\n"
     "\xe2\x94\x82 N/A   41C    P0    26W /  70W \xe2\x94\x82   1024MiB / 15109MiB \xe2\x94\x82"
     "     12%      Default \xe2\x94\x82\n",
     "sample@2 capacity=15842934784 in_use=1073741824 device=0\n"},
    /* MIG: instances are not the device; the number in the next line is the BAR's */
    {"|   0  NVIDIA A100-SXM...  On   | 00000000:07:00.0 Off |                   On |\n"
     "| N/A   31C    P0    44W / 400W |     45MiB / 40536MiB |     N/A      Default |\n"
     "|                               |                      |              Enabled |\n"
     "| MIG devices:                                                                |\n"
     "|  0    7   0   0  |     13MiB /  4864MiB | 14      0 |  1   0    0    0    0 |\n"
     "|                  |      0MiB /  8191MiB |           |                       |\n"
     "| Processes:                                                                  |\n"
     "|    0    7    0      9120      C   python                             10MiB |\n",
     "sample@2 capacity=42505076736 in_use=47185920 device=0\n"
     "sample@5 capacity=5100273664 in_use=13631488 device=0 process=MIG 7/0\n"
     "sample@8 in_use=10485760 pid=9120 device=0 process=python\n"},
    /* what a device does not tell, and rows of other tables */
    {"|   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |\n"
     "| N/A   41C    P0    26W /  70W |         N/A / N/A    |     12%      Default |\n"
     "| Processes:                                                                  |\n"
     "|    0   N/A  N/A      9120      C   python                               N/A |\n",
     ""},
    /* a single searched line: the device is not named */
    {"| N/A   41C    P0    26W /  70W |   1024MiB / 15109MiB |     12%      Default |\n"
     "| name | size   |\n| x | 512 MB |\n| 3 | 4 | 512 MB |\n|    0   N/A  N/A   9120  C  a  5MiB "
     "|\n",
     "sample@1 capacity=15842934784 in_use=1073741824\n"},
};

START_TEST(a_table_is_measurements)
{
    struct listener l;
    listen_begin(&l, &od_reader_nvidia_smi);
    listen_text(&l, 1, tables[_i].text);
    ck_assert_str_eq(listen_end(&l), tables[_i].heard);
    listen_done(&l);
}
END_TEST

Suite *od_nvidia_smi_suite(void)
{
    return od_suite_loop("nvidia_smi", a_table_is_measurements, (int)OD_COUNT_OF(tables));
}
