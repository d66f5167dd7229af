import { afterEach, describe, expect, it } from 'vitest';
import type { ItemDetail } from '../../src/console/stored/item.ts';
import type { ItemPage, ResourceList } from '../../src/console/stored/items.ts';
import type { MachineView } from '../../src/console/stored/machines.ts';
import { temporaryFolder } from '../cli/terminal.ts';
import { type Served, served } from './opened.ts';

/** People who place orders. A person has a password, and an order moves on. */
const shop = [
  '# Shop',
  '## Resources',
  '```yaml',
  'Person:',
  '  identifier: id',
  '  fields:',
  '    id: { type: integer, set: { create: "${sequence()}" } }',
  '    name: { type: string }',
  '    password: { type: string, secret: hashed }',
  '    calls: { type: string, derived: "${this.name + \'!\'}" }',
  'Order:',
  '  identifier: id',
  '  fields:',
  '    id: { type: integer, set: { create: "${sequence()}" } }',
  '    by: { refers: Person, ifDeleted: refuse }',
  '    notes: { type: object, fields: { password: { type: string }, text: { type: string } } }',
  '    status: { type: string }',
  'Draft: { identifier: (open) by what? }',
  '```',
  '## States',
  '```yaml',
  'Order.status:',
  '  states: [open, paid, lost]',
  '  initial: open',
  '  final: [paid]',
  '  transitions:',
  '    pay: { from: open, to: paid, when: "${this.by != null}" }',
  '    lose: { from: open, to: lost, after: PT1H }',
  '```',
  '## Endpoints',
  '```yaml',
  'POST /people: { does: create Person, request: { body: Person }, response: { status: 201, body: { id: "${this.id}" } } }',
  'POST /orders: { does: create Order, request: { body: Order, others: ignore }, response: { status: 201, body: { id: "${this.id}" } } }',
  'PUT /orders/{id}/payment: { does: pay Order, response: { status: 204 } }',
  'DELETE /orders/{id}: { does: delete Order, response: { status: 204 } }',
  '```',
  '## Authentication',
  '```yaml',
  '(none)',
  '```',
  '',
].join('\n');

const { file } = temporaryFolder();
let made = 0;
const open: Served[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function desk(content = shop, more: Parameters<typeof served>[1] = {}): Promise<Served> {
  made += 1;
  const one = await served(file(`${made}-shop.md`, content), more);
  open.push(one);
  return one;
}

/** The same with Ada, who placed two orders and paid the first. */
async function busy(): Promise<Served> {
  const one = await desk();
  await one.send('POST', '/people', { name: 'Ada', password: 'enchantress' });
  await one.send('POST', '/orders', { by: 1, notes: { password: 'hunter2', text: 'soon' } });
  await one.send('POST', '/orders', { by: 1 });
  await one.send('PUT', '/orders/1/payment');
  return one;
}

const keyOf = (...key: readonly (string | number)[]): string => encodeURIComponent(JSON.stringify(key));

describe('the states', () => {
  it('are drawn, with how many items are in each, who may ask for a move, and what is due', async () => {
    const { query } = await busy();
    const { names, machine } = await query<MachineView>('machine');
    expect(names).toEqual(['Order.status']);
    expect(machine?.counts).toEqual({ open: 1, paid: 1, lost: 0 });
    expect(machine?.nodes.map(({ state }) => state)).toEqual(['open', 'paid', 'lost', null]);
    expect(machine?.edges.map(({ move }) => move)).toEqual([null, 'pay', 'lose']);
    expect(machine?.moves[0]).toMatchObject({
      name: 'pay',
      address: 'states["Order.status"].transitions.pay',
      from: ['open'],
      to: 'paid',
      conditions: [{ text: 'if this.by != null' }],
      operations: [{ key: 'PUT /orders/{id}/payment' }],
    });
    expect(machine?.timers).toMatchObject([{ resource: 'Order', key: '[2]', move: 'lose' }]);
  });

  it('stand where they stood, however many items there are', async () => {
    const { query, send } = await desk();
    const before = await query<MachineView>('machine');
    await send('POST', '/orders', {});
    const after = await query<MachineView>('machine');
    expect(after.machine?.counts).not.toEqual(before.machine?.counts);
    expect(after.machine?.nodes).toEqual(before.machine?.nodes);
  });

  it('are drawn without numbers while nothing is served, and there may be none', async () => {
    const { query } = await desk(shop, { running: () => null });
    expect((await query<MachineView>('machine')).machine).toMatchObject({ counts: null, timers: [] });
    await expect(query('machine?name=Order.mood')).rejects.toThrow(
      '400 the document has no machine Order.mood',
    );
    const none = await desk('# Nothing\n');
    expect(await none.query('machine')).toEqual({ names: [], machine: null });
  });
});

describe('the data', () => {
  it('is listed by resource, and those that cannot be stored apart', async () => {
    const { query } = await busy();
    expect(await query<ResourceList>('resources')).toEqual({
      resources: [
        { name: 'Person', items: 1 },
        { name: 'Order', items: 2 },
      ],
      unstored: ['Draft'],
    });
  });

  it('is a page of items, the latest first, whose references lead on', async () => {
    const { query } = await busy();
    const { columns, rows, count, next } = await query<ItemPage>('items?resource=Order');
    expect([columns, count, next]).toEqual([['id', 'by', 'notes', 'status'], 2, null]);
    expect(rows.map(({ key }) => key)).toEqual(['[2]', '[1]']);
    expect(rows[0]?.cells[1]).toEqual({
      text: '1',
      isCut: false,
      refers: { resource: 'Person', key: '[1]' },
    });
  });

  it('shows no secret, no digest of one, and nothing that is called as one is', async () => {
    const { query } = await busy();
    const all = await Promise.all(
      ['items?resource=Person', `item?resource=Person&key=${keyOf(1)}`, 'items?resource=Order'].map((path) =>
        query(path),
      ),
    );
    expect(JSON.stringify(all)).not.toMatch(/enchantress|scrypt|sha256|hunter2/);
    expect(JSON.stringify(all)).toContain('(secret)');
    await expect(query('items?resource=Person&where=password&is=x')).rejects.toThrow(
      '400 Person has no field password to look for values in',
    );
    expect((await query<ItemPage>('items?resource=Order&words=hunter2')).rows).toEqual([]);
  });

  it('is narrowed by a value of a field, and by words in any', async () => {
    const { query } = await busy();
    const keys = async (path: string): Promise<readonly string[]> =>
      (await query<ItemPage>(`items?resource=Order&${path}`)).rows.map(({ key }) => key);
    expect(await keys('where=status&is=paid')).toEqual(['[1]']);
    expect(await keys('where=by&is=1')).toEqual(['[2]', '[1]']);
    expect(await keys('words=SOON+paid')).toEqual(['[1]']);
    expect(await keys('words=nowhere')).toEqual([]);
    await expect(keys('where=mood&is=x')).rejects.toThrow(
      '400 Order has no field mood to look for values in',
    );
  });

  it('goes on at the next page', async () => {
    const { query, send } = await desk();
    for (let left = 0; left < 53; left += 1) await send('POST', '/orders', {});
    const first = await query<ItemPage>('items?resource=Order');
    expect([first.rows.length, first.count]).toEqual([50, 53]);
    const second = await query<ItemPage>(`items?resource=Order&before=${first.next}`);
    expect([second.rows.map(({ key }) => key), second.next]).toEqual([['[3]', '[2]', '[1]'], null]);
  });

  it('tells of an item what it has, what refers to it, and which requests made and changed it', async () => {
    const { query } = await busy();
    const person = await query<ItemDetail>(`item?resource=Person&key=${keyOf(1)}`);
    expect(person.members?.map(({ name, kind, cell }) => [name, kind, cell?.text])).toEqual([
      ['id', 'identifier', '1'],
      ['name', 'stored', 'Ada'],
      ['password', 'secret', '(secret)'],
      ['calls', 'derived', 'Ada!'],
    ]);
    expect(person.referrers).toEqual([{ resource: 'Order', field: 'by', items: 2, is: '1' }]);
    const order = await query<ItemDetail>(`item?resource=Order&key=${keyOf(1)}`);
    expect(order.machines).toEqual([{ name: 'Order.status', state: 'paid' }]);
    expect(order.history.map(({ request, how, fields }) => [request.method, how, fields])).toEqual([
      ['PUT', 'changed', ['status']],
      ['POST', 'created', ['id', 'by', 'notes', 'status']],
    ]);
  });

  it('tells that an item is gone, and which request deleted it', async () => {
    const { query, send } = await busy();
    await send('DELETE', '/orders/2');
    const gone = await query<ItemDetail>(`item?resource=Order&key=${keyOf(2)}`);
    expect(gone.members).toBeNull();
    expect(gone.history[0]).toMatchObject({ how: 'deleted', fields: [], request: { method: 'DELETE' } });
  });

  it.each([
    ['items?resource=Draft', 'no items of Draft are stored'],
    ['items?resource=toString', 'no items of toString are stored'],
    ['item?resource=Order&key=1', 'the key of an item of Order is a JSON list of its id'],
    ['item?resource=Order&key=%5B', 'the key of an item of Order is a JSON list of its id'],
  ])('is refused for %s', async (path, message) => {
    const { query } = await desk();
    await expect(query(path)).rejects.toThrow(`400 ${message}`);
  });

  it('is not shown while nothing is served', async () => {
    const { query } = await desk(shop, { running: () => null });
    await expect(query('resources')).rejects.toThrow('400 the service does not run: the document has errors');
  });
});
