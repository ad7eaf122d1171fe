/*
 * The processors that this process may run on.
 */
#pragma once

/* At least 1. */
unsigned od_processors(void);
