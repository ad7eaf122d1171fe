#include "plan/recipe.h"

#include "base/yaml.h"

enum { PAIRS_MOST = 4096, DEPTH_MOST = 8 };

static void add(struct od_recipe_text *text, const char *key, const char *value)
{
    if (text->pairs.n < PAIRS_MOST)
        od_vec_push(&text->pairs, ((struct od_recipe_pair){key, value}));
}

/* ---- YAML and JSON ---- */

static bool is_name(char c)
{
    return od_is_letter(c) || od_is_digit(c) || c == '_' || c == '-' || c == '.' || c == '"';
}

/* Looks for "key:" or a brace on the first line that is not a comment. */
bool od_recipe_is_mapping(struct od_view text)
{
    struct od_view line;
    while (od_view_cut(&text, '\n', &line) || (line = text, text = (struct od_view){0}, line.n)) {
        line = od_view_trim(line);
        if (line.n == 0 || line.p[0] == '#' || od_view_starts(line, OD_VIEW("---")))
            continue;
        size_t n = 0;
        while (n < line.n && is_name(line.p[n]))
            n++;
        return line.p[0] == '{' || (n > 0 && n < line.n && line.p[n] == ':' &&
                                    (n + 1 == line.n || line.p[n + 1] == ' '));
    }
    return false;
}

/* Appends a key to the path of its parents; "-" in names becomes "_". */
static const char *joined(struct od_arena *arena, const char *before, const char *key)
{
    char *all = od_arena_printf(arena, "%s%s%s", before, *before ? "." : "", key);
    for (char *c = all; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return all;
}

static const char *list_of(struct od_arena *arena, const struct od_yaml_node *list)
{
    struct od_buf all = {0};
    for (const struct od_yaml_node *one = list->first; one; one = one->next)
        if (one->kind == OD_YAML_TEXT)
            od_buf_printf(&all, "%s%s", all.n > 0 ? "," : "", one->text);
    return od_arena_take(arena, &all);
}

/* A mapping that is being read. */
struct level {
    const struct od_yaml_node *next;
    const char *path;
};

static void add_node(struct od_recipe_text *text, struct od_arena *arena,
                     const struct od_yaml_node *root)
{
    struct level open[DEPTH_MOST + 1] = {{root->first, ""}};
    size_t depth = 1;
    while (depth > 0) {
        const struct od_yaml_node *node = open[depth - 1].next;
        if (!node) {
            depth--;
            continue;
        }
        open[depth - 1].next = node->next;
        const char *path = joined(arena, open[depth - 1].path, node->key->text);
        if (node->kind == OD_YAML_TEXT)
            add(text, path, node->text);
        else if (node->kind == OD_YAML_LIST)
            add(text, path, list_of(arena, node));
        else if (depth <= DEPTH_MOST)
            open[depth++] = (struct level){node->first, path};
    }
}

bool od_recipe_flatten(struct od_view text, const char *name, struct od_arena *arena,
                       struct od_diags *diags, struct od_recipe_text *ret_text)
{
    char *plain = od_arena_str(arena, text);
    for (size_t i = 0; i < text.n; i++)
        plain[i] = plain[i] == '\t' ? ' ' : plain[i];
    struct od_yaml_source source = {.text = {plain, text.n}, .name = name, .diags = diags};
    const struct od_yaml_node *root = NULL;
    if (od_yaml_read(&source, arena, &root) != OD_OK || !root || root->kind != OD_YAML_MAP)
        return false;
    add_node(ret_text, arena, root);
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the next word by the rules of a shell, without quotes and backslashes. False at the end of
 * the command. */
static bool take_word(struct od_view *left, struct od_arena *arena, const char **ret_word)
{
    struct od_buf word = {0};
    char quote = 0;
    bool any = false;
    size_t i = 0;
    while (i < left->n && is_blank(left->p[i]))
        i++;
    for (; i < left->n; i++) {
        char c = left->p[i];
        if (c == '\\' && quote != '\'' && i + 1 < left->n) {
            c = left->p[++i];
            if (c == '\n' && !any && !quote)
                for (; i + 1 < left->n && is_blank(left->p[i + 1]); i++)
                    ;
            if (c == '\n')
                continue;
        } else if (quote ? c == quote : c == '\'' || c == '"') {
            quote = quote ? 0 : c;
            any = true;
            continue;
        } else if (!quote && (is_blank(c) || c == '\n')) {
            break;
        }
        any = true;
        od_buf_add_char(&word, c);
    }
    *left = od_view_from(*left, i);
    *ret_word = od_arena_take(arena, &word);
    return any;
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && !od_is_digit(word[1]);
}

/* Is the word an assignment: "CUDA_VISIBLE_DEVICES=0"? */
static bool is_assignment(const char *word)
{
    size_t n = strcspn(word, "=");
    return word[n] == '=' && n > 0 && word[0] >= 'A' && word[0] <= 'Z';
}

static const char *key_of(struct od_arena *arena, const char *option, size_t n)
{
    if (option[1] != '-')
        return od_arena_str(arena, (struct od_view){option, n});
    char *key = od_arena_str(arena, (struct od_view){option + 2, n - 2});
    for (char *c = key; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return key;
}

/* Does the option take several words: "--lora_target_modules q_proj v_proj"? */
static bool takes_list(const char *key)
{
    return strstr(key, "modules") || strstr(key, "target");
}

static void add_words(struct od_recipe_text *text, struct od_arena *arena, const char *const *words,
                      size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *word = words[i], *value = "true";
        size_t equals = strcspn(word, "=");
        bool next = i + 1 < n && !is_option(words[i + 1]);
        if (!is_option(word)) {
            if (word[equals] == '=')
                add(text, key_of(arena, od_arena_printf(arena, "--%s", word), equals + 2),
                    word + equals + 1);
            else if (next)
                add(text, word, words[i + 1]);
            od_vec_push(&text->words, word);
            continue;
        }
        const char *key = key_of(arena, word, equals);
        if (word[equals] == '=')
            value = word + equals + 1;
        else if (next)
            value = words[++i];
        while (takes_list(key) && i + 1 < n && !is_option(words[i + 1]))
            value = od_arena_printf(arena, "%s,%s", value, words[++i]);
        add(text, key, value);
    }
}

/* Is the command a preparation that precedes a script's main command? */
static bool is_setting_up(const char *first)
{
    static const char *const before[] = {"export", "set", "cd",     "source", "module",
                                         "conda",  ".",   "ulimit", "echo",   NULL};
    return first[0] == '#' || first[0] == '$' || od_view_eq_any(od_view_of(first), before);
}

/* The image in "docker run --gpus all -p 8000:8000 vllm/vllm-openai:latest --model ...". */
static size_t image_of(const char *const *words, size_t first, size_t n,
                       bool (*is_program)(const char *word))
{
    static const char *const engines[] = {"docker", "podman", "nerdctl", NULL};
    if (first < n && od_view_eq_any(od_view_of(words[first]), engines))
        for (size_t i = first + 1; i < n; i++)
            if (words[i][0] != '-' && is_program(words[i]))
                return i;
    return first;
}

bool od_recipe_split(struct od_view text, bool (*is_program)(const char *word),
                     struct od_arena *arena, struct od_recipe_text *ret_text)
{
    enum { WORDS_MOST = 1024 };
    const char **words = OD_NEW_N(arena, WORDS_MOST, const char *);
    ret_text->command = true;
    while (text.n > 0) {
        size_t n = 0, first = 0;
        while (n < WORDS_MOST && take_word(&text, arena, &words[n]))
            n++;
        for (; first < n && is_assignment(words[first]); first++) {
            size_t equals = strcspn(words[first], "=");
            add(ret_text, od_arena_str(arena, (struct od_view){words[first], equals}),
                words[first] + equals + 1);
        }
        if (first < n && !is_setting_up(words[first])) {
            first = image_of(words, first, n, is_program);
            add_words(ret_text, arena, words + first, n - first);
            return true;
        }
        size_t end = od_view_find_char(text, '\n', 0);
        text = od_view_from(text, end == OD_VIEW_NONE ? text.n : end + 1);
    }
    return false;
}

void od_recipe_text_done(struct od_recipe_text *text)
{
    od_vec_done(&text->words);
    od_vec_done(&text->pairs);
}
