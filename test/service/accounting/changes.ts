import { type Json, list, type Members, map } from '../document.ts';
import { machines } from './conditions.ts';
import type { Item, Items } from './items.ts';
import { type Kept, keyOf } from './kept.ts';
import { bindings, isTransition, type Met } from './operation.ts';
import { fill, notDue, type Scope } from './working.ts';

/** What of what is kept was changed by no statement. `met` is null where nothing but a timer may have changed it. */
export function changesNotDue(
  document: Members,
  met: Met | null,
  before: Kept,
  after: Kept,
  items: Items,
  scope: Scope,
): string[] {
  const asked = met === null ? [] : changesOf(met);
  return Object.keys(after).flatMap((name) => {
    const resource = map(map(document['resources'])[name]);
    const own = asked.filter(({ about }) => about === name || about === 'this');
    const was = new Map((before[name] ?? []).map((item) => [keyOf(document, name, item), item]));
    const is = new Map((after[name] ?? []).map((item) => [keyOf(document, name, item), item]));
    const moves = machines(document, name);
    const timed = moves.flatMap(([field, { transitions }]) =>
      Object.values(map(transitions)).flatMap((move) =>
        map(move)['after'] === undefined ? [] : [{ field, move: map(move) }],
      ),
    );
    const sources = (field: string, verb: string, self: Item): unknown[] => {
      const shape = map(map(resource['fields'])[field]);
      const here: Scope = { ...scope, self: met?.subject === name ? self : (scope['self'] ?? self) };
      const attempt = (template: Json | undefined): unknown[] => {
        try {
          return template === undefined ? [] : [fill(template, here)];
        } catch {
          return [];
        }
      };
      const given = own.flatMap(({ change }) =>
        [change['with'] ?? '${request.body}'].flat().flatMap((one) => {
          const value = attempt(one as Json)[0];
          return value === undefined ? [] : [(value as Members)?.[field]];
        }),
      );
      const bound = met
        ? bindings(document, met).filter((one) => one.field === field && one.of === name)
        : [];
      const set = map(shape['set']);
      const hashed =
        shape['secret'] === undefined ? [] : [{ fits: (found: Json) => typeof found === 'string' }];
      const states = moves.filter(([one]) => one === field).map(([, machine]) => machine);
      const moved = moves.flatMap(([one, machine]) =>
        Object.entries(map(machine['transitions'])).flatMap(([transition, move]) => {
          const isAsked = transition === verb || map(move)['after'] !== undefined;
          if (!isAsked) return [];
          return one === field ? [map(move)['to']] : attempt(map(map(move)['set'])[field]);
        }),
      );
      return [
        ...given,
        ...bound.map(({ value }) => value),
        ...(verb === 'create' ? [...attempt(shape['default']), ...attempt(set['create'])] : []),
        ...(verb === 'create' ? states.flatMap(({ initial }) => attempt(initial)) : []),
        ...attempt(set['update']),
        ...moved,
        ...hashed,
      ].filter((value) => value !== undefined);
    };
    const member = (field: string, value: Json, verb: string, item: Members, where: string): string[] => {
      if (value === undefined) return [];
      const all = sources(field, verb, items.link(name, item));
      const named = [
        ...Object.keys(map(resource['fields'])),
        ...list(resource['required']),
        ...list(resource['identifier']),
      ];
      if (!named.includes(field) && resource['others'] !== 'keep')
        return [`${where} is no member of ${name}`];
      return all.some((due) => notDue(due, value).length === 0)
        ? []
        : [`${where} is kept as ${JSON.stringify(value)}, and ${JSON.stringify(all)} is due`];
    };
    const verbs = own.map(({ verb }) => verb);
    return [
      ...[...is].flatMap(([key, item]) => {
        const old = was.get(key);
        if (old === undefined) {
          if (!verbs.includes('create')) return [`${name} ${key} is new, and nothing makes one`];
          return Object.entries(item).flatMap(([field, value]) =>
            member(field, value, 'create', item, `${name} ${key}.${field}`),
          );
        }
        const differing = Object.keys({ ...old, ...item }).filter(
          (field) => JSON.stringify(old[field]) !== JSON.stringify(item[field]),
        );
        const verb =
          verbs.find((one) => isTransition(one) || ['update', 'replace', 'create'].includes(one)) ?? '';
        if (differing.length > 0 && verb === '' && timed.length === 0)
          return [`${name} ${key} was changed, and nothing changes one`];
        return differing.flatMap((field) =>
          member(field, item[field] as Json, verb, item, `${name} ${key}.${field}`),
        );
      }),
      ...[...was].flatMap(([key]) => {
        if (is.has(key)) return [];
        const cascades = Object.values(map(resource['fields'])).some(
          (field) => map(field)['ifDeleted'] === 'delete',
        );
        const ends = timed.some(({ move }) => move['to'] === '(none)') || verbs.some(isTransition);
        return verbs.includes('delete') ||
          ends ||
          (cascades && asked.some(({ verb }) => verb === 'delete' || isTransition(verb))) ||
          cascades
          ? []
          : [`${name} ${key} is gone, and nothing takes one away`];
      }),
    ];
  });
}

interface Asked {
  readonly verb: string;
  readonly about: string;
  readonly change: Members;
}

/** The changes that an operation asks for: of `does`, and of `also`. */
function changesOf({ verb, subject, change, endpoint }: Met): Asked[] {
  const also = (Array.isArray(endpoint['also']) ? endpoint['also'] : []).map(map).flatMap((one): Asked[] => {
    const [name, about] = Object.entries(one)[0] ?? [];
    return name === undefined ? [] : [{ verb: name, about: String(about), change: one }];
  });
  return verb === undefined ? also : [{ verb, about: subject, change }, ...also];
}
