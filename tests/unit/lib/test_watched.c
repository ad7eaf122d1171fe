/*
 * Control groups as machines of both versions show them, and what is said of a program that ended
 * in one. The files are as recorded, cut to the rows that are read and some that are not.
 */
#include "base/num.h"
#include "host/kernel_log.h"
#include "host/usage.h"
#include "lib/samples.h"
#include "lib/watched.h"
#include "tests/unit/lib/suites.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    const char *name, *text;
};

enum { FILES = 12 };

/* A machine whose memory controller is of version 2; the job's limit is one level up. */
static const struct file unified[FILES] = {
    {"proc/self/cgroup", "0::/system.slice/job_7/step_0\n"},
    {"proc/self/mountinfo",
     "24 30 0:22 / /proc rw,nosuid shared:12 - proc proc rw\n"
     "35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"},
    {"sys/fs/cgroup/system.slice/job_7/memory.max", "2147483648\n"},
    {"sys/fs/cgroup/system.slice/job_7/memory.current", "2147471360\n"},
    {"sys/fs/cgroup/system.slice/job_7/memory.peak", "2147483648\n"},
    {"sys/fs/cgroup/system.slice/job_7/memory.events",
     "low 0\nhigh 0\nmax 811\noom 3\noom_kill 3\noom_group_kill 0\n"},
    {"sys/fs/cgroup/system.slice/job_7/step_0/memory.max", "max\n"},
    {"sys/fs/cgroup/system.slice/job_7/step_0/memory.current", "1073741824\n"},
    {"sys/fs/cgroup/system.slice/job_7/step_0/memory.events",
     "low 0\nhigh 0\nmax 0\noom 0\noom_kill 2\noom_group_kill 0\n"},
    {"sys/fs/cgroup/system.slice/memory.max", "max\n"},
};

/* Both are mounted, and memory belongs to version 1. */
static const struct file both[FILES] = {
    {"proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/slurm/uid_0/job_9\n0::/\n"},
    {"proc/self/mountinfo",
     "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,cpu,memory\n"
     "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"},
    {"sys/fs/cgroup/memory/slurm/uid_0/job_9/memory.limit_in_bytes", "67108864\n"},
    {"sys/fs/cgroup/memory/slurm/uid_0/job_9/memory.usage_in_bytes", "65536000\n"},
    {"sys/fs/cgroup/memory/slurm/uid_0/job_9/memory.max_usage_in_bytes", "67108864\n"},
    {"sys/fs/cgroup/memory/slurm/uid_0/job_9/memory.failcnt", "40\n"},
    {"sys/fs/cgroup/memory/slurm/uid_0/job_9/memory.oom_control",
     "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"},
    {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
};

/* In a container: the group's name is of a tree that is not seen here. */
static const struct file container[FILES] = {
    {"proc/self/cgroup", "4:memory:/docker/4f1e2d\n"},
    {"proc/self/mountinfo", "35 31 0:32 /docker/4f1e2d /sys/fs/cgroup/memory ro - cgroup cgroup "
                            "rw,memory\n"},
    {"sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n"},
    {"sys/fs/cgroup/memory/memory.failcnt", "0\n"},
    {"sys/fs/cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\n"},
};

static const struct file nothing[FILES] = {{"proc/self/cgroup", ""}};

static const struct {
    const struct file *files;
    int version;
    const char *path, *limited; /* NULL = none */
    struct od_count limit, in_use, peak, kills, full;
} groups[] = {
    {unified,
     2,
     "/system.slice/job_7/step_0",
     "/system.slice/job_7",
     {2147483648, true},
     {2147471360, true},
     {2147483648, true},
     {2, true},
     {3, true}},
    {both,
     1,
     "/slurm/uid_0/job_9",
     "/slurm/uid_0/job_9",
     {67108864, true},
     {65536000, true},
     {67108864, true},
     {1, true},
     {40, true}},
    {container, 1, "/docker/4f1e2d", "/", {536870912, true}, {0}, {0}, {0}, {0, true}},
    {nothing, 0, NULL, NULL, {0}, {0}, {0}, {0}, {0}},
};

static void make(const char *root, const struct file *file)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", root, file->name);
    for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        ck_assert(mkdir(path, 0700) == 0 || errno == EEXIST);
        *p = '/';
    }
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    ck_assert(fputs(file->text, out) >= 0 && fclose(out) == 0);
}

static int forget(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

static void same(struct od_count want, struct od_count got)
{
    ck_assert_int_eq(want.known, got.known);
    ck_assert_uint_eq(want.n, got.n);
}

static void same_text(const char *want, const char *got)
{
    ck_assert_int_eq(want == NULL, got == NULL);
    if (want)
        ck_assert_str_eq(want, got);
}

START_TEST(reads_groups)
{
    char root[] = "/tmp/oomdoctor-test-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(root));
    for (size_t i = 0; i < FILES && groups[_i].files[i].name; i++)
        make(root, &groups[_i].files[i]);
    struct od_arena *arena = od_arena_new();
    struct od_cgroup group = od_cgroup_read(root, arena);
    ck_assert_int_eq(group.version, groups[_i].version);
    same_text(groups[_i].path, group.path);
    same_text(groups[_i].limited, group.limited);
    same(groups[_i].limit, group.limit);
    same(groups[_i].in_use, group.in_use);
    same(groups[_i].peak, group.peak);
    same(groups[_i].kills, group.kills);
    same(groups[_i].full, group.full);
    od_arena_free(arena);
    ck_assert_int_eq(nftw(root, forget, 8, FTW_DEPTH | FTW_PHYS), 0);
}
END_TEST

/* ---- what is in use ---- */

/* Of 7: two children and a grandchild, whose names try to be fields; another's; and what the kernel
 * says of each one's shared pages. */
static const struct file processes[] = {
    {"proc/7/stat", "7 (oomdoctor) S 1 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5 999 100 1\n"},
    {"proc/8/stat", "8 (py) 1 (x) S 7 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5 999 300 1\n"},
    {"proc/9/stat", "9 (a b c) R 8 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5 999 20 1\n"},
    {"proc/10/stat", "10 (loop) S 11 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5 999 5 1\n"},
    {"proc/11/stat", "11 (loop) S 10 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5 999 5 1\n"},
    {"proc/12/stat", "12 (cut"},
    {"proc/8/smaps_rollup", "55-77 ---p 0 00:00 0 [rollup]\nRss: 1200 kB\nPss:      1160 kB\n"},
    {"proc/9/smaps_rollup", "55-77 ---p 0 00:00 0 [rollup]\nRss: 80 kB\nPss:        40 kB\n"},
    {"proc/meminfo", "MemTotal: 1000 kB\nMemFree: 10 kB\nMemAvailable:     400 kB\n"},
};

START_TEST(reads_usage)
{
    char root[] = "/tmp/oomdoctor-test-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(root));
    for (size_t i = 0; i < OD_COUNT_OF(processes); i++)
        make(root, &processes[i]);
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct od_usage_tree tree = od_usage_below(root, 7);
    ck_assert_uint_eq(tree.processes, 2);
    ck_assert_uint_eq(tree.rss, 320 * page);
    od_usage_add_proportional(root, 7, &tree);
    same(od_count_of(1200 << 10), tree.proportional);
    ck_assert_uint_eq(od_usage_below(root, 9).processes, 0);
    struct od_usage_part machine = od_usage_machine(root);
    same(od_count_of(600 << 10), machine.used);
    same(od_count_of(1000 << 10), machine.whole);
    ck_assert_int_eq(nftw(root, forget, 8, FTW_DEPTH | FTW_PHYS), 0);
}
END_TEST

#define DEVICE(n, used, whole) \
    "oomdoctor run: after 7 s: GPU " n ": in use " used " bytes of " whole " bytes\n"

static const struct {
    const char *rows, *visible, *words;
} devices[] = {
    {"0, 1, 16\n1, 3, 16\n", NULL,
     DEVICE("0", "1048576", "16777216") DEVICE("1", "3145728", "16777216")},
    {"0, 1, 16\n1, 3, 16\n2, 2, 16\n", "2,0",
     DEVICE("1", "1048576", "16777216") DEVICE("0", "2097152", "16777216")},
    {"0, 1, 16\n", "GPU-8f1c", DEVICE("0", "1048576", "16777216")},
    {"0, 1, 16\n", "", ""},
    {"0, [N/A], [N/A]\nNo devices were found\n1, 2\n", NULL, ""},
    {"0, 99999999999999999, 16\n", NULL, ""},
    {"device,VRAM Total Memory (B),VRAM Total Used Memory (B)\ncard0,17163091968,10678272\n\n",
     NULL, DEVICE("0", "10678272", "17163091968")},
};

START_TEST(words_of_devices)
{
    struct od_buf text = {0};
    od_samples_print_devices(od_view_of(devices[_i].rows), devices[_i].visible, 7, &text);
    ck_assert_str_eq(od_buf_str(&text), devices[_i].words);
    od_buf_done(&text);
}
END_TEST

/* ---- words ---- */

/* A group with a limit around it, after so many kills and as many times full; none without words.
 */
struct counted {
    bool known;
    uint64_t kills, full;
};

static struct od_cgroup group_of(const struct counted *counted)
{
    if (!counted->known)
        return (struct od_cgroup){0};
    return (struct od_cgroup){.version = 2,
                              .path = "/job/step",
                              .limited = "/job",
                              .limit = od_count_of(1000),
                              .peak = od_count_of(990),
                              .kills = od_count_of(counted->kills),
                              .full = od_count_of(counted->full)};
}

#define RUN "oomdoctor run: "
#define LIMIT RUN "memory of group /job: limit 1000 bytes\n"

static const struct {
    struct counted before, after;
    struct od_pass_result result;
    const char *kernel;
    const char *words;
} ends[] = {
    {{0}, {0}, {OD_PASS_EXITED, 3, 1, 0, 0}, "", RUN "the command ended with exit status 3\n"},
    {{0},
     {0},
     {OD_PASS_SIGNALLED, 11, 1, 4096, 0},
     "[1.0] usb: new\n[1.1] a[7]: segfault at 8 ip 1 sp 2 error 6\n",
     RUN "peak resident memory of a process: 4096 bytes\n"
         "[1.1] a[7]: segfault at 8 ip 1 sp 2 error 6\n" RUN
         "the command crashed with signal 11 (SIGSEGV)\n"},
    /* killed, and nothing is known of by whom */
    {{0},
     {0},
     {OD_PASS_SIGNALLED, 9, 1, 0, 0},
     "",
     RUN "the command was killed by signal 9 (SIGKILL)\n"},
    /* the group's limit; what was killed before is not of this run */
    {{true, 4, 7},
     {true, 5, 8},
     {OD_PASS_SIGNALLED, 9, 1, 0, 0},
     "",
     LIMIT RUN
     "the kernel killed 1 process of group /job for memory of the group, limit 1000, peak "
     "990\n" RUN "the command was killed by signal 9 (SIGKILL)\n"},
    /* the limit had nothing to do with it */
    {{true, 0, 7},
     {true, 2, 7},
     {OD_PASS_EXITED, 1, 1, 0, 0},
     "",
     LIMIT RUN "the kernel killed 2 processes of group /job/step for memory of the machine\n" RUN
               "the command ended with exit status 1\n"},
    /* the kernel's own words are better than a counter's */
    {{true, 0, 7},
     {true, 1, 8},
     {OD_PASS_SIGNALLED, 9, 1, 0, 0},
     "[1.0] Killed process 1 (x)\n",
     LIMIT "[1.0] Killed process 1 (x)\n" RUN "the command was killed by signal 9 (SIGKILL)\n"},
    /* two groups lose a process at once */
    {{true, 0, 7},
     {true, 1, 8},
     {OD_PASS_SIGNALLED, 9, 1, 0, 0},
     "[0.9] usb: new\n"
     "[1.0] a invoked oom-killer: x\n[1.0] oom-kill:task_memcg=/job/step2,task=a\n"
     "[1.0] Killed process 1 (a)\n"
     "[1.1] b invoked oom-killer: x\n[1.1] oom-kill:task_memcg=/job/step,task=b\n"
     "[1.1] Killed process 2 (b)\n",
     LIMIT "[1.1] b invoked oom-killer: x\n[1.1] oom-kill:task_memcg=/job/step,task=b\n"
           "[1.1] Killed process 2 (b)\n" RUN "the command was killed by signal 9 (SIGKILL)\n"},
    /* it was not the kernel: what that says is about others */
    {{true, 4, 7},
     {true, 4, 8},
     {OD_PASS_SIGNALLED, 9, 1, 0, 1 << 15},
     "[1.0] Killed process 1 (x)\n",
     LIMIT RUN "the command was sent signal 15 (SIGTERM)\n" RUN
               "the command was ended by signal 9 (SIGKILL), and the kernel killed no process of "
               "its group for memory\n"},
};

START_TEST(says_how_it_ended)
{
    const struct od_watch before = {.group = group_of(&ends[_i].before), .kernel_log = -1};
    const struct od_watched watched = {.before = &before,
                                       .group = group_of(&ends[_i].after),
                                       .kernel = od_view_of(ends[_i].kernel),
                                       .result = &ends[_i].result};
    struct od_buf words = {0};
    od_watched_print(&watched, &words);
    ck_assert_str_eq(od_buf_str(&words), ends[_i].words);
    od_buf_done(&words);
}
END_TEST

static const struct {
    const char *record, *line;
} records[] = {
    {"6,339,5140900,-;oom-kill:constraint=X\n SUBSYSTEM=memory\n",
     "[    5.140900] oom-kill:constraint=X\n"},
    {"30,2,123456789012,c;tail; more\n", "[123456.789012] tail; more\n"},
    {"no record", ""},
    {"6,x,y,-;text\n", ""},
};

START_TEST(kernel_records)
{
    struct od_buf line = {0};
    od_kernel_log_print(od_view_of(records[_i].record), &line);
    ck_assert_str_eq(od_buf_str(&line), records[_i].line);
    od_buf_done(&line);
}
END_TEST

Suite *watched_suite(void)
{
    Suite *suite = suite_create("watched");
    TCase *tcase = tcase_create("watched");
    tcase_add_test(tcase, reads_usage);
    tcase_add_loop_test(tcase, words_of_devices, 0, (int)OD_COUNT_OF(devices));
    tcase_add_loop_test(tcase, reads_groups, 0, (int)OD_COUNT_OF(groups));
    tcase_add_loop_test(tcase, says_how_it_ended, 0, (int)OD_COUNT_OF(ends));
    tcase_add_loop_test(tcase, kernel_records, 0, (int)OD_COUNT_OF(records));
    suite_add_tcase(suite, tcase);
    return suite;
}
