// Other ways for a C++ program to end. Arguments: what, MiB.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

int main(int, char **argv)
{
    size_t size = strtoul(argv[2], nullptr, 10) << 20;
    setvbuf(stdout, nullptr, _IOLBF, 0);
    printf("starting %s\n", argv[1]);
    if (!strcmp(argv[1], "assert"))
        assert(size == 0);
    if (!strcmp(argv[1], "segv"))
        *(volatile int *)(size % 2) = 1;
    if (!strcmp(argv[1], "abort"))
        abort();
    if (!strcmp(argv[1], "malloc")) {
        void *p = malloc(size);
        if (!p) {
            perror("load: cannot allocate the table");
            return 1;
        }
        memset(p, 1, size);
    }
    if (!strcmp(argv[1], "survive")) {
        for (int i = 0; i < 5; i++) {
            try {
                std::vector<char> batch(size, 1);
                printf("batch %d/5\n", i + 1);
            } catch (const std::bad_alloc &error) {
                size /= 2;
                i--;
                fprintf(stderr, "caught %s, batch is now %zu MiB\n", error.what(), size >> 20);
            }
        }
    }
    puts("done");
}
