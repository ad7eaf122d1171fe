<?php // Reads records in batches. Arguments: batch, batches, keep or drop.
[$size, $batches, $keep] = [(int)$argv[1], (int)$argv[2], $argv[3]];
$cache = [];
for ($i = 0; $i < $batches; $i++) {
    $batch = str_repeat('x', $size << 16);
    if ($keep === 'keep') {
        $cache[] = $batch;
    }
    echo 'batch ', $i + 1, "/$batches\n";
}
echo "done\n";
