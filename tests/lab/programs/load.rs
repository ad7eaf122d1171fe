// Reads records in batches. Arguments: batch, batches, keep or drop.
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let size: usize = args[1].parse().unwrap();
    let batches: usize = args[2].parse().unwrap();
    let mut cache = Vec::new();
    for i in 0..batches {
        let batch = vec![1u8; size << 16];
        if args[3] == "keep" {
            cache.push(batch);
        }
        println!("batch {}/{}", i + 1, batches);
    }
    println!("done");
}
