"""Fine-tunes a language model, made from a configuration, with the Trainer of Hugging Face."""

import argparse

import torch
import transformers
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

from card import DEVICE, cap

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="gpt2", choices=("gpt2", "llama"))
parser.add_argument("--per_device_train_batch_size", type=int, default=8)
parser.add_argument("--per_device_eval_batch_size", type=int, default=8)
parser.add_argument("--gradient_accumulation_steps", type=int, default=1)
parser.add_argument("--gradient_checkpointing", action="store_true")
parser.add_argument("--eval_accumulation_steps", type=int, default=None)
parser.add_argument("--bf16", action="store_true")
parser.add_argument("--optim", default="adamw_torch")
parser.add_argument("--max_length", type=int, default=512)
parser.add_argument("--layers", type=int, default=12)
parser.add_argument("--hidden", type=int, default=768)
parser.add_argument("--vocab", type=int, default=50257)
parser.add_argument("--max_steps", type=int, default=4)
parser.add_argument("--eval_samples", type=int, default=0)
parser.add_argument("--lora", action="store_true")
parser.add_argument("--generate", type=int, default=0, help="tokens")
args = parser.parse_args()
print(args, flush=True)
cap()
transformers.set_seed(1)


class Tokens(torch.utils.data.Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        ids = torch.randint(0, args.vocab, (args.max_length,))
        return {"input_ids": ids, "labels": ids}


def made():
    if args.model == "gpt2":
        return GPT2LMHeadModel(GPT2Config(
            vocab_size=args.vocab, n_layer=args.layers, n_embd=args.hidden, n_head=args.hidden // 64,
            n_positions=max(1024, args.max_length + args.generate)))
    return LlamaForCausalLM(LlamaConfig(
        vocab_size=args.vocab, num_hidden_layers=args.layers, hidden_size=args.hidden,
        intermediate_size=args.hidden * 3, num_attention_heads=args.hidden // 64,
        num_key_value_heads=args.hidden // 64, max_position_embeddings=32768))


def generate(model):
    model = model.to(DEVICE).eval()
    prompts = torch.randint(0, args.vocab, (args.per_device_eval_batch_size, args.max_length), device=DEVICE)
    out = model.generate(prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=args.generate,
                         do_sample=False, pad_token_id=0, use_cache=True)
    print(out.shape, flush=True)


def main():
    model = made()
    print(f"Number of parameters: {model.num_parameters():,}", flush=True)
    if args.lora:
        import peft
        model = peft.get_peft_model(model, peft.LoraConfig(
            r=16, target_modules=["c_attn"] if args.model == "gpt2" else ["q_proj", "v_proj"]))
        model.print_trainable_parameters()
    if args.generate:
        generate(model)
    else:
        settings = TrainingArguments(
            output_dir="out", report_to=[], save_strategy="no", logging_steps=1, max_steps=args.max_steps,
            per_device_train_batch_size=args.per_device_train_batch_size,
            per_device_eval_batch_size=args.per_device_eval_batch_size,
            gradient_accumulation_steps=args.gradient_accumulation_steps,
            gradient_checkpointing=args.gradient_checkpointing, bf16=args.bf16, optim=args.optim,
            eval_accumulation_steps=args.eval_accumulation_steps)
        count = args.max_steps * args.per_device_train_batch_size * args.gradient_accumulation_steps
        trainer = Trainer(model=model, args=settings, train_dataset=Tokens(count),
                          eval_dataset=Tokens(args.eval_samples))
        trainer.train()
        if args.eval_samples:
            print(trainer.evaluate(), flush=True)
            print(trainer.predict(Tokens(args.eval_samples)).metrics, flush=True)
    print("done", flush=True)


main()
