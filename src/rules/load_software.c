/*
 * Loads the software catalogue.
 */
#include "facts/bounds.h"
#include "rules/loader.h"
#include "rules/software.h"
#include "rules/start_value.h"

enum { MARK_LEAST = 4, OVER_MOST = 8 };

const char *const od_sort_words[] = {
    "trainer",   "library",      "engine",   "server",   "gui",  "array",    "simulator", "runtime",
    "scheduler", "orchestrator", "compiler", "database", "tool", "platform", NULL};
const char *const od_mark_words[] = {"error",  "command", "call", "banner",  "path",
                                     "prefix", "config",  "name", "process", NULL};
const char *const od_does_words[] = {"training", "inference", "serving", NULL};
const char *const od_less_words[] = {"lower", "higher", "on", "off", "none", NULL};
const char *const od_knob_words[] = {
#define OD_KNOB(name, type) #name,
#include "rules/knobs.def"
    NULL};

/* Index of a text in a vocabulary. Reports an unknown text and returns 0. */
static size_t word_of(struct od_loader *loader, const struct od_yaml_node *node,
                      const char *const *words)
{
    return od_loader_word(loader, node, words) % od_loader_count(words);
}

static void read_least(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    od_loader_size(loader, node, &((struct od_knob *)to)->least);
}

#define KNOB(...) OD_KEY(struct od_knob, __VA_ARGS__)
static const struct od_loader_key knob_keys[] = {
    KNOB(NULL, OD_MAY, OD_LINE, name),
    KNOB("flag", OD_MAY, OD_LINE, flag),
    KNOB("also", OD_MAY, OD_LINE, also),
    KNOB("key", OD_MAY, OD_LINE, key),
    KNOB("env", OD_MAY, OD_LINE, env),
    KNOB("set", OD_MAY, OD_LINE, set),
    KNOB("code", OD_MAY, OD_LINE, code),
    KNOB("less", OD_MUST, OD_WORD, less, .words = od_less_words),
    KNOB("when", OD_MAY, OD_WHEN, when, .read = od_when_load),
    KNOB("relieves", OD_MAY, OD_TEXTS, relieves, .check = od_loader_check_kinds),
    KNOB("needs", OD_MAY, OD_WHEN, needs, .read = od_when_load),
    KNOB("value", OD_MAY, OD_LINE, value),
    KNOB("remark", OD_MAY, OD_LINE, remark),
    KNOB("default", OD_MAY, OD_LINE, preset),
    KNOB("bare", OD_MAY, OD_LINE, bare),
    KNOB("each", OD_MAY, OD_LINE, each),
    KNOB("unit", OD_MAY, OD_LINE, unit),
    KNOB("start", OD_MAY, OD_LINE, start),
    KNOB("least", OD_MAY, OD_BITS, least, .read = read_least),
    KNOB("per", OD_MAY, OD_NAME, per, .words = od_knob_words),
    KNOB("beside", OD_MAY, OD_NAME, beside, .words = od_knob_words),
    KNOB("copies", OD_MAY, OD_TRUTH, copies),
    KNOB("source", OD_MUST, OD_LINE, source),
    KNOB("checked", OD_MAY, OD_TRUTH, checked),
};
static const struct od_loader_map knob_map = OD_MAP("a knob", struct od_knob, knob_keys);

static void load_knobs(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_software *software = to;
    if (!od_loader_is(loader, node, OD_YAML_MAP))
        return;
    struct od_knob *knobs = OD_NEW_N(loader->arena, node->n + 1, struct od_knob);
    software->knobs = knobs;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        struct od_knob *knob = &knobs[software->nknobs++];
        *knob = (struct od_knob){.checked = true};
        size_t word = word_of(loader, child->key, od_knob_words);
        knob->name = od_knob_words[word];
        if (!od_loader_map(loader, child, &knob_map, knob))
            continue;
        if (knob->start && !od_start_is_valid(od_view_of(knob->start)))
            od_loader_error(loader, child, "R0408", "limit x 0.5, free of device",
                            "a first value that is no formula");
        if (knob->code && (strstr(knob->code, "=)") || strstr(knob->code, "=,")))
            od_loader_error(loader, child, "R0409", "argument=N", "an argument without a value");
        if (!knob->flag && !knob->key && !knob->env && !knob->set && !knob->code)
            od_loader_error(loader, child, "R0404", "flag, key, env, set or code",
                            "a knob without a form");
    }
}

/* An answer must be a knob of the program, a general remedy, or complete texts. */
static void check_answer(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    const struct od_software_answer *answer = to;
    bool words = answer->title && answer->say && answer->cost && answer->source;
    bool knob = answer->turn && !answer->say && !answer->code;
    bool general = answer->remedy && !answer->title && !answer->say;
    if (words + knob + general != 1)
        od_loader_error(loader, node, "R0407", "turn, remedy, or title, say, cost and source",
                        "neither a setting to turn nor an answer in words");
}

static const char *const is_checked[] = {"true", "false", NULL};
#define ANSWER(...) OD_KEY(struct od_software_answer, __VA_ARGS__)
static const struct od_loader_key answer_keys[] = {
    ANSWER("when", OD_MAY, OD_WHEN, when, .read = od_when_load),
    ANSWER("relieves", OD_MAY, OD_TEXTS, relieves, .check = od_loader_check_kinds),
    ANSWER("needs", OD_MAY, OD_WHEN, needs, .read = od_when_load),
    ANSWER("turn", OD_MAY, OD_NAME, turn, .words = od_knob_words),
    ANSWER("remedy", OD_MAY, OD_LINE, remedy, .check = od_loader_check_remedy),
    ANSWER("more", OD_MAY, OD_TRUTH, more),
    ANSWER("title", OD_MAY, OD_LINE, title, .check = od_loader_check_subject),
    ANSWER("say", OD_MAY, OD_BLOCK, say, .check = od_loader_check_subject),
    ANSWER("code", OD_MAY, OD_BLOCK, code),
    ANSWER("cost", OD_MAY, OD_LINE, cost),
    ANSWER("source", OD_MAY, OD_LINE, source),
    ANSWER("checked", OD_MAY, OD_TRUTH, unchecked, .words = is_checked),
};
static const struct od_loader_map answer_map =
    OD_MAP("an answer", struct od_software_answer, answer_keys, .check = check_answer);

/* Loads the setting that prevents an error: "raise: heap". */
static void load_cure(struct od_loader *loader, const struct od_yaml_node *node, const char *key,
                      struct od_software_mark *mark)
{
    const struct od_yaml_node *cure = od_yaml_get(node, key);
    if (!cure || !od_loader_is(loader, cure, OD_YAML_TEXT))
        return;
    mark->knob = od_knob_words[word_of(loader, cure, od_knob_words)];
    mark->more = strcmp(key, "raise") == 0;
}

/* Loads a mark: "- path: vllm/v1/", "- {error: heap is full, raise: heap}". */
static void load_mark(struct od_loader *loader, const struct od_yaml_node *node,
                      struct od_software_mark *mark)
{
    if (!od_loader_is(loader, node, OD_YAML_MAP) || !node->first ||
        !od_loader_is(loader, node->first, OD_YAML_TEXT))
        return;
    mark->kind = (enum od_mark_kind)word_of(loader, node->first->key, od_mark_words);
    mark->text = node->first->text;
    load_cure(loader, node, "raise", mark);
    load_cure(loader, node, "reduce", mark);
    if (node->n > (mark->knob ? 2U : 1U))
        od_loader_error(loader, node, "R0401", "raise or reduce", "a mark says one thing");
    if (mark->kind != OD_MARK_PROCESS && strlen(mark->text) < MARK_LEAST)
        od_loader_error(loader, node->first, "R0405", NULL, "a mark has %d letters or more",
                        MARK_LEAST);
}

static void load_marks(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct od_software *software = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    struct od_software_mark *marks = OD_NEW_N(loader->arena, node->n + 1, struct od_software_mark);
    software->marks = marks;
    for (const struct od_yaml_node *child = node->first; child; child = child->next)
        load_mark(loader, child, &marks[software->nmarks++]);
}

#define RELEASE(key, of, member) OD_KEY(struct od_software_##of, key, OD_MUST, OD_LINE, member)
static const struct od_loader_key release_keys[] = {
    RELEASE("version", release, version),
    RELEASE("day", release, day),
};
static const struct od_loader_map release_map =
    OD_MAP("a release", struct od_software_release, release_keys);
static const struct od_loader_key wording_keys[] = {
    RELEASE("remark", wording, remark),
    OD_KEY(struct od_software_wording, "from", OD_MAY, OD_LINE, from),
    OD_KEY(struct od_software_wording, "before", OD_MAY, OD_LINE, before),
};
static const struct od_loader_map wording_map =
    OD_MAP("a wording", struct od_software_wording, wording_keys);

#define MARK(...) OD_KEY(struct od_software_mark, NULL, OD_MAY, __VA_ARGS__)
static const struct od_loader_key mark_keys[] = {
    MARK(OD_WORD, kind),
    MARK(OD_LINE, text),
    MARK(OD_LINE, knob),
    MARK(OD_TRUTH, more),
};
const struct od_loader_map od_mark_map = OD_MAP("a mark", struct od_software_mark, mark_keys);

#define SOFTWARE(...) OD_KEY(struct od_software, __VA_ARGS__)
static const struct od_loader_key software_keys[] = {
    SOFTWARE("name", OD_MUST, OD_LINE, name),
    SOFTWARE("title", OD_MUST, OD_LINE, title),
    SOFTWARE(NULL, OD_MAY, OD_LINE, file),
    SOFTWARE(NULL, OD_MAY, OD_WORD, sort),
    SOFTWARE("over", OD_MAY, OD_TEXTS, over),
    SOFTWARE("systems", OD_MAY, OD_TEXTS, systems),
    SOFTWARE("works_on", OD_MAY, OD_NAME, works_on, .words = od_sample_words),
    SOFTWARE("within", OD_MAY, OD_LINE, within, .check = od_loader_check_program),
    SOFTWARE("since", OD_MAY, OD_LINE, since),
    SOFTWARE("does", OD_MAY, OD_NAME, does, .words = od_does_words),
    SOFTWARE("place", OD_MAY, OD_NAME, place, .words = od_place_words),
    SOFTWARE("variable", OD_MAY, OD_BLOCK, variable),
    SOFTWARE("where", OD_MAY, OD_LINE, where, .check = od_loader_check_subject),
    {.name = "marks", .required = true, .read = load_marks},
    OD_KEYS(struct od_software, "knobs", OD_MUST, OD_ROWS, knobs, .read = load_knobs,
            .rows = &knob_map),
    OD_KEYS(struct od_software, "answers", OD_MAY, OD_ROWS, answers, .rows = &answer_map),
    OD_KEYS(struct od_software, "releases", OD_MAY, OD_ROWS, releases, .rows = &release_map),
    OD_KEYS(struct od_software, "wordings", OD_MAY, OD_ROWS, wordings, .rows = &wording_map),
};
const struct od_loader_map od_software_map = OD_MAP("a program", struct od_software, software_keys);

const struct od_knob *od_software_knob(const struct od_software *software, const char *name)
{
    for (size_t i = 0; i < software->nknobs; i++)
        if (strcmp(software->knobs[i].name, name) == 0)
            return &software->knobs[i];
    return NULL;
}

/* Does the key end here? Yes in "key: value"; the name of "-XX:MaxHeapSize=N" continues. */
static bool ends_key(struct od_view text, size_t at)
{
    bool goes_on = text.p[0] == '-' && at + 2 < text.n && od_is_letter(text.p[at + 1]) &&
                   od_is_letter(text.p[at + 2]);
    return text.p[at] == ':' && !goes_on;
}

bool od_knob_place_of(const char *form, struct od_knob_place *ret_place)
{
    const char *folder = strstr(form, "DIR"), *begin = folder ? folder : strstr(form, "PATH");
    if (!begin)
        return false;
    *ret_place =
        (struct od_knob_place){begin, begin + strlen(folder ? "DIR" : "PATH"), folder != NULL};
    return true;
}

/* Length of a key directly before its number, as in "-XmxNg", "+RTS -MNg"; 0 = none. */
static size_t joined_key(struct od_view form)
{
    bool joined = form.n > 4 && strchr("gm", form.p[form.n - 1]) && form.p[form.n - 2] == 'N' &&
                  od_is_letter(form.p[form.n - 3]) && !memchr(form.p, '=', form.n);
    return joined ? form.n - 2 : 0;
}

bool od_knob_counts_samples(const struct od_knob *knob)
{
    static const char *const others[] = {"duration", "token", "bins", "frames", "seconds", NULL};
    const char *const forms[] = {knob->flag, knob->key, knob->set};
    for (size_t i = 0; i < OD_COUNT_OF(forms); i++)
        if (forms[i] && od_view_has_any(od_view_of(forms[i]), others))
            return false;
    return true;
}

/* Length of a flag with the name of a setting, and the blank after it: "-limit memory N", "-l
 * h_vmem=NG"; 0 = the flag is followed by its value. */
static size_t flag_of_words(struct od_view form)
{
    size_t n = form.n > 0 && form.p[0] == '-' ? od_view_find_char(form, ' ', 0) : OD_VIEW_NONE;
    size_t end = n == OD_VIEW_NONE ? form.n : n + 1;
    while (end < form.n && (od_is_word(form.p[end]) || form.p[end] == '.'))
        end++;
    return end + 1 < form.n && strchr("= ", form.p[end]) && form.p[end + 1] == 'N' ? n + 1 : 0;
}

struct od_view od_knob_fixed(const char *form)
{
    struct od_view text = od_view_of(form);
    (void)od_view_take(&text, OD_VIEW("SET ")); /* a statement of SQL */
    size_t n = flag_of_words(text);
    while (n < text.n && text.p[n] != '=' && text.p[n] != ' ' && !ends_key(text, n))
        n++;
    if (n < text.n && n > 0 && text.p[n] == '=')
        n++;
    size_t joined = joined_key(od_view_of(form));
    text.n = joined > 0 ? joined : n;
    return text;
}

bool od_knob_is_called(const struct od_knob *knob, struct od_view name)
{
    const char *const forms[] = {knob->flag, knob->also, knob->key, knob->env, knob->set};
    for (size_t i = 0; i < OD_COUNT_OF(forms); i++)
        if (forms[i] && od_is_same_setting(name, od_stated_read(od_knob_fixed(forms[i])).name))
            return true;
    return false;
}

bool od_knob_sets(const struct od_knob *knob, struct od_view word)
{
    enum { SHORT = 5 };
    return knob->value && word.n > SHORT && od_view_has(od_view_of(knob->value), word);
}

struct file {
    enum od_sort sort;
    const char *name;
    struct od_software_list *list;
};

static void load_sort(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct file *file = to;
    file->sort = (enum od_sort)word_of(loader, node, od_sort_words);
}

static void push(struct od_arena *arena, struct od_software_list *list,
                 const struct od_software *software)
{
    if (list->n + 1 >= list->room) {
        size_t room = list->room == 0 ? 64 : 2 * list->room;
        const struct od_software **items = OD_NEW_N(arena, room, const struct od_software *);
        if (list->n > 0)
            memcpy(items, list->items, list->n * sizeof *items);
        list->items = items;
        list->room = room;
    }
    list->items[list->n++] = software;
    list->items[list->n] = NULL;
}

static bool has_error(const struct od_software *software, const char *text)
{
    for (size_t i = 0; i < software->nmarks; i++)
        if (software->marks[i].kind == OD_MARK_ERROR && strcmp(software->marks[i].text, text) == 0)
            return true;
    return false;
}

/* Checks that a script passes settings as arguments with the names of the command's flags. */
static void check_calls(struct od_loader *loader, const struct od_yaml_node *node,
                        const struct od_software *software)
{
    for (size_t i = 0; i < software->nmarks; i++)
        for (size_t k = 0; software->marks[i].kind == OD_MARK_CALL && k < software->nknobs; k++) {
            const char *flag = software->knobs[k].flag;
            if (flag && flag[0] == '-' && flag[1] != '-')
                od_loader_error(loader, node, "R0407", flag,
                                "a program that scripts call has flags that name arguments");
        }
}

/* Checks that answers refer to knobs and errors of the program. */
static void check_answers(struct od_loader *loader, const struct od_yaml_node *node,
                          const struct od_software *software)
{
    OD_FOR_EACH_OF (const struct od_software_answer, answer, software->answers,
                    software->nanswers) {
        if (answer->turn && !od_software_knob(software, answer->turn))
            od_loader_error(loader, node, "R0407", answer->turn, "an answer without its knob");
        bool named = false;
        for (size_t i = 0; i < software->nmarks; i++)
            named |= od_answer_is_named(answer, &software->marks[i]);
        if (!answer->when.text && !named)
            od_loader_error(loader, node, "R0407", "when",
                            "an answer for no failure: no error names its setting");
        const struct od_when_step *shows = NULL;
        while ((shows = od_when_test_of(&answer->when, OD_FACT_SHOWS, shows)) != NULL)
            if (!has_error(software, shows->text))
                od_loader_error(loader, node, "R0407", shows->text, "an answer without its mark");
    }
}

/* The usual work of a program without `does`. A library that shards optimizer states is only used
 * for training. A program with windows handles one request at a time, unless it has a setting for
 * training. */
static const char *does_of(const struct od_software *software)
{
    static const char *const of_training[] = {"accumulation", "optimizer", "checkpointing"};
    bool trains = software->sort == OD_SORT_TRAINER || od_software_knob(software, "zero_stage"),
         infers = software->sort == OD_SORT_GUI;
    for (size_t i = 0; i < OD_COUNT_OF(of_training); i++)
        infers = infers && !od_software_knob(software, of_training[i]);
    return trains                             ? od_does_words[0]
           : infers                           ? od_does_words[1]
           : software->sort == OD_SORT_SERVER ? od_does_words[2]
                                              : NULL;
}

static void load_programs(struct od_loader *loader, const struct od_yaml_node *node, void *to)
{
    struct file *file = to;
    if (!od_loader_is(loader, node, OD_YAML_LIST))
        return;
    for (const struct od_yaml_node *child = node->first; child; child = child->next) {
        struct od_software *software = OD_NEW(loader->arena, struct od_software);
        software->sort = file->sort;
        software->file = file->name;
        size_t before = loader->source.errors;
        bool whole = od_loader_map(loader, child, &od_software_map, software);
        if (whole && (software->nmarks == 0 || software->nknobs == 0))
            od_loader_error(loader, child, "R0406", NULL, "a program has a mark and a knob");
        software->does = software->does ? software->does : does_of(software);
        if (loader->source.errors == before) /* only with complete conditions */
            check_answers(loader, child, software);
        check_calls(loader, child, software);
        push(loader->arena, file->list, software);
    }
}

/* Keys in order of dependence: all programs of a file have its sort. */
static const struct od_loader_key file_keys[] = {
    OD_KEY_SCHEMA,
    {.name = "software", .required = true, .read = load_sort},
    {.name = "programs", .required = true, .read = load_programs},
};

static const struct od_loader_map file_map = OD_MAP("software", struct file, file_keys);

enum od_err od_software_load(struct od_view yaml, const char *name, struct od_arena *arena,
                             struct od_diags *diags, struct od_software_list *list)
{
    struct file file = {.name = od_arena_str(arena, od_view_of(name)), .list = list};
    return od_loader_read(&(struct od_loading){name, arena, diags, &file_map, &file}, yaml);
}

static size_t index_of(const struct od_software_list *list, const char *name)
{
    size_t i = 0;
    while (i < list->n && strcmp(list->items[i]->name, name) != 0)
        i++;
    return i;
}

/* Is the program built only on programs of the list, without cycles? */
static bool stands(const struct od_software_list *list, size_t i, size_t depth)
{
    for (const char *const *name = list->items[i]->over; name && *name; name++) {
        size_t below = index_of(list, *name);
        if (below == list->n || depth == OVER_MOST || !stands(list, below, depth + 1))
            return false;
    }
    return true;
}

enum od_err od_software_check_all(const struct od_software_list *list, struct od_diags *diags)
{
    bool good = true;
    for (size_t i = 0; i < list->n; i++) {
        const struct od_software *software = list->items[i];
        const char *code = index_of(list, software->name) != i ? "R0402"
                           : !stands(list, i, 0)               ? "R0403"
                                                               : NULL;
        if (!code)
            continue;
        good = false;
        od_diags_say(diags, OD_ERROR, "%s: %s: %s", software->file, software->name,
                     strcmp(code, "R0402") == 0 ? "the name is taken"
                                                : "what it stands on is unknown, or itself");
    }
    return good ? OD_OK : OD_ERULE;
}
