/* One token of each form of the catalogue, made here, is replaced; what is too short is not. */
#include "redact/forms.h"
#include "redact/redact.h"
#include "tests/unit/suite.h"

#include <stdlib.h>
#include <string.h>

/* A character of the class: letters and digits in turn. */
static char sample(char class, size_t i)
{
    static const char all[] = "a1b2c3d4e5f60718A2B3C4D5E6F7G8H9";
    for (size_t k = 0; k < sizeof all - 1; k++) {
        char c = all[(i + k) % (sizeof all - 1)];
        if (od_form_class(class, c))
            return c;
    }
    return '0';
}

/* The shortest of a form, less bytes of its last run; -1 where that is as short as it gets. */
static int make(const char *pattern, size_t less, struct od_buf *to)
{
    size_t last = 0;
    for (const char *p = pattern; *p; p++) {
        if (*p != '{') {
            od_buf_add_char(to, *p);
            last = 0;
            continue;
        }
        last = (size_t)strtoul(p + 2, NULL, 10);
        bool at_end = !strchr(p + 1, '{') && strchr(p, '}')[1] == '\0';
        for (size_t i = 0; i + (at_end ? less : 0) < last; i++)
            od_buf_add_char(to, sample(p[1], i));
        p = strchr(p, '}');
    }
    return less > 0 && last <= less ? -1 : 0;
}

static bool is_replaced(const struct od_buf *token)
{
    struct od_buf to = {0};
    struct od_redactor *redactor = od_redactor_new(false);
    struct od_buf text = {0};
    od_buf_printf(&text, "tok_%.*s, then", (int)token->n, token->p);
    od_redact(redactor, od_buf_view(&text), &to);
    bool gone = !memmem(to.p, to.n, token->p, token->n);
    od_buf_done(&text);
    od_buf_done(&to);
    od_redactor_free(redactor);
    return gone;
}

START_TEST(each_form_is_found)
{
    for (size_t i = 0; od_form_pattern(i); i++) {
        struct od_buf token = {0};
        ck_assert_int_eq(make(od_form_pattern(i), 0, &token), 0);
        ck_assert_msg(is_replaced(&token), "%s: %s", od_form_pattern(i), od_buf_str(&token));
        od_buf_done(&token);
    }
}
END_TEST

/* Other forms may know the shorter one: one that is a head of nothing else is asked. */
START_TEST(what_is_too_short_stays)
{
    static const char *const heads[] = {("gh"
                                         "p_a1b2"),
                                        "hf_model",
                                        "sk-learn-extra-models",
                                        "AKIA12",
                                        "hvs.x",
                                        "npm_config_cache",
                                        "SG.a.b",
                                        "eyJ0",
                                        "GPU-0",
                                        "1//0"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct od_buf token = {0};
        od_buf_add_str(&token, heads[i]);
        ck_assert_msg(!is_replaced(&token), "%s", heads[i]);
        od_buf_done(&token);
    }
}
END_TEST

int main(void)
{
    Suite *all = suite_create("forms");
    TCase *tcase = tcase_create("forms");
    tcase_add_test(tcase, each_form_is_found);
    tcase_add_test(tcase, what_is_too_short_stays);
    suite_add_tcase(all, tcase);
    Suite *suites[] = {all, NULL};
    return od_suites_run(suites);
}
