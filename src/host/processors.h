/*
 * The processors that this process may run on.
 */
#ifndef OD_HOST_PROCESSORS_H
#define OD_HOST_PROCESSORS_H

/* At least 1. */
unsigned od_processors(void);

#endif
