// Other ways for a node program to end. Arguments: what, how many.
const [what, count] = process.argv.slice(2)
const n = Number(count)
const deep = i => 1 + deep(i + 1)
console.log(`starting ${what}`)
if (what === 'buffer') console.log(Buffer.alloc(n * 2 ** 20, 1).length)
if (what === 'deep') console.log(deep(0))
if (what === 'string') console.log(JSON.stringify(Array.from({ length: n }, () => 'x'.repeat(2 ** 20))).length)
if (what === 'survive') {
  let size = n
  for (let i = 0; i < 5; i++) {
    try {
      Buffer.alloc(size * 2 ** 20, 1)
      console.log(`batch ${i + 1}/5`)
    } catch (error) {
      size = Math.floor(size / 2)
      console.warn(`${error.name}: ${error.message}; going on with ${size} MiB`)
      i--
    }
  }
}
console.log('done')
