#include "advise/resume_command.h"

#include "advise/knob.h"
#include "base/code_line.h"
#include "facts/setting_number.h"
#include "failure/failure.h"

#include <math.h>

enum { NAME_ROOM = 80, ADDED_MOST = 32, SHOWN_MOST = 1024 };

struct changing {
    const struct od_resume_question *q;
    struct od_arena *arena;
    struct od_resume_command to;
    struct od_buf said, beside;
    size_t n, room; /* number of words, and capacity of argv */
};

static void say(struct changing *c, const char *what)
{
    od_buf_printf(&c->said, "%s%s", c->said.n > 0 ? ", " : "", what);
}

/* options are separated by a blank, as in a command */
static void put_beside(struct changing *c, const char *what)
{
    od_buf_printf(&c->beside, "%s%s", c->beside.n > 0 ? "; " : "", what);
}

/* ---- words of the command ---- */

/* "-Xmx48m", "-j8": length of the option before the number that is attached to it; 0 = none is. */
static size_t attached(const char *word)
{
    size_t name = 1, end;
    if (word[0] != '-' || (!od_is_letter(word[1]) && word[1] != '@'))
        return 0;
    while (od_is_letter(word[name]) || word[name] == ':')
        name++;
    for (end = name; od_is_digit(word[end]);)
        end++;
    if (end == name)
        return 0;
    end += strspn(word + end, "kKmMgGtT");
    return word[end] == '\0' ? name : 0;
}

/* "--per-device-train-batch-size" -> "per_device_train_batch_size": the name before "=" or a
 * number. */
static struct od_view name_of(const char *word, char room[static NAME_ROOM])
{
    struct od_view name = od_view_of(word);
    size_t end = od_view_find_char(name, '=', 0), joined = attached(word);
    if (end != OD_VIEW_NONE || joined > 0)
        name = od_view_head(name, joined > 0 ? joined : end);
    while (od_view_take(&name, OD_VIEW("-")) || od_view_take(&name, OD_VIEW("+")) ||
           od_view_take(&name, OD_VIEW("XX:")))
        ;
    if (name.n >= NAME_ROOM)
        return (struct od_view){0};
    for (size_t i = 0; i < name.n; i++)
        room[i] = name.p[i] == '-' ? '_' : od_lower(name.p[i]);
    return (struct od_view){room, name.n};
}

static bool is_option(const char *word)
{
    return (word[0] == '-' && !od_is_digit(word[1])) || strchr(word, '=') != NULL;
}

/* The value within the word of an option: after its "=", or attached to it; NULL = none. */
static const char *own_value(const char *word)
{
    const char *sign = strchr(word, '=');
    size_t joined = attached(word);
    return sign ? sign + 1 : joined > 0 ? word + joined : NULL;
}

/* The value of option i: in its own word, or the next word. NULL = it has no value. */
static const char *value_of(char *const *argv, size_t i)
{
    const char *own = own_value(argv[i]);
    if (own)
        return own;
    return argv[i + 1] && !is_option(argv[i + 1]) ? argv[i + 1] : NULL;
}

static void set_value(struct changing *c, size_t i, const char *value)
{
    char **argv = c->to.argv;
    const char *own = own_value(argv[i]), *old = value_of(argv, i);
    int head = own ? (int)(own - argv[i]) : (int)strlen(argv[i]);
    int name = own && argv[i][head - 1] == '=' ? head - 1 : head;
    say(c, od_arena_printf(c->arena, "%.*s %s -> %s", name, argv[i], old, value));
    if (own)
        argv[i] = od_arena_printf(c->arena, "%.*s%s", head, argv[i], value);
    else
        argv[i + 1] = od_arena_str(c->arena, od_view_of(value));
}

/* How many words of the command start its program, by the catalogue: 2 of "vllm serve MODEL". 0 =
 * not known. */
static size_t words_of_start(const struct changing *c)
{
    const struct od_software *driver = c->q->diagnosis->failure->stack.driver;
    const char *slash = c->to.argv[0] ? strrchr(c->to.argv[0], '/') : NULL;
    size_t most = driver && driver->sort == OD_SORT_RUNTIME;
    for (size_t i = 0; driver && i < driver->nmarks; i++) {
        struct od_view rest = od_view_of(driver->marks[i].text), word;
        size_t n = 0;
        bool same = driver->marks[i].kind == OD_MARK_COMMAND;
        while (same && rest.n > 0 && rest.p[0] != '-' && od_view_cut(&rest, ' ', &word)) {
            const char *has = n == 0 && slash ? slash + 1 : c->to.argv[n];
            same = has && od_view_eq_str(word, has);
            n += same;
        }
        if (same && n > most)
            most = n;
    }
    return most;
}

/* Where a new option belongs: directly after the words that start the program, or else before the
 * last option, so that no word that the program takes by its place comes before it. 0 = it is not
 * known. */
static size_t place_of(const struct changing *c)
{
    size_t start = words_of_start(c);
    for (size_t i = c->n; start == 0 && i-- > 1;)
        if (is_option(c->to.argv[i]))
            return i;
    return start;
}

static bool insert(struct changing *c, size_t at, struct od_view word)
{
    if (at == 0 || c->n == c->room)
        return false;
    memmove(c->to.argv + at + 1, c->to.argv + at, (c->n - at + 1) * sizeof *c->to.argv);
    c->to.argv[at] = od_arena_str(c->arena, word);
    c->n++;
    return true;
}

static long find_as(const struct changing *c, struct od_view option)
{
    char wanted[NAME_ROOM], room[NAME_ROOM];
    struct od_view name = name_of(od_arena_str(c->arena, option), wanted);
    for (size_t i = 1; c->to.argv && c->to.argv[i] && name.n > 0; i++)
        if (is_option(c->to.argv[i]) && od_view_eq(name, name_of(c->to.argv[i], room)))
            return (long)i;
    return -1;
}

/* The option of the command by that name, or by another spelling of it: -w for --workers. */
static long find_option(const struct changing *c, const char *option)
{
    char wanted[NAME_ROOM], room[NAME_ROOM];
    const struct od_software *driver = c->q->diagnosis->failure->stack.driver;
    struct od_view name = name_of(option, wanted);
    long at = find_as(c, od_view_of(option));
    for (size_t i = 0; driver && at < 0 && i < driver->nknobs; i++) {
        const struct od_knob *knob = &driver->knobs[i];
        if (knob->flag && knob->also &&
            od_view_eq(name, name_of(od_arena_str(c->arena, od_knob_fixed(knob->flag)), room)))
            at = find_as(c, od_knob_fixed(knob->also));
    }
    return at;
}

/* "-c" of "-c pack.threads=1", which a command may have several times, and which comes before the
 * name of a subcommand. */
static bool is_shared(char *const *words)
{
    return words[0][0] == '-' && !own_value(words[0]) && words[1] && words[1][0] != '-' &&
           is_option(words[1]);
}

/* Sets one option in the command, or adds it. Returns how many words it has. */
static size_t give_option(struct changing *c, char *const *words)
{
    size_t shared = is_shared(words);
    char *const *option = words + shared;
    const char *value = is_option(option[0]) ? value_of(option, 0) : NULL;
    bool own_word = value && !own_value(option[0]);
    long at = find_option(c, option[0]), beside = shared ? find_option(c, words[0]) : -1;
    const char *now = at >= 0 ? value_of(c->to.argv, (size_t)at) : NULL;
    size_t place = beside >= 0 ? (size_t)beside : shared ? 1 : place_of(c);
    if (value && now && strcmp(now, value) != 0)
        set_value(c, (size_t)at, value);
    else if (at < 0 && insert(c, place, od_view_of(option[0]))) {
        if (own_word)
            (void)insert(c, place + 1, od_view_of(value));
        if (shared)
            (void)insert(c, place, od_view_of(words[0]));
        say(c, own_word ? od_arena_printf(c->arena, "%s %s", option[0], value) : option[0]);
    }
    return shared + own_word + 1;
}

/* Sets the options of form ("--resume out/4.pt", "resume=True model=out/4.pt") in the command and
 * adds those that it lacks. False if no command is known, or no place for an option in it. */
static bool give_options(struct changing *c, const char *form)
{
    char *words[ADDED_MOST + 1] = {0};
    struct od_view rest = od_view_of(form), word;
    size_t n = 0, said = c->said.n;
    while (n < ADDED_MOST && rest.n > 0 && od_view_cut(&rest, ' ', &word))
        if (word.n > 0)
            words[n++] = od_arena_str(c->arena, word);
    for (size_t i = 0; i < n && c->to.argv;)
        i += give_option(c, words + i);
    return c->to.argv && (c->said.n > said || find_option(c, words[0]) >= 0);
}

/* Index of an option with that meaning and number; -1 = none. */
static long find_number(const struct changing *c, enum od_label_meaning meaning,
                        const uint64_t *wanted, uint64_t *ret_n)
{
    uint64_t n;
    char room[NAME_ROOM];
    for (size_t i = 1; c->to.argv[i]; i++) {
        const char *value = is_option(c->to.argv[i]) ? value_of(c->to.argv, i) : NULL;
        struct od_view name = name_of(c->to.argv[i], room);
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
    if (!c->to.argv || !answer || !answer->batch_is_cause || !answer->recommended.known)
        return;
    uint64_t now = answer->batch.n, to = answer->recommended.n;
    long at = to > 0 && to < now ? find_number(c, OD_LABEL_TRAIN_BATCH, &now, &added) : -1;
    if (at < 0)
        return;
    c->to.eased = true;
    set_value(c, (size_t)at, od_arena_printf(c->arena, "%" PRIu64, to));
    at = find_number(c, OD_LABEL_ACCUMULATION, NULL, &added);
    if (at >= 0 && !ckd_mul(&added, added, (now + to - 1) / to))
        set_value(c, (size_t)at, od_arena_printf(c->arena, "%" PRIu64, added));
}

/* Is it a single line "export NAME=VALUE" about memory allocation? Other variables only give an
 * example of a device or a path. */
static bool is_variable(const char *code, struct od_view *ret_name, struct od_view *ret_value)
{
    struct od_view line = od_view_trim(od_view_of(code));
    if (!od_view_take(&line, OD_VIEW("export ")) ||
        od_view_find_char(line, '\n', 0) != OD_VIEW_NONE)
        return false;
    bool ok = od_view_cut(&line, '=', ret_name) &&
              od_means(od_label_means(*ret_name), OD_LABEL_ALLOCATION);
    *ret_value = line;
    for (size_t i = 0; ok && i < line.n; i++)
        ok = line.p[i] > ' ' && !strchr("$`'\"\\{<", line.p[i]); /* a shell would read more */
    return ok;
}

/* Uses the first step of the best remedy, if it sets a variable that does not have that value
 * yet. */
static void change_environment(struct changing *c)
{
    const struct od_remedies *remedies = c->q->remedies;
    struct od_view name, value;
    for (size_t i = 0; remedies && remedies->n > 0 && i < remedies->list[0].nhow; i++) {
        const struct od_remedy_how *how = &remedies->list[0].how[i];
        const char *code = how->shell ? how->shell : how->code;
        if (!code || !is_variable(code, &name, &value))
            continue;
        const char *variable = od_arena_str(c->arena, name);
        /* with argv, the run is a child of this process */
        const char *now = c->q->argv ? getenv(variable) : NULL;
        if (now && od_view_eq_str(value, now))
            continue;
        c->to.variable = variable;
        c->to.value = od_arena_str(c->arena, value);
        c->to.eased = true;
        say(c, od_arena_printf(c->arena, "%s=%s", variable, c->to.value));
        return;
    }
}

/* ---- the program's own settings ---- */

/* Where no value follows from the numbers, a retry finds one: half of today's, or twice as much,
 * then four times that. */
static bool try_value(struct changing *c, const struct od_edit *edit)
{
    enum { STEEPEST = 3 };
    bool open = edit->from && (!edit->to || edit->guess);
    long at = open ? find_option(c, od_arena_str(c->arena, edit->name)) : -1;
    const char *now = at >= 0 ? value_of(c->to.argv, (size_t)at) : NULL;
    if (!now || !od_view_eq_str(edit->value, now))
        return false;
    const struct od_setting_number number = od_setting_number_read(edit->value);
    uint64_t times = c->q->attempt < STEEPEST ? c->q->attempt : STEEPEST;
    double to = edit->more ? ldexp(number.value, (int)times) : floor(number.value / 2);
    if (to < 1)
        return false;
    set_value(c, (size_t)at, od_setting_number_text(&number, to, c->arena));
    return true;
}

/* One line with its numbers filled in: sets it in the command, if the command already has it or its
 * program is in the catalogue, or puts it beside the command. */
static void set_line(struct changing *c, const char *code)
{
    struct od_view rest = od_view_of(code), name;
    (void)od_view_cut(&rest, ' ', &name);
    const char *option = od_arena_str(c->arena, name);
    bool has = is_option(option) && find_option(c, option) >= 0;
    bool its_own = option[0] == '-' && c->q->diagnosis->failure->stack.driver;
    size_t said = c->said.n;
    if ((has || its_own) && give_options(c, code))
        c->to.eased = c->said.n > said; /* it may have that value already */
    else
        put_beside(c, code);
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
            c->to.eased = c->q->argv && try_value(c, &how->edit);
            if (c->to.eased)
                break;
            if (!(how->turned || how->edit.from) || !how->code || strchr(how->code, '\n') ||
                od_knob_is_open(how->code))
                continue;
            set_line(c, how->code);
            return;
        }
    }
}

/* The program's own resume option, otherwise that of a library that its script is built on. */
static const struct od_knob *resume_knob(const struct od_stack *stack)
{
    const struct od_knob *knob = stack->driver ? od_software_knob(stack->driver, "resume") : NULL;
    for (size_t i = 0; !knob && i < stack->n; i++)
        if (!stack->driver || od_software_stands_on(stack->driver, stack->parts[i].software))
            knob = od_software_knob(stack->parts[i].software, "resume");
    return knob;
}

/* The checkpoint or the folder that contains it; NULL = not in the log. */
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

/* A form of a knob with the checkpoint filled in. NULL if the form has no place for it or stays
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
        const char *now = at >= 0 ? value_of(c->to.argv, (size_t)at) : NULL;
        if (!now || !strpbrk(now, "/."))
            continue;
        if (strcmp(now, path) != 0)
            set_value(c, (size_t)at, path);
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
        knob->flag && (c->to.argv || !knob->code) && (c->q->diagnosis->failure->stack.driver);
    const char *forms[] = {by_options ? knob->flag : NULL, knob->code, knob->key, knob->set};
    for (size_t i = 0; i < OD_COUNT_OF(forms) && !c->to.resumes; i++) {
        const char *form = forms[i] ? filled(c, knob, forms[i]) : NULL;
        if (!form)
            continue;
        c->to.resumes = true;
        if (i > 0 || !give_options(c, form))
            put_beside(c, form);
    }
}

/* ---- the whole command ---- */

/* The command before the failure as its shell printed it; empty if it is cut or continues on the
 * next line. */
static struct od_view shown(const struct od_resume_question *q)
{
    const struct od_incident *failure = q->diagnosis->failure->run.ended;
    struct od_view command = {0};
    OD_FOR_EACH (const struct od_evidence, said, q->c->commands) {
        if (!failure || od_prov_cmp(&said->at, &failure->at) < 0)
            command = said->text;
    }
    bool goes_on = command.n > 0 && command.p[command.n - 1] == '\\';
    return goes_on ? (struct od_view){0} : command;
}

/* The next word by the rules of a shell, including its quotes. */
static bool next_word(struct od_view *rest, struct od_view *ret_word)
{
    od_view_skip_blanks(rest);
    size_t n = 0;
    char quote = 0;
    for (; n < rest->n && (quote || rest->p[n] != ' '); n++)
        if (quote ? rest->p[n] == quote : strchr("'\"", rest->p[n]) != NULL)
            quote = quote ? 0 : rest->p[n];
    *ret_word = od_view_head(*rest, n);
    *rest = od_view_from(*rest, n);
    return n > 0;
}

static void take_words(struct changing *c, struct od_view rest)
{
    struct od_view word;
    if (!c->q->argv && rest.n == 0)
        return;
    size_t n = 0;
    while (c->q->argv && c->q->argv[n])
        n++;
    c->room = (c->q->argv ? n : SHOWN_MOST) + 2 * ADDED_MOST;
    c->to.argv = OD_NEW_N(c->arena, c->room + 1, char *);
    for (; c->n < n; c->n++)
        c->to.argv[c->n] = c->q->argv[c->n];
    while (!c->q->argv && c->n < SHOWN_MOST && next_word(&rest, &word))
        c->to.argv[c->n++] = od_arena_str(c->arena, word);
}

struct od_resume_command od_resume_command_of(const struct od_resume_question *question,
                                              struct od_arena *arena)
{
    struct changing c = {.q = question, .arena = arena};
    take_words(&c, shown(question));
    change_environment(&c);
    change_batch(&c);
    go_on(&c);
    change_setting(&c);
    c.to.changes = od_arena_str(arena, od_buf_view(&c.said));
    if (c.beside.n > 0)
        c.to.beside = od_arena_str(arena, od_buf_view(&c.beside));
    od_buf_done(&c.said);
    od_buf_done(&c.beside);
    return c.to;
}

/* Is it words alone, without what only a shell knows: a pipe, a variable, a setting in front? */
static bool is_words(struct od_view command)
{
    struct od_view first = od_view_head(command, od_view_find_char(command, ' ', 0));
    bool words = command.n > 0 && od_view_find_char(first, '=', 0) == OD_VIEW_NONE;
    for (size_t i = 0; words && i < command.n; i++)
        words = !strchr("|&;<>$`(*?", command.p[i]);
    return words;
}

const char *od_resume_by_trying(const struct od_resume_question *question, struct od_view line,
                                const struct od_edit *edit, struct od_arena *arena)
{
    enum { TIMES = 3 };
    struct changing c = {.q = question, .arena = arena};
    struct od_view command;
    if (!od_command_of_line(line, &command) || !is_words(command))
        return NULL;
    take_words(&c, command);
    bool tries = try_value(&c, edit);
    od_buf_done(&c.said);
    return tries ? od_arena_printf(arena, "oomdoctor run --retry %d -- %.*s", TIMES, (int)command.n,
                                   command.p)
                 : NULL;
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
    if (again.beside)
        od_buf_printf(&line, "%s%s", line.n > 0 ? "  # " : "", again.beside);
    const char *text = od_arena_str(arena, od_buf_view(&line));
    od_buf_done(&line);
    return text;
}
