#include "rules/load_file.h"

#include "base/buf.h"
#include "base/yaml.h"

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

enum od_err od_rules_read_file(const char *root, const char *name, struct od_diags *diags,
                               struct od_buf *to)
{
    struct od_buf path = {0};
    od_buf_printf(&path, "%s%s%s", root ? root : "", root ? "/" : "", name);
    bool good = read_all(od_buf_str(&path), to);
    if (!good)
        od_diags_say(diags, OD_ERROR, "%s: cannot be read: %s", od_buf_str(&path), strerror(errno));
    od_buf_done(&path);
    return good ? OD_OK : OD_EINPUT;
}

enum od_err od_pack_load_file(const char *root, const char *name, struct od_arena *arena,
                              struct od_diags *diags, const struct od_pack **ret_pack)
{
    struct od_buf text = {0};
    enum od_err err = od_rules_read_file(root, name, diags, &text);
    if (err == OD_OK)
        err = od_pack_load(od_buf_view(&text), name, arena, diags, ret_pack);
    od_buf_done(&text);
    return err;
}
