#include "base/num.h"
#include "scan/mentions.h"
#include "tests/unit/scan/suites.h"
#include "tests/unit/suite.h"

struct row {
    const char *text;
    bool mentions;
};

static const struct row rows[] = {
    {"arena 3: memory exhausted", true},
    {"worker: out of memory", true},
    {"std::bad_alloc", true},
    {"OOM", true},
    {"an OOM, again", true},
    {"the ROOM is full", false},
    {"OOM_SCORE is 5", false},
    {"Killed", true},
    {"Killed: 9", true},
    {"Killedeer", false},
    {"UnKilled process", false},
    {"cannot allocate 5 pages", true},
    {"unable to allocate", true},
    {"memory: 5120 MB", false},
    {"", false},
    {"Hint: If you want to see a list of allocated tensors when OOM happens, add "
     "report_tensor_allocations_upon_oom to RunOptions",
     false},
};

START_TEST(words_of_their_own_mention)
{
    ck_assert_int_eq(od_mentions_memory(od_view_of(rows[_i].text)), rows[_i].mentions);
}
END_TEST

Suite *od_mentions_suite(void)
{
    return od_suite_loop("mentions", words_of_their_own_mention, (int)OD_COUNT_OF(rows));
}
