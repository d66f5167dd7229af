import type { Chance } from './chance.ts';
import { isItem, type Kind, type Name, type ResourceDraft, sameKind, type World } from './draft.ts';

/** Where an expression stands: the names that it may use, and whether it has to be storable (language §G.5). */
export interface Scope {
  readonly names: readonly Name[];
  readonly isStorable: boolean;
  /** Sets of items may be asked: not within another set, where it has to be storable. */
  readonly hasSets?: boolean;
}

/** Expressions of a wanted kind over a scope. Most of them read what is there in every item. */
export interface Expressions {
  readonly of: (kind: Kind, scope: Scope, depth?: number) => string;
  /** The members of an item that goes by a name, and those of what it refers to. */
  readonly members: (path: string, resource: ResourceDraft, isRow: boolean, depth?: number) => Name[];
  readonly resource: (name: string) => ResourceDraft;
}

const quoted = (text: string): string => `'${text}'`;
const words = ['', 'a', 'b', 'Ab', 'né', 'x y', '0', 'zz-top'];

/** How a member is read: by its name, or as an element where its name is none of CEL's. */
export function memberOf(name: string): string {
  return /^[a-z]\w*$/i.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

export function expressions(world: World, chance: Chance): Expressions {
  const resource = (name: string): ResourceDraft =>
    world.resources.find((one) => one.name === name) as ResourceDraft;

  const members: Expressions['members'] = (path, { fields }, isRow, depth = 1) =>
    fields.flatMap((field) => {
      const read = `${path}${memberOf(field.name)}`;
      const name: Name = {
        // What is one of so many values is compared as any text.
        path: field.values && field.statement['type'] !== undefined ? `lower(${read})` : read,
        kind: field.kind,
        isSure: field.isSure,
        isStorable: field.isStorable,
        isRow,
      };
      if (!isItem(field.kind) || depth === 0) return [name];
      const further = members(name.path, resource(field.kind.item), isRow, depth - 1);
      return [name, ...further.map((one) => ({ ...one, isSure: one.isSure && field.isSure }))];
    });

  const of: Expressions['of'] = (kind, scope, depth = 2) => {
    const ways = depth <= 0 ? [] : composed(kind, scope, depth);
    const known = scope.names.filter(
      (name) =>
        sameKind(name.kind, kind) &&
        (!scope.isStorable || name.isStorable) &&
        (name.isSure || chance.percent(4)),
    );
    if (ways.length > 0 && chance.percent(45)) return chance.pick(ways)();
    if (known.length > 0 && chance.percent(80)) return chance.pick(known).path;
    return literal(kind, scope);
  };

  const literal = (kind: Kind, scope: Scope): string => {
    if (isItem(kind)) {
      const named = scope.names.filter((name) => sameKind(name.kind, kind));
      return named.length > 0 ? chance.pick(named).path : 'null';
    }
    switch (kind) {
      case 'text':
        return quoted(chance.pick(words));
      case 'integer':
        return String(chance.between(-3, 40));
      case 'number':
        return chance.pick(['0.5', '-1.25', '3.0', '1e3']);
      case 'boolean':
        return chance.pick(['true', 'false']);
      case 'time':
        return scope.names.some(({ path }) => path === 'now') ? 'now' : "timestamp('2026-01-02T03:04:05Z')";
      case 'texts':
        return `[${chance.some(words).map(quoted).join(', ')}]`;
      default:
        return "{'street': 'a', 'town': 'b'}";
    }
  };

  const composed = (kind: Kind, scope: Scope, depth: number): (() => string)[] => {
    const inner = (wanted: Kind): string => of(wanted, scope, depth - 1);
    const choice = (): string => `(${inner('boolean')} ? ${inner(kind)} : ${inner(kind)})`;
    if (isItem(kind)) return [choice];
    const free = (ways: (() => string)[]): (() => string)[] => (scope.isStorable ? [] : ways);
    switch (kind) {
      case 'text':
        return [
          choice,
          () => `(${inner('text')} + ${inner('text')})`,
          () => `lower(${inner('text')})`,
          ...free([
            () => `upper(${inner('text')})`,
            () => `trim(${inner('text')})`,
            () => `slug(${inner('text')})`,
            () => `substring(${inner('text')}, ${chance.between(-2, 2)}, ${chance.between(-1, 4)})`,
            () => `replace(${inner('text')}, 'a', ${inner('text')})`,
            () => `string(${inner(chance.pick<Kind>(['integer', 'boolean', 'time', 'number']))})`,
            () => `join(${inner('texts')}, '-')`,
          ]),
        ];
      case 'integer':
        return [
          choice,
          () => `(${inner('integer')} ${chance.pick(['+', '-', '*'])} ${inner('integer')})`,
          () => `-${inner('integer')}`.replace('--', ''),
          ...sets(scope, depth, 'integer'),
          ...free([
            () => `size(${inner(chance.pick<Kind>(['text', 'texts']))})`,
            () => `round(${inner('number')})`,
            () => `int(${inner('number')})`,
            () => `(${inner('integer')} ${chance.pick(['/', '%'])} ${chance.between(1, 9)})`,
          ]),
        ];
      case 'number':
        return [
          choice,
          () => `(${inner('number')} ${chance.pick(['+', '-', '*'])} ${inner('number')})`,
          ...free([() => `double(${inner('integer')})`, () => `(double(${inner('integer')}) / 3.0)`]),
        ];
      case 'boolean':
        return [...truths(scope, depth), ...sets(scope, depth, 'boolean')];
      case 'time':
        return [
          choice,
          ...free([() => `(${inner('time')} + duration('${chance.pick(['PT1H', 'P1D', '90s'])}'))`]),
        ];
      case 'texts':
        return [
          choice,
          ...free([
            () => `sort(${inner('texts')})`,
            () => `distinct(${inner('texts')})`,
            () => `${inner('texts')}.map(t, ${of('text', withName(scope, 't'), depth - 1)})`,
            () => `${inner('texts')}.filter(t, ${of('boolean', withName(scope, 't'), depth - 1)})`,
            () => `split(${inner('text')}, 'b')`,
          ]),
        ];
      default:
        return [];
    }
  };

  const withName = (scope: Scope, path: string): Scope => ({
    ...scope,
    names: [...scope.names, { path, kind: 'text', isSure: true, isStorable: true, isRow: false }],
  });

  const truths = (scope: Scope, depth: number): (() => string)[] => {
    const inner = (wanted: Kind): string => of(wanted, scope, depth - 1);
    const compared = (): string => {
      const kind = chance.pick<Kind>(['text', 'integer', 'time', 'number', 'boolean']);
      const operators = kind === 'boolean' ? ['==', '!='] : ['==', '!=', '<', '<=', '>', '>='];
      return `${inner(kind)} ${chance.pick(operators)} ${inner(kind)}`;
    };
    const alike = (): string => {
      const items = scope.names.filter(({ kind }) => isItem(kind));
      if (items.length === 0) return compared();
      const one = chance.pick(items);
      const others = items.filter(({ kind }) => sameKind(kind, one.kind));
      return `${one.path} ${chance.pick(['==', '!='])} ${chance.percent(20) ? 'null' : chance.pick(others).path}`;
    };
    const isNull = (): string =>
      scope.names.length === 0
        ? 'true'
        : `${chance.pick(scope.names.filter((one) => !scope.isStorable || one.isStorable)).path} ${chance.pick(['==', '!='])} null`;
    return [
      compared,
      compared,
      alike,
      isNull,
      () => `(${inner('boolean')} ${chance.pick(['&&', '||'])} ${inner('boolean')})`,
      () => `!(${inner('boolean')})`,
      () => `${inner('text')}.${chance.pick(['startsWith', 'endsWith', 'contains'])}(${inner('text')})`,
      () => `${inner('text')} in [${inner('text')}, ${inner('text')}]`,
      () => `${inner('text')} in ${inner('texts')}`,
    ];
  };

  const sets = (scope: Scope, depth: number, kind: 'integer' | 'boolean'): (() => string)[] => {
    if (!scope.hasSets || world.resources.length === 0) return [];
    const row = (): readonly [ResourceDraft, Scope] => {
      const chosen = chance.pick(world.resources);
      const name = `x${depth}`;
      const own: Name = {
        path: name,
        kind: { item: chosen.name },
        isSure: true,
        isStorable: true,
        isRow: true,
      };
      const names = [...scope.names, own, ...members(name, chosen, true)];
      return [chosen, { names, isStorable: true, hasSets: false }];
    };
    const filtered = (): string => {
      const [chosen, within] = row();
      return `${chosen.name}.filter(x${depth}, ${of('boolean', within, depth - 1)})`;
    };
    if (kind === 'boolean')
      return ['exists', 'all'].map((macro) => () => {
        const [chosen, within] = row();
        return `${chosen.name}.${macro}(x${depth}, ${of('boolean', within, depth - 1)})`;
      });
    return [() => `${filtered()}.size()`, summed];

    function summed(): string {
      const [chosen, within] = row();
      const sum = chance.pick(['sum', 'min', 'max']);
      const name = `x${depth}`;
      const value = of('integer', within, depth - 2);
      return `${chosen.name}.filter(${name}, ${of('boolean', within, depth - 1)}).map(${name}, ${value}).${sum}()`;
    }
  };

  return { of, members, resource };
}
