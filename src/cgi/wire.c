#include "cgi/wire.h"

#include "host/system.h"

#include <unistd.h>

struct frame {
    uint32_t kind, number;
    uint64_t n;
};

enum { TYPE_SHIFT = 16, STATUS_MASK = (1 << TYPE_SHIFT) - 1, HEIGHT_MOST = 4096 };

bool od_wire_send(int fd, enum od_wire_kind kind, uint32_t number, struct od_view bytes)
{
    char head[sizeof(struct frame)];
    struct frame frame = {.kind = (uint32_t)kind, .number = number, .n = bytes.n};
    memcpy(head, &frame, sizeof frame);
    return od_system_write(fd, (struct od_view){head, sizeof head}) && od_system_write(fd, bytes);
}

static bool take(struct od_view *frames, struct frame *ret_frame, struct od_view *ret_bytes)
{
    if (frames->n < sizeof *ret_frame)
        return false;
    memcpy(ret_frame, frames->p, sizeof *ret_frame);
    *frames = od_view_from(*frames, sizeof *ret_frame);
    if (ret_frame->n > frames->n)
        return false;
    *ret_bytes = od_view_head(*frames, (size_t)ret_frame->n);
    *frames = od_view_from(*frames, (size_t)ret_frame->n);
    return true;
}

/* Sets the word for the server's log. Accepts only characters of our own words. */
static void set_cause(struct od_wire_answer *answer, struct od_view word)
{
    size_t n = 0;
    for (size_t i = 0; i < word.n && n + 1 < sizeof answer->cause; i++)
        if ((word.p[i] >= 'a' && word.p[i] <= 'z') || word.p[i] == '_')
            answer->cause[n++] = word.p[i];
    answer->cause[n] = '\0';
}

static bool add_data(struct od_wire_answer *answer, uint32_t height, struct od_view data)
{
    if (answer->nfigures == OD_FIGURES_MAX || height == 0 || height > HEIGHT_MOST)
        return false;
    answer->figures[answer->nfigures++] = (struct od_figure){
        .name = "figure", .title = "", .alt = "", .height = height, .data = data};
    return true;
}

static bool set_answer(struct od_wire_answer *answer, uint32_t number, struct od_view text)
{
    answer->status = number & STATUS_MASK;
    uint32_t type = number >> TYPE_SHIFT;
    if (type > OD_WIRE_MARKDOWN || answer->status < 200 || answer->status > 599)
        return false;
    answer->type = (enum od_wire_type)type;
    answer->text = text;
    return true;
}

bool od_wire_answer(struct od_view frames, struct od_wire_answer *ret_answer)
{
    struct frame frame;
    struct od_view bytes;
    memset(ret_answer, 0, sizeof *ret_answer);
    while (take(&frames, &frame, &bytes)) {
        switch (frame.kind) {
        case OD_WIRE_DATA:
            if (!add_data(ret_answer, frame.number, bytes))
                return false;
            break;
        case OD_WIRE_SCRIPT:
            if (ret_answer->nfigures == 0)
                return false;
            ret_answer->figures[ret_answer->nfigures - 1].script = bytes;
            break;
        case OD_WIRE_CAUSE:
            set_cause(ret_answer, bytes);
            break;
        case OD_WIRE_ANSWER:
            return frames.n == 0 && set_answer(ret_answer, frame.number, bytes);
        default:
            return false;
        }
    }
    return false;
}
