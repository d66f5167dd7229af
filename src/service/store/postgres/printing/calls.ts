import type { RowFunction } from '../../../../expression/query.ts';
import { foldName, lowerName, matchesName } from '../functions.ts';
import {
  asFloat,
  asJson,
  asText,
  held,
  isNumeric,
  isWording,
  listOf,
  plainly,
  type Sql,
  type SqlType,
  sqlOf,
} from './expressions.ts';

/** What a function comes to, of what its arguments come to. Those that take texts or numbers fail of anything else. */
export function called(name: RowFunction, args: readonly Sql[]): Sql {
  const fragile = args.some((one) => one.fragile);
  const isConstant = !args.some((one) => one.varies);
  const [a, b] = args as [Sql, Sql];
  const first = isConstant && a ? held(a) : a;
  const risky = (sql: string, type: SqlType): Sql => sqlOf(sql, type, { fragile: true, nullable: false });
  const numeric = (of: string): Sql =>
    risky(`tacet_${of}(${asFloat(first).sql}, ${asFloat(b).sql})`, 'float');
  const textual = (of: string, type: SqlType): Sql =>
    risky(`tacet_${of}(${asText(first).sql}, ${asText(b).sql})`, type);
  switch (name) {
    case 'add':
      if (a.type === 'text' && b.type === 'text') return textual('joined', 'text');
      if (isNumeric(a) && isNumeric(b)) return numeric('add');
      return risky(`tacet_added(${asJson(first).sql}, ${asJson(b).sql})`, 'json');
    case 'subtract':
      return risky(`tacet_add(${asFloat(first).sql}, -(${asFloat(b).sql}))`, 'float');
    case 'multiply':
    case 'divide':
    case 'remainder':
      return numeric(name);
    case 'divideWhole':
      return numeric('divide_whole');
    case 'negate':
      return risky(`tacet_multiply(${asFloat(first).sql}, -1)`, 'float');
    case 'addTimes':
      return textual('add_times', 'text');
    case 'subtractTimes':
      return textual('subtract_times', 'text');
    case 'startsWith':
      return textual('starts', 'boolean');
    case 'endsWith':
      return textual('ends', 'boolean');
    case 'contains':
      return textual('contains', 'boolean');
    case 'matches': {
      const texts = listOf(args.slice(1).map((one) => plainly(one).sql));
      return risky(`${matchesName}(${asJson(first).sql}, ${texts})`, 'boolean');
    }
    case 'lower':
      return risky(`${lowerName}(${asText(first).sql})`, 'text');
    case 'size':
      return risky(`tacet_size(${asJson(first).sql})`, 'float');
    case 'list':
      return sqlOf(listOf(args.map((one) => plainly(one).sql)), 'json', {
        fragile,
        nullable: false,
        varies: !isConstant,
      });
    case 'among':
      return sqlOf(`tacet_among(${asJson(a).sql}, ${asJson(b).sql})`, 'boolean', {
        fragile,
        nullable: false,
        varies: !isConstant,
      });
    case 'fold':
      return isWording(a) ? { ...a, sql: `${foldName}(${a.sql})` } : a;
    case 'instant':
      return isWording(a) ? { ...a, sql: `tacet_instant(${a.sql})` } : a;
    case 'span':
      return isWording(a) ? { ...a, sql: `tacet_span(${a.sql})`, type: 'json' } : a;
  }
}
