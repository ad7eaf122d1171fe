#include "lib/packs.h"

#include "rules/load.h"
#include "rules/ruleset.h"
#include "scan/prove.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

struct od_packs {
    struct od_arena *arena;
    OD_VEC(const struct od_pack *) list;
};

static void say_unreadable(struct od_diags *diags, const char *file, const char *why)
{
    od_diags_add(diags, &(struct od_diag){.severity = OD_ERROR,
                                          .file = file,
                                          .message = why,
                                          .help = "--rules takes a pack or a folder of *.yaml"});
}

static bool add_file(struct od_packs *packs, const char *file, struct od_diags *diags)
{
    const struct od_pack *pack = NULL;
    struct od_view yaml;
    if (od_rule_text(NULL, file, packs->arena, diags, &yaml) != OD_OK ||
        od_pack_load(yaml, file, packs->arena, diags, &pack) != OD_OK)
        return false;
    od_vec_push(&packs->list, pack);
    return true;
}

static int is_pack(const struct dirent *entry)
{
    return od_view_ends(od_view_of(entry->d_name), OD_VIEW(".yaml"));
}

/* The result of scandir. */
struct listing {
    struct dirent **entries;
    int n;
};

static void free_listing(void *self)
{
    struct listing *listing = self;
    for (int i = 0; i < listing->n; i++)
        free(listing->entries[i]);
    free(listing->entries);
}

static bool add_folder(struct od_packs *packs, const char *folder, struct od_diags *diags)
{
    struct listing listing = {0};
    struct od_foreign held;
    int n = listing.n = scandir(folder, &listing.entries, is_pack, alphasort);
    bool ok = n > 0;
    od_foreign_hold(&held, &listing, free_listing);
    if (n < 0)
        say_unreadable(diags, folder, strerror(errno));
    if (n == 0)
        say_unreadable(diags, folder, "no *.yaml in this folder");
    for (int i = 0; i < n; i++) {
        char *file = od_arena_printf(packs->arena, "%s/%s", folder, listing.entries[i]->d_name);
        ok = add_file(packs, file, diags) && ok;
    }
    od_foreign_release(&held);
    return ok;
}

static bool add(struct od_packs *packs, const char *name, struct od_diags *diags)
{
    struct stat st;
    if (stat(name, &st) != 0) {
        say_unreadable(diags, name, strerror(errno));
        return false;
    }
    if (S_ISDIR(st.st_mode))
        return add_folder(packs, name, diags);
    return add_file(packs, name, diags);
}

struct od_packs *od_packs_new(const char *const *names, size_t n, struct od_diags *diags)
{
    struct od_packs *packs = od_mem_alloc(1, sizeof *packs);
    packs->arena = od_arena_new();
    for (const struct od_pack *const *p = od_shipped_packs; *p; p++)
        od_vec_push(&packs->list, *p);
    size_t shipped = packs->list.n; /* shipped packs were checked during the build */
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        ok = add(packs, names[i], diags) && ok;
    if (ok && n > 0)
        ok = od_prove_added(packs->list.items, packs->list.n, shipped, diags) == OD_OK;
    if (ok)
        return packs;
    od_packs_free(packs);
    return NULL;
}

void od_packs_free(struct od_packs *packs)
{
    if (!packs)
        return;
    od_vec_done(&packs->list);
    od_arena_free(packs->arena);
    od_mem_free(packs);
}

const struct od_pack *const *od_packs_list(const struct od_packs *packs)
{
    return packs->list.items;
}

size_t od_packs_count(const struct od_packs *packs)
{
    return packs->list.n;
}
