import { equal } from '../expression/functions.ts';
import type { Json } from '../source/node.ts';
import { rest } from '../specification/address.ts';
import type { Operation } from '../specification/operation.ts';
import type { Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import {
  type Check,
  type Claim,
  ifReached,
  type Scenario,
  type Seen,
  type Statement,
  scenario,
} from './check.ts';
import {
  answerFound,
  constraintsKnown,
  isRefusal,
  onlyThisReason,
  refused,
  stating,
  steady,
} from './guards.ts';
import { type Exchange, header, jsonOf, mediaType } from './http.ts';
import { namesFor } from './names.ts';
import type { Item } from './partly.ts';
import { snapshot } from './perform.ts';
import {
  acceptable,
  errorFor,
  hasStatus,
  payloadOf,
  protocolStated,
  type Reason,
  type Refusal,
  statementOf,
  statusOf,
} from './refusal.ts';
import { type Names, workOut } from './solve.ts';
import { withShared } from './success.ts';
import type { Trial } from './trial.ts';
import { fits, fitsField, shownAs } from './unify.ts';
import { all, known, some, type Truth, unknown, unseen, yes } from './verdict.ts';

/** A request that the specification refuses, and why. */
export interface Refusing {
  /** The request in words: `POST / without title`. */
  readonly says: string;
  readonly operation: Operation | null;
  /** The statement that the request goes against. */
  readonly cites: Statement;
  /** The conditions that hold of it; several where the order of them is at stake. */
  readonly reasons: readonly Reason[];
  /** Whether it is stated at all that such a request is refused; left out where `cites` says so. */
  readonly must?: Truth;
  /** The members given. */
  readonly members?: readonly string[];
  /** What else is to be seen of this refusal. */
  readonly more?: readonly Check<Watched>[];
  /** The item that it is about, made before what is kept is looked at. */
  readonly item?: () => Promise<Item>;
  readonly send: (item: Item | undefined) => Promise<Sent>;
}

/** What was sent and came of it; `names` as expressions saw the request. */
interface Sent {
  readonly exchange: Exchange;
  readonly given?: Json | undefined;
  readonly names?: Names;
}

/** What was kept before and after; undefined where nothing shows it. */
export interface Watched extends Seen {
  readonly given: Json | undefined;
  readonly names: Names;
  readonly before: readonly Json[] | undefined;
  readonly after: readonly Json[] | undefined;
}

/**
 * Sends a request that must be refused, and judges how: that it is, with which status and payload, and that nothing
 * is changed by it (language §7). What a refusal looks like is bound only if no other one could have come first.
 */
export function refusing(trial: Trial, about: Refusing): Scenario {
  const { of } = trial;
  const { operation, reasons } = about;
  const resource = operation?.subject ?? null;
  const observe = async (): Promise<Watched> => {
    const item = await about.item?.();
    const before = await seen(trial, resource, item);
    const { exchange, given, names } = await about.send(item);
    const asking = { operation, request: exchange.request, given, ...(item && { item }) };
    return {
      exchange,
      given,
      names: names ?? namesFor(of, trial.url, asking),
      before,
      after: await seen(trial, resource, item),
    };
  };
  const accepted = acceptable(of, operation, reasons);
  const checks = [
    isRefused(about, operation, accepted, of),
    ...looks(trial, about, accepted),
    ...(about.more ?? []),
    ...(resource && operation?.method !== 'GET' ? [changesNothing(trial, about, accepted, resource)] : []),
  ];
  const rows = accepted.flatMap(({ row }) => (row ? [row.address] : []));
  const rests = operation
    ? [operation.does.address, ...(operation.request ? [operation.request.address] : [])]
    : [];
  return scenario(of, [...rests, ...rows], observe, checks);
}

async function seen(
  trial: Trial,
  resource: Resource | null,
  item: Item | undefined,
): Promise<readonly Json[] | undefined> {
  return resource === null ? undefined : await ifReached(() => snapshot(trial, resource, item ?? null));
}

function isRefused(
  { says, cites, must = yes }: Refusing,
  operation: Operation | null,
  accepted: readonly Refusal[],
  of: Trial['of'],
): Check<Watched> {
  const status = [...new Set(accepted.map((refusal) => statusOf(of, refusal)))].filter((one) => one !== null);
  return {
    name: 'refused',
    says: `${says} is refused`,
    cites,
    guard: () => must,
    claim: ({ exchange }) => ({
      truth: isRefusal(exchange, operation),
      expected: `a refusal${status.length > 0 ? `: status ${status.join(' or ')}` : ''}`,
      found: answerFound(exchange),
    }),
  };
}

/** Status, media type, header fields and body: those of one of the refusals that are accepted. */
function looks(
  trial: Trial,
  { says, operation, reasons, must = yes, members = [] }: Refusing,
  accepted: readonly Refusal[],
): Check<Watched>[] {
  const { of } = trial;
  const [first] = accepted;
  const several = reasons.length > 1 && accepted.length === 1 && first?.row;
  const own = reasons.find(({ code }) => code !== undefined)?.code;
  const guard = ({ exchange, names }: Watched): Truth =>
    all(refused(exchange, operation), must, onlyThisReason(of, operation, names, own));
  const listed = accepted.filter(({ row }) => row !== null);
  const order = stated(of.errors)?.order;
  const status: Check<Watched> = {
    name: several ? 'order' : 'refusal.status',
    says: `${says} is answered with the status of ${several ? `${first.row.code}, which comes first` : (first?.row?.code ?? 'the floor')}`,
    cites: several && order ? { address: order.address, at: order.at } : statementOf(of, first, 'status'),
    guard,
    claim: ({ exchange }) => ({
      truth: some(...accepted.map((refusal) => hasStatus(of, refusal, exchange.response?.status ?? null))),
      expected: `status ${accepted.map((refusal) => statusOf(of, refusal) ?? '(open)').join(' or ')}`,
      found: answerFound(exchange),
    }),
  };
  // The floor states no content, and forbids none (language §H.4).
  if (listed.length < accepted.length || first === undefined) return [status];
  const media: Check<Watched> = {
    name: 'refusal.media',
    says: `${says} is answered with the media type of errors`,
    cites: statementOf(of, first, 'media'),
    guard,
    claim: ({ exchange }) => anyOf(listed.map((refusal) => hasMedia(trial, refusal, exchange))),
  };
  const body: Check<Watched> = {
    name: 'refusal.body',
    says: `${says} is answered with the payload of ${first.row?.code}`,
    cites: statementOf(of, first, 'body'),
    guard,
    claim: (watched) => anyOf(listed.map((refusal) => hasBody(trial, operation, refusal, members, watched))),
  };
  return [status, media, body, ...headerChecks(trial, says, operation, first, guard)];
}

/** The claim of whichever refusal it turns out to be. */
function anyOf(claims: readonly Claim[]): Claim {
  const best =
    claims.find((claim) => claim.truth.value === true) ??
    claims.find((claim) => claim.truth.value === null) ??
    claims[0];
  return { ...(best as Claim), truth: some(...claims.map((claim) => claim.truth)) };
}

function hasMedia({ of }: Trial, refusal: Refusal, { response }: Exchange): Claim {
  const said = payloadOf(of, refusal, 'media');
  const found = mediaType(response);
  const isBare = payloadOf(of, refusal, 'body')?.kind === 'none';
  const truth =
    said === null || isBare
      ? yes
      : stating(said, (wanted) => known(wanted === null || wanted.toLowerCase() === found));
  return { truth, expected: said?.kind === 'stated' ? said.value : 'any', found: found ?? 'no Content-Type' };
}

function hasBody(
  trial: Trial,
  operation: Operation | null,
  refusal: Refusal,
  members: readonly string[],
  { exchange, names }: Watched,
): Claim {
  const { of } = trial;
  const said = payloadOf(of, refusal, 'body');
  const found = exchange.response?.body ?? '';
  if (said === null || said.kind === 'open')
    return {
      truth: unknown(said?.address ?? 'errors.payload'),
      expected: 'an open payload',
      found: shownAs(found),
    };
  if (said.kind !== 'stated')
    return {
      truth: known(said.kind === 'any' || found === ''),
      expected: 'no content',
      found: shownAs(found),
    };
  const constraints = operation?.subject ? constraintsKnown(of, operation.subject, members) : yes;
  const error = errorFor(of, operation, refusal, names, constraints);
  const json = jsonOf(exchange);
  const claim = fits(workOut(said.value.template, new Map(names).set('error', error)), json);
  return {
    ...claim,
    found: json === undefined ? `content that is not JSON: ${shownAs(found)}` : claim.found,
  };
}

function headerChecks(
  trial: Trial,
  says: string,
  operation: Operation | null,
  refusal: Refusal,
  guard: Check<Watched>['guard'],
): Check<Watched>[] {
  const { of } = trial;
  const said = payloadOf(of, refusal, 'headers');
  return [...withShared(of, said)].map(([name, one]) => ({
    name: 'refusal.headers',
    says: `${says} is answered with ${name}`,
    cites: { address: one.address, at: one.at },
    guard,
    claim: ({ exchange, names }) => {
      const error = errorFor(of, operation, refusal, names, unseen('a header field'));
      const found = header(exchange.response, name);
      if (one.kind !== 'stated')
        return {
          truth: stating(one, () => known(found === undefined)),
          expected: 'none',
          found: shownAs(found),
        };
      return fitsField(workOut(one.value.template, new Map(names).set('error', error)), found);
    },
  }));
}

/** A refusal leaves everything as it was (language §7: "refuse so, and change nothing"). */
function changesNothing(
  { of }: Trial,
  { says, operation }: Refusing,
  accepted: readonly Refusal[],
  resource: Resource,
): Check<Watched> {
  const [first] = accepted;
  const binding = first?.row ? yes : some(protocolStated(of), unknown(rest('errors.codes')));
  return {
    name: 'refusal.effect',
    says: `${says} changes nothing`,
    cites: statementOf(of, first, 'when'),
    guard: ({ exchange, before, after }) =>
      all(
        refused(exchange, operation),
        before && after ? yes : unseen(`nothing shows what is kept of ${resource.name}`),
        steady(of, resource),
        binding,
      ),
    claim: ({ before = [], after = [] }) => {
      const gone = before.filter((one) => !after.some((other) => equal(one, other)));
      const come = after.filter((one) => !before.some((other) => equal(one, other)));
      return {
        truth: known(gone.length === 0 && come.length === 0 && before.length === after.length),
        expected: `the same ${before.length} as before`,
        found:
          gone.length + come.length > 0
            ? `gone: ${shownAs(gone)}; new: ${shownAs(come)}`
            : `${after.length} as they were`,
      };
    },
  };
}
