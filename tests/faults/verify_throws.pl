#!/usr/bin/perl
# Reads lines "seed-hex client nonce face face ..." and says how many are not what the seeds make (R21).
# A second implementation, in another language, of the house's generator.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256);

my ($lines, $wrong) = (0, 0);
while (my $line = <STDIN>) {
    chomp $line;
    my ($seed, $client, $nonce, @shown) = split / /, $line;
    my ($cursor, @faces) = (0);
    while (@faces < @shown) {
        my $block = hmac_sha256("$client:$nonce:$cursor", pack('H*', $seed));
        for my $byte (unpack('C*', $block)) {
            push @faces, $byte % 6 + 1 if $byte < 252 && @faces < @shown;
        }
        $cursor++;
    }
    $lines++;
    $wrong++ if "@faces" ne "@shown";
}
print "$lines $wrong\n";
