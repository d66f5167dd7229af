import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/source/node.ts';
import { subschemas } from '../../src/specification/description/subschemas.ts';
import { read } from '../../src/specification/read.ts';
import type { Schema } from '../../src/specification/reading/form.ts';
import { outcomes } from '../../src/specification/vocabulary/answer.ts';
import { verbs } from '../../src/specification/vocabulary/change.ts';
import { conditionNames } from '../../src/specification/vocabulary/condition.ts';
import { formats, keywords } from '../../src/specification/vocabulary/keywords.ts';
import { schema } from './documents.ts';
import { positions } from './positions.ts';

const newest = schema('specification');
const { positions: all, snippets } = positions(newest);
const $defs = newest['$defs'] as Record<string, Schema>;

/** A key that neither knows. */
const made = 'unheardOf';

/** What the reader refuses of a document: the code and the offsets of each error. */
function errors(content: string): { code: string; start: number; end: number }[] {
  const { diagnostics } = read('x.json', content);
  return diagnostics
    .filter((one) => one.severity === 'error')
    .map(({ code, span }) => ({ code, start: span.start, end: span.end }));
}

/** A document as JSON. One that says something of endpoints has some, so that what holds for several is read. */
function written(document: Json): string {
  const { endpoints, ...rest } = document as { endpoints?: Schema };
  return JSON.stringify(
    endpoints ? { ...rest, endpoints: { 'POST /x': {}, 'GET /things/{id}': {}, ...endpoints } } : rest,
  );
}

/** The codes of the errors at exactly this key or word. */
function saidOf(of: Json, document: Json): string[] {
  const content = written(document);
  const at = content.lastIndexOf(JSON.stringify(of));
  return errors(content).flatMap(({ code, start }) => (start === at ? [code] : []));
}

describe('the schema and the reader', () => {
  it('stand in the same places', () => {
    expect(all.length).toBeGreaterThan(100);
    for (const place of [
      '',
      'resources.Thing',
      'endpoints.GET /things.request.query.name',
      'errors.codes.name',
    ])
      expect(all.map((one) => one.at)).toContain(place);
  });

  it('know the same keys', () => {
    const refusals = ['unknown-key', 'bad-endpoint', 'bad-name'];
    const odd = all.flatMap((one) =>
      one.keys
        .filter((key) => saidOf(key, one.document(key, '(open)')).some((code) => refusals.includes(code)))
        .map((key) => `${one.at}: ${key}`),
    );
    expect(odd).toEqual([]);
  });

  it('refuse a key that neither knows', () => {
    const isRefused = (document: Json): boolean => {
      const content = written(document);
      const at = content.indexOf(made);
      return errors(content).some(({ start, end }) => start > 0 && start <= at && at < end);
    };
    const odd = all.filter(({ document }) => !isRefused(document(made, '(open)'))).map(({ at }) => at);
    expect(odd).toEqual([]);
  });

  it('know the same words', () => {
    // That a word contradicts what is stated around it, the reader alone tells.
    const isRefused = (code: string): boolean => code !== 'contradiction';
    const odd = all.flatMap(({ at, words, document }) =>
      [...words].flatMap(([key, some]) =>
        some
          .filter((word) => saidOf(word, document(key, word)).some(isRefused))
          .map((word) => `${at}.${key}: ${word}`),
      ),
    );
    expect(odd).toEqual([]);
  });

  it('know the same keywords, formats, verbs, outcomes and conditions', () => {
    const properties = (name: string): string[] => Object.keys($defs[name]?.['properties'] as Schema);
    const text = JSON.stringify(newest);
    expect([...properties('keywords'), ...properties('objectKeywords'), 'required'].sort()).toEqual(
      Object.keys(keywords).sort(),
    );
    for (const list of [formats, outcomes]) expect(text).toContain(`{"enum":${JSON.stringify(list)}}`);
    expect(properties('changeMap')).toEqual(expect.arrayContaining([...verbs]));
    const [conditions] = ($defs['condition'] as Schema)['anyOf'] as [{ enum: string[] }];
    expect([...conditions.enum].sort()).toEqual(
      [...conditionNames.filter((name) => name !== 'expression'), 'not authenticated'].sort(),
    );
  });
});

describe('every map of the language’s own keys', () => {
  const takes = new Ajv2020({ strict: false, allErrors: true }).compile(newest);

  it('is closed', () => {
    const open: string[] = [];
    const visit = (of: Schema, at: string): void => {
      if (of['type'] === 'object' && 'properties' in of && of['additionalProperties'] !== false)
        open.push(at);
      for (const [where, schema] of subschemas(of)) visit(schema, `${at}/${where}`);
    };
    visit(newest, '');
    expect(open).toEqual([]);
  });

  it('takes each of its keys', () => {
    const odd = all.flatMap(({ at, keys, document }) =>
      keys
        .filter((key) => {
          takes(document(key, '(open)'));
          return takes.errors?.some(({ params }) => params['additionalProperty'] === key);
        })
        .map((key) => `${at}: ${key}`),
    );
    expect(odd).toEqual([]);
  });
});

describe('an author', () => {
  it.each(snippets.map((one) => [`${one.at}: ${one.label}`, one.document] as const))(
    'is offered what is right: %s',
    (_, document) => {
      const { diagnostics } = read('x.json', JSON.stringify(document));
      expect(diagnostics.filter((one) => one.code !== 'unknown-name').map((one) => one.message)).toEqual([]);
    },
  );

  it('is told in the schema what every key is for', () => {
    const described = (of: Json): boolean => {
      const one = of as Schema;
      if (typeof one['description'] === 'string') return /\(language §|RFC /.test(one['description']);
      return (
        typeof one['$ref'] === 'string' && described($defs[one['$ref'].replace('#/$defs/', '')] as Schema)
      );
    };
    const silent: string[] = [];
    const visit = (of: Schema, at: string): void => {
      for (const [where, schema] of subschemas(of)) {
        const isKey = where.startsWith('properties/') && !/\/(if|else|not)$/.test(at);
        if (isKey && !described(schema)) silent.push(`${at}/${where}`);
        visit(schema, `${at}/${where}`);
      }
    };
    visit(newest, '');
    expect(silent).toEqual([]);
  });
});
