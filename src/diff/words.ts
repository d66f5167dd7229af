import { type Class, classes, type Diff } from './diff.ts';

/** The title of each class, and how many there are of it in a sentence. */
export const titles: Readonly<Record<Class, { readonly title: string; readonly counted: string }>> = {
  breaking: { title: 'breaks clients', counted: 'breaking' },
  'stored data': { title: 'touches stored data', counted: 'on stored data' },
  changed: { title: 'changed', counted: 'changed' },
  'became open': { title: 'became open', counted: 'became open' },
  refinement: { title: 'became stated', counted: 'became stated' },
};

/** How many there are of each class, and whether it is a refinement. */
export function summary(of: Diff): string {
  if (of.findings.length === 0) return 'no difference: both state the same';
  const counted = classes.filter((one) => of.counts[one] > 0);
  const unknown = of.findings.filter((one) => one.class === 'changed' && one.rule === null).length;
  const note = (one: Class): string => (one === 'changed' && unknown > 0 ? ` (${unknown} unclassified)` : '');
  const counts = counted.map((one) => `${of.counts[one]} ${titles[one].counted}${note(one)}`).join(', ');
  return of.refinement ? `${counts}: a refinement, nothing that was stated is otherwise` : counts;
}
