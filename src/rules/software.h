/*
 * The software catalogue as data: programs, how logs show them, and their settings (knobs) for
 * memory. The files rules/software/<sort>.yaml are written as constant C tables by the build. All
 * texts are immutable.
 */
#pragma once

#include "base/diag.h"
#include "base/err.h"
#include "rules/when.h"

enum od_sort {
    OD_SORT_TRAINER,
    OD_SORT_LIBRARY,
    OD_SORT_ENGINE, /* a library with settings of its own, not set by lines of a script */
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

/* Kinds of text by which a log shows a program, the most reliable first. */
enum od_mark_kind {
    OD_MARK_ERROR,   /* text of its own errors */
    OD_MARK_COMMAND, /* a command that starts it */
    OD_MARK_CALL,    /* a call in a script, where settings are arguments */
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
    const char *knob; /* for an error: the setting to change; NULL = none */
    bool more;        /* raise the setting, even if lowering it saves memory */
};

/* What a knob is set to (rules/knobs.def). */
enum od_knob_type { OD_KNOB_NUMBER, OD_KNOB_WORD, OD_KNOB_LEAST, OD_KNOB_SWITCH };

/* The change that reduces memory. OD_LESS_NONE: lowering it only makes the program stop earlier. */
enum od_less { OD_LESS_LOWER, OD_LESS_HIGHER, OD_LESS_ON, OD_LESS_OFF, OD_LESS_NONE, OD_LESS_END };

/* A setting of a program. Each of its forms may be NULL. N is a number to choose. */
struct od_knob {
    const char *name; /* a name of knobs.def: batch, heap, tile */
    const char *flag, *key, *env;
    const char *also; /* another spelling of the flag: -m for --memory */
    const char *set;  /* a line of code to copy */
    const char *code; /* a line to paste */
    enum od_less less;
    struct od_when when; /* condition on the version and on the memory that it controls */
    /* kinds of memory that it reduces (rules/advice.h); NULL = those of its name */
    const char *const *relieves;
    /* condition that the log shows its object (rules/advice.h); none = that of its name */
    struct od_when needs;
    const char *value; /* the value to set if it is not a number; NULL = none */
    const char *remark;
    const char *preset; /* the default value */
    const char *bare;   /* sentence about its effect without a number; NULL = it needs a number */
    const char *each;   /* memory per counted thing; NULL = not known */
    const char *unit;   /* unit of a number without one: M, or B for bytes */
    const char *start;  /* formula for its first value (rules/start_value.h); NULL = none */
    uint64_t least;     /* least bytes that the program uses; 0 = as many as its limit */
    const char *per;    /* name of the knob that counts how often the size is used; NULL = once */
    const char *beside; /* name of the knob to whose size this one is added; NULL = none */
    bool copies;        /* counts the copies of the command after it */
    const char *source;
    bool checked; /* the name was checked in the source code */
};

/* Answer of documentation or developers to a failure: a knob, a general remedy, or a text. */
struct od_software_answer {
    /* the failures that it answers; none = failures whose error names its setting and direction */
    struct od_when when;
    const char *const *relieves; /* like that of a knob, for an answer as text */
    struct od_when needs;        /* like that of a remedy */
    const char *turn;            /* name of the knob to change; NULL = none */
    const char *remedy;          /* id of a general remedy (rules/advice); NULL = none */
    bool more;                   /* raise the setting, even if lowering it saves memory */
    /* for an answer as text; title and cost also for a knob */
    const char *title, *say, *code, *cost;
    const char *source; /* for an answer as text; NULL = source of the knob */
    bool unchecked;     /* no person has opened the source */
};

/* Does the mark's error name the setting of the answer and the direction of its change? */
static inline bool od_answer_is_named(const struct od_software_answer *answer,
                                      const struct od_software_mark *mark)
{
    return mark->knob && answer->turn && strcmp(mark->knob, answer->turn) == 0 &&
           mark->more == answer->more;
}

/* The day (UTC) of the first final release of a version, for versions that advice names. */
struct od_software_release {
    const char *version, *day;
};

/* Versions that print a certain wording, for which a rule or reader makes a remark. */
struct od_software_wording {
    const char *remark;
    const char *from, *before; /* NULL = no bound */
};

struct od_software {
    const char *name; /* one word in lower case */
    const char *title;
    enum od_sort sort;
    const char *const *over;    /* names of programs on which it is built, NULL at the end */
    const char *const *systems; /* operating systems; NULL = any */
    const char *works_on;       /* kind of its samples: text, images; NULL = unknown, several */
    const char *within; /* program of which it is a part with the same version; NULL = none */
    const char *since;  /* version of `within` from which on runs may use it without naming it */
    /* purpose of its runs (od_does_words), given or derived from sort and settings; NULL =
     * unknown, or several */
    const char *does;
    /* environment that a program which runs others provides (od_place_words); NULL = none */
    const char *place;
    const char *variable; /* how to set a variable there: "ENV NAME=VALUE"; NULL = as in a shell */
    const char *where;    /* sentence that names the file or command for the line */
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

/* The shipped catalogue in order of files and rows; ends with NULL. */
extern const struct od_software *const od_shipped_software[];

/* Words of the vocabularies in order of the enums; each list ends with NULL. */
extern const char *const od_sort_words[], *const od_mark_words[], *const od_less_words[];
extern const char *const od_knob_words[], *const od_sample_words[];

/* Example: "training", "inference", "serving". */
extern const char *const od_does_words[];

/* Environments in which programs run, the innermost first; ends with NULL. */
extern const char *const od_place_words[];

/* Finds a program by name; NULL if none. */
const struct od_software *od_software_find(struct od_view name);

/* Finds a knob of the program by name; NULL if none. */
const struct od_knob *od_software_knob(const struct od_software *software, const char *name);

/* Is the software built on `below`, directly or indirectly? True if both are the same. */
bool od_software_stands_on(const struct od_software *software, const struct od_software *below);

/* Is the software an environment for programs: a platform or a scheduler? */
static inline bool od_software_surrounds(const struct od_software *software)
{
    return software->sort == OD_SORT_PLATFORM || software->sort == OD_SORT_SCHEDULER;
}

/* Texts to find in lines: all marks except names of processes, and the constant parts of flags,
 * keys and variables of knobs. software is NULL for a setting that several programs may share. The
 * list ends with text NULL. */
struct od_sign {
    const struct od_software *software;
    const struct od_software_mark *mark; /* NULL for a setting */
    const char *text;
};
extern const struct od_sign od_shipped_signs[];

/* The place for a path in a form ("--resume PATH") or its folder ("--output_dir DIR"). False if the
 * form has none. */
struct od_knob_place {
    const char *begin, *end;
    bool folder;
};
bool od_knob_place_of(const char *form, struct od_knob_place *ret_place);

/* The constant part of a form: "--mem=" of "--mem=NG". */
struct od_view od_knob_fixed(const char *form);

/* Is the name one of the knob's forms, in any spelling? */
bool od_knob_is_called(const struct od_knob *knob, struct od_view name);

/* Is the word part of the knob's value, such as "bfloat16" of `dtype=bfloat16`? Words of up to five
 * letters are too common in values to identify a knob. */
bool od_knob_sets(const struct od_knob *knob, struct od_view word);

/* What a knob of that name is set to. */
enum od_knob_type od_knob_type_of(const char *name);

/* Does the setting take a word, which cannot be halved? */
bool od_knob_takes_a_word(const struct od_knob *knob);

/* Does the knob count samples? False for "--max-duration", "batch_bins", "--max-tokens", which give
 * a batch size in another unit. */
bool od_knob_counts_samples(const struct od_knob *knob);

/* Loaded programs, allocated in the loader's arena; ends with NULL. */
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

/* Checks that names are unique and that programs on which others are built exist. OD_ERULE after
 * reporting errors. */
enum od_err od_software_check_all(const struct od_software_list *list,
                                  struct od_diags *diags) OD_MUST_USE;
