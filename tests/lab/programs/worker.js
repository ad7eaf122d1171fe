// A thread with a heap of its own. Arguments: MiB of its heap, entries.
const { Worker, isMainThread, workerData } = require('worker_threads')
if (isMainThread) {
  const [heap, entries] = process.argv.slice(2).map(Number)
  console.log(`indexing ${entries} entries`)
  new Worker(__filename, { workerData: entries, resourceLimits: { maxOldGenerationSizeMb: heap } })
    .on('exit', code => console.log(`worker exited with ${code}`))
} else {
  const index = new Map()
  for (let i = 0; i < workerData; i++) {
    index.set(`entry ${i}`, { id: i, text: `text of ${i}` })
    if (i % 50000 === 0) console.log(`${i} entries`)
  }
  console.log('done')
}
