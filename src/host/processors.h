/*
 * The number of processors that this process may run on.
 */
#pragma once

/* Returns 1 or more. */
unsigned od_processors(void);
