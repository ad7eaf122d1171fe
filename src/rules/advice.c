#include "rules/advice.h"

#include "base/suggest.h"
#include "rules/software.h"

static bool report(struct od_diags *diags, const char *code, const char *file, const char *message)
{
    od_diags_add(diags, &(struct od_diag){
                            .severity = OD_ERROR, .code = code, .file = file, .message = message});
    return false;
}

static const struct od_advice_remedy *original_of(const struct od_advice *const *list, size_t n,
                                                  const struct od_advice_remedy *remedy)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; strcmp(list[i]->cause, remedy->same) == 0 && k < list[i]->nremedies; k++)
            if (strcmp(list[i]->remedies[k].id, remedy->id) == 0 && !list[i]->remedies[k].same)
                return &list[i]->remedies[k];
    return NULL;
}

/* Returns the original remedy with the members that `own` overrides. */
static struct od_advice_remedy joined(const struct od_advice_remedy *own,
                                      const struct od_advice_remedy *original)
{
    struct od_advice_remedy whole = *original;
    whole.title = own->title ? own->title : whole.title;
    whole.named = own->named ? own->named : whole.named;
    whole.cost = own->cost ? own->cost : whole.cost;
    whole.helps = own->helps.text ? own->helps : whole.helps;
    whole.in_sight = own->in_sight || whole.in_sight;
    whole.figures = own->figures ? own->figures : whole.figures;
    whole.source = own->source ? own->source : whole.source;
    whole.knobs = own->knobs ? own->knobs : whole.knobs;
    whole.when = own->when.text ? own->when : whole.when;
    whole.gives = own->gives ? own->gives : whole.gives;
    whole.why = own->why ? own->why : whole.why;
    whole.about = own->about ? own->about : whole.about;
    whole.relieves = own->relieves ? own->relieves : whole.relieves;
    whole.needs = own->needs.text ? own->needs : whole.needs;
    if (own->nhow > 0) {
        whole.how = own->how;
        whole.nhow = own->nhow;
    }
    return whole;
}

enum od_err od_advice_join(const struct od_advice **list, size_t n, struct od_arena *arena,
                           struct od_diags *diags)
{
    const struct od_advice **whole = OD_NEW_N(arena, n + 1, const struct od_advice *);
    for (size_t i = 0; i < n; i++) {
        struct od_advice *advice = OD_NEW(arena, struct od_advice);
        struct od_advice_remedy *remedies =
            OD_NEW_N(arena, list[i]->nremedies + 1, struct od_advice_remedy);
        *advice = *list[i];
        for (size_t k = 0; k < advice->nremedies; k++) {
            const struct od_advice_remedy *own = &advice->remedies[k];
            const struct od_advice_remedy *original = own->same ? original_of(list, n, own) : own;
            if (!original) {
                (void)report(
                    diags, "R0311", advice->file,
                    od_arena_printf(arena, "%s has no remedy %s of its own", own->same, own->id));
                return OD_ERULE;
            }
            remedies[k] = own->same ? joined(own, original) : *own;
            if (!remedies[k].helps.text)
                remedies[k].helps = advice->helps;
        }
        advice->remedies = remedies;
        whole[i] = advice;
    }
    memcpy(list, whole, n * sizeof *list);
    return OD_OK;
}

const struct od_advice_kind *od_advice_kind_find(const struct od_advice *const *list, size_t n,
                                                 const char *name)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < list[i]->nkinds; k++)
            if (strcmp(list[i]->kinds[k].name, name) == 0)
                return &list[i]->kinds[k];
    return NULL;
}

/* Names to which other files refer. WITH_RELEASES: programs whose code must give the release. */
enum naming { KINDS, REMEDIES, PROGRAMS, WITH_RELEASES, NAMINGS };

struct names {
    const char **of[NAMINGS];
    size_t n[NAMINGS];
    struct od_arena *arena;
};

static void add(struct names *names, enum naming naming, const char *name)
{
    names->of[naming][names->n[naming]++] = name;
}

static bool is_unknown(const void *with, struct od_diag *diag)
{
    static const char *const codes[NAMINGS] = {"R0312", "R0313", "R0314", "R0317"};
    const struct names *names = with;
    size_t naming = 0;
    while (strcmp(codes[naming], diag->code) != 0)
        naming++;
    const char *name = diag->help, *near = od_suggest(name, names->of[naming], names->n[naming]);
    bool known = false;
    for (size_t i = 0; i < names->n[naming]; i++)
        known |= strcmp(names->of[naming][i], name) == 0;
    bool release = naming == WITH_RELEASES;
    diag->help = release ? "when: version >= N, or unless version < N"
                 : near  ? od_arena_printf(names->arena, "did you mean '%s'?", near)
                         : NULL;
    return known == release;
}

static void add_all(struct names *names, const struct od_advice *advice)
{
    OD_FOR_EACH_OF (const struct od_advice_kind, kind, advice->kinds, advice->nkinds)
        add(names, KINDS, kind->name);
    OD_FOR_EACH_OF (const struct od_advice_remedy, one, advice->remedies, advice->nremedies)
        add(names, REMEDIES, one->id);
    OD_FOR_EACH_OF (const struct od_advice_kind, group, advice->groups, advice->ngroups)
        add(names, PROGRAMS, group->name);
}

enum od_err od_advice_check_names(const struct od_advice *const *advice, size_t n,
                                  const struct od_software_list *software, struct od_diags *diags)
{
    struct names names = {.arena = od_arena_new()};
    size_t room = 1 + software->n;
    for (size_t i = 0; i < n; i++)
        room += advice[i]->nkinds + advice[i]->nremedies + advice[i]->ngroups;
    for (const char *const *word = od_sample_words; *word; word++)
        room++;
    for (size_t i = 0; i < NAMINGS; i++)
        names.of[i] = OD_NEW_N(names.arena, room, const char *);
    for (const char *const *word = od_sample_words; *word; word++)
        add(&names, PROGRAMS, *word);
    for (size_t i = 0; i < software->n; i++) {
        add(&names, PROGRAMS, software->items[i]->name);
        if (software->items[i]->nreleases > 0 || software->items[i]->within)
            add(&names, WITH_RELEASES, software->items[i]->name);
    }
    for (size_t i = 0; i < n; i++)
        add_all(&names, advice[i]);
    bool good = od_diags_settle(diags, is_unknown, &names);
    od_arena_free(names.arena);
    return good ? OD_OK : OD_ERULE;
}

enum od_err od_advice_check_all(const struct od_advice *const *advice, size_t n,
                                struct od_diags *diags)
{
    const struct od_advice *of[OD_CAUSE_END] = {NULL};
    struct od_arena *scratch = od_arena_new();
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        enum od_cause cause = od_cause_named(advice[i]->cause);
        if (cause == OD_CAUSE_END) /* no cause: the advice on settings of any program */
            continue;
        const struct od_advice **place = &of[cause];
        if (*place)
            good = report(diags, "R0309", advice[i]->file,
                          od_arena_printf(scratch, "%s also is advice for %s", (*place)->file,
                                          advice[i]->cause));
        *place = advice[i];
    }
    for (unsigned i = 0; i < OD_CAUSE_END; i++) {
        if (!of[i])
            good = report(diags, "R0310", NULL,
                          od_arena_printf(scratch, "no advice for the cause %s",
                                          od_cause_name((enum od_cause)i)));
    }
    od_arena_free(scratch);
    return good ? OD_OK : OD_ERULE;
}

const struct od_advice *od_advice_find(const struct od_advice *const *list, const char *cause)
{
    for (; list && *list; list++) {
        if (strcmp((*list)->cause, cause) == 0)
            return *list;
    }
    return NULL;
}

const struct od_advice_remedy *od_advice_remedy_find(const struct od_advice *advice, const char *id)
{
    for (size_t i = 0; advice && i < advice->nremedies; i++)
        if (strcmp(advice->remedies[i].id, id) == 0)
            return &advice->remedies[i];
    return NULL;
}

bool od_slot_find(const char *text, struct od_slot *ret_slot)
{
    for (const char *p = strchr(text, '{'); p; p = strchr(p + 1, '{')) {
        struct od_view name = {p + 1, strspn(p + 1, "abcdefghijklmnopqrstuvwxyz")};
        if (name.n == 0 || p[1 + name.n] != '}')
            continue;
        *ret_slot = (struct od_slot){p, p + name.n + 2, name};
        return true;
    }
    return false;
}
