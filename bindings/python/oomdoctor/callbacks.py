"""Callbacks that explain why training ran out of memory.

    from oomdoctor.callbacks import TrainerCallback      # Hugging Face transformers
    Trainer(..., callbacks=[TrainerCallback()])

    from oomdoctor.callbacks import LightningCallback    # Lightning, also as pytorch_lightning
    Trainer(callbacks=[LightningCallback()])

Both record the settings and the last step, which the report then uses. The report goes to standard error.
"""

import sys

from oomdoctor._explain import explain, is_of_memory, note

_SETTINGS = ("per_device_train_batch_size", "per_device_eval_batch_size", "gradient_accumulation_steps",
             "gradient_checkpointing", "fp16", "bf16", "optim", "dataloader_num_workers")


def _note_parameters(model):
    if model is not None:
        note(f"Total params: {sum(p.numel() for p in model.parameters()):,}")


def _trainer_callback():
    from transformers import TrainerCallback as Base

    class TrainerCallback(Base):
        """Explains an error of memory that ends the program."""

        def __init__(self):
            import oomdoctor.auto  # noqa: F401 # which explains what ends the program

        def on_train_begin(self, args, state, control, model=None, **_):
            for name in _SETTINGS:
                if getattr(args, name, None) is not None:
                    note(f"{name}: {getattr(args, name)}")
            _note_parameters(model)

        def on_step_end(self, args, state, control, **_):
            note(f"step {state.global_step}/{state.max_steps}")

    return TrainerCallback


def _lightning_callback():
    try:
        from lightning.pytorch import Callback
    except ImportError:
        from pytorch_lightning import Callback

    class LightningCallback(Callback):
        """Explains an error of memory as soon as the trainer meets it."""

        def on_fit_start(self, trainer, pl_module):
            for name in ("accumulate_grad_batches", "precision"):
                note(f"{name}: {getattr(trainer, name, None)}")
            _note_parameters(pl_module)

        def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
            note(f"step {trainer.global_step}")

        def on_train_start(self, trainer, pl_module):
            size = getattr(trainer.train_dataloader, "batch_size", None)
            if size:
                note(f"batch_size: {size}")

        def on_exception(self, trainer, pl_module, exception):
            report = explain(exception)
            if is_of_memory(report):
                sys.stderr.write("\n" + report.text)

    return LightningCallback


_MADE = {"TrainerCallback": _trainer_callback, "LightningCallback": _lightning_callback}


def __getattr__(name):
    if name not in _MADE:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    globals()[name] = _MADE[name]()  # made once, when it is wanted: each needs its own library
    return globals()[name]
