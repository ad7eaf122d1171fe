#include "advise/knob.h"

#include "advise/first_value.h"
#include "advise/in_place.h"
#include "advise/remedy.h"
#include "advise/room.h"
#include "advise/standing.h"
#include "base/named_number.h"
#include "facts/setting_number.h"
#include "rules/set_sentence.h"

#include <math.h>
#include <stdio.h>

double od_try_times(const struct od_failure *failure, const struct od_advice_remedy *advice,
                    bool more)
{
    bool host = !failure->incident || od_incident_kind_is_host(failure->incident->kind);
    return more ? (od_remedy_is_about(advice, "devices") ? 2 : 8) : host ? 0.25 : 0.5;
}

static bool is_up(const struct od_turn *turn)
{
    return turn->more || turn->knob->less == OD_LESS_HIGHER;
}

/* Can the setting be changed further in that direction? */
static bool has_more(const struct od_setting_number *number, bool up)
{
    static const double least_share = 0.2;
    if (number->fraction)
        return up ? number->value < OD_MOST_SHARE - 0.01 : number->value > least_share;
    return up ? number->value > 0 : number->value >= 2;
}

/* The bytes in the unit of the number; 0 if it has no unit. */
static struct od_count units_of(const struct od_setting_number *number, double bytes)
{
    const struct od_setting_number one = {.known = true, .value = 1, .unit = number->unit};
    double unit = number->unit.n > 0 ? od_setting_number_bytes(&one) : 0;
    double n = unit > 0 ? ceil(bytes / unit) : 0;
    return n > 0 ? od_count_of((uint64_t)n) : (struct od_count){0};
}

static struct od_start_ask ask_of(const struct od_advise_question *q, const struct od_turn *turn,
                                  double today)
{
    return (struct od_start_ask){.q = q, .knob = turn->knob, .up = is_up(turn), .today = today};
}

static double within_room(const struct od_advise_question *q, const struct od_turn *turn,
                          double bytes)
{
    const struct od_start_ask ask = ask_of(q, turn, 0);
    return od_start_within(&ask, bytes);
}

/* The first value computed from the numbers of the failure; NULL = none. */
static const char *first_number(const struct od_advise_question *q, const struct od_turn *turn,
                                const struct od_setting_number *number, struct od_arena *arena)
{
    const struct od_start_ask ask = ask_of(q, turn, od_setting_number_bytes(number));
    struct od_start_amount amount = od_start_value(&ask);
    if (amount.value <= 0)
        return NULL;
    return amount.share ? od_arena_printf(arena, "%.2f", amount.value)
                        : od_setting_number_amount(number, amount.value, ask.up, arena);
}

/* A name without quotes and punctuation: "chunksize" for " chunksize=", "r" for "'r'". */
static struct od_view bare_name(struct od_view name)
{
    while (name.n > 1 && strchr("= :,;(\"'", name.p[name.n - 1]))
        name.n--;
    while (name.n > 1 && strchr(" \"'{[", name.p[0]))
        name = od_view_from(name, 1);
    return name;
}

bool od_edit_number(const struct od_evidence *said, const struct od_renumber *renumber,
                    struct od_arena *arena, struct od_edit *ret_edit)
{
    bool signs;
    struct od_view value = renumber->value;
    const char *to = renumber->to ? renumber->to : od_arena_str(arena, value);
    size_t at = od_number_of(said->text, renumber->called, value);
    if (at == OD_VIEW_NONE)
        return false;
    size_t open = od_number_some(said->text, at);
    open += open == 0 && at > 0 && said->text.p[at - 1] == '('; /* "makeCluster(12)" */
    size_t name = od_name_before(said->text, at - open, &signs);
    struct od_view rest = said->text; /* "-limit memory 8MiB" */
    if (od_view_take(&rest, renumber->called) &&
        od_view_find_char(renumber->called, ' ', 0) != OD_VIEW_NONE)
        name = 0;
    name -= name > 0 && strchr("'\"%", said->text.p[name - 1]) != NULL; /* a key of a dictionary */
    struct od_view after = od_view_from(said->text, at + value.n);
    *ret_edit = (struct od_edit){
        .at = said->at,
        .from = od_arena_str(arena, said->text),
        .to =
            od_arena_printf(arena, "%.*s%s%.*s", (int)at, said->text.p, to, (int)after.n, after.p),
        .name = bare_name((struct od_view){said->text.p + name, at - open - name}),
        .value = value,
    };
    /* "Largest batch size: 64" is a sentence and "n_ctx      = 4096" a table; neither can be
     * pasted */
    bool sentence = name > 1 && said->text.p[name] != '-' && said->text.p[name - 1] == ' ' &&
                    od_is_letter(said->text.p[name - 2]);
    bool printed = sentence;
    for (size_t i = name; i + 1 < at; i++)
        printed |= said->text.p[i] == ' ' && said->text.p[i + 1] == ' ';
    if (!open && ((signs && !printed) || said->text.p[name] == '-'))
        ret_edit->paste =
            od_arena_printf(arena, "%.*s%s", (int)(at - name), said->text.p + name, to);
    if (sentence || !ret_edit->name.n || !od_is_word(ret_edit->name.p[ret_edit->name.n - 1]))
        ret_edit->name = renumber->called;
    /* a default in a shell: "export BATCH_SIZE=${BATCH_SIZE:-16}" */
    if (at > 2 && said->text.p[at - 2] == ':' && said->text.p[at - 1] == '-')
        ret_edit->paste = ret_edit->to;
    return true;
}

const char *od_edit_say(struct od_edit *edit, const char *verb, const char *to,
                        struct od_arena *arena)
{
    if (!to)
        edit->to = edit->paste = NULL;
    return od_arena_printf(arena, "%s %.*s from %.*s%s%s", verb, (int)edit->name.n, edit->name.p,
                           (int)edit->value.n, edit->value.p, to ? " to " : "", to ? to : "");
}

/* --- the form of a setting --- */

/* The N of a form in place of a number, with or without a unit, and is no letter of a name. */
static const char *find_slot(const char *form)
{
    enum { UNIT_MOST = 3 };
    for (const char *n = strchr(form, 'N'); n; n = strchr(n + 1, 'N')) {
        size_t letters = 0;
        while (od_is_letter(n[1 + letters]))
            letters++;
        bool unit = letters <= UNIT_MOST && strchr("GMKTgmkt", n[1]);
        bool joined = unit && letters == 1 && n[2] == '\0';
        if ((n == form || strchr(" =:(,x'", n[-1]) || joined) && (letters == 0 || unit) &&
            n[1 + letters] != '_')
            return n;
    }
    return NULL;
}

bool od_knob_is_open(const char *form)
{
    return find_slot(form) != NULL;
}

/* The text after the N. Skips the form's unit if the number has its own. */
static const char *after_slot(const char *slot, const char *number)
{
    slot++;
    if (od_is_letter(number[strlen(number) - 1]))
        while (od_is_letter(*slot))
            slot++;
    return slot;
}

/* Replaces each N by the same number. */
static const char *with_number(const char *form, const char *number, struct od_arena *arena)
{
    enum { PLACES = 4 };
    for (unsigned i = 0; number && i < PLACES; i++) {
        const char *n = find_slot(form);
        if (!n)
            break;
        form = od_arena_printf(arena, "%.*s%s%s", (int)(n - form), form, number,
                               after_slot(n, number));
    }
    return form;
}

/* Removes the number: "SETTINGS max_threads = N" -> "SETTINGS max_threads". */
static const char *without_numbers(const char *form, struct od_arena *arena)
{
    for (const char *n = find_slot(form); n; n = find_slot(form)) {
        const char *end = after_slot(n, "x");
        while (n > form && strchr(" =:", n[-1]))
            n--;
        form = od_arena_printf(arena, "%.*s%s", (int)(n - form), form, end);
    }
    return form;
}

/* The form with a number: in place of its N, or appended. */
static const char *numbered(const char *form, const char *between, const char *number,
                            struct od_arena *arena)
{
    size_t n = strlen(form);
    const char *sign = strchr(form, '=');
    bool has = find_slot(form) || (sign && form[n - 1] != '=');
    const char *whole =
        has ? form : od_arena_printf(arena, "%s%sN", form, form[n - 1] == '=' ? "" : between);
    return number || !find_slot(whole) ? with_number(whole, number, arena) : NULL;
}

/* Is it a single call: "new Worker(f, {limit: N})", "pipe.enable_tiling()"? */
static bool is_call(const char *set)
{
    int depth = 0;
    struct od_view rest = od_view_of(set);
    (void)od_view_take(&rest, OD_VIEW("new "));
    if (rest.p[strcspn(rest.p, " (")] != '(')
        return false;
    for (const char *p = rest.p; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        if (*p == ')' && depth == 0 && p[1] != '\0' && p[1] != '.')
            return false;
    }
    return rest.p[rest.n - 1] == ')';
}

/* The first possible value: "awq" of "awq, gptq or fp8". Empty if there is none, or if the values
 * are only described. */
static struct od_view first_value(const struct od_knob *knob)
{
    struct od_view value = od_view_of(knob->value ? knob->value : "");
    size_t n = value.p[0] == '"' ? value.n : strcspn(value.p, " ,;");
    struct od_view rest = od_view_from(value, n);
    bool whole = rest.n == 0 || strchr(",;", rest.p[0]) || od_view_take(&rest, OD_VIEW(" or "));
    return whole ? od_view_head(value, n) : (struct od_view){0};
}

/* Code for a setting with a word as its value: "--quantization fp8". NULL: the user must find the
 * value. */
static const char *code_of_word(const struct od_knob *knob, const char *form, const char *between,
                                struct od_arena *arena)
{
    struct od_view word = first_value(knob);
    bool whole = strpbrk(form, " =") != NULL;
    bool text = between[0] == '=' && knob->key == form && word.n > 0 && word.p[0] != '"';
    if (word.n > 0 && !whole)
        return od_arena_printf(arena, text ? "%s%s\"%.*s\"" : "%s%s%.*s", form, between,
                               (int)word.n, word.p);
    return whole || (knob->less == OD_LESS_ON && !knob->value) ? form : NULL;
}

/* Code for the setting with that number. NULL if it needs a number that is not known. */
static const char *code_of(const struct od_turn *turn, const char *to, struct od_arena *arena)
{
    const struct od_knob *knob = turn->knob;
    bool number = (knob->less == OD_LESS_LOWER || knob->less == OD_LESS_HIGHER ||
                   knob->less == OD_LESS_NONE) &&
                  !od_knob_takes_a_word(knob);
    bool on = knob->less == OD_LESS_ON;
    bool word = !number && (od_knob_takes_a_word(knob) || knob->value);
    /* other programs start a runtime without showing its command */
    bool hidden = knob->env && number && turn->software->sort == OD_SORT_RUNTIME;
    if (knob->env && (hidden || !(knob->flag || knob->key))) {
        const char *set = word     ? code_of_word(knob, knob->env, "=", arena)
                          : number ? numbered(knob->env, "=", to, arena)
                                   : knob->env;
        return set ? od_arena_printf(arena, "export %s", set) : NULL;
    }
    if (knob->flag && word && knob->less == OD_LESS_OFF && knob->flag[0] == '-')
        return NULL; /* omits the line */
    if (knob->flag && word)
        return code_of_word(knob, knob->flag, " ", arena);
    if (knob->flag)
        return number ? numbered(knob->flag, " ", to, arena) : knob->flag;
    const char *between = turn->keywords ? "=" : ": ", *yes = turn->keywords ? "True" : "true",
               *no = turn->keywords ? "False" : "false";
    if (knob->key && number)
        return numbered(knob->code ? knob->code : knob->key, between, to, arena);
    if (knob->key && (knob->code || strchr(knob->key, '=')))
        return knob->code ? knob->code : knob->key;
    if (knob->key)
        return word && (knob->value || !on)
                   ? code_of_word(knob, knob->key, between, arena)
                   : od_arena_printf(arena, "%s%s%s", knob->key, between, on ? yes : no);
    const char *call = knob->set && is_call(knob->set) ? knob->set : knob->code;
    return call && (to || !find_slot(call)) ? with_number(call, to, arena) : NULL;
}

const char *od_knob_name(const struct od_knob *knob)
{
    const char *forms[] = {knob->flag, knob->key, knob->env};
    for (size_t i = 0; i < OD_COUNT_OF(forms); i++)
        if (forms[i])
            return forms[i];
    return knob->set ? knob->set : knob->code;
}

/* The number at the start of the catalogue's description: "3 shards the weights too". */
static struct od_count named_number(const struct od_knob *knob)
{
    struct od_view words = od_view_of(knob->value ? knob->value : "");
    uint64_t n;
    bool named = od_num_take_u64(&words, &n) && n > 0 && words.p[0] == ' ';
    return named ? od_count_of(n) : (struct od_count){0};
}

/* Is the value only an upper bound, because the current one is not known? */
static bool is_at_most(const struct od_turn *turn)
{
    return !is_up(turn) && !turn->target.known && !named_number(turn->knob).known;
}

static const char *verb_of(const struct od_turn *turn)
{
    static const char *const verbs[OD_LESS_END] = {[OD_LESS_LOWER] = "Lower",
                                                   [OD_LESS_HIGHER] = "Raise",
                                                   [OD_LESS_ON] = "Turn on",
                                                   [OD_LESS_OFF] = "Turn off",
                                                   [OD_LESS_NONE] = "Turn on"};
    enum od_less less = turn->more ? OD_LESS_HIGHER : turn->knob->less;
    bool argument = less == OD_LESS_LOWER || od_knob_name(turn->knob) == turn->knob->code;
    bool sets = less != OD_LESS_HIGHER && less != OD_LESS_OFF && argument;
    return sets && od_knob_takes_a_word(turn->knob) ? "Set" : verbs[less];
}

/* The name before the number in a form: the argument of a call, the last item of a list. */
static struct od_view name_before(struct od_view before)
{
    size_t from = before.n;
    while (from > 0 && !strchr("(,{", before.p[from - 1]))
        from--;
    struct od_view last = bare_name(od_view_from(before, from));
    size_t flag = last.n; /* the long form of a flag */
    while (flag > 2 && strncmp(last.p + flag - 2, "--", 2) != 0)
        flag--;
    if (flag > 2)
        return od_view_from(last, flag - 2);
    return od_view_trim(last).n == 0 ? bare_name(before) : last;
}

/* The name of a form in a sentence: without its number; of a call without number only the
 * function. */
static struct od_view shown_name(const char *form)
{
    const char *n = find_slot(form), *sign = strchr(form, '=');
    /* the variable contains flags */
    if (sign && sign[1] == '-' && strchr("-X", sign[2])) {
        struct od_view flag = od_knob_fixed(sign + 1);
        return bare_name(n ? od_view_head(flag, (size_t)(n - sign) - 1) : flag);
    }
    if (n && strchr(form, ' '))
        return name_before((struct od_view){form, (size_t)(n - form)});
    struct od_view name = od_knob_fixed(form);
    if (n && name.n > (size_t)(n - form)) /* "-Xmx" for "-XmxNG" */
        name.n = (size_t)(n - form);
    size_t call = od_view_find_char(name, '(', 0);
    if (call == OD_VIEW_NONE || od_view_find_char(name, ')', call) != OD_VIEW_NONE)
        return bare_name(name);
    bool open = sign && strncmp(sign + 1, "...", 3) == 0;
    if (sign && (open || name.p[name.n - 1] == '=' || form[call + 1] == '.'))
        return name_before((struct od_view){form, (size_t)(sign - form)});
    bool within = n && call + 1 < name.n;
    return bare_name(within ? od_view_from(name, call + 1) : od_view_head(name, call));
}

static void name_program(const struct od_turn *turn, struct od_remedy_how *how)
{
    how->framework = turn->software->name;
    how->title = turn->software->title;
    how->source = turn->knob->source;
    const char *form = od_knob_name(turn->knob);
    /* a flag with its value: "--args half=True" */
    bool whole = strchr(form, ' ') && !find_slot(form);
    if (form != turn->knob->set && form != turn->knob->code)
        how->setting = whole ? od_view_of(form) : shown_name(form);
    how->knob = turn->knob->name;
    how->turned = true;
}

/* Is it a setting that is not switched on by its name: "-19", "-c pack.threads=1", "jax.lax.map(f,
 * xs) instead of vmap", "LIMIT=-1"? */
static bool is_no_switch(const struct od_knob *knob)
{
    const char *name = od_knob_name(knob), *sign = strchr(name, '=');
    bool lines = name == knob->code && !is_call(name), given = name == knob->env && sign;
    bool command = name == knob->flag && name[0] != '-' && strchr(name, ' ');
    return ((given || command) && !find_slot(name)) ||
           (knob->less == OD_LESS_ON &&
            (((name == knob->flag || lines) && strchr(name, ' ')) || od_is_digit(name[1])));
}

/* Ends a sentence: " to 6g, if it is set to more", because the current value is not known and must
 * not be raised. */
static const char *to_value(const struct od_turn *turn, const char *to, struct od_arena *arena)
{
    bool number =
        turn->more || turn->knob->less == OD_LESS_LOWER || turn->knob->less == OD_LESS_HIGHER;
    if (!number || od_knob_takes_a_word(turn->knob))
        return "";
    if (!to) {
        const char *env = od_knob_name(turn->knob), *sign = strchr(env, '=');
        bool part = env == turn->knob->env && sign && sign[1] == '-';
        return part ? od_arena_printf(arena, " in %.*s", (int)(sign - env), env) : "";
    }
    const char *slot = find_slot(od_knob_name(turn->knob)),
               *end = slot ? after_slot(slot, "x") : NULL;
    bool unit = slot && !od_is_letter(to[strlen(to) - 1]);
    return od_arena_printf(arena, " to %s%.*s%s", to, unit ? (int)(end - slot - 1) : 0,
                           unit ? slot + 1 : "", is_at_most(turn) ? ", if it is set to more" : "");
}

static void say(const struct od_turn *turn, const char *to, struct od_arena *arena,
                struct od_remedy_how *how)
{
    const struct od_knob *knob = turn->knob;
    struct od_view name = shown_name(od_knob_name(knob));
    bool smaller = od_knob_takes_a_word(knob) && knob->less == OD_LESS_LOWER && !knob->value;
    const char *form = od_knob_name(knob);
    name_program(turn, how);
    if (knob->set && !knob->flag && !knob->key && !knob->env && !is_call(knob->set)) {
        how->text = find_slot(knob->set) && !to ? od_arena_printf(arena, "%s %s%s.", verb_of(turn),
                                                                  without_numbers(knob->set, arena),
                                                                  to_value(turn, to, arena))
                                                : od_set_sentence(with_number(knob->set, to, arena),
                                                                  knob->less, verb_of(turn), arena);
        return;
    }
    if (is_no_switch(knob) ||
        (smaller && (strchr(form, ' ') || od_is_digit(form[strlen(form) - 1])))) {
        how->text = od_arena_printf(arena, "Use %s.", form);
        return;
    }
    if (knob->set && od_knob_name(knob) == knob->set) /* the code has the argument */
        name = od_view_head(name, od_view_find_char(name, '(', 0));
    struct od_view value = od_view_of(knob->value ? knob->value : ""), note = value;
    bool same = to && od_view_take(&note, od_view_of(to)) && od_view_take(&note, OD_VIEW(" ("));
    /* a value with an explanation: "128 (twice the default)" */
    value = same ? od_view_from(value, strlen(to)) : value;
    const char *set = smaller ? " to a smaller one" : to_value(turn, to, arena);
    const char *verb = to && *set && !is_at_most(turn) ? "Set" : verb_of(turn);
    how->text = od_arena_printf(arena, "%s %.*s%s%s%.*s.", verb, (int)name.n, name.p, set,
                                value.n > 0 && !same ? ": " : "", (int)value.n, value.p);
}

/* Writes the title: "Lower --tiles from 8 to 4". */
static void say_change(const struct od_turn *turn, struct od_view from, const char *to,
                       struct od_arena *arena, struct od_remedy_how *how)
{
    struct od_view name = shown_name(od_knob_name(turn->knob));
    name_program(turn, how);
    const char *values = turn->knob->value, *verb = verb_of(turn);
    if (to)
        how->text = od_arena_printf(arena, "%s %.*s from %.*s to %s.", verb, (int)name.n, name.p,
                                    (int)from.n, from.p, to);
    else
        how->text = od_arena_printf(arena, "%s%s%s.", od_edit_say(&how->edit, verb, NULL, arena),
                                    values ? ": " : "", values ? values : "");
}

/* The bytes that the setting needs. One that is far below the limit that was reached is a part of
 * it, and gets what is missing on top: spark.executor.memoryOverhead, or swap. */
static double needs_of_part(const struct od_turn *turn, const struct od_setting_number *counted)
{
    double today = od_setting_number_bytes(counted);
    bool part = today > 0 && 2 * today < turn->reached && turn->bytes > turn->reached;
    return part ? today + turn->bytes - turn->reached : turn->bytes;
}

/* The value computed from the numbers of the failure; NULL = none. counted: the value in the log,
 * with its unit. */
static const char *value_that_follows(const struct od_advise_question *q,
                                      const struct od_turn *turn,
                                      const struct od_setting_number *number,
                                      const struct od_setting_number *counted,
                                      struct od_arena *arena)
{
    bool up = is_up(turn);
    struct od_count target = turn->target, least = units_of(counted, needs_of_part(turn, counted));
    uint64_t shorter = od_room_shorten(q, turn->knob->name, (uint64_t)number->value, turn->share);
    if (!target.known)
        target = named_number(turn->knob);
    if (up && least.known)
        target = least;
    if (!up && !target.known && shorter > 0)
        target = od_count_of(shorter);
    double to = (double)target.n;
    if (target.known && (up ? to > number->value : to < number->value))
        return od_setting_number_text(number, to, arena);
    if (number->fraction && up && has_more(number, up))
        return od_arena_printf(arena, "%.2f", OD_MOST_SHARE);
    return target.known ? NULL : first_number(q, turn, counted, arena);
}

/* Factor for a memory limit that was reached, if the log does not show how much more is needed. Of
 * 26 programs that reached a limit of their own, 9 ended with twice as much, 23 with four times and
 * 25 with eight times. Any program may have half a GiB; a larger value must be at most half of the
 * known memory. A stack only uses what it needs. */
static double times_of(const struct od_advise_question *q, const struct od_turn *turn, double bytes)
{
    enum { LEAST = 2, TIMES = 4, MOST = 8 };
    static const double small = 512 << 20;
    double most = within_room(q, turn, HUGE_VAL), room = most < HUGE_VAL ? most / 2 : small;
    bytes = fmax(bytes, (double)q->diagnosis->failure->account.limit.bytes.lo);
    return od_is_called(turn->knob->name, "stack") || MOST * bytes <= fmin(room, small) ? MOST
           : most < HUGE_VAL && TIMES * bytes <= room                                   ? TIMES
                                                                                        : LEAST;
}

/* A multiple of the limit, within the machine or container, because more than enough does no harm.
 * *ret_room is the memory of these if it bounds the value. NULL = no limit, or hardly any memory.
 * counted: the value in the log, with its unit. */
static const char *several_times(const struct od_advise_question *q, const struct od_turn *turn,
                                 const struct od_setting_number *counted, double *ret_room,
                                 struct od_arena *arena)
{
    static const double most_of_room = 0.9, worth = 1.1; /* least useful factor of the value */
    double bytes = od_setting_number_bytes(counted), times = times_of(q, turn, bytes);
    double most = within_room(q, turn, HUGE_VAL), room = fmax(most, od_room_of_host(q));
    bool size =
        counted->unit.n > 0 || (turn->bytes <= 0 && strcmp(turn->knob->name, "job_memory") == 0);
    struct od_setting_number shown = *counted;
    shown.unit.n = counted->bare ? 0 : counted->unit.n;
    if (!is_up(turn) || !size)
        return NULL;
    if (!(most < HUGE_VAL) || bytes > room || times * bytes <= most)
        return od_setting_number_text(&shown, times * counted->value, arena);
    *ret_room = room;
    most = fmax(most, most_of_room * room);
    return most >= worth * bytes ? od_setting_number_amount(counted, most, false, arena) : NULL;
}

/* Changes the setting as shown in the log. Returns 0 if it cannot be changed further, 1 if it can,
 * 2 if the log does not show its value. */
static int turn_seen(const struct od_advise_question *q, const struct od_standing *standing,
                     const struct od_turn *turn, struct od_arena *arena, struct od_remedy_how *how)
{
    const struct od_knob *knob = turn->knob;
    const struct od_seen *seen = standing->seen;
    struct od_setting_number number = od_setting_number_read(seen->value);
    if (!standing->counts || !number.known)
        return 2;
    const struct od_setting_number counted = od_setting_number_in(number, knob->unit);
    if (is_up(turn) && turn->most > 0 && od_setting_number_bytes(&counted) >= turn->most)
        return 0; /* the container has no memory for more */
    const char *to = value_that_follows(q, turn, &number, &counted, arena);
    bool follows = to;
    double room = 0;
    if (!to)
        to = several_times(q, turn, &counted, &room, arena);
    if (!to && room > 0)
        return 0;
    struct od_standing_change change = {
        .name = knob->name, .now = &counted, .up = is_up(turn), .known = true, .to = to};
    if ((!to && !has_more(&number, is_up(turn))) || !od_standing_obey(q, &change, arena))
        return 0;
    follows = follows || (change.to && change.to != to);
    to = change.to;
    if (to && od_view_eq(seen->value, od_view_of(to)))
        return 0; /* the bounds in the text leave no other value */
    how->worked = change.worked;
    const struct od_renumber new = {od_view_of(seen->sign->text), seen->value, to};
    if (!od_edit_number(&seen->said, &new, arena, &how->edit))
        return 2;
    say_change(turn, seen->value, to, arena, how);
    how->to = to;
    how->computed = follows && !number.fraction && !turn->target.known;
    how->edit.more = is_up(turn);
    how->edit.guess = to && !follows && room <= 0;
    if (room > 0)
        how->text = od_arena_printf(arena, "%s It has to fit into %s.", how->text,
                                    od_bytes_text_u64(arena, (uint64_t)room));
    /* a quoted name, as in a printed dictionary, cannot be pasted */
    bool quoted = how->edit.paste && strpbrk(how->edit.paste, "'\"");
    how->code = quoted ? code_of(turn, to, arena) : how->edit.paste;
    struct od_view code = od_view_of(how->code ? how->code : "");
    if (knob->env && od_view_take(&code, od_knob_fixed(knob->env)))
        how->code = od_arena_printf(arena, "export %s", how->code);
    return 1;
}

/* The form of the setting's number: "M" of "memory_limit=NM". */
static struct od_setting_number form_of(const struct od_turn *turn)
{
    const char *sign = find_slot(od_knob_name(turn->knob)), *unit = turn->knob->unit;
    if (!sign && turn->knob->code)
        sign = find_slot(turn->knob->code);
    struct od_setting_number number = {.unit = od_view_of(unit   ? unit
                                                          : sign ? sign + 1
                                                                 : ""),
                                       .bare = unit != NULL};
    for (size_t i = 0; i < number.unit.n; i++)
        if (!od_is_letter(number.unit.p[i]))
            number.unit.n = i;
    return number;
}

/* The number to set if the log shows none, from the wanted bytes: "256" for "memory_limit=NM". NULL
 * = not known. */
static const char *number_of(const struct od_advise_question *q, const struct od_turn *turn,
                             struct od_arena *arena)
{
    const struct od_setting_number number = form_of(turn);
    const struct od_start_ask ask = ask_of(q, turn, 0);
    struct od_count count = turn->target;
    /* if the limit's value is not in the log, the memory that was reached is */
    bool wanted = turn->bytes > 0 || turn->knob->less != OD_LESS_LOWER;
    double bytes = wanted ? turn->bytes : times_of(q, turn, turn->reached) * turn->reached;
    if (!count.known && (!turn->more || turn->knob->less == OD_LESS_HIGHER))
        count = named_number(turn->knob);
    struct od_bytes each = {0};
    if (!count.known && !turn->more && turn->knob->each &&
        od_bytes_parse(od_view_of(turn->knob->each), OD_UNIT_BINARY, &each))
        count = od_count_of((uint64_t)(od_room_of_host(q) / (double)each.n));
    if (count.known && count.n > 0)
        return od_arena_printf(arena, "%" PRIu64, count.n);
    bytes = bytes > 0 ? fmax(bytes, (double)turn->knob->least) : bytes;
    if (!turn->more || bytes <= 0 || bytes < od_start_least(&ask))
        return first_number(q, turn, &number, arena);
    /* less than half of the wanted bytes is not enough */
    double within = within_room(q, turn, bytes);
    return within > bytes / 2 ? od_setting_number_amount(&number, within, true, arena) : NULL;
}

/* The setting of the heap's initial size, if the log shows it: "-Xms". */
static const struct od_seen *seen_start(const struct od_advise_question *q,
                                        const struct od_software *software)
{
    const struct od_seen *seen = NULL;
    for (size_t i = 0; !seen && od_shipped_software[i]; i++) {
        const struct od_knob *start = od_software_knob(od_shipped_software[i], "heap_start");
        if (start && od_software_stands_on(software, od_shipped_software[i]))
            seen = od_standing_seen(q, start->flag);
    }
    return seen;
}

/* Lowers the heap's initial size, which must not exceed its new limit. */
static void lower_start(const struct od_advise_question *q, const struct od_turn *turn,
                        struct od_arena *arena, struct od_remedy_how *how)
{
    const struct od_seen *start = seen_start(q, turn->software);
    if (strcmp(turn->knob->name, "heap") != 0 || is_up(turn) || !start)
        return;
    if (od_setting_value(start->value, NULL) <= od_setting_value(od_view_of(how->to), NULL))
        return;
    const char *flag = start->sign->text;
    how->text = od_arena_printf(arena, "%s Lower %s from %.*s to %s too: it must not be larger.",
                                how->text, flag, (int)start->value.n, start->value.p, how->to);
    how->code = how->code ? od_arena_printf(arena, "%s%s %s", flag, how->to, how->code) : NULL;
    struct od_edit both;
    const struct od_evidence line = {.at = how->edit.at, .text = od_view_of(how->edit.to)};
    const struct od_renumber new = {od_view_of(flag), start->value, how->to};
    if (start->said.at.line == how->edit.at.line && od_edit_number(&line, &new, arena, &both))
        how->edit.to = both.to;
}

/* Does the log show that a script calls the program, and no command that starts it? */
static bool is_called_here(const struct od_advise_question *q, const struct od_software *software)
{
    bool called = false;
    OD_FOR_EACH (const struct od_seen, seen, q->c->seen) {
        if (seen->sign->software != software)
            continue;
        if (seen->sign->mark->kind == OD_MARK_COMMAND)
            return false;
        called |= seen->sign->mark->kind == OD_MARK_CALL;
    }
    return called;
}

/* Are the program's settings arguments of a call: printed as NAME=VALUE, or in a script that a
 * traceback shows, without a flag of a command? */
static bool are_keywords(const struct od_advise_question *q, const struct od_software *software)
{
    const struct od_incident *ended = q->diagnosis->failure->run.ended;
    bool trainer = software->sort == OD_SORT_TRAINER;
    bool called = trainer && q->c->commands.n == 0 && ended && ended->nframes > 0;
    if (!trainer && software->sort != OD_SORT_LIBRARY)
        return false;
    OD_FOR_EACH_OF (const struct od_knob, knob, software->knobs, software->nknobs) {
        const struct od_seen *seen = knob->key ? od_standing_seen(q, knob->key) : NULL;
        if (knob->flag && od_standing_seen(q, knob->flag))
            return false;
        called |= seen && seen->value.p > seen->said.text.p && seen->value.p[-1] == '=';
    }
    return called;
}

/* Name of the argument for a flag: "max_model_len" for "--max-model-len". */
static const char *argument_of(const char *flag, struct od_arena *arena)
{
    char *name = od_arena_str(arena, od_knob_fixed(flag + 2));
    for (char *p = name; *p; p++)
        *p = *p == '-' ? '_' : *p;
    return name;
}

/* The setting as an argument of a call: eval_accumulation_steps=8 for the flag with that value. */
static struct od_turn by_keyword(const struct od_advise_question *q, const struct od_turn *turn,
                                 struct od_arena *arena)
{
    struct od_turn by = *turn;
    const char *flag = turn->knob->flag, *value = flag ? strchr(flag, ' ') : NULL;
    bool named = flag && strncmp(flag, "--", 2) == 0,
         called = named && is_called_here(q, turn->software);
    by.keywords = called || (named && turn->knob->key && are_keywords(q, turn->software));
    if (!by.keywords)
        return by;
    struct od_knob *knob = OD_NEW(arena, struct od_knob);
    *knob = *turn->knob;
    knob->flag = knob->also = NULL;
    knob->key = called ? argument_of(flag, arena) : knob->key;
    if (value && !find_slot(flag))
        knob->key = od_arena_printf(arena, "%s=%s", knob->key, value + 1);
    by.knob = knob;
    return by;
}

/* Writes that a number to raise is far above the memory that was reached, so the setting must be
 * passed to the process that failed. False otherwise, and for a fixed value, which removes the
 * limit. */
static bool say_unreached(const struct od_advise_question *q, const struct od_turn *turn,
                          struct od_arena *arena, struct od_remedy_how *how)
{
    const struct od_incident *ended = q->diagnosis->failure->run.ended;
    const struct od_assigned *set =
        is_up(turn) && ended
            ? od_assigned_of_knob(q->c->assigned, turn->software, turn->knob->name, &ended->at)
            : NULL;
    const char *form = od_knob_name(turn->knob);
    if (!set || !find_slot(form) || !od_assigned_is_in(set, form) ||
        !od_assigned_is_far(set, turn->knob, turn->reached))
        return false;
    name_program(turn, how);
    how->text = od_arena_printf(arena,
                                "Line %" PRIu64 " sets %s, far above what was reached: the failed "
                                "process does not get it. Set it where that process starts.",
                                set->at.line, od_assigned_written(set, arena));
    how->code = code_of(turn, od_arena_str(arena, set->value), arena);
    return true;
}

bool od_knob_turn(const struct od_advise_question *question, const struct od_turn *wanted,
                  struct od_arena *arena, struct od_remedy_how *ret_how)
{
    struct od_turn by = by_keyword(question, wanted, arena);
    const struct od_turn *turn = &by;
    const struct od_standing standing =
        od_standing_of(question, turn->software, turn->knob, turn->more, arena);
    *ret_how = (struct od_remedy_how){0};
    if (standing.on)
        return false;
    if (say_unreached(question, turn, arena, ret_how))
        return true;
    int told = standing.seen ? turn_seen(question, &standing, turn, arena, ret_how) : 2;
    if (told == 1 && ret_how->to) {
        lower_start(question, turn, arena, ret_how);
        const char *set = od_variable_of(ret_how->edit.to, arena);
        ret_how->code = set ? set : ret_how->code;
    }
    if (told == 2) {
        if (standing.seen || od_case_setting(question->c, OD_SETTING_HEAP_LIMIT).n > 0)
            by.reached = 0; /* the value in the log was not in force */
        const struct od_setting_number form = form_of(turn);
        struct od_standing_change change = {.name = turn->knob->name,
                                            .now = &form,
                                            .up = is_up(turn),
                                            .to = number_of(question, turn, arena)};
        if (standing.counts && !od_standing_obey(question, &change, arena))
            return false;
        const char *to = change.to;
        ret_how->worked = change.worked;
        say(turn, to, arena, ret_how);
        if (standing.seen && turn->knob->bare)
            ret_how->text =
                od_arena_printf(arena, "Line %" PRIu64 " gives %s no number: %s %s%s.",
                                standing.seen->said.at.line, standing.seen->sign->text,
                                turn->knob->bare, to ? "Set it to " : "Give it one", to ? to : "");
        if (turn->more && !to && turn->knob->preset)
            ret_how->text =
                od_arena_printf(arena, "%s The default is %s.", ret_how->text, turn->knob->preset);
        ret_how->code = code_of(turn, to, arena);
        ret_how->to = to;
        ret_how->edit.more = is_up(turn);
        ret_how->on = standing.seen && turn->knob->less == OD_LESS_OFF;
        ret_how->edit.guess = to && !change.worked && turn->more && turn->bytes <= 0 &&
                              turn->reached > 0 && turn->knob->less == OD_LESS_LOWER &&
                              !turn->target.known;
    }
    if (ret_how->edit.guess)
        ret_how->text =
            od_arena_printf(arena, "%s If that is too little, double it again.", ret_how->text);
    return told != 0;
}
