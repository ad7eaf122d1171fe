#include "rules/load_file.h"

#include "base/buf.h"
#include "rules/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* One byte more than a pack may have: the loader says that it is too large. */
static bool read_all(const char *path, struct od_buf *to)
{
    enum { PIECE = 65536 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    errno = 0;
    size_t n = 1;
    while (n > 0 && to->n <= OD_YAML_MAX_BYTES) {
        n = fread(od_buf_reserve(to, PIECE), 1, PIECE, file);
        to->n += n;
    }
    bool good = !ferror(file);
    int reason = errno;
    fclose(file);
    errno = reason;
    return good;
}

enum od_err od_pack_load_file(const char *root, const char *name, struct od_arena *arena,
                              struct od_diags *diags, const struct od_pack **ret_pack)
{
    const char *path = root ? od_arena_printf(arena, "%s/%s", root, name) : name;
    struct od_buf text = {0};
    enum od_err err = OD_EINPUT;
    if (read_all(path, &text))
        err = od_pack_load(od_buf_view(&text), name, arena, diags, ret_pack);
    else
        od_diags_say(diags, OD_ERROR, "%s: cannot be read: %s", path, strerror(errno));
    od_buf_done(&text);
    return err;
}
