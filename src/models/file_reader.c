#include "models/file_reader.h"

#include <stdio.h>

const struct od_file_reader *od_file_reader_find(struct od_view head, const char **ret_word)
{
    for (size_t i = 0; od_file_readers[i]; i++) {
        const char *word = od_file_readers[i]->bids(head);
        if (!word)
            continue;
        *ret_word = word;
        return od_file_readers[i];
    }
    return NULL;
}

enum od_err od_file_read(const struct od_file_reader *reader, const struct od_file *file)
{
    *file->used = OD_VIEW_NONE;
    enum od_err err = reader->read(file);
    if (*file->used == OD_VIEW_NONE)
        *file->used = err == OD_OK ? file->bytes.n : 0;
    return err;
}

void od_file_put_model(const struct od_file *file, struct od_model *model, const char *rule,
                       const char *words)
{
    const struct od_event event = {.kind = OD_EV_MODEL,
                                   .at = model->at,
                                   .excerpt = od_view_of(words),
                                   .rule = rule,
                                   .model = model};
    od_sink_put(file->sink, &event);
}

void od_file_used(const struct od_file *file, size_t bytes)
{
    if (file->used)
        *file->used = bytes;
}

void od_file_say(const struct od_file *file, enum od_severity severity, const char *help,
                 const char *format, ...)
{
    char message[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    od_diags_add(file->diags,
                 &(struct od_diag){
                     .severity = severity, .file = file->name, .message = message, .help = help});
}
