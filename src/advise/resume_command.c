#include "advise/resume_command.h"

#include "advise/command_number.h"
#include "advise/knob.h"
#include "advise/proposal.h"
#include "advise/remedy.h"
#include "facts/setting_number.h"
#include "failure/failure.h"

extern char **environ;

enum { ADDED_MOST = 32 };

struct changing {
    const struct od_resume_question *q;
    struct od_arena *arena;
    struct od_resume_command to;
    struct od_argv command;
    struct od_buf extra; /* changes that are not options of the command */
};

/* options are separated by a blank, as in a command */
static void put_extra(struct changing *c, const char *what)
{
    od_buf_printf(&c->extra, "%s%s", c->extra.n > 0 ? "; " : "", what);
}

/* Number of words that start the program according to the catalogue: 2 for "vllm serve MODEL". 0 =
 * not known. */
static size_t words_of_start(const struct changing *c)
{
    const struct od_software *driver = c->q->diagnosis->failure->stack.driver;
    const char *slash = c->command.argv[0] ? strrchr(c->command.argv[0], '/') : NULL;
    size_t most = driver && driver->sort == OD_SORT_RUNTIME;
    for (size_t i = 0; driver && i < driver->nmarks; i++) {
        struct od_view rest = od_view_of(driver->marks[i].text), word;
        size_t n = 0;
        bool same = driver->marks[i].kind == OD_MARK_COMMAND;
        while (same && rest.n > 0 && rest.p[0] != '-' && od_view_cut(&rest, ' ', &word)) {
            const char *has = n == 0 && slash ? slash + 1 : c->command.argv[n];
            same = has && od_view_eq_str(word, has);
            n += same;
        }
        if (same && n > most)
            most = n;
    }
    return most;
}

/* Where to insert a new option: directly after the words that start the program, otherwise before
 * the last option, so that it does not precede a positional argument. 0 = not known. */
static size_t place_of(const struct changing *c)
{
    size_t start = words_of_start(c);
    for (size_t i = c->command.n; start == 0 && i-- > 1;)
        if (od_is_option(c->command.argv[i]))
            return i;
    return start;
}

/* Index of the option with that name, or with another spelling of it: -w for --workers. */
static long find_option(const struct changing *c, const char *option)
{
    const struct od_software *driver = c->q->diagnosis->failure->stack.driver;
    struct od_view name = od_option_name(option, c->arena);
    long at = od_argv_find(&c->command, od_view_of(option));
    for (size_t i = 0; driver && at < 0 && i < driver->nknobs; i++) {
        const struct od_knob *knob = &driver->knobs[i];
        if (knob->flag && knob->also &&
            od_view_eq(name,
                       od_option_name(od_arena_str(c->arena, od_knob_fixed(knob->flag)), c->arena)))
            at = od_argv_find(&c->command, od_knob_fixed(knob->also));
    }
    return at;
}

/* Is it an option that a command may have several times, before the name of a subcommand: "-c" of
 * "-c pack.threads=1"? */
static bool is_shared(char *const *words)
{
    return words[0][0] == '-' && !od_option_own_value(words[0]) && words[1] && words[1][0] != '-' &&
           od_is_option(words[1]);
}

/* Sets one option in the command, or adds it. Returns its number of words. */
static size_t give_option(struct changing *c, char *const *words)
{
    size_t shared = is_shared(words);
    char *const *option = words + shared;
    const char *value = od_is_option(option[0]) ? od_option_value(option, 0) : NULL;
    bool own_word = value && !od_option_own_value(option[0]);
    long at = find_option(c, option[0]), beside = shared ? find_option(c, words[0]) : -1;
    const char *now = at >= 0 ? od_option_value(c->command.argv, (size_t)at) : NULL;
    size_t place = beside >= 0 ? (size_t)beside : shared ? 1 : place_of(c);
    if (value && now && strcmp(now, value) != 0)
        od_argv_set(&c->command, (size_t)at, value);
    else if (at < 0 && od_argv_insert(&c->command, place, od_view_of(option[0]))) {
        if (own_word)
            (void)od_argv_insert(&c->command, place + 1, od_view_of(value));
        if (shared)
            (void)od_argv_insert(&c->command, place, od_view_of(words[0]));
        od_argv_say(&c->command,
                    own_word ? od_arena_printf(c->arena, "%s %s", option[0], value) : option[0]);
    }
    return shared + own_word + 1;
}

/* Sets the options of form ("--resume out/4.pt", "resume=True model=out/4.pt") in the command, and
 * adds those that it lacks. False if there is no command, or no place for an option in it. */
static bool give_options(struct changing *c, const char *form)
{
    char *words[ADDED_MOST + 1] = {0};
    struct od_view rest = od_view_of(form), word;
    size_t n = 0, said = c->command.said.n;
    while (n < ADDED_MOST && rest.n > 0 && od_view_cut(&rest, ' ', &word))
        if (word.n > 0)
            words[n++] = od_arena_str(c->arena, word);
    for (size_t i = 0; i < n && c->command.argv;)
        i += give_option(c, words + i);
    return c->command.argv && (c->command.said.n > said || find_option(c, words[0]) >= 0);
}

/* Index of an option with that meaning and number; -1 = none. */
static long find_number(const struct changing *c, enum od_label_meaning meaning,
                        const uint64_t *wanted, uint64_t *ret_n)
{
    uint64_t n;
    for (size_t i = 1; c->command.argv[i]; i++) {
        const char *value =
            od_is_option(c->command.argv[i]) ? od_option_value(c->command.argv, i) : NULL;
        struct od_view name = od_option_name(c->command.argv[i], c->arena);
        if (value && od_means(od_label_means(name), meaning) &&
            od_num_parse_u64(od_view_of(value), &n) && (!wanted || n == *wanted)) {
            *ret_n = n;
            return (long)i;
        }
    }
    return -1;
}

/* Reduces the batch size in the command, if it is the cause. Multiplies the accumulation steps by
 * the same factor if the command has them. */
static void change_batch(struct changing *c)
{
    const struct od_answer *answer = c->q->answer;
    uint64_t added;
    if (!c->command.argv || !answer || !answer->batch_is_cause || !answer->recommended.known)
        return;
    uint64_t now = answer->batch.n, to = answer->recommended.n;
    long at = to > 0 && to < now ? find_number(c, OD_LABEL_TRAIN_BATCH, &now, &added) : -1;
    if (at < 0 || od_argv_is_useless(&c->command, c->command.argv[at]))
        return;
    c->to.eased = true;
    od_argv_set(&c->command, (size_t)at, od_arena_printf(c->arena, "%" PRIu64, to));
    at = find_number(c, OD_LABEL_ACCUMULATION, NULL, &added);
    if (at >= 0 && !ckd_mul(&added, added, (now + to - 1) / to))
        od_argv_set(&c->command, (size_t)at, od_arena_printf(c->arena, "%" PRIu64, added));
}

/* Does it begin with "export NAME=VALUE" about memory allocation or threads? Other variables only
 * give an example of a device or path. */
static bool is_variable(const char *code, struct od_view *ret_name, struct od_view *ret_value)
{
    struct od_view line = od_view_trim(od_view_of(code));
    if (!od_view_take(&line, OD_VIEW("export ")))
        return false;
    line.n = strcspn(line.p, " \n");
    bool named = od_view_cut(&line, '=', ret_name);
    struct od_view moved = line; /* a folder on a disk */
    bool ok = named && (od_means(od_label_means(*ret_name), OD_LABEL_ALLOCATION) ||
                        od_view_take(&moved, OD_VIEW("/var/tmp")));
    *ret_value = line;
    for (size_t i = 0; ok && i < line.n; i++)
        ok = !strchr("$`'\"\\{<", line.p[i]); /* a shell would interpret the line */
    return ok;
}

/* Sets a variable, unless it already has the value or did not help. */
static bool give_variable(struct changing *c, struct od_view name, struct od_view value)
{
    const char *variable = od_arena_str(c->arena, name);
    /* with argv, the run is a child of this process */
    const char *now = c->q->argv ? getenv(variable) : NULL;
    if ((now && od_view_eq_str(value, now)) || od_argv_is_useless(&c->command, variable))
        return false;
    c->to.variable = variable;
    c->to.value = od_arena_str(c->arena, value);
    od_argv_say(&c->command, od_arena_printf(c->arena, "%s=%s", variable, c->to.value));
    return true;
}

static bool set_variable(struct changing *c, const struct od_remedy_how *how)
{
    struct od_view name, value;
    const char *code = how->shell ? how->shell : how->code;
    return code && is_variable(code, &name, &value) && give_variable(c, name, value);
}

/* ---- the program's own settings ---- */

/* Sets the number in the command: in an option, in a word of several settings ("loop=1:size=300"),
 * or after the last word of its name ("-limit memory 8MiB"). */
static bool renumber_word(struct changing *c, const struct od_edit *edit,
                          const struct od_renumber *new)
{
    char **argv = c->command.argv;
    const struct od_view option = od_option_name(od_arena_str(c->arena, edit->name), c->arena);
    for (size_t i = 1; argv && argv[0] && argv[i]; i++) {
        struct od_edit tried;
        const struct od_evidence said = {.text = od_view_of(argv[i])};
        const char *own = od_option_own_value(argv[i]);
        bool in_it = own && od_view_eq_str(edit->value, own) &&
                     od_view_eq(option, od_option_name(argv[i], c->arena));
        bool next = od_view_eq_str(edit->value, argv[i]) &&
                    (od_view_eq(option, od_option_name(argv[i - 1], c->arena)) ||
                     od_view_eq_str(od_view_last_word(edit->name), argv[i - 1]));
        /* the meaning of numbers in a script is unknown */
        bool script = strchr(argv[i], '\n') != NULL;
        bool names = od_word_has(said.text, edit->name) || od_view_eq_str(edit->name, argv[i - 1]);
        bool part =
            !in_it && !next && !script && names && od_edit_number(&said, new, c->arena, &tried);
        size_t at = i - (next && od_is_option(argv[i - 1]));
        if (!(in_it || next || part) || od_argv_is_useless(&c->command, argv[at]))
            continue;
        if (part)
            od_argv_replace(&c->command, at, tried.to);
        else
            od_argv_set(&c->command, at, new->to);
        return true;
    }
    return false;
}

/* Sets the number in a variable of this process, which the command inherits: in "NAME=VALUE", or
 * among the options in the variable. */
static bool renumber_variable(struct changing *c, const struct od_edit *edit,
                              const struct od_renumber *new)
{
    for (char **variable = environ; c->q->argv && *variable; variable++) {
        struct od_edit tried;
        const struct od_evidence said = {.text = od_view_of(*variable)};
        struct od_view value = said.text, name;
        if (od_word_has(said.text, edit->name) && od_view_cut(&value, '=', &name) &&
            (od_view_eq(name, edit->name) || strchr(" =", value.p[0]) || value.p[0] == '-') &&
            od_edit_number(&said, new, c->arena, &tried) &&
            give_variable(c, name, od_view_from(od_view_of(tried.to), name.n + 1)))
            return true;
    }
    return false;
}

/* Sets the number in a copy of the file that has it, in the same folder, and puts the copy's name
 * in the command. */
static bool renumber_file(struct changing *c, const struct od_edit *edit,
                          const struct od_renumber *new)
{
    struct od_view place = od_view_of(edit->place ? edit->place : ""), name;
    char **argv = c->command.argv, *file, *setting = od_arena_str(c->arena, edit->name);
    if (!od_view_cut(&place, ':', &name) || od_argv_is_useless(&c->command, setting))
        return false;
    file = od_arena_str(c->arena, name);
    const char *slash = strrchr(file, '/'), *kind = strrchr(slash ? slash : file, '.');
    size_t stem = (size_t)(slash ? slash + 1 - file : 0);
    stem += strcspn(file + stem, "."); /* before the suffix that an earlier attempt added */
    for (size_t i = 1; argv && argv[i]; i++) {
        const char *own = od_option_own_value(argv[i]), *word = own ? own : argv[i];
        word += word[0] == '@'; /* a file of arguments: "@file" */
        if (strcmp(file, word) != 0)
            continue;
        c->to.copy = (struct od_resume_copy){
            file,
            od_arena_printf(c->arena, "%.*s.oomdoctor-%" PRIu64 "%s", (int)stem, file,
                            c->q->attempt + 1, kind ? kind : ""),
            od_arena_view(c->arena, place),
            {od_arena_view(c->arena, new->called), od_arena_view(c->arena, new->value),
             od_arena_str(c->arena, od_view_of(new->to))}};
        c->command.option = od_option_name(setting, c->arena);
        od_argv_say(&c->command, od_arena_printf(c->arena, "%s %.*s -> %s", setting,
                                                 (int)edit->value.n, edit->value.p, new->to));
        od_argv_replace(
            &c->command, i,
            od_arena_printf(c->arena, "%.*s%s", (int)(word - argv[i]), argv[i], c->to.copy.to));
        return true;
    }
    return false;
}

/* Sets the advised value; without one, a value that may be enough. */
static bool try_value(struct changing *c, const struct od_advice_remedy *advice,
                      const struct od_edit *edit, const char *advised)
{
    const double times = od_try_times(c->q->diagnosis->failure, advice, edit->more);
    const struct od_setting_number number = od_setting_number_read(edit->value);
    bool known = advised && !od_view_eq_str(edit->value, advised);
    const char *to = known ? advised : od_setting_number_times(&number, times, c->arena);
    const struct od_renumber new = {edit->name, edit->value, to};
    return edit->from && to &&
           (renumber_word(c, edit, &new) || renumber_variable(c, edit, &new) ||
            renumber_file(c, edit, &new));
}

/* Carries out one line of code: sets it in the command, if the command has the option or its
 * program is in the catalogue, otherwise lists it after the command. */
static void set_line(struct changing *c, const char *code)
{
    struct od_view rest = od_view_of(code), name;
    (void)od_view_cut(&rest, ' ', &name);
    const char *option = od_arena_str(c->arena, name);
    if (od_argv_is_useless(&c->command, option))
        return;
    bool has = od_is_option(option) && find_option(c, option) >= 0;
    bool its_own = option[0] == '-' && c->q->diagnosis->failure->stack.driver;
    size_t said = c->command.said.n;
    if ((has || its_own) && give_options(c, code))
        c->to.eased = c->command.said.n > said; /* it may already have that value */
    else
        put_extra(c, code);
}

/* Raises a limit of `ulimit`, which the command inherits. */
static bool lift(struct changing *c, const char *code)
{
    struct od_view rest = od_view_of(code && c->q->may_lift ? code : ""), letter;
    bool lifts = od_view_take(&rest, OD_VIEW("ulimit -")) && od_view_cut(&rest, ' ', &letter) &&
                 letter.n == 1 && strchr(c->q->may_lift, letter.p[0]) &&
                 od_view_take(&rest, OD_VIEW("unlimited"));
    c->to.lifts = (char)(lifts ? letter.p[0] : '\0');
    if (lifts)
        od_argv_say(
            &c->command,
            od_arena_printf(c->arena, "the soft limit of ulimit -%c to the hard one", c->to.lifts));
    return lifts;
}

/* Makes the first change of the remedies that a command can express. */
static void change_setting(struct changing *c)
{
    const struct od_remedies *remedies = c->q->remedies;
    for (size_t i = 0; remedies && i < remedies->n && !c->to.eased; i++) {
        const struct od_remedy *remedy = &remedies->list[i];
        if (od_answer_action_hardly_fits(&remedy->action))
            continue;
        OD_FOR_EACH_OF (const struct od_remedy_how, how, remedy->how, remedy->nhow) {
            c->to.eased = set_variable(c, how) ||
                          (c->q->argv && (try_value(c, remedy->advice, &how->edit, how->to) ||
                                          lift(c, how->code)));
            if (c->to.eased)
                break;
            bool moves = od_remedy_is_about(remedy->advice, "disk");
            if (!(how->turned || how->edit.from || moves) || !how->code ||
                strchr(how->code, '\n') || od_knob_is_open(how->code))
                continue;
            set_line(c, how->code);
            if (c->to.eased || !c->q->argv)
                return;
        }
    }
}

/* Lowers the number of the command on which its memory most probably depends. */
static void change_number(struct changing *c)
{
    const struct od_failure *failure = c->q->diagnosis->failure;
    const struct od_assigned *one = od_command_number(c->q->c, failure, &c->command, NULL, NULL);
    if (!one)
        return;
    struct od_edit edit = {.from = "", .name = one->name, .value = one->value};
    edit.more = od_number_is_bound(failure, one, c->arena);
    c->to.eased = try_value(c, &od_no_remedy, &edit, NULL);
}

/* The program's own resume option, otherwise that of a library on which its script is built. */
static const struct od_knob *resume_knob(const struct od_software_used *stack)
{
    const struct od_knob *knob = stack->driver ? od_software_knob(stack->driver, "resume") : NULL;
    for (size_t i = 0; !knob && i < stack->n; i++)
        if (!stack->driver || od_software_stands_on(stack->driver, stack->parts[i].software))
            knob = od_software_knob(stack->parts[i].software, "resume");
    return knob;
}

/* The checkpoint, or the folder that contains it; NULL = not in the log. */
static const char *slot_value(const struct od_checkpoint *saved, bool folder,
                              struct od_arena *arena)
{
    struct od_view path = {saved->path.p, saved->path.n};
    size_t slash = path.n;
    while (folder && slash > 0 && path.p[slash - 1] != '/')
        slash--;
    if (folder && slash > 1)
        path.n = slash - 1;
    return path.n > 0 ? od_arena_str(arena, path) : NULL;
}

/* A form of a knob with the checkpoint filled in. NULL if the form has no slot for it or stays
 * incomplete. */
static const char *filled(const struct changing *c, const struct od_knob *knob, const char *form)
{
    struct od_knob_place place;
    if (!od_knob_place_of(form, &place))
        return form;
    const char *value = slot_value(c->q->lost->saved, place.folder, c->arena);
    value = value ? value : knob->value;
    return value ? od_arena_printf(c->arena, "%.*s%s%s", (int)(place.begin - form), form, value,
                                   place.end)
                 : NULL;
}

/* Sets the resume option of a user's own script, if its command has one. */
static bool change_start(struct changing *c)
{
    static const char *const names[] = {"--resume",    "--resume_from",  "--resume_from_checkpoint",
                                        "--ckpt_path", "--restore_file", "--load_checkpoint"};
    const char *path = slot_value(c->q->lost->saved, false, c->arena);
    for (size_t i = 0; path && i < OD_COUNT_OF(names); i++) {
        long at = find_option(c, names[i]);
        const char *now = at >= 0 ? od_option_value(c->command.argv, (size_t)at) : NULL;
        if (!now || !strpbrk(now, "/."))
            continue;
        if (strcmp(now, path) != 0)
            od_argv_set(&c->command, (size_t)at, path);
        return true;
    }
    return false;
}

static void go_on(struct changing *c)
{
    const struct od_knob *knob = resume_knob(&c->q->diagnosis->failure->stack);
    if (!c->q->lost || !c->q->lost->saved)
        return;
    c->to.resumes = change_start(c);
    if (c->to.resumes || !knob)
        return;
    bool by_options =
        knob->flag && (c->command.argv || !knob->code) && (c->q->diagnosis->failure->stack.driver);
    const char *forms[] = {by_options ? knob->flag : NULL, knob->code, knob->key, knob->set};
    for (size_t i = 0; i < OD_COUNT_OF(forms) && !c->to.resumes; i++) {
        const char *form = forms[i] ? filled(c, knob, forms[i]) : NULL;
        if (!form)
            continue;
        c->to.resumes = true;
        if (i > 0 || !give_options(c, form))
            put_extra(c, form);
    }
}

/* ---- the whole command ---- */

/* The command before the failure as its shell printed it; empty if it is truncated or continues on
 * the next line. */
static struct od_view shown(const struct od_resume_question *q)
{
    const struct od_evidence *said = od_command_before(q->c, q->diagnosis->failure->run.ended);
    struct od_view command = said ? said->text : (struct od_view){0};
    bool goes_on = command.n > 0 && command.p[command.n - 1] == '\\';
    return goes_on ? (struct od_view){0} : command;
}

struct od_resume_command od_resume_command_of(const struct od_resume_question *question,
                                              struct od_arena *arena)
{
    struct changing c = {.q = question,
                         .arena = arena,
                         .command = od_argv_start(question->argv, shown(question), arena)};
    c.command.useless = question->useless;
    change_batch(&c);
    go_on(&c);
    change_setting(&c);
    if (question->may_lower && !c.to.eased)
        change_number(&c);
    c.to.argv = c.command.argv;
    c.to.changes = od_arena_str(arena, od_buf_view(&c.command.said));
    c.to.option = c.to.variable ? od_option_name(c.to.variable, arena) : c.command.option;
    if (c.extra.n > 0)
        c.to.extra = od_arena_str(arena, od_buf_view(&c.extra));
    od_buf_done(&c.command.said);
    od_buf_done(&c.extra);
    return c.to;
}

const char *od_resume_command_line(const struct od_resume_question *question,
                                   struct od_arena *arena)
{
    struct od_resume_command again = od_resume_command_of(question, arena);
    if (!again.resumes)
        return NULL;
    struct od_buf line = {0};
    for (size_t i = 0; again.argv && again.argv[i]; i++)
        od_buf_printf(&line, "%s%s", i > 0 ? " " : "", again.argv[i]);
    if (again.extra)
        od_buf_printf(&line, "%s%s", line.n > 0 ? "  # " : "", again.extra);
    const char *text = od_arena_str(arena, od_buf_view(&line));
    od_buf_done(&line);
    return text;
}
