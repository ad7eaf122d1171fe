#include "base/hypothetical.h"
#include "base/num.h"
#include "tests/unit/base/suites.h"
#include "tests/unit/suite.h"

/* The words of the failure begin after the bar. */
static const char *const hypothetical[] = {
    "WARNING: could not reserve, |out of memory",
    "2026-01-02 03:04:05 INFO retry after Error: |out of memory",
    "Error: if there is |not enough memory, the disk is used",
    "the run may end with Error: |out of memory",
    "Why is there an Error: |out of memory",
    "You will see the following error: |out of memory",
    "Common errors: |out of memory",
    "I get Error: |out of memory",
    "Is that RuntimeError: |out of memory?",
    "raise MemoryFull(|out of memory)",
    "# Error: |out of memory",
    "the node could raise Error: |out of memory",
    "INFO:root:Errors are logged: |out of memory",
    "WARNING:root:Error rate, no |out of memory",
};

static const char far[] = "[ERROR] a step that may fail did, after one hour and a half of work on "
                          "this node, the second one today: |out of memory";

static const char *const said[] = {
    "Error: |out of memory",
    "|out of memory",
    "RuntimeError: could not load: |out of memory",
    "ERROR trainer: the index was not built: |not enough memory (if this comes again, add RAM)",
    "fatal: notify: |out of memory",
    far,
    "INFO:root:Error processing a.wav: |out of memory",
    "2026-01-02 03:04:05 - INFO - Failed to render 3: |out of memory",
};

static bool is_hypothetical(const char *marked)
{
    char text[256];
    size_t at = 0, n = 0;
    for (const char *p = marked; *p; p++) {
        if (*p == '|')
            at = n;
        else
            text[n++] = *p;
    }
    return od_is_hypothetical((struct od_view){text, n}, at);
}

START_TEST(mentions_of_a_failure_are_hypothetical)
{
    for (size_t i = 0; i < OD_COUNT_OF(hypothetical); i++)
        ck_assert_msg(is_hypothetical(hypothetical[i]), "%s", hypothetical[i]);
    for (size_t i = 0; i < OD_COUNT_OF(said); i++)
        ck_assert_msg(!is_hypothetical(said[i]), "%s", said[i]);
}
END_TEST

Suite *od_hypothetical_suite(void)
{
    Suite *suite = suite_create("hypothetical");
    TCase *tcase = tcase_create("hypothetical");
    tcase_add_test(tcase, mentions_of_a_failure_are_hypothetical);
    suite_add_tcase(suite, tcase);
    return suite;
}
