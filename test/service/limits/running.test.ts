import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Awaited } from '../../../src/service/access/proofs.ts';
import { send } from '../../../src/service/http/send.ts';
import type { Counter } from '../../../src/service/limits/counter.ts';
import { type CompiledLimits, compileLimits } from '../../../src/service/limits/limits.ts';
import { within } from '../../../src/service/limits/time.ts';
import type { Incoming } from '../../../src/service/message/incoming.ts';
import { bare, type Reply } from '../../../src/service/message/reply.ts';
import type { Deadline } from '../../../src/service/message/tally.ts';
import type { ServiceOptions } from '../../../src/service/service.ts';
import { openStore } from '../../../src/service/store/open.ts';
import type { Operation } from '../../../src/specification/model/operation.ts';
import { answer, ask, start as served, specificationOf, wire } from '../served.ts';

/** A service that counts by its own clock, wherever it keeps things. */
const start: typeof served = (text, options) => served(text, { counter: 'process', ...options });

/** Work that a function does, of which the test says how long it takes and when it is done. */
const works = (limits: string, items = 0): string => `name: works
resources:
  Note: { identifier: id, fields: { id: { type: string } }, items: [${Array.from({ length: items }, (_, n) => `{ id: i${n} }`)}] }
endpoints:
  others: refuse
  POST /work: { operation: work, does: { handled: work, may: [create Note] }, request: { headers: { X-Team: { type: string } } }, response: 204 }
  POST /notes: { operation: make, does: create Note, request: { body: Note }, response: 201 }
  GET /notes: { operation: list, does: list Note, response: { status: 200, body: "\${Note(page.items)}" } }
  GET /other: { operation: other, does: (none), response: 204 }
errors:
  payload: { body: { code: "\${error.code}", of: "\${request.url}" } }
  codes:
    busy: { when: rate exceeded busy, status: 429 }
    slow: { when: timed out, status: 504 }
limits:
  ${limits}
`;

/** A function that is under way until it is told to go on. */
function held() {
  const waiting: (() => void)[] = [];
  let begun = 0;
  const work = async ({ tx }: { tx: { create: { Note: (members: object) => void } } }): Promise<null> => {
    begun += 1;
    const id = `n${begun}`;
    await new Promise<void>((resolve) => waiting.push(resolve));
    tx.create.Note({ id });
    return null;
  };
  const under = async (count: number): Promise<void> => {
    while (waiting.length < count) await setImmediate();
  };
  const goOn = (): void => {
    for (const one of waiting.splice(0)) one();
  };
  return { handlers: { work } as unknown as NonNullable<ServiceOptions['handlers']>, under, goOn };
}

const busy = (of = '/work') => answer(429, { code: 'busy', of });
const slow = (of = '/work') => answer(504, { code: 'slow', of });

describe('what may run at once (language §8.2)', () => {
  it('is refused beyond, and let in again when one is answered', async () => {
    const { handlers, under, goOn } = held();
    const service = await start(works('concurrency: { busy: { allow: 2, per: (none) } }'), { handlers });
    const post = () => ask(service, 'POST /work');
    const first = [post(), post()];
    await under(2);
    expect(await post()).toEqual(busy());
    expect(await ask(service, 'GET /other')).toEqual(busy('/other'));
    goOn();
    expect(await Promise.all(first)).toEqual([answer(204), answer(204)]);
    expect(await ask(service, 'GET /other')).toEqual(answer(204));
    const second = [post(), post()];
    await under(2);
    expect(await post()).toEqual(busy());
    goOn();
    await Promise.all(second);
  });

  it('is counted for the operations that it names, and apart for each of whom an expression tells', async () => {
    const { handlers, under, goOn } = held();
    const service = await start(
      works('concurrency: { busy: { allow: 1, per: "${request.headers[\'X-Team\']}", operations: [work] } }'),
      { handlers },
    );
    const post = (...team: string[]) =>
      ask(
        service,
        'POST /work',
        undefined,
        team.map((one) => `X-Team: ${one}`),
      );
    const running = [post('red')];
    await under(1);
    expect(await post('red')).toEqual(busy());
    running.push(post('blue'));
    await under(2);
    expect(await ask(service, 'GET /other')).toEqual(answer(204));
    running.push(post(), post());
    await under(4);
    goOn();
    expect(await Promise.all(running)).toEqual([answer(204), answer(204), answer(204), answer(204)]);
  });

  it('lets changes that are made together in one after the other', async () => {
    const service = await start(works('concurrency: { busy: { allow: 3, per: (none) } }'));
    const made = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((id) => ask(service, 'POST /notes', { id })),
    );
    const refused = made.filter(({ status }) => status === 429).length;
    const { body } = await ask(service, 'GET /notes');
    expect((body as unknown[]).length).toBe(5 - refused);
    expect((await ask(service, 'GET /notes')).status).toBe(200);
  });

  it('runs as long as a list is sent, and no longer where nobody reads it', async () => {
    const { open, sending, goOn } = slowly();
    const service = await start(
      works('concurrency: { busy: { allow: 1, per: (none), operations: [list] } }', 1001),
      {
        open,
      },
    );
    const reading = ask(service, 'GET /notes');
    await sending();
    expect(await ask(service, 'GET /notes')).toEqual(busy('/notes'));
    goOn();
    expect(await reading).toMatchObject({ status: 200 });
    expect(await ask(service, 'HEAD /notes')).toMatchObject({ status: 200 });
    const cut = wire(service);
    cut.send('GET /notes HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await sending();
    cut.socket.destroy();
    goOn();
    let status = 429;
    while (status === 429) ({ status } = await ask(service, 'HEAD /notes'));
    expect(status).toBe(200);
  });

  it('is over where nobody is there any more to be sent the list', () => {
    let ended = 0;
    const unsent = (): void => {
      ended += 1;
    };
    const body = {
      chunks: async function* () {
        yield '';
      },
      unsent,
    };
    const gone = { destroyed: true } as ServerResponse;
    expect(send(gone, { status: 200, headers: [], body }, false, 0)).toBeUndefined();
    expect(ended).toBe(1);
  });

  it('is not counted while it is open how many, or whose', async () => {
    for (const open of ['{ per: (none) }', '{ allow: 1 }']) {
      const { handlers, under, goOn } = held();
      const service = await start(works(`concurrency: { busy: ${open} }`), { handlers });
      const running = [ask(service, 'POST /work'), ask(service, 'POST /work')];
      await under(2);
      goOn();
      await Promise.all(running);
    }
  });
});

describe('how long a request may take (language §8.3, times)', () => {
  it('what overruns is undone, and told as soon as the time has passed', async () => {
    const { handlers, under, goOn } = held();
    // A clock that stands still: it is the timer that tells.
    const service = await start(works('times: { request: PT0.05S }'), { handlers, milliseconds: () => 0 });
    const late = ask(service, 'POST /work');
    await under(1);
    expect(await late).toEqual(slow());
    goOn();
    await setImmediate();
    expect(await ask(service, 'GET /notes')).toEqual(answer(200, []));
  });

  it('what overruns while it is asked whether it may run leaves no place taken', async () => {
    const entering = Promise.withResolvers<() => void>();
    let ended = 0;
    const asked: Counter = {
      isShared: true,
      take: () => [],
      enter: () => entering.promise,
      close: () => {},
    };
    const { judges, around } = compileLimits(
      ...limitsOf('{ concurrency: { busy: { allow: 1, per: (none) } }, times: { request: PT0.01S } }', asked),
    ) as CompiledLimits;
    const frame = () => ({ names: {} }) as never;
    const answering = around(
      async (incoming) => {
        try {
          judges[0]?.refuses({ incoming, frame });
        } catch (error) {
          await (error as Awaited).work();
        }
        return bare(204);
      },
      () => bare(504),
    );
    expect(await answering({} as Incoming, null)).toEqual(bare(504));
    entering.resolve(() => {
      ended += 1;
    });
    await setImmediate();
    expect(ended).toBe(1);
  });

  it('what was answered as late does not stand, and what was decided in time is waited for', async () => {
    const gate = Promise.withResolvers<void>();
    let stands: boolean | null = null;
    const late = async (deadline: Deadline): Promise<Reply> => {
      await gate.promise;
      stands = deadline.settles();
      return bare(204);
    };
    expect(
      await within(
        5,
        () => 0,
        late,
        () => bare(504),
      ),
    ).toEqual(bare(504));
    gate.resolve();
    await setImmediate();
    expect(stands).toBe(false);
    const slowToCommit = async (deadline: Deadline): Promise<Reply> => {
      expect(deadline.settles()).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return bare(204);
    };
    expect(
      await within(
        5,
        () => 0,
        slowToCommit,
        () => bare(504),
      ),
    ).toEqual(bare(204));
  });

  it('what is done only when its time has passed is undone', async () => {
    let now = 0;
    const handlers = {
      work: ({ tx }: { tx: { create: { Note: (members: object) => void } } }) => {
        tx.create.Note({ id: 'a' });
        now += 10_000;
        return null;
      },
    } as unknown as NonNullable<ServiceOptions['handlers']>;
    const milliseconds = () => now;
    const late = await start(works('times: { request: PT10S }'), { handlers, milliseconds });
    expect(await ask(late, 'POST /work')).toEqual(slow());
    expect(await ask(late, 'GET /notes')).toEqual(answer(200, []));
    const inTime = await start(works('times: { request: PT10.001S }'), { handlers, milliseconds });
    expect(await ask(inTime, 'POST /work')).toEqual(answer(204));
    expect(await ask(inTime, 'GET /notes')).toEqual(answer(200, [{ id: 'a' }]));
  });

  it('is stated for an operation in place of any, or not at all', async () => {
    let now = 0;
    const handlers = {
      work: () => {
        now += 5000;
      },
    } as unknown as NonNullable<ServiceOptions['handlers']>;
    const milliseconds = () => now;
    const status = async (times: string) =>
      (await ask(await start(works(`times: ${times}`), { handlers, milliseconds }), 'POST /work')).status;
    expect(await status('{ request: PT1S, operations: { work: PT9S } }')).toBe(204);
    expect(await status('{ request: PT9S, operations: { work: PT1S } }')).toBe(504);
    expect(await status('{ request: PT1S, operations: { work: (none) } }')).toBe(204);
    expect(await status('{ request: PT1S, operations: { list: PT9S } }')).toBe(504);
    expect(await status('{ operations: { list: PT1S } }')).toBe(204);
  });

  it('stands in place of how long the host waits for a function', async () => {
    const { handlers, under, goOn } = held();
    const service = await start(works('times: { request: PT30S }'), {
      handlers,
      limits: { handlerTimeoutMs: 1 },
    });
    const running = ask(service, 'POST /work');
    await under(1);
    expect(await ask(service, 'GET /other')).toEqual(answer(204));
    goOn();
    expect(await running).toEqual(answer(204));
  });

  it('is answered by the floor where no row lists it', async () => {
    const { handlers } = held();
    const service = await start(works('times: { request: PT0.01S }').replace(/ {4}slow.*\n/, ''), {
      handlers,
    });
    expect(await ask(service, 'POST /work')).toEqual(answer(500));
  });

  it('a list that takes longer is ended, so that it does not pass for whole', async () => {
    let now = 0;
    const { open, sending, goOn } = slowly();
    const service = await start(works('times: { request: PT1S }', 1001), { open, milliseconds: () => now });
    const reading = wire(service);
    reading.send('GET /notes HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await sending();
    now += 1000;
    goOn();
    const { text } = await reading.rest();
    expect(text).not.toContain(']');
    expect(service.faults).toHaveLength(1);
  });
});

/** What it takes to compile the limits of an operation. */
function limitsOf(limits: string, counter: Counter): Parameters<typeof compileLimits> {
  const specification = specificationOf(
    `name: x\nendpoints: { GET /: { does: (none), response: 204 } }\nlimits: ${limits}`,
  );
  const [operation] = specification.operations;
  const around = { counter, milliseconds: () => 0, fault: () => {} };
  return [specification, operation as Operation, around, {} as never, false];
}

/** A store whose long lists wait to be told to go on. */
function slowly() {
  let goOn = (): void => {};
  let isSending = false;
  const open: ServiceOptions['open'] = async (place, tables) => {
    const store = await openStore(place, tables);
    const slow = async function* (whole: ReturnType<typeof store.stream>) {
      isSending = true;
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      yield* whole;
    };
    return { ...store, stream: (...asked) => slow(store.stream(...asked)) };
  };
  return {
    open,
    sending: async () => {
      while (!isSending) await setImmediate();
      isSending = false;
    },
    goOn: () => goOn(),
  };
}
