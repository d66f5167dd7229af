import { describe, expect, it } from 'vitest';
import { type Report, testService } from '../../src/conformance/run.ts';
import { type Answered, type Endpoint, startService } from '../faulty/floor.ts';
import { blamed, changed, specificationOf, violations } from './documents.ts';

/**
 * What others reported in public of testers that raised an alarm on what no document had stated: a document as silent
 * as theirs, and an implementation that does as theirs did.
 */
interface Thread {
  readonly thread: string;
  /** What the alarm was about. */
  readonly alarm: string;
  readonly document: string;
  readonly endpoints: readonly Endpoint[];
  readonly malformed?: Answered;
  /** They are violations once every list is closed and every other part is stated to be nothing. */
  readonly closes?: boolean;
  /** Checks that are not stated, by what they say, and the points that are to blame. */
  readonly silent: Readonly<Record<string, readonly string[]>>;
}

let made = 0;
const nextId = (): string => {
  made += 1;
  return String(made);
};

const threads: readonly Thread[] = [
  {
    thread: 'schemathesis #2906',
    closes: true,
    alarm:
      'a well-formed list of identifiers was refused with 400, which was on no list of what may be answered',
    document: `
name: Search
tacet: 1
resources: { Record: { identifier: id, fields: { id: { type: string } } } }
endpoints:
  GET /search/{ids}:
    does: list Record
    request: { path: { ids: { type: string, pattern: "^(DB|BR)[a-z0-9]{1,9}$" } } }
    response: { status: 200, body: { records: "\${Record(page.items)}" } }
errors: { codes: { invalid: { when: invalid, status: 400 } } }
`,
    endpoints: [
      {
        path: '/search/{ids}',
        method: 'GET',
        answer: () => ({ status: 400, body: { detail: 'no such database' } }),
      },
    ],
    silent: {
      'GET /search/{ids} succeeds': [
        'authentication',
        'limits',
        'versioning',
        'errors.codes.*',
        'endpoints["GET /search/{ids}"].*',
      ],
    },
  },
  {
    thread: 'schemathesis #3516',
    closes: true,
    alarm:
      'a request that fits its schema was answered 422, since a file that it is about could not be loaded',
    document: `
name: Models
tacet: 1
resources: { Model: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, file: { type: string, minLength: 1 } }, required: [file] } }
endpoints:
  POST /models: { does: create Model, request: { body: Model }, response: { status: 201, body: Model } }
errors: { codes: { invalid: { when: invalid, status: 422 } } }
`,
    endpoints: [
      {
        path: '/models',
        method: 'POST',
        takesBody: true,
        answer: () => ({ status: 422, body: { detail: 'error loading' } }),
      },
    ],
    silent: {
      'POST /models with every member succeeds': [
        'authentication',
        'limits',
        'versioning',
        'errors.codes.*',
        'endpoints["POST /models"].*',
        'states',
        'resources.Model.*',
        'resources.Model.fields.*',
        'resources.Model.fields.file.*',
      ],
    },
  },
  {
    thread: 'schemathesis #3696',
    closes: true,
    alarm:
      'a header field that its schema admits was refused with 400, though the document knows an answer with 400',
    document: `
name: Accounts
tacet: 1
endpoints:
  GET /me:
    does: (none)
    request: { headers: { X-Session: { type: string, required: true } } }
    response: { status: 204 }
errors: { codes: { unreadable: { when: malformed, status: 400 } } }
`,
    endpoints: [
      { path: '/me', method: 'GET', answer: () => ({ status: 400, body: { message: 'no session' } }) },
    ],
    silent: {
      'GET /me succeeds': [
        'authentication',
        'limits',
        'versioning',
        'errors.codes.*',
        'endpoints["GET /me"].*',
      ],
    },
  },
  {
    thread: 'schemathesis #2669',
    alarm:
      'a body that fits no schema was refused with 428, since no If-Match came, and not for what is wrong in the body',
    document: `
name: Configuration
tacet: 1
resources: { Config: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } }, title: { type: string, minLength: 1 } }, required: [title] } }
endpoints:
  POST /configs: { does: create Config, request: { body: Config }, response: { status: 201, body: Config } }
  PATCH /configs/{id}: { does: update Config, request: { body: Config }, response: { status: 200, body: Config } }
errors: { codes: { invalid: { when: invalid, status: 422 } } }
`,
    endpoints: [
      {
        path: '/configs',
        method: 'POST',
        takesBody: true,
        answer: ({ given }) =>
          typeof given['title'] === 'string' && given['title'] !== ''
            ? { status: 201, body: { id: nextId(), ...given } }
            : { status: 422 },
      },
      {
        path: '/configs/{id}',
        method: 'PATCH',
        takesBody: true,
        answer: () => ({ status: 428, body: { error: { code: 1428, message: 'If-Match is missing' } } }),
      },
    ],
    silent: {
      'PATCH /configs/{id} with title: "" is answered with the status of invalid': [
        'authentication',
        'versioning',
        'errors.codes.*',
        'endpoints["PATCH /configs/{id}"].*',
        'limits',
      ],
    },
  },
  {
    thread: 'schemathesis #4503',
    alarm: 'a method that a path with a parameter does not list was answered 404, and not 405',
    document: `
name: Shelf
tacet: 1
resources: { Book: { identifier: id, fields: { id: { type: string, set: { create: "\${uuid()}" } } } } }
endpoints:
  POST /books: { does: create Book, response: { status: 201, body: Book } }
  GET /books/{id}: { does: read Book, response: { status: 200, body: Book } }
errors: { codes: { none: { when: unknown Book, status: 404 } } }
`,
    endpoints: [
      { path: '/books', method: 'POST', answer: () => ({ status: 201, body: { id: nextId() } }) },
      { path: '/books/{id}', method: 'GET', answer: ({ path: [id] }) => ({ status: 200, body: { id } }) },
      ...['PUT', 'PATCH', 'DELETE'].map(
        (method): Endpoint => ({ path: '/books/{id}', method, answer: () => ({ status: 404 }) }),
      ),
    ],
    silent: {
      'PUT /books/{id}, which no endpoint has, is answered with the status of the floor': [
        'endpoints.*',
        'endpoints.protocol',
        'errors.codes.*',
        'limits',
        'versioning',
      ],
    },
  },
  {
    thread: 'thingifier #180',
    alarm: 'answers had bodies, and refusals 404 or 400, of which the document says nothing',
    document: `
name: Challenges
tacet: 1
resources: { Todo: { identifier: id, fields: { id: { set: { create: "\${uuid()}" } }, title: {}, doneStatus: {} } } }
endpoints:
  GET /challenges: { does: (none), response: { status: 200 } }
  POST /todos: { does: create Todo, request: { body: Todo }, response: { status: 201 } }
  GET /todos/{id}: { does: read Todo, response: { status: 200 } }
  PUT /database/{guid}: { does: (none), request: { body: { fields: { todos: {} } } }, response: { status: 204 } }
`,
    endpoints: [
      { path: '/challenges', method: 'GET', answer: () => ({ status: 200, body: { challenges: [] } }) },
      {
        path: '/todos',
        method: 'POST',
        takesBody: true,
        answer: ({ given }) =>
          typeof given['doneStatus'] === 'boolean'
            ? { status: 201, body: { id: nextId(), ...given } }
            : { status: 400, body: { errorMessages: ['doneStatus is BOOLEAN'] } },
      },
      {
        path: '/todos/{id}',
        method: 'GET',
        answer: () => ({ status: 404, body: { errorMessages: ['no such todo'] } }),
      },
      {
        path: '/database/{guid}',
        method: 'PUT',
        takesBody: true,
        answer: ({ path: [guid] }) => ({ status: guid === 'a' ? 400 : 404, body: { errorMessages: [guid] } }),
      },
    ],
    silent: {
      'GET /challenges answers with the stated body': ['endpoints["GET /challenges"].response.body'],
    },
  },
];

async function report({ document, endpoints, malformed = { status: 400 } }: Thread): Promise<Report> {
  const running = await startService(endpoints, () => malformed);
  try {
    return await testService(specificationOf(document, 'thread.yaml'), { url: running.url, seed: 1 });
  } finally {
    await running.close();
  }
}

describe('what no document states raises no alarm', () => {
  it.each(threads)('$thread: $alarm', async (thread) => {
    const found = await report(thread);
    expect(blamed(found)).toEqual([]);
    const judged = Object.keys(thread.silent).map((says) => {
      const one = found.results.find((result) => result.says === says);
      return [says, one?.verdict, [...(one?.points ?? [])].sort()];
    });
    const expected = Object.entries(thread.silent).map(([says, points]) => [
      says,
      'not stated',
      [...points].sort(),
    ]);
    expect(judged).toEqual(expected);
  });

  it.each(threads.filter(({ closes }) => closes))(
    '$thread: and is found once the document says that nothing else is so',
    async (thread) => {
      const none = ['authentication', 'limits', 'versioning', 'states'].map((part) => `${part}: (none)\n`);
      const closed = changed(thread.document, ['tacet: 1\n', `tacet: 1\ncomplete: true\n${none.join('')}`]);
      const says = violations(await report({ ...thread, document: closed })).map((one) => one.says);
      expect(says).toEqual(expect.arrayContaining(Object.keys(thread.silent)));
    },
  );
});
