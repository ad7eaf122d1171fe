/*
 * The page inside of a browser, for `make wasm`: does the work of oomdoctor.cgi without a server.
 * No data leaves the browser, so no process needs to be locked. Figures are missing, because
 * gnuplot is.
 */
#include "cgi/page.h"
#include "cgi/wire.h"
#include "cgi/work.h"

#include <fcntl.h>
#include <unistd.h>

#define BODY_FILE "/body"
#define FRAMES_FILE "/frames"

/* Reads all frames that the work wrote; the caller frees them. */
static struct od_buf read_frames(int fd)
{
    struct od_buf frames = {0};
    off_t size = lseek(fd, 0, SEEK_END);
    (void)lseek(fd, 0, SEEK_SET);
    while (size > 0 && frames.n < (size_t)size) {
        size_t room = (size_t)size - frames.n;
        ssize_t n = read(fd, od_buf_reserve(&frames, room), room);
        if (n <= 0)
            break;
        frames.n += (size_t)n;
    }
    return frames;
}

/* Returns the page with the form. The caller frees it with the browser's free. */
char *od_browser_ask(void);
char *od_browser_ask(void)
{
    const struct od_cgi_settings settings = od_cgi_settings_read();
    struct od_buf page = {0};
    od_page_ask(&settings, &page);
    return strdup(od_buf_str(&page));
}

/*
 * Answers a request; a POST has its body in BODY_FILE. Returns the status in three digits, then the
 * page. NULL if the work was aborted. The caller frees it with the browser's free.
 */
char *od_browser_answer(const char *query, const char *type, bool post);
char *od_browser_answer(const char *query, const char *type, bool post)
{
    struct od_cgi_settings settings = od_cgi_settings_read();
    settings.no_figures = true;
    const struct od_cgi_request request = {.method = post ? OD_CGI_POST : OD_CGI_GET,
                                           .path = "",
                                           .query = query,
                                           .type = type,
                                           .from = ""};
    struct od_wire_answer answer;
    int in = open(BODY_FILE, O_RDONLY);
    int out = open(FRAMES_FILE, O_RDWR | O_CREAT | O_TRUNC, 0600);
    (void)od_cgi_work.work(&request, &settings, in, out, NULL);
    struct od_buf frames = read_frames(out), page = {0};
    bool ok = od_wire_answer(od_buf_view(&frames), &answer);
    if (ok) {
        od_buf_printf(&page, "%03u", answer.status);
        od_buf_add(&page, answer.text);
    }
    char *text = ok ? strdup(od_buf_str(&page)) : NULL;
    od_buf_done(&page);
    od_buf_done(&frames);
    (void)close(in);
    (void)close(out);
    return text;
}
