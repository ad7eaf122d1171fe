/*
 * liboomdoctor: the log of a deep-learning run that died of memory -> what failed, where, why, how
 * sure, and what would fit.
 *
 *     struct oomdoctor *doctor = oomdoctor_new(NULL, 0);
 *     if (doctor && oomdoctor_add_file(doctor, "train.log") &&
 *         oomdoctor_analyze(doctor) == OOMDOCTOR_MEMORY_FAILURE) {
 *         char *json = oomdoctor_render(doctor, "json", NULL);
 *         puts(json);
 *         oomdoctor_text_free(json);
 *     }
 *     oomdoctor_free(doctor);
 *
 * One object is one run, of one log or of several. Objects share nothing; each may be used by one
 * thread at a time. Texts are UTF-8 and end with a NUL. Functions may be added; what is here stays
 * as it is in all versions of soname 0. When memory runs out in a call, it returns NULL, false or
 * OOMDOCTOR_NO_MEMORY; the object has then released all that it held, and only can be freed.
 */
#ifndef OOMDOCTOR_H
#define OOMDOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct oomdoctor;

/* What the command oomdoctor would exit with. */
enum oomdoctor_status {
    OOMDOCTOR_NO_FAILURE = 0,
    OOMDOCTOR_MEMORY_FAILURE = 1,
    OOMDOCTOR_UNREADABLE = 3,
    OOMDOCTOR_LIMIT = 4,
    OOMDOCTOR_NO_MEMORY = 5
};

/* As in "0.1.0"; constant. */
const char *oomdoctor_version(void);

/*
 * rules: nrules files or folders of rule packs beside those that are built in; may be NULL with 0.
 * They are read during the call. The object is to be freed. One that could not read them is
 * returned too: it analyzes nothing, and oomdoctor_messages says why. NULL without memory.
 */
struct oomdoctor *oomdoctor_new(const char *const *rules, size_t nrules);

/* NULL is legal. */
void oomdoctor_free(struct oomdoctor *doctor);

/* Adds a log, packed or not. False when it cannot be read, or the object was analyzed. */
bool oomdoctor_add_file(struct oomdoctor *doctor, const char *path);

/* Adds n bytes, which must stay as they are until the object is freed. */
bool oomdoctor_add_bytes(struct oomdoctor *doctor, const char *name, const char *bytes, size_t n);

/* Reads what was added. Called again, it gives the same status. */
enum oomdoctor_status oomdoctor_analyze(struct oomdoctor *doctor);

/*
 * The report: "text", "html", "markdown", "json", "jsonl", "brief", "github", "gitlab", "junit" or
 * "sarif" (pages without figures). Its length without the NUL goes to *ret_n, which may be NULL.
 * NULL when nothing was analyzed, there is no such format, or no memory; the text is to be freed.
 */
char *oomdoctor_render(const struct oomdoctor *doctor, const char *format, size_t *ret_n);
void oomdoctor_text_free(char *text);

/*
 * What went wrong so far, a line each; "" when nothing did, NULL without memory. To be freed as a
 * report is.
 */
char *oomdoctor_messages(const struct oomdoctor *doctor);

/*
 * The plan of a model before it runs: whether it fits, the largest batch, what to change. model is
 * a file or the name of a public one, NULL with the option params. options: noptions texts as
 * `oomdoctor plan --help` names them, "batch=32" or "inference". format: "text", "html",
 * "markdown", "json" or "jsonl". To be freed as a report is; NULL when no plan could be made. What
 * went wrong, and notes, go to *ret_messages, to be freed likewise; it may be NULL. Without memory
 * both are NULL.
 */
char *oomdoctor_plan(const char *model, const char *const *options, size_t noptions,
                     const char *format, char **ret_messages);

#ifdef __cplusplus
}
#endif

#endif
