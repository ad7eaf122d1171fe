#include "base/dynload.h"

#include <dlfcn.h>
#ifdef __GLIBC__
#include <sys/auxv.h>
#endif

/* Has this program a dynamic linker? Without one, libraries would bring their own C library. */
static bool can_load(void)
{
#ifdef __GLIBC__
    return getauxval(AT_BASE) != 0;
#else
    return true;
#endif
}

/* dlsym returns a data pointer, which C does not convert to a function pointer. */
static bool find(void *library, const struct od_dynload_function *linked,
                 const struct od_dynload_wanted *wanted)
{
    for (; linked && linked->name; linked++)
        if (strcmp(linked->name, wanted->name) == 0) {
            memcpy(wanted->to, &linked->linked, sizeof linked->linked);
            return true;
        }
    void *function = library ? dlsym(library, wanted->name) : NULL;
    memcpy(wanted->to, &function, sizeof function);
    return function != NULL;
}

bool od_dynload(const char *library, const struct od_dynload_function *linked,
                const struct od_dynload_wanted *wanted, unsigned n)
{
    bool is_linked = linked && linked->name;
    void *loaded = is_linked || !can_load() ? NULL : dlopen(library, RTLD_NOW | RTLD_LOCAL);
    bool ok = true;
    for (unsigned i = 0; i < n; i++)
        ok = find(loaded, linked, &wanted[i]) && ok;
    return ok;
}
