import { describe, expect, it } from 'vitest';
import { isFault, parseExpression } from '../../src/expression/expression.ts';
import { query, rowOf } from '../../src/expression/query.ts';
import { translator } from '../../src/expression/query-syntax.ts';
import { print } from '../../src/service/store/sqlite/sql.ts';
import { compileModel } from '../../src/service/versions/model.ts';
import { read } from '../../src/specification/read.ts';

const { specification, diagnostics } = read(
  'parcels.yaml',
  `
resources:
  Parcel:
    identifier: id
    fields:
      id:     { type: string }
      hub:    { refers: Hub }
      by:     { refers: Hub.code }
      stop:   { refers: Stop }
      weight: { type: integer }
      heavy:  { derived: "\${this.weight > 5}" }
      kind:   { derived: parcel }
      label:  { derived: "for \${this.id}" }
      token:  { type: string, secret: hashed }
  Hub:
    identifier: id
    fields: { id: { type: integer }, code: { type: string, unique: true } }
  Stop:
    identifier: [line, number]
    fields: { line: { type: string }, number: { type: integer } }
`,
);
const identifiers: Readonly<Record<string, readonly string[]>> = {
  Parcel: ['id'],
  Hub: ['id'],
  Stop: ['line', 'number'],
};
const model = compileModel(specification, (name) => {
  const keyFields = identifiers[name];
  return keyFields && { name, keyFields };
});

/** The condition by which SQLite finds parcels. */
function where(text: string): string {
  const parsed = parseExpression(text);
  if (isFault(parsed)) throw new Error(parsed.message);
  const from = rowOf({ name: 'Parcel', keyFields: ['id'] });
  const { node } = translator(model, () => null);
  const of = node(parsed.syntax, new Map([['this', { resource: 'Parcel', from }]]));
  return (/ WHERE (.*) ORDER BY/.exec(print(query(from, { where: of })).sql) as RegExpExecArray)[1] as string;
}

describe('what queries know of the fields of a specification', () => {
  it('is read without fault', () => {
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it.each([
    ['this.hub == actor', 't0.members ->> \'$."hub"\' IS ?'],
    ['this.by == actor', 't0.members ->> \'$."by"\' IS ?'],
    [
      "this.hub.code == 'x'",
      't0.members ->> \'$."hub"\' IN (SELECT t1.key0 FROM "_hub" AS t1 WHERE t1.members ->> \'$."code"\' = ?)',
    ],
    ['this.by.code == null', 't0.members ->> \'$."by"\' IS NULL'],
    ['this.stop.line == null', 't0.members ->> \'$."stop"[0]\' IS NULL'],
    ['this.kind == actor', '? IS ?'],
    ['this.token == null', 'NULL IS NULL'],
    ['this == actor', 't0.key0 = ?'],
  ])('%s', (text, expected) => {
    expect(where(text)).toBe(expected);
  });

  it('an item with several keys is found by all of them, and by an item alone', () => {
    expect(where('this.stop == actor')).toBe(
      't0.members ->> \'$."stop"[0]\' IS ? AND t0.members ->> \'$."stop"[1]\' IS ?',
    );
  });

  it('a derived field is worked out where it is read', () => {
    expect(where('this.heavy')).toBe('t0.members ->> \'$."weight"\' > 5');
    expect(() => where("this.label == 'x'")).toThrow();
  });
});
