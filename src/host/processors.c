#include "host/processors.h"

#include "base/base.h"
#include <sched.h>
#include <unistd.h>

unsigned od_processors(void)
{
    cpu_set_t set;
    /* fails if the machine has more processors than the set; then all processors count */
    bool told = sched_getaffinity(0, sizeof set, &set) == 0;
    long n = told ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}
