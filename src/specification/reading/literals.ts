import { get, type Json, json, type Mapping } from '../../source/node.ts';
import { kindOf, type Reading } from './reading.ts';
import { isMarker } from './said.ts';

/** Keywords that hold literals. */
export const literals: readonly string[] = ['enum', 'const'];

/** Literals of another type than the stated one: most often text that YAML reads as a number (language §A.4). */
export function literalsFit(map: Mapping, type: Json | undefined, reading: Reading): void {
  if (type === undefined) return;
  const wanted = (Array.isArray(type) ? type : [type]) as readonly string[];
  for (const keyword of [...literals, 'default']) {
    const node = get(map, keyword);
    if (node === undefined) continue;
    for (const one of keyword === 'enum' && node.kind === 'list' ? node.items : [node]) {
      if (isMarker(one) || wanted.some((name) => isOfType(json(one), name))) continue;
      const text = wanted.includes('string') && one.kind === 'scalar';
      const hint = text ? `write '${one.written}' in quotes` : null;
      reading.report(
        'bad-keyword',
        one.span,
        { keyword, wanted: `a value of type ${wanted.join(' or ')}`, found: kindOf(one) },
        { hint },
      );
    }
  }
}

/** Whether a value is of a type of JSON Schema; 5.0 is an integer (Validation §6.1.1). */
function isOfType(value: Json, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
