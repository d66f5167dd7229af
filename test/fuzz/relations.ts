import type { Json, Members } from '../service/document.ts';
import type { Chance } from './chance.ts';
import { type FieldDraft, isItem, type ResourceDraft, type World } from './draft.ts';
import type { OperationDraft } from './endpoints.ts';
import { isSettable } from './states.ts';

/** Operations on items by way of others: under an item that the path binds, of two at once, and for who signs in. */
export function relatedOperations(world: World, chance: Chance): OperationDraft[] {
  const references = world.resources.flatMap((one) =>
    one.fields.flatMap((field) =>
      isItem(field.kind) && field.isGiven ? [{ one, field, other: field.kind.item }] : [],
    ),
  );
  return [
    ...chance.some(references, 35).flatMap(({ one, field, other }) => under(one, field, other, chance)),
    ...chance
      .some(references, 15)
      .map(({ one, field, other }) => withOther(one, field, other, world, chance)),
    ...(world.account && chance.percent(30) ? sessions(chance) : []),
    ...(chance.percent(5) ? [handled()] : []),
  ];
}

function operation(
  name: string,
  key: string,
  verb: string,
  resource: ResourceDraft | null,
  endpoint: Members,
): OperationDraft {
  return {
    name,
    key,
    verb,
    resource,
    isAboutItem: verb === 'list',
    endpoint: { operation: name, ...endpoint },
  };
}

/** Items that refer to one that the path binds. */
function under(one: ResourceDraft, field: FieldDraft, other: string, chance: Chance): OperationDraft[] {
  const path = `/${other.toLowerCase()}s/{id}/${one.name.toLowerCase()}s-${field.name.toLowerCase()}`;
  const request = { path: { id: `${other}.id as holder` } };
  return [
    operation(`${one.name}Under${other}${field.name}`, `POST ${path}`, 'create', one, {
      does: { create: one.name, with: ['${request.body}', { [field.name]: '${holder}' }] },
      request: { ...request, body: one.name },
      response: {
        status: 201,
        body: chance.pick<Json>([one.name, { of: `\${${other}(holder)}`, item: `\${${one.name}(this)}` }]),
      },
    }),
    operation(`list${one.name}Under${other}${field.name}`, `GET ${path}`, 'list', one, {
      does: {
        list: one.name,
        where: `\${this.${field.name} == holder}`,
        ...chance.maybe(40, () => ({ order: ['-id'] })),
      } as Members,
      request: {
        ...request,
        query: { size: { page: 'size', type: 'integer', default: 4 }, at: { page: 'cursor' } },
      },
      response: {
        status: 200,
        body: { of: '${holder}', items: `\${${one.name}(page.items)}`, next: '${page.next}' },
      },
    }),
  ];
}

/** An item is made, and what refers to it with it. */
function withOther(
  one: ResourceDraft,
  field: FieldDraft,
  other: string,
  world: World,
  chance: Chance,
): OperationDraft {
  const made = world.resources.find(({ name }) => name === other) as ResourceDraft;
  const settable = made.fields.find(
    (each) => isSettable(each.statement) && each.kind === 'integer' && !each.values,
  );
  const change: Members = settable
    ? {
        update: `every ${other}`,
        as: 'each',
        where: '${this == outcome}',
        with: {
          [settable.name]: `\${${chance.pick(['each.', 'this.'])}${/^\w+$/.test(settable.name) ? settable.name : 'id'} == null ? 1 : 2}`,
        },
      }
    : { delete: `every ${one.name}`, as: 'each', where: `\${this.${field.name} == null && this.id == null}` };
  return operation(
    `make${other}For${one.name}${field.name}`,
    `POST /${other.toLowerCase()}s/for-${one.name.toLowerCase()}-${field.name.toLowerCase()}`,
    'create',
    made,
    {
      does: { create: other, as: 'made' },
      also: [
        { ...change, ...(settable && { where: '${this == made}' }) } as Members,
        { delete: `every ${one.name}`, where: `\${this.${field.name} == made}` },
      ],
      request: { body: other },
      response: {
        status: 201,
        body: { made: '${made}', all: `\${${one.name}.filter(x, x.${field.name} == made).size()}` },
      },
    },
  );
}

/** Signing in and out, with a credential that the service issues. */
function sessions(chance: Chance): OperationDraft[] {
  return [
    operation('signIn', 'POST /sessions', 'authenticate', null, {
      does: { authenticate: 'Account', by: ['email', 'password'] },
      request: {
        body: {
          fields: { email: { type: 'string', minLength: 1 }, password: { type: 'string', minLength: 1 } },
          required: ['email', 'password'],
        },
      },
      response: { status: 200, body: { token: "${issue('session', this)}", id: '${this.id}' } },
    }),
    ...(chance.percent(60)
      ? [
          operation('signOut', 'DELETE /sessions', 'revoke', null, {
            does: { revoke: 'session' },
            response: 204,
          }),
        ]
      : []),
  ];
}

/** An operation that is the operator's, who gives no function for it. */
function handled(): OperationDraft {
  return operation('own', 'POST /own', 'handled', null, {
    does: { handled: 'own', gives: { fields: { n: { type: 'integer' } }, required: ['n'] } },
    response: { status: 200, body: { n: '${result.n}' } },
  });
}

/** A resource that is known by two references; null where there are not two to refer to. */
export function pairOf(world: World, chance: Chance): ResourceDraft | null {
  const [left, right] = world.resources;
  if (!left || !right || !chance.percent(25)) return null;
  const reference = (name: string, other: ResourceDraft): FieldDraft => ({
    name,
    kind: { item: other.name },
    isGiven: true,
    isShown: true,
    isStorable: true,
    isSure: true,
    statement: { refers: other.name, ifDeleted: chance.pick(['delete', 'refuse']) },
  });
  const count: FieldDraft = {
    name: 'count',
    kind: 'integer',
    isGiven: true,
    isShown: true,
    isStorable: true,
    isSure: true,
    statement: { type: 'integer', default: 1 },
  };
  return {
    name: 'Pair',
    identifier: 'left',
    fields: [reference('left', left), reference('right', right), count],
    views: [],
  };
}

/** What is done with pairs: by both of their references at once. */
export function pairOperations(pair: ResourceDraft, chance: Chance): OperationDraft[] {
  const [left, right] = pair.fields.map(({ kind }) => (isItem(kind) ? kind.item : '')) as [string, string];
  const path = '/pairs/{left}/{right}';
  const request: Members = { path: { left: `${left}.id as one`, right: `${right}.id as other` } };
  const where = '${this.left == one && this.right == other}';
  return [
    operation('joinPair', `PUT ${path}`, 'create', pair, {
      does: {
        create: 'Pair',
        with: { left: '${one}', right: '${other}' },
        present: chance.pick(['keep', 'match', 'update']),
      },
      request,
      response: [
        { when: 'created', status: 201, body: 'Pair' },
        {
          when: ['changed', 'unchanged'],
          status: 200,
          body: chance.pick<Json>(['Pair', { left: `\${${left}(one)}` }]),
        },
      ],
    }),
    operation('partPair', `DELETE ${path}`, 'delete', pair, {
      does: { delete: 'Pair', where, ...chance.maybe(50, () => ({ absent: 'ignore' })) } as Members,
      request,
      response: 204,
    }),
    operation('listPairs', 'GET /pairs', 'list', pair, {
      does: { list: 'Pair', order: ['-count'] },
      request: {
        query: { left: { filter: 'left' }, size: { page: 'size', type: 'integer' }, at: { page: 'cursor' } },
      },
      response: {
        status: 200,
        body: { items: '${Pair(page.items)}', next: '${page.next}', total: '${page.total}' },
      },
    }),
  ];
}
