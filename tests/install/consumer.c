/* A program outside of this project that uses only the installed header. */
#include <oomdoctor.h>
#include <stdio.h>
#include <string.h>

static const char line[] =
    "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 10.76 GiB total "
    "capacity; "
    "8.10 GiB already allocated; 1.21 GiB free; 8.30 GiB reserved in total by PyTorch)\n";

static int test(int ok, const char *what)
{
    static int count;
    printf("%s %d - %s\n", ok ? "ok" : "not ok", ++count, what);
    return ok ? 0 : 1;
}

int main(void)
{
    const char *nowhere = "/nonexistent/pack.yaml";
    int failed = 0;
    size_t n = 0;
    struct oomdoctor *doctor = oomdoctor_new(NULL, 0);
    failed |= test(oomdoctor_render(doctor, "json", NULL) == NULL, "no report before it is made");
    failed |=
        test(oomdoctor_add_bytes(doctor, "run.log", line, sizeof line - 1), "bytes are added");
    failed |=
        test(!oomdoctor_add_file(doctor, "/nonexistent.log"), "a file that is not there is not");
    failed |= test(oomdoctor_analyze(doctor) == OOMDOCTOR_MEMORY_FAILURE, "the failure is found");
    char *json = oomdoctor_render(doctor, "json", &n);
    failed |= test(json && strlen(json) == n && strstr(json, "\"requested_bytes\": 2147483648"),
                   "the report tells what was asked for");
    oomdoctor_text_free(json);
    failed |= test(oomdoctor_render(doctor, "runes", NULL) == NULL, "an unknown format is none");
    char *said = oomdoctor_messages(doctor);
    failed |= test(strstr(said, "/nonexistent.log") != NULL, "messages name the file");
    oomdoctor_text_free(said);
    oomdoctor_free(doctor);
    doctor = oomdoctor_new(&nowhere, 1);
    failed |=
        test(oomdoctor_analyze(doctor) == OOMDOCTOR_UNREADABLE, "a pack that is not there is said");
    oomdoctor_free(doctor);
    printf("1..8\n");
    return failed;
}
