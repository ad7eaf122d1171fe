#include "facts/dump.h"

void od_dump_done(struct od_dump *dump)
{
    od_vec_done(&dump->chunks);
    od_vec_done(&dump->details);
    od_vec_done(&dump->regions);
    od_vec_done(&dump->bins);
    od_vec_done(&dump->summary);
    od_vec_done(&dump->blocks);
    od_vec_done(&dump->calls);
    od_vec_done(&dump->history);
}
