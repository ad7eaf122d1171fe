#include "models/files/torch_snapshot.h"

const struct od_pickle_value *od_torch_field(struct od_torch_snapshot *s,
                                             const struct od_pickle_value *record, const char *key)
{
    s->steps += 1 + od_pickle_count(record) / 2;
    return od_torch_is_spent(s) ? NULL : od_pickle_field(record, key);
}

bool od_torch_size(struct od_torch_snapshot *s, const struct od_pickle_value *record,
                   const char *key, uint64_t *ret_size)
{
    return od_pickle_size(od_torch_field(s, record, key), ret_size);
}
