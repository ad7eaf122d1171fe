/*
 * Limits the number of concurrent requests over all processes of this user and program. A slot is
 * an abstract socket name: the kernel frees it when its process ends, and it leaves no file.
 */
#pragma once

#include "cgi/request.h"

enum { OD_SLOT_NONE = -1 };

/* Waits for a slot until the request's time limit is over or the client leaves. Returns
 * OD_SLOT_NONE then, or if the queue is full. The caller returns the slot with od_slot_leave. */
int od_slot_take(const struct od_cgi_settings *settings);
void od_slot_leave(int slot);

/* Takes one of the concurrent requests allowed for a client address. *ret_place is OD_SLOT_NONE if
 * the address is not limited. False if all are in use. Does not wait. */
bool od_place_take(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                   int *ret_place);
