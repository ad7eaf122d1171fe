/* Tables of the system's tools, in their own columns. */
#include "base/num.h"
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_tables;

static const struct {
    const char *text;
    const char *heard;
} tables[] = {
    {"USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n"
     "eve         9120  101 30.1 51234568 19812344 pts/0 Rl+ 10:01  12:01 python train.py --b 8\n"
     "root           1  0.0  0.0 168124  9120 ?        Ss   Mar01   0:11 /sbin/init\n",
     "sample@2 rss=20287840256 virtual=52464197632 pid=9120 process=python train.py --b 8\n"},
    /* pidstat -h */
    {"# Time        UID       PID  minflt/s  majflt/s     VSZ     RSS   %MEM  Command\n"
     "10:11:05      1000      9120      0.00      0.00 51234568 19812344  30.10  python\n",
     "sample@2 rss=20287840256 virtual=52464197632 pid=9120 elapsed=0 process=python\n"},
    /* an average after rows with a time */
    {"10:11:01 UID PID minflt/s majflt/s VSZ RSS %MEM Command\n"
     "10:11:02 0 534 1.0 0.0 91268 65536 0.14 python\n"
     "10:11:04 0 534 1.0 0.0 91268 66560 0.15 python\n"
     "Average: 0 534 1.0 0.0 91268 66048 0.15 python\n",
     "sample@2 rss=67108864 virtual=93458432 pid=534 elapsed=0 process=python\n"
     "sample@3 rss=68157440 virtual=93458432 pid=534 elapsed=2 process=python\n"},
    {"10:11:01  memtotal memfree buffers cached dirty slabmem  swptotal swpfree _mem_\n"
     "10:11:02    24105M  15364M    305M  6493M   77M   1410M        0M      0M\n",
     "sample@2 free=16110321664 elapsed=0\n"},
    {"Thu Jul 30 15:58:53 UTC 2020 root 5494 0.0 12.8 1137912 1050980 ? Sl May06 107:20 a -b\n",
     "sample@1 rss=1076203520 virtual=1165221888 pid=5494 process=a -b\n"},
    {" S0C    S1C    OC         OU       YGC     GCT\n1024.0 1024.0 4096.0     2048.0      3  "
     "0.1\n",
     "sample@2 rss=2097152 process=heap\n"},
    {"  S0     S1     E      O      M     YGC     GCT\n 0.00  0.00  93.17  12.50  19.47      0  "
     "0.1\n",
     "sample@2 share=0.125 process=heap\n"},
    {"  n        time(i)         total(B)   useful-heap(B) extra-heap(B)    stacks(B)\n"
     "---------------------------------------------------------------------------\n"
     "  1        134,179        1,000,008        1,000,000             8            0\n",
     "sample@3 in_use=1000008 process=heap\n"},
    /* vmstat after a time that a wrapper prints */
    {" r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
     "18:16:32  2  0      0 1239212 412012 11982212    0    0    10    12  112  213 12  1 86  0  "
     "0\n",
     "sample@2 free=1268953088\n"},
    {"  PID   RSS CMD\n 9120 19812348 python train.py\n",
     "sample@2 rss=20287844352 pid=9120 process=python train.py\n"},
    {"    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n"
     "   9120 eve       20   0   48.0g   2.0g 412312 R 101.3  30.1  12:01.12 python\n"
     "   9121 eve       20   0   20.0g 1981232 412312 S   3.0   3.1   0:01.12 python\n",
     "sample@2 rss=2147483648 virtual=51539607552 pid=9120 process=python\n"
     "sample@3 rss=2028781568 virtual=21474836480 pid=9121 process=python\n"},
    /* free: the whole tells the unit, or it does not */
    {"              total        used        free      shared  buff/cache   available\n"
     "Mem:       65752412    52244512     1239212      412012    12268688    12839120\n"
     "Swap:       8388604           0     8388604\n",
     "sample@2 capacity=67330469888 in_use=53498380288 free=13147258880\n"},
    {"              total        used        free\nMem:          64212       51020        1210\n",
     "sample@2 capacity=67331162112 in_use=53498347520\n"},
    {"              total        used        free\nMem:             62          49          13\n",
     "sample@2 capacity=66571993088 in_use=52613349376\n"},
    {"              total        used        free\nMem:           4096        1024        3072\n",
     ""},
    {"               total        used        free      shared  buff/cache   available\n"
     "Mem:            62Gi        49Gi       1.2Gi       412Mi        11Gi        12Gi\n",
     "sample@2 capacity=66571993088 in_use=52613349376 free=12884901888\n"},
    {" r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
     " 2  0      0 1239212 412012 11982212    0    0    10    12  112  213 12  1 86  0  0\n",
     "sample@2 free=1268953088\n"},
    {" r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
     " 2  0      0   1210    402  11702    0    0    10    12  112  213 12  1 86  0  0\n",
     "sample@2 free=1268776960\n"}, /* no machine has 13 MiB */
    {" r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
     " 2  0      0    210    402   1702    0    0    10    12  112  213 12  1 86  0  0\n",
     ""},
    {"10:12:01    kbmemfree   kbavail kbmemused  %memused kbbuffers\n"
     "10:12:02      1239212  12839120  52244512     79.45    412012\n"
     "10:12:12      1139212  12739120  52344512     79.61    412012\n",
     "sample@2 in_use=53498380288 free=13147258880 elapsed=0\n"
     "sample@3 in_use=53600780288 free=13044858880 elapsed=10\n"},
    {"# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk    fb  bar1\n"
     "# Idx     W     C     C     %     %     %     %   MHz   MHz    MB    MB\n"
     "    0   210    62     -    88    40     0     0  5001  1590  1024     5\n"
     "    1   210    62     -    88    40     0     0  5001  1590  2048     5\n",
     "sample@3 in_use=1073741824 device=0\nsample@4 in_use=2147483648 device=1\n"},
    {"# gpu        pid  type    fb   command\n# Idx          #   C/G    MB   name\n"
     "    0       9120     C  1024   python\n    0          -     -     -   -\n",
     "sample@3 in_use=1073741824 pid=9120 device=0 process=python\n"},
    {"#Date       Time        gpu   pwr    fb  bar1\n#YYYYMMDD   HH:MM:SS    Idx     W    MB    "
     "MB\n"
     " 20240502   10:11:00      1   210  1024     5\n"
     " 20240502   10:11:05      1   210  2048     5\n",
     "sample@3 in_use=1073741824 elapsed=0 device=1\n"
     "sample@4 in_use=2147483648 elapsed=5 device=1\n"},
    {"12:59:55 PM kbmemfree   kbavail kbmemused  %memused\n"
     "12:59:58 PM   1239212  12839120  52244512     79.45\n"
     "01:00:08 PM   1139212  12739120  52344512     79.61\n",
     "sample@2 in_use=53498380288 free=13147258880 elapsed=0\n"
     "sample@3 in_use=53600780288 free=13044858880 elapsed=10\n"},
    /* columns after a command of several words */
    {"  PID User     Command                         Swap      USS      PSS      RSS \n"
     " 9120 eve      python train.py --b 8              0  1024000  1024001  1048576 \n",
     "sample@2 rss=1073741824 pid=9120 process=python train.py --b 8\n"},
    {"   RSS CMD\n 1048576 python\n", "sample@2 rss=1073741824 process=python\n"},
    {"# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n"
     "       1.000      100.000     1024.000     2048.000\n",
     "sample@2 rss=1073741824 virtual=2147483648 elapsed=0\n"},
    /* pidstat in a loop: its times go on from the first table */
    {"10:11:12      UID       PID     VSZ     RSS   %MEM  Command\n"
     "10:11:22     1000      9120 3124412 1048576  5.10  python\n\n"
     "10:11:22      UID       PID     VSZ     RSS   %MEM  Command\n"
     "10:11:32     1000      9120 3124412 2097152  5.10  python\n",
     "sample@2 rss=1073741824 virtual=3199397888 pid=9120 elapsed=0 process=python\n"
     "sample@5 rss=2147483648 virtual=3199397888 pid=9120 elapsed=10 process=python\n"},
    {"------memory-usage-----\n used  free  buff  cach\n2048M 40.1G  402M 11.4G\n",
     "sample@3 in_use=2147483648\n"},
    /* groups of processes: a heading of two words above one, what holds little left out */
    {"Control Group                 Tasks   %CPU   Memory  Input/s Output/s\n"
     "/                               412  101.2     2.0G        -        -\n"
     "system.slice/docker-4f1c.scope    9   98.1     1.0G        -        -\n"
     "system.slice/cron.service         1      -     1.1M        -        -\n",
     "sample@2 in_use=2147483648 group=/\n"
     "sample@3 in_use=1073741824 group=system.slice/docker-4f1c.scope\n"},
    {"CGroup       Tasks   %CPU     Memory  Input/s Output/s\n"
     "user.slice     412  101.2 2147483648        -        -\n",
     "sample@2 in_use=2147483648 group=user.slice\n"},
    {"PID\tMEM\tCOMMAND\n9120\t2.0GiB\tray::IDLE\n9121\t1.0GiB\tray::train step()\n",
     "sample@2 rss=2147483648 pid=9120 process=ray::IDLE\n"
     "sample@3 rss=1073741824 pid=9121 process=ray::train step()\n"},
    {"PID\tMEM(GB)\tCOMMAND\n9120\t2.00\tray::f\n",
     "sample@2 rss=2147483648 pid=9120 process=ray::f\n"},
    {"time    PID  rss    pss     uss\n------  ----  -----  ------  ------\n 86396  9120  2.0G   "
     "793.4M  307.7M\n",
     "sample@3 rss=2147483648 pid=9120\n"},
    /* what ps was asked for; mongostat; ps_mem */
    {"$ while :; do ps -eo pid,rss,time,args | grep tool; sleep 10; done\n"
     "  920 1048576 00:00:01 ./tool -d\n",
     "sample@2 rss=1073741824 pid=920 process=./tool -d\n"},
    {"insert dirty  used flushes vsize  res qrw                time\n"
     "    *0  0.1% 40.0%       0 12.0G 1.00G 0|0 Nov  2 10:11:02.131\n",
     "sample@2 rss=1073741824 virtual=12884901888 process=mongod\n"},
    {" Private  +   Shared  =  RAM used\tProgram\n\n"
     "500.0 MiB +  12.0 MiB = 512.0 MiB\tphp-fpm (12)\n",
     "sample@3 rss=536870912 process=php-fpm (12)\n"},
    /* free in German: its numbers tell which they are */
    {"Speicher:      65752412    52244512     1239212      412012    12268688    12839120\n",
     "sample@1 capacity=67330469888 in_use=53498380288 free=13147258880\n"},
    /* rows alone */
    {"eve   9120  101 30.1 51234568 1048576 pts/0 Rl+ 10:01 12:01 python train.py\n"
     "eve   9120  101 30.1 51234568 2097152 pts/0 Rl+ 10:01 12:02 python train.py\n",
     "sample@1 rss=1073741824 virtual=52464197632 pid=9120 process=python train.py\n"
     "sample@2 rss=2147483648 virtual=52464197632 pid=9120 process=python train.py\n"},
    {"   9120 eve       20   0   48.0g   2.0g 412312 R 101.3  30.1  12:01.12 python\n",
     "sample@1 rss=2147483648 virtual=51539607552 pid=9120 process=python\n"},
    {"Mem:       65752412    52244512     1239212      412012    12268688    12839120\n",
     "sample@1 capacity=67330469888 in_use=53498380288 free=13147258880\n"},
    /* what is used is all but what is available */
    {"Sep 23 01:53:44 Mem:  65752412    52244512     9239212      412012    12268688    12839120\n",
     "sample@1 capacity=67330469888 in_use=53498380288 free=13147258880\n"},
    {"Mem:       65752412    42244512     9239212      412012    22268688    12839120\n", ""},
    /* Slurm: cells may be empty */
    {"       JobID    JobName      State     MaxRSS \n"
     "------------ ---------- ---------- ---------- \n"
     "812            train.sh    RUNNING            \n"
     "812.0            python    RUNNING  22345678K \n",
     "sample@4 peak=22881974272 group=812.0\n"},
    /* a pasted row may be a column off */
    {"JobID            MaxRSS\n------------ ----------\n812.0          22345678K\n",
     "sample@3 peak=22881974272 group=812.0\n"},
    {"       JobID     MaxRSS \n812.0       22345678K \n", ""},
    /* cut short, and headings of other things */
    {"  PID   RSS CMD\n 9120 1981\n 9120", ""},
    {"the PID and the RSS of it\nand so on and on\n", ""},
    {"total used free\nSwap: 5 6 7\n", ""},
};

START_TEST(a_table_is_measurements)
{
    struct listener l;
    listen_begin(&l, &od_reader_tables);
    listen_text(&l, 1, tables[_i].text);
    ck_assert_str_eq(listen_end(&l), tables[_i].heard);
    listen_done(&l);
}
END_TEST

Suite *od_tables_of_tools_suite(void)
{
    return od_suite_loop("tables_of_tools", a_table_is_measurements, (int)OD_COUNT_OF(tables));
}
