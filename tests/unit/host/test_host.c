/* Programs as children: what they see, what we get, and that nothing of them is left. */
#include "base/num.h"
#include "base/view.h"
#include "host/child.h"
#include "host/gnuplot.h"
#include "host/lock.h"
#include "host/system.h"
#include "tests/unit/host/suites.h"
#include "tests/unit/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const bare[] = {"WORD=one two", NULL};

static struct od_child_result run(const char *script, struct od_child child)
{
    const char *const words[] = {"/bin/sh", "-c", script, NULL};
    child.argv = words;
    child.environment = bare;
    child.output_most = child.output_most > 0 ? child.output_most : 1000;
    child.limit_ms = child.limit_ms > 0 ? child.limit_ms : 20000;
    child.file_most = 1000;
    return od_child_run(&child);
}

static const struct {
    const char *script;
    enum od_child_end end;
    int status;
    const char *out, *err;
} plain[] = {
    {"echo out; echo err >&2", OD_CHILD_EXITED, 0, "out\n", "err\n"},
    {"exit 7", OD_CHILD_EXITED, 7, "", ""},
    {"kill -TERM $$", OD_CHILD_SIGNALLED, SIGTERM, "", ""},
    {"cat", OD_CHILD_EXITED, 0, "the input", ""},
    {"cat " OD_CHILD_TABLE "; cat " OD_CHILD_TABLE, OD_CHILD_EXITED, 0, "the tablethe table", ""},
    {"pwd", OD_CHILD_EXITED, 0, "/\n", ""},
    {"echo \"$WORD\"; test -z \"$HOME$USER$LANG\"", OD_CHILD_EXITED, 0, "one two\n", ""},
    /* nothing of ours is open in it: 0 to 3, and what the shell opens to look */
    {"for f in /proc/self/fd/*; do n=${f##*/}; [ $n -gt 10 ] && echo $n; done; true",
     OD_CHILD_EXITED, 0, "", ""},
};

START_TEST(runs_and_tells)
{
    int ours =
        open("/dev/null", O_RDONLY); /* not close-on-exec, as another library leaves a descriptor */
    (void)dup2(ours, 200);
    struct od_child_result result =
        run(plain[_i].script,
            (struct od_child){.input = OD_VIEW("the input"), .table = OD_VIEW("the table")});
    ck_assert_int_eq(result.end, plain[_i].end);
    ck_assert_int_eq(result.status, plain[_i].status);
    ck_assert_str_eq(od_buf_str(&result.out), plain[_i].out);
    ck_assert_str_eq(od_buf_str(&result.err), plain[_i].err);
    od_child_done(&result);
    (void)close(200);
    (void)close(ours);
}
END_TEST

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

/* Each would go on for a minute; its own children, too. */
static const struct {
    const char *script;
    enum od_child_end end;
} endless[] = {
    {"sleep 60", OD_CHILD_TOO_LONG},
    {"sleep 60 & echo $!; wait", OD_CHILD_TOO_LONG},
    {"sleep 60 >/dev/null 2>&1 & echo $!", OD_CHILD_EXITED},
    {"trap '' TERM INT; sleep 60 & echo $!; while :; do sleep 1; done", OD_CHILD_TOO_LONG},
    {"exec >/dev/null 2>&1; sleep 60", OD_CHILD_TOO_LONG},
    {"sleep 60 >/dev/null 2>&1 & echo $!; while :; do echo yyyyyyyyyyyyyyyy; done",
     OD_CHILD_TOO_MUCH},
    {"while :; do echo yyyyyyyyyyyyyyyy >&2; done", OD_CHILD_TOO_MUCH},
};

/* The process is gone, or a zombie that its new parent has not waited for. */
static bool is_gone(pid_t pid)
{
    char path[64], text[256] = {0};
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    for (int i = 0; i < 200; i++) {
        FILE *file = fopen(path, "r");
        if (!file)
            return true;
        size_t n = fread(text, 1, sizeof text - 1, file);
        (void)fclose(file);
        text[n] = '\0';
        const char *state = strrchr(text, ')');
        if (!state || state[2] == 'Z' || state[2] == 'X')
            return true;
        (void)usleep(10000);
    }
    return false;
}

START_TEST(stops_and_leaves_nothing)
{
    struct timespec start;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    struct od_child_result result =
        run(endless[_i].script, (struct od_child){.limit_ms = 700, .output_most = 5000});
    ck_assert_int_eq(result.end, endless[_i].end);
    ck_assert_double_lt(seconds_since(&start), 15);
    struct od_view number = od_view_trim(od_view_head(od_buf_view(&result.out), 12)), line;
    uint64_t pid;
    if (od_view_cut(&number, '\n', &line) && od_num_parse_u64(line, &pid))
        ck_assert(is_gone((pid_t)pid));
    od_child_done(&result);
}
END_TEST

START_TEST(missing_programs)
{
    static const char *const names[] = {"no-such-program-here", "/no/such/program", "/etc/passwd",
                                        "/tmp"};
    const char *const words[] = {names[_i], NULL};
    struct od_child child = {.argv = words, .environment = bare, .limit_ms = 5000};
    struct od_child_result result = od_child_run(&child);
    ck_assert_int_eq(result.end, OD_CHILD_MISSING);
    od_child_done(&result);
}
END_TEST

/* Closed standard files of ours must not become the child's by mistake. */
START_TEST(with_closed_files)
{
    (void)close(STDIN_FILENO);
    (void)close(STDOUT_FILENO);
    struct od_child_result result =
        run("cat; cat " OD_CHILD_TABLE "; echo err >&2",
            (struct od_child){.input = OD_VIEW("in"), .table = OD_VIEW("table")});
    ck_assert_int_eq(result.end, OD_CHILD_EXITED);
    ck_assert_str_eq(od_buf_str(&result.out), "intable");
    ck_assert_str_eq(od_buf_str(&result.err), "err\n");
    od_child_done(&result);
}
END_TEST

START_TEST(ignored_children)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGCHLD, &ignore, NULL);
    struct od_child_result result = run("echo out", (struct od_child){0});
    ck_assert_str_eq(od_buf_str(&result.out), "out\n");
    od_child_done(&result);
}
END_TEST

/* Who asks to die with a parent that has ended would wait for a signal that never comes. */
START_TEST(dies_with_its_parent)
{
    int ends[2];
    char answers[2] = {0};
    ck_assert_int_eq(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0) {
        pid_t self = getpid();
        if (fork() == 0) {
            answers[0] = od_system_die_with(self) ? 'y' : 'n';
            (void)prctl(PR_SET_PDEATHSIG, 0);
            (void)kill(self, SIGKILL);
            while (getppid() == self)
                (void)poll(NULL, 0, 1);
            answers[1] = od_system_die_with(self) ? 'y' : 'n';
            (void)!write(ends[1], answers, sizeof answers);
            _exit(0);
        }
        (void)pause();
    }
    ck_assert_int_eq(waitpid(parent, NULL, 0), parent);
    ck_assert_int_eq(read(ends[0], answers, sizeof answers), sizeof answers);
    ck_assert_int_eq(answers[0], 'y');
    ck_assert_int_eq(answers[1], 'n');
}
END_TEST

/* A title cannot end its quotes and become a command. */
START_TEST(head_is_quoted)
{
    struct od_gnuplot_page page = {
        .width = 10, .height = 10, .scale = 1, .title = "a'\nset print 'x"};
    struct od_buf text = {0};
    od_gnuplot_head(&page, &text);
    ck_assert_ptr_nonnull(strstr(od_buf_str(&text), "set title 'aset print x'\n"));
    od_buf_done(&text);
}
END_TEST

int main(void)
{
    (void)setenv("CK_FORK", "yes", 1); /* a test that locks its process locks no other */
    Suite *suite = suite_create("child");
    TCase *tcase = tcase_create("child");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, runs_and_tells, 0, (int)OD_COUNT_OF(plain));
    tcase_add_loop_test(tcase, stops_and_leaves_nothing, 0, (int)OD_COUNT_OF(endless));
    tcase_add_loop_test(tcase, missing_programs, 0, 4);
    tcase_add_test(tcase, with_closed_files);
    tcase_add_test(tcase, ignored_children);
    tcase_add_test(tcase, dies_with_its_parent);
    tcase_add_test(tcase, head_is_quoted);
    suite_add_tcase(suite, tcase);
    Suite *const suites[] = {suite, od_lock_suite(), NULL};
    return od_suites_run(suites);
}
