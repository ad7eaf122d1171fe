/*
 * oomdoctor.cgi: the page as a CGI/1.1 program (RFC 3875). Handles one request and ends. Writes
 * nothing to a disk. Writes one line to standard error: status, method, bytes, seconds, cause.
 */
#include "cgi/body.h"
#include "cgi/outside.h"
#include "cgi/page.h"
#include "cgi/request.h"
#include "cgi/slots.h"
#include "cgi/work.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Servers log this status if the client disconnected. It is never sent. */
enum { CLIENT_LEFT = 499 };

struct reply {
    unsigned status;
    enum od_wire_type type;
    unsigned retry_s; /* value of Retry-After; 0 = no header */
    char cause[sizeof(((struct od_wire_answer *)NULL)->cause)];
    struct od_buf body;
};

static bool write_all(struct od_view text)
{
    while (text.n > 0) {
        ssize_t n = write(STDOUT_FILENO, text.p, text.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text = od_view_from(text, (size_t)n);
    }
    return true;
}

static bool send_reply(const struct od_cgi_request *request, const struct reply *reply)
{
    static const char *const types[] = {[OD_WIRE_HTML] = "text/html; charset=utf-8",
                                        [OD_WIRE_JSON] = "application/json",
                                        [OD_WIRE_MARKDOWN] = "text/plain; charset=utf-8"};
    struct od_buf out = {0};
    od_buf_printf(&out, "Status: %u %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n",
                  reply->status, od_page_status(reply->status), types[reply->type], reply->body.n);
    od_buf_add_str(&out, "Content-Security-Policy: ");
    od_page_policy(&out);
    od_buf_add_str(&out, "\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                         "Cross-Origin-Resource-Policy: same-origin\r\n"
                         "Cross-Origin-Opener-Policy: same-origin\r\nCache-Control: no-store\r\n");
    if (reply->retry_s > 0)
        od_buf_printf(&out, "Retry-After: %u\r\n", reply->retry_s);
    if (reply->status == 405)
        od_buf_add_str(&out, "Allow: GET, HEAD, POST\r\n");
    od_buf_add_str(&out, "\r\n");
    if (request->method != OD_CGI_HEAD)
        od_buf_add(&out, od_buf_view(&reply->body));
    bool ok = write_all(od_buf_view(&out));
    od_buf_done(&out);
    return ok;
}

static void refuse(const struct od_cgi_request *request, struct reply *reply, unsigned status,
                   const char *why, const char *help)
{
    struct od_page_problem problem = {.status = status, .why = why, .help = help};
    reply->status = status;
    reply->type = request->wants_json ? OD_WIRE_JSON : OD_WIRE_HTML;
    memcpy(reply->cause, "refused", sizeof "refused");
    od_page_problem(&problem, request->wants_json, &reply->body);
}

static void refuse_late(const struct od_cgi_request *request, struct reply *reply)
{
    refuse(request, reply, 408, "the log did not arrive in time",
           "Compress it (gzip, xz, zstd), or send only the end.");
}

static void refuse_large(const struct od_cgi_request *request, struct reply *reply)
{
    refuse(
        request, reply, 413, "the log is larger than this page accepts",
        "Send the end of the log, compressed (gzip, xz, zstd), or run oomdoctor on your machine.");
}

static void refuse_end(const struct od_cgi_request *request, const struct od_outside *outside,
                       struct reply *reply)
{
    static const char shorter[] = "Send only the end of the log, or run oomdoctor on your machine.";
    switch (outside->end) {
    case OD_OUTSIDE_NO_LOCK:
        refuse(request, reply, 503,
               "uploaded logs are only read in a sandbox, and this machine cannot provide one",
               outside->why);
        break;
    case OD_OUTSIDE_SLOW:
        refuse(request, reply, 503, "the analysis exceeded the time limit of this page", shorter);
        break;
    case OD_OUTSIDE_MEMORY:
    case OD_OUTSIDE_TOO_MUCH:
        refuse(request, reply, 413, "the analysis exceeded the memory limit of this page", shorter);
        break;
    case OD_OUTSIDE_NO_PROCESS:
        reply->retry_s = 10;
        refuse(request, reply, 503, "the server cannot start another process", NULL);
        break;
    case OD_OUTSIDE_ANSWERED:
    case OD_OUTSIDE_LEFT:
    case OD_OUTSIDE_BROKEN:
        refuse(request, reply, 500, "oomdoctor crashed on this log, which is a bug in oomdoctor",
               "Please report it, with the log if possible.");
        break;
    }
}

static void refuse_many(const struct od_cgi_request *request, struct reply *reply)
{
    reply->retry_s = 5;
    refuse(request, reply, 503, "too many logs are being sent from this address",
           "Try again when the others are done.");
}

/* Reads the whole body before waiting for a slot. */
static bool take_body(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                      struct reply *reply)
{
    switch (od_body_take(request, settings)) {
    case OD_BODY_READ:
        return true;
    case OD_BODY_SLOW:
        refuse_late(request, reply);
        break;
    case OD_BODY_LEFT:
        break;
    case OD_BODY_NO_MEMORY:
        reply->retry_s = 10;
        refuse(request, reply, 503, "the machine has no room for the log", NULL);
        break;
    }
    return false;
}

static void work_in_slot(const struct od_cgi_request *request,
                         const struct od_cgi_settings *settings, struct reply *reply)
{
    struct od_outside outside;
    int slot = od_slot_take(settings);
    if (slot < 0) {
        reply->retry_s = 5;
        refuse(request, reply, 503, "too many logs are being analyzed right now",
               "Try again in a few seconds.");
        return;
    }
    od_outside_run(request, settings, &od_cgi_work, &outside);
    if (outside.end == OD_OUTSIDE_ANSWERED) {
        reply->status = outside.answer.status;
        reply->type = outside.answer.type;
        memcpy(reply->cause, outside.answer.cause, sizeof reply->cause);
        od_outside_draw(&outside.answer, &reply->body);
    } else {
        refuse_end(request, &outside, reply);
    }
    od_slot_leave(slot);
    od_outside_done(&outside);
}

static void work_on(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                    struct reply *reply, bool *ret_body_read)
{
    int place;
    if (!od_place_take(request, settings, &place)) {
        refuse_many(request, reply);
        return;
    }
    *ret_body_read = request->method != OD_CGI_POST || take_body(request, settings, reply);
    if (*ret_body_read)
        work_in_slot(request, settings, reply);
    od_slot_leave(place);
}

/* Discards the rest of the request, because a browser shows no answer before it has sent
 * everything. Limited in time, also for slow clients. */
static void drain(const struct od_cgi_settings *settings)
{
    enum { PIECE = 1 << 16, WAIT_MS = 2000, EACH_SECOND = 1 << 15 };
    char piece[PIECE];
    struct pollfd file = {.fd = STDIN_FILENO, .events = POLLIN};
    uint64_t got = 0;
    time_t start = time(NULL), took = 0;
    while (got < 4 * settings->body_most && took < settings->seconds &&
           (took < 2 || got > (uint64_t)took * EACH_SECOND) && poll(&file, 1, WAIT_MS) > 0) {
        ssize_t n = read(STDIN_FILENO, piece, sizeof piece);
        if (n <= 0)
            break;
        got += (uint64_t)n;
        took = time(NULL) - start;
    }
}

static bool is_health(const struct od_cgi_request *request)
{
    return od_view_ends(od_view_of(request->path), OD_VIEW("/healthz"));
}

/* Answers requests that need no analysis. False if there is more to do. */
static bool answer_soon(const struct od_cgi_request *request,
                        const struct od_cgi_settings *settings, struct reply *reply)
{
    struct od_view path = od_view_of(request->path);
    bool is_get = request->method == OD_CGI_GET || request->method == OD_CGI_HEAD;
    const char *why = NULL;
    if (request->refused == 408) {
        refuse_late(request, reply);
    } else if (request->refused == 413) {
        refuse_large(request, reply);
    } else if (!is_get && request->method != OD_CGI_POST) {
        refuse(request, reply, 405, "this page supports only GET and POST", NULL);
    } else if (!is_health(request) && path.n > 0 && !od_view_eq_str(path, "/")) {
        refuse(request, reply, 404, "there is no such page", NULL);
    } else if (request->foreign && (!is_get || strstr(request->query, "example="))) {
        refuse(request, reply, 403, "a page of another site may not start an analysis", NULL);
    } else if (request->method == OD_CGI_POST && request->bad_length) {
        refuse(request, reply, 400, "the Content-Length is not a number", NULL);
    } else if (request->method == OD_CGI_POST && request->length > settings->body_most) {
        refuse_large(request, reply);
    } else if (is_get && !strstr(request->query, "example=")) {
        if ((why = od_outside_try(settings)))
            refuse(request, reply, 503, why,
                   "Uploaded logs are only read in a sandbox (seccomp, Landlock). On the command "
                   "line oomdoctor works without one: oomdoctor analyze LOG.");
        else if (is_health(request))
            od_buf_add_str(&reply->body, "ok\n");
        else
            od_page_ask(settings, &reply->body);
        reply->type = is_health(request) && !why ? OD_WIRE_MARKDOWN : reply->type;
    } else {
        return false;
    }
    return true;
}

int main(void)
{
    static const char *const methods[] = {"GET", "HEAD", "POST", "other"};
    struct timespec start, end;
    struct od_cgi_settings settings = od_cgi_settings_read();
    struct od_cgi_request request = od_cgi_request_read();
    struct reply reply = {.status = 200, .type = OD_WIRE_HTML, .cause = "page"};
    bool body_read = false;
    (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    /* queue, body, work and figures have their own limits; if all of these fail, the alarm ends
     * this process, the inner process and gnuplot */
    (void)alarm(4 * settings.seconds + 20);
    if (!answer_soon(&request, &settings, &reply))
        work_on(&request, &settings, &reply, &body_read);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    bool left = !od_cgi_is_awaited();
    if (left) {
        reply.status = CLIENT_LEFT;
        memcpy(reply.cause, "left", sizeof "left");
    }
    /* written before the answer, because servers may end this process when they have the answer */
    (void)fprintf(stderr, "oomdoctor.cgi: %u %s %" PRIu64 " bytes %.2f s %s\n", reply.status,
                  methods[request.method], request.length, seconds, reply.cause);
    /* limits the time in which a client takes the answer */
    (void)alarm(4 * settings.seconds);
    bool sent = !left && send_reply(&request, &reply);
    od_buf_done(&reply.body);
    if (sent && request.method == OD_CGI_POST && !body_read) {
        (void)close(STDOUT_FILENO);
        drain(&settings);
    }
    return sent ? 0 : 1;
}
