#!/usr/bin/env python3
"""Derives the rows of src/models/architectures.tsv: for each type of model, a formula of the number of its parameters
over the keys of its configuration.

    formulas.py [TYPE...] > rows

Types that the planner counts itself from their default configuration (tests/accuracy/architectures) need no row.

Wants torch and transformers; no weights are loaded. Each integer key of a type's default configuration is doubled and
each switch turned, one after the other, and the model is built again on the meta device. A dimension of a tensor that
changes with one key is a multiple of it (and a constant); with several keys it is their product, a quotient, or a sum
of products of two, for which pairs of keys are changed together. The same holds for the number of blocks, or it is the
number of entries of a list with a word; a list of kinds of blocks is given every kind that the class takes. The
formula is then compared with every model that was built. Keys whose
change fails, or is not described by the formula, are those for whose default value alone the row is right."""

import collections
import copy
import itertools
import os
import re
import signal
import sys
import time
import warnings

warnings.filterwarnings("ignore")
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
import torch  # noqa: E402
import transformers  # noqa: E402
from transformers.initialization import no_init_weights  # noqa: E402
from transformers.models.auto import configuration_auto, modeling_auto  # noqa: E402

MAPS = ("MODEL_FOR_CAUSAL_LM_MAPPING_NAMES", "MODEL_FOR_MASKED_LM_MAPPING_NAMES",
        "MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES")
# Keys that do not change the size of a tensor in any class.
SKIPPED = re.compile(r"token_id|token_index|_id$|seed|rope|theta|num_labels|max_length|min_length|beam|"
                     r"chunk_size_feed|problem|return|use_cache|output_|torchscript|is_decoder|cross_attention$|"
                     r"transformers_version|initializer|prefix|drop|eps|_loss|pretraining_tp|router_jitter|mask_time|"
                     r"mask_feature|window_size$|use_mems|no_repeat|num_return|top_k$|max_position_embeddings$")
SWITCHES = re.compile(r"tie|bias|use_|norm|gate|has_|add_|share|_proj|parallel")
DEPTHS = re.compile(r"(num_hidden_layers|n_layers?|num_layers|depth|(en|de)coder_layers|num_(en|de)coder_layers)")
WORDS = ("full_attention", "sliding_attention", "linear_attention", "conv", "mamba", "mamba2", "attention", "recurrent",
         "moe", "mlp", "dense", "sparse", "hybrid")
SECONDS, LONGEST = 40, 3900


def late(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, late)


def keys_of(config, before=()):
    for key, value in config.items():
        if isinstance(value, dict) and key.endswith("config"):
            yield from keys_of(value, before + (key,))
        elif isinstance(value, bool) or (isinstance(value, int) and value > 0):
            yield before + (key,), value


def lists_of(config, before=()):
    for key, value in config.items():
        if isinstance(value, dict) and key.endswith("config"):
            yield from lists_of(value, before + (key,))
        elif isinstance(value, list) and len(value) > 1 and all(isinstance(x, str) for x in value):
            yield before + (key,), value


def at(config, key):
    for part in key:
        config = config[part]
    return config


def changed(config, key, value):
    """A copy with another value; lists with an entry for each block grow and shrink with their number."""
    config = copy.deepcopy(config)
    inner = at(config, key[:-1])
    old, inner[key[-1]] = inner[key[-1]], value
    if DEPTHS.fullmatch(key[-1]):
        for other, entries in inner.items():
            if isinstance(entries, list) and len(entries) == old and old > 1:
                inner[other] = (entries * (value // old + 1))[:value]
    return config


def kinds_of(parameters):
    """Tensors with the same name but for the numbers in it, and the same shape: how many, or how many at each number."""
    groups, total = collections.OrderedDict(), 0
    for name, tensor in parameters:
        shape, parts = tuple(tensor.shape), name.split(".")
        pattern = ".".join("*" if p.isdigit() else p for p in parts)
        groups.setdefault(pattern, collections.OrderedDict()).setdefault(shape, []).append(
            tuple(int(p) for p in parts if p.isdigit()))
        total += tensor.numel()
    kinds = {}
    for pattern, shapes in groups.items():
        for order, (shape, places) in enumerate(shapes.items()):
            levels = tuple(len({p[i] for p in places}) for i in range(len(places[0])))
            product = 1
            for level in levels:
                product *= level
            times = levels if "*" in pattern and product == len(places) else (len(places),)
            kinds[pattern, order] = times, shape
    return kinds, total


class Architecture:
    def __init__(self, kind, name):
        self.config, self.model = configuration_auto.CONFIG_MAPPING[kind], getattr(transformers, name)
        self.whole = self.config().to_dict()
        for key in ("transformers_version", "architectures"):
            self.whole.pop(key, None)
        self.stated = dict(keys_of(self.whole))
        self.only = set()

    def build(self, config, seconds=25):
        signal.alarm(seconds)
        try:
            with torch.device("meta"), no_init_weights():
                model = self.model(self.config(**copy.deepcopy(config)))
                model.tie_weights()
            return kinds_of(model.named_parameters())
        finally:
            signal.alarm(0)

    def word(self, key):
        return f"{'.'.join(key)}:{int(self.stated.get(key, 1))}"

    def change_all(self, start):
        """Builds the model with each key changed: {key: (value, kinds, total)} of integers and of switches."""
        self.base, self.total = self.build(start, 60)
        self.start, self.values = start, dict(keys_of(start))
        self.runs, self.flags, self.pairs = {}, {}, {}
        begun = time.process_time()
        for key, value in self.values.items():
            switch = isinstance(value, bool)
            if SKIPPED.search(key[-1]) or (switch and not SWITCHES.search(key[-1])):
                continue
            tries = [not value] if switch else [2, 3] if value == 1 else [2 * value, 3 * value, value + 1, value // 2]
            for other in tries if time.process_time() - begun < SECONDS else []:
                try:
                    kinds, total = self.build(changed(start, key, other))
                except Exception:  # noqa: BLE001 - whatever a class says of a value it does not take
                    continue
                if total != self.total:
                    (self.flags if switch else self.runs)[key] = other, kinds, total
                break
            else:
                self.only.add(key)

    def mix(self, config):
        """Every third entry of a list of blocks is changed to a kind that the default lacks, if there is one that
        the class takes and that has other tensors."""
        for key, entries in list(lists_of(config)):
            for word in WORDS:
                other = changed(config, key, [word if i % 3 == 0 else e for i, e in enumerate(entries)])
                try:
                    if len(set(entries)) == 1 and word not in entries and self.build(other)[1] != self.build(config)[1]:
                        return other
                except Exception:  # noqa: BLE001
                    pass
        return config

    def kinds_of_blocks(self):
        for key, entries in lists_of(self.start):
            if all(re.fullmatch("[a-z0-9_+-]+", e) for e in entries) and key[-1] != "keys_to_ignore_at_inference":
                yield f"each({'.'.join(key)},{'|'.join(sorted(set(entries)))}):1"

    def pair(self, a, b):
        if (a, b) not in self.pairs:
            try:
                self.pairs[a, b] = self.build(changed(changed(self.start, a, self.runs[a][0]), b, self.runs[b][0]))[0]
            except Exception:  # noqa: BLE001
                self.pairs[a, b] = None
        return self.pairs[a, b]

    def quotient(self, number, found):
        """number as c * (product of keys) / (product of keys), or None."""
        over = [k for k, (old, new, n) in found.items() if n * old == number * new]
        under = [k for k, (old, new, n) in found.items() if k not in over and abs(n * new - number * old) <= new]
        if len(over) + len(under) != len(found):
            return None
        top = bottom = 1
        for key in over:
            top *= self.values[key]
        for key in under:
            bottom *= self.values[key]
        tail = "".join("/" + self.word(k) for k in under)
        if number * bottom % top == 0:
            times = number * bottom // top
            return "*".join(([str(times)] if times != 1 or not over else []) + [self.word(k) for k in over]) + tail
        if top % (number * bottom) == 0:
            return "*".join(self.word(k) for k in over) + tail + f"/{top // (number * bottom)}"
        return None

    def multilinear(self, number, found, of):
        mixed = {}
        for a, b in itertools.combinations(found, 2):
            kinds = self.pair(a, b)
            both = kinds and of(kinds)
            if both and both - found[a][2] - found[b][2] + number:
                mixed[a, b] = (both - found[a][2] - found[b][2] + number) / (
                    (found[a][1] - found[a][0]) * (found[b][1] - found[b][0]))
        alone = {k: (n - number) / (new - old) - sum(c * self.values[b if k == a else a]
                                                     for (a, b), c in mixed.items() if k in (a, b))
                 for k, (old, new, n) in found.items()}
        rest = number - sum(c * self.values[k] for k, c in alone.items()) - sum(
            c * self.values[a] * self.values[b] for (a, b), c in mixed.items())
        terms = [(c, self.word(k)) for k, c in alone.items()]
        terms += [(c, self.word(a) + "*" + self.word(b)) for (a, b), c in mixed.items()] + [(rest, "")]
        for by in (1, 2, 3, 4, 8, 16):
            if all(abs(c * by - round(c * by)) < 1e-6 for c, _ in terms):
                break
        else:
            self.only.update(found)
            return str(number)
        text = ""
        for c, word in ((round(c * by), word) for c, word in terms):
            if c:
                text += "-" if c < 0 else "+" if text else ""
                text += "*".join(x for x in (str(abs(c)) if abs(c) != 1 or not word else "", word) if x)
        return f"({'0' if text.startswith('-') else ''}{text})" + (f"/{by}" if by > 1 else "")

    def expression(self, number, of):
        """A dimension, or a number of blocks; `of` takes it from the kinds of another model (None: not there)."""
        found = {k: (self.values[k], new, of(kinds)) for k, (new, kinds, _) in self.runs.items()
                 if of(kinds) not in (None, number)}
        return self.quotient(number, found) or self.multilinear(number, found, of) if found else str(number)

    def times(self, number, of):
        text = self.expression(number, of)
        for key, entries in lists_of(self.start):
            for word in sorted(set(entries)):
                if entries.count(word) == number != len(entries):
                    return f"count({'.'.join(key)},{word}):{at(self.whole, key).count(word)}"
        return text

    def kind(self, kind):
        times, shape = self.base[kind]

        def of(kinds, part, i):
            found = kinds.get(kind)
            return found[part][i] if found and len(found[part]) == len(self.base[kind][part]) else None
        counts = [self.times(n, lambda k, i=i: of(k, 0, i)) for i, n in enumerate(times) if "*" in kind[0] or n > 1]
        sides = [self.expression(n, lambda k, i=i: of(k, 1, i)) for i, n in enumerate(shape)]
        return counts, sides

    def formula(self):
        groups, known = collections.OrderedDict(), {}

        def add(counts, sides):
            outer = "*".join(x for x in counts if x != "1") or "1"
            groups.setdefault(outer, collections.Counter())["*".join(x for x in sides if x != "1") or "1"] += 1
        for kind in self.base:
            known[kind] = counts, sides = self.kind(kind)
            add(counts + [self.word(k) if self.values[k] else f"(1-{self.word(k)})"
                          for k, (_, kinds, _) in self.flags.items() if kind not in kinds], sides)
        for key, (_, kinds, _) in self.flags.items():
            only = f"(1-{self.word(key)})" if self.values[key] else self.word(key)
            for kind, (_, shape) in kinds.items():
                if kind in self.base:
                    continue
                weight = kind[0].replace(".bias", ".weight"), kind[1]
                like = [k for k in self.base if self.base[k][1] == shape and "*" not in k[0] + kind[0]]
                if kind[0].endswith(".bias") and weight in self.base and self.base[weight][1][:1] == shape:
                    add(known[weight][0] + [only], known[weight][1][:1])
                elif like:
                    add(known[like[0]][0] + [only], known[like[0]][1])
                else:
                    self.only.add(key)
        parts = []
        for outer, inner in groups.items():
            alone = sum(int(text) * n for text, n in inner.items() if text.isdigit())
            text = "+".join((f"{n}*" if n > 1 else "") + t for t, n in inner.items() if not t.isdigit())
            text += ("+" if text and alone else "") + (str(alone) if alone else "")
            parts.append(text if outer == "1" else outer if text == "1" else f"{outer}*({text})")
        return "+".join(parts)


def evaluated(formula, config):
    def value(key):
        try:
            return at(config, key.split("."))
        except (KeyError, TypeError):
            return None

    def count(match):
        entries = value(match.group(1))
        return match.group(3) if entries is None else str(entries.count(match.group(2)))

    def number(match):
        found = value(match.group(1))
        return match.group(2) if found is None else str(int(found))
    text = re.sub(r"count\(([\w.]+),(\w+)\):(\d+)", count, formula)
    return eval(re.sub(r"([A-Za-z_][\w.]*):(\d+)", number, text).replace("/", "//"))  # noqa: S307


def derived(kind, name, shallow=True):
    """The formula and the keys that must have their default; None if no formula gives the default's number."""
    of = Architecture(kind, name)
    total, start = of.build(of.whole, 60)[1], of.whole
    for key, value in of.stated.items():
        if shallow and DEPTHS.fullmatch(key[-1]) and value > 8:
            try:
                of.build(changed(start, key, 8))
                start = changed(start, key, 8)
            except Exception:  # noqa: BLE001
                pass
    of.change_all(of.mix(start))
    start = of.start
    formula = of.formula()
    if evaluated(formula, of.whole) != total or len(formula) > LONGEST:
        return derived(kind, name, False) if shallow else None
    for key, (value, _, truth) in {**of.runs, **of.flags}.items():
        if abs(evaluated(formula, changed(start, key, value)) / truth - 1) > 1e-3:
            of.only.add(key)
    return formula, " ".join(sorted([of.word(k) for k in of.only] + list(of.kinds_of_blocks())))


def main():
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    names = {}
    for mapping in MAPS:
        for kind, name in sorted(getattr(modeling_auto, mapping).items()):
            names.setdefault(kind, name if isinstance(name, str) else name[0])
    for kind in sys.argv[1:] or sorted(names):
        try:
            row = derived(kind, names[kind])
        except Exception as why:  # noqa: BLE001 - a class that needs more than its defaults
            print(f"{kind}: {type(why).__name__}", file=sys.stderr)
            continue
        if row:
            print(kind, names[kind], *row, sep="\t", flush=True)


if __name__ == "__main__":
    main()
