#include "failure/networks.h"

#include "failure/remarks.h"

#include "failure/networks_lists.inc"

static bool stands_on_framework(const struct od_software *software)
{
    for (size_t i = 0; software && frameworks[i]; i++)
        if (od_software_stands_on(software, od_software_find(od_view_of(frameworks[i]))))
            return true;
    return false;
}

/* Does a framework run? A list of versions in a thread names only installed programs. */
static bool has_framework(const struct od_failure *failure)
{
    if (stands_on_framework(od_software_find(failure->incident->producer)))
        return true;
    OD_FOR_EACH_OF (const struct od_software_part, part, failure->stack.parts, failure->stack.n) {
        bool took_part = part->near > 0 || part->software == failure->stack.driver;
        bool trains = part->software->sort == OD_SORT_TRAINER;
        if ((took_part || trains) && (trains || stands_on_framework(part->software)))
            return true;
    }
    return false;
}

/* Does the run count epochs? These are passes over samples. Steps prove nothing, because simulators
 * count them, too. */
static bool counts_epochs(const struct od_case *c)
{
    for (size_t i = 0; i < c->courses.n; i++)
        if (c->courses.items[i].epoch.known)
            return true;
    return false;
}

/* Is a batch size or an epoch printed, or a tensor with a batch dimension? */
static bool shows_batch(const struct od_case *c, const struct od_failure *failure)
{
    return failure->batch.known || failure->hint.role != OD_TENSOR_UNKNOWN || failure->dump ||
           (failure->progress > 0 && counts_epochs(c)) || c->models.n > 0 ||
           od_remark_find(c, failure->incident, "batch");
}

static bool calls_network(const struct od_failure *failure)
{
    static const enum od_frame_meaning calls[] = {
        OD_FRAME_TRAINING,  OD_FRAME_OWN_TRAINING, OD_FRAME_TRAINING_FILE, OD_FRAME_EVALUATION,
        OD_FRAME_GRADIENT,  OD_FRAME_OPTIMIZER,    OD_FRAME_LOSS,          OD_FRAME_MODULE,
        OD_FRAME_INFERENCE, OD_FRAME_GUARDED};
    for (size_t i = 0; i < OD_COUNT_OF(calls); i++)
        if (od_incident_calls(failure->incident, calls[i]))
            return true;
    return false;
}

/* Did a simulator print the error itself? It may use a framework without being a network. */
static bool is_simulator(const struct od_failure *failure)
{
    const struct od_software *driver = failure->stack.driver;
    return driver && driver->sort == OD_SORT_SIMULATOR &&
           !stands_on_framework(od_software_find(failure->incident->producer));
}

bool od_failure_is_of_network(const struct od_case *c, const struct od_failure *failure)
{
    if (is_simulator(failure) && !failure->batch.known)
        return false;
    return shows_batch(c, failure) || calls_network(failure) || has_framework(failure);
}

static bool is_of_arrays(const struct od_failure *failure)
{
    const struct od_software *producer = od_software_find(failure->incident->producer);
    if (producer && producer->sort == OD_SORT_ARRAY)
        return true;
    OD_FOR_EACH_OF (const struct od_software_part, part, failure->stack.parts, failure->stack.n)
        if (part->near > 0 && part->software->sort == OD_SORT_ARRAY)
            return true;
    return false;
}

/* Is it a finished program, so that its user does not choose the arrays? */
static bool is_of_others(const struct od_failure *failure)
{
    const struct od_software *driver = failure->stack.driver;
    return driver && (driver->sort == OD_SORT_SIMULATOR || driver->sort == OD_SORT_TOOL);
}

bool od_failure_is_arrays(const struct od_case *c, const struct od_failure *failure)
{
    if (is_of_others(failure))
        return false;
    if (od_means(od_value_means(failure->incident->producer), OD_VALUE_TABLES))
        return true;
    return is_of_arrays(failure) && !shows_batch(c, failure) && !calls_network(failure);
}

/* The kind of samples by the settings of the run. */
static const char *set_samples(const struct od_case *c)
{
    static const enum od_setting_id lengths[] = {OD_SETTING_SEQUENCE_LENGTH, OD_SETTING_MAX_SEQ_LEN,
                                                 OD_SETTING_MAX_SEQ_LENGTH,  OD_SETTING_SEQ_LENGTH,
                                                 OD_SETTING_MAX_LENGTH,      OD_SETTING_NONE};
    static const enum od_setting_id sizes[] = {OD_SETTING_IMAGE_SIZE, OD_SETTING_NONE};
    bool text = od_case_sets_any(c, lengths), images = od_case_sets_any(c, sizes);
    return text == images ? NULL : text ? "text" : "images";
}

/* Are three sides equal, and none of them a number of channels: [1, 128, 128, 96, 32]? */
static bool is_volume(const struct od_shape *shape)
{
    enum { RANK = 5, LEAST = 16, MOST = 4096 };
    bool volume = false;
    for (size_t i = 1; shape->known && shape->n == RANK && i < 3; i++) {
        const uint64_t *d = shape->dims + i;
        volume = volume || (d[0] >= LEAST && d[0] <= MOST && d[1] >= d[0] / 2 && d[2] >= d[0] / 2 &&
                            d[1] <= 2 * d[0] && d[2] <= 2 * d[0]);
    }
    return volume;
}

const char *od_failure_works_on(const struct od_case *c, const struct od_failure *failure)
{
    static const char *const told[] = {"text", "images", "volumes", "audio", "video", "graphs"};
    const struct od_incident *incident = failure->incident;
    if (failure->stack.driver && failure->stack.driver->works_on)
        return failure->stack.driver->works_on;
    OD_FOR_EACH_OF (const struct od_software_part, part, failure->stack.parts, failure->stack.n)
        if (part->near > 0 && part->software->works_on)
            return part->software->works_on;
    for (size_t i = 0; i < OD_COUNT_OF(told); i++)
        if (od_remark_find(c, incident, told[i]))
            return told[i];
    if (is_volume(&incident->tensor.shape))
        return "volumes";
    if (set_samples(c))
        return set_samples(c);
    if (od_incident_calls(incident, OD_FRAME_LOGITS))
        return "text";
    bool convolves = od_incident_calls(incident, OD_FRAME_CONVOLUTION) ||
                     od_means(failure->op_means, OD_OP_CONVOLUTION);
    return convolves && !od_incident_calls(incident, OD_FRAME_SCORES) ? "images" : NULL;
}
