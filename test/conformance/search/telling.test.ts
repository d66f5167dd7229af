import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deviationsOf, nameOf } from '../../../src/conformance/deviations/deviations.ts';
import { doneAllTheSame } from '../../../src/conformance/deviations/refused-and-done.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { Suspect } from '../../../src/conformance/search/suspect.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { specificationOf } from '../../service/served.ts';

const specification = specificationOf(readFileSync('test/semantics/shelves.yaml', 'utf8'));
const deviations = deviationsOf(specification);

/** The deviations of statements at these addresses that some walks tell. */
function told(walks: number, address: RegExp): string[] {
  const found = new Set<string>();
  const some = deviations.filter(({ said }) => address.test(said.address));
  for (let seed = 1; seed <= walks; seed++) {
    const suspects = some.map((deviation) => new Suspect(deviation));
    const { told: all } = walk(begunWorld(specification), suspects, seeded(seed), 40);
    for (const { deviation } of all.keys()) found.add(nameOf(deviation));
  }
  return [...found].sort();
}

describe('a walk in memory', () => {
  it('tells faults that people make', () => {
    expect(
      told(6, /ifDeleted|does\.where|changes\.set|guards\.update|does\.with|does\.order|status$/),
    ).toEqual(
      expect.arrayContaining([
        'resources.Book.fields.changes.set.update: it is old.changes - 1',
        'endpoints["GET /shelves/{shelf}/books"].does.where: it is this.shelf != place',
        'endpoints["POST /authors"].response.status: another status is sent',
      ]),
    );
  });

  it('tells the same for the same seed', () => {
    expect(told(1, /ifDeleted/)).toEqual(told(1, /ifDeleted/));
  });

  it('tells by an operation that did not tell before, also what its first answer shows', () => {
    const [suspect] = deviations
      .filter((each) => nameOf(each) === 'resources.Shelf.fields.room.default: it is left out')
      .map((deviation) => new Suspect(deviation));
    if (suspect === undefined) throw new TypeError('no such deviation');
    const names: string[] = [];
    for (let seed = 1; seed <= 10; seed++) {
      const { told: all, requests } = walk(begunWorld(specification), [suspect], seeded(seed), 80, {
        isOtherwise: true,
      });
      for (const place of all.values()) {
        const { operation } = requests[place] as (typeof requests)[number];
        suspect.toldBy.add(operation);
        names.push(operation.name);
      }
    }
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(names).size).toBe(names.length);
  });

  it('tells nothing of a statement that no request can show', () => {
    expect(told(1, /^service/)).toEqual([]);
  });
});

describe('an answer with members that no statement names', () => {
  const shelf = (complete: string): string[] => {
    const specification = specificationOf(`
${complete}
resources:
  Book: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, title: { type: string }, price: { type: integer } } }
  Spine: { of: Book, omits: [price] }
endpoints:
  others: refuse
  POST /books: { operation: add, does: create Book, request: { body: Book }, response: { status: 201, body: Book } }
  GET /books: { operation: list, does: { list: Book, order: [id] }, response: { status: 200, body: "\${Spine(page.items)}" } }
authentication: (none)
errors: { codes: { invalid: { when: invalid, status: 422 }, unreadable: { when: malformed, status: 400 } } }
`);
    const suspects = deviationsOf(specification)
      .filter(({ said }) => said.address === 'resources.Spine.omits')
      .map((deviation) => new Suspect(deviation));
    const { told: all } = walk(begunWorld(specification), suspects, seeded(1), 40);
    return [...all.keys()].map(({ deviation }) => nameOf(deviation));
  };

  it('is told from a right one where the lists of members are closed, and there alone', () => {
    expect(shelf('complete: true')).toContain('resources.Spine.omits: it is left out');
    expect(shelf('')).toEqual([]);
  });
});

describe('what is refused, and done all the same', () => {
  const doneIn = (document: string, address: RegExp): string[] => {
    const specification = specificationOf(document);
    const some = deviationsOf(specification).filter(
      ({ said, says }) => address.test(said.address) && says === doneAllTheSame,
    );
    return some.flatMap((deviation) => {
      const found = walk(begunWorld(specification), [new Suspect(deviation)], seeded(1), 40).told;
      return found.size > 0 ? [deviation.said.address] : [];
    });
  };

  it('is told by a log-in, if no list shows what was made', () => {
    const accounts = `
complete: true
resources:
  Account:
    identifier: name
    fields: { name: { type: string, pattern: "^[a-z]{3,9}$" }, password: { type: string, minLength: 5, secret: hashed } }
    required: [name, password]
endpoints:
  others: refuse
  POST /accounts: { operation: join, does: create Account, request: { body: Account }, response: 201 }
  POST /sessions:
    operation: logIn
    does: { authenticate: Account, by: { name: "\${request.body.name}", password: "\${request.body.password}" } }
    request: { body: { fields: { name: { type: string }, password: { type: string } }, required: [name, password] } }
    response: { status: 200, body: { token: "\${issue('token', this)}" } }
authentication:
  schemes: { token: { type: http, scheme: bearer, credentials: { issued: opaque, life: PT1H }, actor: Account } }
  otherwise: anyone
errors: { codes: { unread: { when: malformed, status: 400 }, wrong: { when: wrong credentials, status: 401 }, bad: { when: invalid, status: 422 }, taken: { when: not unique Account.name, status: 409 } } }
`;
    expect(doneIn(accounts, /pattern|minLength/).sort()).toEqual([
      'resources.Account.fields.name.pattern',
      'resources.Account.fields.password.minLength',
    ]);
  });

  it('is asked for by a header field past its bound', () => {
    const notes = `
complete: true
resources:
  Note: { identifier: id, fields: { id: { type: integer, set: { create: "\${sequence()}" } }, from: { type: string, writable: false } } }
endpoints:
  others: refuse
  POST /notes:
    operation: add
    does: { create: Note, with: { from: "\${request.headers['X-From']}" } }
    request: { headers: { X-From: { type: string, maxLength: 12, required: true } } }
    response: { status: 201, body: Note }
  GET /notes: { operation: list, does: { list: Note, order: [id] }, response: { status: 200, body: "\${Note(page.items)}" } }
authentication: (none)
errors: { codes: { bad: { when: invalid, status: 422 } } }
`;
    expect(doneIn(notes, /maxLength/)).toEqual(['endpoints["POST /notes"].request.headers.X-From.maxLength']);
  });
});
