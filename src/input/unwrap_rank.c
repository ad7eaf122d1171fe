#include "input/block_prefix.h"
#include "input/peel.h"

enum { LABEL_BYTES = 96 };

/* ---- text that only a program prints at the start of a line ---- */

static bool is_date(struct od_view v)
{
    return od_date_length(v) > 0 && v.n > 11 && (v.p[10] == ' ' || v.p[10] == 'T') &&
           od_time_length(od_view_from(v, 11)) > 0;
}

/* "I tensorflow/...", "W0312 10:11:12.123456" */
static bool is_severity(struct od_view v)
{
    if (v.n < 12 || (v.p[0] != 'I' && v.p[0] != 'W' && v.p[0] != 'E' && v.p[0] != 'F'))
        return false;
    if (od_view_starts(od_view_from(v, 1), OD_VIEW(" tensorflow/")))
        return true;
    for (size_t i = 1; i <= 4; i++)
        if (!od_is_digit(v.p[i]))
            return false;
    return v.p[5] == ' ' && od_time_length(od_view_from(v, 6)) > 0;
}

/* "torch.cuda.OutOfMemoryError: " */
static bool is_exception(struct od_view v)
{
    size_t n = od_word_length(v, OD_VIEW("._"));
    struct od_view name = od_view_head(v, n);
    bool named = od_view_ends(name, OD_VIEW("Error")) || od_view_ends(name, OD_VIEW("Exception"));
    return named && n > 5 && n < v.n && v.p[n] == ':';
}

/* Is it text that only a program prints at the start of a line (a TensorFlow or glog line with a
 * time, a Python traceback)? Then the text before it is a label. */
static bool is_program_head(struct od_view text)
{
    static const char *const heads[] = {"Traceback (most recent call last)", "  File \"", "[rank",
                                        "NCCL ", NULL};
    if (od_view_starts_any(text, heads))
        return true;
    if (text.n > 2 && text.p[0] == '[' && is_date(od_view_from(text, 1)))
        return true;
    return is_date(text) || is_severity(text) || is_exception(text);
}

/* ---- "[1,0]<stdout>:" ---- */

/* Takes "<stdout>:" after the bracket of mpirun, horovodrun and SageMaker. */
static bool take_stream(struct od_view *text)
{
    return od_view_take(text, OD_VIEW("<stdout>:")) || od_view_take(text, OD_VIEW("<stderr>:")) ||
           od_view_take(text, OD_VIEW("<stddiag>:"));
}

/* Reads "1,0", "0", "1,mpirank:0,algo-1". The rank is the last lone or named number. */
static bool read_mpi(struct od_view inside, struct od_peel *peel)
{
    struct od_view part;
    bool known = false;
    while (od_view_cut(&inside, ',', &part)) {
        (void)od_view_take(&part, OD_VIEW("mpirank:"));
        uint64_t n;
        if (od_num_parse_u64(part, &n)) {
            peel->rank = od_count_of(n);
            known = true;
        } else if (known) {
            peel->host = part;
        }
    }
    return known;
}

bool od_peel_mpi(struct od_peel *peel)
{
    if (peel->text.p[0] != '[')
        return false;
    size_t close = od_view_find_char(od_view_head(peel->text, LABEL_BYTES), ']', 0);
    if (close == OD_VIEW_NONE)
        return false;
    struct od_view v = od_view_from(peel->text, close + 1);
    struct od_peel said = *peel;
    if (!take_stream(&v) || !read_mpi(od_view_from(od_view_head(peel->text, close), 1), &said))
        return false;
    *peel = said;
    peel->text = v;
    return true;
}

/* ---- "(EngineCore pid=77) ", "(RayTrainWorker pid=1, ip=10.0.0.2) " ---- */

static void read_actor(struct od_view inside, struct od_peel *peel)
{
    struct od_view part;
    uint64_t n;
    size_t at = od_view_find(inside, OD_VIEW("pid="), 0);
    struct od_view name = od_view_trim(od_view_head(inside, at));
    size_t rank_at = od_view_find(name, OD_VIEW("rank="), 0);
    if (rank_at != OD_VIEW_NONE) {
        struct od_view rank = od_view_from(name, rank_at + 5);
        if (od_num_take_u64(&rank, &n))
            peel->rank = od_count_of(n);
        name = od_view_trim(od_view_head(name, rank_at));
    }
    if (name.n > 0)
        peel->process = name;
    inside = od_view_from(inside, at);
    while (od_view_cut(&inside, ',', &part)) {
        part = od_view_trim(part);
        if (od_view_take(&part, OD_VIEW("pid=")) && od_num_parse_u64(part, &n))
            peel->pid = od_count_of(n);
        else if (od_view_take(&part, OD_VIEW("ip=")) && part.n > 0)
            peel->host = part;
    }
}

bool od_peel_actor(struct od_peel *peel)
{
    if (peel->text.p[0] != '(')
        return false;
    size_t close = od_view_find_char(od_view_head(peel->text, LABEL_BYTES), ')', 0);
    if (close == OD_VIEW_NONE)
        return false;
    struct od_view inside = od_view_from(od_view_head(peel->text, close), 1);
    size_t at = od_view_find(inside, OD_VIEW("pid="), 0);
    bool alone = at == 0 || (at != OD_VIEW_NONE && (inside.p[at - 1] == ' '));
    struct od_view v = od_view_from(peel->text, close + 1);
    if (!alone || at + 4 >= inside.n || !od_is_digit(inside.p[at + 4]))
        return false;
    if (v.n > 0 && !od_view_take(&v, OD_VIEW(" ")))
        return false;
    struct od_peel said = *peel;
    read_actor(inside, &said);
    *peel = said;
    peel->text = v;
    return true;
}

/* ---- labels that only count if most lines have one, or before a program's own prefix ---- */

static bool peel_block_prefix(struct od_peel *peel, enum od_block_prefixes kind)
{
    struct od_view v = peel->text;
    struct od_block_prefix label;
    if (!od_block_prefix_take(&v, kind, &label))
        return false;
    if (kind != peel->labels && !is_program_head(v))
        return false;
    if (label.stamp.n > 0)
        peel->stamp = label.stamp;
    else
        peel->rank = od_count_of(label.number);
    peel->text = v;
    peel->labels = OD_BLOCK_PREFIX_NONE;
    return true;
}

/* Removes the prefix of pdsh, "10.0.0.5: ". */
static bool peel_address(struct od_peel *peel)
{
    size_t n = od_word_length(peel->text, OD_VIEW("."));
    unsigned dots = 0;
    for (size_t i = 0; i < n; i++) {
        if (peel->text.p[i] == '.')
            dots++;
        else if (!od_is_digit(peel->text.p[i]))
            return false;
    }
    struct od_view v = od_view_from(peel->text, n);
    if (dots != 3 || n < 7 || n > 15 || !od_view_take(&v, OD_VIEW(": ")))
        return false;
    peel->host = od_view_head(peel->text, n);
    peel->text = v;
    return true;
}

bool od_peel_block_prefix(struct od_peel *peel)
{
    char c = peel->text.p[0];
    if (peel->labels == OD_BLOCK_PREFIX_COLLECTED)
        return peel_block_prefix(peel, OD_BLOCK_PREFIX_COLLECTED);
    if (od_is_digit(c) || c == ' ')
        return peel_block_prefix(peel, OD_BLOCK_PREFIX_NUMBER) ||
               (od_is_digit(c) && peel_address(peel));
    return c == '[' && peel_block_prefix(peel, OD_BLOCK_PREFIX_BRACKET);
}
