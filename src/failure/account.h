/*
 * The account of the failure: the limited memory that ran out, its limit, what was asked for, who
 * held it and what was free. One account serves a device and a machine or group alike. It is
 * computed once; each amount is an interval or unknown, and nothing is derived from numbers that
 * contradict each other.
 */
#pragma once

#include "case/case.h"
#include "rules/enforcers.h"

enum { OD_HOLDINGS_SHOWN = 32 };

struct od_account {
    enum od_scope scope; /* OD_SCOPE_UNKNOWN: the log does not show which memory it was */
    const struct od_enforcer *enforcer; /* who acted; NULL = not known */
    struct od_amount limit;             /* of this memory; its bytes may be unknown */
    struct od_amount request;
    struct od_bytes used, free;
    bool killed_by_kernel;
    struct od_held victim; /* the process that failed or was killed, in RAM and swap; no count: the
                              log names none */
    struct od_held holdings[OD_HOLDINGS_SHOWN]; /* besides the victim, largest first: processes by
                                                   name, then the memory that no process holds */
    size_t n;
    struct od_bytes rest; /* of the limit: neither free nor held by anything above */
    struct od_bytes swap, swap_used;
    bool swapoff;
    bool conflict;  /* the numbers contradict each other: nothing but own is derived */
    bool too_large; /* the request is more than the limit, or than the device, has in all */

    /* of a device */
    struct od_bytes own;    /* reserved by the framework of the process that failed */
    struct od_bytes pieces; /* of own, not in use */
    struct od_bytes beside; /* held by this process outside of its framework, or of its own count */
    struct od_bytes named;  /* held by other processes that are named */
    struct od_bytes outside; /* neither free nor own: others, what is beside the framework, and what
                                contexts and libraries take */
    double named_share;      /* of the device; 0 when not known */
    double outside_share;
    bool tenant;    /* it did not fit what was free, and does with what the named ones hold */
    bool in_pieces; /* it is no more than what the framework holds in pieces */
    bool had_room;  /* several times the request was free, in pieces that would do, and no limit was
                       reached: the size of what the run holds is not why it was refused */
};

/* What PyTorch's caching allocator asks the driver for, for that request; 0 for other programs. */
uint64_t od_account_segment(const struct od_incident *incident, uint64_t request);

/* around: what the lines around the incident tell of the limit; NULL = nothing. */
struct od_account od_account_of(const struct od_incident *incident,
                                const struct od_enforcer_signs *around);

/* Is the limit that ended it none of RAM: of addresses, promised memory, an arena, one allocation,
 * what may be locked, or another one of the process? Runtimes and groups have causes of their
 * own. */
bool od_account_is_other_limit(const struct od_account *account);

/* In RAM and swap together; 0 when unknown. */
double od_held_bytes(const struct od_held *held);

/* All processes besides the victim, in RAM and swap. */
double od_account_processes(const struct od_account *account);

/* The name that holds most, where that is clearly more than the process that failed and its kin do;
 * NULL = there is none. */
const struct od_held *od_account_most(const struct od_account *account);

/* The process that failed, and the others of its name: a server's workers. */
struct od_held od_account_alike(const struct od_account *account);

/* Are the processes listed, and is the one that failed the only one that holds much? Then there is
 * nothing to run less of. */
bool od_account_is_one_process(const struct od_account *account);

/* Did the kernel kill a process that held next to nothing of the machine? Others hold it then,
 * whether they are listed or not. */
bool od_account_small_victim(const struct od_account *account);

/* What is no process's and fills most of the memory: files in memory, slab, page tables, the rest;
 * NULL = there is none. */
const struct od_held *od_account_most_part(const struct od_account *account);

/* Is the process above the limit that a program sets itself, while what the program counts is
 * little of it: is it native memory, caches, or a wrong count that fills it? */
bool od_account_is_beside_count(const struct od_account *account);

/* Is it the limit of a group, container or job? */
bool od_account_is_of_group(const struct od_account *account);

bool od_account_swap_is_full(const struct od_account *account);

/* "138 apache2 processes held 61.2 MiB of RAM and 480 MiB of swap; 51 php-cgi processes held 98
 * MiB; swap was full": the largest holdings that are worth a word. "" where no process is listed.
 */
const char *od_account_words(struct od_arena *arena, const struct od_account *account);
