/*
 * Passes signals on to an attached program (host/pass.h), in a thread of its own, because the main
 * thread may be blocked in a write.
 */
#pragma once

#include "host/pass_stream.h"

#include <signal.h>
#include <sys/types.h>

struct od_pass_signals;

/* Call before the program starts; no signal ends us afterwards. */
void od_pass_signals_block(sigset_t *ret_usual);

/* streams must outlive it. Returns NULL if no thread can be created; signals are not passed on
 * then. */
struct od_pass_signals *
od_pass_signals_start(pid_t pid, const struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* Ends the thread. Bit n of the result: signal n was received. */
uint64_t od_pass_signals_stop(struct od_pass_signals *signals);
