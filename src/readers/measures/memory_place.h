/*
 * Reads the place of a memory number from the words of a line: step, epoch, rank, device, moment
 * and phase. Each function reads the text after the current word.
 */
#pragma once

#include "readers/measures/memory_line.h"

/* The character at i; 0 after the end. */
static inline char od_memory_at(const struct od_memory_line *line, size_t i)
{
    return i < line->text.n ? line->text.p[i] : '\0';
}

/* The span of a part of the line. */
static inline struct od_memory_span od_memory_span(const struct od_memory_line *line,
                                                   struct od_view part)
{
    return part.n > 0 ? (struct od_memory_span){(uint16_t)(part.p - line->text.p), (uint16_t)part.n}
                      : (struct od_memory_span){0};
}

/* Records that the meaning of the line depends on this value. */
void od_memory_guard(struct od_memory_line *line, struct od_memory_guard guard);

/* Is it that word, in any case? */
static inline bool od_memory_same(struct od_view word, const char *lower)
{
    size_t i = 0;
    while (i < word.n && lower[i] && (word.p[i] | 0x20) == lower[i])
        i++;
    return i == word.n && !lower[i];
}

/* "Train: [2/300][40/1251]": without a word, an epoch and its step. */
bool od_memory_take_pair(struct od_memory_line *line);

/* "step 10", "Epoch: [3]", "rank=2". */
bool od_memory_take_place(struct od_memory_line *line, struct od_view word);

/* "GPU 0", "cuda:0", "GPU[0]", "gpu.0.memory", "gpu_0_mem", but not "GPU: 3 GB". */
void od_memory_take_device(struct od_memory_line *line);

/* "memory_allocated(0)": of device 0. */
void od_memory_take_argument(struct od_memory_line *line);

/* "after epoch", "before forward", "after model to cuda": a program may print at several moments of
 * a step, each with its own series. */
void od_memory_take_when(struct od_memory_line *line, struct od_view word);

/* The same if a call starts the line: "optimizer.step() allocated=2GB". */
bool od_memory_take_call(struct od_memory_line *line, struct od_view word);

/* "[train]", "val |", "Eval: ": takes a word that is the topic of the line. means: the phase that
 * the word names. */
void od_memory_take_phase(struct od_memory_line *line, struct od_view word, unsigned means);
