/*
 * How many requests are worked on at once, over all processes of this user and program. A slot
 * is the name of a socket without a file: whoever holds it loses it with its last breath, and
 * nothing is left on a disk.
 */
#pragma once

#include "cgi/request.h"

enum { OD_SLOT_NONE = -1 };

/* Waits for one, for as long as the settings give a request and somebody still wants the answer,
 * where the queue has room; else OD_SLOT_NONE. The caller gives it back with od_slot_leave. */
int od_slot_take(const struct od_cgi_settings *settings);
void od_slot_leave(int slot);

/* A place among those that one address may have at once; *ret_place is OD_SLOT_NONE where it needs
 * none. False where it has them all. Does not wait. */
bool od_place_take(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                   int *ret_place);
