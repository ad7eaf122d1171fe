/* Checkpoints that lines say were saved, and lines that only use such words. */
#include "base/num.h"
#include "readers/logs/checkpoint_words.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

/* step, epoch, number: -1 = not said */
static const struct {
    const char *line, *path;
    long long step, epoch, number;
    bool done;
} lines[] = {
    {"Saving model checkpoint to ./out/checkpoint-4000", "./out/checkpoint-4000", -1, -1, 4000, 0},
    {"Model weights saved in ./out/checkpoint-4000/model.safetensors", "./out/checkpoint-4000", -1,
     -1, 4000, 1},
    {"  successfully saved checkpoint from iteration    4000 to /ckpt/gpt [ t 1/2, p 1/4 ]",
     "/ckpt/gpt", 4000, -1, -1, 1},
    {"Epoch 3, global step 4000: 'val_loss' reached 0.51234 (best 0.51234), saving model to "
     "'/runs/v0/checkpoints/epoch=3-step=4000.ckpt' as top 1",
     "/runs/v0/checkpoints/epoch=3-step=4000.ckpt", 4000, 3, -1, 0},
    {"Epoch 00005: val_loss improved from 0.61 to 0.58, saving model to w.05.h5", "w.05.h5", -1, 5,
     -2, 0},
    {"INFO:tensorflow:Saving checkpoints for 4000 into /tmp/model/model.ckpt.",
     "/tmp/model/model.ckpt", -1, -1, 4000, 0},
    {"[05/02 10:11:05 fvcore.common.checkpoint]: Saving checkpoint to output/model_0004999.pth",
     "output/model_0004999.pth", -1, -1, 4999, 0},
    {"05/02 10:11:05 - mmengine - INFO - Saving checkpoint at 12 epochs", "", -1, 12, -1, 0},
    {"2024-05-02 10:11:05,100 - mmcv - INFO - Saving checkpoint at 4000 iterations", "", 4000, -1,
     -1, 0},
    {"Saved checkpoint checkpoints/checkpoint_3_4000.pt (epoch 3 @ 4000 updates, score 3.21) "
     "(writing took 2.1 seconds)",
     "checkpoints/checkpoint_3_4000.pt", 4000, 3, -2, 1},
    {"Saving checkpoint to pruned/exp/epoch-7.pt", "pruned/exp/epoch-7.pt", -1, 7, -1, 0},
    {"Saving current state to runs/step_1500", "runs/step_1500", 1500, -1, -1, 0},
    {"[Torch] Saved /ckpt/global_step4000/mp_rank_00_model_states.pt.", "/ckpt/global_step4000",
     4000, -1, -1, 1},
    {"Saving weights to backup/yolov4_4000.weights", "backup/yolov4_4000.weights", -1, -1, 4000, 0},
    {"I0502 10:11:05.1 solver.cpp:464] Snapshotting solver state to binary proto file "
     "net_iter_4000.solverstate",
     "net_iter_4000.solverstate", 4000, -1, -1, 0},
    {"Saving checkpoint to \"out/step-00004000/lit_model.pth\"", "out/step-00004000", 4000, -1, -1,
     0},
    {"=> saved checkpoint 'logs/ckpt_epoch_12.pth' (step 30000)", "logs/ckpt_epoch_12.pth", 30000,
     12, -1, 1},
    {"Checkpoint written: /mnt/c/state-000250.tar", "/mnt/c/state-000250.tar", -1, -1, 250, 1},
    {"[step 800] model saved", "", 800, -1, -1, 1},
    {"Saved model at step=1,200 in /scratch/me/run", "/scratch/me/run", 1200, -1, -1, 1},
    {"2024 INFO trainer: snapshot saved for iteration #64", "", 64, -1, -1, 1},
    {"Weights stored in nets/best.params", "nets/best.params", -1, -1, -1, 1},
    {"step 4000: wrote checkpoint /data/ck/4000", "/data/ck/4000", 4000, -1, -2, 1},
    /* and none */
    {"Checkpoints will be saved to /runs/v0", NULL, 0, 0, 0, 0},
    {"Saving every 500 steps to out/model.pt", NULL, 0, 0, 0, 0},
    {"Not saving checkpoint at step 10", NULL, 0, 0, 0, 0},
    {"Failed to save checkpoint at step 4000", NULL, 0, 0, 0, 0},
    {"OSError: error while saving the state to /x/y.pt", NULL, 0, 0, 0, 0},
    {"Configuration saved in ./out/checkpoint-4000/config.json", NULL, 0, 0, 0, 0},
    {"tokenizer config file saved in ./out/checkpoint-4000/tokenizer_config.json", NULL, 0, 0, 0,
     0},
    {"Loading saved checkpoint out/step_40.pt", NULL, 0, 0, 0, 0},
    {"Saving results to runs/val", NULL, 0, 0, 0, 0},
    {"saved 12 images to out/img", NULL, 0, 0, 0, 0},
    {"Deleting older checkpoint [out/checkpoint-500] due to args.save_total_limit", NULL, 0, 0, 0,
     0},
    {"gradient checkpointing saves memory: step 4", NULL, 0, 0, 0, 0},
    {"Checkpoint saved.", NULL, 0, 0, 0, 0},
};

static void same(int i, const char *what, long long want, struct od_count got)
{
    if (want == -2) /* either */
        return;
    long long n = got.known ? (long long)got.n : -1;
    ck_assert_msg(n == want, "%s: %s %lld, wanted %lld", lines[i].line, what, n, want);
}

START_TEST(a_line_tells_what_was_saved)
{
    struct od_checkpoint_words words;
    bool found = od_checkpoint_words_read(od_view_of(lines[_i].line), &words);
    ck_assert_msg(found == (lines[_i].path != NULL), "%s: %d", lines[_i].line, found);
    if (!found)
        return;
    ck_assert_msg(od_view_eq_str(words.path, lines[_i].path), "%s: path %.*s", lines[_i].line,
                  (int)words.path.n, words.path.p);
    same(_i, "step", lines[_i].step, words.step);
    same(_i, "epoch", lines[_i].epoch, words.epoch);
    same(_i, "number", lines[_i].number, words.number);
    ck_assert_msg(words.done == lines[_i].done, "%s: done %d", lines[_i].line, words.done);
}
END_TEST

Suite *od_checkpoints_suite(void)
{
    return od_suite_loop("checkpoints", a_line_tells_what_was_saved, (int)OD_COUNT_OF(lines));
}
