/* The page with the form and the examples. */
#include "cgi/page.h"
#include "plan/device.h"

static const unsigned char unet[] = {
#include "cgi/example_unet.inc"
};
static const unsigned char torch[] = {
#include "cgi/example_torch.inc"
};
static const unsigned char kernel[] = {
#include "cgi/example_kernel.inc"
};
static const unsigned char pod[] = {
#include "cgi/example_pod.inc"
};
static const unsigned char leak[] = {
#include "cgi/example_leak.inc"
};
static const unsigned char model[] = {
#include "cgi/example_model.inc"
};

#define BYTES(array)                         \
    {                                        \
        (const char *)(array), sizeof(array) \
    }

static const struct od_page_example examples[] = {
    {"torch", "torch-batch-too-large.log", "PyTorch: the batch does not fit", false, BYTES(torch)},
    {"unet", "unet-fragmented.log",
     "TensorFlow's allocator dump: enough memory is free, but not in one block", false,
     BYTES(unet)},
    {"kernel", "workers-fill-the-machine.log",
     "the kernel's log: data loading workers fill the machine", false, BYTES(kernel)},
    {"pod", "pod-killed.txt", "kubectl describe pod: OOMKilled", false, BYTES(pod)},
    {"leak", "leak-killed-by-slurm.log", "Slurm: memory grows at each step", false, BYTES(leak)},
    {"model", "torchinfo-tides.txt", "a printed model, planned for an RTX 3090 at batch 64", true,
     BYTES(model)},
};

bool od_page_example_at(size_t i, struct od_page_example *ret_example)
{
    if (i >= OD_COUNT_OF(examples))
        return false;
    *ret_example = examples[i];
    return true;
}

static void add_devices(struct od_buf *to)
{
    struct od_plan_device device;
    od_buf_add_str(to, "<datalist id=\"devices\">");
    for (size_t i = 0; od_plan_device_at(i, &device); i++) {
        od_buf_add_str(to, "<option value=\"");
        od_markup_text(to, od_view_of(device.name));
        od_buf_add_str(to, "\">");
    }
    od_buf_add_str(to, "</datalist>\n");
}

static void add_examples(bool models, struct od_buf *to)
{
    od_buf_add_str(to, "<ul class=\"examples\">\n");
    for (size_t i = 0; i < OD_COUNT_OF(examples); i++) {
        if (examples[i].is_model != models)
            continue;
        od_buf_printf(to, "<li><a href=\"?example=%s\">%s</a> <span class=\"dim\">%s</span></li>\n",
                      examples[i].name, examples[i].file, examples[i].words);
    }
    od_buf_add_str(to, "</ul>\n");
}

static void add_choice(struct od_buf *to, const char *label, const char *name,
                       const char *const *words)
{
    od_buf_printf(to,
                  "<p><label for=\"%s\">%s</label> <select id=\"%s\" name=\"%s\">"
                  "<option value=\"\">as described</option>",
                  name, label, name, name);
    for (; *words; words++)
        od_buf_printf(to, "<option>%s</option>", *words);
    od_buf_add_str(to, "</select></p>\n");
}

static void add_format(struct od_buf *to, const char *id)
{
    od_buf_printf(to,
                  "<p><label for=\"%s\">Answer as</label> <select id=\"%s\" name=\"format\">"
                  "<option value=\"html\">page</option><option value=\"markdown\">Markdown</option>"
                  "<option value=\"json\">JSON</option></select></p>\n",
                  id, id);
}

static const char form_start[] =
    "<form method=\"post\" action=\"?\" enctype=\"multipart/form-data\" class=\"%s\">\n";

static void add_log_form(const struct od_cgi_settings *settings, struct od_buf *to)
{
    od_buf_printf(to, form_start, "ask-log");
    od_buf_add_str(to, "<p class=\"wide\"><label for=\"log\">Log</label>\n<textarea id=\"log\" "
                       "name=\"log\" rows=\"11\" spellcheck=\"false\" autocapitalize=\"off\" "
                       "autocomplete=\"off\" placeholder=\"Paste the end of the log here: the "
                       "error, and as much as possible above it.\"></textarea></p>\n");
    od_buf_printf(
        to,
        "<p class=\"wide\"><label for=\"file\">or files</label>\n<input id=\"file\" type=\"file\" "
        "name=\"file\" multiple aria-describedby=\"file-help\">\n<small id=\"file-help\">All of "
        "one run; also .gz, .xz, .zst, .bz2, .zip, .tar. Up to %llu MiB.</small></p>\n",
        (unsigned long long)(settings->body_most >> 20));
    od_buf_add_str(to, "<p class=\"wide\"><label for=\"answer\">Output of the deciding command, if "
                       "the report named one</label>\n<textarea id=\"answer\" name=\"answer\" "
                       "rows=\"3\" spellcheck=\"false\" autocapitalize=\"off\" "
                       "autocomplete=\"off\" placeholder=\"dmesg, sacct, kubectl describe pod, "
                       "nvidia-smi\"></textarea></p>\n");
    od_buf_add_str(
        to, "<fieldset><legend>What the log does not show, or another machine</legend>\n<p><label "
            "for=\"device\">Device</label> <input id=\"device\" name=\"device\" list=\"devices\" "
            "placeholder=\"rtx3090, 24GB\"></p>\n<p><label for=\"batch\">Batch size</label> <input "
            "id=\"batch\" name=\"batch\" inputmode=\"numeric\" placeholder=\"64\"></p>\n<p><label "
            "for=\"ram\">RAM</label> <input id=\"ram\" name=\"ram\" placeholder=\"64GB\"></p>\n");
    add_format(to, "format");
    od_buf_add_str(
        to, "</fieldset>\n<p class=\"wide\"><label><input type=\"checkbox\" "
            "name=\"share\" value=\"yes\"> Replace secrets and personal data in the "
            "answer</label></p>\n<p class=\"go\"><button type=\"submit\">What failed?</button> "
            "<output></output></p>\n</form>\n");
}

static void add_plan_form(struct od_buf *to)
{
    static const char *const precisions[] = {"float32", "tf32", "amp_fp16",  "amp_bf16",
                                             "fp16",    "bf16", "fp16_true", "bf16_true",
                                             "fp8",     NULL};
    static const char *const optimizers[] = {"sgd",     "momentum",  "nesterov", "adam", "adamw",
                                             "amsgrad", "adafactor", "adam8bit", "lion", "rmsprop",
                                             "adagrad", "muon",      NULL};
    od_buf_printf(to, form_start, "ask-plan");
    od_buf_add_str(
        to, "<p class=\"wide\"><label for=\"model\">Model</label>\n<textarea id=\"model\" "
            "name=\"model\" rows=\"7\" spellcheck=\"false\" autocapitalize=\"off\" "
            "autocomplete=\"off\" placeholder=\"Paste model.summary(), a torchinfo or torchsummary "
            "table, print(model), or a Hugging Face config.json.\"></textarea></p>\n<p "
            "class=\"wide\"><label for=\"model-file\">or a file</label>\n<input id=\"model-file\" "
            "type=\"file\" name=\"file\"></p>\n<fieldset><legend>How it will be "
            "trained</legend>\n<p><label for=\"plan-device\">Device</label> <input "
            "id=\"plan-device\" name=\"device\" list=\"devices\" placeholder=\"rtx3090, "
            "24GB\"></p>\n<p><label for=\"plan-batch\">Batch size</label> <input id=\"plan-batch\" "
            "name=\"batch\" inputmode=\"numeric\" placeholder=\"the largest\"></p>\n");
    add_choice(to, "Precision", "precision", precisions);
    add_choice(to, "Optimizer", "optimizer", optimizers);
    add_format(to, "plan-format");
    od_buf_add_str(to, "</fieldset>\n<p class=\"go\"><button type=\"submit\" name=\"ask\" "
                       "value=\"plan\">Does it fit?</button> <output></output></p>\n</form>\n");
}

void od_page_ask_parts(const struct od_cgi_settings *settings, struct od_buf *to)
{
    od_buf_add_str(to, "<header>\n<h1 class=\"open\">What ran out of memory?</h1>\n<p>Paste the "
                       "log of a run that died, or drop the file anywhere on this page. It is "
                       "analyzed on this machine and not stored.</p>\n</header>\n");
    add_log_form(settings, to);
    od_buf_add_str(to, "<section class=\"try\">\n<h2>Or try an example</h2>\n");
    add_examples(false, to);
    od_buf_add_str(to, "</section>\n<section>\n<h2>Before the run: does it fit?</h2>\n");
    add_plan_form(to);
    add_examples(true, to);
    od_buf_add_str(to, "</section>\n");
    add_devices(to);
}
