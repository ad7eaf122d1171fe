/*
 * What people claim about a run without showing log lines: "the container is OOM killed", "it uses
 * 60 of the 64 GB and then my desktop freezes". Claims become remarks named "reported", with their
 * amounts, which the case only uses if the log itself is silent. The size of a machine or limit in
 * another line becomes a remark named "stated".
 */
#include "facts/claim.h"
#include "readers/reader.h"

#include "readers/logs/claims_lists.inc"

enum { LINE_MOST = 1600 };

static bool says_nothing(struct od_view text)
{
    struct od_view line = od_view_trim(text);
    return line.n == 0 || line.n > LINE_MOST || od_segment_of(line) != OD_SEGMENT_PERSON;
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    (void)state;
    /* People print no time. If memory is set, silent() has already found words of a claim. */
    if (line->stamp.n > 0 || (!line->memory && says_nothing(line->text)))
        return OD_TAKE_NONE;
    struct od_claim claim = od_claim_read(od_view_trim(line->text));
    bool failure = od_claim_is_failure(&claim, line->segment == OD_SEGMENT_TITLE);
    struct od_event event;
    if (!failure && !claim.limit.known && !claim.capacity.known)
        return OD_TAKE_NONE;
    od_claim_event(&claim, line, failure ? "reported" : "stated", &event);
    od_sink_put(sink, &event);
    return failure ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

const struct od_reader od_reader_claims = {
    .name = "claims",
    .literals = openers,
    .numbered = numbered,
    .silent = says_nothing,
    .line = read_line,
};
