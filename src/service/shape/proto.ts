import { type Json, setMember } from '../../source/node.ts';
import { keywords } from '../../specification/vocabulary/keywords.ts';

type Schema = Record<string, Json>;

const name = '__proto__';

/**
 * The same schema, in which a member `__proto__` is told of in ways that Ajv does not pass over: it looks for none of
 * that name among `properties`, `dependentSchemas` and `dependentRequired`.
 */
export function withoutProto(schema: Json): Json {
  return JSON.stringify(schema).includes(`"${name}":`) ? moved(schema) : schema;
}

function moved(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  const result: Schema = {};
  for (const [keyword, value] of Object.entries(schema as Schema)) result[keyword] = within(keyword, value);
  const own = (keyword: string): Json | undefined => {
    const map = result[keyword] as Schema | undefined;
    if (map === undefined || !Object.hasOwn(map, name)) return undefined;
    const { [name]: found, ...others } = map;
    result[keyword] = others;
    return found;
  };
  const member = own('properties');
  if (member !== undefined)
    result['patternProperties'] = { ...(result['patternProperties'] as object), [`^${name}$`]: member };
  const required = own('dependentRequired');
  for (const then of [own('dependentSchemas'), required && { required }])
    if (then !== undefined)
      result['allOf'] = [...((result['allOf'] ?? []) as Json[]), { if: { required: [name] }, then }];
  return result;
}

function within(keyword: string, value: Json): Json {
  const kind =
    keyword === '$defs' ? 'schema map' : Object.hasOwn(keywords, keyword) ? keywords[keyword]?.kind : 'any';
  if (kind === 'schema') return moved(value);
  if (kind === 'schemas') return (value as Json[]).map(moved);
  if (kind !== 'schema map') return value;
  const map: Schema = {};
  for (const [one, schema] of Object.entries(value as Schema)) setMember(map, one, moved(schema));
  return map;
}
