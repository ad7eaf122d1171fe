/* Causes in the machine's memory: kernels that kill, workers, arrays. */
#include "base/num.h"

#include "tests/unit/diagnose/cause_row.h"
#include "tests/unit/diagnose/suites.h"
#include "tests/unit/suite.h"

static struct od_incident *array(struct case_maker *m, const char *shape)
{
    struct od_incident *inc =
        case_maker_incident(m, OD_INC_HOST_ALLOC_FAILED, "MemoryError: Unable to allocate");
    inc->op_error = true;
    inc->producer = OD_VIEW("python");
    ck_assert(od_shape_parse(od_view_of(shape), &inc->tensor.shape));
    inc->tensor.dtype = OD_FLOAT64;
    inc->tensor.bytes = inc->requested = od_shape_bytes(&inc->tensor.shape, OD_FLOAT64);
    return inc;
}

static void outputs_kept_on_host(struct case_maker *m)
{
    case_maker_frame(m, array(m, "[41200,80,30522]"), LIBRARY "transformers/trainer_pt_utils.py",
                     "nested_concat");
}

static struct od_incident *killed(struct case_maker *m, enum od_incident_kind kind, uint64_t rss)
{
    struct od_incident *inc = case_maker_incident(m, kind, "Killed process 4711 (python3)");
    inc->producer = OD_VIEW("linux");
    inc->process.pid = od_count_of(4711);
    inc->process.rss = od_bytes_exact(rss);
    return inc;
}

static void machine(struct case_maker *m)
{
    killed(m, OD_INC_HOST_OOM_KILL, 50 * GIB)->capacity = od_bytes_exact(62 * GIB);
}

static void machine_of_others(struct case_maker *m)
{
    struct od_incident *inc = killed(m, OD_INC_HOST_OOM_KILL, 3 * GIB);
    inc->capacity = od_bytes_exact(62 * GIB);
    struct od_held held = {.kind = OD_HELD_PROCESSES,
                           .name = OD_VIEW("server"),
                           .count = od_count_of(2),
                           .bytes = od_bytes_exact(50 * GIB)};
    od_vec_push(&inc->holdings, held);
}

static void group_by_numbers(struct case_maker *m)
{
    struct od_incident *inc = killed(m, OD_INC_CGROUP_OOM_KILL, 7 * GIB);
    inc->limit = inc->in_use = od_bytes_exact(8 * GIB);
}

static void group_below_limit(struct case_maker *m)
{
    struct od_incident *inc = killed(m, OD_INC_CGROUP_OOM_KILL, 3 * GIB);
    inc->limit = od_bytes_exact(8 * GIB);
}

static void worker(struct case_maker *m)
{
    case_maker_setting(m, "workers", "12");
    case_maker_incident(m, OD_INC_WORKER_KILLED, "DataLoader worker is killed by signal: Killed");
}

static void worker_beside_machine(struct case_maker *m)
{
    machine(m);
    case_maker_incident(m, OD_INC_WORKER_KILLED, "DataLoader worker is killed by signal: Killed")
        ->echo_of = 1;
}

static void bus_error(struct case_maker *m)
{
    case_maker_incident(m, OD_INC_WORKER_KILLED, "DataLoader worker is killed by signal: Bus error")
        ->signal = od_count_of(9);
}

static void shm(struct case_maker *m)
{
    case_maker_incident(m, OD_INC_SHM_EXHAUSTED, "out of shared memory");
}

static void data_array(struct case_maker *m)
{
    array(m, "[41200,224,224,3]");
}

static void square_array(struct case_maker *m)
{
    array(m, "[130412,130500]");
}

static void volume(struct case_maker *m)
{
    array(m, "[900,640,640]");
}

static void absurd_array(struct case_maker *m)
{
    array(m, "[90000000,3000000]");
}

static void plain_kill(struct case_maker *m)
{
    case_maker_incident(m, OD_INC_UNEXPLAINED_KILL, "Killed")->signal = od_count_of(9);
}

static void stopped_kill(struct case_maker *m)
{
    case_maker_moment(m, OD_EV_RUN_ENDED, "CANCELLED DUE TO TIME LIMIT");
    plain_kill(m);
}

static void denied_kill(struct case_maker *m)
{
    case_maker_setting(m, "oom_killed", "false");
    plain_kill(m);
    m->c.incidents.items[0].producer = OD_VIEW("docker");
}

static void late_kill(struct case_maker *m)
{
    case_maker_moment(m, OD_EV_PROGRESS, "step 40")->count = 4000;
    machine(m);
}

static const struct cause_row cause_rows[] = {
    {"outputs kept on host", outputs_kept_on_host, OD_CAUSE_EVALUATION_ACCUMULATES, true,
     OD_LIKELY},
    {"machine", machine, OD_CAUSE_HOST_EXHAUSTED, true, OD_LIKELY},
    {"machine is no group", machine, OD_CAUSE_GROUP_LIMIT, false, OD_LIKELY},
    {"machine of others", machine_of_others, OD_CAUSE_HOST_OTHER_TENANT, true, OD_LIKELY},
    {"machine of its own", machine, OD_CAUSE_HOST_OTHER_TENANT, false, OD_LIKELY},
    {"group", group_by_numbers, OD_CAUSE_GROUP_LIMIT, true, OD_CERTAIN},
    {"group, no usage", group_below_limit, OD_CAUSE_GROUP_LIMIT, true, OD_LIKELY},
    {"group is no machine", group_by_numbers, OD_CAUSE_HOST_EXHAUSTED, false, OD_LIKELY},
    {"worker", worker, OD_CAUSE_WORKERS_HOST_MEMORY, true, OD_LIKELY},
    {"worker of a full machine", worker_beside_machine, OD_CAUSE_WORKERS_HOST_MEMORY, false,
     OD_LIKELY},
    {"bus error", bus_error, OD_CAUSE_SHM_TOO_SMALL, true, OD_LIKELY},
    {"no bus error", worker, OD_CAUSE_SHM_TOO_SMALL, false, OD_LIKELY},
    {"shm", shm, OD_CAUSE_SHM_TOO_SMALL, true, OD_LIKELY},
    {"data array", data_array, OD_CAUSE_DATASET_IN_HOST_MEMORY, true, OD_LIKELY},
    {"volume", volume, OD_CAUSE_DATASET_IN_HOST_MEMORY, false, OD_LIKELY},
    {"volume, machine", volume, OD_CAUSE_HOST_EXHAUSTED, true, OD_LIKELY},
    {"square array", square_array, OD_CAUSE_ACCIDENTAL_SHAPE, true, OD_LIKELY},
    {"absurd array", absurd_array, OD_CAUSE_ACCIDENTAL_SHAPE, true, OD_LIKELY},
    {"data array is meant", data_array, OD_CAUSE_ACCIDENTAL_SHAPE, false, OD_LIKELY},
    {"kill", plain_kill, OD_CAUSE_HOST_EXHAUSTED, true, OD_POSSIBLE},
    {"kill from outside", stopped_kill, OD_CAUSE_NOT_MEMORY, true, OD_LIKELY},
    {"kill from outside is no machine", stopped_kill, OD_CAUSE_HOST_EXHAUSTED, false, OD_LIKELY},
    {"denied kill", denied_kill, OD_CAUSE_NOT_MEMORY, true, OD_POSSIBLE},
    {"late kill", late_kill, OD_CAUSE_HOST_LEAK, true, OD_LIKELY},
};

START_TEST(cause_fires_and_near_miss_does_not)
{
    cause_row_check(&cause_rows[_i]);
}
END_TEST

Suite *od_host_cause_suite(void)
{
    return od_suite_loop("causes on the host", cause_fires_and_near_miss_does_not,
                         (int)OD_COUNT_OF(cause_rows));
}
