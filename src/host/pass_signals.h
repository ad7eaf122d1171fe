/*
 * Signals for a program that runs in our place (host/pass.h), passed on by a thread of their own:
 * the other may be waiting for somebody to read what we write.
 */
#pragma once

#include "host/pass_stream.h"

#include <signal.h>
#include <sys/types.h>

struct od_pass_signals;

/* Before the program starts: none of them ends us from here on. */
void od_pass_signals_block(sigset_t *ret_usual);

/* streams must outlive it. NULL when there is no thread to be had: nothing is passed on. */
struct od_pass_signals *
od_pass_signals_start(pid_t pid, const struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* Ends it and says which signals came: bit n for signal n. */
uint64_t od_pass_signals_stop(struct od_pass_signals *signals);
