%{
/* Reads nested brackets. */
#include <stdio.h>
#include <stdlib.h>
int yylex(void);
void yyerror(const char *why) { fprintf(stderr, "deep: %s\n", why); }
%}
%%
all: nest { puts("done"); };
nest: | '(' nest ')';
%%
int yylex(void)
{
    int c = getchar();
    return c == EOF || c == '\n' ? 0 : c;
}
int main(void) { return yyparse() != 0; }
