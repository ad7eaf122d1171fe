/*
 * The catalogue of software as data: which programs there are, how a log shows them, and which of
 * their settings (knobs) govern memory. Files rules/software/<sort>.yaml, made constant C tables
 * when the project is built. All texts are immutable.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "rules/when.h"

enum od_sort {
    OD_SORT_TRAINER,
    OD_SORT_LIBRARY,
    OD_SORT_ENGINE, /* a library that works by its own settings, not by lines of a script */
    OD_SORT_SERVER,
    OD_SORT_GUI,
    OD_SORT_ARRAY,
    OD_SORT_SIMULATOR,
    OD_SORT_RUNTIME,
    OD_SORT_SCHEDULER,
    OD_SORT_ORCHESTRATOR,
    OD_SORT_COMPILER,
    OD_SORT_DATABASE,
    OD_SORT_TOOL,
    OD_SORT_PLATFORM,
    OD_SORT_END
};

/* How a log shows a program, the surest first. */
enum od_mark_kind {
    OD_MARK_ERROR,   /* words of its own failures */
    OD_MARK_COMMAND, /* it is started */
    OD_MARK_BANNER,  /* what it says of itself as it starts */
    OD_MARK_PATH,    /* its files, in a traceback or elsewhere */
    OD_MARK_PREFIX,  /* what its lines begin with */
    OD_MARK_CONFIG,  /* a key or file of its configuration */
    OD_MARK_NAME,    /* its name, in prose as well: a hint */
    OD_MARK_PROCESS, /* name of a process, as kernels and schedulers print it; not looked for in
                        lines */
    OD_MARK_END
};

struct od_software_mark {
    enum od_mark_kind kind;
    const char *text;
    const char *knob; /* of an error: the setting that is at fault; NULL = none in particular */
    bool more;        /* it is to be raised, however memory falls; else to take less */
};

/* Which way memory falls. */
/* What takes less memory; OD_LESS_NONE: with less of it the program only stops sooner. */
enum od_less { OD_LESS_LOWER, OD_LESS_HIGHER, OD_LESS_ON, OD_LESS_OFF, OD_LESS_NONE, OD_LESS_END };

/* One setting of a program; each of its forms may be NULL. A number to be chosen stands as N. */
struct od_knob {
    const char *name; /* of the closed vocabulary: batch, heap, tile */
    const char *flag, *key, *env;
    const char *also; /* the flag in its other spelling: -m for --memory */
    const char *set;  /* where else it is set: a menu, a line of a file, words */
    const char *code; /* a line to paste */
    enum od_less less;
    struct od_when when; /* versions that have it, and the memory that it governs */
    const char *value;   /* what to set where it is no number; NULL = nothing in particular */
    const char *remark;
    const char *unit;  /* of a number of bytes that is written without one: M, or B for bytes */
    const char *start; /* its first value as a formula (rules/start_value.h); NULL = none */
    const char *source;
    bool checked; /* the name stands in the source */
};

/* What its documentation or its people answer to a failure: a knob to turn, one of the remedies for
 * anybody, or words. */
struct od_software_answer {
    struct od_when when; /* the failures that it is for */
    const char *turn;    /* name of a knob of its own; NULL = none */
    const char *remedy;  /* id of a remedy for anybody (rules/advice); NULL = none */
    bool more;           /* it is raised, however memory falls; else to take less */
    const char *title, *say, *code, *cost; /* of words; a knob may have a title
                                              and a cost of its own */
    const char *source;                    /* of words; NULL = that of the knob */
    bool unchecked;                        /* nobody has opened it */
};

struct od_software {
    const char *name; /* lower case, one word */
    const char *title;
    enum od_sort sort;
    const char *const *over;    /* names of what it stands on, NULL-terminated; NULL = nothing */
    const char *const *systems; /* that it runs on; NULL = any */
    const char *works_on; /* what its samples are: text, images; NULL = not known, or several */
    const struct od_software_mark *marks;
    size_t nmarks;
    const struct od_knob *knobs;
    size_t nknobs;
    const struct od_software_answer *answers; /* best first */
    size_t nanswers;
    const char *file;
};

/* The catalogue we ship, in order of files and rows; NULL-terminated. */
extern const struct od_software *const od_shipped_software[];

/* Words of the vocabularies, in order of the enums; NULL-terminated. */
extern const char *const od_sort_words[], *const od_mark_words[], *const od_less_words[];
extern const char *const od_knob_words[], *const od_sample_words[];

/* By name; NULL when there is none. */
const struct od_software *od_software_find(struct od_view name);

/* Its knob of that name; NULL when it has none. */
const struct od_knob *od_software_knob(const struct od_software *software, const char *name);

/* Does it stand on that one, directly or by others? A program stands on itself. */
bool od_software_stands_on(const struct od_software *software, const struct od_software *below);

/*
 * What is looked for in lines: all marks but names of processes, then what of flags, keys and
 * variables of knobs does not change. software is NULL for a setting, which may be many programs'.
 * The list ends with a text that is NULL.
 */
struct od_sign {
    const struct od_software *software;
    const struct od_software_mark *mark; /* NULL of a setting */
    const char *text;
};
extern const struct od_sign od_shipped_signs[];

/* Where a form takes a path: "--resume PATH", or the folder it is in: "--output_dir DIR". False
 * where it takes none. */
struct od_knob_place {
    const char *begin, *end;
    bool folder;
};
bool od_knob_place_of(const char *form, struct od_knob_place *ret_place);

/* What of a knob's form stands in a line whatever its value is: "--mem=" of "--mem=NG". */
struct od_view od_knob_fixed(const char *form);

/* False for "--max-duration", "batch_bins", "--max-tokens": a batch told in what its samples have.
 */
bool od_knob_counts_samples(const struct od_knob *knob);

/* Programs as they were read; in the arena of the loading, ended by NULL. */
struct od_software_list {
    const struct od_software **items;
    size_t n, room;
};

/*
 * A file of the catalogue from text, appended to the list; name is for diagnostics. OD_ERULE with
 * diagnostics when it is invalid.
 * Codes beside those of loader.h:
 *   R0401 a mark that says two things    R0404 a knob without a form
 *   R0402 a name twice                   R0405 a mark that is too short
 *   R0403 what it stands on is unknown   R0406 no mark, or no knob
 *   R0408 a first value that is no formula
 *   R0407 an answer that is neither a knob of the program nor words with cost and source
 */
enum od_err od_software_load(struct od_view yaml, const char *name, struct od_arena *arena,
                             struct od_diags *diags, struct od_software_list *list) OD_MUST_USE;

/* The same from a file: root/name, or name when root is NULL. OD_EINPUT when it cannot be read. */
enum od_err od_software_load_file(const char *root, const char *name, struct od_arena *arena,
                                  struct od_diags *diags,
                                  struct od_software_list *list) OD_MUST_USE;

/* Do names differ, and does what they stand on exist? OD_ERULE after saying what is wrong. */
enum od_err od_software_check_all(const struct od_software_list *list,
                                  struct od_diags *diags) OD_MUST_USE;
