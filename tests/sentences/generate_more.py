#!/usr/bin/env python3
"""More wordings of failures for lack of memory, of other words than generate.py's: verbs, heads, roles
of numbers, units, line breaks, and languages.

    generate_more.py > wordings_more.tsv

Written before anything was read with it. Columns as in wordings.tsv. The same lines each time.
"""
import random
R = random.Random(8117)
KI, MI, GI = (1 << 10, 1 << 20, 1 << 30)
DEV, HST, EITHER = ('device_alloc_failed', 'host_alloc_failed', 'device_alloc_failed,host_alloc_failed')
DEVICE = [
    'GPU memory', 'device memory', 'VRAM', 'memory on GPU:0', 'HBM', 'GPU global memory',
    'on-device memory', 'accelerator RAM', 'CUDA device memory', 'GPU heap',
    'dedicated video memory', 'memory of device cuda:3', 'NPU memory', 'XPU memory',
]
HOST = [
    'host memory', 'RAM', 'system RAM', 'virtual memory', 'main memory', 'the heap', 'heap space',
    'CPU RAM', 'physical memory', 'process memory', 'off-heap memory', 'native memory',
    'anonymous memory',
]
ANY = ['memory']
HEADS = [
    'ERROR: ', 'error: ', 'FATAL: ', 'OutOfMemory: ', 'RuntimeError: ',
    'E20240611 10:11:12.345678 17 arena.cpp:99] ',
    '2024-06-11 10:11:12.345 | ERROR    | engine.alloc:grab:71 - ',
    '11-Jun-2024 10:11:12 SEVERE [main] org.acme.Pool.grow ', 'ERROR:acme.pool:',
    '[2024-06-11T10:11:12Z ERROR acme::pool] ', '2024/06/11 10:11:12 [crit] 17#0: ', 'panic: ',
    '!!! ', 'acme: fatal error: ',
    'Traceback (most recent call last):\n  File "run.py", line 7, in <module>\nMemoryError: ',
    '{"severity":"ERROR","message":"',
    'ts=2024-06-11T10:11:12Z level=error caller=pool.go:71 msg="',
    '(worker pid=811, ip=10.0.0.7) RuntimeError: ',
    "terminate called after throwing an instance of 'acme::alloc_error'\n  what():  ",
    '[1,4]<stderr>: ERROR: ', 'node07: ERROR: ', 'acme[811]: error: ',
    'Jun 11 10:11:12 node07 acme[811]: ERROR ', '<Error> Pool: Code: 173. Exception: ',
    'E/Pool( 811): ', 'Uncaught exception: ', 'CRITICAL:root:', '*** ERROR *** ',
    'Error (code 12): ', '[ERROR][pool] ',
]



def spelled(n):
    h = R.randrange(13)
    if h == 0:
        return f'{n} bytes'
    if h == 1:
        return f'{n:,} bytes'
    if h == 2:
        return f'{n} B'
    if h == 3:
        return f'{n / GI:.2f} GiB' if n >= GI else f'{n / MI:.1f} MiB'
    if h == 4:
        return f'{n / GI:.2f}GB' if n >= GI else f'{n / MI:.0f}MB'
    if h == 5:
        return f'{n / MI:.2f} MiB'
    if h == 6:
        return f'{n // KI} KB' if n % KI == 0 else f'{n} bytes'
    if h == 7:
        return f'0x{n:x} bytes'
    if h == 8:
        return f'{n / MI:.1f}M'
    if h == 9:
        return f'{n} byte(s)'
    if h == 10:
        return f'{n} ({n / GI:.2f} GiB)' if n >= GI else f'{n} ({n / MI:.1f} MiB)'
    if h == 11:
        return f'{n / GI:.3f} gigabytes' if n >= GI else f'{n / MI:.1f} megabytes'
    return f'{n / GI:.1f}G' if n >= 10 * GI else f'{n / MI:.0f} MB'
REQ = [
    'cannot allocate {r} in {m}', 'could not grab {r} of {m}', '{m}: allocation of size {r} failed',
    'request for {r} denied: {m} is full', 'unable to malloc {r} from {m}',
    'failed to create a buffer of {r} in {m}', 'failed allocation of {r} in {m}',
    'alloc of {r} in {m} failed', 'out of {m} when allocating {r}',
    'ran out of {m} while allocating {r}', 'no {m} available for an allocation of {r}',
    'insufficient {m} for {r}', '{m} exhausted while allocating {r}',
    'could not reserve {r} of {m}', "couldn't allocate {r} from {m}",
    'not enough {m}: tried to allocate {r}', 'failed to obtain {r} of {m}',
    'allocating {r} of {m} failed', 'memory request of {r} cannot be satisfied from {m}',
    'failed to expand {m} by {r}', '{m} allocation failure: requested {r}',
    'cannot commit {r} of {m}', 'refusing to allocate {r}: out of {m}',
    'allocation failed: {r} of {m}', 'unable to map {r} of {m}', 'bad allocation of {r} in {m}',
    'unable to find {r} of free {m}', 'failed to alloc {r} ({m})',
]
NOS = [
    'out of {m}', '{m} is exhausted', 'insufficient {m}', 'not enough {m} left',
    'could not allocate {m}', 'unable to allocate {m} for activations', '{m} allocation failed',
    'ran out of {m} during the forward pass', 'no more {m}',
    'failed to allocate {m} for the gradients', '{m} limit reached: out of memory', 'lack of {m}',
]
FREE = [
    '{f} free', 'available={f}', 'free={f}', '{f} still available', 'avail: {f}',
    'free memory: {f}', 'remaining: {f}', '{f} remaining', 'only {f} left', 'currently free: {f}',
]
CAP = ['total={c}', 'total: {c}', 'capacity={c}', 'device total {c}', 'out of {c} total', 'total memory {c}']
USED = [
    'used={u}', 'allocated: {u}', '{u} allocated so far', 'in_use={u}', '{u} used',
    'current usage {u}', 'already using {u}',
]
LIMIT = ['limit={l}', 'max={l}', 'max_bytes: {l}', 'budget {l}', 'limit of {l}', 'quota: {l}']
CMP = [
    'requires {r} of {m} but only {f} is available', 'need {r} of {m}, have {f}',
    '{m} required: {r}, available: {f}', 'requested {r} exceeds the {f} of {m} that is free',
    '{r} of {m} needed, {f} free', 'tried to allocate {r} with only {f} of {m} left',
    'model needs {r} of {m}; {f} available', 'not enough {m} (need {r}, got {f})',
    'not enough {m}: required={r} available={f}', 'insufficient {m}: want {r}, have {f}',
    'estimated {m} {r} is larger than available {f}',
]
LIM = [
    '{m} limit of {l} exceeded by a request of {r}',
    'allocation of {r} exceeds the limit of {l} for {m}', 'cannot allocate {r}: {m} budget is {l}',
    '{m} usage would exceed limit {l} (requested {r})', 'requested {r} but {m} is capped at {l}',
    'allocating {r} would go over the {m} limit ({l})',
]
OTHERS = [
    (DEV, 'Nicht genügend GPU-Speicher: {r} angefordert, {f} frei'),
    (HST, 'Nicht genügend Arbeitsspeicher: {r} benötigt, {f} verfügbar'),
    (HST, 'Kann {r} Speicher nicht allozieren: Nicht genügend Arbeitsspeicher'),
    (DEV, 'Mémoire GPU insuffisante : {r} demandés, {f} disponibles'),
    (HST, "Mémoire insuffisante : impossible d'allouer {r}"),
    (HST, "Impossible d'allouer {r} de mémoire"), (HST, 'No se puede asignar memoria: {r}'),
    (DEV, 'Memoria GPU insuficiente: se necesitan {r}, disponibles {f}'),
    (DEV, 'GPUメモリが不足しています: 要求 {r}, 空き {f}'), (HST, 'メモリが不足しています: {r} を割り当てることができません'),
    (HST, 'Недостаточно памяти: запрошено {r}, доступно {f}'),
    (DEV, 'Недостаточно видеопамяти: требуется {r}, свободно {f}'),
    (HST, '메모리가 부족합니다: 요청 {r}, 사용 가능 {f}'), (DEV, 'GPU 메모리 부족: {r} 할당 실패'),
    (DEV, '显存不够：申请 {r}，剩余 {f}'), (HST, '内存不够，申请 {r} 失败'), (DEV, '显存溢出，需要 {r}，可用 {f}'),
    (HST, '無法分配記憶體：{r}'), (DEV, '顯示卡記憶體不足，需要 {r}，可用 {f}'),
]



def size(a, b):
    n = int(R.uniform(a, b))
    return n - n % R.choice([512, 65536, MI])



def fill(t, m):
    roles = {}
    w = {'m': m}
    req = size(2 * GI, 60 * GI)
    for k, role, n in (
            ('r', 'requested', req), ('f', 'free', size(100 * MI, 1900 * MI)),
            ('c', 'capacity', size(64 * GI, 90 * GI)), ('u', 'in_use', size(3 * GI, 60 * GI)),
            ('l', 'limit', size(GI, 1900 * MI))):
        if '{' + k + '}' in t:
            w[k] = spelled(n)
            roles[role] = n
    return (t.format(**w), roles)



def tail():
    p = [R.choice(x) for x in R.sample([FREE, CAP, USED, LIMIT], R.randrange(0, 4))]
    if not p:
        return ''
    o, j, e = R.choice([(' (', ', ', ')'), (' [', ', ', ']'), (': ', ', ', ''), ('; ', '; ', ''),
                        (', ', ', ', ''), (' - ', ' / ', ''), (' <', ', ', '>')])
    return o + j.join(p) + e



def wrap(t):
    h = R.randrange(12)
    if '\n' in t or len(t) < 70 or h > 1:
        return t
    if h == 0:
        a = t.find(' ', R.randrange(30, len(t) - 15))
        return t if a < 0 else t[:a] + '\n' + t[a + 1:]
    if h == 1:
        a = t.find(' ', R.randrange(30, len(t) - 15))
        return t if a < 0 else t[:a] + '\n        ' + t[a + 1:]
    w = R.choice([60, 72, 80, 100])
    return '\n'.join((t[i:i + w] for i in range(0, len(t), w)))



def one():
    pool, kind = R.choices([(DEVICE, DEV), (HOST, HST), (ANY, EITHER)], [6, 4, 2])[0]
    m = R.choice(pool)
    k = R.randrange(22)
    if k < 9:
        t, r = fill(R.choice(REQ) + tail(), m)
    elif k < 11:
        t, r = fill(R.choice(NOS), m)
    elif k < 15:
        t, r = fill(R.choice(CMP), m)
    elif k < 17:
        t, r = fill(R.choice(LIM), m)
    else:
        kind, o = R.choice(OTHERS)
        t, r = fill(o, '')
    h = R.choice(HEADS)
    if R.randrange(3) == 0:
        t = t[0].upper() + t[1:]
    x = h + t
    if h.endswith('"'):
        x += '"' + ('}' if h[0] == '{' else '')
    return (kind, r, wrap(x))
seen = set()
n = 0
while n < 600:
    kind, r, t = one()
    if t in seen:
        continue
    seen.add(t)
    said = ';'.join(f'{a}={b}' for a, b in r.items())
    print('first' if n % 2 else 'tune', kind, said or '-', t.replace('\n', '\\n'), sep='\t')
    n += 1
