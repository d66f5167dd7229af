import { section } from '../reading/form.ts';
import { entry, type Values } from '../reading/reading.ts';
import { expression } from '../reading/templates.ts';

const about = section('2.1', 'resources.guards');

/** The changes that a guard of a resource can refuse; `replace` is an update (language §2.1). */
export const guardedVerbs = ['create', 'update', 'delete'] as const;
export type GuardedVerb = (typeof guardedVerbs)[number];

export const guardKeys = {
  create: entry(expression, about('Whether an item may be created. `this` is the new item.')),
  update: entry(
    expression,
    about('Whether an item may be updated. `this` is the item after the change, `old` the item before.'),
  ),
  delete: entry(expression, about('Whether an item may be deleted. `this` is the item.')),
};
export type Guards = Values<typeof guardKeys>;
