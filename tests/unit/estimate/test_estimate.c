#include "suites.h"

#include "../suite.h"

int main(void)
{
    Suite *suites[] = {od_states_suite(), NULL};
    return od_suites_run(suites);
}
