/* A server in C that never frees what its requests allocate. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    size_t size = (size_t)atoi(argv[argc - 1]) << 10;
    for (long i = 1;; i++) {
        char *reply = malloc(size);
        if (!reply) {
            perror("server: malloc");
            return 1;
        }
        memset(reply, 1, size);
        if (i % 100 == 0) {
            printf("served %ld requests\n", i);
            fflush(stdout);
        }
    }
}
