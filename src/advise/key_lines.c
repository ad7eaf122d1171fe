#include "advise/key_lines.h"

#include "facts/segment.h"
#include "facts/statement.h"

/* Informativeness of each kind of line other than the failing one. */
enum { WEIGHS_TITLE = 2, WEIGHS_COMMAND = 3, WEIGHS_DECISIVE = 6, WEIGHS_CHANGED = 1 };

static const struct {
    const char *remark;
    int weight;
} remarks[] = {
    {"key_exit", 8},
    {"copies", 8},
    {"key_default", 7},
    {"key_spared", 7},
    {"key_ranks", 6},
    {"least_did_not_help", 6},
    {"growth", 5},
    {"key_count", 5},
    {"validation", 4},
    {"key_size", 4},
    {"late", 3},
    {"about_freeing", 2},
    {"about_clear_session", 2},
    {"about_model_loading", 2},
};

static const struct {
    enum od_setting_id setting;
    int weight;
} settings[] = {
    {OD_SETTING_HEAP_LIMIT, 6},
    {OD_SETTING_MEMORY_LIMIT, 6},
    {OD_SETTING_IMAGE_SIZE, 5},
    {OD_SETTING_SEQUENCE_LENGTH, 5},
    {OD_SETTING_MAX_LENGTH, 5},
    {OD_SETTING_ENVIRONMENTS, 5},
    {OD_SETTING_FRAMES, 5},
    {OD_SETTING_BATCH_SIZE, 4},
    {OD_SETTING_GLOBAL_BATCH_SIZE, 4},
    {OD_SETTING_JOBS, 4},
    {OD_SETTING_WORKERS, 3},
    {OD_SETTING_WORLD_SIZE, 3},
    {OD_SETTING_NPROC_PER_NODE, 3},
    {OD_SETTING_CHUNK_SIZE, 3},
    {OD_SETTING_CACHE_SIZE, 3},
};

struct choice {
    const struct od_key_lines_question *asked;
    struct od_prov at;     /* place of the failing or decisive line */
    struct od_view failed; /* text of the failing line */
    struct od_key_lines *key_lines;
    int weights[OD_KEY_LINES_MOST];
};

static bool is_same(const struct od_prov *a, const struct od_prov *b)
{
    return od_prov_distance(a, b) == 0;
}

/* Does a remedy already show the line, because it changes it? */
static bool is_changed(const struct od_key_lines_question *asked, const struct od_prov *at)
{
    const struct od_remedies *remedies = asked->remedies;
    for (size_t i = 0; remedies && i < remedies->n; i++)
        for (size_t k = 0; k < remedies->list[i].nhow; k++)
            if (remedies->list[i].how[k].edit.from &&
                is_same(&remedies->list[i].how[k].edit.at, at))
                return true;
    return false;
}

static struct od_view without_mark(struct od_view text)
{
    while (text.n > 0 && text.p[0] == '#')
        text = od_view_from(text, 1);
    return od_view_trim(text);
}

/* Do both texts start alike? The title of a thread and wrapped lines repeat the failing line. */
static bool begins_alike(struct od_view a, struct od_view b)
{
    enum { HEAD = 24 };
    return od_view_eq(od_view_head(without_mark(a), HEAD), od_view_head(without_mark(b), HEAD));
}

/* Is it a question of a reader ("How did you fix it? ...")? A title is not, because its author
 * reports a failure. */
static bool is_question(const struct od_evidence *said)
{
    struct od_view text = said->text;
    for (size_t i = 0; i < text.n && said->at.line > 1; i++) {
        bool ends = i + 1 == text.n || text.p[i + 1] == ' ';
        if (ends && (text.p[i] == '?' || text.p[i] == '.' || text.p[i] == '!'))
            return text.p[i] == '?';
    }
    return false;
}

static struct od_view next_word(struct od_view *text)
{
    size_t from = 0, n = 0;
    while (from < text->n && !od_is_word(text->p[from]))
        from++;
    while (from + n < text->n && od_is_word(text->p[from + n]))
        n++;
    struct od_view word = od_view_head(od_view_from(*text, from), n);
    *text = od_view_from(*text, from + n);
    return word;
}

static bool has_word(struct od_view text, struct od_view wanted)
{
    for (struct od_view word = next_word(&text); word.n > 0; word = next_word(&text))
        if (od_view_eq(word, wanted))
            return true;
    return false;
}

/* Does the text only repeat the failing line, as "code: 'ERR_WORKER_OUT_OF_MEMORY'" repeats "Error
 * [ERR_WORKER_OUT_OF_MEMORY]: ..."? Nearly all of its letters then belong to words of that line. */
static bool only_repeats(struct od_view said, struct od_view failed)
{
    static const double nearly = 0.8;
    size_t all = 0, repeated = 0;
    for (struct od_view word = next_word(&said); word.n > 0; word = next_word(&said)) {
        all += word.n;
        repeated += has_word(failed, word) ? word.n : 0;
    }
    return all > 0 && (double)repeated >= nearly * (double)all;
}

static bool says_nothing_new(const struct choice *choice, const struct od_evidence *said)
{
    if (said->text.n == 0 || is_same(&said->at, &choice->at) ||
        begins_alike(said->text, choice->failed) || only_repeats(said->text, choice->failed) ||
        is_question(said))
        return true;
    for (size_t i = 0; i < choice->key_lines->n; i++)
        if (begins_alike(choice->key_lines->list[i].text, said->text))
            return true;
    return false;
}

/* Is the line more informative? Of two lines with the same weight, the one nearer to the failure
 * is. */
static bool is_more_informative(const struct choice *choice, int weight,
                                const struct od_evidence *said, size_t than)
{
    const struct od_prov *other = &choice->key_lines->list[than].at;
    return weight > choice->weights[than] ||
           (weight == choice->weights[than] &&
            od_prov_distance(&said->at, &choice->at) < od_prov_distance(other, &choice->at));
}

static void offer(struct choice *choice, int weight, const struct od_evidence *said)
{
    struct od_key_lines *key_lines = choice->key_lines;
    size_t i = key_lines->n;
    if (says_nothing_new(choice, said))
        return;
    if (is_changed(choice->asked, &said->at))
        weight = WEIGHS_CHANGED;
    while (i > 0 && is_more_informative(choice, weight, said, i - 1))
        i--;
    if (i == OD_KEY_LINES_MOST)
        return;
    size_t kept = key_lines->n < OD_KEY_LINES_MOST ? key_lines->n : OD_KEY_LINES_MOST - 1;
    for (size_t k = kept; k > i; k--) {
        key_lines->list[k] = key_lines->list[k - 1];
        choice->weights[k] = choice->weights[k - 1];
    }
    key_lines->list[i] = *said;
    choice->weights[i] = weight;
    key_lines->n = kept + 1;
}

static void offer_remarks(struct choice *choice, const struct od_case *c)
{
    for (size_t i = 0; i < c->run_events.n; i++)
        for (size_t k = 0; k < OD_COUNT_OF(remarks); k++)
            if (c->run_events.items[i].kind == OD_EV_REMARK &&
                od_view_eq_str(c->run_events.items[i].name, remarks[k].remark))
                offer(choice, remarks[k].weight, &c->run_events.items[i].said);
}

/* Offers people's claims, if the log has no failure. */
static void offer_claims(struct choice *choice, const struct od_case *c)
{
    OD_FOR_EACH (const struct od_run_event, moment, c->run_events)
        if (moment->kind == OD_EV_REMARK &&
            (od_view_eq_str(moment->name, "reported") || od_view_eq_str(moment->name, "stated")))
            offer(choice, WEIGHS_DECISIVE, &moment->said);
}

/* Is the value 1? One worker or one rank is the default and not informative. */
static bool is_one(const struct od_setting *setting)
{
    return setting->id != OD_SETTING_BATCH_SIZE && od_view_eq_str(setting->value, "1");
}

static void offer_settings(struct choice *choice, const struct od_case *c)
{
    const struct od_setting *limit = od_case_limit_at(c, &choice->at);
    const struct od_failure *failure = choice->asked->diagnosis->failure;
    if (failure->incident && failure->limit.known && /* another limit was reached */
        od_incident_is_far_below(failure->incident, failure->stated_limit))
        limit = NULL;
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        for (size_t k = 0; k < OD_COUNT_OF(settings); k++) {
            bool of_other = setting->id == OD_SETTING_MEMORY_LIMIT && setting != limit;
            if (setting->id == settings[k].setting && !is_one(setting) && !of_other)
                offer(choice, settings[k].weight, &setting->said);
        }
}

/* Offers unread lines about memory: all of them if no memory failure was found, otherwise none in
 * which a person denies or supposes one. */
static void offer_unread(struct choice *choice, bool failed)
{
    const struct od_evidence *unread = choice->asked->unread;
    for (size_t i = 0; i < choice->asked->nunread; i++)
        if (!failed || od_segment_of(unread[i].text) != OD_SEGMENT_PERSON ||
            od_statement_check(unread[i].text, (struct od_view){0}, 0, false) == OD_STATEMENT_GOOD)
            offer(choice, failed ? WEIGHS_TITLE : WEIGHS_DECISIVE, &unread[i]);
}

static void offer_title(struct choice *choice, uint32_t source, bool failed)
{
    struct od_prov first = {.source = source, .line = 1, .nlines = 1};
    struct od_evidence title = {.at = first, .text = od_around_find(choice->asked->around, first)};
    if (title.text.n > 2 && title.text.p[0] == '#' && title.text.p[1] == ' ')
        offer(choice, failed ? WEIGHS_TITLE : WEIGHS_DECISIVE, &title);
}

static struct od_view what_failed(const struct od_diagnosis *diagnosis,
                                  const struct od_incident *incident)
{
    if (incident && incident->evidence.n > 0)
        return incident->evidence.items[0].text;
    if (diagnosis->findings.n > 0 && diagnosis->findings.items[0].nevidence > 0)
        return diagnosis->findings.items[0].evidence[0].text;
    return (struct od_view){0};
}

const struct od_key_lines *od_key_lines_of(const struct od_key_lines_question *question,
                                           struct od_arena *arena)
{
    const struct od_case *c = question->c;
    const struct od_failure *failure = question->diagnosis->failure;
    struct od_key_lines *key_lines = OD_NEW(arena, struct od_key_lines);
    bool memory = failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
    const struct od_incident *incident = memory ? failure->incident : failure->run.ended;
    struct choice choice = {.asked = question,
                            .at = incident ? incident->at : failure->run.at,
                            .failed = what_failed(question->diagnosis, incident),
                            .key_lines = key_lines};
    bool failed = memory || failure->run.outcome == OD_OUTCOME_OTHER_FAILURE;
    offer_remarks(&choice, c);
    if (memory)
        offer_settings(&choice, c);
    for (size_t i = 0; memory && i < c->commands.n; i++)
        offer(&choice, WEIGHS_COMMAND, &c->commands.items[i]);
    OD_FOR_EACH (const struct od_incident, other, c->incidents) /* "9898 Killed  ./solve -n 4" */
        if (incident && c->commands.n == 0 && other->echo_of == incident->id &&
            other->process.pid.known && od_view_eq_str(other->producer, "shell") &&
            other->evidence.n > 0)
            offer(&choice, WEIGHS_COMMAND, &other->evidence.items[0]);
    if (!failed)
        offer_claims(&choice, c);
    offer_unread(&choice, failed);
    offer_title(&choice, choice.at.source, failed);
    while (key_lines->decisive < key_lines->n &&
           choice.weights[key_lines->decisive] >= WEIGHS_DECISIVE)
        key_lines->decisive++;
    return key_lines;
}
