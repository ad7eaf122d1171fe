/*
 * A request worked on: the body read, the form parsed, the log analyzed or the model planned for.
 * Runs in a process of its own, locked (host/lock.h) before the first byte of the body is read.
 */
#ifndef OD_CGI_WORK_H
#define OD_CGI_WORK_H

#include "cgi/request.h"

/* Answers through out (cgi/wire.h): the status to exit with. in is the body. */
int od_cgi_work(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                int in, int out);

#endif
