/* Lines that become series: what programs print of memory, columns, comma-separated values,
 * nvidia-smi. Fewer readers than in `readers`, so that many more lines are tried. */
#include "scan/readers.h"
#include "tests/fuzz/feed.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void measures(struct od_ruleset *rules, struct od_view bytes)
{
    static const char *const names[] = {"repeated", "columns", "memory_csv", "nvidia_smi"};
    (void)rules;
    for (size_t i = 0; od_readers[i]; i++) {
        for (size_t k = 0; k < OD_COUNT_OF(names); k++)
            if (strcmp(od_readers[i]->name, names[k]) == 0)
                od_fuzz_feed(od_readers[i], bytes);
    }
}

static const char *const words[] = {"allocated",
                                    "reserved",
                                    "max memory",
                                    "RSS",
                                    "VmRSS:",
                                    " MiB",
                                    " GB",
                                    " kB",
                                    "MiB / ",
                                    "timestamp",
                                    "memory.used [MiB]",
                                    "utilization.gpu [%]",
                                    "index",
                                    "PID",
                                    "%MEM",
                                    "RES",
                                    "VIRT",
                                    "kbmemused",
                                    "Mem:",
                                    "total",
                                    "used",
                                    "free",
                                    "MaxRSS",
                                    "AveRSS",
                                    "fb",
                                    "| ",
                                    "+---",
                                    "step",
                                    "epoch",
                                    "it/s",
                                    "GPU 0",
                                    "rank 3",
                                    "1.5e9",
                                    "1,234,567",
                                    "12:34:56",
                                    "2026-01-02T03:04:05",
                                    NULL};

const struct od_fuzz od_fuzz_measures = {.name = "measures", .words = words, .one = measures};
