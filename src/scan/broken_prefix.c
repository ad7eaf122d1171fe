#include "scan/broken_prefix.h"

static bool is_bare(const struct od_place *place)
{
    return place && place->host.n == 0 && place->process.n == 0 && !place->pid.known &&
           !place->rank.known;
}

/* Does the line end in the middle of a sentence: "[rank0]: Tried to allocate"? */
static bool stops_in_the_middle(const struct od_line *line)
{
    enum { LEAST = 30 };
    const struct od_place *place = line->place;
    if (!place || place->host.n > 0 || (!place->rank.known && place->process.n == 0))
        return false;
    struct od_view text = od_view_trim(line->text);
    return text.n >= LEAST && strchr(".!?:;)]}\"'", text.p[text.n - 1]) == NULL;
}

struct od_line od_broken_prefix_continue(struct od_broken_prefix *before,
                                         const struct od_line *line, bool waits)
{
    struct od_line rest = *line;
    if (before->place && waits && is_bare(line->place) && line->text.n > 0 &&
        line->at.source == before->source && line->at.line == before->next &&
        od_is_alnum(line->text.p[0])) {
        rest.lane = before->lane;
        rest.place = before->place;
    }
    *before = (struct od_broken_prefix){.place = stops_in_the_middle(&rest) ? rest.place : NULL,
                                        .source = rest.at.source,
                                        .lane = rest.lane,
                                        .next = rest.at.line + rest.at.nlines};
    return rest;
}
