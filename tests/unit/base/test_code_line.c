#include "base/code_line.h"
#include "base/num.h"
#include "tests/unit/base/suites.h"
#include "tests/unit/suite.h"

static const char *const code[] = {
    "    raise RuntimeError(\"CUDA out of memory\")",
    "throw std::runtime_error(\"out of memory\");",
    "+        return \"bad_alloc\";",
    "if 'out of memory' in str(e):",
    "elif \"Killed\" in line:",
    "assert \"OOMKilled\" in reason",
    "    case CL_OUT_OF_RESOURCES: return \"CL_OUT_OF_RESOURCES\";",
    "echo '{\"stdout\": \"out of memory\"}' \\",
    "sys.stderr.write(\"RuntimeError: CUDA out of memory.\\n\")",
    "    logging.error(f\"out of memory: {e}\")",
    "found = diagnose(\"Killed\", \"\")",
    "err := run(\"train\", 'out of memory')",
    "EXPECT_TRUE(message.find(\"out of memory\") != npos);",
    "panic!(\"out of memory\");",
    "stage_failed(path, 'oom-kill event')",
    "std::cerr << \"out of memory\" << std::endl;",
    "// cudaMalloc failed: out of memory",
    "    \"which is larger than the available memory \"",
    "    f'{n} GiB is needed, ',",
    "-      \"not enough memory: you tried to allocate %dGB. Buy new RAM!\",",
    "``RuntimeError: out of memory`` with a traceback is what",
    "Examples are: \\verb|malloc failed|, \\verb|Out of memory|,",
};

static const char *const words[] = {
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
    "RuntimeError('CUDA out of memory. Tried to allocate 2.00 GiB')",
    "ray.exceptions.RayTaskError(\"out of memory\")",
    "Error: Warmup(Generation(\"Not enough memory to handle 4096 tokens\"))",
    "DriverError(CUDA_ERROR_OUT_OF_MEMORY, \"out of memory\")",
    "exc = OutOfMemoryError('CUDA out of memory.')",
    "e = 'CUDA out of memory. Tried to allocate 2.00 GiB'",
    "cudaMalloc(&p, size) failed: 'out of memory'",
    "malloc(): invalid size (unsorted)",
    "terminate called after throwing an instance of 'std::bad_alloc'",
    "if you don't have the memory, lower the batch size",
    "time=\"2022-09-14\" level=error msg=\"container init was OOM-killed\"",
    "{\"error\":\"model requires more system memory\"}",
    "\"RuntimeError: CUDA out of memory.\\n\",",
    "\"the job ran out-of-memory\"",
    "\"the job ran out of memory at 95%\"",
    "- RuntimeError: CUDA out of memory.",
    "3: stop(\"out of memory\")",
    "Error in stop(\"out of memory\") : out of memory",
    "I tensorflow/core/common_runtime/bfc_allocator.cc:678] Sum Total of in-use chunks: 3.67MiB",
    "``RuntimeError: CUDA out of memory``",
    "C:\\verb: out of memory",
    "``",
    "",
    "+",
    "'",
};

START_TEST(code_is_told_from_what_was_said)
{
    for (size_t i = 0; i < OD_COUNT_OF(code); i++)
        ck_assert_msg(od_is_code_line(od_view_of(code[i])), "%s", code[i]);
    for (size_t i = 0; i < OD_COUNT_OF(words); i++)
        ck_assert_msg(!od_is_code_line(od_view_of(words[i])), "%s", words[i]);
}
END_TEST

static const char *const commands[] = {
    "oomdoctor run: runs: grep 'CUDA out of memory' train.log",
    "+ grep 'CUDA out of memory' train.log",
    "++ dmesg",
    "$ grep -c \"out of memory\" train.log",
    "+ CUDA_VISIBLE_DEVICES=0 python train.py",
    "ana@gpu-box:~/seg$ grep MemoryError *.log",
    "(base) ana@gpu-box:~/seg$ grep MemoryError *.log",
    "[root@login2 seg]# dmesg | grep 'Killed process'",
};

static const char *const messages[] = {
    "+ RuntimeError: CUDA out of memory.",
    "+1 same here, CUDA out of memory",
    "$ RuntimeError: CUDA out of memory",
    "[rank0]: torch.OutOfMemoryError: CUDA out of memory.",
    "ana@gpu-box: CUDA out of memory",
    "(pid=812) MemoryError",
    "pytorch@2.1: out of memory",
    "+",
    "$ ",
    "",
};

START_TEST(commands_are_told_from_messages)
{
    for (size_t i = 0; i < OD_COUNT_OF(commands); i++)
        ck_assert_msg(od_is_command_line(od_view_of(commands[i])) &&
                          od_is_code_line(od_view_of(commands[i])),
                      "%s", commands[i]);
    for (size_t i = 0; i < OD_COUNT_OF(messages); i++)
        ck_assert_msg(!od_is_command_line(od_view_of(messages[i])), "%s", messages[i]);
}
END_TEST

Suite *od_code_line_suite(void)
{
    Suite *suite = suite_create("code_line");
    TCase *tcase = tcase_create("code_line");
    tcase_add_test(tcase, code_is_told_from_what_was_said);
    tcase_add_test(tcase, commands_are_told_from_messages);
    suite_add_tcase(suite, tcase);
    return suite;
}
