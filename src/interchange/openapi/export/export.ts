import { type Entry, get, type Json, type Mapping, node, put, setMember } from '../../../source/node.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { parts } from '../../../specification/reading/address.ts';
import { stated } from '../../../specification/reading/said.ts';
import { languageVersion } from '../../../specification/vocabulary/head.ts';
import { Losses } from '../../losses.ts';
import { Items } from '../../schemas/items.ts';
import { readDescription } from '../description.ts';
import { importDescriptions } from '../import.ts';
import { descriptionAt } from './annotated.ts';
import { schemasOf, schemesOf } from './components.ts';
import { extended } from './extended.ts';
import { operationObject, type Writing, withoutName } from './operations.ts';
import { payloadContent, refusalsByCode, rowsOf } from './refusals.ts';
import { defined, type JsonObject, unlessEmpty } from './schema.ts';
import type { OpenApiVersion } from './version.ts';
import { webhooksOf } from './webhooks.ts';

/** An OpenAPI description of a specification. */
export interface Exported {
  readonly description: JsonObject;
  /** What no reader but tacet's own finds in it. */
  readonly losses: Losses;
}

/** The methods that a path item has a key for (OpenAPI 3.1 §4.8.9.1; 3.2 has `query` besides). */
const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];

/**
 * Writes a specification as an OpenAPI description: what is stated, as far as OpenAPI can say it, in OpenAPI's own
 * words, and the rest in extensions `x-tacet-…`, so that the importer makes the same specification of it.
 */
export function exportOpenApi(of: Specification, version: OpenApiVersion): Exported {
  const losses = new Losses();
  const plain = described(of, version, losses);
  // What the importer makes of it without extensions is what need not be said again.
  const content = JSON.stringify(plain);
  const imported = importDescriptions([readDescription('', content)], null);
  return { description: extended(content, imported, statementsOf(of), losses), losses };
}

/** What is stated, by part. Operations that have one method and path stand in a list there (language §4.1). */
function statementsOf(of: Specification): Mapping {
  const { tree } = of;
  const head = node(headOf(of), tree.span);
  const whole = put(tree, 'head', head);
  const endpoints = get(tree, 'endpoints');
  if (endpoints?.kind !== 'map') return whole;
  const found = new Map<string, Entry>();
  for (const [key, { key: at, value }] of endpoints.entries) {
    const shared = withoutName(key);
    const before = found.get(shared)?.value;
    const items = [...(before?.kind === 'list' ? before.items : []), value];
    found.set(shared, { key: at, value: shared === key ? value : { kind: 'list', items, span: at } });
  }
  return put(whole, 'endpoints', { ...endpoints, entries: found });
}

function described(of: Specification, version: OpenApiVersion, losses: Losses): JsonObject {
  const items = new Items(of);
  const rows = rowsOf(of);
  const schemes = schemesOf(of, version);
  const payload = payloadContent(of, items);
  const writing: Writing = { of, items, rows, payload, schemes: Object.keys(schemes ?? {}) };
  const service = [stated(stated(of.service)?.purpose), descriptionAt(get(of.tree, 'service'))];
  const about = service.filter((each) => each !== undefined).join('\n\n');
  const base = stated(stated(of.endpoints)?.base);
  const paths = pathsOf(of, version, writing, losses);
  const webhooks = webhooksOf(of, items);
  return defined({
    openapi: version === '3.1' ? '3.1.1' : '3.2.0',
    info: defined({ title: of.name, description: about === '' ? undefined : about, version: versionOf(of) }),
    // No base is the beginning `/`, as no servers are (OpenAPI 3.1.1 §4.8.1.1).
    servers: [{ url: base ?? '/' }],
    // A list that names nothing says as little as no list (OpenAPI 3.1.1 §4.8.1.1): what is open stays open.
    security: webhooks !== undefined || Object.values(paths).some(lacksSecurity) ? [] : undefined,
    paths,
    webhooks,
    components: unlessEmpty(
      defined({
        schemas: unlessEmpty(schemasOf(of, items)),
        responses: unlessEmpty(refusalsByCode(of, rows, payload)),
        securitySchemes: schemes,
      }),
    ),
    // By this word it is known for a description that tacet wrote.
    'x-tacet-head-tacet': languageVersion,
  });
}

/** Whether an operation of a path says nothing of credentials. */
function lacksSecurity(item: Json): boolean {
  return Object.values(item as JsonObject).some((operation) => !('security' in (operation as JsonObject)));
}

/** OpenAPI asks for a version: the newest of part 9. */
export function versionOf(of: Specification): string {
  const [newest] = stated(stated(of.versioning)?.versions)?.keys() ?? [];
  return newest ?? 'not stated';
}

function pathsOf(of: Specification, version: OpenApiVersion, writing: Writing, losses: Losses): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [key, operations] of Map.groupBy(of.operations, ({ key: own }) => withoutName(own))) {
    const [method, path] = key.split(' ') as [string, string];
    const isKnown = methods.includes(method) || (version === '3.2' && method === 'QUERY');
    if (!isKnown) {
      losses.add('gap', `the method ${method}`, `/endpoints/${key}`);
      continue;
    }
    if (!(path in paths)) setMember(paths, path, {});
    (paths[path] as Record<string, Json>)[method.toLowerCase()] = operationObject(operations, writing);
  }
  return paths;
}

/** What the head says, with each list by its own address. */
function headOf({ completeness }: Specification): JsonObject {
  const closed = completeness.closedLists.map(({ above }) => above);
  const isAll = parts.every((part) => closed.includes(part));
  return defined({
    tacet: languageVersion,
    complete: isAll ? true : closed.length > 0 ? closed : undefined,
    open: unlessEmpty(
      Object.fromEntries(
        completeness.openedLists.map(({ above, question }) => [above, question ?? '(open)']),
      ),
    ),
  });
}
