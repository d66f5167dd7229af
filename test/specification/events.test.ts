import { describe, expect, it } from 'vitest';
import { read } from '../../src/specification/read.ts';
import { stated } from '../../src/specification/reading/said.ts';
import { document, places, plain, points, specification, words } from './documents.ts';

type Parts = Parameters<typeof document>[0];

const parts: Parts = {
  resources: [
    'Parcel:',
    '  identifier: id',
    '  fields: { id: { type: string }, weight: { type: integer }, status: { type: string }, owner: { refers: Account } }',
    'Account: { identifier: id, fields: { id: { type: string } } }',
    'Hook:',
    '  identifier: id',
    '  fields: { id: { type: string }, url: { type: string }, secret: { type: string }, owner: { refers: Account }, kinds: { type: array, items: { type: string } } }',
  ].join('\n'),
  states:
    'Parcel.status: { states: [open, done], initial: open, final: [done], transitions: { finish: { from: open, to: done, after: P1D } } }',
  endpoints: [
    'POST /parcels: { operation: add, does: create Parcel, response: 201 }',
    'PUT /accounts/{id}: { operation: rename, does: update Account, response: 204 }',
    'GET /parcels: { operation: list, does: list Parcel, response: 200 }',
    'GET /feed: { operation: feed, does: (none), response: 200 }',
  ].join('\n'),
};

const service = (events: string, further: Parts = {}) => document({ ...parts, ...further, events });

/** Each fault: its code, the characters that it points at, and its hint. */
function findings(events: string, further: Parts = {}): string[] {
  return read('x.md', service(events, further)).diagnostics.map(
    (one) => `${one.code} ${words(one.span)}: ${one.hint}`,
  );
}

/** What is wrong, in the words of the message. */
function messages(events: string, further: Parts = {}): string[] {
  return read('x.md', service(events, further)).diagnostics.map((one) => one.message);
}

function events(yaml: string) {
  const found = stated(specification(service(yaml)).events);
  if (found === undefined) throw new Error('nothing is stated');
  return found;
}

describe('kinds (language §6.1)', () => {
  it('each key is read as what it is', () => {
    const kind = stated(
      stated(
        events(
          'kinds: { parcel.moved: { by: [add, Parcel.finish], when: "${this.weight > 1}", subject: "p/${this.id}", body: { id: "${this.id}", by: "${event.by}" } } }',
        ).kinds,
      )?.get('parcel.moved'),
    );
    expect(stated(kind?.by)?.map((one) => one.text)).toEqual(['add', 'Parcel.finish']);
    expect(stated(kind?.when)?.template.kind).toBe('expression');
    expect(stated(kind?.subject)?.template.kind).toBe('text');
    expect(stated(kind?.body)?.template.kind).toBe('object');
  });

  it.each([
    ['by: ad', 'unknown-name ad: did you mean add?'],
    ['by: [Parcel.finsh]', 'unknown-name Parcel.finsh: did you mean Parcel.finish?'],
    ['by: [Parcl.finish]', 'unknown-name Parcl.finish: did you mean Parcel.finish?'],
    ['by: [list]', 'no-effect list: take it out, or correct what keeps it from having one'],
    ['by: [feed]', 'no-effect feed: take it out, or correct what keeps it from having one'],
    ['when: always', 'not-an-expression always: write ${ … }'],
    ['by: [add], when: "${this.weight}"', 'expression-type this.weight: null'],
    ['by: [add], when: "${this.wieght > 1}"', 'expression-type this.wieght: null'],
    ['by: [add], subject: "${this}"', 'expression-type this: null'],
    ['by: [add], subject: [a]', 'wrong-kind [a]: null'],
    ['by: [add], body: { a: "${this.wieght}" }', 'expression-type this.wieght: null'],
    ['by: [add], body: { a: "${request.body}" }', 'expression-type request: null'],
    ['by: [add], body: { a: "${event.id}" }', 'expression-type event.id: null'],
    ['by: [add], body: { a: "${event.by == \'ad\'}" }', "expression-type 'ad': null"],
    ['by: [add], body: { a: "${uuid()}" }', 'expression-type uuid(): null'],
    ['body: { a: [(none)] }', 'marker-in-literal (none): if the text itself is meant, write ${"(none)"}'],
    ['bye: add', 'unknown-key bye: did you mean by?'],
  ])('%s is told', (yaml, expected) => {
    expect(findings(`kinds: { a: { ${yaml} } }`)).toEqual([expected]);
  });

  it('a kind may be of several resources, of which then nothing is known', () => {
    expect(findings('kinds: { a: { by: [add, rename], body: { a: "${this.anything}" } } }')).toEqual([]);
  });

  it('what is told may name the item, before and after, who asked, and by what', () => {
    const body =
      '{ a: "${this.weight}", b: "${old.weight}", c: "${actor.id}", d: "${event.by}", e: "${now}", f: "${service.url}" }';
    expect(findings(`kinds: { a: { by: [add], body: ${body} } }`)).toEqual([]);
  });

  it('an operation that reads and also changes has something to tell', () => {
    const endpoints =
      'GET /parcels: { operation: list, does: list Parcel, also: [{ create: Account }], response: 200 }';
    expect(findings('kinds: { a: { by: [list] } }', { endpoints, states: '(open)' })).toEqual([]);
  });

  it('a transition is silence and no fault, as long as part 3 is', () => {
    expect(findings('kinds: { a: { by: [Parcel.any] } }', { states: '(open)' })).toEqual([]);
    expect(findings('kinds: { a: { by: [Parcel.any] } }', { states: '(none)' })).toEqual([
      'unknown-name Parcel.any: known: add, rename, list, feed',
    ]);
  });

  it('a name is one', () => {
    expect(findings('kinds: { 1a: {} }')[0]).toMatch(/^bad-name 1a: /);
  });
});

describe('the envelope (language §6.2)', () => {
  it('is CloudEvents, none, or one of one’s own', () => {
    expect(stated(events('envelope: cloudevents').envelope)).toEqual({ kind: 'cloudevents' });
    expect(events('envelope: (none)').envelope.kind).toBe('none');
    expect(plain(stated(events('envelope: { id: "${event.id}" }').envelope))).toMatchObject({
      kind: 'template',
    });
    expect(stated(events('envelope: "${event.body}"').envelope)?.kind).toBe('template');
  });

  it.each([
    ['envelope: cloudevent', 'unknown-word cloudevent: did you mean cloudevents?'],
    ['envelope: { a: "${event.knd}" }', 'expression-type event.knd: null'],
    ['envelope: { a: "${this.id}" }', 'expression-type this: null'],
    ['envelope: { a: "${actor}" }', 'expression-type actor: null'],
    ['source: "${this.id}"', 'expression-type this: null'],
    ['source: "${[1]}"', 'expression-type [1]: null'],
    ['kinds: { a: { by: [add] } }\nsubject: "${this.wieght}"', 'expression-type this.wieght: null'],
    ['kinds: { a: { by: [add] } }\nsubject: "${this}"', 'expression-type this: null'],
    [
      'kinds: { a: { by: [add] } }\nenvelope: { a: "${event.item.wieght}" }',
      'expression-type event.item.wieght: null',
    ],
    ['kinds: { a: {}, b: {} }\nenvelope: { a: "${event.kind == \'c\'}" }', "expression-type 'c': null"],
  ])('%s is refused', (yaml, expected) => {
    expect(findings(yaml)).toEqual([expected]);
  });

  it('of several resources, the subject and the item are of any', () => {
    const kinds = 'kinds: { a: { by: [add] }, b: { by: [rename] } }\n';
    expect(findings(`${kinds}subject: "\${this.x}"\nenvelope: { a: "\${event.item.x}" }`)).toEqual([]);
  });
});

describe('delivery (language §6.3)', () => {
  const delivery = (yaml: string) =>
    plain(
      stated(stated(events(`kinds: { a: { by: [add] } }\ndelivery: { d: { ${yaml} } }`).delivery)?.get('d')),
    );

  it('to every item of a resource', () => {
    expect(
      delivery(
        'webhook: Hook.url, where: "${event.kind in this.kinds}", order: all, within: PT5S, media: text/json, sign: standard-webhooks, secret: Hook.secret, retries: [PT0S, PT5M], timeout: PT15S',
      ),
    ).toMatchObject({
      kind: 'webhook',
      webhook: { value: { kind: 'field', resource: 'Hook', field: 'url' } },
      where: { value: { template: { kind: 'expression' } } },
      order: { value: 'all' },
      within: { value: 5000 },
      media: { value: 'text/json' },
      sign: { value: { kind: 'standard-webhooks' } },
      secret: { value: { kind: 'field', resource: 'Hook', field: 'secret' } },
      retries: { value: [0, 300_000] },
      timeout: { value: 15_000 },
    });
  });

  it('with header fields, a signature of one’s own, and the statuses that end the attempts', () => {
    const own = 'header: X-Signature, hmac: sha256, over: "${int(now)}.${event.content}"';
    expect(
      delivery(
        `webhook: operator, headers: { X-Kind: "${'${event.kind}'}" }, sign: { ${own}, as: "t=${'${int(now)},v1=${event.signature.hex}'}" }, secret: operator, success: [200, 204]`,
      ),
    ).toMatchObject({
      headers: { value: { map: [['X-Kind', { kind: 'stated' }]] } },
      sign: {
        value: {
          kind: 'hmac',
          header: { value: 'X-Signature' },
          hmac: { value: 'sha256' },
          over: { value: { template: { kind: 'text' } } },
          as: { value: { template: { kind: 'text' } } },
        },
      },
      success: { value: [200, 204] },
    });
    expect(delivery('webhook: operator, success: 200, retries: (none)')).toMatchObject({
      success: { value: [200] },
      retries: { kind: 'none' },
    });
  });

  it('a signature without one of its keys is open there', () => {
    const found = specification(
      service(
        'kinds: { a: { by: [add] } }\ndelivery: { d: { webhook: operator, sign: { header: X-S, hmac: sha512 } } }',
      ),
    );
    const of = 'events.delivery.d.sign.';
    expect(points(found, of)).toEqual({
      [`${of}header`]: 'stated',
      [`${of}hmac`]: 'stated',
      [`${of}over`]: 'open',
      [`${of}as`]: 'open',
    });
    expect(points(found, 'events.delivery.d.secret')).toEqual({ 'events.delivery.d.secret': 'open' });
  });

  it('to the operator’s address, as a stream, and by a broker', () => {
    expect(delivery('webhook: operator, sign: standard-webhooks, secret: operator')).toMatchObject({
      kind: 'webhook',
      webhook: { value: { kind: 'operator' } },
      secret: { value: { kind: 'operator' } },
    });
    expect(delivery('stream: GET /feed, order: item')).toMatchObject({
      kind: 'stream',
      stream: { value: { text: 'GET /feed' } },
      order: { value: 'item' },
    });
    expect(delivery('broker: "parcels.${event.kind}", media: a/b')).toMatchObject({
      kind: 'broker',
      broker: { value: { template: { kind: 'text' } } },
    });
  });

  it.each([
    ['', 'wrong-kind {  }: null'],
    ['order: all', 'wrong-kind { order: all }: null'],
    ['webhook: operator, stream: GET /feed', 'wrong-kind { webhook: operator, stream: GET /feed }: null'],
    ['webhook: Hook', 'wrong-kind Hook: null'],
    ['webhook: Hok.url', 'unknown-name Hok.url: did you mean Hook?'],
    ['webhook: operator, order: any', 'unknown-word any: null'],
    ['webhook: operator, within: soon', 'bad-duration soon: write it as ISO 8601 does: PT30S, PT15M, P14D'],
    ['webhook: operator, sign: standard', 'unknown-word standard: null'],
    ['webhook: operator, sign: { hmac: sha1 }', 'unknown-word sha1: null'],
    ['webhook: operator, sign: { hmca: sha256 }', 'unknown-key hmca: did you mean hmac?'],
    [
      'webhook: operator, sign: { header: X S }',
      'bad-field-name X S: a name is letters, digits and hyphens (RFC 9110 §5.1)',
    ],
    ['webhook: operator, sign: { over: "${event.signature.hex}" }', 'expression-type event.signature: null'],
    ['webhook: operator, sign: { as: "${event.content}" }', 'expression-type event.content: null'],
    ['webhook: operator, sign: { as: "${event.signature}" }', 'expression-type event.signature: null'],
    ['webhook: operator, headers: { X-A: "${this.id}" }', 'expression-type this: null'],
    ['webhook: operator, headers: { X-A: "${event.content}" }', 'expression-type event.content: null'],
    [
      'webhook: operator, headers: { X A: b }',
      'bad-field-name X A: a name is letters, digits and hyphens (RFC 9110 §5.1)',
    ],
    ['webhook: operator, success: 2xx', 'bad-status 2xx: a status is a number from 200 to 599'],
    ['webhook: operator, success: []', 'wrong-kind []: null'],
    [
      'webhook: operator, retries: [P1M]',
      'bad-duration P1M: years and months vary in length: write weeks, days, hours, minutes or seconds',
    ],
    ['webhook: operator, timeout: PT0S', 'bad-duration PT0S: write one that is longer than nothing'],
    ['webhook: operator, where: "${true}"', 'idle "${true}": take it out'],
    [
      'webhook: operator, secret: Hook.secret',
      'contradiction Hook.secret: take one of the two out, or mend it',
    ],
    [
      'webhook: Hook.url, secret: Account.id',
      'contradiction Account.id: take one of the two out, or mend it',
    ],
    ['webhook: Hook.url, where: "${event.knd == 1}"', 'expression-type event.knd: null'],
    ['webhook: Hook.url, where: "${this.url}"', 'expression-type this.url: null'],
    ['webhook: Hook.url, where: "${actor == null}"', 'expression-type actor: null'],
    ['webhook: Hook.url, where: "${event.item.wieght == 1}"', 'expression-type event.item.wieght: null'],
    [
      'webhook: Hook.url, where: "${this.owner == event.item}"',
      'expression-type this.owner == event.item: null',
    ],
    [
      'webhook: Hook.url, where: "${slug(this.url) == \'a\'}"',
      'not-storable slug(this.url): keep what it comes to in a field that is set, and compare that',
    ],
    [
      'webhook: Hook.url, retry: []',
      'unknown-key retry: known here: webhook, where, order, within, media, headers, sign, secret, success, retries, timeout, exhausted and 1 more',
    ],
    [
      'webhook: Hook.url, exhausted: Parcel.finish',
      'unknown-name Parcel.finish: known: Hook.pause, Hook.drop',
    ],
    ['webhook: Hook.url, exhausted: Hook.pase', 'unknown-name Hook.pase: did you mean Hook.pause?'],
    ['webhook: operator, exhausted: Hook.pause', 'idle Hook.pause: take it out'],
    ['webhook: Hook.url, exhausted: Hook.pause', null],
    ['webhook: Hook.url, version: "${this.urll}"', 'expression-type this.urll: null'],
    ['webhook: operator, version: "${this.url}"', 'expression-type this: null'],
    ['broker: x, version: "${event.kind}"', 'expression-type event: null'],
    ['stream: GET /feed, version: "1"', 'unknown-key version: known here: stream, order, within'],
    ['stream: GET /fed', 'unknown-name GET /fed: did you mean GET /feed?'],
    ['stream: POST /parcels', 'wrong-kind POST /parcels: null'],
    ['stream: GET /feed, retries: []', 'unknown-key retries: known here: stream, order, within'],
    ['broker: "${event.knd}"', 'expression-type event.knd: null'],
    ['broker: "${this.id}"', 'expression-type this: null'],
    [
      'broker: x, sign: standard-webhooks',
      'unknown-key sign: known here: broker, order, within, media, version',
    ],
  ])('%s is refused, where something is wrong with it', (yaml, expected) => {
    const states = `${parts.states}
Hook.owner: { transitions: { pause: { from: a, to: b }, drop: { from: b, to: (none) } } }`;
    const found = findings(`kinds: { a: { by: [add] } }\ndelivery: { d: { ${yaml} } }`, { states });
    expect(found).toEqual([expected].flatMap((one) => one ?? []));
  });

  it('says whose the key is, and whose the address', () => {
    expect(messages('delivery: { d: { webhook: operator, secret: Hook.secret } }')).toEqual([
      'the key is a field of Hook, and what is posted to is the operator’s',
    ]);
    expect(messages('delivery: { d: { webhook: Hook.url, secret: Account.id } }')).toEqual([
      'the key is a field of Account, and what is posted to is of Hook',
    ]);
  });

  it('a field is one of the resource, where they are all listed', () => {
    const yaml = 'delivery: { d: { webhook: Hook.address, sign: standard-webhooks, secret: Hook.token } }';
    expect(findings(yaml, { head: 'complete: [resources]' })).toEqual([
      'unknown-name address: known: id, url, secret, owner, kinds',
      'unknown-name token: known: id, url, secret, owner, kinds',
    ]);
  });

  it('a fault stands where it is written', () => {
    expect(places(service('delivery: { d: { stream: GET /fed } }'))).toEqual(['33:26 unknown-name']);
  });
});

describe('what is open of events', () => {
  const open = (yaml: string, head = 'complete: true') =>
    Object.entries(points(specification(service(yaml, { head })), 'events'))
      .filter(([, state]) => state !== 'stated')
      .map(([address, state]) => `${address.slice('events.'.length)}: ${state}`);

  it('each point is listed', () => {
    expect(open('kinds: { a: { by: [add] } }')).toEqual(['kinds.a.body: open', 'envelope: open']);
    expect(open('kinds: { a: { body: {} } }')).toEqual(['kinds.a.by: open', 'envelope: open']);
    expect(open('envelope: (none)\nkinds: { a: (open) when? }')).toEqual(['kinds.a: open: when?']);
  });

  it('the rest of each list is one, too', () => {
    expect(open('kinds: { a: {} }\ndelivery: { d: { webhook: operator } }', 'complete: false')).toEqual([
      'kinds.a.by: open',
      'kinds.a.body: open',
      'kinds.a.*: open',
      'kinds.*: open',
      'envelope: open',
      'delivery.d.*: open',
      'delivery.*: open',
      '*: open',
    ]);
  });

  it('CloudEvents need a source, and a signature a key', () => {
    expect(open('envelope: cloudevents')).toEqual(['source: open']);
    expect(open('envelope: {}')).toEqual([]);
    const signed = (sign: string) => open(`envelope: {}\ndelivery: { d: { webhook: operator${sign} } }`);
    expect(signed(', sign: standard-webhooks')).toEqual(['delivery.d.secret: open']);
    expect(signed(', sign: (none)')).toEqual([]);
    expect(signed('')).toEqual([]);
  });

  it('and the part may be stated to be none', () => {
    expect(points(specification(service('(none)')), 'events')).toEqual({ events: 'stated' });
  });
});
