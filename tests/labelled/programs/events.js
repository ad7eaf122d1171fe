// A service in Node: listeners or timers that are never removed, one large file, or a worker thread with a limit.
const { Worker, isMainThread } = require('worker_threads');
const fs = require('fs');
const kind = process.argv[2], count = Number(process.argv[3]);
const mb = () => (process.memoryUsage().rss / 1048576).toFixed(0) + ' MB';
if (kind === 'requests') {
  const seen = new Map();
  for (let i = 1; ; i++) {
    seen.set(i, Buffer.alloc(count << 10, 1));
    if (i % 100 === 0) console.log(`request ${i}: sessions ${seen.size}, rss ${mb()}`);
  }
} else if (kind === 'parse') {
  const out = fs.openSync('items.json', 'w');
  fs.writeSync(out, '[{"id":0}');
  for (let i = 1; i < count; i++) fs.writeSync(out, ',' + JSON.stringify({ id: i, name: 'item ' + i, tags: ['a' + i, 'b' + i] }));
  fs.writeSync(out, ']');
  fs.closeSync(out);
  console.log('reading items.json');
  const all = [];
  for (let turn = 1; ; turn++) {
    all.push(JSON.parse(fs.readFileSync('items.json', 'utf8')));
    console.log(`parsed ${turn} shard(s), ${turn * count} items`);
  }
} else if (kind === 'thread') {
  const worker = new Worker(`
    const kept = [];
    for (let i = 1; ; i++) {
      kept.push(Array.from({ length: 10000 }, (_, k) => ({ i, k })));
      if (i % 5 === 0) console.log('worker: chunk ' + i);
    }`, { eval: true, resourceLimits: { maxOldGenerationSizeMb: count } });
  worker.on('error', (error) => { console.error(error); process.exit(1); });
} else if (kind === 'tenants') {
  const kept = [];
  for (let i = 1; ; i++) { kept.push(Buffer.alloc(count << 10, 1)); console.log(`job ${i} done, rss ${mb()}`); }
}
