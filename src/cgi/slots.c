#include "cgi/slots.h"

#include "host/system.h"

#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { LOOK_MS = 20, ADDRESS_MOST = 45 };

/* Binds an abstract socket name (first byte 0), which is no file. The name contains the program
 * file, so that a copy under test has slots of its own. */
static int take_name(const char *kind, unsigned number)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct stat self = {0};
    (void)stat(od_system_self(), &self);
    int n =
        snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "oomdoctor.cgi/%lu/%llx.%llx/%s%u",
                 (unsigned long)getuid(), (unsigned long long)self.st_dev,
                 (unsigned long long)self.st_ino, kind, number);
    int fd = od_system_socket(AF_UNIX, SOCK_DGRAM);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    if (fd >= 0 && bind(fd, (const struct sockaddr *)&name, length) != 0) {
        (void)close(fd);
        fd = OD_SLOT_NONE;
    }
    return fd;
}

static int take_any(const char *kind, unsigned n)
{
    int fd = OD_SLOT_NONE;
    for (unsigned i = 0; fd < 0 && i < n; i++)
        fd = take_name(kind, i);
    return fd;
}

int od_slot_take(const struct od_cgi_settings *settings)
{
    int slot = take_any("slot", settings->slots);
    int place = slot < 0 ? take_any("queue", settings->queue) : OD_SLOT_NONE;
    unsigned looks = settings->seconds * 1000 / LOOK_MS;
    for (unsigned i = 0; place >= 0 && slot < 0 && i < looks && od_cgi_is_awaited(); i++) {
        (void)poll(NULL, 0, LOOK_MS);
        slot = take_any("slot", settings->slots);
    }
    od_slot_leave(place);
    return slot;
}

/* Is the text an address (only digits and address punctuation) other than this machine's? */
static bool is_foreign(const char *address)
{
    size_t n = strlen(address);
    return n > 0 && n <= ADDRESS_MOST && strspn(address, "0123456789abcdefABCDEF.:") == n &&
           strncmp(address, "127.", 4) != 0 && strcmp(address, "::1") != 0;
}

bool od_place_take(const struct od_cgi_request *request, const struct od_cgi_settings *settings,
                   int *ret_place)
{
    char kind[ADDRESS_MOST + 8];
    *ret_place = OD_SLOT_NONE;
    if (settings->each == 0 || !is_foreign(request->from))
        return true;
    (void)snprintf(kind, sizeof kind, "%s/", request->from);
    *ret_place = take_any(kind, settings->each);
    return *ret_place >= 0;
}

void od_slot_leave(int slot)
{
    if (slot >= 0)
        (void)close(slot);
}
