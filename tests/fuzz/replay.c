/*
 * Replays saved inputs: replay [FOLDER], which has a folder a harness (default: corpus/ beside this
 * file). With --dictionary [HARNESS] it prints libFuzzer's dictionary of what the program knows
 * instead: of a harness that has words of its own, those.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "scan/readers.h"
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_file(const char *name, struct od_buf *to)
{
    FILE *file = fopen(name, "rb");
    if (!file)
        return false;
    size_t n;
    while ((n = fread(od_buf_reserve(to, 65536), 1, 65536, file)) > 0)
        to->n += n;
    bool ok = ferror(file) == 0;
    return fclose(file) == 0 && ok;
}

/* In memory of exactly that size, so that a sanitizer or valgrind detects a read beyond its end. */
static void replay_bytes(const struct od_fuzz *fuzz, struct od_ruleset *rules, struct od_view bytes)
{
    char *copy = malloc(bytes.n > 0 ? bytes.n : 1);
    if (!copy)
        abort();
    if (bytes.n > 0)
        memcpy(copy, bytes.p, bytes.n);
    fuzz->one(rules, (struct od_view){copy, bytes.n});
    free(copy);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* How many were replayed; -1 when something cannot be read. */
static int replay_folder(const struct od_fuzz *fuzz, struct od_ruleset *rules, const char *folder)
{
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_file, alphasort);
    bool ok = n > 0;
    for (int i = 0; i < n; i++) {
        struct od_buf name = {0};
        struct od_buf bytes = {0};
        od_buf_printf(&name, "%s/%s", folder, entries[i]->d_name);
        ok = read_file(od_buf_str(&name), &bytes) && ok;
        replay_bytes(fuzz, rules, od_buf_view(&bytes));
        od_buf_done(&bytes);
        od_buf_done(&name);
        free(entries[i]);
    }
    free(entries);
    return ok ? n : -1;
}

static int replay_all(struct od_ruleset *rules, const char *folder)
{
    int status = 0;
    int count = 0;
    for (; od_fuzzes[count]; count++) {
        struct od_buf name = {0};
        od_buf_printf(&name, "%s/%s", folder, od_fuzzes[count]->name);
        int n = replay_folder(od_fuzzes[count], rules, od_buf_str(&name));
        printf("%s %d - %s: %d inputs\n", n > 0 ? "ok" : "not ok", count + 1,
               od_fuzzes[count]->name, n);
        (void)fflush(stdout);
        status |= n <= 0;
        od_buf_done(&name);
    }
    printf("1..%d\n", count);
    return status;
}

static void print_word(const char *word)
{
    putchar('"');
    for (; *word; word++) {
        unsigned char c = (unsigned char)*word;
        if (c < 0x20 || c > 0x7E || c == '"' || c == '\\')
            printf("\\x%02X", c);
        else
            putchar(c);
    }
    puts("\"");
}

/* False when that harness has no words of its own. */
static bool print_words(const char *name)
{
    for (size_t i = 0; od_fuzzes[i]; i++) {
        if (strcmp(od_fuzzes[i]->name, name) != 0 || !od_fuzzes[i]->words)
            continue;
        for (const char *const *word = od_fuzzes[i]->words; *word; word++)
            print_word(*word);
        return true;
    }
    return false;
}

static void print_dictionary(const struct od_ruleset *rules, const char *name)
{
    if (print_words(name))
        return;
    for (size_t i = 0; od_readers[i]; i++) {
        for (const char *const *word = od_readers[i]->literals; *word; word++)
            print_word(*word);
        for (const char *const *word = od_readers[i]->numbered; word && *word; word++)
            print_word(*word);
    }
    for (size_t i = 0; i < od_ruleset_count(rules); i++) {
        const struct od_rule *rule = od_ruleset_rule(rules, i);
        for (size_t k = 0; k < rule->nliterals; k++)
            print_word(rule->literals[k]);
    }
}

int main(int argc, char **argv)
{
    const char *top = getenv("TOP_SRCDIR");
    struct od_buf folder = {0};
    size_t npacks = 0;
    while (od_shipped_packs[npacks])
        npacks++;
    struct od_ruleset *rules = od_ruleset_new(od_shipped_packs, npacks);
    /* Memory checkers do not understand what PCRE2 compiles to machine code. */
    if (getenv("OD_NO_JIT"))
        od_ruleset_no_jit(rules);
    od_buf_printf(&folder, "%s/tests/fuzz/corpus", top ? top : ".");
    int status = 0;
    if (argc > 1 && strcmp(argv[1], "--dictionary") == 0)
        print_dictionary(rules, argc > 2 ? argv[2] : "");
    else
        status = replay_all(rules, argc > 1 ? argv[1] : od_buf_str(&folder));
    od_buf_done(&folder);
    od_ruleset_free(rules);
    return status;
}
