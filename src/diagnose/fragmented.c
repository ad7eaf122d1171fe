#include "diagnose/scene.h"

/*
 * The verdict says that the free chunks sum to the request. That alone is not the cause: a pool
 * that is all but full, with just enough crumbs, is exhausted. Fragmentation is to blame where the
 * free memory clearly exceeds the request.
 */
static const double clear_excess = 1.25;

static void look(struct od_diagnosis_context *context)
{
    struct od_scene scene;
    if (!od_scene_of(context, &scene) || scene.verdict != OD_VERDICT_FRAGMENTED || !scene.dump)
        return;
    uint64_t free_bytes = scene.dump->usable.bytes;
    uint64_t largest = scene.dump->usable.largest;
    bool holds = scene.need.known && scene.need.hi <= free_bytes && scene.need.lo > largest;
    bool clear = holds && (double)free_bytes >= clear_excess * (double)scene.need.hi;
    struct od_accumulation piled = od_scene_accumulation(&scene);
    enum od_certainty certainty = clear && scene.proven ? OD_CERTAIN : OD_LIKELY;
    double probability = clear ? 0.88 : 0.35;
    if (!clear)
        certainty = OD_POSSIBLE;
    if (clear && piled.many && piled.ran_long) {
        certainty = OD_LIKELY;
        probability = 0.55;
    }
    char need[OD_BYTES_TEXT], total[OD_BYTES_TEXT], hole[OD_BYTES_TEXT];
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_FRAGMENTED, certainty, probability);
    od_finding_say(context, finding,
                   "%s were asked for and %s are free, but in %llu pieces: the largest is %s.",
                   od_bytes_print(scene.need, need), od_bytes_print_u64(free_bytes, total),
                   (unsigned long long)scene.dump->usable.count, od_bytes_print_u64(largest, hole));
    od_finding_scene(finding, &scene);
    od_finding_count(finding, "free_bytes", od_count_of(free_bytes));
    od_finding_count(finding, "largest_free_bytes", od_count_of(largest));
    od_finding_count(finding, "free_chunks_count", od_count_of(scene.dump->usable.count));
}

const struct od_diagnoser od_diagnoser_fragmented = {"fragmented", look};
