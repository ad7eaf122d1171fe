/*
 * A brief for a language model, in few tokens: the failing lines, the numbers, the settings, what
 * is ruled out, and the settings of the program that could change it, with their sources. Secrets
 * and personal data are always replaced.
 */
#include "redact/redact.h"
#include "report/doc.h"
#include "report/outline.h"
#include "report/report.h"
#include "report/rows.h"
#include "report/words.h"

extern const struct od_format od_format_brief;

/* Keeps a brief below 1,500 tokens: a token of a log has about three bytes or more. */
enum { BYTES_MOST = 3800, LINE_MOST = 220, LINES_MOST = 4, REMEDIES_MOST = 5, CAUSES_MOST = 4 };

struct brief {
    const struct od_report *report;
    const struct od_report_options *options;
    struct od_redactor *redactor;
    struct od_arena *arena;
    struct od_buf *to;
    size_t start;
};

/* Adds a line, cut to LINE_MOST; adds nothing once the brief is full. */
static void add_line(struct brief *b, const char *text)
{
    struct od_buf line = {0};
    od_text_visible(od_view_of(text), &line);
    struct od_view head = od_view_head(od_buf_view(&line), LINE_MOST);
    if (b->to->n - b->start + head.n + sizeof " ..." <= BYTES_MOST) {
        od_buf_add(b->to, head);
        od_buf_add_str(b->to, head.n < line.n ? " ...\n" : "\n");
    }
    od_buf_done(&line);
}

/* Adds a line without secrets and personal data. */
__attribute__((format(printf, 2, 3))) static void say(struct brief *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = od_arena_vprintf(b->arena, format, args);
    va_end(args);
    add_line(b, od_words_shared(b->arena, b->redactor, text));
}

/* Adds the headline, which all formats share. */
static void say_outcome(struct brief *b)
{
    struct od_doc *doc = od_outline(b->report, b->options);
    struct od_buf text = {0};
    const struct od_node *node = doc->first ? doc->first->first : NULL;
    const struct od_span *span = node && node->kind == OD_NODE_TEXT ? node->text->first : NULL;
    for (; span; span = span->next)
        od_buf_add(&text, span->text);
    say(b, "outcome: %s", od_outcome_name(b->report->diagnosis->failure->run.outcome));
    say(b, "%s", od_buf_str(&text));
    od_buf_done(&text);
    od_doc_free(doc);
}

static void say_line(struct brief *b, const struct od_evidence *evidence)
{
    say(b, "- %s: %.*s", od_words_line(b->arena, b->report, evidence->at), (int)evidence->text.n,
        evidence->text.p);
}

static void say_lines(struct brief *b)
{
    const struct od_incident *incident = b->report->diagnosis->failure->incident;
    const struct od_key_lines *key_lines = b->report->key_lines;
    if (!incident)
        return;
    say(b, "failing lines:");
    for (size_t i = 0; i < incident->evidence.n && i < LINES_MOST; i++)
        say_line(b, &incident->evidence.items[i]);
    for (size_t i = 0; key_lines && i < key_lines->n; i++)
        say_line(b, &key_lines->list[i]);
}

static void say_bytes(struct brief *b, struct od_buf *to, const char *name, struct od_bytes bytes)
{
    if (bytes.known && bytes.n > 0)
        od_buf_printf(to, "%s%s %s", to->n > 0 ? ", " : "", name, od_bytes_text(b->arena, bytes));
}

static void say_account(struct brief *b)
{
    const struct od_account *account = &b->report->diagnosis->failure->account;
    const struct od_parts *parts = &b->report->diagnosis->failure->parts;
    struct od_buf text = {0};
    if (account->scope == OD_SCOPE_UNKNOWN)
        return;
    say_bytes(b, &text, "requested", account->request.bytes);
    say_bytes(b, &text, "limit", account->limit.bytes);
    say_bytes(b, &text, "free", account->free);
    for (size_t i = 0; i < parts->n; i++) {
        const struct od_held *held = &parts->list[i];
        const char *name = held->name.n > 0 ? od_arena_printf(b->arena, "held by %.*s",
                                                              (int)held->name.n, held->name.p)
                                            : od_holding_kind_name(held->kind);
        if (held->kind != OD_HELD_FREE)
            say_bytes(b, &text, name, held->bytes);
    }
    if (text.n > 0)
        say(b, "account (%s): %s%s", od_scope_name(account->scope), od_buf_str(&text),
            account->conflict ? "; the numbers contradict each other" : "");
    od_buf_done(&text);
}

/* The numbers of the most probable cause, in bytes. */
static void say_numbers(struct brief *b)
{
    const struct od_diagnosis *diagnosis = b->report->diagnosis;
    const struct od_finding *first = diagnosis->findings.n > 0 ? diagnosis->findings.items : NULL;
    struct od_buf text = {0};
    for (size_t i = 0; first && i < first->nnumbers; i++)
        od_buf_printf(&text, "%s%s=%.12g", text.n > 0 ? ", " : "", first->numbers[i].name,
                      first->numbers[i].value);
    if (text.n > 0)
        say(b, "numbers: %s", od_buf_str(&text));
    od_buf_done(&text);
}

static void say_software(struct brief *b)
{
    const struct od_software_used *stack = &b->report->diagnosis->failure->stack;
    struct od_buf text = {0};
    OD_FOR_EACH_OF (const struct od_software_part, part, stack->parts, stack->n) {
        struct od_view version = od_software_used_version(b->report->c, stack, part->software);
        od_buf_printf(&text, "%s%s%s%.*s", text.n > 0 ? ", " : "", part->software->name,
                      version.n > 0 ? " " : "", (int)version.n, version.p ? version.p : "");
    }
    if (text.n > 0)
        say(b, "software: %s", od_buf_str(&text));
    od_buf_done(&text);
}

static void say_settings(struct brief *b)
{
    struct od_documented setting;
    struct od_buf text = {0};
    for (size_t i = 0; od_documented_at(b->report->c, i, &setting); i++)
        if (setting.value.n > 0)
            od_buf_printf(&text, "%s%s=%.*s", text.n > 0 ? ", " : "", od_setting_name(setting.id),
                          (int)setting.value.n, setting.value.p);
    say(b, "settings in the log: %s", text.n > 0 ? od_buf_str(&text) : "none");
    od_buf_done(&text);
}

static void say_causes(struct brief *b)
{
    const struct od_diagnosis *diagnosis = b->report->diagnosis;
    bool named = od_diagnosis_names_cause(diagnosis);
    if (diagnosis->findings.n > 0)
        say(b, named ? "causes:" : "suspects, none of them shown by the log:");
    for (size_t i = 0; i < diagnosis->findings.n && i < CAUSES_MOST; i++) {
        const struct od_finding *finding = &diagnosis->findings.items[i];
        say(b, "- %s (%s, %s, probability %s): %s", od_cause_name(finding->cause),
            od_cause_code(finding->cause), od_certainty_name(finding->certainty),
            od_words_chance(b->arena, finding->probability), finding->summary);
    }
}

static void say_ruled_out(struct brief *b)
{
    const struct od_remedies *remedies = b->report->remedies;
    if (!remedies || remedies->nuseless == 0)
        return;
    say(b, "ruled out:");
    for (size_t i = 0; i < remedies->nuseless; i++)
        say(b, "- %s: %s", remedies->useless[i]->title, remedies->useless[i]->why);
}

static void say_remedy(struct brief *b, const struct od_remedy *remedy)
{
    const struct od_remedy_how *how = remedy->nhow > 0 ? remedy->how : NULL;
    const char *source = od_remedy_source(remedy);
    say(b, "- %s%s%s%s%s", od_remedy_title(remedy, b->arena), how ? ": " : "",
        how ? how->title : "", how && how->title[0] ? ": " : "", how ? how->text : "");
    if (how && how->edit.to)
        say(b, "  line %llu: %s -> %s", (unsigned long long)how->edit.at.line, how->edit.from,
            how->edit.to);
    else if (how && how->code)
        say(b, "  %s", how->code);
    if (source)
        add_line(b, od_arena_printf(b->arena, "  source: %s", source));
}

static void say_remedies(struct brief *b)
{
    const struct od_remedies *remedies = b->report->remedies;
    if (remedies && remedies->n > 0)
        say(b, "settings and changes that apply, best first:");
    for (size_t i = 0; remedies && i < remedies->n && i < REMEDIES_MOST; i++)
        say_remedy(b, &remedies->list[i]);
    for (size_t i = 0; b->report->decide && i < b->report->decide->n; i++)
        say(b, "to find out: %s (%s)", b->report->decide->list[i].command,
            b->report->decide->list[i].why);
}

static void say_version(struct brief *b)
{
    say(b, "oomdoctor %s, brief 1%s", b->report->version,
        b->report->complete ? "" : "; the log was not read to its end");
}

/* The parts of a brief in their order. */
static void (*const parts[])(struct brief *b) = {
    say_version,  say_outcome,  say_lines,  say_account,   say_numbers,
    say_software, say_settings, say_causes, say_ruled_out, say_remedies,
};

static void render(const struct od_report *report, const struct od_report_options *options,
                   struct od_buf *to)
{
    struct od_redactor *own = options->redactor ? NULL : od_words_redactor();
    struct od_report_options plain = *options;
    struct brief b = {.report = report,
                      .options = &plain,
                      .redactor = own ? own : options->redactor,
                      .arena = od_arena_new(),
                      .to = to,
                      .start = to->n};
    plain.redactor = NULL; /* each line is redacted as it is written */
    for (int pass = 0; pass < (own ? 2 : 1); pass++) {
        to->n = b.start;
        if (own)
            od_redact_learning(own, pass == 0);
        for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
            parts[i](&b);
    }
    od_arena_free(b.arena);
    od_redactor_free(own);
}

const struct od_format od_format_brief = {.name = "brief", .report = render};
