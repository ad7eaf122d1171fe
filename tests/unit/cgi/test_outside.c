/* The lock, asked for what it is to refuse; and what becomes of a process inside that misbehaves.
 */
#include "base/num.h"
#include "cgi/outside.h"
#include "config.h"
#include "tests/unit/cgi/suites.h"
#include "tests/unit/suite.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each returns true where it could be done. */
static bool opens(void)
{
    return open("/etc/passwd", O_RDONLY) >= 0 || open("/", O_RDONLY | O_DIRECTORY) >= 0;
}

static bool creates(void)
{
    return open("/dev/shm/oomdoctor-escaped", O_WRONLY | O_CREAT, 0600) >= 0 ||
           mkdir("/dev/shm/oomdoctor-escaped", 0700) == 0;
}

static bool deletes(void)
{
    return unlink("/dev/shm/oomdoctor-here") == 0 || errno == ENOENT;
}

static bool looks(void)
{
    struct stat st;
    return stat("/etc/passwd", &st) == 0 || access("/", F_OK) == 0;
}

static bool forks(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid > 0;
}

static bool executes(void)
{
    static char name[] = "/bin/true";
    char *words[] = {name, NULL};
    (void)execve(name, words, NULL);
    return errno == ENOENT || errno == EACCES;
}

static bool connects(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static bool writes(void)
{
#ifndef OD_SANITIZED
    if (write(STDERR_FILENO, "x", 1) >= 0)
        return true;
#endif
    return write(STDOUT_FILENO, "x", 1) >= 0;
}

static bool signals(void)
{
    return kill(getppid(), 0) == 0;
}

static bool traces(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

static bool runs_data(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                0) != MAP_FAILED;
}

static bool makes_data_run(void)
{
    void *data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return data == MAP_FAILED || mprotect(data, 4096, PROT_READ | PROT_EXEC) == 0;
}

static bool raises_limits(void)
{
    return setpgid(0, 0) == 0 || nice(1) != -1;
}

static bool (*const tries[])(void) = {
    opens,  creates, deletes, looks,     forks,          executes,      connects,
    writes, signals, traces,  runs_data, makes_data_run, raises_limits,
};

static const struct od_cgi_settings settings = {
    .body_most = 1 << 20, .memory_most = 256 << 20, .output_most = 1 << 20, .seconds = 2};
static const struct od_cgi_request get = {
    .method = OD_CGI_GET, .path = "", .query = "", .type = ""};

static int answer(int out, const char *word)
{
    bool ok = od_wire_send(out, OD_WIRE_CAUSE, 0, od_view_of(word)) &&
              od_wire_send(out, OD_WIRE_ANSWER, 200, od_view_of("text"));
    return ok ? 0 : 1;
}

/* As a JIT does. Who writes to it is to die without a sanitizer's explanation. */
static void *make_code(const struct od_cgi_request *request)
{
    (void)request;
    (void)signal(SIGSEGV, SIG_DFL);
    void *code =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(code, MAP_FAILED);
    memcpy(code, "\xc3", 1);
    return code;
}

/* The row rides in the length. */
static int try_one(const struct od_cgi_request *request, const struct od_cgi_settings *s, int in,
                   int out, void *prepared)
{
    (void)s, (void)in, (void)prepared;
    return answer(out, tries[request->length]() ? "could" : "refused");
}

START_TEST(test_refused)
{
    struct od_cgi_request request = get;
    struct od_outside outside;
    request.length = (uint64_t)_i;
    const struct od_inside inside = {.prepare = make_code, .work = try_one};
    od_outside_run(&request, &settings, &inside, &outside);
    ck_assert_msg(outside.end == OD_OUTSIDE_ANSWERED, "end %d", (int)outside.end);
    ck_assert_str_eq(outside.answer.cause, "refused");
    ck_assert(od_view_eq_str(outside.answer.text, "text"));
    od_outside_done(&outside);
}
END_TEST

/* What qsort of some C libraries asks, and where it is refused sorts in another way than elsewhere.
 */
static int asks(const struct od_cgi_request *request, const struct od_cgi_settings *s, int in,
                int out, void *prepared)
{
    struct sysinfo info;
    (void)request, (void)s, (void)in, (void)prepared;
    return answer(out, sysinfo(&info) == 0 ? "told" : "refused");
}

START_TEST(test_told)
{
    struct od_outside outside;
    const struct od_inside inside = {.work = asks};
    od_outside_run(&get, &settings, &inside, &outside);
    ck_assert_str_eq(outside.answer.cause, "told");
    od_outside_done(&outside);
}
END_TEST

static int change_code(const struct od_cgi_request *request, const struct od_cgi_settings *s,
                       int in, int out, void *prepared)
{
    (void)request, (void)s, (void)in;
    *(volatile char *)prepared = 0;
    return answer(out, "could");
}

static int open_code(const struct od_cgi_request *request, const struct od_cgi_settings *s, int in,
                     int out, void *prepared)
{
    (void)request, (void)s, (void)in;
    bool could = mprotect(prepared, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
    return answer(out, could ? "could" : "refused");
}

static int die(const struct od_cgi_request *request, const struct od_cgi_settings *s, int in,
               int out, void *prepared)
{
    (void)request, (void)s, (void)in, (void)out, (void)prepared;
    __builtin_trap();
}

static int hang(const struct od_cgi_request *request, const struct od_cgi_settings *s, int in,
                int out, void *prepared)
{
    (void)request, (void)s, (void)in, (void)out, (void)prepared;
    while (sleep(1) <= 1)
        continue;
    return 0;
}

static int babble(const struct od_cgi_request *request, const struct od_cgi_settings *s, int in,
                  int out, void *prepared)
{
    (void)request, (void)s, (void)in, (void)prepared;
    static const char zeros[4096];
    while (write(out, zeros, sizeof zeros) > 0)
        continue;
    return 0;
}

static int leave(const struct od_cgi_request *request, const struct od_cgi_settings *s, int in,
                 int out, void *prepared)
{
    (void)request, (void)s, (void)in, (void)out, (void)prepared;
    return 0;
}

static int run_out(const struct od_cgi_request *request, const struct od_cgi_settings *s, int in,
                   int out, void *prepared)
{
    (void)request, (void)s, (void)in, (void)out, (void)prepared;
    return 5; /* as base/mem.h does */
}

#ifndef OD_SANITIZED /* which take terabytes of addresses: there is no limit */
static int eat(const struct od_cgi_request *request, const struct od_cgi_settings *s, int in,
               int out, void *prepared)
{
    (void)request, (void)in, (void)prepared;
    bool could = mmap(NULL, s->memory_most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                      0) != MAP_FAILED;
    return answer(out, could ? "could" : "refused");
}
#endif

static const struct {
    struct od_inside inside;
    enum od_outside_end end;
} ends[] = {
    {{make_code, change_code}, OD_OUTSIDE_BROKEN},
    {{make_code, open_code}, OD_OUTSIDE_ANSWERED},
    {{.work = die}, OD_OUTSIDE_BROKEN},
    {{.work = hang}, OD_OUTSIDE_SLOW},
    {{.work = babble}, OD_OUTSIDE_TOO_MUCH},
    {{.work = leave}, OD_OUTSIDE_BROKEN},
    {{.work = run_out}, OD_OUTSIDE_MEMORY},
#ifndef OD_SANITIZED
    {{.work = eat}, OD_OUTSIDE_ANSWERED},
#endif
};

START_TEST(test_end)
{
    struct od_outside outside;
    od_outside_run(&get, &settings, &ends[_i].inside, &outside);
    ck_assert_int_eq((int)outside.end, (int)ends[_i].end);
    if (outside.end == OD_OUTSIDE_ANSWERED)
        ck_assert_str_eq(outside.answer.cause, "refused");
    od_outside_done(&outside);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no process is left */
}
END_TEST

START_TEST(test_lock_is_there)
{
    ck_assert_ptr_null(od_outside_try(&settings));
}
END_TEST

/* If the sandbox cannot be entered, the request is not read. */
START_TEST(test_no_lock)
{
    ck_assert_ptr_nonnull(od_outside_try(&settings));
}
END_TEST

Suite *od_outside_suite(void)
{
    if (!OD_LOCKS)
        return od_suite_loop("outside", test_no_lock, 1);
    Suite *suite = od_suite_loop("outside", test_refused, OD_COUNT_OF(tries));
    TCase *tcase = tcase_create("ends");
    tcase_set_timeout(tcase, 20);
    tcase_add_loop_test(tcase, test_end, 0, OD_COUNT_OF(ends));
    tcase_add_test(tcase, test_told);
    tcase_add_test(tcase, test_lock_is_there);
    suite_add_tcase(suite, tcase);
    return suite;
}
