/* Marks of phases: lines that state what a run does, and lines that only use the same words. */
#include "base/num.h"
#include "readers/reader.h"
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

extern const struct od_reader od_reader_marks;

static const struct {
    const char *line, *phase; /* or "epoch=n" */
} lines[] = {
    {"Validation: 100%|####| 40/40 [00:12<00:00, 3.3it/s]", "validation"},
    {"epoch 3 validation: acc@1 61.2 acc@5 82.0", "validation"},
    {"Running evaluation on 5000 pairs", "validation"},
    {"***** Running Evaluation *****", "validation"},
    {"500/500 [=====] - 20s 40ms/step - loss: 1.2 - val_loss: 1.4", "validation"},
    {"Test: [ 20/196]  loss 0.61", "validation"},
    {"epoch 4 | train loss 0.31 | val loss 0.42", "validation"},
    {"Saving checkpoint at 6 epochs", "checkpoint"},
    {"=> model saved to out/epoch_3.pt", "checkpoint"},
    {"Validation improved, saving model to best.h5", "checkpoint"},
    {"Loading checkpoint shards:  50%|##  | 1/2", "load"},
    {"Restored weights from run-7", "load"},
    {"Epoch 3/80", "epoch=3"},
    {"=== epoch 12 ===", "epoch=12"},
    {"Found 5000 validated image filenames belonging to 10 classes.", NULL},
    {"loading 48000 training and 2000 validation images", "data"},
    {"Reading train.csv ...", "data"},
    {"loading images.npy (629145728 bytes)", "data"},
    {"reading the weights of the model", NULL},
    {"Namespace(batch_size=8, eval_batches=0, val_split=0.1)", NULL},
    {"loading the configuration", NULL},
    {"    model.eval()", NULL},
    {"the test set has 10 classes", NULL},
    {"pydantic.error_wrappers.ValidationError: 1 validation error", NULL},
    {"this value is invalid", NULL},
};

START_TEST(a_line_tells_its_phase)
{
    struct listener l;
    char want[80] = "";
    if (lines[_i].phase)
        (void)snprintf(want, sizeof want, "%s%s",
                       strchr(lines[_i].phase, '=') ? "" : "phase=", lines[_i].phase);
    listen_begin(&l, &od_reader_marks);
    listen_text(&l, 1, lines[_i].line);
    const char *heard = listen_end(&l);
    ck_assert_msg(strstr(heard, want) && (lines[_i].phase || heard[0] == '\0'), "%s: %s",
                  lines[_i].line, heard);
    listen_done(&l);
}
END_TEST

Suite *od_marks_suite(void)
{
    return od_suite_loop("marks", a_line_tells_its_phase, (int)OD_COUNT_OF(lines));
}
