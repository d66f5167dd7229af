import { questions } from '../../report/questions.ts';
import { type OperationStatus, status } from '../../report/status.ts';
import { printable, some } from '../../report/text.ts';
import { storeSecretVariable } from '../../service/access/sealed-key.ts';
import { described } from '../../service/described.ts';
import type { Service } from '../../service/service.ts';
import { shownPlace } from '../../service/store/open.ts';
import { handlerNames } from '../../specification/model/handlers.ts';
import { schemesSigned } from '../../specification/model/issuing.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import { segmentText } from '../../specification/vocabulary/paths.ts';
import { count, paintFor, type Terminal } from '../command.ts';
import { tryable } from './try-it.ts';

/** Where a service is reached. */
type Reached = Pick<Service, 'address' | 'url'>;

/**
 * What is shown when a service runs: its address, what is stated and open, and a request to try.
 *
 * @param operations the address for operators, if there is one
 * @param workers the processes that serve, if they are several
 */
export function greeting(
  specification: Specification,
  service: Reached,
  data: string,
  terminal: Terminal,
  operations?: string,
  workers?: string,
): string {
  const paint = paintFor(terminal);
  const { name, purpose } = described(specification);
  const report = status(specification);
  const stateOf = (state: string): string => {
    const of = report.parts.filter((part) => part.state === state).map((part) => part.part);
    return of.length === 0 ? 'none of the nine parts' : of.length === 9 ? 'all nine parts' : of.join(', ');
  };
  const points = report.parts.flatMap((part) => part.points);
  const open = points.filter((point) => point.state === 'open');
  const asked = questions(report).length;
  const assumed = points.filter((point) => point.state === 'assumed');
  const of = (state: OperationStatus['state']): readonly string[] =>
    report.operations.flatMap((one) => (one.state === state ? [one.name] : []));
  const all = report.operations.length;
  const running = of('runs');
  const missing = handlerNames(specification).filter((one) => specification.handlers?.has(one) !== true);
  const isPart = running.length > 0 && running.length < all;
  const row = (title: string, ...values: readonly string[]): string[] =>
    values.map((value, index) => `  ${(index === 0 ? title : '').padEnd(7)}  ${value}`);
  const held = (title: string, why: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : row(title, `${names.length} ${why}: ${some(names)}`);
  const lines = [
    `${paint.bold(printable(name || specification.file))}${purpose === null ? '' : `: ${printable(purpose)}`}`,
    '',
    ...row(
      'address',
      `${paint.bold(service.address)}${service.url === service.address ? '' : ` (others reach it at ${service.url})`}`,
    ),
    ...(operations === undefined ? [] : row('ops', `${operations}/live, /ready, /metrics`)),
    ...(workers === undefined ? [] : row('workers', workers)),
    ...row('data', shownPlace(data)),
    ...row('stated', stateOf('stated')),
    ...(report.parts.some((part) => part.state === 'partly') ? row('partly', stateOf('partly')) : []),
    ...row(
      'open',
      open.length === 0
        ? 'nothing'
        : `${stateOf('open')}; ${count(open.length, 'point')} in all${asked > 0 ? `, ${count(asked, 'question')} (tacet status --asked)` : ''}`,
    ),
    ...row('assumed', ...assumedIn(assumed, specification)),
    ...row('runs', `${running.length} of ${count(all, 'operation')}${isPart ? `: ${some(running)}` : ''}`),
    ...held('waits', 'for answers', of('waits')),
    ...held('not run', 'by this version', of('not run')),
    ...(missing.length > 0 ? row('lacks', `the functions ${some(missing)} (--handlers FILE)`) : []),
    ...(running.length === all
      ? []
      : row('', `these are answered 501; tacet status ${specification.file} says why`)),
    ...row('signs', ...plainKey(specification, terminal.environment)),
    ...tryIt(specification, service, running),
  ];
  return `${lines.join('\n')}\n`;
}

/** How many assumed points are listed. */
const mostAssumed = 6;

function assumedIn(
  assumed: readonly { readonly address: string; readonly at: string }[],
  { file }: Specification,
): readonly string[] {
  if (assumed.length > mostAssumed) return [`${count(assumed.length, 'point')} (tacet status ${file} --all)`];
  return assumed.map(({ address, at: place }) => `${printable(address)} (${place})`);
}

/** What to tell of a key that signs credentials and is kept as it is, in the store. */
export function plainKey(
  specification: Specification,
  environment: Terminal['environment'],
): readonly string[] {
  const schemes = schemesSigned(specification);
  if (schemes.length === 0 || (environment[storeSecretVariable] ?? '') !== '') return [];
  return [
    `credentials of ${some(schemes)}, with a key that the store keeps unencrypted; ${storeSecretVariable} encrypts it`,
  ];
}

/** A first request to try, as a line of curl. */
function tryIt(specification: Specification, service: Reached, running: readonly string[]): string[] {
  const found = tryable(specification, running);
  if (found === null) return [];
  const { operation, body: content } = found;
  const endpoints = stated(specification.endpoints);
  const base = (endpoints && stated(endpoints.base)) ?? '';
  const path = operation.path.map((segment) => segmentText(segment, () => '')).join('/');
  const quoted = content?.replaceAll("'", "'\\''");
  const body = quoted === undefined ? '' : ` -H 'Content-Type: application/json' -d '${quoted}'`;
  const usual = quoted === undefined ? 'GET' : 'POST';
  const method = operation.method === usual ? '' : ` -X ${operation.method}`;
  const { fields, before, after } = namingVersion(specification);
  return ['', `try:  curl -i${method}${fields}${body} ${service.address}${before}${base}/${path}${after}`];
}

/** What a request says to be of the newest version, where that is not what it would be without. */
function namingVersion({
  versioning,
}: Specification): Readonly<Record<'fields' | 'before' | 'after', string>> {
  const part = stated(versioning);
  const place = part && stated(part.place);
  const [newest = ''] = (part && stated(part.versions)?.keys()) ?? [];
  const nothing = { fields: '', before: '', after: '' };
  if (!place || newest === '' || stated(part.default)?.text === newest) return nothing;
  switch (place.kind) {
    case 'header':
      return { ...nothing, fields: ` -H '${place.name}: ${newest}'` };
    case 'media':
      return { ...nothing, fields: ` -H 'Accept: */*; ${place.name}="${newest}"'` };
    case 'query':
      return { ...nothing, after: `?${encodeURIComponent(place.name)}=${encodeURIComponent(newest)}` };
    case 'path':
      return { ...nothing, before: `${place.name}${newest}` };
  }
}
