#include "cli/search.h"

#include "facts/event.h"
#include "rules/advice.h"
#include "rules/ruleset.h"

#include <ctype.h>

enum { RULES_SHOWN = 12 };

/* Appends the text in lower case and a line end. */
static void add_lowered(const char *text, struct od_buf *to)
{
    for (; text && *text; text++)
        od_buf_add_char(to, (char)tolower((unsigned char)*text));
    od_buf_add_char(to, '\n');
}

static void add_advice(const struct od_advice *advice, struct od_buf *to)
{
    add_lowered(advice->title, to);
    add_lowered(advice->explain, to);
    add_lowered(advice->sure, to);
    for (size_t i = 0; i < advice->nremedies; i++) {
        add_lowered(advice->remedies[i].title, to);
        for (size_t j = 0; j < advice->remedies[i].nhow; j++)
            add_lowered(advice->remedies[i].how[j].text, to);
    }
    for (size_t i = 0; i < advice->nuseless; i++)
        add_lowered(advice->useless[i].title, to);
}

static bool has_words(struct od_view text, struct od_view words)
{
    struct od_view word;
    bool any = false;
    while (od_view_cut(&words, ' ', &word)) {
        if (word.n > 0 && !od_view_has(text, word))
            return false;
        any = any || word.n > 0;
    }
    return any;
}

/* Adds causes that contain the phrase, or all of its words. */
static void add_causes(struct od_view wanted, bool phrase, struct od_buf *to)
{
    bool first = true;
    for (int i = 0; i < OD_CAUSE_END; i++) {
        enum od_cause cause = (enum od_cause)i;
        const struct od_advice *advice = od_advice_find(od_shipped_advice, od_cause_name(cause));
        struct od_buf text = {0};
        if (advice)
            add_advice(advice, &text);
        if (phrase ? od_view_has(od_buf_view(&text), wanted)
                   : has_words(od_buf_view(&text), wanted)) {
            od_buf_add_str(to, first ? "Causes whose explanation mentions it:\n" : "");
            od_buf_printf(to, "  %s  %-23s  %s\n", od_cause_code(cause), od_cause_name(cause),
                          advice->title);
            first = false;
        }
        od_buf_done(&text);
    }
}

static bool rule_has(const struct od_rule *rule, struct od_view wanted)
{
    struct od_buf text = {0};
    add_lowered(rule->id, &text);
    for (size_t i = 0; i < rule->nliterals; i++)
        add_lowered(rule->literals[i], &text);
    for (size_t i = 0; i < rule->nsamples; i++)
        add_lowered(rule->samples[i].line, &text);
    bool has = od_view_has(od_buf_view(&text), wanted);
    od_buf_done(&text);
    return has;
}

static void add_rules(struct od_view wanted, struct od_buf *to)
{
    size_t found = 0;
    for (size_t i = 0; od_shipped_packs[i]; i++) {
        const struct od_pack *pack = od_shipped_packs[i];
        for (size_t j = 0; j < pack->nrules; j++) {
            if (!rule_has(&pack->rules[j], wanted) || found++ >= RULES_SHOWN)
                continue;
            if (found == 1)
                od_buf_printf(to, "%sRules for lines with that text:\n", to->n > 0 ? "\n" : "");
            od_buf_printf(to, "  %-44s  %s\n", pack->rules[j].id,
                          od_event_kind_name(pack->rules[j].means));
        }
    }
    if (found > RULES_SHOWN)
        od_buf_printf(to, "  and %zu more\n", found - RULES_SHOWN);
}

void od_search(const char *text, struct od_buf *to)
{
    struct od_buf lowered = {0};
    add_lowered(text, &lowered);
    struct od_view wanted = od_view_trim(od_buf_view(&lowered));
    if (wanted.n > 0) {
        add_causes(wanted, true, to);
        if (to->n == 0)
            add_causes(wanted, false, to);
        add_rules(wanted, to);
    }
    if (to->n > 0)
        od_buf_add_str(to, "\n'oomdoctor explain CODE' explains a cause; 'oomdoctor rules show "
                           "ID' shows a rule.\n'oomdoctor LOG' tells which applies to a log.\n");
    od_buf_done(&lowered);
}
