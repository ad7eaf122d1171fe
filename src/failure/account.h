/*
 * The account of the failure: the memory that ran out, its limit, the request, who held memory, and
 * how much was free. Devices, machines and groups use the same account. It is computed once. Each
 * amount is an interval or unknown, and nothing is derived from numbers that contradict each other.
 */
#pragma once

#include "case/case.h"
#include "rules/enforcers.h"
#include "rules/set_amount.h"

enum { OD_HOLDINGS_SHOWN = 32, OD_OUTER_MOST = 3 };

struct od_account {
    enum od_scope scope; /* which memory ran out; OD_SCOPE_UNKNOWN if the log does not show it */
    const struct od_enforcer *enforcer; /* the program or kernel that enforced the limit; NULL =
                                           not known */
    struct od_amount limit;             /* limit of this memory; bytes may be unknown */
    struct od_amount request;
    struct od_bytes used, free;
    bool killed_by_kernel;
    /* the process that failed or was killed, in RAM and swap; count unknown = the log names none */
    struct od_held victim;
    /* other memory than the victim's: processes by name and memory of no process, largest first */
    struct od_held holdings[OD_HOLDINGS_SHOWN];
    size_t n;
    struct od_bytes rest; /* the part of the limit that is neither free nor in any entry above */
    struct od_bytes swap, swap_used;
    bool swapoff;
    struct od_bytes heap; /* bytes in use in the heap of the failed process */
    /* larger memories that contain the limited one, each within the next */
    struct od_amount outer[OD_OUTER_MOST];
    size_t nouter;
    /* memory that settings let a program take, if too little of the limit is left then */
    struct od_set_amount allowed;
    bool conflict; /* the numbers contradict each other, and only `own` is derived */

    /* The following members are only set for a device. */
    struct od_bytes own;    /* reserved by the framework of the failed process */
    struct od_bytes pieces; /* the part of `own` that is reserved but not in use */
    /* held by this process outside of its framework, or not counted by the program */
    struct od_bytes outside_framework;
    struct od_bytes named; /* held by processes in the log that are not of this run */
    struct od_bytes ranks; /* held by other ranks of this run */
    /* neither free, nor own, nor of another rank: other processes, contexts, libraries */
    struct od_bytes outside;
    /* the request did not fit the free memory, but would fit without `named` or `ranks` */
    bool tenant;
    bool in_pieces; /* the request is not larger than `pieces` */
    /* Several times the request was free in large enough pieces, and no limit was reached. The
     * memory that the run held is then not why the request was refused. */
    bool had_room;
};

/* The parts of the limited memory: the failed process first, free memory last. If the limit is
 * known, the parts sum to limit + shared. */
struct od_parts {
    struct od_held list[OD_HOLDINGS_SHOWN + 4];
    size_t n;
    struct od_bytes limit;  /* exact; unknown also if the numbers contradict each other */
    struct od_bytes shared; /* counted in several parts: pages that processes share, rounding */
};

struct od_parts od_account_parts(const struct od_account *account);

/* The segment size that PyTorch's caching allocator requests from the driver for this request; 0
 * for other programs. */
uint64_t od_account_segment(const struct od_incident *incident, uint64_t request);

/* around: signs of a limit in the lines near the incident; NULL = none. */
struct od_account od_account_of(const struct od_incident *incident,
                                const struct od_enforcer_signs *around);

/* Did a limit other than RAM end the run: address space, committed memory, an arena, the size of
 * one allocation, locked memory or another limit of the process? Limits of runtimes and groups have
 * causes of their own and return false. */
bool od_account_is_other_limit(const struct od_account *account);

/* Bytes in RAM and swap together; 0 = unknown. */
double od_held_bytes(const struct od_held *held);

/* Bytes of all processes except the victim, in RAM and swap. */
double od_account_processes(const struct od_account *account);

/* The processes with one name that hold the most, if that is clearly more than all processes with
 * the victim's name hold; NULL = none. */
const struct od_held *od_account_largest(const struct od_account *account);

/* Are the processes listed, and does only the failed one hold much? Fewer processes do not help
 * then. */
bool od_account_is_one_process(const struct od_account *account);

/* Did the kernel kill a process that held almost no memory? Then others hold it, listed or not. */
bool od_account_small_victim(const struct od_account *account);

/* The largest part that belongs to no process, if it fills most of the memory: files in memory,
 * slab, page tables, unexplained; NULL = none. */
const struct od_held *od_account_largest_part(const struct od_account *account);

/* Is the process above its own limit although the program counts only a small part of its memory?
 * Native memory, caches or a wrong count are the rest. */
bool od_account_is_undercounted(const struct od_account *account);

/* Is it the limit of a group, container or job? */
bool od_account_is_of_group(const struct od_account *account);

bool od_account_swap_is_full(const struct od_account *account);

/* " (tritonserver 7.98 GiB, PID 89155 7.09 GiB)": the first other processes on a device; "" = none
 * is listed. */
const char *od_account_tenants(struct od_arena *arena, const struct od_account *account);

/* The largest holdings as text, for example "138 apache2 processes held 61.2 MiB of RAM and 480 MiB
 * of swap; 51 php-cgi processes held 98 MiB; swap was full". "" if no process is listed. */
const char *od_account_words(struct od_arena *arena, const struct od_account *account);
