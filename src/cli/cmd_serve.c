#include "config.h" /* must be first: it decides what system headers declare */

#include "cli/command.h"
#include "cli/page_server.h"
#include "host/child.h"
#include "host/system.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef OD_CGI_DIR /* set by the Makefile */
#define OD_CGI_DIR "/usr/local/libexec/oomdoctor"
#endif

static int run(int argc, char **argv);

static const struct od_option options[] = {
    {"port", 'p', "N", "Port (8137)"},
    {"address", 'a', "ADDRESS", "Address to listen on (127.0.0.1: this machine only)"},
    {"cgi", 0, "FILE", "Path of oomdoctor.cgi, if it is not installed"},
    {0}};

const struct od_command od_command_serve = {
    .name = "serve",
    .use = OD_USE_OTHER,
    .arguments = "[OPTION...]",
    .summary = "Serve the paste-in page to a browser on this machine",
    .details = OD_HELP_serve,
    .examples = "oomdoctor serve --port 8200",
    .options = options,
    .run = run,
};

struct serve {
    const char *address, *port, *given_cgi;
    char cgi[PATH_MAX];
};

static bool join(char ret_path[static PATH_MAX], struct od_view folder, const char *name)
{
    int n = snprintf(ret_path, PATH_MAX, "%.*s/%s", folder.n < PATH_MAX ? (int)folder.n : 0,
                     folder.p, name);
    return n > 0 && n < PATH_MAX;
}

/* Searches our own folder (a build, a copied pair), the folder next to it (a Python environment),
 * and the installed location. */
static bool find_cgi(struct serve *s)
{
    char self[PATH_MAX];
    if (s->given_cgi)
        return realpath(s->given_cgi, s->cgi) && od_child_is_program(s->cgi);
    ssize_t n = readlink(od_system_self(), self, sizeof self - 1);
    struct od_view folder = {self, n > 0 ? (size_t)n : 0};
    while (folder.n > 0 && folder.p[folder.n - 1] != '/')
        folder.n--;
    folder.n -= folder.n > 0;
    return (join(s->cgi, folder, "oomdoctor.cgi") && od_child_is_program(s->cgi)) ||
           (join(s->cgi, folder, "../libexec/oomdoctor/oomdoctor.cgi") &&
            od_child_is_program(s->cgi)) ||
           (join(s->cgi, OD_VIEW(OD_CGI_DIR), "oomdoctor.cgi") && od_child_is_program(s->cgi));
}

/* Runs in the child and never returns. The child has its own process group, because only the parent
 * handles Ctrl-C. */
static void become_server(const struct serve *s)
{
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    (void)setpgid(0, 0);
    od_system_follow_parent(SIGTERM);
    od_page_server_run(&(struct od_page_server){s->address, s->port, s->cgi});
    _exit(127);
}

static bool answers(const struct serve *s)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV},
                    *found = NULL;
    if (getaddrinfo(s->address, s->port, &hints, &found) != 0)
        return false;
    int fd = od_system_socket(found->ai_family, SOCK_STREAM);
    bool ok = fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) == 0;
    if (fd >= 0)
        (void)close(fd);
    freeaddrinfo(found);
    return ok;
}

/* Is the port free? Another program's page must not be announced as ours. */
static bool is_free(const struct serve *s)
{
    if (!answers(s))
        return true;
    od_complain("%s port %s is in use; choose another with --port", s->address, s->port);
    return false;
}

/* False if the server ends before it answers. */
static bool wait_until_it_answers(const struct serve *s, pid_t pid)
{
    enum { LOOKS = 2000, LOOK_MS = 5 };
    for (int i = 0; i < LOOKS && !od_child_has_ended(pid); i++) {
        if (answers(s))
            return true;
        (void)poll(NULL, 0, LOOK_MS);
    }
    return false;
}

static bool tell(const struct serve *s)
{
    struct od_buf text = {0};
    bool six = strchr(s->address, ':') != NULL;
    od_buf_printf(&text, "http://%s%s%s:%s/\n", six ? "[" : "", s->address, six ? "]" : "",
                  s->port);
    bool ok = od_write_all(text.p, text.n);
    od_buf_done(&text);
    (void)fputs("oomdoctor: press Ctrl-C to stop\n", stderr);
    return ok;
}

static void end(pid_t pid)
{
    (void)kill(pid, SIGTERM);
    for (int i = 0; i < 400 && !od_child_has_ended(pid); i++)
        (void)poll(NULL, 0, 5);
    (void)kill(-pid, SIGKILL); /* its child processes that still run */
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* Starts the server. Returns its process once it answers; -1 if it does not. */
static pid_t start(const struct serve *s)
{
    pid_t pid = fork();
    if (pid == 0)
        become_server(s);
    if (pid < 0)
        od_complain("cannot start the server: %s", strerror(errno));
    if (pid > 0 && !wait_until_it_answers(s, pid)) {
        end(pid);
        pid = -1;
    }
    return pid;
}

/* Restarts a killed server; waits first if it keeps ending immediately. Gives up if the server no
 * longer answers. */
static int serve(const struct serve *s)
{
    enum { PAUSE_MS = 1000 };
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGHUP);
    (void)sigaddset(&set, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
    pid_t pid = start(s);
    bool ok = pid > 0 && tell(s);
    for (int signal_ = SIGCHLD; ok && signal_ == SIGCHLD;) {
        int64_t since = od_system_now_ms();
        ok = sigwait(&set, &signal_) == 0;
        if (!ok || signal_ != SIGCHLD || !od_child_has_ended(pid))
            continue;
        end(pid);
        if (od_system_now_ms() - since < PAUSE_MS)
            (void)poll(NULL, 0, PAUSE_MS);
        pid = start(s);
        ok = pid > 0;
        if (ok)
            od_complain("the server ended unexpectedly and was restarted");
    }
    if (pid > 0)
        end(pid);
    if (!ok)
        od_complain("the server stopped; see its messages above");
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static bool is_address(const char *text)
{
    return *text != '\0' && strspn(text, "0123456789abcdefABCDEF.:") == strlen(text) &&
           strlen(text) < 46;
}

static int take_option(void *self, const struct od_args *args, int option)
{
    struct serve *s = self;
    uint64_t port;
    if (od_args_is(args, option, "cgi")) {
        s->given_cgi = args->value;
    } else if (od_args_is(args, option, "address")) {
        if (!is_address(args->value))
            return od_usage_error(&od_command_serve, "--address takes an IP address, not '%s'",
                                  args->value);
        s->address = args->value;
    } else {
        if (!od_num_parse_u64(od_view_of(args->value), &port) || port == 0 || port > 65535 ||
            strchr(args->value, ','))
            return od_usage_error(&od_command_serve, "--port takes 1 to 65535, not '%s'",
                                  args->value);
        s->port = args->value;
    }
    return OD_EXIT_OK;
}

static int prepare(struct serve *s)
{
    if (!find_cgi(s)) {
        od_complain("oomdoctor.cgi is not installed; pass its path with --cgi");
        return OD_EXIT_UNREADABLE;
    }
    if (!od_page_server_is_there()) {
        od_complain("libmicrohttpd is missing; let a web server run %s as a CGI program", s->cgi);
        return OD_EXIT_UNREADABLE;
    }
    return is_free(s) ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static int run(int argc, char **argv)
{
    struct serve s = {.address = "127.0.0.1", .port = "8137"};
    struct od_args args = od_args_start(&od_command_serve, argc, argv);
    int status = od_args_take(&args, take_option, &s);
    if (status == OD_EXIT_OK && args.at < argc)
        status = od_usage_error(&od_command_serve, "serve takes no files");
    if (status == OD_EXIT_OK)
        status = prepare(&s);
    if (status == OD_EXIT_OK)
        status = serve(&s);
    return status;
}
