/* Fails on a system without seccomp-bpf, or in a build without libseccomp. */
#include "host/lock.h"

static const char none[] = "this program was built without seccomp and Landlock";

const char *od_lock_worker(const struct od_lock *lock)
{
    (void)lock;
    return none;
}

const char *od_lock_drawer(const char *program)
{
    (void)program;
    return none;
}
