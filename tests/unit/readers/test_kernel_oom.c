/* Reports of the kernel's out-of-memory killer, from 2.6 to 6.x: whole, cut and printed twice. */
#include "base/buf.h"
#include "base/num.h"
#include "readers/logs/kernel_table.h"
#include "readers/reading.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_kernel_oom;

static const struct od_place nowhere;

/* An event as "kind field=value ...", in the order of fields. */
static void print_event(void *self, const struct od_event *event)
{
    struct od_buf *said = self;
    od_buf_add_str(said, od_event_kind_name(event->kind));
    for (size_t i = 0; i < event->nfields; i++) {
        const struct od_field_value *value = &event->fields[i];
        if (value->field == OD_F_PRODUCER)
            continue;
        od_buf_printf(said, " %s=", od_field_name(value->field));
        if (od_field_type(value->field) == OD_T_TEXT)
            od_buf_add(said, value->as.text);
        else if (od_field_type(value->field) == OD_T_BYTES)
            od_buf_printf(said, "%llu", (unsigned long long)value->as.bytes.n);
        else if (od_field_type(value->field) == OD_T_NUMBER)
            od_buf_printf(said, "%g", value->as.number);
        else
            od_buf_printf(said, "%llu", (unsigned long long)value->as.count);
    }
    od_buf_printf(said, " @%llu\n", (unsigned long long)event->at.line);
}

/* Feeds lines; a line that starts with '~' belongs to another lane. */
static void read_all(struct od_view text, struct od_buf *said)
{
    const struct od_sink sink = {print_event, said};
    struct od_arena *arena = od_arena_new();
    struct od_reading reading = od_reading_begin(&od_reader_kernel_oom, arena);
    struct od_view one;
    for (uint64_t n = 1; od_view_cut(&text, '\n', &one); n++) {
        struct od_line line = {.text = one, .at = {.nlines = 1, .line = n}, .place = &nowhere};
        if (od_view_take(&line.text, OD_VIEW("~")))
            line.lane = 1;
        (void)od_reading_line(&reading, &line, true, &sink);
    }
    od_reading_end(&reading, &sink);
    ck_assert(!od_reading_is_open(&reading));
    od_reading_done(&reading);
    od_arena_free(arena);
}

#define KERNEL_6                                                                                 \
    "cc1plus invoked oom-killer: gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE|__GFP_ZERO), order=0, "  \
    "oom_score_adj=0\n"                                                                          \
    "CPU: 3 PID: 901 Comm: cc1plus Not tainted 6.8.0-31-generic #31\n"                           \
    "Call Trace:\n"                                                                              \
    " out_of_memory+0x103/0x350\n"                                                               \
    "Mem-Info:\n"                                                                                \
    "active_anon:1203 inactive_anon:1900211 isolated_anon:0\n"                                   \
    " free:25004 free_pcp:0 free_cma:0\n"                                                        \
    "Node 0 DMA free:11264kB boost:0kB min:128kB low:160kB high:192kB present:15988kB\n"         \
    "Node 0 DMA32 free:44100kB boost:0kB min:22316kB low:27892kB high:33468kB\n"                 \
    "Node 0 DMA: 0*4kB 0*8kB 1*1024kB (U) = 11264kB\n"                                           \
    "Free swap  = 0kB\n"                                                                         \
    "Total swap = 0kB\n"                                                                         \
    "2097022 pages RAM\n"                                                                        \
    "Tasks state (memory values in pages):\n"                                                    \
    "[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes "        \
    "swapents oom_score_adj name\n"                                                              \
    "[    412]     0   412    16890      300      120      180         0   151552        0     " \
    "     -250 systemd-journal\n"                                                                \
    "[    901]  1000   901    90110    70001    70000        1         0   708608        0     " \
    "        0 cc1plus\n"                                                                        \
    "[   2188]  1000  2188  6100020  1700300  1700000      300         0 14401536        0     " \
    "        0 pt_main_thread\n"                                                                 \
    "[   2190]  1000  2190    90110        0        0        0         0   708608        0     " \
    "        0 idle (x) #2\n"                                                                    \
    "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,"    \
    "task_memcg=/user.slice/user-1000.slice/session-3.scope,task=pt_main_thread,pid=2188,"       \
    "uid=1000\n"                                                                                 \
    "Out of memory: Killed process 2188 (pt_main_thread) total-vm:24400080kB, "                  \
    "anon-rss:6800000kB, file-rss:1200kB, shmem-rss:0kB, UID:1000 pgtables:14064kB "             \
    "oom_score_adj:0\n"                                                                          \
    "oom_reaper: reaped process 2188 (pt_main_thread), now anon-rss:0kB, file-rss:0kB, "         \
    "shmem-rss:0kB\n"

#define GROUP_V2                                                                                  \
    "python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=968\n"        \
    "memory: usage 2097152kB, limit 2097152kB, failcnt 311\n"                                     \
    "swap: usage 0kB, limit 0kB, failcnt 0\n"                                                     \
    "Memory cgroup stats for /kubepods/burstable/pod77/4e1f:\n"                                   \
    "anon 2100000000\n"                                                                           \
    "Tasks state (memory values in pages):\n"                                                     \
    "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name\n"        \
    "[   7001]     0  7001      243        1    28672        0          -998 pause\n"             \
    "[   7055]     0  7055  1500000   501000  4301568        0           968 python3\n"           \
    "[   7090]     0  7090   700000    12000   901120        0           968 data worker\n"       \
    "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=4e1f,mems_allowed=0,"            \
    "oom_memcg=/kubepods/burstable/pod77,task_memcg=/kubepods/burstable/pod77/4e1f,task=python3," \
    "pid=7055,uid=0\n"                                                                            \
    "Memory cgroup out of memory: Killed process 7055 (python3) total-vm:6000000kB, "             \
    "anon-rss:2001000kB, file-rss:3000kB, shmem-rss:0kB, UID:0 pgtables:4200kB "                  \
    "oom_score_adj:968\n"

#define GROUP_V1                                                                              \
    "python invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0\n"                    \
    "Call Trace:\n"                                                                           \
    " [<ffffffff811c1234>] mem_cgroup_oom_synchronize+0x554/0x580\n"                          \
    "Task in /slurm/uid_1201/job_881/step_0/task_0 killed as a result of limit of "           \
    "/slurm/uid_1201/job_881\n"                                                               \
    "memory: usage 4194304kB, limit 4194304kB, failcnt 90\n"                                  \
    "memory+swap: usage 4194304kB, limit 9007199254740988kB, failcnt 0\n"                     \
    "kmem: usage 0kB, limit 9007199254740988kB, failcnt 0\n"                                  \
    "Memory cgroup stats for /slurm/uid_1201/job_881: cache:0KB rss:0KB\n"                    \
    "Memory cgroup stats for /slurm/uid_1201/job_881/step_0: cache:4KB rss:4190000KB\n"       \
    "[ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name\n"             \
    "[30101]  1201 30101    28000      400      12        0             0 slurm_script\n"     \
    "[30144]  1201 30144  2500000  1040000    2301        0             0 python\n"           \
    "Memory cgroup out of memory: Kill process 30144 (python) score 995 or sacrifice child\n" \
    "Killed process 30144 (python) total-vm:10000000kB, anon-rss:4150000kB, file-rss:10000kB\n"

#define KERNEL_2                                                                            \
    "sshd invoked oom-killer: gfp_mask=0x280da, order=0, oom_adj=0, oom_score_adj=0\n"      \
    "Pid: 1881, comm: sshd Not tainted 2.6.32-504.el6.x86_64 #1\n"                          \
    "Mem-Info:\n"                                                                           \
    "Node 0 DMA free:15600kB min:80kB low:100kB high:120kB active_anon:0kB\n"               \
    "Node 0 Normal free:30000kB min:40000kB low:50000kB high:60000kB active_anon:0kB\n"     \
    "1048560 pages RAM\n"                                                                   \
    "[ pid ]   uid  tgid total_vm      rss cpu oom_adj oom_score_adj name\n"                \
    "[ 1881]     0  1881    16500       90   3     -17         -1000 sshd\n"                \
    "[ 2002]   500  2002   900100   870000   1       0             0 (trainer #1)\n"        \
    "Out of memory: Kill process 2002 ((trainer #1)) score 910 or sacrifice child\n"        \
    "Killed process 2002, UID 500, ((trainer #1)) total-vm:3600400kB, anon-rss:3480000kB, " \
    "file-rss:40kB\n"

static const struct {
    const char *name, *text, *events;
} reports[] = {
    {"6.8, machine", KERNEL_6,
     "host_killed pid=2188 process=pt_main_thread rss=6963200000 virtual=24985681920 "
     "capacity=8589402112 free=56692736 swap=0 swap_free=0 trigger=cc1plus @21\n"
     "holding name=own in_use=6963200000 swap=0 @21\n"
     "holding name=processes process=cc1plus count=1 pid=901 in_use=286720000 swap=0 @21\n"
     "holding name=processes process=systemd-journal count=1 pid=412 score_adj=-250 in_use=491520 "
     "swap=0 @21\n"
     "holding name=anonymous in_use=7788191744 @21\n"},
    {"5.x, cgroup v2", GROUP_V2,
     "cgroup_killed pid=7055 process=python3 rss=2049024000 virtual=6144000000 "
     "score_adj=968 group=/kubepods/burstable/pod77 limit=2147483648 trigger=python3 @12\n"
     "holding name=own in_use=2052096000 swap=0 @12\n"
     "holding name=processes process=data worker count=1 pid=7090 score_adj=968 in_use=49152000 "
     "swap=0 @12\n"
     "holding name=processes process=pause count=1 pid=7001 score_adj=-998 in_use=4096 swap=0 @12\n"
     "holding name=anonymous in_use=2100000000 @12\n"},
    {"3.10, cgroup v1", GROUP_V1,
     "cgroup_killed pid=30144 process=python rss=4249600000 virtual=10240000000 "
     "group=/slurm/uid_1201/job_881 limit=4294967296 trigger=python @14\n"
     "holding name=own in_use=4259840000 swap=0 @14\n"
     "holding name=processes process=slurm_script count=1 pid=30101 in_use=1638400 swap=0 @14\n"
     "holding name=anonymous in_use=4290560000 @14\n"
     "holding name=page_cache in_use=4096 @14\n"},
    {"2.6.32, machine", KERNEL_2,
     "host_killed pid=2002 process=(trainer #1) rss=3563520000 virtual=3686809600 "
     "capacity=4294901760 free=46694400 trigger=sshd @11\n"
     "holding name=own in_use=3563520000 @11\n"
     "holding name=processes process=sshd count=1 pid=1881 score_adj=-1000 in_use=368640 @11\n"},
    {"pages that lie together",
     "a b invoked oom-killer: gfp_mask=0x400dc0(GFP_KERNEL_ACCOUNT), order=3, oom_score_adj=0\n"
     "Mem-Info:\n"
     "Node 0 DMA free:400kB min:80kB low:100kB high:120kB\n"
     "Node 0 DMA: 4*4kB (U) 0*8kB 2*16kB (UM) 0*32kB 0*64kB = 48kB\n"
     "Node 0 Normal: 9*4kB (UME) 1*8kB (U) 0*16kB 0*32kB 0*64kB = 44kB\n"
     "Out of memory: Killed process 9 (a) total-vm:80kB, anon-rss:40kB\n",
     "host_killed pid=9 process=a rss=40960 virtual=81920 free=409600 requested=32768 "
     "largest=16384 trigger=a b @6\n"},
    {"pages of files are not the group's",
     "memory: usage 400kB, limit 400kB, failcnt 0\n"
     "Memory cgroup stats for /g:\n"
     "rss 401408\n"
     "[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes "
     "swapents oom_score_adj name\n"
     "[  41]     0    41     100       90       60       30         0     4096        0        0 "
     "a\n"
     "[  42]     0    42     100       70       30       40         0     4096        0        0 "
     "b\n"
     "Memory cgroup out of memory: Killed process 41 (a) total-vm:400kB, anon-rss:240kB, "
     "file-rss:120kB\n",
     "cgroup_killed pid=41 process=a rss=245760 virtual=409600 group=/g limit=409600 @7\n"
     "holding name=own in_use=245760 swap=0 @7\n"
     "holding name=processes process=b count=1 pid=42 in_use=122880 swap=0 @7\n"
     "holding name=anonymous in_use=401408 @7\n"},
    {"2.6.18, a line alone", "Out of memory: Killed process 3111 (mcsolve).\n",
     "host_killed pid=3111 process=mcsolve @1\n"},
    {"2.6.34 wrote vsz", "Killed process 77 (a) vsz:40kB, anon-rss:8kB, file-rss:0kB\n",
     "host_killed pid=77 process=a rss=8192 virtual=40960 @1\n"},
    {"a line alone says the group",
     "Memory cgroup out of memory: Killed process 50 (x, y=1) total-vm:80kB, anon-rss:40kB\n",
     "cgroup_killed pid=50 process=x, y=1 rss=40960 virtual=81920 @1\n"},
    {"the same kill twice is one",
     GROUP_V2 "~Memory cgroup out of memory: Killed process 7055 (python3) total-vm:6000000kB, "
              "anon-rss:2001000kB, file-rss:3000kB\n",
     "cgroup_killed pid=7055 process=python3 rss=2049024000 virtual=6144000000 "
     "score_adj=968 group=/kubepods/burstable/pod77 limit=2147483648 trigger=python3 @12\n"
     "holding name=own in_use=2052096000 swap=0 @12\n"
     "holding name=processes process=data worker count=1 pid=7090 score_adj=968 in_use=49152000 "
     "swap=0 @12\n"
     "holding name=processes process=pause count=1 pid=7001 score_adj=-998 in_use=4096 swap=0 @12\n"
     "holding name=anonymous in_use=2100000000 @12\n"},
    {"two kills are two",
     "Out of memory: Killed process 9 (a) total-vm:80kB, anon-rss:40kB\n"
     "Out of memory: Killed process 9 (a) total-vm:88kB, anon-rss:40kB\n",
     "host_killed pid=9 process=a rss=40960 virtual=81920 @1\n"
     "host_killed pid=9 process=a rss=40960 virtual=90112 @2\n"},
    {"a whole group dies",
     "memory: usage 8kB, limit 8kB, failcnt 1\n"
     "Memory cgroup stats for /g:\n"
     "Memory cgroup out of memory: Killed process 5 (a) total-vm:80kB, anon-rss:4kB\n"
     "Tasks in /g are going to be killed due to memory.oom.group set\n"
     "Memory cgroup out of memory: Killed process 6 (b) total-vm:80kB, anon-rss:0kB\n",
     "cgroup_killed pid=5 process=a rss=4096 virtual=81920 group=/g limit=8192 @3\n"
     "cgroup_killed pid=6 process=b rss=0 virtual=81920 group=/g limit=8192 @5\n"},
    {"a child is sacrificed",
     "Out of memory: Kill process 20 (make) score 300 or sacrifice child\n"
     "Killed process 21 (cc1plus) total-vm:80kB, anon-rss:40kB, file-rss:0kB\n",
     "host_killed pid=21 process=cc1plus rss=40960 virtual=81920 @2\n"},
    {"cut before the kill",
     "a invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0\n"
     "[ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name\n"
     "[   31]     0    31     1000      500      12        0             0 big\n"
     "Out of memory: Kill process 31 (big) score 900 or sacrifice child\n",
     "host_killed pid=31 process=big rss=2048000 virtual=4096000 trigger=a @4\n"
     "holding name=own in_use=2048000 swap=0 @4\n"},
    {"cut after its first line", "a b invoked oom-killer: gfp_mask=0xd0, order=0\n",
     "host_killed trigger=a b @1\n"},
    {"cut in the table: no header, no sum of zones",
     "Node 0 Normal free:30000kB min:40000kB low:50000kB\n"
     "[   30]     0    30     1000      700      12        0             0 other\n"
     "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),task_memcg=/,task=big,pid=31,uid=0\n"
     "[   33]     0    33     1000      700      12        0             0 third one\n"
     "Node 0 Normal free:30000kB min:40000kB low:50000kB\n",
     "host_killed pid=31 process=big @3\n"
     "holding name=processes process=third one count=1 pid=33 in_use=2867200 @3\n"},
    {"pages of 64 KiB",
     "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name\n"
     "[     40]     0    40      100       50    28672        0             0 a\n"
     "[     41]     0    41      100       20    28672        0             0 b\n"
     "Out of memory: Killed process 40 (a) total-vm:6400kB, anon-rss:3000kB\n",
     "host_killed pid=40 process=a rss=3072000 virtual=6553600 @4\n"
     "holding name=own in_use=3276800 swap=0 @4\n"
     "holding name=processes process=b count=1 pid=41 in_use=1310720 swap=0 @4\n"},
    {"other lanes in between",
     "a invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0\n"
     "~step 12 loss 0.3\n"
     "~b invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0\n"
     "~1000 pages RAM\n"
     "Out of memory: Killed process 1 (a) total-vm:80kB, anon-rss:40kB\n"
     "~Out of memory: Killed process 2 (b) total-vm:80kB, anon-rss:40kB\n",
     "host_killed pid=1 process=a rss=40960 virtual=81920 trigger=a @5\n"
     "host_killed pid=2 process=b rss=40960 virtual=81920 capacity=4096000 trigger=b @6\n"},
    {"no limit is no limit",
     "memory: usage 8kB, limit 9007199254740988kB, failcnt 0\n"
     "a invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0\n"
     "Task in /g killed as a result of limit of /g\n"
     "memory: usage 8kB, limit 9007199254740988kB, failcnt 0\n"
     "memory+swap: usage 16kB, limit 16kB, failcnt 3\n"
     "Killed process 4 (a) total-vm:80kB, anon-rss:40kB\n",
     "cgroup_killed pid=4 process=a rss=40960 virtual=81920 group=/g limit=16384 trigger=a @6\n"},
    {"the reaper alone", "oom_reaper: reaped process 12 (a b), now anon-rss:0kB, file-rss:0kB\n",
     "host_killed pid=12 process=a b @1\n"},
    {"cut behind the trace of a group's kill",
     "python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"
     " dump_header+0x4f/0x1eb\n"
     " ? try_charge+0x1e0/0x760\n"
     " mem_cgroup_out_of_memory+0xc4/0xd0\n",
     "cgroup_killed trigger=python3 @1\n"},
    {"cut behind a kill: the next of the same group",
     "Memory cgroup out of memory: Killed process 4 (a) total-vm:80kB, anon-rss:40kB\n"
     "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n",
     "cgroup_killed pid=4 process=a rss=40960 virtual=81920 @1\n"},
    {"cut behind a kill, but it says why",
     "Memory cgroup out of memory: Killed process 4 (a) total-vm:80kB, anon-rss:40kB\n"
     "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"
     " mem_cgroup_out_of_memory+0xc4/0xd0\n",
     "cgroup_killed pid=4 process=a rss=40960 virtual=81920 @1\n"
     "cgroup_killed trigger=a @2\n"},
    {"passed on by PBS",
     "Cgroup memory limit exceeded: Killed process 4 (a) total-vm:80kB, anon-rss:40kB\n",
     "cgroup_killed pid=4 process=a rss=40960 virtual=81920 @1\n"},
    {"what the unwinder doubts",
     "python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"
     " out_of_memory+0x103/0x350\n"
     " ? mem_cgroup_out_of_memory+0xc4/0xd0\n",
     "host_killed trigger=python3 @1\n"},
    {"cut on both sides",
     " dump_header from oom_kill_process+0x23c/0x248\n"
     " oom_kill_process from out_of_memory+0x218/0x34c\n"
     "Mem-Info:\n"
     "Normal free:1024kB min:512kB low:640kB\n"
     "2000 pages RAM\n",
     "host_killed capacity=8192000 free=1048576 @1\n"},
    {"talk of the function", "oom_kill_process() sends the signal\n? oom_kill_process+0x1/0x2\n",
     ""},
    {"boot",
     "Memory: 8040636k/8912896k available (6344k kernel code, 787872k reserved)\n"
     "Mem-Info:\n"
     "1000 pages RAM\n"
     "please try 'cgroup_disable=memory' option if you don't want memory cgroups\n",
     ""},
    {"prose",
     "then the kernel says Killed process and a number\n"
     "Killed process 12 and its children\n"
     "Killed process 12 (python) by hand\n"
     "the oom-killer: what is it\n",
     ""},
    {"numbers that do not fit",
     "Out of memory: Killed process 99999999999999999999 (a) total-vm:80kB, anon-rss:4kB\n"
     "Out of memory: Killed process 7 (a) total-vm:99999999999999999999kB, "
     "anon-rss:18014398509481984kB\n",
     "host_killed pid=7 process=a @2\n"},
};

START_TEST(a_report_gives_its_events)
{
    struct od_buf said = {0};
    read_all(od_view_of(reports[_i].text), &said);
    ck_assert_msg(od_view_eq_str(od_buf_view(&said), reports[_i].events), "%s:\n%s\nnot\n%s",
                  reports[_i].name, od_buf_str(&said), reports[_i].events);
    od_buf_done(&said);
}
END_TEST

static const char *const whole[] = {KERNEL_6, GROUP_V2, GROUP_V1, KERNEL_2};

/* Wherever it is cut, a report never gives more than one kill and its victim stays the same. */
START_TEST(a_cut_report_invents_nothing)
{
    struct od_view text = od_view_of(whole[_i]);
    for (size_t cut = 0; cut < text.n; cut += 7) {
        struct od_buf said = {0};
        read_all(od_view_head(text, cut), &said);
        read_all(od_view_from(text, cut), &said);
        size_t kills = 0;
        for (size_t at = 0;
             (at = od_view_find(od_buf_view(&said), OD_VIEW("_killed "), at)) != OD_VIEW_NONE; at++)
            kills++;
        ck_assert_uint_le(kills, 2); /* one a half */
        od_buf_done(&said);
    }
}
END_TEST

Suite *od_kernel_oom_suite(void)
{
    Suite *suite = suite_create("kernel_oom");
    TCase *tcase = tcase_create("kernel_oom");
    tcase_add_loop_test(tcase, a_report_gives_its_events, 0, (int)OD_COUNT_OF(reports));
    tcase_add_loop_test(tcase, a_cut_report_invents_nothing, 0, (int)OD_COUNT_OF(whole));
    suite_add_tcase(suite, tcase);
    return suite;
}
