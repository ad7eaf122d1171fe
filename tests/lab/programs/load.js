// Reads records in batches. Arguments: batch, batches, keep or drop.
const [size, batches, keep] = process.argv.slice(2)
const cache = []
for (let i = 0; i < batches; i++) {
  const batch = Array.from({ length: Number(size) }, (_, j) => ({ id: j, name: `record ${i} ${j}` }))
  if (keep === 'keep') cache.push(batch)
  console.log(`batch ${i + 1}/${batches}`)
}
console.log('done')
