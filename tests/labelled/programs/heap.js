// Keeps objects (the heap of V8), strings or Buffers (memory outside of the heap).
const kind = process.argv[2];
const kept = [];
for (let i = 1; ; i++) {
  if (kind === 'objects') for (let j = 0; j < 20000; j++) kept.push({ id: i, name: 'user' + j, at: [i, j] });
  if (kind === 'strings') kept.push(('line ' + i + ' ').repeat(100000).split('').reverse().join(''));
  if (kind === 'buffers') kept.push(Buffer.alloc(2 << 20, 1));
  const m = process.memoryUsage();
  const mb = (x) => (x / 1048576).toFixed(1) + ' MB';
  console.log(`batch ${i}: heapUsed ${mb(m.heapUsed)}, external ${mb(m.external)}, rss ${mb(m.rss)}`);
}
