/* Comma-separated values of resource monitors: what their headings say, and when they are none. */
#include "base/buf.h"
#include "base/num.h"
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

extern const struct od_reader od_reader_tables;

static const struct {
    const char *text;
    const char *heard;
} tables[] = {
    {"timestamp, index, memory.used [MiB], memory.total [MiB], utilization.memory [%]\n"
     "2024/05/02 10:11:05.100, 0, 1024 MiB, 4096 MiB, 12 %\n"
     "2024/05/02 10:11:05.100, 1, 2048 MiB, 4096 MiB, 12 %\n"
     "2024/05/02 10:11:10.600, 0, [N/A], 4096 MiB, 12 %\n",
     "sample@2 capacity=4294967296 in_use=1073741824 elapsed=0 device=0\n"
     "sample@3 capacity=4294967296 in_use=2147483648 elapsed=0 device=1\n"
     "sample@4 capacity=4294967296 elapsed=5.5 device=0\n"},
    /* nounits */
    {"memory.used [MiB], memory.free [MiB]\n1024, 2048\n",
     "sample@2 in_use=1073741824 free=2147483648\n"},
    /* devices without a number in the rows: rows of one moment are in the order of the devices */
    {"timestamp, name, memory.used [MiB]\n"
     "2024/05/02 10:11:05.000, Tesla T4, 1024 MiB\n2024/05/02 10:11:05.03125, Tesla T4, 2048 MiB\n"
     "2024/05/02 10:11:06.000, Tesla T4, 1024 MiB\n2024/05/02 10:11:06.03125, Tesla T4, 2048 MiB\n",
     "sample@2 in_use=1073741824 elapsed=0\nsample@3 in_use=2147483648 elapsed=0.03125 device=1\n"
     "sample@4 in_use=1073741824 elapsed=1\nsample@5 in_use=2147483648 elapsed=1.03125 device=1\n"},
    /* rocm-smi */
    {"device,VRAM Total Memory (B),VRAM Total Used Memory (B)\ncard1,68702699520,1073741824\n",
     "sample@2 capacity=68702699520 in_use=1073741824 device=1\n"},
    /* of Weights & Biases: seconds of the run, and one value beside its own bounds */
    {"\"Relative Time (Process)\",\"run - system/gpu.1.memoryAllocatedBytes\","
     "\"run - system/gpu.1.memoryAllocatedBytes__MAX\"\n\"30\",\"1073741824\",\"2147483648\"\n",
     "sample@2 in_use=1073741824 elapsed=0 device=1\n"},
    /* a table between bars */
    {"| iter | allocated (GB) | reserved (GB) |\n|---|---|---|\n| 3 | 1 | 2 |\n",
     "sample@3 in_use=1073741824 reserved=2147483648 step=3\n"},
    /* processes */
    {"gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"
     "GPU-0a1b, 9120, /usr/bin/python, 1024 MiB\n",
     "sample@2 in_use=1073741824 pid=9120 process=/usr/bin/python group=GPU-0a1b\n"},
    /* the echoed command of ps or cat is the heading of each number, alone or after its time */
    {"$ while sleep 9; do echo $(date +%T) $(ps -o rss= -p 4711); done\n10:11:05 1048576\n"
     "10:11:14 2097152\n",
     "sample@2 rss=1073741824\nsample@3 rss=2147483648\n"},
    {"$ cat /sys/fs/cgroup/memory.current\n1073741824\n", "sample@2 in_use=1073741824\n"},
    {"I print memory_get_usage() each time:\n50183840\n91469968\n",
     "sample@2 in_use=50183840\nsample@3 in_use=91469968\n"},
    {"$ cat notes.txt\n1073741824\n", ""},
    /* containers of one pod are two courses */
    {"POD     NAME    CPU(cores)   MEMORY(bytes)\npay-1   app     44m          512Mi\n",
     "sample@2 in_use=536870912 process=app group=pay-1\n"},
    /* without one there is no telling which is which of a row alone */
    {"┃ Epoch ┃ RSS (MiB) ┃\n│ 1     │ 42.5      │\n", "sample@2 rss=44564480 epoch=1\n"},
    /* units below the heading, with the name that it lacks; a cell may be empty, and a bar of
     * progress is no row */
    {"          resident     swap    cpu\n"
     "task         [MiB]    [MiB]    [%]\n"
     "-- t = 0 s\n"
     "pack-1        42.0             3.0\n"
     "pack-2        21.0        7    3.0\n"
     "pack-3        21.0  4%|##  \n",
     "sample@4 rss=44040192 group=pack-1\nsample@5 rss=22020096 group=pack-2\n"},
    /* a unit in each row */
    {"| metric | value | unit |\n| rss | 42 | MiB |\n| uptime | 42 | s |\n",
     "sample@2 rss=44040192\n"},
    {"timestamp;kbmemused;%memused;kbcached\n10:11:01;1024;0.5;99\n",
     "sample@2 in_use=1048576 elapsed=0 share=0.005\n"},
    /* rows of nvidia-smi without a heading: of several sizes the smallest is in use */
    {"2024/05/02 10:11:05.100, 1024 MiB, 4096 MiB\n2024/05/02 10:11:10.100, 1048 MiB, 4072 MiB\n",
     "sample@1 in_use=1073741824 elapsed=0\nsample@2 in_use=1098907648 elapsed=5\n"},
    {"2024/05/02 10:11:05.100, 1024 MiB\n2024/05/02 10:11:10.100, 1048 MiB\n",
     "sample@1 in_use=1073741824 elapsed=0\nsample@2 in_use=1098907648 elapsed=5\n"},
    {"2024/05/02 10:11:05.100, 98 %, 1024 MiB, 4096 MiB\n"
     "2024/05/02 10:11:10.100, 98 %, 2048 MiB, 4096 MiB\n",
     "sample@1 in_use=1073741824 elapsed=0\nsample@2 in_use=2147483648 elapsed=5\n"},
    {"0, NVIDIA L4, 4096 MiB, 1024 MiB\n1, NVIDIA L4, 4096 MiB, 2048 MiB\n",
     "sample@1 in_use=1073741824 device=0\nsample@2 in_use=2147483648 device=1\n"},
    {"0, L4, 8192 MiB, 4096 MiB, 1024 MiB\n0, L4, 8192 MiB, 4000 MiB, 1120 MiB\n",
     "sample@1 in_use=1073741824 device=0\nsample@2 in_use=1174405120 device=0\n"},
    /* without a time or a number of a device in front it may be anything */
    {"1024 MiB, 4096 MiB\n2048 MiB, 4096 MiB\n", ""},
    {"0, error: out of memory, free: 1024 MiB\n", ""},
    /* a heading again and again: its rows are of several devices */
    {"memory.used [MiB], memory.total [MiB]\n1024 MiB, 4096 MiB\n"
     "memory.used [MiB], memory.total [MiB]\n1024 MiB, 4096 MiB\n2048 MiB, 4096 MiB\n",
     "sample@2 capacity=4294967296 in_use=1073741824\n"
     "sample@4 capacity=4294967296 in_use=1073741824\n"
     "sample@5 capacity=4294967296 in_use=2147483648 device=1\n"},
    /* parted by something else */
    {"step,peak_gb,GPU_MB,heapUsedMB,read_gb,gpu_read_mb\n1,2,3,4,5,6\n",
     "sample@2 peak=2147483648 step=1\nsample@2 in_use=3145728 step=1\n"
     "sample@2 in_use=4194304 step=1 process=heap\n"},
    {"step,heapUsedMB\n1,4\n", "sample@2 in_use=4194304 step=1 process=heap\n"},
    /* names that no sentence has need nothing that counts beside them */
    {"name  heap.percent ram.percent cpu\nes-a            41          97   3\n",
     "sample@2 share=0.41 process=heap group=es-a\nsample@2 share=0.97 group=es-a\n"},
    /* a row for each metric */
    {"Timestamp,Provider,Counter Name,Counter Type,Mean/Increment\n"
     "11/14/2023 08:50:05,Runtime,CPU Usage (%),Metric,20\n"
     "11/14/2023 08:50:05,Runtime,Working Set (MB),Metric,512\n",
     "sample@3 rss=536870912\n"},
    {"epoch,metric,value\n1,loss,512\n1,rss_mb,512\n", "sample@3 rss=536870912 epoch=1\n"},
    {"Handles  NPM(K)      WS(K)     CPU(s)     Id\n-------  ------      -----     ------     --\n"
     "    612      41     524288      12.11   9320\n",
     "sample@3 rss=536870912\n"},
    /* a metric with its labels */
    {"\"Time\",\"process_resident_memory_bytes{job=\"\"api\"\"}\"\n2026-10-01 "
     "00:00:00,1073741824\n",
     "sample@2 rss=1073741824 elapsed=0\n"},
    /* how long it runs */
    {"| Uptime | Memory |\n|---|---|\n| 1 h | 512 MB |\n| 3 h | 1024 MB |\n",
     "sample@3 in_use=536870912 elapsed=0\nsample@4 in_use=1073741824 elapsed=7200\n"},
    {"`docker stats --no-stream --format '{{.MemUsage}}' web >> log`\n512MiB\n1GiB\n",
     "sample@2 in_use=536870912\nsample@3 in_use=1073741824\n"},
    {"| | RSS | x |\n|---|---|---|\n| t+60 | 16 MB | +1 |\n", "sample@3 rss=16777216\n"},
    {"Image Name                PID Session   Session#    Mem Usage\n"
     "==================== ======== ========= ======== ============\n"
     "a.exe                    4120 Services         0    102,400 K\n"
     "b.exe                    4124 Services    102,400 K\n",
     "sample@3 in_use=104857600 group=a.exe\n"},
    {"│ id │ name │ memory   │\n├────┼──────┼──────────┤\n│ 0  │ api  │ 165.0mb  │\n",
     "sample@3 in_use=173015040 group=api\n"},
    {"JobID|JobName|ReqMem|AveRSS|MaxRSS\n812|train|64G||\n812.batch|batch||10K|1048576K\n",
     "sample@3 peak=1073741824 group=812.batch\n"},
    {"| step | rss_mb | gpu_mem_mb |\n|------|--------|------------|\n|    1 |    512 |       1024 "
     "|\n",
     "sample@3 rss=536870912 step=1\nsample@3 in_use=1073741824 step=1\n"},
    {" step   rss_mb\n    1      512\n", "sample@2 rss=536870912 step=1\n"},
    {"the rss_mb of it\n1 512 3 4\n", ""},
    {"time_s,gpu0_mem_mb,gpu1_mem_mb\n1,512,1024\n",
     "sample@2 in_use=536870912 elapsed=0 device=0\n"
     "sample@2 in_use=1073741824 elapsed=0 device=1\n"},
    {"step\trss_mb\n1\t512\n", "sample@2 rss=536870912 step=1\n"},
    {"step;gpu_mem_mb\n1;512\n", "sample@2 in_use=536870912 step=1\n"},
    {"allocated_bytes.all.allocated,allocated_bytes.all.current,epoch,step\n"
     "8589934592,1073741824,0,1\n",
     "sample@2 in_use=1073741824 step=1 epoch=0\n"},
    /* people's own: the machine's and the device's memory in one row */
    {"timestamp_ms,total_memory_mb,used_memory_mb,gpu_memory_mb,cpu_percent,note\n"
     "0,4096,1024,512,3.1,\"a, b\"\n500,,,,,\"EVENT: epoch\"\n1000,4096,2048,512,3.1,\n",
     "sample@2 capacity=4294967296 in_use=1073741824 elapsed=0\nsample@2 in_use=536870912 "
     "elapsed=0\n"
     "sample@4 capacity=4294967296 in_use=2147483648 elapsed=1\nsample@4 in_use=536870912 "
     "elapsed=1\n"},
    {"step,epoch,rss_gb,loss\n10,0,2,3.1\n20,1,4,2.9\n",
     "sample@2 rss=2147483648 step=10 epoch=0\nsample@3 rss=4294967296 step=20 epoch=1\n"},
    /* columns without a unit have that which their first number tells */
    {"step,memory,loss\n10,1024,3.1\n", "sample@2 in_use=1073741824 step=10\n"},
    {"step,torch_peak_gb\n10,1.5\n", "sample@2 peak=1610612736 step=10\n"},
    {"Timestamp,CPU_Percent,Memory_KB\n10:11:05,12,1048576\n",
     "sample@2 in_use=1073741824 elapsed=0\n"},
    {"time,MemUsage\n10,1024.0MiB\n", "sample@2 in_use=1073741824 elapsed=0\n"},
    /* or are of something else */
    {"step,memory,loss\n10,3,3.1\n", ""},
    {"step,mem_clock_mhz\n10,5001\n", ""},
    /* shares; how busy memory is, is none */
    {"step,memory_percent,gpu_mem_pct\n10,12.5,50\n",
     "sample@2 step=10 share=0.125\nsample@2 step=10 share=0.5\n"},
    {"step,rss_mb,utilization.memory [%]\n10,512,50 %\n", "sample@2 rss=536870912 step=10\n"},
    {"Timestamp, DeviceId, GPU Memory Utilization (%)\n10:11:05.000,    1, 62.50\n",
     "sample@2 elapsed=0 share=0.625 device=1\n"},
    /* Weights & Biases: the run and the column */
    {"\"Step\",\"run-1 - system/proc.memory.rssMB\",\"run-1 - system/gpu.0.memoryAllocatedBytes\"\n"
     "\"5\",\"512\",\"1073741824\"\n",
     "sample@2 rss=536870912 step=5\nsample@2 in_use=1073741824 step=5 device=0\n"},
    {"\"Step\",\"run-1 - system.gpu.0.memoryAllocated\"\n\"5\",\"25\"\n",
     "sample@2 step=5 share=0.25 device=0\n"},
    {"epoch: 3, memory_mb: 512, loss: 3\n1,2,3\n", ""},
    /* a sentence that was broken before a unit */
    {"GiB already allocated; 312.00 MiB free; 15.00 GiB reserved\n1.00; 14.90; 3\n", ""},
    /* the table ends; its rows are those of as many columns */
    {"step,rss_mb\nhello\n5,1024\n5,1024,7\n", "sample@3 rss=1073741824 step=5\n"},
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

START_TEST(a_table_closes_in_other_text)
{
    struct listener l;
    listen_begin(&l, &od_reader_tables);
    listen_text(&l, 1, "step,rss_mb\n5,1024\na\nb\nc\nd\ne\nf\ng\n");
    ck_assert(od_reading_is_open(&l.reading));
    listen_text(&l, 1, "h\n");
    ck_assert(!od_reading_is_open(&l.reading));
    listen_done(&l);
}
END_TEST

Suite *od_tables_suite(void)
{
    Suite *suite = od_suite_loop("tables", a_table_is_measurements, (int)OD_COUNT_OF(tables));
    TCase *tcase = tcase_create("closing");
    tcase_add_test(tcase, a_table_closes_in_other_text);
    suite_add_tcase(suite, tcase);
    return suite;
}
