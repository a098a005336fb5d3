/**
 * The closing marks of core/hosts/short-address.ts for CloudFront Functions, whose regular expressions don't support `\p`.
 * Each is a range in base 36: its distance from the end of the previous range and, after a full stop, its length.
 */
export const closingMarks =
  '4g.1 6 4 b.1 4 4 jj 9 cz.5 16 1j 3 3 19.1 l.1 2.1 e 2.2 23.3 2v 18.d 6i.2 1j.e w 7a.1 b 3x 3d 3e av ' +
  'd a8 2j b.1 4p.e 2 13 2 20 23.4 5.1 34.5 4s h1.8 li 1a 27.2 20.1 4e.2 2.2 12.5 2.3 8q.1 61.1 3l.6 ' +
  '2.5 4h.1 b.6 t.2 3h.3 1o.4 1r.1 1t.7 c mw.4 7.3 3.1 3.7 9.e 3.2 3.b 2 2.9 2 u g hn 2 v u7 2 2 2 2 2 ' +
  '2 29 x 2 2 2 2 b9 2 2 2 2 2 2 2 2 2 2 1t 2 y l8.3 2.1 35 40.1 2 2.3 2.1 2.9 2.1 2 2.2 2 2 2 2 2.5 ' +
  '2.9 3.3 2 2.c 3.2 2 2 2 2 bo.3 6 2 2 2 2 4 2 2 2 3.1 u 5a mwz.1 7i.2 2s b 38.5 al.3 2f.1 15.2 2 1e.1 ' +
  '1c 2q.c h.1 3h.3 3j.1 h.1 6y g2b 5u.6 2.1 n 6 2 2 2 2 2 2 2.2 2.4 4.2 2.3 3 2 2.3 7 2.1 44 2.2 2.2 ' +
  '2.1 2 2.1 b.1 4.1 s.1 w 3.1 2.2 bf.2 il 1d bj ko 5k w 7l.8 13 35.6 1v.6 2i.3 ms 3p.4 19.3 5a.6 32.1 ' +
  '2.3 3j.3 1d.1 28.3 5 e 2.2 2h.5 30 8b.1 2.1 37.4 b.1 2 2x 6z.m 2y.2 t.c 25 3n.2 71 7d.2 4c 2l.7 2c.2 ' +
  '2.4 2m.9 60 2o.4 17.1 hy.1 23.c 4w vl.4 29p.1 bjw.1 3q 1u.4 9 fd.2 88.3 94 f5p 5wo.4 29g nz.1';
