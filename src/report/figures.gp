# What gnuplot is told to draw, a part for each figure, compiled into the program by figures.awk. A part
# begins with "## name". It reads the table in the file `data` and variables that the figure's C file
# sets before it; sizes are in `unit`. The part "style" precedes every other one.

## style
set border 1 linecolor rgb '#808080'
set tics nomirror out scale 0.4 textcolor rgb 'black'
if (!exists('titled')) set tmargin 1
set key off
set style fill solid noborder
# a step for few tics from 0 up to m
decade(m) = 10**floor(log10(m/5.0))
step(m) = m/decade(m) > 25 ? 10*decade(m) : m/decade(m) > 10 ? 5*decade(m) : m/decade(m) > 5 ? 2*decade(m) : decade(m)

## labels_on_top
set tmargin exists('titled') ? 4 : 1.6
if (exists('titled')) set title offset 0,0.9

## batch
set xrange [0:most]
set xtics 0,xstep nomirror
set lmargin 9
set rmargin 4
set yrange [0:top/unit]
set ytics 0,step(top/unit) nomirror
set ylabel unit_name
set grid ytics linecolor rgb '#808080' linewidth 0.4
if (best > 0) set arrow from best, graph 0 to best, graph 1 nohead front linewidth 1.5 dashtype 3 linecolor rgb '#1B7A8C'
if (best > 0) set label best_words at best, graph 1 @best_side offset 0,0.6
if (tried > 0 && tried <= most) set arrow from tried, graph 0 to tried, graph 1 nohead front linewidth 1.5 dashtype 3 linecolor rgb alarm
if (strlen(tried_words) > 0) set label tried_words at (tried <= most ? tried : most), graph 1 @tried_side offset 0,0.6
if (limit > 0) set arrow 99 from graph 0, first limit/unit to graph 1, first limit/unit nohead front linewidth 1.5 dashtype 2 linecolor rgb alarm

## batch_alone
set xlabel 'batch'
set bmargin 5.4
set key below center horizontal Left reverse samplen 1.5
plot data using 1:($2/unit):($4/unit) with filledcurves fillcolor rgb '#A0A9BCD6' title '90 % range', \
    data using 1:($3/unit) with lines linewidth 2 linecolor rgb '#3B5B85' title 'predicted peak'

## batch_limit
set multiplot
set size 1,0.58
set origin 0,0.42
set bmargin 1.2
set format x ''
plot data using 1:($2/unit):($4/unit) with filledcurves fillcolor rgb '#A0A9BCD6', \
    data using 1:($3/unit) with lines linewidth 2 linecolor rgb '#3B5B85'
unset label
unset arrow 99
unset title
set size 1,0.42
set origin 0,0
set tmargin 0.6
set bmargin 5.4
set format x '%g'
set xlabel 'batch'
set ylabel '% fits'
set yrange [0:105]
set ytics 0,50,100
set key below center horizontal Left reverse samplen 1.5 maxrows 1 width -2
plot data using 1:($5*100) with filledcurves y1=0 fillcolor rgb '#A01B7A8C' notitle, \
    data using 1:($5*100) with lines linewidth 2 linecolor rgb '#1B7A8C' notitle, \
    keyentry with lines linewidth 2 linecolor rgb '#3B5B85' title 'predicted peak', \
    keyentry with boxes fillcolor rgb '#A0A9BCD6' title '90 % range', \
    keyentry with lines linewidth 1.5 dashtype 2 linecolor rgb alarm title limit_words
unset multiplot

## bins
# bin i holds chunks of 256 * 2**i bytes and more
size(i) = i < 2 ? sprintf('%d B', 256*2**i) : i < 12 ? sprintf('%d KiB', 2**(i-2)) : sprintf('%d MiB', 2**(i-12))
every = last-first > 12 ? 4 : last-first > 5 ? 2 : 1
set lmargin 9
set rmargin 4
set xrange [first-0.6:last+0.6]
set multiplot
set size 1,0.46
set origin 0,0.54
set yrange [0:top/unit]
set ytics 0,step(top/unit) nomirror
set ylabel unit_name
set grid ytics linecolor rgb '#808080' linewidth 0.4
set xtics ('' first)
set for [i=first:last:every] xtics add ('' i)
set bmargin 1
set boxwidth 0.8
plot data using 1:($5/unit) with boxes linecolor rgb used, \
    data using 1:(($5+$6/2)/unit):(0.4):($6/2/unit) with boxxyerror linecolor rgb '#A6A6A6'
unset title
set ylabel 'chunks'
set key below center horizontal Left reverse samplen 1.2
set xlabel 'chunks from this size up to the next'
set size 1,0.54
set origin 0,0
set xtics (size(first) first)
set for [i=first:last:every] xtics add (size(i) i)
set ytics autofreq
set logscale y
set yrange [0.7:most_chunks*1.6]
set tmargin 0.8
set bmargin 5
set boxwidth 0.38
plot data using ($1-0.2):($3 > 0 ? $3 : NaN) with boxes linecolor rgb used title 'in use', \
    data using ($1+0.2):($4 > 0 ? $4 : NaN) with boxes linecolor rgb '#A6A6A6' title 'free'
unset multiplot

## workers
set xtics scale 0
set xrange [-0.6:rows-0.4]
set boxwidth 0.7
set lmargin 10
set rmargin 3
set grid ytics linecolor rgb '#808080' linewidth 0.4
set multiplot layout panels,1
do for [p=1:panels] {
  # the label is above the limit's line; below a low line it would cover the bars
  limit = word(limits, p)/units[p]
  top = word(tops, p)/units[p]
  set yrange [0:top]
  set ytics 0,step(top) nomirror
  set ylabel word(unit_names, p)
  unset arrow 9
  if (limit > 0) { set arrow 9 from graph 0, first limit to graph 1, first limit nohead front linewidth 1.5 dashtype 2 linecolor rgb alarm }
  at = limit < 0.3*top ? 0.85*top : limit
  if (limit > 0) { set label 9 words[p] at graph 0.01, first at left offset 0,0.5 front }
  if (limit == 0) { set label 9 words[p] at graph 0.01, graph 0.9 left offset 0,0 front }
  if (p == panels) { set xlabel 'workers' }
  plot data using 0:(column(p+1)/units[p]):xtic(1) with boxes linecolor rgb word('#3B5B85 #1B7A8C', p)
  unset title
}
unset multiplot

## holders
set xrange [0:whole/unit]
set yrange [rows:-0.1]
unset ytics
set lmargin 2
set rmargin 3
plot data using (0):1:(0):(whole/unit):($1+0.5):($1+0.85) with boxxyerror fillcolor rgb '#E0808080', \
    data using ($2/unit):1:($2/unit):($3/unit):($1+0.5):($1+0.85):4 with boxxyerror fillcolor rgb variable, \
    data using (0):($1+0.22):5 with labels left, \
    data using (whole/unit):($1+0.22):6 with labels right

## parts
set yrange [bars-0.4:-0.6]
set rmargin 3
set bmargin 4+1.2*legend
if (bars == 2) set ytics scale 0 ('before' 0, 'after' 1)
if (bars == 1) unset ytics
if (limit > 0) set arrow from limit/unit, graph 0 to limit/unit, graph 1 nohead front linewidth 2 dashtype 2
if (limit > 0) set label limit_words at limit/unit, graph 1 @limit_side offset 0,0.6 front
set key below center horizontal Left reverse samplen 1.2 maxcols 2 width -6

## grid
set border 0
set xrange [-0.5:columns-0.5]
set yrange [rows-0.5:-0.5]
set xtics scale 0
set ytics scale 0
set xlabel sprintf('batch; %s in each cell', unit_name)

## grid_of_device
set bmargin 6.4
set key below center horizontal Left reverse samplen 1.2

## timeline
set xrange [x_first:x_end]
set xlabel x_words
set xtics step(x_end-x_first) nomirror
set yrange [0:1.12*top/unit]
set ytics 0,step(1.12*top/unit) nomirror
set ylabel unit_name
set grid ytics linecolor rgb '#808080' linewidth 0.4
set rmargin 4
set key below center horizontal Left reverse samplen 1.5
if (limit > 0) set arrow from graph 0, first limit/unit to graph 1, first limit/unit nohead front linewidth 1.5 dashtype 2 linecolor rgb alarm
if (limit > 0) set label limit_words at graph 0.01, first limit/unit left offset 0,0.5 front
if (failed >= x_first) set arrow from failed, graph 0 to failed, graph 1 nohead front linewidth 2 linecolor rgb alarm
if (failed >= x_first) set label 'failed here' at failed, graph 0.05 @failed_side front

## map
set bmargin 3.8+1.2*legend
set xrange [0:whole]
set yrange [0:2.85]
unset ytics
# gnuplot takes letters for wider than they are, and would set the longest names in one column
set key below center horizontal Left reverse samplen 1.2 maxcols 2 width -4
set object rectangle from 0,0 to pool,1 behind fillcolor rgb spare fillstyle solid noborder
if (whole > pool) set object rectangle from pool,0 to whole,1 fillstyle empty border linecolor rgb '#808080' dashtype 2
if (hole > 0) set arrow from hole_at,1.4 to hole_at+hole,1.4 heads size screen 0.008,90 linewidth 2
if (need > 0) set object rectangle from need_at,2.2 to need_at+need,2.45 fillcolor rgb alarm fillstyle solid noborder
# neighbors overlap by less than can be seen, or the page would shine through between
hair = whole/2500
