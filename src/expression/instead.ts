/** What to write in place of what no store evaluates (language §G.5). */

export const kept = 'keep what it comes to in a field that is set, and compare that';

export const counted =
  'of items, and of a list that the item keeps, R.exists(x, …), R.all(x, …) and R.filter(x, …).size() are worked out here, and sum(), min() and max() of R.filter(x, …).map(x, x.f)';

export const among = 'whether a list that is kept holds a value is told by: value in this.list';

export const membersInstead = 'compare members of it, one by one';
