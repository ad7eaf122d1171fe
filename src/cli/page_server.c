#include "config.h" /* must be first: decides what system headers declare */

#include "cli/page_server.h"

#ifdef HAVE_MICROHTTPD

#include "cli/page_server_calls.h"
#include "host/child.h"
#include "host/system.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

/* libmicrohttpd is loaded only to start a server, because loading it takes longer than a report. */
extern const struct od_dynload_function od_page_server_linked[] __attribute__((weak));
OD_DYNLOAD_CALLS(microhttpd, OD_PAGE_SERVER_CALLS, OD_MICROHTTPD_LIBRARY, od_page_server_linked)

/*
 * Time limits: 15 seconds for the head of a request, OOMDOCTOR_SECONDS for its body, and at most 15
 * seconds without a byte, so that slow clients hold a connection only briefly. The program limits
 * the time of the answer; our limit is much higher. If half of the connections wait for a request,
 * each new connection closes the one that has waited longest.
 */
enum {
    CONNECTIONS = 256,
    WAITING = CONNECTIONS / 2,
    IDLE_S = 15,
    HEAD_S = 15,
    HEAD_BYTES = 64 << 10,
    ANSWER_BYTES = 64 << 20,
    ANSWER_MS = 900000,
    SWEEP_MS = 500,
    MIB = 1 << 20,
    VARIABLES = 24
};

struct connection {
    int fd;        /* -1 = none */
    bool in_body;  /* the head of the request was read */
    time_t closes; /* time at which it is closed; 0 = it is being answered */
};

struct server {
    struct microhttpd_calls late;
    const struct od_page_server *of;
    uint64_t body_most;
    int body_s;
    pthread_mutex_t lock; /* protects connections */
    struct connection connections[CONNECTIONS];
};

struct request {
    char *uri;                 /* URI as the client sent it */
    const char *method, *path; /* set while the request is handled */
    struct od_buf body;
    bool begun;
};

static time_t seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void set_deadline(struct server *server, struct connection *connection, int in, bool in_body)
{
    if (!connection)
        return;
    (void)pthread_mutex_lock(&server->lock);
    connection->closes = in > 0 ? seconds() + in : 0;
    connection->in_body = in_body;
    (void)pthread_mutex_unlock(&server->lock);
}

static struct connection *connection_of(const struct server *server, struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *info =
        server->late.MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* Nothing was sent yet, so the client can be sent an error. */
static void shut(struct connection *connection)
{
    static const char why[] = "HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain\r\n"
                              "Connection: close\r\n\r\n"
                              "The request did not arrive in time. Try again, or send less.\n";
    if (connection->in_body)
        (void)send(connection->fd, why, sizeof why - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)shutdown(connection->fd, SHUT_RDWR);
    connection->closes = 0;
}

/* Closes the connection that has waited longest for a request, if too many wait. */
static void make_room(struct server *server)
{
    struct connection *oldest = NULL;
    size_t waiting = 0;
    OD_FOR_EACH_OF (struct connection, connection, server->connections, CONNECTIONS) {
        if (connection->fd < 0 || connection->closes == 0 || connection->in_body)
            continue;
        waiting++;
        oldest = !oldest || connection->closes < oldest->closes ? connection : oldest;
    }
    if (waiting >= WAITING)
        shut(oldest);
}

/* libmicrohttpd reports a connection's end before it closes the descriptor. */
static void notice(void *self, struct MHD_Connection *c, void **context,
                   enum MHD_ConnectionNotificationCode code)
{
    struct server *server = self;
    (void)pthread_mutex_lock(&server->lock);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED && *context) {
        ((struct connection *)*context)->fd = -1;
        *context = NULL;
    }
    const union MHD_ConnectionInfo *info =
        code == MHD_CONNECTION_NOTIFY_STARTED
            ? server->late.MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)
            : NULL;
    if (info)
        make_room(server);
    for (size_t i = 0; info && i < CONNECTIONS && !*context; i++)
        if (server->connections[i].fd < 0) {
            server->connections[i] =
                (struct connection){.fd = info->connect_fd, .closes = seconds() + HEAD_S};
            *context = &server->connections[i];
        }
    (void)pthread_mutex_unlock(&server->lock);
}

static void sweep(struct server *server)
{
    time_t now = seconds();
    (void)pthread_mutex_lock(&server->lock);
    OD_FOR_EACH_OF (struct connection, connection, server->connections, CONNECTIONS)
        if (connection->fd >= 0 && connection->closes != 0 && now > connection->closes)
            shut(connection);
    (void)pthread_mutex_unlock(&server->lock);
}

/* --- the program's environment --- */

struct environment {
    struct od_buf texts[VARIABLES];
    const char *list[VARIABLES + 1];
    size_t n;
};

static void set(struct environment *e, const char *name, const char *value)
{
    if (!value || e->n == VARIABLES)
        return;
    od_buf_printf(&e->texts[e->n], "%s=%s", name, value);
    e->list[e->n] = od_buf_str(&e->texts[e->n]);
    e->n++;
}

static void environment_done(struct environment *e)
{
    for (size_t i = 0; i < e->n; i++)
        od_buf_done(&e->texts[i]);
}

/* Passes on settings of the page if they are numbers. */
static void set_settings(struct environment *e)
{
    static const char *const names[] = {"OOMDOCTOR_BODY",  "OOMDOCTOR_SECONDS", "OOMDOCTOR_MEMORY",
                                        "OOMDOCTOR_SLOTS", "OOMDOCTOR_QUEUE",   "OOMDOCTOR_EACH"};
    uint64_t n;
    for (size_t i = 0; i < OD_COUNT_OF(names); i++)
        if (od_num_parse_u64(od_view_of(getenv(names[i])), &n))
            set(e, names[i], getenv(names[i]));
    set(e, "PATH", "/usr/local/bin:/usr/bin:/bin");
}

static void set_client(struct environment *e, const struct server *server, struct MHD_Connection *c)
{
    char text[INET6_ADDRSTRLEN] = "";
    const union MHD_ConnectionInfo *info =
        server->late.MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info && getnameinfo(info->client_addr,
                            info->client_addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                                     : sizeof(struct sockaddr_in),
                            text, sizeof text, NULL, 0, NI_NUMERICHOST) == 0)
        set(e, "REMOTE_ADDR", text);
}

static void set_request(struct environment *e, const struct server *server,
                        struct MHD_Connection *c, const struct request *request)
{
    const char *query = strchr(request->uri, '?');
    const char *length =
        server->late.MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Length");
    char whole[24];
    (void)snprintf(whole, sizeof whole, "%zu", request->body.n);
    set(e, "GATEWAY_INTERFACE", "CGI/1.1");
    set(e, "SERVER_PROTOCOL", "HTTP/1.1");
    set(e, "REQUEST_METHOD", request->method);
    set(e, "PATH_INFO", request->path);
    set(e, "QUERY_STRING", query ? query + 1 : "");
    set(e, "CONTENT_TYPE",
        server->late.MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Type"));
    set(e, "CONTENT_LENGTH", request->body.n == 0 && length ? length : whole);
    set(e, "HTTP_ACCEPT", server->late.MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Accept"));
    set(e, "HTTP_ORIGIN", server->late.MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Origin"));
    set(e, "HTTP_SEC_FETCH_SITE",
        server->late.MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Sec-Fetch-Site"));
    set(e, "HTTP_HOST", server->late.MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host"));
    set_client(e, server, c);
}

static unsigned status_of(struct od_view value)
{
    uint64_t status = 0;
    struct od_view word = od_view_head(value, 3);
    return od_num_parse_u64(word, &status) && status >= 200 && status < 600 ? (unsigned)status
                                                                            : 502;
}

/* Reads "Name: value" lines up to the empty line before the body. Returns the HTTP status. */
static unsigned take_heads(const struct server *server, struct MHD_Response *response,
                           struct od_view heads)
{
    unsigned status = 200;
    struct od_view line;
    while (od_view_cut(&heads, '\n', &line)) {
        struct od_view value = od_view_trim(line), name;
        if (!od_view_cut(&value, ':', &name))
            continue;
        value = od_view_trim(value);
        struct od_buf word = {0}, words = {0};
        od_buf_add(&word, name);
        od_buf_add(&words, value);
        if (od_view_eq_str(name, "Status"))
            status = status_of(value);
        else if (!od_view_eq_str(name, "Content-Length"))
            (void)server->late.MHD_add_response_header(response, od_buf_str(&word),
                                                       od_buf_str(&words));
        od_buf_done(&word);
        od_buf_done(&words);
    }
    return status;
}

static enum MHD_Result send_plain(const struct server *server, struct MHD_Connection *c,
                                  unsigned status, const char *words)
{
    struct MHD_Response *response = server->late.MHD_create_response_from_buffer(
        strlen(words), (void *)(uintptr_t)words, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return MHD_NO;
    (void)server->late.MHD_add_response_header(response, "Content-Type",
                                               "text/plain; charset=utf-8");
    enum MHD_Result result = server->late.MHD_queue_response(c, status, response);
    server->late.MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_answer(const struct server *server, struct MHD_Connection *c,
                                   struct od_view out)
{
    struct od_view gap = OD_VIEW("\r\n\r\n");
    size_t end = od_view_find(out, gap, 0);
    if (end == OD_VIEW_NONE)
        return send_plain(server, c, 502, "The page gave no answer.\n");
    struct od_view body = od_view_from(out, end + gap.n);
    struct MHD_Response *response = server->late.MHD_create_response_from_buffer(
        body.n, (void *)(uintptr_t)body.p, MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    unsigned status = take_heads(server, response, od_view_head(out, end));
    enum MHD_Result result = server->late.MHD_queue_response(c, status, response);
    server->late.MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer(struct server *server, struct MHD_Connection *c,
                              struct request *request)
{
    struct environment e = {0};
    set_settings(&e);
    set_request(&e, server, c, request);
    const char *const argv[] = {server->of->cgi, NULL};
    struct od_child child = {.argv = argv,
                             .environment = e.list,
                             .input = od_buf_view(&request->body),
                             .output_most = ANSWER_BYTES,
                             .limit_ms = ANSWER_MS,
                             .file_most = ANSWER_BYTES};
    struct od_child_result result = od_child_run(&child);
    (void)fwrite(result.err.p, 1, result.err.n, stderr);
    enum MHD_Result sent = result.end == OD_CHILD_EXITED
                               ? send_answer(server, c, od_buf_view(&result.out))
                               : send_plain(server, c, 502, "The page could not be run.\n");
    od_child_done(&result);
    environment_done(&e);
    return sent;
}

/* --- callbacks of libmicrohttpd --- */

static void *begin(void *self, const char *uri, struct MHD_Connection *c)
{
    (void)self;
    (void)c;
    struct request *request = od_mem_alloc(1, sizeof *request);
    request->uri = strdup(uri);
    return request;
}

static void finish(void *self, struct MHD_Connection *c, void **context,
                   enum MHD_RequestTerminationCode why)
{
    struct server *server = self;
    struct request *request = *context;
    (void)why;
    set_deadline(server, connection_of(server, c), HEAD_S, false);
    if (!request)
        return;
    free(request->uri);
    od_buf_done(&request->body);
    od_mem_free(request);
    *context = NULL;
}

static enum MHD_Result count_length(void *self, enum MHD_ValueKind kind, const char *name,
                                    const char *value)
{
    unsigned *n = self;
    (void)kind;
    (void)value;
    *n += strcasecmp(name, "Content-Length") == 0;
    return MHD_YES;
}

/* Does Content-Length announce a body that is too long? */
static bool is_too_long(const struct server *server, struct MHD_Connection *c)
{
    uint64_t length;
    const char *text =
        server->late.MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Content-Length");
    return text &&
           (!od_num_parse_u64(od_view_of(text), &length) || length > server->body_most + MIB);
}

/* Are there two lengths? A proxy might use the other one. */
static bool has_two_lengths(const struct server *server, struct MHD_Connection *c)
{
    unsigned n = 0;
    (void)server->late.MHD_get_connection_values(c, MHD_HEADER_KIND, count_length, &n);
    return n > 1;
}

/* Is Host a name of this machine? If only this machine is served, a foreign page may reach us by
 * its own domain that resolves to 127.0.0.1; the request then has that domain. */
static bool is_own_host(const struct server *server, struct MHD_Connection *c)
{
    static const char *const own[] = {"localhost", "127.", "[::1]", NULL};
    bool local =
        strncmp(server->of->address, "127.", 4) == 0 || strcmp(server->of->address, "::1") == 0;
    const char *host = server->late.MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Host");
    struct od_view name = od_view_of(host ? host : "");
    if (!local || name.n == 0)
        return true;
    for (size_t i = 0; i < name.n && od_view_starts(name, OD_VIEW("127.")); i++)
        if (!od_is_digit(name.p[i]) && name.p[i] != '.' && name.p[i] != ':')
            return false; /* "127.example.org" */
    struct od_view rest = od_view_from(name, strlen("localhost"));
    bool ends = rest.n == 0 || rest.p[0] == ':' || !od_view_starts(name, OD_VIEW("localhost"));
    return ends && od_view_starts_any(name, own);
}

static enum MHD_Result handle(void *self, struct MHD_Connection *c, const char *path,
                              const char *method, const char *version, const char *data, size_t *n,
                              void **context)
{
    struct server *server = self;
    struct request *request = *context;
    (void)version;
    if (!request || !request->uri)
        return MHD_NO;
    request->method = method;
    request->path = path;
    if (!request->begun && has_two_lengths(server, c))
        return send_plain(server, c, 400, "The request has two lengths.\n");
    if (!request->begun && !is_own_host(server, c))
        return send_plain(server, c, 403, "This page answers to its own address only.\n");
    if (!request->begun) {
        request->begun = true;
        set_deadline(server, connection_of(server, c), server->body_s, true);
        return is_too_long(server, c) ? answer(server, c, request) : MHD_YES;
    }
    if (*n > 0) {
        if (request->body.n + *n > server->body_most + MIB)
            return MHD_NO;
        od_buf_add(&request->body, (struct od_view){data, *n});
        *n = 0;
        return MHD_YES;
    }
    set_deadline(server, connection_of(server, c), 0, false);
    return answer(server, c, request);
}

bool od_page_server_is_there(void)
{
    struct microhttpd_calls calls;
    return load_microhttpd(&calls);
}

/* Must match how oomdoctor.cgi reads the setting. */
static uint64_t setting(const char *name, uint64_t usual, uint64_t most)
{
    uint64_t n;
    bool given = od_num_parse_u64(od_view_of(getenv(name)), &n) && n > 0;
    return !given ? usual : n < most ? n : most;
}

void od_page_server_run(const struct od_page_server *of)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV},
                    *found = NULL;
    if (getaddrinfo(of->address, of->port, &hints, &found) != 0)
        return;
    struct server *server = od_mem_alloc(1, sizeof *server);
    if (!load_microhttpd(&server->late)) {
        freeaddrinfo(found);
        od_mem_free(server);
        return;
    }
    od_system_return_memory();
    server->of = of;
    server->body_most = setting("OOMDOCTOR_BODY", 64, 4096) * MIB;
    server->body_s = (int)setting("OOMDOCTOR_SECONDS", 30, 3600);
    (void)pthread_mutex_init(&server->lock, NULL);
    for (size_t i = 0; i < CONNECTIONS; i++)
        server->connections[i].fd = -1;
    unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
                     (found->ai_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    struct MHD_Daemon *daemon = server->late.MHD_start_daemon(
        flags, 0, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR, found->ai_addr,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_BYTES,
        MHD_OPTION_NOTIFY_CONNECTION, notice, server, MHD_OPTION_NOTIFY_COMPLETED, finish, server,
        MHD_OPTION_URI_LOG_CALLBACK, begin, server, MHD_OPTION_END);
    freeaddrinfo(found);
    while (daemon) {
        (void)poll(NULL, 0, SWEEP_MS);
        sweep(server);
    }
    (void)pthread_mutex_destroy(&server->lock);
    od_mem_free(server);
}

#else

bool od_page_server_is_there(void)
{
    return false;
}

void od_page_server_run(const struct od_page_server *server)
{
    (void)server;
}

#endif
