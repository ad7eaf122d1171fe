/*
 * Switches rows off, one at a time, and analyzes all inputs again that the row can change
 * (tests/ablate).
 *
 *   ablate-rows LIST           prints what each input of the list (a file name a line) gives
 *   ablate-rows LIST KIND...   prints for each row of these kinds how many inputs met it, how many
 * reports changed, and how many changed in what decides, with the first cause of each of these
 *
 * The shipped tables are constants. Each row is taken out of a copy of the memory that holds them,
 * which a child process has for itself. A first pass over all inputs records which rows each of
 * them meets.
 */
#include "base/diag.h"
#include "diagnose/finding.h"
#include "lib/oomdoctor.h"
#include "lib/tools.h"
#include "plan/request.h"
#include "report/report.h"
#include "rules/advice.h"
#include "rules/ruleset.h"
#include "rules/software.h"
#include "scan/readers.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    INPUTS_MOST = 16384,
    CONDITIONS = 16384,
    RULES_MOST = 4096,
    READERS_MOST = 256,
    SIGNS_MOST = 1024,
    ENOUGH = 6
};

enum kind { RULE, READER, SIGN, REMEDY, HOW, VAIN, ANSWER, KINDS };
static const char *const kind_words[KINDS] = {"rule", "reader", "sign",  "remedy",
                                              "how",  "vain",   "answer"};

/* A bit for each input. */
struct met {
    unsigned char bits[INPUTS_MOST / 8];
};

struct row {
    enum kind kind;
    size_t i, k, m; /* indices: file, row of it, part of that */
    const struct met *met;
    char name[120];
};

/* What an input gives: a hash of the whole report, and one of what decides (outcome, causes in
 * order, certainty of the first, remedies with their numbers). */
struct answer {
    uint64_t whole, decides;
    enum od_cause first;
};

static char *inputs[INPUTS_MOST];
static struct answer usual[INPUTS_MOST];
static size_t ninputs, current;
static bool recording;

static struct met rules_met[RULES_MOST], readers_met[READERS_MOST], signs_met[SIGNS_MOST],
    causes_met[OD_CAUSE_END];
static bool rules_off[RULES_MOST], signs_off[SIGNS_MOST];
static const struct od_when *conditions[CONDITIONS];
static struct met conditions_met[CONDITIONS];

static void record(struct met *met)
{
    met->bits[current / 8] |= (unsigned char)(1U << current % 8);
}

static bool is_met(const struct met *met, size_t input)
{
    return (met->bits[input / 8] >> input % 8 & 1) != 0;
}

/* The linker puts these in the place of the functions of the same name (--wrap). */
bool __real_od_ruleset_apply(struct od_ruleset *set, size_t i, const struct od_line *line,
                             struct od_event *event);
bool __wrap_od_ruleset_apply(struct od_ruleset *set, size_t i, const struct od_line *line,
                             struct od_event *event);
bool __wrap_od_ruleset_apply(struct od_ruleset *set, size_t i, const struct od_line *line,
                             struct od_event *event)
{
    bool matched = !rules_off[i] && __real_od_ruleset_apply(set, i, line, event);
    if (matched && recording)
        record(&rules_met[i]);
    return matched;
}

bool __real_od_ruleset_apply_candidate(struct od_ruleset *set, size_t i, const struct od_line *line,
                                       struct od_event *event);
bool __wrap_od_ruleset_apply_candidate(struct od_ruleset *set, size_t i, const struct od_line *line,
                                       struct od_event *event);
bool __wrap_od_ruleset_apply_candidate(struct od_ruleset *set, size_t i, const struct od_line *line,
                                       struct od_event *event)
{
    bool matched = !rules_off[i] && __real_od_ruleset_apply_candidate(set, i, line, event);
    if (matched && recording)
        record(&rules_met[i]);
    return matched;
}

struct od_rule_made *__real_od_ruleset_learn(struct od_ruleset *set, size_t i,
                                             const struct od_line *line, struct od_arena *arena);
struct od_rule_made *__wrap_od_ruleset_learn(struct od_ruleset *set, size_t i,
                                             const struct od_line *line, struct od_arena *arena);
struct od_rule_made *__wrap_od_ruleset_learn(struct od_ruleset *set, size_t i,
                                             const struct od_line *line, struct od_arena *arena)
{
    return rules_off[i] || recording ? NULL : __real_od_ruleset_learn(set, i, line, arena);
}

/* The signs of all causes, once each. */
static struct {
    const char *cause, *sign;
} signs[SIGNS_MOST];
static size_t nsigns;

static void list_sign(const char *cause, const char *sign)
{
    for (size_t i = 0; sign && i < nsigns; i++)
        if (strcmp(signs[i].sign, sign) == 0 && strcmp(signs[i].cause, cause) == 0)
            return;
    if (!sign || nsigns == SIGNS_MOST)
        return;
    signs[nsigns].cause = cause;
    signs[nsigns++].sign = sign;
}

static void list_signs(void)
{
    for (const struct od_cause_row *const *row = od_shipped_causes; *row; row++) {
        for (size_t i = 0; i < (*row)->nvariants; i++)
            list_sign((*row)->cause, (*row)->variants[i].sign);
        for (size_t i = 0; i < (*row)->nsigns; i++)
            list_sign((*row)->cause, (*row)->signs[i].sign);
    }
}

static bool is_off(const char *cause, const char *sign)
{
    bool off = false;
    for (size_t i = 0; i < nsigns; i++) {
        if (strcmp(signs[i].sign, sign) != 0 || strcmp(signs[i].cause, cause) != 0)
            continue;
        if (recording)
            record(&signs_met[i]);
        off = signs_off[i];
    }
    return off;
}

void __real_od_finding_sign(struct od_finding *finding, const char *sign,
                            enum od_strength strength);
void __wrap_od_finding_sign(struct od_finding *finding, const char *sign,
                            enum od_strength strength);
void __wrap_od_finding_sign(struct od_finding *finding, const char *sign, enum od_strength strength)
{
    if (!is_off(od_cause_name(finding->cause), sign))
        __real_od_finding_sign(finding, sign, strength);
}

static size_t place_of(const struct od_when *when)
{
    size_t i = ((uintptr_t)when >> 3) * UINT64_C(0x9E3779B97F4A7C15) >> 50;
    while (conditions[i] && conditions[i] != when)
        i = (i + 1) % CONDITIONS;
    return i;
}

enum od_tri __real_od_when_holds(const struct od_when *when, od_when_ask *ask, const void *with);
enum od_tri __wrap_od_when_holds(const struct od_when *when, od_when_ask *ask, const void *with);
enum od_tri __wrap_od_when_holds(const struct od_when *when, od_when_ask *ask, const void *with)
{
    enum od_tri holds = __real_od_when_holds(when, ask, with);
    if (recording && holds != OD_NO) {
        size_t i = place_of(when);
        conditions[i] = when;
        record(&conditions_met[i]);
    }
    return holds;
}

static uint64_t hash(uint64_t sum, const void *bytes, size_t n)
{
    for (const unsigned char *p = bytes; n > 0; n--)
        sum = (sum ^ *p++) * UINT64_C(1099511628211);
    return sum;
}

static struct answer hash_report(const struct od_report *report)
{
    static const struct od_report_options options = {0};
    const struct od_diagnosis *diagnosis = report->diagnosis;
    struct answer answer = {1469598103934665603U, 1469598103934665603U, od_first_cause(diagnosis)};
    struct od_arena *arena = od_arena_new();
    struct od_buf json = {0};
    od_format_report(od_format_find(OD_VIEW("json")), report, &options, &json);
    answer.whole = hash(answer.whole, json.p, json.n);
    answer.decides = hash(answer.decides, &diagnosis->failure->run.outcome,
                          sizeof diagnosis->failure->run.outcome);
    OD_FOR_EACH (const struct od_finding, finding, diagnosis->findings)
        answer.decides = hash(answer.decides, &finding->cause, sizeof finding->cause);
    if (diagnosis->findings.n > 0)
        answer.decides = hash(answer.decides, &diagnosis->findings.items[0].certainty,
                              sizeof(enum od_certainty));
    for (size_t i = 0; report->remedies && i < report->remedies->n; i++) {
        const char *title = od_remedy_title(&report->remedies->list[i], arena);
        answer.decides = hash(answer.decides, title, strlen(title) + 1);
    }
    od_buf_done(&json);
    od_arena_free(arena);
    return answer;
}

static struct answer analyze(struct od_tools *tools, const char *file)
{
    struct od_plan_request request = od_plan_request_start();
    struct od_session_options options = {
        .request = &request, .tools = tools, .no_shapes = recording};
    struct od_diags *diags = od_diags_new();
    struct od_session *session = od_session_new(&options, diags);
    struct answer answer = {.first = OD_CAUSE_END};
    if (session && od_session_add(session, file))
        answer = hash_report(od_session_analyze(session));
    od_session_free(session);
    od_diags_free(diags);
    return answer;
}

static const char *cause_word(enum od_cause cause)
{
    return cause == OD_CAUSE_END ? "-" : od_cause_name(cause);
}

/* A constant gets another value. */
static void overwrite(const void *place, const void *value, size_t n)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)place / page * page;
    if (mprotect((void *)start, (uintptr_t)place + n - start, PROT_READ | PROT_WRITE) != 0)
        abort();
    memmove((void *)(uintptr_t)place, value, n);
}

static void take_out(const void *list, const size_t *count, size_t i, size_t size)
{
    const char *row = (const char *)list + i * size;
    size_t fewer = *count - 1;
    overwrite(row, row + size, (fewer - i) * size);
    overwrite(count, &fewer, sizeof fewer);
}

static enum od_take take_nothing(void *state, const struct od_line *line,
                                 const struct od_sink *sink)
{
    (void)state;
    (void)line;
    (void)sink;
    return OD_TAKE_NONE;
}

static void switch_off_reader(const struct od_reader *reader)
{
    struct od_reader none = *reader;
    none.line = take_nothing;
    none.is_open = NULL;
    overwrite(reader, &none, sizeof none);
}

static void switch_off(const struct row *row)
{
    const struct od_advice *advice =
        od_shipped_advice[row->kind >= REMEDY && row->kind <= VAIN ? row->i : 0];
    const struct od_software *software = od_shipped_software[row->kind == ANSWER ? row->i : 0];
    if (row->kind == RULE)
        rules_off[row->i] = true;
    else if (row->kind == SIGN)
        signs_off[row->i] = true;
    else if (row->kind == READER)
        switch_off_reader(od_readers[row->i]);
    else if (row->kind == REMEDY)
        take_out(advice->remedies, &advice->nremedies, row->k, sizeof *advice->remedies);
    else if (row->kind == HOW)
        take_out(advice->remedies[row->k].how, &advice->remedies[row->k].nhow, row->m,
                 sizeof(struct od_advice_how));
    else if (row->kind == VAIN)
        take_out(advice->useless, &advice->nuseless, row->k, sizeof *advice->useless);
    else
        take_out(software->answers, &software->nanswers, row->k, sizeof *software->answers);
}

static void try_inputs(const struct row *row, struct od_tools *tools)
{
    size_t met = 0, changed = 0, decided = 0;
    bool ends_early = row->kind != SIGN;
    printf("%s\t%s", kind_words[row->kind], row->name);
    for (size_t i = 0; i < ninputs && !(ends_early && changed >= ENOUGH); i++) {
        if (!is_met(row->met, i))
            continue;
        struct answer answer = analyze(tools, inputs[i]);
        met++;
        changed += answer.whole != usual[i].whole;
        if (answer.decides == usual[i].decides)
            continue;
        decided++;
        printf("\t%zu:%s", i, cause_word(answer.first));
    }
    printf("\t= %zu %zu %zu\n", met, changed, decided);
}

static void try_row(const struct row *row, struct od_tools *tools)
{
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        switch_off(row);
        try_inputs(row, tools);
        (void)fflush(stdout);
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    if (status != 0)
        printf("%s\t%s\t= crashed\n", kind_words[row->kind], row->name);
}

/* The name is cut where it is long, and has no white space. */
static void try_named(struct row row, struct od_tools *tools, const char *file, const char *id,
                      size_t part)
{
    (void)snprintf(row.name, sizeof row.name, "%s:%s:%zu", file, id, part);
    for (char *p = row.name; *p; p++)
        *p = od_is_space(*p) ? '_' : *p;
    try_row(&row, tools);
}

static void try_advice(enum kind kind, struct od_tools *tools)
{
    for (size_t i = 0; od_shipped_advice[i]; i++) {
        const struct od_advice *advice = od_shipped_advice[i];
        enum od_cause cause = od_cause_named(advice->cause);
        struct row row = {.kind = kind, .i = i};
        for (row.k = 0; kind == VAIN && cause != OD_CAUSE_END && row.k < advice->nuseless;
             row.k++) {
            row.met = &causes_met[cause];
            try_named(row, tools, advice->cause, advice->useless[row.k].title, 0);
        }
        for (row.k = 0; kind != VAIN && row.k < advice->nremedies; row.k++) {
            const struct od_advice_remedy *remedy = &advice->remedies[row.k];
            row.met = &conditions_met[place_of(&remedy->when)];
            if (kind == REMEDY)
                try_named(row, tools, advice->cause, remedy->id, 0);
            for (row.m = 0; kind == HOW && row.m < remedy->nhow; row.m++) {
                row.met = &conditions_met[place_of(&remedy->how[row.m].when)];
                try_named(row, tools, advice->cause, remedy->id, row.m);
            }
        }
    }
}

static void try_answers(struct od_tools *tools)
{
    for (size_t i = 0; od_shipped_software[i]; i++) {
        const struct od_software *software = od_shipped_software[i];
        struct row row = {.kind = ANSWER, .i = i};
        for (row.k = 0; row.k < software->nanswers; row.k++) {
            const struct od_software_answer *answer = &software->answers[row.k];
            const char *what = answer->turn     ? answer->turn
                               : answer->remedy ? answer->remedy
                                                : answer->title;
            row.met = &conditions_met[place_of(&answer->when)];
            try_named(row, tools, software->name, what, row.k);
        }
    }
}

static void try_kind(const char *word, struct od_tools *tools)
{
    enum kind kind = RULE;
    while (kind < KINDS && strcmp(word, kind_words[kind]) != 0)
        kind++;
    struct od_ruleset *set = od_tools_rules(tools);
    struct row row = {.kind = kind};
    for (row.i = 0; kind == RULE && row.i < od_ruleset_count(set); row.i++) {
        row.met = &rules_met[row.i];
        try_named(row, tools, od_ruleset_pack(set, row.i)->name, od_ruleset_rule(set, row.i)->id,
                  0);
    }
    for (row.i = 0; kind == READER && od_readers[row.i]; row.i++) {
        row.met = &readers_met[row.i];
        try_named(row, tools, "reader", od_readers[row.i]->name, 0);
    }
    for (row.i = 0; kind == SIGN && row.i < nsigns; row.i++) {
        row.met = &signs_met[row.i];
        try_named(row, tools, signs[row.i].cause, signs[row.i].sign, 0);
    }
    if (kind == REMEDY || kind == HOW || kind == VAIN)
        try_advice(kind, tools);
    else if (kind == ANSWER)
        try_answers(tools);
}

/* Readers are found by their literals in the text: a superset of what they take. */
static void record_readers(const char *file)
{
    struct od_buf text = {0};
    FILE *from = fopen(file, "r");
    int c;
    while (from && (c = getc(from)) != EOF)
        od_buf_add_char(&text, (char)c);
    if (from)
        (void)fclose(from);
    for (size_t i = 0; od_readers[i]; i++) {
        const char *const *lists[] = {od_readers[i]->literals, od_readers[i]->numbered};
        for (size_t k = 0; k < 2; k++)
            for (const char *const *word = lists[k]; word && *word; word++)
                if (text.n > 0 && memmem(text.p, text.n, *word, strlen(*word)))
                    record(&readers_met[i]);
    }
    od_buf_done(&text);
}

static void read_list(const char *file)
{
    FILE *list = fopen(file, "r");
    char *line = NULL;
    size_t room = 0;
    while (list && ninputs < INPUTS_MOST && getline(&line, &room, list) > 0) {
        line[strcspn(line, "\n")] = '\0';
        inputs[ninputs++] = strdup(line);
    }
    free(line);
    if (list)
        (void)fclose(list);
}

int main(int argc, char **argv)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* what was printed before a crash is not lost */
    struct od_diags *diags = od_diags_new();
    struct od_tools *tools = od_tools_new(NULL, diags);
    od_ruleset_compile(od_tools_rules(tools));
    list_signs();
    read_list(argc > 1 ? argv[1] : "/dev/stdin");
    for (current = 0; current < ninputs; current++) {
        recording = argc > 2;
        if (recording) {
            (void)analyze(tools, inputs[current]);
            record_readers(inputs[current]);
        }
        recording = false;
        usual[current] = analyze(tools, inputs[current]);
        if (usual[current].first != OD_CAUSE_END)
            record(&causes_met[usual[current].first]);
        printf("input\t%s\t%" PRIx64 "\t%s\n", inputs[current], usual[current].whole,
               cause_word(usual[current].first));
    }
    for (int i = 2; i < argc; i++)
        try_kind(argv[i], tools);
    od_tools_free(tools);
    od_diags_free(diags);
    return 0;
}
