/*
 * One reader at a time, for tests/robust/curves, which lets valgrind count the instructions of
 * od_curve_measured.
 *
 *   curve own FOLDER FILE...              writes FOLDER/<reader>: lines of the files that it takes;
 * prints the readers, with their literals curve (lines|file) READER FILE ...    reads each file by
 * that reader alone
 */
#include "case/case.h"
#include "readers/reading.h"
#include "redact/redact.h"

#include "base/buf.h"
#include "base/mem.h"
#include "scan/readers.h"
#include "tests/fuzz/feed.h"

#include <stdio.h>
#include <string.h>

enum { OWN_MOST = 6 << 10, FILE_MOST = 1 << 10 };

static struct od_buf bytes_of(const char *name)
{
    struct od_buf bytes = {0};
    char piece[1 << 14];
    FILE *in = fopen(name, "rb");
    for (size_t n = 1; in && n > 0;) {
        n = fread(piece, 1, sizeof piece, in);
        od_buf_add(&bytes, (struct od_view){piece, n});
    }
    if (in)
        fclose(in);
    return bytes;
}

/* Each line to the reader; own: appends up to most bytes of those that it takes, or is open for. */
static void feed(const struct od_reader *reader, struct od_view bytes, struct od_buf *own,
                 size_t most)
{
    static const struct od_place place = {0};
    struct od_arena *arena = od_arena_new();
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_reading reading = od_reading_begin(reader, arena);
    for (uint64_t number = 1; bytes.n > 0; number++) {
        size_t n = od_view_find_char(bytes, '\n', 0);
        struct od_line line = {
            .text = od_view_head(bytes, n), .at = {.line = number, .nlines = 1}, .place = &place};
        bytes = od_view_from(bytes, n < bytes.n ? n + 1 : bytes.n);
        bool took = od_reading_line(&reading, &line, true, &sink) != OD_TAKE_NONE;
        if (own && (took || od_reading_is_open(&reading)) && line.text.n < most) {
            od_buf_add(own, line.text);
            od_buf_add_char(own, '\n');
            most -= line.text.n;
        }
    }
    od_reading_end(&reading, &sink);
    od_reading_done(&reading);
    od_case_free(od_case_freeze(builder));
    od_arena_free(arena);
}

static void write_own(const struct od_reader *reader, const char *folder, char **names, int n)
{
    struct od_buf own = {0}, path = {0};
    for (int i = 0; i < n && own.n < OWN_MOST; i++) {
        struct od_buf bytes = bytes_of(names[i]);
        feed(reader, od_buf_view(&bytes), &own, FILE_MOST);
        od_buf_done(&bytes);
    }
    od_buf_printf(&path, "%s/%s%c", folder, reader->name, '\0');
    FILE *out = fopen(path.p, "wb");
    if (out) {
        fwrite(own.p, 1, own.n, out);
        fclose(out);
    }
    for (size_t i = 0; reader->literals && reader->literals[i]; i++)
        printf("%s\t%s\n", reader->name, reader->literals[i]);
    if (!reader->literals || !reader->literals[0])
        printf("%s\t\n", reader->name);
    od_buf_done(&own);
    od_buf_done(&path);
}

static void redact(struct od_view bytes)
{
    struct od_redactor *redactor = od_redactor_new(true);
    struct od_buf out = {0};
    od_redact_learning(redactor, true);
    od_redact(redactor, bytes, &out);
    od_redact_learning(redactor, false);
    out.n = 0;
    od_redact(redactor, bytes, &out);
    od_buf_done(&out);
    od_redactor_free(redactor);
}

/* What is counted: a reader of lines, or of files; NULL = redaction. */
__attribute__((noinline)) void od_curve_measured(const struct od_reader *reader,
                                                 const struct od_file_reader *file,
                                                 struct od_view bytes);

void od_curve_measured(const struct od_reader *reader, const struct od_file_reader *file,
                       struct od_view bytes)
{
    if (reader)
        feed(reader, bytes, NULL, 0);
    else if (file)
        fprintf(stderr, "%s %zu bytes: %d\n", file->name, bytes.n,
                (int)od_fuzz_feed_file(file, bytes));
    else
        redact(bytes);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    if (strcmp(argv[1], "own") == 0) {
        for (size_t i = 0; od_readers[i]; i++)
            write_own(od_readers[i], argv[2], argv + 3, argc - 3);
        for (size_t i = 0; od_file_readers[i]; i++)
            printf("file %s\t\n", od_file_readers[i]->name);
        return 0;
    }
    for (int i = 1; i + 2 < argc; i += 3) {
        const struct od_reader *reader = NULL;
        const struct od_file_reader *file = NULL;
        for (size_t k = 0; strcmp(argv[i], "lines") == 0 && od_readers[k]; k++)
            reader = strcmp(od_readers[k]->name, argv[i + 1]) == 0 ? od_readers[k] : reader;
        for (size_t k = 0; strcmp(argv[i], "file") == 0 && od_file_readers[k]; k++)
            file = strcmp(od_file_readers[k]->name, argv[i + 1]) == 0 ? od_file_readers[k] : file;
        if (!reader && !file && strcmp(argv[i], "redact") != 0)
            return 2;
        struct od_buf bytes = bytes_of(argv[i + 2]);
        od_curve_measured(reader, file, od_buf_view(&bytes));
        od_buf_done(&bytes);
    }
    return 0;
}
