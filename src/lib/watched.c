#include "lib/watched.h"

#include "host/kernel_log.h"
#include "host/usage.h"
#include "lib/script.h"
#include "rules/software.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { KERNEL_MOST = 1 << 20, SHELL_SIGNAL = 128 };

struct od_watch od_watch_start(const char *root, struct od_arena *arena)
{
    return (struct od_watch){.group = od_cgroup_read(root, arena),
                             .kernel_log = od_kernel_log_open()};
}

void od_watch_end(struct od_watch *watch)
{
    if (watch->kernel_log >= 0)
        (void)close(watch->kernel_log);
    watch->kernel_log = -1;
}

extern char **environ;

static void print_line(const char *text, struct od_buf *to)
{
    od_buf_add_str(to, "oomdoctor run: ");
    for (const char *p = text; *p; p++)
        od_buf_add_char(to, *p == '\n' || *p == '\r' ? ' ' : *p);
    od_buf_add_char(to, '\n');
}

/* Variables of a Slurm job, documented in sbatch(1). */
static const char *const job_variables[] = {
    "SLURM_JOB_ID",      "SLURM_ARRAY_TASK_ID", "SLURM_JOB_PARTITION", "SLURM_NODEID",
    "SLURM_PROCID",      "SLURM_NTASKS",        "SLURM_MEM_PER_NODE",  "SLURM_MEM_PER_CPU",
    "SLURM_MEM_PER_GPU", "SLURM_CPUS_ON_NODE",  "SLURM_GPUS_ON_NODE",  NULL};

/* Does a known program take a setting from the variable, or does the variable describe the job? */
static bool is_setting(struct od_view variable)
{
    if (od_view_eq_any(variable, job_variables))
        return true;
    for (size_t i = 0; od_shipped_software[i]; i++)
        for (size_t k = 0; k < od_shipped_software[i]->nknobs; k++) {
            const char *env = od_shipped_software[i]->knobs[k].env;
            struct od_view rest = od_view_of(env ? env : "");
            if (od_view_take(&rest, variable) && (rest.n == 0 || rest.p[0] == '='))
                return true;
        }
    return false;
}

static void print_variables(struct od_buf *to)
{
    enum { LONGEST = 256 };
    for (char **variable = environ; *variable; variable++) {
        struct od_view rest = od_view_of(*variable), name;
        if (rest.n < LONGEST && od_view_cut(&rest, '=', &name) && rest.n > 0 && is_setting(name))
            print_line(*variable, to);
    }
}

/* Prints a word on one line, quoted if a shell would interpret it. */
static void print_word(const char *word, struct od_buf *to)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    bool quoted = !*word || word[strspn(word, plain)] != '\0';
    od_buf_add_str(to, quoted ? "'" : "");
    for (const char *p = word; *p; p++) {
        if (*p == '\'')
            od_buf_add_str(to, "'\\''");
        else
            od_buf_add_char(to, *p == '\n' || *p == '\r' ? ' ' : *p);
    }
    od_buf_add_str(to, quoted ? "'" : "");
}

const struct od_shell_limit od_shell_limits[OD_SHELL_LIMITS] = {
    {'v', RLIMIT_AS, "virtual memory (kbytes, -v)"},
    {'d', RLIMIT_DATA, "data seg size (kbytes, -d)"},
    {'s', RLIMIT_STACK, "stack size (kbytes, -s)"},
    {'l', RLIMIT_MEMLOCK, NULL} /* limited on every machine, and rarely the reason */
};

void od_watched_print_command(char *const *argv, struct od_buf *to)
{
    od_buf_add_str(to, "oomdoctor run: runs:");
    for (size_t i = 0; argv[i]; i++) {
        if (strcmp(argv[i], "-m") == 0 && argv[i + 1] &&
            strcmp(argv[i + 1], "oomdoctor.auto") == 0) {
            i++; /* added by `python -m oomdoctor` */
            continue;
        }
        od_buf_add_char(to, ' ');
        print_word(argv[i], to);
    }
    od_buf_add_char(to, '\n');
    OD_FOR_EACH_OF (const struct od_shell_limit, one, od_shell_limits, OD_SHELL_LIMITS) {
        struct rlimit limit;
        if (one->words && getrlimit((unsigned)one->number, &limit) == 0 &&
            limit.rlim_cur != RLIM_INFINITY)
            od_buf_printf(to, "oomdoctor run: %s %" PRIu64 "\n", one->words,
                          (uint64_t)limit.rlim_cur / 1024);
    }
    print_variables(to);
    od_script_print(argv, to);
}

bool od_watched_failed(const struct od_pass_result *result)
{
    return result->end != OD_PASS_EXITED || result->status != 0;
}

/* Difference of two counts; 0 if one is unknown. */
static uint64_t risen(struct od_count before, struct od_count after)
{
    return before.known && after.known && after.n > before.n ? after.n - before.n : 0;
}

static bool is_killed(const struct od_pass_result *result)
{
    return result->status == (result->end == OD_PASS_SIGNALLED ? SIGKILL : SHELL_SIGNAL + SIGKILL);
}

static uint64_t kills_of(const struct od_watched *w)
{
    return risen(w->before->group.kills, w->group.kills);
}

/* Does the group's counter of kills show that the kernel killed none of its processes? */
static bool kernel_is_innocent(const struct od_watched *w)
{
    return w->before->group.kills.known && w->group.kills.known && kills_of(w) == 0;
}

/*
 * Is the kernel's log about this program? It covers the whole machine, so the program's group must
 * have lost a process, or the program must have died by SIGKILL without a counter that excludes the
 * kernel.
 */
static bool is_about_us(const struct od_watched *w)
{
    return kills_of(w) > 0 || (is_killed(w->result) && !kernel_is_innocent(w));
}

static void add_size(struct od_buf *to, const char *name, struct od_count bytes)
{
    if (bytes.known)
        od_buf_printf(to, ", %s %" PRIu64, name, bytes.n);
}

/*
 * Prints whose memory was short: the group's, if its limit was reached during the run; the
 * machine's, if the group has no limit or its limit was not reached.
 */
static void print_kills(const struct od_watched *w, struct od_buf *to)
{
    uint64_t n = kills_of(w);
    if (n == 0)
        return;
    bool full = w->group.limit.known && risen(w->before->group.full, w->group.full) > 0;
    od_buf_printf(to, "oomdoctor run: the kernel killed %" PRIu64 " %s of group %s for memory of ",
                  n, n == 1 ? "process" : "processes", full ? w->group.limited : w->group.path);
    if (full) {
        od_buf_add_str(to, "the group");
        add_size(to, "limit", w->group.limit);
        add_size(to, "peak", w->group.peak);
    } else {
        od_buf_add_str(to, "the machine");
    }
    od_buf_add_char(to, '\n');
}

static const char *signal_name(int number)
{
    const char *name = sigabbrev_np(number);
    return name ? name : "?";
}

static bool is_asked_to_end(uint64_t signals)
{
    const uint64_t end = UINT64_C(1) << SIGINT | UINT64_C(1) << SIGTERM | UINT64_C(1) << SIGHUP |
                         UINT64_C(1) << SIGQUIT;
    return (signals & end) != 0;
}

/* Prints the signals that the command received from other processes. */
static void print_signals(const struct od_watched *w, struct od_buf *to)
{
    for (int i = 1; i < 64; i++)
        if ((w->result->signals >> i & 1) && is_asked_to_end(UINT64_C(1) << i))
            od_buf_printf(to, "oomdoctor run: the command was sent signal %d (SIG%s)\n", i,
                          signal_name(i));
}

static bool is_crash(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE ||
           number == SIGABRT || number == SIGTRAP || number == SIGSYS;
}

static void print_signal(const struct od_watched *w, struct od_buf *to)
{
    int number = w->result->status;
    bool innocent = kernel_is_innocent(w);
    const char *how = is_crash(number)                 ? "crashed with"
                      : number == SIGKILL && !innocent ? "was killed by"
                                                       : "was ended by";
    od_buf_printf(
        to, "oomdoctor run: the command %s signal %d (SIG%s)%s\n", how, number, signal_name(number),
        number == SIGKILL && innocent ? ", and the kernel killed no process of its group for memory"
                                      : "");
}

static void print_end(const struct od_watched *w, struct od_buf *to)
{
    if (w->stalled)
        od_buf_add_str(to, "oomdoctor run: after the kill the command waits, and prints nothing\n");
    else if (w->result->end == OD_PASS_SIGNALLED)
        print_signal(w, to);
    else
        od_buf_printf(to, "oomdoctor run: the command ended with exit status %d\n",
                      w->result->status);
}

/* Removes and returns the first out-of-memory report: the text before the second line "x invoked
 * oom-killer". */
static struct od_view cut_report(struct od_view *kernel)
{
    size_t first = od_view_find_char(*kernel, '\n', 0);
    size_t end = first == OD_VIEW_NONE
                     ? OD_VIEW_NONE
                     : od_view_find(*kernel, OD_VIEW(" invoked oom-killer"), first);
    if (end == OD_VIEW_NONE)
        end = kernel->n;
    else
        while (kernel->p[end - 1] != '\n')
            end--;
    struct od_view report = od_view_head(*kernel, end);
    *kernel = od_view_from(*kernel, end);
    return report;
}

/* Does the report say that a process of that group, or of one below it, was killed? */
static bool is_of_group(struct od_view report, const char *path)
{
    static const char *const words[] = {"task_memcg=",
                                        "Task in "}; /* the second one until Linux 4.19 */
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        size_t at = od_view_find(report, od_view_of(words[i]), 0);
        struct od_view group = report;
        if (at == OD_VIEW_NONE)
            continue;
        group = od_view_from(report, at + strlen(words[i]));
        if (od_view_take(&group, od_view_of(path)))
            return group.n == 0 || strchr("/, \n", group.p[0]) != NULL;
    }
    return false;
}

/* Prints the kernel's log. It covers the whole machine: if a report names our group, reports that
 * name other groups are omitted. Within a container our group is "/", which identifies nothing. */
static void print_kernel(const struct od_watched *w, struct od_buf *to)
{
    const char *path = w->group.path;
    bool ours = false;
    for (struct od_view rest = w->kernel; rest.n > 0 && path && strcmp(path, "/") != 0 && !ours;)
        ours = is_of_group(cut_report(&rest), path);
    for (struct od_view rest = w->kernel; rest.n > 0;) {
        struct od_view report = cut_report(&rest);
        if (!ours || is_of_group(report, path))
            od_buf_add(to, report);
    }
}

/* Prints where a process accessed invalid memory, according to the kernel. */
static void print_faults(const struct od_watched *w, struct od_buf *to)
{
    struct od_view line;
    for (struct od_view rest = w->kernel; od_view_cut(&rest, '\n', &line);)
        if (od_view_has(line, OD_VIEW(" segfault at ")))
            od_buf_printf(to, "%.*s\n", (int)line.n, line.p);
}

void od_watched_print(const struct od_watched *w, struct od_buf *to)
{
    const struct od_pass_result *result = w->result;
    if (result->peak_rss_bytes > 0)
        od_buf_printf(to, "oomdoctor run: peak resident memory of a process: %" PRIu64 " bytes\n",
                      result->peak_rss_bytes);
    if (w->group.limit.known)
        od_buf_printf(to, "oomdoctor run: memory of group %s: limit %" PRIu64 " bytes\n",
                      w->group.limited, w->group.limit.n);
    print_signals(w, to);
    bool kernel = is_about_us(w) && w->kernel.n > 0;
    if (kernel)
        print_kernel(w, to);
    if (!kernel || !od_view_has(w->kernel, OD_VIEW("Killed process")))
        print_kills(w, to);
    if (!kernel && (result->status == SIGSEGV || result->status == SHELL_SIGNAL + SIGSEGV))
        print_faults(w, to);
    print_end(w, to);
}

bool od_stall_look(struct od_stall *stall, const struct od_watch *watch, unsigned silent_s)
{
    enum { IDLE_S = 20, BUSY = 20 }; /* BUSY: more than 1/20 of a processor */
    struct od_arena *arena = od_arena_new();
    struct od_watched now = {.before = watch, .group = od_cgroup_read("", arena)};
    uint64_t ticks = kills_of(&now) > 0 ? od_usage_below("", getpid()).ticks : 0;
    uint64_t used = ticks > stall->ticks ? ticks - stall->ticks : stall->ticks - ticks;
    bool idle = silent_s > 1 && ticks > 0 && used * BUSY <= (uint64_t)sysconf(_SC_CLK_TCK);
    stall->idle_s = idle ? stall->idle_s + 1 : 0;
    stall->ticks = ticks;
    od_arena_free(arena);
    return stall->idle_s >= IDLE_S;
}

void od_stall_end(struct od_stall *stall, pid_t pid)
{
    enum { PATIENCE_S = 5 };
    if (stall->ended_s++ % PATIENCE_S == 0)
        od_usage_signal(pid, stall->ended_s == 1 ? SIGTERM : SIGKILL);
}

void od_watch_tell(const struct od_watch *watch, const char *root,
                   const struct od_pass_result *result, bool stalled, struct od_buf *to)
{
    struct od_arena *arena = od_arena_new();
    struct od_buf kernel = {0};
    od_kernel_log_read(watch->kernel_log, KERNEL_MOST, &kernel);
    struct od_watched watched = {.before = watch,
                                 .group = od_cgroup_read(root, arena),
                                 .kernel = od_buf_view(&kernel),
                                 .result = result,
                                 .stalled = stalled};
    od_watched_print(&watched, to);
    od_buf_done(&kernel);
    od_arena_free(arena);
}
