/*
 * Passes signals on to a program that runs in our place (host/pass.h). This needs a thread, because
 * the main thread may be blocked in a write.
 */
#pragma once

#include "host/pass_stream.h"

#include <signal.h>
#include <sys/types.h>

struct od_pass_signals;

/* Blocks the signals that are passed on, which cannot end us then. Call before the program
 * starts. */
void od_pass_signals_block(sigset_t *ret_usual);

/* Starts the thread. streams must outlive it. NULL if no thread can be created; signals are not
 * passed on then. */
struct od_pass_signals *
od_pass_signals_start(pid_t pid, const struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* Ends the thread. Returns the signals received: bit n for signal n. */
uint64_t od_pass_signals_stop(struct od_pass_signals *signals);
