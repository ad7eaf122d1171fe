#include "cgi/page.h"

#include "base/digest.h"
#include "report/html_parts.h"
#include "report/json_write.h"

static const char page_css[] = {
#include "cgi/page_css.inc"
    0};
static const char page_js[] = {
#include "cgi/page_js.inc"
    0};

static const char another[] = "oomdoctor: another log";

static void add_style(struct od_buf *to)
{
    od_buf_add_str(to, od_html_style());
    od_buf_add_str(to, page_css);
}

static void add_script(struct od_buf *to)
{
    od_buf_add_str(to, od_html_script());
    od_buf_add_str(to, page_js);
}

static void add_digest(struct od_buf *to, void (*add)(struct od_buf *to))
{
    uint8_t digest[OD_SHA256_BYTES];
    struct od_buf text = {0};
    add(&text);
    od_sha256(od_buf_view(&text), digest);
    od_buf_done(&text);
    od_buf_add_str(to, "'sha256-");
    od_base64(to, (struct od_view){(const char *)digest, sizeof digest});
    od_buf_add_str(to, "'");
}

void od_page_policy(struct od_buf *to)
{
    od_buf_add_str(to, "default-src 'none'; style-src ");
    add_digest(to, add_style);
    od_buf_add_str(to, "; script-src ");
    add_digest(to, add_script);
    od_buf_add_str(to, "; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
                       "frame-ancestors 'none'");
}

static void start_head(struct od_buf *to)
{
    od_buf_add_str(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n"
                       "<link rel=\"icon\" href=\"data:,\">\n");
}

/* kind: "ask", "answer" or "problem". name: text of the link back to the form. */
static void start_body(const char *kind, const char *name, struct od_buf *to)
{
    od_buf_add_str(to, "<style>");
    add_style(to);
    od_buf_printf(to,
                  "</style>\n</head>\n<body class=\"%s\">\n"
                  "<a class=\"skip\" href=\"#report\">Skip to the content</a>\n"
                  "<header class=\"top\"><a href=\"?\">%s</a> "
                  "<span id=\"tools\"></span></header>\n<main id=\"report\">\n",
                  kind, name);
}

static void end_body(struct od_buf *to)
{
    od_buf_add_str(to, "<script>");
    add_script(to);
    od_buf_add_str(to, "</script>\n</body>\n</html>\n");
}

void od_page_ask(const struct od_cgi_settings *settings, struct od_buf *to)
{
    start_head(to);
    od_buf_add_str(to, "<title>What ran out of memory? - oomdoctor</title>\n");
    start_body("ask", "oomdoctor", to);
    od_page_ask_parts(settings, to);
    od_page_end((struct od_view){0}, (struct od_view){0}, to);
}

void od_page_document(const struct od_doc *doc, struct od_buf *to)
{
    start_head(to);
    od_html_title(doc, to);
    start_body("answer", another, to);
    od_html_body(doc, to);
}

/* Escapes "<", which could end the element that contains the text. */
static void add_data(struct od_buf *to, struct od_view json)
{
    for (size_t i = 0; i < json.n; i++) {
        if (json.p[i] == '<')
            od_buf_add_str(to, "\\u003c");
        else
            od_buf_add_char(to, json.p[i]);
    }
}

void od_page_end(struct od_view markdown, struct od_view json, struct od_buf *to)
{
    od_buf_add_str(to, "</main>\n");
    if (json.n > 0) {
        struct od_buf data = {0};
        struct od_json writer = {.to = &data};
        od_json_object(&writer, NULL);
        od_json_text(&writer, "markdown", markdown);
        od_json_text(&writer, "json", json);
        od_json_end(&writer);
        od_buf_add_str(to, "<script type=\"application/json\" id=\"kept\">");
        add_data(to, od_buf_view(&data));
        od_buf_add_str(to, "</script>\n");
        od_buf_done(&data);
    }
    end_body(to);
}

const char *od_page_status(unsigned status)
{
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 413:
        return "Content Too Large";
    case 503:
        return "Service Unavailable";
    default:
        return "Internal Server Error";
    }
}

static void add_problem_json(const struct od_page_problem *problem, struct od_buf *to)
{
    struct od_json writer = {.to = to, .pretty = true};
    od_json_object(&writer, NULL);
    od_json_object(&writer, "error");
    od_json_u64(&writer, "status", problem->status);
    od_json_str(&writer, "message", problem->why);
    od_json_str(&writer, "help", problem->help);
    od_json_end(&writer);
    od_json_end(&writer);
    od_buf_add_char(to, '\n');
}

void od_page_problem(const struct od_page_problem *problem, bool json, struct od_buf *to)
{
    if (json) {
        add_problem_json(problem, to);
        return;
    }
    start_head(to);
    od_buf_printf(to, "<title>%s - oomdoctor</title>\n", od_page_status(problem->status));
    start_body("problem", another, to);
    od_buf_add_str(to, "<h1 class=\"bad\">Error: ");
    od_markup_text(to, od_view_of(problem->why));
    od_buf_add_str(to, ".</h1>\n");
    if (problem->help) {
        od_buf_add_str(to, "<p>");
        od_markup_text(to, od_view_of(problem->help));
        od_buf_add_str(to, "</p>\n");
    }
    od_buf_printf(to,
                  "<p><a href=\"?\">Back to the form</a> <span class=\"dim\">%u %s</span></p>\n"
                  "</main>\n",
                  problem->status, od_page_status(problem->status));
    end_body(to);
}
