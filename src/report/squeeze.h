/*
 * What is left out, step by step, until what was rendered fits: a screen of text, or the bytes that
 * a page or an issue may take. Each step keeps those before it. The first costs nothing but air.
 */
#pragma once

enum {
    OD_SQUEEZE_TIGHT = 1, /* a title stands on the first line of what it is of */
    OD_SQUEEZE_REMEDIES,  /* three remedies instead of four */
    OD_SQUEEZE_QUOTES,    /* one line of the log */
    OD_SQUEEZE_FEWER,     /* two remedies */
    OD_SQUEEZE_STRIP,     /* no picture, unless holes are what failed */
    OD_SQUEEZE_FINDINGS,  /* two findings */
    OD_SQUEEZE_SIZES,     /* fewer rows of the memory table */
    OD_SQUEEZE_OTHERS,    /* other incidents, dumps and notes are counted */
    OD_SQUEEZE_CODE,      /* code of three lines at most */
    OD_SQUEEZE_ONE,       /* one finding */
    OD_SQUEEZE_WHERE,     /* of the log the failing line's beginning, beside its place */
    OD_SQUEEZE_DENSE,     /* empty lines only as far as there is room for them */
    OD_SQUEEZE_TITLES,    /* one remedy, the titles of others */
    OD_SQUEEZE_SUM,       /* memory as a sum in words */
    OD_SQUEEZE_MOST,      /* other notes are counted, fewer prices */
    OD_SQUEEZE_LEAST,     /* not where the memory went */
    OD_SQUEEZE_PLACE,     /* not what asked for it, beyond the headline */
    OD_SQUEEZE_FIRST,     /* the first remedy alone */
    OD_SQUEEZE_SHORT,     /* a remedy by its title, cost and command */
    OD_SQUEEZE_PICTURE,   /* no picture below the answer */
    OD_SQUEEZES           /* steps, from 0 */
};
