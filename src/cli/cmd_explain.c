#include "advise/proposal.h"
#include "advise/slots.h"
#include "advise/ways.h"
#include "base/suggest.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/search.h"
#include "report/doc.h"
#include "report/report.h"
#include "rules/advice.h"
#include "rules/software.h"

#include <strings.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {
    {"format", 'f', "FORMAT", "text (default), html or markdown"}, {0}};

const struct od_command od_command_explain = {
    .name = "explain",
    .use = OD_USE_AFTER,
    .arguments = "[OPTION...] [CODE | CAUSE | PROGRAM | TEXT]",
    .summary = "Explain a cause: what it means, what helps, what does not",
    .details = OD_HELP_explain,
    .examples = "oomdoctor explain OD104\n"
                "oomdoctor explain vllm\n"
                "oomdoctor explain \"CUDA out of memory\"",
    .options = options,
    .run = run,
};

static void add_way(struct od_doc *doc, struct od_section *section, const struct od_advice_how *how)
{
    struct od_text *text = od_doc_item(od_doc_list(section));
    const char *program = od_ways_title(od_shipped_advice, od_ways_of_versions(how->framework));
    const char *needs = od_when_versions(&how->when, program, doc->arena);
    const char *title = needs ? needs : od_ways_title(od_shipped_advice, how->framework);
    if (title[0] != '\0')
        od_say_as(text, OD_STRONG, "%s: ", title);
    const struct od_how_values none = {0};
    od_say(text, "%s", od_how_text(how, &none, doc->arena));
    if (how->code)
        od_doc_code(section, od_how_code(how, &none, doc->arena));
}

static void add_remedy(struct od_doc *doc, const struct od_advice_remedy *remedy, size_t number)
{
    struct od_section *section =
        od_doc_card(doc->last, od_arena_printf(doc->arena, "%zu. %s", number, remedy->title));
    od_say(od_doc_text(section), "Cost: %s.", remedy->cost);
    for (size_t i = 0; i < remedy->nhow; i++)
        add_way(doc, section, &remedy->how[i]);
    struct od_text *source = od_doc_text(section);
    od_say_as(source, OD_DIM, "Source: ");
    od_say_as(source, OD_CODE, "%s", remedy->source);
}

static void add_useless(struct od_doc *doc, const struct od_advice *advice)
{
    if (advice->nuseless == 0)
        return;
    struct od_section *section = od_doc_section(doc, "What does not help");
    struct od_node *list = od_doc_list(section);
    for (size_t i = 0; i < advice->nuseless; i++) {
        struct od_text *text = od_doc_item(list);
        od_say_as(text, OD_STRONG, "%s: ", advice->useless[i].title);
        od_say(text, "%s", advice->useless[i].why);
    }
}

static bool print(const struct od_doc *doc, const struct od_format *format)
{
    struct od_report_options page = {.unicode = od_speaks_utf8(), .verbose = true};
    struct od_buf text = {0};
    format->document(doc, &page, &text);
    bool ok = od_write_all(od_buf_str(&text), text.n);
    od_buf_done(&text);
    return ok;
}

/* "--max-model-len N", or the setting's form in a file or menu. */
static const char *form_of(const struct od_knob *knob)
{
    const char *forms[] = {knob->flag, knob->key, knob->env, knob->set, knob->code};
    size_t i = 0;
    while (!forms[i]) /* the loader rejects a setting without any form */
        i++;
    return forms[i];
}

/* The verb for a change of a setting that lowers the use of memory. */
static const char *const verbs[] = {[OD_LESS_LOWER] = "Lower",
                                    [OD_LESS_HIGHER] = "Raise",
                                    [OD_LESS_ON] = "Use",
                                    [OD_LESS_OFF] = "Turn off",
                                    [OD_LESS_NONE] = "Change"};

/* "Lower --batch-size", "Set --dtype to half", "Use -ctk q8_0": a type is named with the setting.
 */
static void add_setting(struct od_text *text, const struct od_knob *knob, bool more)
{
    bool type = strcmp(knob->name, "quantization") == 0 || strcmp(knob->name, "precision") == 0 ||
                strcmp(knob->name, "kv_cache_type") == 0;
    od_say(text, "%s ", knob->value ? "Set" : more ? "Raise" : type ? "Use" : verbs[knob->less]);
    od_say_as(text, OD_CODE, "%s", form_of(knob));
    if (knob->value)
        od_say(text, " to %s", knob->value);
}

static void add_knob(struct od_node *list, const struct od_knob *knob)
{
    struct od_text *text = od_doc_item(list);
    add_setting(text, knob, false);
    od_say(text, " (%s).", knob->name);
    od_say_as(text, OD_DIM, " %s%s", knob->source, knob->checked ? "" : ", not checked");
}

/* The title of a remedy, which belongs to a cause or to the settings that programs share. */
static const char *title_of(const char *remedy)
{
    for (size_t i = 0; od_shipped_advice[i]; i++) {
        const struct od_advice_remedy *found = od_advice_remedy_find(od_shipped_advice[i], remedy);
        if (found)
            return found->title;
    }
    return remedy;
}

/* How the words of a condition are printed; "" drops a word. */
static const struct {
    const char *word, *text;
} condition_words[] = {{"memory == device", "device memory is short"},
                       {"memory == host", "RAM is short"},
                       {"device", "device memory is short"},
                       {"host", "RAM is short"},
                       {"outcome == other_failure", "another failure ended the run"},
                       {"outcome == survived", "the run went on"},
                       {"work == training", "a model is trained"},
                       {"first_cause != ", "the cause is not that "},
                       {"incident == host_alloc_failed", "an allocation in RAM failed"},
                       {"cause == ", ""},
                       {"cause != ", "the cause is not that "},
                       {"cause in ", ""},
                       {"[", ""},
                       {"]", ""},
                       {", ", " or "},
                       {"shows(", "the log shows "},
                       {"names(", "the text names "},
                       {"calls(", "the traceback shows "},
                       {"prints(", "the message names "},
                       {"unless ", "not "},
                       {"serving", "requests are served"},
                       {"decodes_latents", "latents are decoded"},
                       {"cache_made", "the cache is made"},
                       {"(", ""},
                       {")", ""}};

/* Appends the replacement of the word at the start of rest and skips it. A cause becomes its title
 * within a sentence: "kv_cache" = "the KV cache does not fit". False: no word matches. */
static bool add_condition_word(struct od_text *text, struct od_view *rest)
{
    for (int i = 0; i < OD_CAUSE_END; i++) {
        const char *name = od_cause_name((enum od_cause)i);
        const struct od_advice *advice = od_advice_find(od_shipped_advice, name);
        if (!advice || !od_view_take(rest, od_view_of(name)))
            continue;
        bool capital = od_is_upper(advice->title[1]);
        od_say(text, "%c%s", capital ? advice->title[0] : od_lower(advice->title[0]),
               advice->title + 1);
        return true;
    }
    for (size_t i = 0; i < OD_COUNT_OF(condition_words); i++)
        if (od_view_take(rest, od_view_of(condition_words[i].word))) {
            od_say(text, "%s", condition_words[i].text);
            return true;
        }
    return false;
}

/* Appends a condition of the catalogue in words. Tests without a row of their own stay as written.
 */
static void add_condition(struct od_text *text, struct od_view rest)
{
    bool quoted = false, inside = false; /* inside a word */
    while (rest.n > 0) {
        char c = rest.p[0];
        if (!quoted && !(inside && od_is_word(c)) && add_condition_word(text, &rest))
            continue;
        quoted ^= c == '"';
        inside = od_is_word(c);
        od_say(text, "%c", c);
        rest = od_view_from(rest, 1);
    }
}

static void add_answer(struct od_node *list, const struct od_software *software,
                       const struct od_software_answer *answer)
{
    struct od_text *text = od_doc_item(list);
    if (answer->title || !answer->turn) {
        od_say_as(text, OD_STRONG, "%s", answer->title ? answer->title : title_of(answer->remedy));
    } else {
        add_setting(text, od_software_knob(software, answer->turn), answer->more);
    }
    od_say(text, answer->when.text ? " if " : " if an error names it.");
    if (answer->when.text) {
        add_condition(text, od_view_of(answer->when.text));
        od_say(text, ".");
    }
    if (answer->source)
        od_say_as(text, OD_DIM, " %s%s", answer->source, answer->unchecked ? ", not checked" : "");
}

static int explain_software(const struct od_software *software, const struct od_format *format)
{
    struct od_doc *doc = od_doc_new();
    struct od_text *title = od_doc_text(od_doc_section(doc, NULL));
    od_say_as(title, OD_STRONG, "%s", software->title);
    od_say_as(title, OD_DIM, " (%s, %s)", software->name, od_sort_words[software->sort]);
    struct od_node *list = od_doc_list(od_doc_section(doc, "Settings that change its memory use"));
    for (size_t i = 0; i < software->nknobs; i++)
        add_knob(list, &software->knobs[i]);
    if (software->nanswers > 0)
        list = od_doc_list(od_doc_section(doc, "What its developers advise"));
    for (size_t i = 0; i < software->nanswers; i++)
        add_answer(list, software, &software->answers[i]);
    bool ok = print(doc, format);
    od_doc_free(doc);
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static int explain(enum od_cause cause, const struct od_advice *advice,
                   const struct od_format *format)
{
    struct od_doc *doc = od_doc_new();
    struct od_text *title = od_doc_text(od_doc_section(doc, NULL));
    od_say_as(title, OD_STRONG, "%s: %s", od_cause_code(cause), advice->title);
    od_say_as(title, OD_DIM, " (%s)", od_cause_name(cause));
    od_doc_paragraphs(od_doc_section(doc, "What it means"), advice->explain, SIZE_MAX);
    od_doc_paragraphs(od_doc_section(doc, "How certain it can be"), advice->sure, SIZE_MAX);
    (void)od_doc_section(doc, advice->nremedies > 0 ? "What helps" : NULL);
    for (size_t i = 0; i < advice->nremedies; i++)
        add_remedy(doc, &advice->remedies[i], i + 1);
    add_useless(doc, advice);
    bool ok = print(doc, format);
    od_doc_free(doc);
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static struct od_bytes bytes_of(struct od_count n)
{
    return n.known ? od_bytes_exact(n.n) : (struct od_bytes){0};
}

static double last_rss(const struct od_case *c)
{
    double rss = 0;
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (s->metric == OD_SERIES_HOST_RSS)
            rss = s->last > rss ? s->last : rss;
    return rss;
}

/* Adds the sizes that the log shows for the holders of memory, which the steps below can free. */
static void add_held(struct od_table *table, const struct od_report *report, struct od_arena *arena)
{
    const struct od_failure *failure = report->diagnosis->failure;
    const struct od_account *account = &failure->account;
    double rss = last_rss(report->c);
    const struct od_bytes held[] = {bytes_of(failure->in_use), account->pieces, account->outside,
                                    rss > 0 ? od_bytes_exact((uint64_t)rss) : (struct od_bytes){0}};
    struct od_row *row = od_doc_row(table);
    row->cells[0].text = OD_VIEW("in the log");
    for (size_t i = 0; i < OD_COUNT_OF(held); i++)
        row->cells[i + 1].text =
            held[i].known ? od_view_of(od_bytes_text(arena, held[i])) : OD_VIEW("not shown");
}

/* Adds a table of what each step frees, with a column for each holder of memory. */
static void add_effects(struct od_doc *doc, const struct od_topic *topic,
                        const struct od_report *report)
{
    if (topic->neffects == 0)
        return;
    struct od_table *table = od_doc_table(od_doc_section(doc, "What each step frees"));
    od_doc_columns(table, "|tensor|pool|driver|RSS");
    if (report)
        add_held(table, report, doc->arena);
    for (size_t i = 0; i < topic->neffects; i++) {
        const struct od_topic_effect *effect = &topic->effects[i];
        od_doc_row_of(table, OD_CELLS(effect->step, effect->tensor, effect->pool, effect->driver,
                                      effect->rss));
    }
}

int od_explain_topic(const struct od_topic *topic, const struct od_report *report,
                     const struct od_format *format)
{
    struct od_doc *doc = od_doc_new();
    struct od_section *section = od_doc_section(doc, NULL);
    od_say_as(od_doc_text(section), OD_STRONG, "%s", topic->title);
    od_doc_paragraphs(section, topic->say, SIZE_MAX);
    add_effects(doc, topic, report);
    if (topic->code)
        od_doc_code(od_doc_section(doc, "Code"), topic->code);
    struct od_node *list = od_doc_list(od_doc_section(doc, "Causes of this kind"));
    for (const char *const *cause = topic->causes; *cause; cause++)
        od_say_as(od_doc_item(list), OD_CODE, "oomdoctor explain %s", *cause);
    struct od_text *source = od_doc_text(doc->last);
    od_say_as(source, OD_DIM, "Source: ");
    od_say_as(source, OD_CODE, "%s", topic->source);
    bool ok = print(doc, format);
    od_doc_free(doc);
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static int list(void)
{
    struct od_buf text = {0};
    for (int i = 0; i < OD_CAUSE_END; i++) {
        enum od_cause cause = (enum od_cause)i;
        const struct od_advice *advice = od_advice_find(od_shipped_advice, od_cause_name(cause));
        od_buf_printf(&text, "%s  %-23s  %s\n", od_cause_code(cause), od_cause_name(cause),
                      advice ? advice->title : "");
    }
    bool ok = od_write_all(od_buf_str(&text), text.n);
    od_buf_done(&text);
    return ok ? OD_EXIT_OK : OD_EXIT_INTERNAL;
}

static int unknown(const char *word)
{
    const char *names[OD_CAUSE_END];
    for (int i = 0; i < OD_CAUSE_END; i++)
        names[i] = od_cause_name((enum od_cause)i);
    const char *near = od_suggest(word, names, OD_CAUSE_END);
    if (near)
        return od_usage_error(&od_command_explain, "nothing matches '%s'; did you mean '%s'?", word,
                              near);
    return od_usage_error(&od_command_explain,
                          "nothing matches '%s'; 'oomdoctor explain' lists all causes", word);
}

/* Copies letters and digits in lower case. */
static void fold(const char *text, char *to, size_t room)
{
    size_t n = 0;
    for (; *text && n + 1 < room; text++)
        if (od_is_alnum(*text))
            to[n++] = od_lower(*text);
    to[n] = '\0';
}

/* Finds a program by a similar name: llamafactory for "LLaMA-Factory", or the only one with "kohya"
 * in its title; NULL = none or several. */
static const struct od_software *program_like(const char *word)
{
    enum { ROOM = 80, LEAST = 4 };
    char wanted[ROOM], name[ROOM];
    const struct od_software *found = NULL;
    size_t n = 0;
    fold(word, wanted, ROOM);
    for (size_t i = 0; strlen(wanted) >= LEAST && od_shipped_software[i]; i++) {
        const struct od_software *software = od_shipped_software[i];
        fold(software->name, name, ROOM);
        if (strcmp(name, wanted) == 0)
            return software;
        fold(software->title, name, ROOM);
        bool has = strstr(name, wanted) != NULL;
        found = has ? software : found;
        n += has;
    }
    return n == 1 ? found : NULL;
}

/* Explains a code, a name, a program or a question; otherwise searches for the text. */
static int find(const char *word, const struct od_format *format)
{
    for (int i = 0; i < OD_CAUSE_END; i++) {
        enum od_cause cause = (enum od_cause)i;
        const struct od_advice *advice = od_advice_find(od_shipped_advice, od_cause_name(cause));
        if (advice && (strcasecmp(word, od_cause_code(cause)) == 0 ||
                       strcmp(word, od_cause_name(cause)) == 0))
            return explain(cause, advice, format);
    }
    const struct od_software *software = od_software_find(od_view_of(word));
    if (!software)
        software = program_like(word);
    if (software)
        return explain_software(software, format);
    struct od_buf found = {0};
    od_search(word, &found);
    const struct od_topic *topic = found.n == 0 ? od_topic_for(word) : NULL;
    int status = OD_EXIT_OK;
    if (topic)
        status = od_explain_topic(topic, NULL, format);
    else if (found.n == 0)
        status = unknown(word);
    else if (!od_write_all(od_buf_str(&found), found.n))
        status = OD_EXIT_INTERNAL;
    od_buf_done(&found);
    return status;
}

static int run(int argc, char **argv)
{
    struct od_args args = od_args_start(&od_command_explain, argc, argv);
    const struct od_format *format = od_format_find(OD_VIEW("text"));
    int option;
    while ((option = od_args_next(&args)) >= 0) {
        format = od_format_find(od_view_of(args.value));
        if (!format || !format->document)
            return od_usage_error(&od_command_explain, "unknown format '%s'", args.value);
    }
    if (option == OD_ARGS_MISUSED)
        return OD_EXIT_USAGE;
    if (args.argc - args.at > 1)
        return od_usage_error(&od_command_explain, "explain one thing at a time");
    if (args.argc == args.at)
        return list();
    return find(argv[args.at], format);
}
