#!/usr/bin/env python3
"""Makes rows of src/models/public_models.tsv from configurations that you have.

    public_language.py OOMDOCTOR SOURCE "NAME [NAME...]"=config.json...

SOURCE is a word that the heading of the table explains (hub: the config.json of the model's page). A row keeps
the settings that the reader of configurations knows (src/models/files/hf_*.c), quantization among them. Its
number of parameters is that of the model which transformers builds from the configuration on the meta device, to
as many digits as the planner agrees with. Of a configuration that the planner counts more than 0.5 % off, or whose
parts it does not know, the row states the number itself; more than half off, it is refused.
"default" instead of a file: the default configuration of the type that follows it ("default:ernie4_5")."""

import json
import os
import re
import subprocess
import sys
import tempfile

import torch
import transformers
from transformers.models.auto import configuration_auto, modeling_auto

READERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "models", "files")
LEAST = {"model_type", "architectures"}
PARTS = ("text_config", "vision_config", "audio_config")
FORMULAS = os.path.join(READERS, "..", "architectures.tsv")
FURTHEST, WRONG = 0.005, 0.5


def known_settings():
    """Words in quotes of the readers' sources, with a bar between those that mean the same, and of formulas."""
    words = set()
    for name in os.listdir(READERS):
        if name.startswith("hf_") and name.endswith(".c"):
            with open(os.path.join(READERS, name), encoding="utf-8") as file:
                for quoted in re.findall(r'"([a-z0-9_|]+)"', file.read()):
                    words.update(quoted.split("|"))
    with open(FORMULAS, encoding="utf-8") as file:
        words.update(re.findall(r"[a-z_0-9]+(?=[:,])", re.sub(r"(?m)^#.*", "", file.read())))
    return words


def classes():
    found = {}
    for mapping in ("MODEL_FOR_CAUSAL_LM_MAPPING_NAMES", "MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES",
                    "MODEL_FOR_MASKED_LM_MAPPING_NAMES", "MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES", "MODEL_MAPPING_NAMES"):
        for kind, name in getattr(modeling_auto, mapping).items():
            found.setdefault(kind, name if isinstance(name, str) else name[0])
    return found


def built(config):
    """The configuration as transformers completes it, and the number of parameters of its model."""
    kind = config["model_type"]
    config = {key: value for key, value in config.items() if key != "quantization_config"}
    whole = getattr(transformers, configuration_auto.CONFIG_MAPPING_NAMES[kind]).from_dict(config)
    with torch.device("meta"):
        model = getattr(transformers, (config.get("architectures") or [classes()[kind]])[0])(whole)
    return {**whole.to_dict(), "model_type": kind}, sum(p.numel() for p in model.parameters())


def blocks_by_search(config):
    """A model whose blocks were searched one by one (nemotron-nas), in the words of one whose blocks are alike."""
    width, heads, total, kinds, wide = config["hidden_size"], config["num_attention_heads"], 0, [], []
    for block in config["block_configs"]:
        attention, mlp = block["attention"], block["ffn"]
        seen = not attention["no_op"] and not attention["replace_with_linear"]
        kinds.append("attention" if seen else "mlp")
        if seen:
            groups = heads // attention["n_heads_in_group"]
            total += 2 * width * width + 2 * width * groups * (width // heads) + width
        if not mlp["no_op"] and not mlp["replace_with_linear"]:
            wide.append(-(-int(2 * mlp["ffn_mult"] * width / 3) // 256) * 256)
        linear = attention["replace_with_linear"] + mlp["replace_with_linear"]
        total += linear * (width * width + width)
    total += sum(3 * width * f + width for f in wide)
    total += (1 if config["tie_word_embeddings"] else 2) * config["vocab_size"] * width + width
    return {"model_type": "llama", "hidden_size": width, "num_hidden_layers": len(kinds), "num_attention_heads": heads,
            "num_key_value_heads": groups, "intermediate_size": sum(wide) // len(wide), "layer_types": kinds,
            **{key: config[key] for key in ("vocab_size", "max_position_embeddings", "tie_word_embeddings",
                                            "torch_dtype")}, "num_parameters": total}, total


def kept(config, known):
    """The settings that the reader knows, in the parts of a model as well."""
    least = {key: value for key, value in config.items()
             if key in known and value is not None and value != "" and not isinstance(value, dict)}
    least.pop("architectures", None)
    least.pop("transformers_version", None)
    if not least.get("is_encoder_decoder"):
        least.pop("is_encoder_decoder", None)
    for part in PARTS:
        if isinstance(config.get(part), dict):
            least[part] = kept(config[part], known)
    kinds = least.get("layer_types")
    if isinstance(kinds, list) and len(set(kinds)) == 1:
        del least["layer_types"]
    return least


def counted(program, config):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "config.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(config, file)
        plan = subprocess.run([program, "plan", "--inference", "--format", "json", path], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
    if plan.returncode != 0:
        return None, False
    said = json.loads(plan.stdout)["model"]
    return said["parameters"], not plan.stderr and b"guess" not in plan.stdout


def agreed(truth, count):
    """The number as digits, else rounded to as many as both have."""
    if truth == count:
        return str(truth)
    unit, letter = (1e9, "B") if truth >= 1e9 else (1e6, "M")
    for digits in (3, 2, 1, 0):
        if f"{truth / unit:.{digits}f}" == f"{count / unit:.{digits}f}":
            return f"{truth / unit:.{digits}f}{letter}"
    return None


def row_of(program, source, names, path, known):
    if path.startswith("default:"):
        config = getattr(transformers, configuration_auto.CONFIG_MAPPING_NAMES[path[8:]])().to_dict()
        config["model_type"] = path[8:]
    else:
        with open(path, encoding="utf-8") as file:
            config = json.load(file)
    try:
        whole, truth = blocks_by_search(config) if "block_configs" in config else built(config)
        whole.update(whole.get("thinker_config", {}))
    except Exception as why:  # noqa: BLE001 - a type of other code than the library's, or a wrong configuration
        print(f"{names}: {type(why).__name__}: {str(why)[:100]}: no row", file=sys.stderr)
        return None
    least = kept({**whole, "model_type": whole["model_type"].removesuffix("_thinker"), **{k: config[k] for k in config if k == "quantization_config"}}, known)
    count, sure = counted(program, least)
    if count and abs(count / truth - 1) <= WRONG and not (sure and agreed(truth, count)):
        least["num_parameters"] = count = truth
    if not count or abs(count / truth - 1) > FURTHEST or not agreed(truth, count):
        print(f"{names}: counted {count}, built {truth}: no row", file=sys.stderr)
        return None
    return "\t".join([names, agreed(truth, count), source, json.dumps(least, separators=(",", ":"))])


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    known = known_settings() | LEAST
    for operand in sys.argv[3:]:
        names, path = operand.split("=", 1)
        row = row_of(sys.argv[1], sys.argv[2], names, path, known)
        if row:
            print(row)


if __name__ == "__main__":
    main()
