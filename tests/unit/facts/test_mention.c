/* The numbers that a text states and that size its memory. */
#include "facts/mention.h"
#include "tests/unit/facts/suites.h"
#include "tests/unit/suite.h"

static const struct {
    const char *text, *mention; /* the first; "" = none */
    bool sets, whole;
} rows[] = {
    {"n_batches=1000\n", "n_batches=1000", true, false},
    {"run --cache-entries 5120 now\n", "--cache-entries 5120", true, false},
    {"It runs with 13 gunicorn workers and is slow.\n",
     "It runs with 13 gunicorn workers and is slow", false, false},
    {"It works with --jobs 4 on the server.\n", "It works with --jobs 4 on the server", true,
     false},
    {"I have a machine with 16 GB RAM and it is old.\n",
     "I have a machine with 16 GB RAM and it is old", false, true},
    {"\nThe pod rises from 3 GB when it is in use.\n", "The pod rises from 3 GB when it is in use",
     false, false},
    {"I have a laptop with 16G of RAM and it is old.\n",
     "I have a laptop with 16G of RAM and it is old", false, true},
    {"It runs with an 8 g heap and it is slow.\n", "It runs with an 8 g heap and it is slow", false,
     true},
    {"\nIt takes 8 g of flour and it is slow.\n", "", false, false},
    {"\nThe RAM in it is 8 GB with a 250 GB SSD.\n", "The RAM in it is 8 GB with a 250 GB SSD",
     false, true},
    {"\nThe SSD in it is 250 GB and it is slow.\n", "", false, false},
    {"\nAs you can see, it has 8 GB of RAM.\n", "As you can see, it has 8 GB of RAM", false, true},
    {"\nYou have 8 GB of RAM and it is slow.\n", "", false, false},
    {"\nI can use 8 GB of RAM on it.\n", "I can use 8 GB of RAM on it", false, true},
    {"\nI have no machine with 8 GB of RAM.\n", "", false, false},
    {"\nIt has 8 GB, of which 12 GB of RAM is free.\n", "", false, false},
    {"\nI use the default num_parts=8 on it.\n", "I use the default num_parts=8 on it", true,
     false},
    {"\nIt is num_parts=8 and torch_version=3 on it.\n", "", false, false},
    {"\nI process 900 files and they take 8 GB of RAM.\n",
     "I process 900 files and they take 8 GB of RAM", false, true},
    {"\nProcess 900 has 8 GB of RAM in use.\n", "", false, false},
    {"\nThe images have a size of 1440x1920 on it.\n", "The images have a size of 1440x1920 on it",
     false, false},
    {"\nIt runs on an RTX 3090 (24GB) and is slow.\n", "It runs on an RTX 3090 (24GB) and is slow",
     false, false},
    {"\nMy memory usage is about 90G on it.\n", "My memory usage is about 90G on it", false, false},
    {"\nThe CSV is more than 30 GB and it is slow.\n", "The CSV is more than 30 GB and it is slow",
     false, false},
    {"\nI want to run it on cards with more than 30 GB.\n", "", false, false},
    {"\nI use a batch size of 20 and it is slow.\n", "I use a batch size of 20 and it is slow",
     false, false},
    {"The VM has a swap of 2G, on which it is slow.\n",
     "The VM has a swap of 2G, on which it is slow", false, true},
    {"It is a pod with 512m memory and it is killed.\n",
     "It is a pod with 512m memory and it is killed", false, true},
    {"It is on 8G network links and we have 10M users in memory.\n", "", false, false},
    {"The limit is 30m for it, and I took 3 g of sugar.\n", "", false, false},
    {"\nThe CSV file size is around 30 GB and it is slow.\n",
     "The CSV file size is around 30 GB and it is slow", false, false},
    {"\nI read a table file (about 30GB) and it is slow.\n",
     "I read a table file (about 30GB) and it is slow", false, false},
    {"\nIt is a card (about 2.4 GB in use) and it is slow.\n",
     "It is a card (about 2.4 GB in use) and it is slow", false, true},
    {"\nIt will need about 42 GB of memory on the node.\n", "", false, false},
    {"\nIt is on an A100 with 40GB and it is slow.\n", "It is on an A100 with 40GB and it is slow",
     false, false},
    {"\nI train with a max length of 1024 on it.\n", "I train with a max length of 1024 on it",
     false, false},
    {"\nI lower the max length to 1024 on it.\n", "", false, false},
    {"\nThe images have a resolution of (4000, 3000) on it.\n",
     "The images have a resolution of (4000, 3000) on it", false, false},
    {"\nIt works on 4000x3000 images and is slow.\n", "It works on 4000x3000 images and is slow",
     false, false},
    {"\nIt is a tensor with shape (4000, 3000) on it.\n", "", false, false},
    {"\nIt fails with the --parts 40 that I use.\n", "It fails with the --parts 40 that I use",
     true, false},
    {"\nIt fails with --parts 40 and works with --parts 80.\n", "", false, false},
    {"I use version: 1200 of it, on port: 8080\n", "", false, false},
    {"This is the RTX 5090 with the seed 1234\n", "", false, false},
};

static const struct {
    const char *text, *words; /* of all, in their order */
} stated[] = {
    {"  memory_request = \"1Gi\"\n  memory_limit = \"2Gi\"\n",
     "memory_limit 2 GiB; memory_request 1 GiB"},
    {"limits:\n  memory: 2Gi\nrequests:\n  memory: 1Gi\n",
     "limits memory 2 GiB; requests memory 1 GiB"},
    {"MiB Mem :   1949.6 total,     57.3 free\n", "Mem total 1.9 GiB; Mem free 57.3 MiB"},
    {"      total   used   free\nMem:   62Gi   8.1Gi  49Gi\n",
     "Mem total 62 GiB; Mem used 8.1 GiB; Mem free 49 GiB"},
    {"$ free -m\n      total   used   free\nMem:   3919    411   3210\nSwap:     0      0      0\n",
     "Mem total 3.83 GiB; Mem used 411 MiB; Mem free 3.13 GiB"},
    {"Downloading pack-1.2.tgz (887.4 MB)\n", "pack-1.2.tgz 887.4 MB"},
    {"Mapping\nWe map to genes-v4.idx, which is 11 GB, from one reads.fq file (~6.1G)\n",
     "We map to genes-v4.idx, which is 11 GB, from one reads.fq file (~6.1G)"},
    {"Mapping\nThe index genes-v4.idx is 11 GB and the limit 4\n",
     "The index genes-v4.idx is 11 GB and the limit 4"},
    {"Machine: x86. 32GB RAM, 2GB swap.\n", "32GB RAM, 2GB swap"},
    {"Allocated resources:\n  memory   2Gi\n  memory limits: 4Gi\n", ""},
    {"It has 16 GB laptop with 8 GB zram\n", "It has 16 GB laptop with 8 GB zram"},
    {"After 10 minutes: Total: 61 MB, free\n", ""},
    {"xz: granary.tar.xz: 65 MiB of memory is required\n", ""},
    {"I have two cards, 2 x 24GB VRAM, and that isn't 9 GB of RAM\n",
     "I have two cards, 2 x 24GB VRAM, and that isn't 9 GB of RAM"},
    {"here it says Total Memory 9 GiB\n", "Total Memory 9 GiB"},
    {"I do not have 9TB space available, and it is definitely not 8gb\n", ""},
    {"10:01 INFO model weights take 5.20GiB; the rest is -1.05GiB\n", "model weights 5.2 GiB"},
    {"guard: mem avail:  12870 of 64228 MiB (20.00%)\n", "mem avail 12.57 GiB of 62.72 GiB"},
    {"Memory Efficiency: 19.38% of 64.00 GB\n", "Memory Efficiency 19.38 % of 64 GiB"},
    {"Device #0: 500/2000 MB allocatable\n", "allocatable 500 MiB of 1.95 GiB"},
    {"CPU Memory:  used = 40.11 GB, percent = 63.9%\n", "CPU Memory used 40.11 GB"},
    {"maxmemory:268435456\n", "maxmemory 256 MiB"},
    {"usages [fielddata=23324/22.7kb, accounting=76897616/73.3mb]\n", "accounting 73.34 MiB"},
    {"KV cache 0.75 GiB short, buffer of 2 GB too much, heap 3 GiB\n", "heap 3 GiB"},
    {"{\"maxBytes\":268435456}\npeak_bytes = 1610612736\n", "maxBytes 256 MiB; peak_bytes 1.5 GiB"},
    {"sentBytes=268435456\nfile_max_bytes=268435456\n", ""},
    {"Memory (MiB): 4096\nRSS [KB] 3145728\n", "Memory 4 GiB; RSS 3 GiB"},
    {"Mem. used (GiB)  11.25\nimages (MB): 300\nTotal Size (MB): 300\nsent [GB] 40\n",
     "Mem. used 11.25 GiB"},
    {"RAM: 15.4GB Physical Memory 15.3GB Virtual Memory\n", "RAM 15.4 GB"},
    {"edge table size: 6912 MB\nfile size: 6912 MB\n", "edge table size 6912 MB"},
    {"\nI have 28 images of 2.2 MB.\n", "I have 28 images of 2.2 MB; I have 28 images of 2.2 MB"},
    {"rss: current: 3221225472, peak: 4294967296\n", "rss current 3 GiB; rss peak 4 GiB"},
    {"memory limit 12k requests, a cache of 2g, 30k entries\n", ""},
    {"We only test discrete cards under 6GB here\n", ""},
    {"I suggest a machine with 48 GB of RAM\n", ""},
    {"My laptop has 8 GB of RAM.\nMy laptop has 5 GB of RAM.\n", "My laptop has 8 GB of RAM"},
    {"postgres=# show work_mem;\n work_mem \n----------\n 64MB\n(1 row)\n", "work_mem 64 MB"},
    {"| Variable_name | Value |\n| sort_memory | 268435456 |\n", "sort_memory 256 MiB"},
    {"+-----+\n| @@max_memory |\n+-----+\n| 268435456 |\n+-----+\n", "max_memory 256 MiB"},
    {"| memory | used |\n| 268435456 | 12 |\nmax_memory\nis here\n268435456\n", ""},
    {"\u2502 current_setting('threads') \u2502\n\u2502 int64 \u2502\n\u2502 48 \u2502\n",
     "threads 48"},
    {"started 96 mpi-ranks on 2 nodes\n", "96 mpi-ranks"},
    {"Memory Size: 2048 MB Max Memory Used: 91 MB\n", "Memory Size 2048 MB; Max Memory Used 91 MB"},
    {"mem cap: 3 GB\npostgres (pid 890) memory: 2 GB\nGPU 3 memory: 4 GB\n", "mem cap 3 GB"},
    {"write speed of the cache: 310 MB/s\nlimit: 9223372036854771712 kB\n", ""},
    {"server up: avail mem=3.42 GB, cache: 24576 tokens\n", "avail mem 3.42 GB"},
    {"Memory goes from 1.12 GB to 61 GB\n", ""},
    {"mem: 3 GB\nmem: 4 GB\nmem: 5 GB\n", "mem 5 GB"},
};

START_TEST(numbers_are_listed_with_their_names)
{
    struct od_arena *arena = od_arena_new();
    struct od_around *around = od_around_new();
    struct od_buf words = {0};
    od_around_keep_head(around, 1, od_view_of(stated[_i].text));
    struct od_mention_question question = {
        .around = around,
        .at = {.source = 1, .line = 9},
        .device = OD_VIEW("GPU:0"),
        .scope = od_view_has(od_view_of(stated[_i].text), OD_VIEW("Allocated")) ? OD_SCOPE_MACHINE
                                                                                : OD_SCOPE_UNKNOWN};
    const struct od_mentions *found = od_mentions_find(&question, arena);
    for (size_t i = 0; i < found->n; i++)
        od_buf_printf(&words, "%s%s", i > 0 ? "; " : "", od_mention_words(&found->list[i], arena));
    ck_assert_str_eq(od_buf_str(&words), stated[_i].words);
    od_buf_done(&words);
    od_around_free(around);
    od_arena_free(arena);
}
END_TEST

START_TEST(a_number_is_mentioned_with_its_words)
{
    struct od_arena *arena = od_arena_new();
    struct od_around *around = od_around_new();
    od_around_keep_head(around, 1, od_view_of(rows[_i].text));
    struct od_mention_question question = {.around = around, .at = {.source = 1, .line = 9}};
    const struct od_mentions *found = od_mentions_find(&question, arena);
    struct od_mention first = found->n > 0 ? found->list[0] : (struct od_mention){0};
    ck_assert_msg(od_view_eq_str(first.text, rows[_i].mention), "%.*s", (int)first.text.n,
                  first.text.p);
    ck_assert(first.sets == rows[_i].sets);
    ck_assert(first.whole == rows[_i].whole);
    od_around_free(around);
    od_arena_free(arena);
}
END_TEST

Suite *od_mention_suite(void)
{
    Suite *suite = suite_create("mention");
    TCase *cases = tcase_create("lines");
    tcase_add_loop_test(cases, a_number_is_mentioned_with_its_words, 0, (int)OD_COUNT_OF(rows));
    tcase_add_loop_test(cases, numbers_are_listed_with_their_names, 0, (int)OD_COUNT_OF(stated));
    suite_add_tcase(suite, cases);
    return suite;
}
