# Reads records in batches. Arguments: batch, batches, keep or drop.
use strict;
use warnings;
$| = 1;
my ($size, $batches, $keep) = @ARGV;
my @cache;
for my $i (1 .. $batches) {
    my $batch = 'x' x ($size << 16);
    push @cache, $batch if $keep eq 'keep';
    print "batch $i/$batches\n";
}
print "done\n";
