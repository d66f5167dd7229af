import { describe, expect, it } from 'vitest';
import { diff } from '../../src/diff/diff.ts';
import { document, specification } from '../specification/documents.ts';

const resources = 'Note: { identifier: id, fields: { id: { type: string }, text: { type: string } } }';

/** What comes of an edit of a request, an answer or the errors. */
function comes(before: string, after: string, head = 'tacet: 1\ncomplete: true'): string[] {
  const [old, now] = [before, after].map((endpoint) =>
    specification(document({ head, resources, endpoints: `PUT /{id}: { does: update Note, ${endpoint} }` })),
  );
  return diff(old as never, now as never).findings.map(
    ({ class: of, address, message, rule }) =>
      `${of}: ${address.replace('endpoints["PUT /{id}"].', '')}: ${message} (${rule})`,
  );
}

const request = (text: string): string => `request: { ${text}, others: refuse }, response: 204`;
const response = (text: string): string => `response: { status: 200, ${text} }`;
const json = 'application/json: { body: Note }';
const form = 'application/x-www-form-urlencoded: { body: Note }';
const csv = 'text/csv: { body: "${this.text}" }';

describe('content by media type', () => {
  it('is what one type alone is, however it is written', () => {
    const two = request('media: [application/json, application/x-www-form-urlencoded], body: Note');
    expect(comes(two, request(`content: { ${form}, ${json} }`))).toEqual([]);
  });

  it('concerns who sends it where a type is taken no longer', () => {
    const [two, one] = [request(`content: { ${json}, ${form} }`), request('body: Note')];
    const type = 'request.content["application/x-www-form-urlencoded"]';
    expect(comes(two, one)).toEqual([
      `breaking: ${type}: application/x-www-form-urlencoded is taken no longer (content)`,
    ]);
    expect(comes(one, two)).toEqual([
      `changed: ${type}: application/x-www-form-urlencoded is taken too (content)`,
    ]);
  });

  it('concerns who reads it where a type is sent no longer', () => {
    const [two, one] = [response(`content: { ${json}, ${csv} }`), response('body: Note')];
    expect(comes(two, one)).toEqual([
      'breaking: response.content["text/csv"]: text/csv is sent no longer (content)',
    ]);
    expect(comes(one, two)).toEqual([
      'changed: response.content["text/csv"]: text/csv is sent too (content)',
    ]);
    expect(comes(two, one, 'tacet: 1')[0]).toBe(
      'breaking: response.content["text/csv"]: text/csv is sent no longer (content)',
    );
  });

  it('concerns who reads it where another type is the first', () => {
    const [one, other] = [`${json}, ${csv}`, `${csv}, ${json}`].map((all) => response(`content: { ${all} }`));
    expect(comes(one as string, other as string)).toEqual([
      'breaking: response.media: without Accept, the body comes as another media type (answer)',
    ]);
  });

  it('is compared type by type, as a body that stands alone', () => {
    const sent = (body: string): string => response(`content: { ${json}, a/b+json: { body: ${body} } }`);
    expect(comes(sent('{ a: 1, b: 2 }'), sent('{ a: 1 }'))).toEqual([
      'breaking: response.content["a/b+json"].body.b: the member is sent no longer (payload)',
    ]);
    const taken = (most: number): string =>
      request(`content: { ${json}, a/b: { body: { type: string, maxLength: ${most} } } }`);
    expect(comes(taken(9), taken(8))).toEqual([
      'breaking: request.content["a/b"].body.maxLength: values that were taken can be refused now (constraint)',
    ]);
  });

  it('is that of errors, too', () => {
    const errors = (payload: string) =>
      specification(document({ head: 'tacet: 1\ncomplete: true', errors: `payload: { ${payload} }` }));
    const [one, two] = [
      errors('body: { a: 1 }'),
      errors('content: { application/json: { body: { a: 1 } }, text/plain: { body: a } }'),
    ];
    const told = (before: typeof one, after: typeof one): string[] =>
      diff(before, after).findings.map(({ class: of, message }) => `${of}: ${message}`);
    expect(told(two, one)).toEqual(['breaking: text/plain is sent no longer']);
    expect(told(one, two)).toEqual(['changed: text/plain is sent too']);
  });

  it('that replaces what no text states is another form', () => {
    expect(
      comes(
        response('media: "${this.text}", body: "${this.text}"'),
        response(`content: { ${json}, ${csv} }`),
      )[0],
    ).toMatch(/^breaking: /);
  });
});
