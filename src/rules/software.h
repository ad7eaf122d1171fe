/*
 * The software catalogue as data: programs, how a log shows them, and which of their settings
 * (knobs) control memory. Files rules/software/<sort>.yaml, written as constant C tables during the
 * build. All texts are immutable.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "rules/when.h"

enum od_sort {
    OD_SORT_TRAINER,
    OD_SORT_LIBRARY,
    OD_SORT_ENGINE, /* a library configured by its own settings, not by lines of a script */
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

/* How a log shows a program, the most reliable kind first. */
enum od_mark_kind {
    OD_MARK_ERROR,   /* text of its own errors */
    OD_MARK_COMMAND, /* a command that starts it */
    OD_MARK_BANNER,  /* text that it prints when it starts */
    OD_MARK_PATH,    /* path of its files, in a traceback or elsewhere */
    OD_MARK_PREFIX,  /* prefix of its lines */
    OD_MARK_CONFIG,  /* a key or file of its configuration */
    OD_MARK_NAME,    /* its name, also in prose: only a hint */
    OD_MARK_PROCESS, /* name of its process as printed by kernels and schedulers; not searched in
                        lines */
    OD_MARK_END
};

struct od_software_mark {
    enum od_mark_kind kind;
    const char *text;
    const char *knob; /* of an error: the setting to change; NULL = none */
    bool more;        /* the setting is raised, even if lowering it saves memory */
};

/* How a setting reduces memory. */
/* Which change reduces memory; OD_LESS_NONE: less of it only makes the program stop earlier. */
enum od_less { OD_LESS_LOWER, OD_LESS_HIGHER, OD_LESS_ON, OD_LESS_OFF, OD_LESS_NONE, OD_LESS_END };

/* One setting of a program; each of its forms may be NULL. N marks a number to choose. */
struct od_knob {
    const char *name; /* from the closed vocabulary: batch, heap, tile */
    const char *flag, *key, *env;
    const char *also; /* another spelling of the flag: -m for --memory */
    const char *set;  /* other ways to set it: a menu, a line of a file, words */
    const char *code; /* a line to paste */
    enum od_less less;
    struct od_when when;         /* versions that have it, and the memory that it controls */
    const char *const *relieves; /* kinds of memory that it makes smaller (rules/advice.h); NULL =
                                    those of its name */
    struct od_when needs; /* what it is about is in the log (rules/advice.h); none = that of its
                             name */
    const char *value;    /* the value to set if it is not a number; NULL = none in particular */
    const char *remark;
    const char *preset; /* the value that is in force where none is set */
    const char *bare;   /* sentence on what it does without a number; NULL = it needs one */
    const char *each;   /* memory that each one it counts may take; NULL = not known */
    const char *unit;   /* unit of a number written without one: M, or B for bytes */
    const char *start;  /* formula for its first value (rules/start_value.h); NULL = none */
    const char *per;    /* name of the knob that counts who takes as much each; NULL = the program
                           takes it once */
    const char *beside; /* name of the knob whose size the program takes in addition; NULL = none */
    bool copies;        /* it counts how often the command after it runs at once */
    const char *source;
    bool checked; /* the name was verified in the source code */
};

/* What its documentation or developers answer to a failure: a knob to change, a general remedy, or
 * a text. */
struct od_software_answer {
    struct od_when when;         /* the failures that it is for; none = those whose errors name the
                                    setting that it turns, and that way */
    const char *const *relieves; /* as of a knob, for an answer as text */
    struct od_when needs;        /* as of a remedy */
    const char *turn;            /* name of one of its knobs; NULL = none */
    const char *remedy;          /* id of a general remedy (rules/advice); NULL = none */
    bool more;                   /* the setting is raised, even if lowering it saves memory */
    const char *title, *say, *code, *cost; /* for an answer as text; a knob may also have its own
                                              title and cost */
    const char *source;                    /* for an answer as text; NULL = that of the knob */
    bool unchecked;                        /* the source was not opened by a person */
};

/* Is the mark an error that names the setting of the answer, to be turned that way? */
static inline bool od_answer_is_named(const struct od_software_answer *answer,
                                      const struct od_software_mark *mark)
{
    return mark->knob && answer->turn && strcmp(mark->knob, answer->turn) == 0 &&
           mark->more == answer->more;
}

/* The day (UTC) on which the first final release of a version that advice names was uploaded. */
struct od_software_release {
    const char *version, *day;
};

/* Versions that print lines of this wording, which a rule or reader remarks. */
struct od_software_wording {
    const char *remark;
    const char *from, *before; /* NULL = not bounded */
};

struct od_software {
    const char *name; /* lower case, one word */
    const char *title;
    enum od_sort sort;
    const char *const *over;    /* names of the programs it is built on, NULL-terminated; NULL =
                                   none */
    const char *const *systems; /* systems that it runs on; NULL = any */
    const char *works_on; /* kind of its samples: text, images; NULL = not known, or several */
    const char *place;    /* of a program that runs others: one of od_place_words; NULL = none */
    const char *variable; /* how a variable is set there: "ENV NAME=VALUE"; NULL = in a shell */
    const char *where;    /* sentence that says in which file or command the line belongs */
    const struct od_software_mark *marks;
    size_t nmarks;
    const struct od_knob *knobs;
    size_t nknobs;
    const struct od_software_answer *answers; /* best first */
    size_t nanswers;
    const struct od_software_release *releases;
    size_t nreleases;
    const struct od_software_wording *wordings;
    size_t nwordings;
    const char *file;
};

/* The shipped catalogue, in order of files and rows; NULL-terminated. */
extern const struct od_software *const od_shipped_software[];

/* Names in the vocabularies, in order of the enums; NULL-terminated. */
extern const char *const od_sort_words[], *const od_mark_words[], *const od_less_words[];
extern const char *const od_knob_words[], *const od_sample_words[];

/* Places in which programs run, the innermost first; NULL-terminated. */
extern const char *const od_place_words[];

/* The program of that name; NULL if there is none. */
const struct od_software *od_software_find(struct od_view name);

/* Its knob of that name; NULL if there is none. */
const struct od_knob *od_software_knob(const struct od_software *software, const char *name);

/* Is it built on that program, directly or indirectly? A program counts as built on itself. */
bool od_software_stands_on(const struct od_software *software, const struct od_software *below);

/* Is it what programs run in, a platform or a scheduler? */
static inline bool od_software_surrounds(const struct od_software *software)
{
    return software->sort == OD_SORT_PLATFORM || software->sort == OD_SORT_SCHEDULER;
}

/* Texts to search in lines: all marks except names of processes, then the constant part of flags,
 * keys and variables of knobs. software is NULL for a setting, which several programs may share.
 * The list ends with text NULL. */
struct od_sign {
    const struct od_software *software;
    const struct od_software_mark *mark; /* NULL for a setting */
    const char *text;
};
extern const struct od_sign od_shipped_signs[];

/* The place for a path in a form: "--resume PATH", or for its folder: "--output_dir DIR". False if
 * it has none. */
struct od_knob_place {
    const char *begin, *end;
    bool folder;
};
bool od_knob_place_of(const char *form, struct od_knob_place *ret_place);

/* The constant part of a knob's form: "--mem=" for "--mem=NG". */
struct od_view od_knob_fixed(const char *form);

/* Is it the name of one of the knob's forms, in any spelling? */
bool od_knob_is_called(const struct od_knob *knob, struct od_view name);

/* Is it a word of the value that the knob sets, such as "bfloat16" of `dtype=bfloat16`? Words of up
 * to five letters are too common in values to identify a knob. */
bool od_knob_sets(const struct od_knob *knob, struct od_view word);

/* Does the knob count samples? False for "--max-duration", "batch_bins", "--max-tokens", which give
 * a batch size in another unit. */
bool od_knob_counts_samples(const struct od_knob *knob);

/* Programs as loaded, allocated in the loader's arena; NULL-terminated. */
struct od_software_list {
    const struct od_software **items;
    size_t n, room;
};

/* Loads a file of the catalogue from text and appends it to the list; name is for diagnostics.
 * OD_ERULE with diagnostics if it is invalid. Codes in addition to those of loader.h:
 * R0401 a mark that says two things    R0404 a knob without a form
 * R0402 a name twice                   R0405 a mark that is too short
 * R0403 a program below it is unknown   R0406 no mark, or no knob
 * R0408 a first value that is no formula
 * R0407 an answer that is neither a knob of the program nor words with cost and source, or for
 *       no failure */
enum od_err od_software_load(struct od_view yaml, const char *name, struct od_arena *arena,
                             struct od_diags *diags, struct od_software_list *list) OD_MUST_USE;

/* Are all names unique, and do the programs that others are built on exist? OD_ERULE after
 * reporting errors. */
enum od_err od_software_check_all(const struct od_software_list *list,
                                  struct od_diags *diags) OD_MUST_USE;
