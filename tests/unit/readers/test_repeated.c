/* Prints of people's own and of programs that print units: each line, and what it measures. */
#include "base/num.h"
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_repeated;

#define SAYS "[INFO] [utils.py:785:see_memory_usage] "
#define NUMBERS SAYS "MA 1.0 GB         Max_MA 2.0 GB         CA 3.0 GB         Max_CA 3 GB \n"
#define HOST SAYS "CPU Virtual Memory:  used = 4.0 GB, percent = 19.0%\n"
#define DEVICE_SAID "in_use=1073741824 reserved=3221225472 peak=2147483648"

static const struct {
    const char *text;
    const char *heard;
} prints[] = {
    /* under a moment, which lines that begin alike share */
    {SAYS "After creating fp16 partitions: 1\n" NUMBERS HOST,
     "sample@2 " DEVICE_SAID " name=After creating fp16 partitions\n"
     "sample@3 in_use=4294967296 share=0.19 name=After creating fp16 partitions\n"},
    {SAYS "DeepSpeedZeRoOffload initialize [end]\n" NUMBERS,
     "sample@2 " DEVICE_SAID " name=DeepSpeedZeRoOffload initialize [end]\n"},
    {SAYS "before forward 12\nloading shards\n" NUMBERS,
     "sample@3 " DEVICE_SAID " name=before forward\n"},
    {SAYS "before forward\n1\n2\n3\n4\n5\n6\n" NUMBERS, "sample@8 " DEVICE_SAID "\n"},
    {NUMBERS, "sample@1 " DEVICE_SAID "\n"},
    /* under a heading, and no further than the lines that it is of */
    {"Host memory:\n    used: 4 GiB\n    free: 5 GiB\nDisk:\n    used: 6 GiB\n",
     "sample@2 in_use=4294967296\nsample@3 free=5368709120\n"},
    {"GPU memory (MB):\nallocated 1024\n", "sample@2 in_use=1073741824\n"},
    /* a heading is of all rows up to one without a name and its value */
    {"Arena 0:\nmapped regions = 2\nin use bytes   = 5242880\n",
     "sample@3 in_use=5242880 process=heap\n"},
    {"Arena 0:\nclosed\nin use bytes   = 5242880\n", ""},
    /* each number is of the heap */
    {"old heap   total 8192K, used 4096K\n",
     "sample@1 capacity=8388608 in_use=4194304 process=heap\n"},
    {"((gcs . 3) (heap-size . 80 MiB) (heap-free-size . 5 MiB))\n",
     "sample@1 free=5242880 process=heap\n"},
    /* one of several that print the same; "node" is a machine */
    {"node01: mem 20.5/250 GB\nFork:Worker-2 maxrss=3MB\n",
     "sample@1 capacity=268435456000 in_use=22011707392 group=node01\nsample@2 peak=3145728 "
     "group=Worker-2\n"},
    /* the value after a name is a key too, but not a size or a word for memory */
    {"worker=w1 rss=64MiB\nworker=w2 rss=72MiB\nreplica 0: RSS 64 MiB a\n",
     "sample@1 rss=67108864 group=w1\nsample@2 rss=75497472 group=w2\nsample@3 rss=67108864 "
     "group=replica 0\n"},
    {"pod/web-7d9f-x rss 64MiB\nhost 4 GiB\nhost memory used: 5 GiB\n",
     "sample@1 rss=67108864 group=web-7d9f-x\nsample@3 in_use=5368709120\n"},
    /* a mixed name is a source if it comes again among others, and none if it is new each time */
    {"wid=a3 rss=64MiB\nwid=b7 rss=72MiB\nwid=a3 rss=65MiB\nwid=c1 rss=9MiB\n",
     "sample@1 rss=67108864 group=a3\nsample@2 rss=75497472 group=b7\n"
     "sample@3 rss=68157440 group=a3\nsample@4 rss=9437184 group=c1\n"},
    {"[auth] rss=64MiB\n[feed] rss=72MiB\n[auth] rss=65MiB\n",
     "sample@1 rss=67108864 group=auth\nsample@2 rss=75497472 group=feed\n"
     "sample@3 rss=68157440 group=auth\n"},
    {"{\"service\": \"auth\", \"rss\": 67108864}\n", "sample@1 rss=67108864 group=auth\n"},
    {"mail@node-4 rss=64MiB\n", "sample@1 rss=67108864 group=mail@node-4\n"},
    {"job=a3 rss=64MiB\njob=b7 rss=72MiB\njob=c1 rss=65MiB\n",
     "sample@1 rss=67108864\nsample@2 rss=75497472\nsample@3 rss=68157440\n"},
    {"job=a3 rss=64MiB\njob=a3 rss=72MiB\njob=a3 rss=65MiB\njob=a3 rss=66MiB\n",
     "sample@1 rss=67108864\nsample@2 rss=75497472\nsample@3 rss=68157440\n"
     "sample@4 rss=69206016\n"},
    /* in one sentence, each after its time or in a row */
    {"It starts at 1 MB. After 1 hour it uses 2 MB of RAM, after 2 hours 3 MB.",
     "sample@1 in_use=1048576 elapsed=0\nsample@1 in_use=2097152 elapsed=3600\n"
     "sample@1 in_use=3145728 elapsed=7200\n"},
    {"RSS: 1 MB -> 2 MB -> 3 MB",
     "sample@1 rss=1048576 step=1\nsample@1 rss=2097152 step=2\nsample@1 rss=3145728 step=3\n"},
    {"resize 1 MB -> 2 MB -> 3 MB", ""},
    {"RAM after 2 hours 3 MB, after 1 hour 2 MB, after 1 hour 1 MB", ""},
    /* names and numbers in a list, a leader of points, whose memory is said last */
    {"heap used/committed/max: 15/380/400 MB\n",
     "sample@1 capacity=419430400 in_use=15728640 process=heap\n"},
    /* words after numbers, also after a share; the name after "of" is the source */
    {"Heap: 2048M reserved, 400M (19.53%) committed, 100M (4.88%) used\n",
     "sample@1 in_use=104857600 reserved=2147483648 share=0.0488 process=heap\n"},
    {"RSS of web:web is 81084416\n", "sample@1 rss=81084416 group=web:web\n"},
    {"RAM (used/free): 3/5 GB\n", "sample@1 in_use=3221225472 free=5368709120\n"},
    {"RAM copied/total: 3/5 GB\n", ""},
    {"resident set ........ 21 MiB\n", "sample@1 rss=22020096\n"},
    {"0 rows, the process is now at 1 GB of RAM\n2 rows, the process is now at 2 GB of RAM\n",
     "sample@1 in_use=1073741824\nsample@2 in_use=2147483648\n"},
    /* of the worker with that address */
    {"tcp://10.0.0.7:4001 mem used=64.0MiB\ntcp://10.0.0.7:4002 mem used=72.0MiB\n"
     "tcp://10.0.0.7:4001 mem used=65.0MiB\n",
     "sample@1 in_use=67108864 group=10.0.0.7:4001\nsample@3 in_use=68157440 "
     "group=10.0.0.7:4001\n"},
    /* names joined to one word; a limit is no peak */
    {"node usedmem=4GiB freemem=6GiB maxmemory=16GiB\n",
     "sample@1 in_use=4294967296 free=6442450944\n"},
    /* what is used and what is free always add up to the same */
    {"Used Memory: 121 MB, Free Memory: 258 MB\nUsed Memory: 130 MB, Free Memory: 249 MB\n",
     "sample@1 in_use=126877696 free=270532608\nsample@2 in_use=136314880 free=261095424\n"},
    {"pass a maxrss 27476\npass b maxrss 43876\n",
     "sample@1 peak=28135424\nsample@2 peak=44929024\n"},
    /* bytes before a time, and with a mark of their type */
    {"servers.web1.memory.used 536870912 1795954118\nservers.web1.memory.used 537870912 "
     "1795954128\n",
     "sample@1 in_use=536870912\nsample@2 in_use=537870912\n"},
    {"mem,host=db1 used=536870912i,free=536870912i\nmem,host=db1 used=537870912i,free=535870912i\n",
     "sample@1 in_use=536870912 free=536870912 group=db1\nsample@2 in_use=537870912 "
     "free=535870912 group=db1\n"},
    /* the unit after a bracket; a letter before words for memory */
    {"Memory Used: 4096 (max 8192) bytes\nMemory Used: 8192 (max 8192) bytes\n",
     "sample@1 in_use=4096\nsample@2 in_use=8192\n"},
    {"  1048576 K used memory\n  2097152 K used memory\n",
     "sample@1 in_use=1073741824\nsample@2 in_use=2147483648\n"},
    /* a count of things; the same size with its unit; what is not of the heap */
    {"size 3438 pages, resident 2786 pages\nsize 4171 pages, resident 3520 pages\n", ""},
    {"heap: used = 8388608(8192K)\nnon-heap: used = 4096(4K)\n",
     "sample@1 in_use=8388608 process=heap\n"},
    /* a total that changes is what is in use */
    {"vm memory total=3MB\nvm memory total=4MB\n",
     "sample@1 capacity=3145728\nsample@2 in_use=4194304\n"},
    /* without a unit: guessed from the size of the numbers, once there are two; then near misses */
    {"[iter 1] [loss: 2.2] [mem: 6.50e+04]\n[iter 2] [loss: 2.1] [mem: 6.60e+04]",
     "sample@1 in_use=68157440000 step=1\nsample@2 in_use=69206016000 step=2\n"},
    {"mem=14000 loss=1\nmem=14000 loss=2",
     "sample@1 in_use=14680064000\nsample@2 in_use=14680064000\n"},
    {"VRAM: 3.25\nVRAM: 3.50", "sample@1 in_use=3489660928\nsample@2 in_use=3758096384\n"},
    {"{\"step\": 3, \"rss\": 2147483648}\n{\"step\": 4, \"rss\": 2147483649}",
     "sample@1 rss=2147483648 step=3\nsample@2 rss=2147483649 step=4\n"},
    {"memory: 64000\nmemory: 64000", ""},
    /* pages are 4 KiB; a heap, and numbers without an owner, are bytes */
    {"rss:       600000\nrss:       601024", "sample@1 rss=614400000\nsample@2 rss=615448576\n"},
    {"resident=5611520\nresident=5623808", "sample@1 rss=5611520\nsample@2 rss=5623808\n"},
    {"Free Heap: 99148\nFree Heap: 98540",
     "sample@1 free=99148 process=heap\nsample@2 free=98540 process=heap\n"},
    {"worker memory usage: 2710168\nworker memory usage: 2869864",
     "sample@1 in_use=2710168\nsample@2 in_use=2869864\n"},
    /* psutil knows no devices */
    {"psutil, gpu, 3 epochs\nmemory_usage: 996.5\nmemory_usage: 997.5",
     "sample@2 in_use=1044905984\nsample@3 in_use=1045954560\n"},
    /* before and by now; whose it is; labels of a metric; a place that is no model's size */
    {"memory usage in posts#show: 3 MB -> 4 MB\nmemory usage in posts#show: 4 MB -> 5 MB",
     "sample@1 in_use=4194304\nsample@2 in_use=5242880\n"},
    {"gc: memory [5mb]->[4mb]/[8mb]\ngc: memory [6mb]->[5mb]/[8mb]",
     "sample@1 capacity=8388608 in_use=4194304\nsample@2 capacity=8388608 in_use=5242880\n"},
    {"jvm_memory_used_bytes{area=\"heap\",id=\"Old\"} 1.048576E8\n",
     "sample@1 in_use=104857600 name=area=\"heap\",id=\"Old\"\n"},
    {"GPU memory usage at epoch 2 of model 0: 3221225472 bytes used",
     "sample@1 in_use=3221225472 epoch=2\n"},
    {"Free Heap Size:\t\t\t21943040 (bytes)", "sample@1 free=21943040 process=heap\n"},
    {"System RSS: 3221225472", "sample@1 in_use=3221225472\n"},
    /* one unit, whatever bound the course passes */
    {"mem: 97.5 | a\nmem: 130.5 | a", "sample@1 in_use=102236160\nsample@2 in_use=136839168\n"},
    {"1 usage: 2048 KB\n2 usage: 4096 KB", "sample@1 in_use=2097152\nsample@2 in_use=4194304\n"},
    {"disk usage: 3 GB\ndisk usage: 4 GB\nstorage usage: 3 GB\nstorage usage: 4 GB", ""},
    {"After ~30 minutes: RSS: 104mb\nAfter 2 h: RSS: 105mb",
     "sample@1 rss=109051904\nsample@2 rss=110100480\n"},
    {"RSS: 3 MB | Heap Used: 1 MB / Heap Total: 2 MB",
     "sample@1 rss=3145728\nsample@1 capacity=2097152 in_use=1048576 process=heap\n"},
    {"Working: 3 MB | Private: 4 MB", "sample@1 rss=3145728\nsample@1 rss=4194304 name=private\n"},
    {"Working set, 35,5 MB", "sample@1 rss=37224448\n"},
    {"mem 12 of them\nmem 13 of them", ""},
    {"step 1 allocated 1200000000\nstep 2 allocated 1200000512",
     "sample@1 in_use=1200000000 step=1\nsample@2 in_use=1200000512 step=2\n"},
    {"step 1 allocated 1200000000 rows\nstep 2 allocated 1200000512 rows", ""},
    {"epoch 1 loss 0.5 gpu 1.5GB", "sample@1 in_use=1610612736 epoch=1\n"},
    {"Memory used by MATLAB: 3 MB\nMemory used by MATLAB: 4 MB",
     "sample@1 in_use=3145728\nsample@2 in_use=4194304\n"},
    {"memory usage at timestep    7: 3 MB\nmemory usage at timestep    8: 4 MB",
     "sample@1 in_use=3145728 step=7\nsample@2 in_use=4194304 step=8\n"},
    {"memory = 4 MB (highwater) 3 MB (usage)\nmemory = 5 MB (highwater) 4 MB (usage)",
     "sample@1 in_use=3145728 peak=4194304\nsample@2 in_use=4194304 peak=5242880\n"},
    {"live_bytes in MB: 3.5\nlive_bytes in MB: 4.5",
     "sample@1 in_use=3670016\nsample@2 in_use=4718592\n"},
    {"{\"system.gpu.0.memory\": 44, \"system.gpu.0.memoryAllocated\": 50.0, \"system.memory\": "
     "25.0}",
     ""},
    {"replay memory 3 entries: 120\nreplay memory 3 entries: 130", ""},
    {"#SBATCH mem=64000\nmem_len=512 mem_len=513", ""},
    /* without an owner, and with the owner after the number */
    {"Memory usage: 990 MB\nMemory usage: 991 MB",
     "sample@1 in_use=1038090240\nsample@2 in_use=1039138816\n"},
    {"[MemoryCallback] epoch 3: process memory 1024 MiB\n"
     "[MemoryCallback] epoch 4: process memory 1025 MiB",
     "sample@1 rss=1073741824 epoch=3\nsample@2 rss=1074790400 epoch=4\n"},
    {"worker 3: using 8 GB of RAM\nworker 3: using 9 GB of RAM",
     "sample@1 in_use=8589934592 group=worker 3\nsample@2 in_use=9663676416 group=worker 3\n"},
    {"saved 8 GB of files\nsaved 9 GB of files", ""},
    /* whose memory, which figure of it */
    {"RSS: 1.5 GB", "sample@1 rss=1610612736\n"},
    {"after load rss_mb=512", "sample@1 rss=536870912 name=after load\n"},
    {"start current memory usage: 1 GB", "sample@1 in_use=1073741824 name=start\n"},
    {"VmRSS:\t  4096 kB", "sample@1 rss=4194304\n"},
    {"Host RSS after epoch 3: 2.00 GiB", "sample@1 rss=2147483648 epoch=3 name=after epoch\n"},
    {"pmem(rss=20287840256, vms=52464197632, shared=422207488)",
     "sample@1 rss=20287840256 virtual=52464197632\n"},
    {"Peak GPU memory: 2GB", "sample@1 peak=2147483648\n"},
    {"RAM used: 2 GB, VRAM used: 1 GB", "sample@1 in_use=2147483648\nsample@1 in_use=1073741824\n"},
    {"VRAM: 1 GB / 4 GB", "sample@1 capacity=4294967296 in_use=1073741824\n"},
    {"[epoch 2] GPU mem used 1/4 GB", "sample@1 capacity=4294967296 in_use=1073741824 epoch=2\n"},
    {"GPU memory: 1024 MB used, 4096 MB total", "sample@1 capacity=4294967296 in_use=1073741824\n"},
    {"allocated: 1GiB reserved: 2GiB", "sample@1 in_use=1073741824 reserved=2147483648\n"},
    {"torch.cuda.memory_allocated: 1234567890", "sample@1 in_use=1234567890\n"},
    {"torch.cuda.max_memory_allocated(): 1234567890", "sample@1 peak=1234567890\n"},
    {"cuda:0 memory allocated 1 GB, cuda:1 memory allocated 2 GB",
     "sample@1 in_use=1073741824 device=0\nsample@1 in_use=2147483648 device=1\n"},
    {"CPU Virtual Memory:  used = 2 GB, percent = 5.5%",
     "sample@1 in_use=2147483648 share=0.055\n"},
    {"Memory usage: 62.5 %", "sample@1 share=0.625\n"},
    /* the line does not show whether it is a process's or a device's */
    {"step 5 Memory usage: 1259 MB\nstep 6 Memory usage: 1260 MB",
     "sample@1 in_use=1320157184 step=5\n"
     "sample@2 in_use=1321205760 step=6\n"},
    {"# mem is psutil.Process().memory_info().rss\nstep 5 memory used: 2GB",
     "sample@2 rss=2147483648 step=5\n"},
    /* the unit is in a label */
    {"[Step 3/10] Loss: 5.1 | GPU Mem (GB): 2 | Peak Mem: 4",
     "sample@1 in_use=2147483648 peak=4294967296 step=3\n"},
    {"[Rank 3] (after 20 iterations) memory (MB) | allocated: 1024.0 | max allocated: 2048.0 | "
     "reserved: 3072.0 | max reserved: 3072.0",
     "sample@1 in_use=1073741824 reserved=3221225472 peak=2147483648 step=20 rank=3 name=after\n"},
    {"Epoch 3 | train loss 0.3 | GPU memory (MB): 1024 | CPU RSS (GB): 2",
     "sample@1 in_use=1073741824 epoch=3\nsample@1 rss=2147483648 epoch=3\n"},
    {"{'loss': 2.1, 'step': 10, 'mem_gb': 2}", "sample@1 in_use=2147483648 step=10\n"},
    {"[Rank 1] (after 2 iterations) memory (GB) | mem-allocated-gigabytes: 2.5 | "
     "mem-active-gigabytes: 2.4 | mem-max-allocated-gigabytes: 3.5 | mem-alloc-retires: 0",
     "sample@1 in_use=2500000000 peak=3500000000 step=2 rank=1 name=after\n"},
    {"Allocated: 1 GB\nMax allocated: 2 GB\nAllocated: 2 GB\nMax allocated: 3 GB",
     "sample@1 in_use=1073741824\nsample@3 in_use=2147483648\n"
     "sample@2 peak=2147483648\nsample@4 peak=3221225472\n"},
    {"GPU: ALLOCATED:  1.00GB (max:  2.00GB);  CACHED:  3.00GB (max:  4.00GB)",
     "sample@1 in_use=1073741824 reserved=3221225472 peak=2147483648\n"},
    {"GPU RAM Free: 1024MB | Used: 2048MB", "sample@1 in_use=2147483648 free=1073741824\n"},
    {"GPU memory usage MB: {0: 123}", ""},
    {"step 5 peak_memory(GiB)=2 memory/max_mem_active(gib): 3 device_mem_reserved(gib): 4",
     "sample@1 reserved=4294967296 peak=2147483648 step=5\n"},
    {"step 5 mem 3.5/8.0", ""},
    {"GPU mem 3/8", ""},
    {"RAM 3.5/3.0", ""},
    {"RAM 3.5/1200.0", ""},
    /* beside the whole of a device, a number is what is in use of it */
    {"Epoch 1/100, train loss 0.10, GPU: 2048.0/4096.0 MiB",
     "sample@1 capacity=4294967296 in_use=2147483648 epoch=1\n"},
    {"cuda:1: 1024MB / 4096MB", "sample@1 capacity=4294967296 in_use=1073741824 device=1\n"},
    {"GPU 0: 2 x 40 GB / NVLink", ""},
    {"GPU: 40 GB / 24 GB", ""},
    {"Copying 12.1 MB / 41.2 MB to GPU", ""},
    {"nvidia-smi GPU-1 memory (MB) 1024", "sample@1 in_use=1073741824 device=1\n"},
    {"TPU memory used: 1024.00 MB", "sample@1 in_use=1073741824\n"},
    {"max_mem_reserved: 2147483648 max_mem_allocated: 1073741824", "sample@1 peak=1073741824\n"},
    {"Memory Allocated: 1.0  MegaBytes\nMemory Allocated: 2.0  MegaBytes",
     "sample@1 in_use=1048576\nsample@2 in_use=2097152\n"},
    /* what there is, or what is left of it */
    {"step 5 total_memory_available (GB): 94.5", ""},
    /* of which card, another line says */
    {"    \"GPU memory use (%)\": \"10\",", ""},
    /* the peak of the process, and the word after the number */
    {"epoch 3: maxrss 512 MB", "sample@1 peak=536870912 epoch=3\n"},
    {"max RSS 512 MB", "sample@1 peak=536870912\n"},
    /* before or after its number, as for the other numbers of the line */
    {"step 5 gpu mem 1024 MiB  rss 2 GiB",
     "sample@1 in_use=1073741824 step=5\nsample@1 rss=2147483648 step=5\n"},
    {"step 5 GPU mem 1 GB rss 2 GB used 3 GB",
     "sample@1 in_use=1073741824 step=5\nsample@1 rss=2147483648 step=5\n"},
    {"step 5 gpu mem 1G rss 2G",
     "sample@1 in_use=1073741824 step=5\nsample@1 rss=2147483648 step=5\n"},
    {"gpu mem 1 GB used 2 GB free", "sample@1 in_use=1073741824\n"},
    {"epoch 3 Memory: 512 MB (RSS)", "sample@1 rss=536870912 epoch=3\n"},
    {"Memory usage on this node: 1.0/4.0 GiB", "sample@1 capacity=4294967296 in_use=1073741824\n"},
    /* where */
    {"gpu_1_mem_used_gb=2", "sample@1 in_use=2147483648 device=1\n"},
    {"{'system.gpu.1.memoryAllocatedBytes': 2147483648, 'system.proc.memory.rssMB': 512.0}",
     "sample@1 in_use=2147483648 device=1\nsample@1 rss=536870912\n"},
    {"runtime 15 rss 512 MB", "sample@1 rss=536870912\n"},
    /* the moment of a step: its words do not say what the number is of */
    {"RSS after loading model: 512 MiB", "sample@1 rss=536870912 name=after loading model\n"},
    {"GPU memory after model to cuda: 1 GB",
     "sample@1 in_use=1073741824 name=after model to cuda\n"},
    {"GPU memory after forward: 1 GB", "sample@1 in_use=1073741824 name=after forward\n"},
    {"after model to cuda: allocated 1 GB",
     "sample@1 in_use=1073741824 name=after model to cuda\n"},
    {"weights: allocated 1 GB", ""},
    {"GPU memory freed after deleting 5 GB of tensors", ""},
    {"step 1 memory (MiB) | phase: pre_forward | allocated: 1024",
     "sample@1 in_use=1073741824 step=1 name=pre_forward\n"},
    {"step 1 memory (MiB) | pre-allocated: 1024", "sample@1 in_use=1073741824 step=1\n"},
    {"[After optimizer step] Allocated: 1 GB | Reserved: 2 GB",
     "sample@1 in_use=1073741824 reserved=2147483648 name=After optimizer step\n"},
    {"Memory allocated (after step): 1 GB", "sample@1 in_use=1073741824 name=after step\n"},
    {"Memory after loss.backward(): 1 GB", "sample@1 in_use=1073741824 name=after loss.backward\n"},
    {"Memory after shuffling: 1 GB", ""},
    {"Step 4: Active=1 MB, Alloc=512 MB\nStep 8: Active=1 MB, Alloc=512 MB",
     "sample@1 in_use=536870912 step=4\nsample@2 in_use=536870912 step=8\n"},
    {"[mem] optimizer state allocated=1024MB reserved=2048MB", "sample@1 reserved=2147483648\n"},
    {"before step 1: allocated 1 GB\nbefore step 2: allocated 2 GB",
     "sample@1 in_use=1073741824 step=1 name=before step\n"
     "sample@2 in_use=2147483648 step=2 name=before step\n"},
    {"Epoch [2][150/1833] max_mem: 1024M", "sample@1 peak=1073741824 step=150 epoch=2\n"},
    {"step: 10  loss: 7.1021  memory: 2.00GiB(25.00%)  tps: 5,120  mfu: 41.2%",
     "sample@1 in_use=2147483648 step=10 share=0.25\n"},
    {"rank 2 step 14 cuda mem alloc 1 GB max 2 GB reserved 3GB",
     "sample@1 in_use=1073741824 reserved=3221225472 peak=2147483648 step=14 rank=2\n"},
    /* what the line is of; a "val loss" is a number like others, and a summary is of both */
    {"Step 1 | Peak Mem.: 1/4 GiB (25%)",
     "sample@1 capacity=4294967296 peak=1073741824 step=1 share=0.25\n"},
    {"[10:00:05] GPU1: 1024/4096 MB, util 90%",
     "sample@1 capacity=4294967296 in_use=1073741824 device=1\n"},
    {"[Step 50] HBM usage: 25% (1 GB / 4 GB)",
     "sample@1 capacity=4294967296 in_use=1073741824 step=50 share=0.25\n"},
    {"mem_used_bytes=2147483648", ""},
    /* what there is does not change */
    {"GPU memory: 1 GB\nGPU memory: 1 GB", ""},
    {"GPU memory: 1 GB\nGPU memory: 2 GB\nGPU memory: 2 GB",
     "sample@1 in_use=1073741824\nsample@2 in_use=2147483648\nsample@3 in_use=2147483648\n"},
    {"GPU 0 memory: 1 GB\nGPU 1 memory: 2 GB\nGPU 1 memory: 1 GB",
     "sample@2 in_use=2147483648 device=1\nsample@3 in_use=1073741824 device=1\n"},
    {"RAM: 1 GB\nRAM: 2 GB", "sample@1 in_use=1073741824\nsample@2 in_use=2147483648\n"},
    {"Epoch 2 gpu=1 GB", "sample@1 in_use=1073741824 epoch=2\n"},
    {"gpu: 24 GB", ""},
    {"[rank3]: it 20 alloc=1GB reserved=2GB",
     "sample@1 in_use=1073741824 reserved=2147483648 step=20 rank=3\n"},
    {"episode 10 ram_mb=512", "sample@1 in_use=536870912 step=10\n"},
    {"[eval] step 5 gpu mem 1GB", "sample@1 in_use=1073741824 step=5 phase=validation\n"},
    {"train | epoch 2 | GPU memory used: 1 GiB",
     "sample@1 in_use=1073741824 epoch=2 phase=train\n"},
    {"Epoch [2] valid rss 512 MB", "sample@1 rss=536870912 epoch=2 phase=validation\n"},
    {"epoch 2 val loss 0.3 rss 512 MB", "sample@1 rss=536870912 epoch=2\n"},
    {"train: 10s | val: 2s | rss 512 MB", "sample@1 rss=536870912\n"},
    /* shares */
    {"step 5 RAM 45%", "sample@1 step=5 share=0.45\n"},
    {"mem: 62.5%", "sample@1 share=0.625\n"},
    {"GPU mem 87.5%", "sample@1 share=0.875\n"},
    {"VRAM: 1.0/4.0GB (25%)", "sample@1 capacity=4294967296 in_use=1073741824 share=0.25\n"},
    {"VRAM %: 25", "sample@1 share=0.25\n"},
    {"RAM memory % used: 62.5", "sample@1 share=0.625\n"},
    {"GPU usage: 87%", ""}, /* of its processors */
    {"memory util: 87%", ""},
    {"step 5 GPU mem 1 GB, CPU 45%", "sample@1 in_use=1073741824 step=5\n"},
    {"Allocated: 1 GB, Reserved: 2 GB, CPU: 4 GB",
     "sample@1 in_use=1073741824 reserved=2147483648\nsample@1 in_use=4294967296\n"},
    {"GPU 1: 1024/4096 MB (25.00%)",
     "sample@1 capacity=4294967296 in_use=1073741824 share=0.25 device=1\n"},
    {"Memory usage: 1024MiB. Peak allocated 2048MiB. Peak reserved: 3072MiB",
     "sample@1 in_use=1073741824 peak=2147483648\n"},
    {"step 5: memory used by this process = 512 MB", "sample@1 rss=536870912 step=5\n"},
    /* numbers in other notations, arguments, the word after the number */
    {"process_resident_memory_bytes 1.073741824e+09", "sample@1 rss=1073741824\n"},
    {"torch.cuda.memory_allocated(1) 1234567890", "sample@1 in_use=1234567890 device=1\n"},
    {"Memory usage after epoch 3: 512 MB (RSS)",
     "sample@1 rss=536870912 epoch=3 name=after epoch\n"},
    /* addresses */
    {"Allocated memory at 0000001409000000", ""},
    {"step 5 memory allocated at 0x1409000000", ""},
    /* "mem" alone: beside a step, or when it comes again; the process where the log says so */
    {"mem 2GB", ""},
    {"step 5 mem 2GB", "sample@1 in_use=2147483648 step=5\n"},
    {"Process memory: 1024 MB\nProcess memory: 2048 MB",
     "sample@1 rss=1073741824\nsample@2 rss=2147483648\n"},
    {"Process memory usage: 1024 MB", "sample@1 rss=1073741824\n"},
    {"kernel: Freeing unused kernel memory: 788K\nkernel: Freeing unused kernel memory: 788K", ""},
    {"# mem is psutil.Process().memory_info().rss\nstep 5 mem 2GB",
     "sample@2 rss=2147483648 step=5\n"},
    /* no unit, no measurement, or not of the run */
    {"GPU mem used 3.1", ""},
    {"torch.mps.current_allocated_memory: 4294967296", "sample@1 in_use=4294967296\n"},
    {"Resident set size: 512 MB", "sample@1 rss=536870912\n"},
    {"GPU memory:\n  allocated: 1 GB\n  reserved:  2 GB\n  allocated: 1 GB\n  reserved:  2 GB",
     "sample@2 in_use=1073741824\nsample@3 reserved=2147483648\n"
     "sample@4 in_use=1073741824\nsample@5 reserved=2147483648\n"},
    /* without an owner */
    {"Available memory: 40.0 GB", ""},
    {"Peak memory usage: 4.1 GB", ""},
    {"Memory: 4.6G (limit: 16.0G peak: 4.9G)", ""},
    {"epoch 3: Current memory usage is 412.1MB; Peak was 512.0MB", ""},
    {"step 5 memory: 5120", ""},
    /* 256 GiB or 256 MiB */
    {"malloced_memory: 262320,\nmalloced_memory: 270000,\nmalloced_memory: 280000,\n", ""},
    {"maxrss 412345", ""},
    {"GPU memory: 24 GB", ""},
    {"Max memory: 15.5 GB", ""},
    {"Memory limit: 16GB", ""},
    {"step 5 --mem=64G", ""},
    {"Please increase memory to 16 GB", ""},
    {"CUDA out of memory. Tried to allocate 2 GiB, memory used 3 GiB", ""},
    {"model weights take 12.3 GiB; peak memory takes 1.4GiB", ""},
    {"step 5 memory bandwidth: 900 GB/s", ""},
    {"step 5 model memory: 2 GB", ""},
    {"step 5 memory 3 GB/s", ""},
};

START_TEST(a_print_is_a_measurement)
{
    struct listener l;
    listen_begin(&l, &od_reader_repeated);
    listen_text(&l, 1, prints[_i].text);
    ck_assert_str_eq(listen_end(&l), prints[_i].heard);
    listen_done(&l);
}
END_TEST

Suite *od_repeated_suite(void)
{
    return od_suite_loop("repeated", a_print_is_a_measurement, (int)OD_COUNT_OF(prints));
}
