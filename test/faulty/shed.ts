import { randomUUID } from 'node:crypto';
import type { Running } from '../listening.ts';
import { type Answered, type Endpoint, Refused, startService, type Values } from './floor.ts';

/**
 * The service of `test/documents/changing/shed.yaml`, written from the document alone. One fault can be planted in it
 * at a time.
 */

/** A fault against what the document states. */
export const faults = [
  'a price of 99 is taken',
  'a price of 99 is taken on change',
  'a price of 100 is refused',
  'guests borrow for long',
  'guests borrow for 20 days at most but one',
  'nobody borrows for long',
  'guests may have it prolonged',
  'a loan does not lend the tool',
  'a loan loses the tool',
  'a loan of a lent tool is made',
  'a loan of a lent tool is kept though refused',
  'a loan of a lent tool is 422',
  'a loan lends every tool',
  'ending does not bring the tool back',
  'ending brings every tool back',
  'ending ends every loan',
  'an ended loan is ended again',
  'the borrower is changed',
  'the same borrower is refused',
  'the tool is changed',
  'the code is always written',
  'the code is never written',
  'the code is written from ten days on',
  'the code is left out of account',
  'lost tools are found',
  'lost tools are lost again',
  'a shelf is made twice',
  'a shelf that matches is 201',
  'a new shelf is 200',
  'another shelf matches',
  'another shelf is put in its place',
  'another label matches',
  'a label left out matches',
  'a default given does not match',
  'a default left out does not match',
  'a refused shelf is changed',
  'a refused shelf is 409',
  'a shelf that matches is made anew',
  'a box is made twice',
  'a box keeps what is not given',
  'a box keeps its label',
  'a box forgets its default',
  'a box that is there is opened',
  'a box that is there is not changed',
  'a box that is changed is 202',
  'a box that is not changed is 200',
  'a box that is not changed is 201',
  'a hook loses what is not given',
  'a hook takes its default again',
  'a hook that is there is not changed',
  'a hook that is there is 201',
  'a peg is made twice',
  'a peg that is there is changed',
  'a peg that is there is refused',
  'a peg that is there is 201',
  'a peg that is there is shown as given',
  'a card keeps its note',
  'a card keeps its weight',
  'a card loses its origin',
  'a card takes another origin',
  'a card counts from the start',
  'a card is not counted',
  'a card that is not changed is counted',
  'a card that is not changed is 200',
  'a card needs no title',
  'a card that is gone is made anew',
  'removing a card that is gone is refused',
  'removing a card that is gone is 204',
  'removing a card is 200',
  'removing removes nothing',
  'fading fades all',
  'fading fades none',
  'fading fades one',
  'fading begins at 20',
  'fading begins at 22',
  'fading changes the weight',
  'fading is not counted',
  'fading counts all',
] as const;

export type Fault = (typeof faults)[number];

type Fits = (value: unknown) => boolean;
type Kept = Map<string, Values>;

const isText =
  (least: number, most: number, pattern?: RegExp): Fits =>
  (value) =>
    typeof value === 'string' &&
    [...value].length >= least &&
    [...value].length <= most &&
    (pattern?.test(value) ?? true);
const isWhole =
  (least: number, most: number): Fits =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const isOneOf =
  (...values: readonly string[]): Fits =>
  (value) =>
    values.includes(value as string);

const furniture = {
  colour: isOneOf('red', 'green', 'blue'),
  height: isWhole(1, 9),
  label: isText(0, 20),
};
const isCode = isText(3, 40, /^[a-z]+$/);

const refuse = (status: number, code: string): Refused => new Refused({ status, body: { code } });

/** Refuses members that do not fit, that are not known, or that are missing. */
function check(given: Values, fits: Readonly<Record<string, Fits>>, required: readonly string[] = []): void {
  const wrong = Object.entries(given).some(([name, value]) => !fits[name]?.(value));
  if (wrong || required.some((name) => given[name] === undefined)) throw refuse(422, 'invalid');
}

function alike(a: Values, b: Values): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}

export async function startShed(fault: Fault | null = null): Promise<Running> {
  const has = (name: Fault): boolean => fault === name;
  const [tools, loans, shelves, boxes, hooks, pegs, cards]: Kept[] = Array.from(
    { length: 7 },
    () => new Map(),
  );
  const of = (kept: Kept | undefined, id: string | undefined): Values => {
    const found = kept?.get(id ?? '');
    if (found === undefined) throw refuse(404, 'unknown');
    return found;
  };
  const wrongState = (): Refused => refuse(409, 'wrong_state');

  const isPrice =
    (isNew: boolean): Fits =>
    (value) => {
      if (!isWhole(0, 1000)(value)) return false;
      if (has('a price of 100 is refused') && value === 100) return false;
      const lenient = has('a price of 99 is taken') || (has('a price of 99 is taken on change') && !isNew);
      return value === 199 ? false : value !== 99 || lenient;
    };

  const toolEndpoints: Endpoint[] = [
    endpoint('POST', '/tools', ({ given }) => {
      check(given, { name: isText(1, 40), price: isPrice(true) }, ['name', 'price']);
      return made(tools as Kept, { id: randomUUID(), ...given, place: 'in' });
    }),
    endpoint('PATCH', '/tools/{id}', ({ path: [id], given }) => {
      const tool = of(tools, id);
      check(given, { name: isText(1, 40), price: isPrice(false) });
      return changed(tools as Kept, { ...tool, ...given });
    }),
    endpoint('POST', '/tools/{id}/lose', ({ path: [id] }) => {
      const tool = of(tools, id);
      if (tool['place'] === 'lost' && !has('lost tools are lost again')) throw wrongState();
      return changed(tools as Kept, { ...tool, place: 'lost' });
    }),
  ];

  const judgeDays = (borrower: unknown, days: unknown, isNew: boolean): void => {
    if (days === undefined) return;
    const most = has('guests borrow for 20 days at most but one') ? 19 : 20;
    const isGuest = borrower === 'guest' || has('nobody borrows for long');
    const lenient = has('guests borrow for long') || (has('guests may have it prolonged') && !isNew);
    if (Number(days) > most && isGuest && !lenient) throw refuse(422, 'invalid');
  };

  const moveTool = (id: unknown, from: string, to: string): void => {
    const tool = tools?.get(id as string);
    if (tool === undefined) return;
    const lets =
      tool['place'] === from ||
      (to === 'lent' && has('a loan of a lent tool is made')) ||
      (tool['place'] === 'lost' && has('lost tools are found'));
    if (!lets) throw refuse(has('a loan of a lent tool is 422') ? 422 : 409, 'wrong_state');
    tools?.set(tool['id'] as string, { ...tool, place: to });
  };

  const loanEndpoints: Endpoint[] = [
    endpoint('POST', '/loans', ({ given }) => {
      const fits = { tool: isText(36, 36), borrower: isText(1, 1e9), days: isWhole(1, 30) };
      check(given, fits, ['tool', 'borrower']);
      if (!tools?.has(given['tool'] as string)) throw refuse(422, 'invalid');
      judgeDays(given['borrower'], given['days'], true);
      const loan: Values = { id: randomUUID(), days: 7, ...given, stage: 'running' };
      if (has('a loan of a lent tool is kept though refused')) loans?.set(loan['id'] as string, loan);
      if (!has('a loan does not lend the tool'))
        moveTool(given['tool'], 'in', has('a loan loses the tool') ? 'lost' : 'lent');
      if (has('a loan lends every tool'))
        for (const tool of tools?.values() ?? [])
          tools?.set(tool['id'] as string, { ...tool, place: 'lent' });
      return made(loans as Kept, loan);
    }),
    endpoint('PATCH', '/loans/{id}', ({ path: [id], given }) => {
      const loan = of(loans, id);
      const least = has('the code is written from ten days on') ? 10 : 11;
      const mayCode =
        has('the code is always written') ||
        (Number(loan['days']) >= least && !has('the code is never written'));
      const { code, ...others } = given;
      const drops = !mayCode && has('the code is left out of account') && isOneOf('red', 'blue')(code);
      const taken = drops ? others : given;
      check(taken, {
        days: isWhole(1, 30),
        borrower: (value) =>
          has('the borrower is changed')
            ? isText(1, 1e9)(value)
            : value === loan['borrower'] && !has('the same borrower is refused'),
        ...(mayCode && { code: isOneOf('red', 'blue') }),
        ...(has('the tool is changed') && { tool: isText(36, 36) }),
      });
      judgeDays(loan['borrower'], given['days'], false);
      return changed(loans as Kept, { ...loan, ...taken });
    }),
    endpoint('POST', '/loans/{id}/end', ({ path: [id] }) => {
      const loan = of(loans, id);
      if (loan['stage'] !== 'running' && !has('an ended loan is ended again')) throw wrongState();
      const brings = has('ending brings every tool back')
        ? [...(tools?.values() ?? [])].filter((tool) => tool['place'] === 'lent').map((tool) => tool['id'])
        : has('ending does not bring the tool back') || loan['stage'] !== 'running'
          ? []
          : [loan['tool']];
      for (const tool of brings) moveTool(tool, 'lent', 'in');
      if (has('ending ends every loan'))
        for (const one of loans?.values() ?? []) loans?.set(one['id'] as string, { ...one, stage: 'ended' });
      return changed(loans as Kept, { ...loan, stage: 'ended' });
    }),
  ];

  const putShelf: Endpoint = endpoint('PUT', '/shelves/{code}', ({ path: [code = ''], given }) => {
    if (!isCode(code)) throw refuse(422, 'invalid');
    check(given, furniture, ['colour']);
    const shelf: Values = { code, height: 3, ...given, made: 1 };
    const there = shelves?.get(code);
    if (there === undefined) return made(shelves as Kept, shelf, has('a new shelf is 200') ? 200 : 201);
    if (has('a shelf is made twice')) return made(shelves as Kept, { ...shelf, code: `${code}x` });
    if (has('another shelf is put in its place')) return made(shelves as Kept, shelf, 200);
    const compared = has('another label matches') ? { ...shelf, label: there['label'] } : shelf;
    let isSame = alike({ label: undefined, ...compared }, { label: undefined, ...there });
    if (has('a label left out matches') && given['label'] === undefined)
      isSame = alike({ ...shelf, label: there['label'] }, there);
    if (has('a default given does not match') && given['height'] === 3) isSame = false;
    if (has('a default left out does not match') && given['height'] === undefined) isSame = false;
    if (!isSame && !has('another shelf matches')) {
      if (has('a refused shelf is changed')) shelves?.set(code, shelf);
      throw refuse(has('a refused shelf is 409') ? 409 : 412, 'other');
    }
    if (has('a shelf that matches is made anew')) shelves?.set(code, { ...there, made: 2 });
    return { status: has('a shelf that matches is 201') ? 201 : 200, body: there };
  });

  const boxEndpoints: Endpoint[] = [
    endpoint('PUT', '/boxes/{code}', ({ path: [code = ''], given }) => {
      if (!isCode(code)) throw refuse(422, 'invalid');
      check(given, furniture, ['colour']);
      const there = boxes?.get(code);
      const box: Values = { code, ...(!has('a box forgets its default') && { height: 3 }), ...given };
      if (there === undefined)
        return made(boxes as Kept, { ...box, height: given['height'] ?? 3, status: 'open' });
      if (has('a box is made twice'))
        return made(boxes as Kept, { ...box, code: `${code}x`, status: 'open' }, 200);
      if (has('a box that is there is not changed')) return { status: 200, body: there };
      const status = has('a box that is there is opened') ? 'open' : there['status'];
      const next: Values = has('a box keeps what is not given')
        ? { ...there, ...given }
        : {
            ...box,
            ...(has('a box keeps its label') &&
              there['label'] !== undefined && { label: given['label'] ?? there['label'] }),
            status,
          };
      const isSame = alike(next, there);
      boxes?.set(code, next);
      const same = has('a box that is not changed is 200')
        ? 200
        : has('a box that is not changed is 201')
          ? 201
          : 202;
      return { status: isSame ? same : has('a box that is changed is 202') ? 202 : 200, body: next };
    }),
    ...(['shut', 'open'] as const).map((name) =>
      endpoint('POST', `/boxes/{code}/${name}`, ({ path: [code] }) => {
        const box = of(boxes, code);
        if (box['status'] === name) throw wrongState();
        return changed(boxes as Kept, { ...box, status: name }, 'code');
      }),
    ),
  ];

  const putHook: Endpoint = endpoint('PUT', '/hooks/{code}', ({ path: [code = ''], given }) => {
    if (!isCode(code)) throw refuse(422, 'invalid');
    check(given, furniture, ['colour']);
    const there = hooks?.get(code);
    if (there === undefined) return made(hooks as Kept, { code, height: 3, ...given });
    const status = has('a hook that is there is 201') ? 201 : 200;
    if (has('a hook that is there is not changed')) return { status, body: there };
    const kept: Values = has('a hook loses what is not given') ? { code, height: 3 } : there;
    const next: Values = { ...kept, ...(has('a hook takes its default again') && { height: 3 }), ...given };
    hooks?.set(code, next);
    return { status, body: next };
  });

  const addPeg: Endpoint = endpoint('POST', '/pegs', ({ given }) => {
    check(given, { code: isCode, colour: furniture.colour }, ['colour', 'code']);
    const code = given['code'] as string;
    const there = pegs?.get(code);
    if (there === undefined) return made(pegs as Kept, given, 201, 'code');
    if (has('a peg that is there is refused')) throw refuse(422, 'invalid');
    if (has('a peg is made twice')) return made(pegs as Kept, { ...given, code: `${code}x` }, 200, 'code');
    if (has('a peg that is there is changed')) pegs?.set(code, given);
    const shown =
      has('a peg that is there is changed') || has('a peg that is there is shown as given') ? given : there;
    return { status: has('a peg that is there is 201') ? 201 : 200, body: shown };
  });

  const cardShape = { title: isText(1, 40), weight: isWhole(0, 50), note: isText(0, 40) };
  const cardEndpoints: Endpoint[] = [
    endpoint('POST', '/cards', ({ given }) => {
      check(given, { ...cardShape, origin: isOneOf('here', 'there') }, ['title']);
      return made(cards as Kept, { id: randomUUID(), weight: 5, ...given, faded: false, edits: 0 });
    }),
    endpoint('PUT', '/cards/{id}', ({ path: [id = ''], given }) => {
      const gone = cards?.has(id) === false && has('a card that is gone is made anew');
      const card = gone ? { id, title: '', weight: 5, faded: false, edits: 0 } : of(cards, id);
      const more = has('a card takes another origin') ? { origin: isOneOf('here', 'there') } : {};
      check(given, { ...cardShape, ...more }, has('a card needs no title') ? [] : ['title']);
      const { weight, note, origin, faded, edits, title } = card;
      const next: Values = {
        id,
        title,
        weight: has('a card keeps its weight') ? weight : 5,
        ...(has('a card keeps its note') && note !== undefined && { note }),
        ...(origin !== undefined && !has('a card loses its origin') && { origin }),
        ...given,
        faded,
        edits,
      };
      const isSame = alike(next, card);
      if (has('a card counts from the start')) next['edits'] = 0;
      if ((!isSame || has('a card that is not changed is counted')) && !has('a card is not counted'))
        next['edits'] = Number(next['edits']) + 1;
      cards?.set(id, next);
      return { status: isSame && !has('a card that is not changed is 200') ? 202 : 200, body: next };
    }),
    endpoint('DELETE', '/cards/{id}', ({ path: [id = ''] }) => {
      if (!cards?.has(id)) {
        if (has('removing a card that is gone is refused')) throw refuse(404, 'unknown');
        return { status: has('removing a card that is gone is 204') ? 204 : 200 };
      }
      if (!has('removing removes nothing')) cards.delete(id);
      return { status: has('removing a card is 200') ? 200 : 204 };
    }),
    endpoint('POST', '/fade', () => {
      const least = has('fading begins at 20') ? 20 : has('fading begins at 22') ? 22 : 21;
      let count = 0;
      for (const card of cards?.values() ?? []) {
        const fades = Number(card['weight']) >= least || has('fading fades all');
        const skips = has('fading fades none') || (has('fading fades one') && count > 0);
        const isNew = card['faded'] !== true;
        if (has('fading counts all'))
          cards?.set(card['id'] as string, { ...card, edits: Number(card['edits']) + 1 });
        if (!fades || skips) continue;
        count += 1;
        cards?.set(card['id'] as string, {
          ...card,
          faded: true,
          ...(has('fading changes the weight') && { weight: 0 }),
          edits: Number(card['edits']) + (isNew && !has('fading is not counted') ? 1 : 0),
        });
      }
      return { status: 204 };
    }),
  ];

  const all = { tools, loans, shelves, boxes, hooks, pegs, cards };
  const readers = Object.entries(all).flatMap(([name, kept]) => {
    const key = ['tools', 'loans', 'cards'].includes(name) ? 'id' : 'code';
    return [
      endpoint('GET', `/${name}`, () => ({ status: 200, body: [...(kept?.values() ?? [])] })),
      endpoint('GET', `/${name}/{${key}}`, ({ path: [id] }) => ({ status: 200, body: of(kept, id) })),
    ];
  });

  /** What it is about is looked for before all else; what may not be there need not be. */
  const found = (one: Endpoint): Endpoint => {
    const [, name] = /^\/(\w+)\/\{/.exec(one.path) ?? [];
    if (name === undefined || one.method === 'PUT' || one.method === 'DELETE') return one;
    const answer: Endpoint['answer'] = (asked) => {
      of(all[name as keyof typeof all], asked.path[0]);
      return one.answer(asked);
    };
    return { ...one, answer };
  };

  return await startService(
    [
      ...toolEndpoints,
      ...loanEndpoints,
      putShelf,
      ...boxEndpoints,
      putHook,
      addPeg,
      ...cardEndpoints,
      ...readers,
    ].map(found),
    () => ({ status: 400, body: { code: 'unreadable' } }),
  );
}

/** An endpoint without parameters in its query. */
function endpoint(method: string, path: string, answer: Endpoint['answer']): Endpoint {
  const takesBody = ['POST', 'PUT', 'PATCH'].includes(method) && !/\/(lose|end|shut|open|fade)$/.test(path);
  return {
    method,
    path,
    takesBody,
    answer: (asked) => {
      if (asked.query.size > 0) throw refuse(422, 'invalid');
      return answer(asked);
    },
  };
}

function made(kept: Kept, item: Values, status = 201, key = 'code' in item ? 'code' : 'id'): Answered {
  kept.set(item[key] as string, item);
  return { status, body: item };
}

function changed(kept: Kept, item: Values, key = 'id'): Answered {
  kept.set(item[key] as string, item);
  return { status: 200, body: item };
}
