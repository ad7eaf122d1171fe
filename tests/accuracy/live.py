"""How much lives at once while a network runs on the meta device, whose tensors have shapes and no bytes."""

import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map_only


def storages(*lists):
    return {t.untyped_storage()._cdata for tensors in lists for t in tensors}


class Live(TorchDispatchMode):
    """Bytes that live beside those of a model (storages()), and the most of them."""

    def __init__(self, own):
        super().__init__()
        self.own, self.known, self.now, self.most = own, set(), 0, 0

    def end(self, key, size):
        self.known.discard(key)
        self.now -= size

    def see(self, value):
        storage = value.untyped_storage()
        key, size = storage._cdata, storage.nbytes()
        if key not in self.known and key not in self.own:
            self.known.add(key)
            self.now += size
            self.most = max(self.most, self.now)
            weakref.finalize(storage, self.end, key, size)
        return value

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return tree_map_only(torch.Tensor, self.see, func(*args, **(kwargs or {})))
