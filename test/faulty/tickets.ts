import { randomUUID } from 'node:crypto';
import type { Running } from '../listening.ts';
import { type Answered, type Endpoint, Refused, startService, type Values } from './floor.ts';

/**
 * The service of `test/documents/changing/tickets.yaml`, written from the document alone. One fault can be planted in
 * it at a time.
 */

/** A fault against what the document states. */
export const faults = [
  'a new ticket is open',
  'what is urgent begins as new',
  'billing begins as billed',
  'take does not move',
  'take leads to waiting',
  'take leads out of closed, too',
  'take is taken twice',
  'ask leads out of new, too',
  'reply is answered in open',
  'close leads out of new, too',
  'close leads not out of waiting',
  'close has no guard',
  'the guard of close is off by one',
  'the guard of close wants three',
  'close without hours is allowed',
  'close does not set closedAt',
  'close sets closedAt in its answer alone',
  'reply does not set answer',
  'reply sets another answer',
  'reopen does not clear closedAt',
  'reopen looks at the reason alone',
  'reopen looks at the urgency alone',
  'reopen is always allowed',
  'archive needs no payment',
  'archive is not final',
  'discard keeps the ticket',
  'discard keeps it for whoever reads it',
  'discard leads out of open, too',
  'discard closes it',
  'bill needs no closing',
  'billed is paid by itself',
  'pay leads out of unbilled, too',
  'paid is waived',
  'waive is refused',
  'a refused move is made',
  'a refused move sets closedAt',
  'a refused guard moves it',
  'a refused move is 200',
  'a refused move is 400',
  'a refused guard is 409',
  'a refused guard has another code',
  'a move touches another ticket',
  'a move changes the title',
  'a move resets the hours',
  'a move is not counted',
  'a change is not counted',
  'every change is counted twice',
  'what changes nothing is counted',
  'what changes nothing is 200',
  'what changes something is 202',
  'a read is counted',
  'channel is written later',
  'channel is ignored',
  'status is written',
  'the first invariant is not kept on creation',
  'the first invariant is not kept on change',
  'the first invariant begins at 40',
  'the first invariant is for four, too',
  'the second invariant is not kept',
  'the second invariant begins at 5',
  'a broken invariant is 422',
  'a broken invariant is kept all the same',
  'urgent notes are missing',
  'urgent notes begin at five',
  'urgent notes are for all',
  'urgent notes are written though refused',
  'urgent notes name no ticket',
  'urgent notes are of another kind',
  'questions are missing',
  'one question is missing',
  'questions come twice',
  'questions are joined',
  'questions are seen from the start',
  'a reply sees no question',
  'a reply sees every note',
  'a reply sees one question',
  'closing notes are missing',
  'closing notes come twice',
  'closing notes are written though refused',
  'closing notes are empty',
  'discard keeps the notes',
  'discard takes all notes',
  'waiting lapses at once',
  'a key with a quotation mark fails',
] as const;

export type Fault = (typeof faults)[number];

interface Ticket extends Values {
  id: string;
  title: string;
  urgency: number;
  hours?: number;
  status: string;
  billing: string;
  closedAt: string | null;
  changes: number;
}

interface Note extends Values {
  id: string;
  ticket: string;
  kind: string;
  text: string;
  seen: boolean;
}

const moves: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string | null }>> = {
  take: { from: ['new'], to: 'open' },
  ask: { from: ['open'], to: 'waiting' },
  reply: { from: ['waiting'], to: 'open' },
  close: { from: ['open', 'waiting'], to: 'closed' },
  reopen: { from: ['closed'], to: 'open' },
  archive: { from: ['closed'], to: 'archived' },
  discard: { from: ['new', 'closed'], to: null },
};

const billings: readonly (readonly [string, string])[] = [
  ['unbilled', 'billed'],
  ['billed', 'paid'],
  ['billed', 'unbilled'],
];

export async function startTickets(fault: Fault | null = null): Promise<Running> {
  const has = (name: Fault): boolean => fault === name;
  const tickets = new Map<string, Ticket>();
  const gone = new Map<string, Ticket>();
  const notes = new Map<string, Note>();
  const now = (): string => new Date().toISOString();

  const refuse = (status: number, code: string): Refused => new Refused({ status, body: { code } });
  const invalid = (): Refused => refuse(422, 'invalid');
  const show = (ticket: Ticket): Answered['body'] => ({ ...ticket });

  const check = (
    given: Values,
    fits: Record<string, (value: unknown) => boolean>,
    required: readonly string[],
  ): void => {
    const wrong = Object.entries(given).some(([name, value]) => !fits[name]?.(value));
    if (wrong || required.some((name) => given[name] === undefined)) throw invalid();
  };
  const isText = (least: number, most: number) => (value: unknown) =>
    typeof value === 'string' && [...value].length >= least && [...value].length <= most;
  const isWhole = (least: number, most: number) => (value: unknown) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  const shapes: Record<string, (value: unknown) => boolean> = {
    title: isText(1, 80),
    urgency: isWhole(1, 5),
    hours: isWhole(0, 100),
    billing: (value) => typeof value === 'string',
  };
  const isChannel = (value: unknown): boolean => ['web', 'phone', 'letter'].includes(value as string);

  /** The invariants, judged of a ticket as it would be. */
  const judge = (ticket: Ticket, isNew: boolean): void => {
    const { urgency, hours, billing } = ticket;
    const urgent = urgency === 5 || (has('the first invariant is for four, too') && urgency === 4);
    const most = has('the first invariant begins at 40') ? 39 : 40;
    const skipped = isNew
      ? has('the first invariant is not kept on creation')
      : has('the first invariant is not kept on change');
    const long = urgent && hours !== undefined && hours > most && !skipped;
    const free =
      billing !== 'unbilled' &&
      (hours ?? 0) < (has('the second invariant begins at 5') ? 5 : 4) &&
      !has('the second invariant is not kept');
    if (!long && !free) return;
    if (has('a broken invariant is kept all the same')) tickets.set(ticket.id, ticket);
    throw refuse(has('a broken invariant is 422') ? 422 : 412, 'contrary');
  };

  const note = (ticket: Ticket, kind: string, text: string): void => {
    const id = randomUUID();
    const of = has('urgent notes name no ticket') && kind === 'urgent' ? '' : ticket.id;
    const named = has('urgent notes are of another kind') && kind === 'urgent' ? 'closing' : kind;
    const seen = has('questions are seen from the start') && kind === 'question';
    notes.set(id, { id, ticket: of, kind: named, text, seen });
  };

  const ticketOf = (id: string | undefined): Ticket => {
    if (has('a key with a quotation mark fails') && id?.includes("'")) throw refuse(500, 'gone');
    const found = tickets.get(id ?? '');
    if (found === undefined) throw refuse(404, 'gone');
    return found;
  };
  const noQuery = (query: URLSearchParams): void => {
    if (query.size > 0) throw invalid();
  };

  const guard = (name: string, { hours, urgency, billing }: Ticket, given: Values): boolean => {
    if (name === 'close') {
      if (has('close has no guard')) return true;
      if (hours === undefined) return has('close without hours is allowed');
      const least = has('the guard of close is off by one')
        ? 1
        : has('the guard of close wants three')
          ? 3
          : 2;
      return hours >= least;
    }
    if (name === 'reopen') {
      const [byReason, byUrgency] = [given['reason'] === 'mistake', urgency > 2];
      if (has('reopen is always allowed')) return true;
      if (has('reopen looks at the reason alone')) return byReason;
      return has('reopen looks at the urgency alone') ? byUrgency : byReason || byUrgency;
    }
    return name !== 'archive' || billing === 'paid' || has('archive needs no payment');
  };

  /** Whether a fault lets a transition lead out of a state. */
  const alsoFrom = (name: string, state: string): boolean =>
    (name === 'take' && state === 'closed' && has('take leads out of closed, too')) ||
    (name === 'take' && state === 'open' && has('take is taken twice')) ||
    (name === 'ask' && state === 'new' && has('ask leads out of new, too')) ||
    (name === 'reply' && state === 'open' && has('reply is answered in open')) ||
    (name === 'close' && state === 'new' && has('close leads out of new, too')) ||
    (name === 'reopen' && state === 'archived' && has('archive is not final')) ||
    (name === 'discard' && state === 'open' && has('discard leads out of open, too'));

  const before = (ticket: Ticket, name: string): void => {
    if (name === 'take' && has('urgent notes are written though refused') && ticket.urgency >= 4)
      note(ticket, 'urgent', ticket.title);
    if (name === 'close' && has('closing notes are written though refused'))
      note(ticket, 'closing', ticket.title);
  };

  const move = (ticket: Ticket, name: string, given: Values): Ticket | null => {
    const { from, to } = moves[name] as { from: readonly string[]; to: string | null };
    const lets = from.includes(ticket.status) || alsoFrom(name, ticket.status);
    const barred = name === 'close' && ticket.status === 'waiting' && has('close leads not out of waiting');
    if (!lets || barred) {
      before(ticket, name);
      if (has('a refused move is made') && to !== null) tickets.set(ticket.id, { ...ticket, status: to });
      if (has('a refused move sets closedAt')) tickets.set(ticket.id, { ...ticket, closedAt: now() });
      throw refuse(
        has('a refused move is 200') ? 200 : has('a refused move is 400') ? 400 : 409,
        'wrong_state',
      );
    }
    if (!guard(name, ticket, given)) {
      before(ticket, name);
      if (has('a refused guard moves it') && to !== null) tickets.set(ticket.id, { ...ticket, status: to });
      throw refuse(
        has('a refused guard is 409') ? 409 : 423,
        has('a refused guard has another code') ? 'no' : 'not_yet',
      );
    }
    if (to === null) return discard(ticket);
    const moved: Ticket = {
      ...ticket,
      status: to,
      changes: ticket.changes + (has('a move is not counted') ? 0 : 1),
    };
    if (has('every change is counted twice')) moved.changes += 1;
    if (name === 'take' && has('take does not move')) moved.status = 'new';
    if (name === 'take' && has('take leads to waiting')) moved.status = 'waiting';
    if (name === 'close' && !has('close does not set closedAt')) moved.closedAt = now();
    if (name === 'reply' && !has('reply does not set answer'))
      moved['answer'] = has('reply sets another answer') ? 'thank you' : given['text'];
    if (name === 'reopen' && !has('reopen does not clear closedAt')) moved.closedAt = null;
    if (has('a move changes the title')) moved.title = `${moved.title}!`;
    if (has('a move resets the hours')) delete moved.hours;
    const [other] = [...tickets.values()].filter((one) => one.id !== ticket.id);
    if (has('a move touches another ticket') && other) tickets.set(other.id, { ...other, status: to });
    judge(moved, false);
    const keptAs =
      name === 'close' && has('close sets closedAt in its answer alone')
        ? { ...moved, closedAt: null }
        : moved;
    tickets.set(
      ticket.id,
      name === 'ask' && has('waiting lapses at once') ? { ...keptAs, status: 'closed' } : keptAs,
    );
    return moved;
  };

  const discard = (ticket: Ticket): null => {
    if (has('discard closes it')) {
      tickets.set(ticket.id, { ...ticket, status: 'closed' });
      return null;
    }
    if (!has('discard keeps the ticket')) tickets.delete(ticket.id);
    gone.set(ticket.id, ticket);
    const own = [...notes.values()].filter((one) => one.ticket === ticket.id);
    const removed = has('discard takes all notes') ? [...notes.values()] : own;
    if (!has('discard keeps the notes')) for (const { id } of removed) notes.delete(id);
    return null;
  };

  /** What follows a transition that was made. */
  const also = (name: string, ticket: Ticket, given: Values): void => {
    if (name === 'take' && !has('urgent notes are missing')) {
      const least = has('urgent notes are for all') ? 1 : has('urgent notes begin at five') ? 5 : 4;
      if (ticket.urgency >= least) note(ticket, 'urgent', ticket.title);
    }
    if (name === 'ask' && !has('questions are missing')) {
      let questions = given['questions'] as string[];
      if (has('one question is missing')) questions = questions.slice(1);
      if (has('questions come twice')) questions = [...questions, ...questions];
      if (has('questions are joined') && questions.length > 1) questions = [questions.join(' ')];
      for (const question of questions) note(ticket, 'question', question);
    }
    if (name === 'reply' && !has('a reply sees no question')) {
      const touched = [...notes.values()].filter(
        (one) => one.kind === 'question' || has('a reply sees every note'),
      );
      for (const one of has('a reply sees one question') ? touched.slice(-1) : touched)
        notes.set(one.id, { ...one, seen: true });
    }
    if (name === 'close' && !has('closing notes are missing'))
      for (let i = has('closing notes come twice') ? 2 : 1; i > 0; i--)
        note(ticket, 'closing', has('closing notes are empty') ? '' : ticket.title);
  };

  const create = (given: Values): Answered => {
    check(given, { ...shapes, channel: isChannel }, ['title']);
    const urgency = (given['urgency'] as number | undefined) ?? 3;
    const ticket: Ticket = {
      id: randomUUID(),
      title: given['title'] as string,
      urgency,
      ...(given['hours'] !== undefined && { hours: given['hours'] as number }),
      ...(given['channel'] !== undefined && !has('channel is ignored') && { channel: given['channel'] }),
      status: urgency === 5 && !has('what is urgent begins as new') ? 'open' : 'new',
      billing: has('billing begins as billed') ? 'billed' : 'unbilled',
      openedAt: now(),
      closedAt: null,
      changes: 0,
    };
    if (has('a new ticket is open')) ticket.status = 'open';
    judge(ticket, true);
    tickets.set(ticket.id, ticket);
    return { status: 201, body: show(ticket) };
  };

  const change = (ticket: Ticket, given: Values): Answered => {
    const { channel } = given;
    const writes = has('channel is written later') && channel !== undefined;
    const further = {
      ...(writes && { channel: isChannel }),
      ...(has('status is written') && { status: () => true }),
    };
    check(given, { ...shapes, ...further }, []);
    const to = given['billing'];
    const from = ticket.billing;
    if (to !== undefined && to !== from) {
      const lets =
        billings.some(([a, b]) => a === from && b === to) ||
        (has('pay leads out of unbilled, too') && from === 'unbilled' && to === 'paid') ||
        (has('paid is waived') && from === 'paid' && to === 'unbilled');
      if (!lets || (has('waive is refused') && to === 'unbilled' && from === 'billed'))
        throw refuse(409, 'wrong_state');
      if (to === 'billed' && ticket.status !== 'closed' && !has('bill needs no closing'))
        throw refuse(423, 'not_yet');
    }
    const changed = { ...ticket, ...given } as Ticket;
    if (to === 'billed' && from !== 'billed' && has('billed is paid by itself')) changed.billing = 'paid';
    const isSame = JSON.stringify(changed) === JSON.stringify(ticket);
    if (!isSame || has('what changes nothing is counted'))
      changed.changes += has('a change is not counted') ? 0 : has('every change is counted twice') ? 2 : 1;
    judge(changed, false);
    tickets.set(ticket.id, changed);
    const status = isSame
      ? has('what changes nothing is 200')
        ? 200
        : 202
      : has('what changes something is 202')
        ? 202
        : 200;
    return { status, body: show(changed) };
  };

  const movers = Object.keys(moves).map((name): Endpoint => {
    const shape: Record<string, (value: unknown) => boolean> = {
      questions: (value) =>
        Array.isArray(value) &&
        value.length <= 3 &&
        value.every((one) => typeof one === 'string' && one !== ''),
      text: isText(1, Number.POSITIVE_INFINITY),
      reason: (value) => value === 'mistake' || value === 'news',
    };
    const [needed] = { ask: ['questions'], reply: ['text'], reopen: ['reason'] }[name] ?? [];
    return {
      path: `/tickets/{id}/${name}`,
      method: 'POST',
      takesBody: needed !== undefined,
      answer: ({ path: [id], given, query }) => {
        const ticket = ticketOf(id);
        noQuery(query);
        if (needed) check(given, { [needed]: shape[needed] as (value: unknown) => boolean }, [needed]);
        const moved = move(ticket, name, given);
        also(name, moved ?? ticket, given);
        return moved === null || name === 'close' ? { status: 204 } : { status: 200, body: show(moved) };
      },
    };
  });

  return await startService(
    [
      {
        path: '/tickets',
        method: 'POST',
        takesBody: true,
        answer: ({ given, query }) => {
          noQuery(query);
          return create(given);
        },
      },
      {
        path: '/tickets',
        method: 'GET',
        answer: ({ query }) => {
          noQuery(query);
          return { status: 200, body: [...tickets.values()].map(show) };
        },
      },
      {
        path: '/tickets/{id}',
        method: 'GET',
        answer: ({ path: [id = ''], query }) => {
          const ghost = has('discard keeps it for whoever reads it') ? gone.get(id) : undefined;
          const ticket = ghost ?? ticketOf(id);
          noQuery(query);
          if (has('a read is counted')) tickets.set(id, { ...ticket, changes: ticket.changes + 1 });
          return { status: 200, body: show(ticket) };
        },
      },
      {
        path: '/tickets/{id}',
        method: 'PATCH',
        takesBody: true,
        answer: ({ path: [id], given, query }) => {
          const ticket = ticketOf(id);
          noQuery(query);
          return change(ticket, given);
        },
      },
      ...movers,
      {
        path: '/notes',
        method: 'GET',
        answer: ({ query }) => {
          noQuery(query);
          return { status: 200, body: [...notes.values()] };
        },
      },
    ],
    () => ({ status: 400, body: { code: 'unreadable' } }),
  );
}
