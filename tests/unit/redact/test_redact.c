/* Planted secrets are replaced, all of them; numbers of healthy logs are not. */
#include "redact/found.h"
#include "tests/unit/suite.h"

#include "base/num.h"

#include <string.h>

/* A line, what of it may not be seen again, and what it is counted as. Tokens are put together
 * here, so that no scanner takes this file for a leak. */
static const struct {
    const char *line;
    const char *secret;
    enum od_redact_kind kind;
} planted[] = {
    {"export AWS_ACCESS_KEY_ID=AKIA"
     "Q3PLANTED7PLANTD",
     "Q3PLANTED7PLANTD", OD_REDACT_SECRET},
    {"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfi", "wJalr", OD_REDACT_SECRET},
    {"using gh"
     "p_plantedplantedplantedplanted0123 now",
     "planted", OD_REDACT_SECRET},
    {"remote: github"
     "_pat_11AAPLANTED0_abcdefghijklmnop",
     "PLANTED", OD_REDACT_SECRET},
    {"login(hf"
     "_PlantedPlantedPlantedPlanted12)",
     "Planted", OD_REDACT_SECRET},
    {"Incorrect API key provided: sk"
     "-planted0123456789abcdefghij.",
     "planted", OD_REDACT_SECRET},
    {"sk"
     "-proj-planted_0123456789-abcdefghij",
     "planted", OD_REDACT_SECRET},
    {"token xox"
     "b-123456789012-plantedplanted",
     "planted", OD_REDACT_SECRET},
    {"Authorization: Bearer planted0123456789", "planted", OD_REDACT_SECRET},
    {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJl", "c2lnbm", OD_REDACT_SECRET},
    {"WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567", "0123", OD_REDACT_SECRET},
    {"git clone https://alice:pl4nted@git.example.com/repo.git", "pl4nted", OD_REDACT_SECRET},
    {"postgres://svc:pl4nted@db.example.com:5432/x", "pl4nted", OD_REDACT_SECRET},
    {"run --user=bob --password=pl4nted --batch 8", "pl4nted", OD_REDACT_SECRET},
    {"run --password pl4nted --batch 8", "pl4nted", OD_REDACT_SECRET},
    {"{\"api_key\": \"pl4nted value\", \"x\": 1}", "pl4nted value", OD_REDACT_SECRET},
    {"PGPASSWORD=pl4nted psql", "pl4nted", OD_REDACT_SECRET},
    {"a -----BEGIN RSA PRIVATE KEY----- MIIplanted -----END RSA PRIVATE KEY-----", "MIIplanted",
     OD_REDACT_SECRET},
    {"ask carol.smith@example.org for help", "carol", OD_REDACT_EMAIL},
    {"COMET_API_KEY env is Pl4ntedQw7Xv5Rt9YbLmNpKd3, project=x", "Pl4nted", OD_REDACT_SECRET},
    {"Token for the hub (expires friday): pK29-LmQ7-ZvT4-WpR8", "LmQ7", OD_REDACT_SECRET},
    {"RestException: login failed for grace7", "grace7", OD_REDACT_USER},
    {"open '/scratch/project_2001/ahopper/data/x.h5'", "ahopper", OD_REDACT_USER},
    {"tmpdir=/tmp/ray_ahopper/session", "ahopper", OD_REDACT_USER},
    {"ahopper  48211  788 21.4 198234112 27812340 ?  Rl  09:12 512:10 python x.py", "ahopper",
     OD_REDACT_USER},
    {"ssh grace@login2", "grace", OD_REDACT_USER},
    {"File \"/home/alice/train.py\", line 3", "alice", OD_REDACT_USER},
    {"File \"/mnt/Users/dave.w/train.py\", line 3", "dave", OD_REDACT_USER},
    {"C:\\Users\\erin\\train.py", "erin", OD_REDACT_USER},
    {"C:\\\\Users\\\\erin\\\\train.py", "erin", OD_REDACT_USER},
    {"reading home/alice/x.log", "alice", OD_REDACT_USER},
    {"USER=frank", "frank", OD_REDACT_USER},
    {"HOSTNAME=gpubox", "gpubox", OD_REDACT_HOST},
    {"  host      : worker-12", "worker-12", OD_REDACT_HOST},
    {"MASTER_ADDR=trainer-0.cluster.local", "trainer", OD_REDACT_HOST},
    {"ip-10-0-3-9.ec2.internal is lost", "10-0-3-9", OD_REDACT_HOST},
    {"Nov 21 05:21:39 rack4 kernel: Out of memory", "rack4", OD_REDACT_HOST},
    {"2026-11-21T05:21:39.123+00:00 rack4 sshd[12]: bye", "rack4", OD_REDACT_HOST},
    {"rack4:1234:1299 [0] NCCL INFO Bootstrap", "rack4", OD_REDACT_HOST},
    {"srun: error: nid001234: task 3: Out Of Memory", "nid001234", OD_REDACT_HOST},
    {"slurmstepd: error: *** STEP 1.0 ON nid001234 CANCELLED", "nid001234", OD_REDACT_HOST},
    {"connecting to 10.24.3.17:29500", "10.24.3.17", OD_REDACT_IP},
    {"peer 203.0.113.77 port 22", "203.0.113.77", OD_REDACT_IP},
    {"(raylet, ip=11.2.3.4)", "11.2.3.4", OD_REDACT_IP},
    {"fe80::1ff:fe23:4567:890a: refused", "fe23", OD_REDACT_IP},
    {"2001:db8:85a3::8a2e:370:7334", "85a3", OD_REDACT_IP},
    {"The task of EUROPE\\sokafor ended", "sokafor", OD_REDACT_USER},
    {"/project/bwiseman/data/train.h5", "bwiseman", OD_REDACT_USER},
    {"D:\\Projects\\Sven Olsson\\unet.h5", "Olsson", OD_REDACT_USER},
    {"opening \\\\filer02\\models\\best.pt", "filer02", OD_REDACT_HOST},
    {"on hkn[0417-0418]", "hkn", OD_REDACT_HOST},
    {"Cloning from git@gitlab.corp.lan:vision/seg.git", "gitlab", OD_REDACT_HOST},
    {"arn:aws:iam::481516234200:role/x", "481516234200", OD_REDACT_ORG},
    {"s3://acme-vision/coco", "acme", OD_REDACT_ORG},
    {"call +49 170 5551234", "5551234", OD_REDACT_PHONE},
    {"I typed the pin 4711 twice", "4711", OD_REDACT_SECRET},
    {"Enter PIN: 471147", "471147", OD_REDACT_SECRET},
    {"your verification code is 471147", "471147", OD_REDACT_SECRET},
    {"The password has been set to pl4nted", "pl4nted", OD_REDACT_SECRET},
    {"Setting STORAGE_KEY to Pl4ntedQw7", "Pl4nted", OD_REDACT_SECRET},
    {"PW for the login node = Pl4nted#x", "Pl4nted", OD_REDACT_SECRET},
    {"echo ana:pl4nted#x | chpasswd", "pl4nted", OD_REDACT_SECRET},
    {"cadaver -u ana -p pl4nted#x", "pl4nted", OD_REDACT_SECRET},
    {"Hi Karola Oberlin, the run died", "Oberlin", OD_REDACT_USER},
    {"Dear Mr. Oberlin, the run died", "Oberlin", OD_REDACT_USER},
    {"Thanks,\nKarola Oberlin", "Oberlin", OD_REDACT_USER},
    {"assigned to Karola Oberlin", "Oberlin", OD_REDACT_USER},
    {"cc @hopper7 for this", "hopper7", OD_REDACT_USER},
    {"@oberlink could you look", "oberlink", OD_REDACT_USER},
    {"rank 3 on nidoba17 died", "nidoba17", OD_REDACT_HOST},
    {"docker pull harbor.acme.lan/ml/x:1", "acme", OD_REDACT_HOST},
    {"https://acmevision.slack.com/archives/C01", "acmevision", OD_REDACT_ORG},
    {"projects/acme-vision/locations/x", "acme", OD_REDACT_ORG},
    {"ether 52:54:00:ab:cd:ef", "54:00", OD_REDACT_MAC},
};

static struct od_buf redact(const char *line, bool columns, enum od_redact_kind kind,
                            uint64_t *ret_count)
{
    struct od_buf to = {0};
    struct od_redactor *redactor = od_redactor_new(columns);
    od_redact(redactor, od_view_of(line), &to);
    *ret_count = od_redacted(redactor, kind);
    od_redactor_free(redactor);
    return to;
}

START_TEST(planted_secrets_are_gone)
{
    for (int columns = 0; columns < 2; columns++) {
        uint64_t count;
        struct od_buf to = redact(planted[_i].line, columns, planted[_i].kind, &count);
        ck_assert_msg(!strstr(od_buf_str(&to), planted[_i].secret), "%s", od_buf_str(&to));
        ck_assert_msg(count == 1, "%s", od_buf_str(&to));
        if (columns)
            ck_assert_uint_eq(to.n, strlen(planted[_i].line));
        od_buf_done(&to);
    }
}
END_TEST

static const char *const kept[] = {
    "uuid GPU-1a2b3c4d-1234-5678-9abc-def012345678",
    "/usr/share/ollama/models and ../data/pretrained/x and s/models/proj/paligemma/y",
    "docs.pytorch.org:443 and ERROR\\nTraceback",
    "torch 2.1.0+cu118, cuDNN 8.9.7.29, driver 535.104.05, NCCL version 2.18.1",
    "libcudart.so.10.1.243 nvidia-cublas-cu11==11.10.3.66 build 10.0.19041.1",
    "version 1.2.3.4 and v10.2.3.4 and pkg-10.2.3.4",
    "Chunk at 0x7f4a00000000 of size 1156055040 next 18446744073709551615",
    "2026-11-21 05:21:39.918436: I tensorflow/core/x.cc:479] 12:34:56",
    "commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
    "image@sha256:0123456789abcdef0123456789abcdef",
    "mAP@0.5 0.61 recall@k top@5 Acc@1 71.2",
    "max_tokens: 4096 eos_token: </s> pad_token_id=0 tokenizer: GPT2TokenizerFast2",
    "token: 1234567890, num_tokens=123456789",
    "0000:3b:00.0 Off | 00000000:65:00.0",
    "std::vector<int>::push_back c10::cuda::CUDACachingAllocator ad::be dead::beef",
    "/job:localhost/replica:0/task:0/device:GPU:0",
    "modules cuda/10.2:1: 3:12 [00:12<03:45, 1.2it/s] epoch 3:45:12",
    "127.0.0.1:6006 0.0.0.0:8080 localhost",
    "host: memory, host memory: 12.3 GiB, user time 1.2, node: 0",
    "float32[6,64,672,672] f32[8,128]{1,0:T(8,128)} gradients/up0_concat:0",
    "12 users/second at home/work",
    "/home/ubuntu/train.py /home/data/x /root/x password-less",
    "password: None, secret=${SECRET}, api_key=***",
    "rank 3 on cuda0, rank 0 on epoch12, task 2 from step1000, job 12 on gpu07",
    "x = a @ b and @torch.no_grad() decorated with @tf.function",
    "the password has been changed to something strong",
    "Hello World! Hi there, assigned to GPU 3, switched to Eager Mode",
    "/home/user/.local/bin and torch._inductor.internal",
    "6,144 MiB / 24576MiB | 98% 4.31GiB 1.29 GiB 693633024",
};

START_TEST(numbers_stay)
{
    uint64_t count;
    struct od_buf to = redact(kept[_i], false, OD_REDACT_SECRET, &count);
    ck_assert_str_eq(od_buf_str(&to), kept[_i]);
    od_buf_done(&to);
}
END_TEST

START_TEST(a_password_of_digits_is_learnt)
{
    struct od_buf to = {0};
    struct od_redactor *redactor = od_redactor_new(false);
    const char *text = "export DB_PASS=83910264\nlogin refused (password 83910264 rejected)\n";
    od_redact_learn(redactor, od_view_of(text));
    od_redact(redactor, od_view_of(text), &to);
    ck_assert_msg(!strstr(od_buf_str(&to), "83910264"), "%s", od_buf_str(&to));
    od_buf_done(&to);
    od_redactor_free(redactor);
}
END_TEST

START_TEST(names_are_the_same_everywhere)
{
    struct od_buf to = {0};
    struct od_redactor *redactor = od_redactor_new(false);
    const char *text = "alice said, File \"/home/alice/x\", /home/bob/y, alice_2 but not malice";
    od_redact_learning(redactor, true);
    od_redact(redactor, od_view_of(text), &to);
    ck_assert_str_eq(od_buf_str(&to), text);
    to.n = 0;
    od_redact_learning(redactor, false);
    od_redact(redactor, od_view_of(text), &to);
    ck_assert_str_eq(od_buf_str(&to),
                     "user1 said, File \"/home/user1/x\", /home/user2/y, user1_2 but not malice");
    to.n = 0;
    od_redacted_words(redactor, &to);
    ck_assert_str_eq(od_buf_str(&to), "4 user names");
    od_buf_done(&to);
    od_redactor_free(redactor);
}
END_TEST

START_TEST(a_key_goes_over_lines)
{
    static const char *const lines[] = {"-----BEGIN OPENSSH PRIVATE KEY-----", "b3BlbnNzaC1rZXk",
                                        "cGxhbnRlZA==", "-----END OPENSSH PRIVATE KEY-----",
                                        "step 1"};
    struct od_buf to = {0};
    struct od_redactor *redactor = od_redactor_new(true);
    for (size_t i = 0; i < OD_COUNT_OF(lines); i++) {
        od_redact(redactor, od_view_of(lines[i]), &to);
        od_buf_add_char(&to, '\n');
    }
    ck_assert_ptr_null(strstr(od_buf_str(&to), "b3Bl"));
    ck_assert_ptr_null(strstr(od_buf_str(&to), "cGxh"));
    ck_assert_ptr_nonnull(strstr(od_buf_str(&to), "PRIVATE KEY-----\nstep 1\n"));
    od_buf_done(&to);
    od_redactor_free(redactor);
}
END_TEST

/* Wherever a window ends, what it cuts is found in the next. */
START_TEST(no_window_cuts_a_secret)
{
    enum { WINDOW = 256, LONGEST = 2 * WINDOW };
    for (size_t before = 0; before < LONGEST; before++) {
        struct od_buf text = {0};
        struct od_buf to = {0};
        struct od_redactor *redactor = od_redactor_new(true);
        od_redact_set_window(redactor, WINDOW);
        for (size_t i = 0; i < before; i++)
            od_buf_add_char(&text, i % 7 == 6 ? ' ' : 'x');
        od_buf_add_str(&text, " a --db-password=pl4nted0123456789 gh"
                              "p_plantedplantedplanted0123 ");
        for (size_t i = 0; i < LONGEST; i++)
            od_buf_add_char(&text, i % 7 == 6 ? ' ' : 'y');
        od_redact(redactor, od_buf_view(&text), &to);
        ck_assert_uint_eq(to.n, text.n);
        ck_assert_msg(!strstr(od_buf_str(&to), "nted"), "%zu: %s", before, od_buf_str(&to));
        od_buf_done(&text);
        od_buf_done(&to);
        od_redactor_free(redactor);
    }
}
END_TEST

/* What one part says of the next counts, and the parts stay apart. */
START_TEST(parts_are_read_as_one)
{
    struct od_redactor *redactor = od_redactor_new(false);
    struct od_view cells[] = {OD_VIEW("db_password"), OD_VIEW("pl4nted"), OD_VIEW("12.3 GiB")};
    struct od_view spans[] = {OD_VIEW("--token=gh"
                                      "p_plantedpl"),
                              OD_VIEW("antedplanted12 --lr 0.1")};
    struct od_buf to[3] = {{0}};
    od_redact_parts(redactor, cells, 3, OD_VIEW("\t"), to);
    ck_assert_str_eq(od_buf_str(&to[0]), "db_password");
    ck_assert_str_eq(od_buf_str(&to[1]), "secret1");
    ck_assert_str_eq(od_buf_str(&to[2]), "12.3 GiB");
    to[0].n = to[1].n = 0;
    od_redact_parts(redactor, spans, 2, (struct od_view){0}, to);
    ck_assert_str_eq(od_buf_str(&to[0]), "--token=secret2");
    ck_assert_str_eq(od_buf_str(&to[1]), " --lr 0.1");
    for (size_t i = 0; i < 3; i++)
        od_buf_done(&to[i]);
    od_redactor_free(redactor);
}
END_TEST

/* Text that was read while names were learnt is not searched again, unless a name was learnt after
 * it. */
START_TEST(read_twice_is_found_once)
{
    const char *const names[] = {"", "USER=marlowe\n"};
    struct od_buf text = {0}, all = {0}, lines = {0};
    od_buf_add_str(&text, "start\n");
    for (int i = 0; i < 40; i++)
        od_buf_printf(&text, "peer 10.1.2.%d: \\u0070assword=pl4nted%d of marlowe\n", i, i);
    od_buf_add_str(&text, names[_i]);
    for (int at_once = 0; at_once < 2; at_once++) {
        struct od_redactor *redactor = od_redactor_new(false);
        struct od_buf *to = at_once ? &all : &lines;
        for (int learning = 1; learning >= 0; learning--) {
            struct od_view rest = od_buf_view(&text), line;
            to->n = 0;
            od_redact_learning(redactor, learning);
            while (!at_once && rest.n > 0 && od_view_cut(&rest, '\n', &line)) {
                od_redact(redactor, line, to);
                od_buf_add_char(to, '\n');
            }
            if (at_once)
                od_redact(redactor, rest, to);
        }
        ck_assert_uint_eq(od_redacted(redactor, OD_REDACT_IP), 40);
        ck_assert_uint_eq(od_redacted(redactor, OD_REDACT_SECRET), 40);
        ck_assert_uint_eq(od_redacted(redactor, OD_REDACT_USER), _i ? 41 : 0);
        od_redactor_free(redactor);
    }
    ck_assert_str_eq(od_buf_str(&all), od_buf_str(&lines));
    od_buf_done(&text);
    od_buf_done(&all);
    od_buf_done(&lines);
}
END_TEST

/* Words of the list, its first and last ones, their endings, and what is none of them. */
START_TEST(words_of_every_day_name_nobody)
{
    static const struct {
        const char *name;
        bool strange;
    } names[] = {{"aardvark", false},     {"zucchini", false}, {"zoning", false},
                 {"checkpoints", false},  {"NodeList", false}, {"max_new_tokens", false},
                 {"deadbeef01", false},   {"run-0117", false}, {"tumoru", true},
                 {"gpu-volkova-2", true}, {"Hoekstra", true},  {"zzyzx", true}};
    struct od_words *words = od_words_new();
    for (size_t i = 0; i < OD_COUNT_OF(names); i++)
        ck_assert_msg(od_is_strange(words, od_view_of(names[i].name)) == names[i].strange, "%s",
                      names[i].name);
    od_words_free(words);
}
END_TEST

int main(void)
{
    Suite *all = suite_create("redact");
    TCase *tcase = tcase_create("redact");
    tcase_add_loop_test(tcase, planted_secrets_are_gone, 0, OD_COUNT_OF(planted));
    tcase_add_test(tcase, a_password_of_digits_is_learnt);
    tcase_add_loop_test(tcase, numbers_stay, 0, OD_COUNT_OF(kept));
    tcase_add_test(tcase, names_are_the_same_everywhere);
    tcase_add_test(tcase, a_key_goes_over_lines);
    tcase_add_test(tcase, words_of_every_day_name_nobody);
    tcase_add_test(tcase, no_window_cuts_a_secret);
    tcase_add_test(tcase, parts_are_read_as_one);
    tcase_add_loop_test(tcase, read_twice_is_found_once, 0, 2);
    suite_add_tcase(all, tcase);
    Suite *suites[] = {all, NULL};
    return od_suites_run(suites);
}
