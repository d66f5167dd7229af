import type { Json } from '../source/node.ts';
import { once } from '../source/once.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { fixedMedia, isJson, mediaKind } from '../specification/reading/media.ts';
import { stated } from '../specification/reading/said.ts';
import { admits, admitsToNone } from './access/admits.ts';
import type { Check, Claim, Seen, Statement } from './check.ts';
import { answerFound, constraintsKnown, onlyThisReason, refused, stating } from './guards.ts';
import { type Exchange, header, jsonOf, mediaType } from './http.ts';
import { limitsClosed, unlimited } from './limits/unlimited.ts';
import { ofShape } from './of-shape.ts';
import type { Item } from './partly.ts';
import {
  chosen,
  hasStatus,
  namesInError,
  orderOf,
  payloadOf,
  type Reason,
  type Refusal,
  statementOf,
  statusesOf,
} from './refusal.ts';
import { nothingBefore } from './refusals/beforehand.ts';
import { type Names, workOut } from './solve.ts';
import { beneath, withShared } from './success.ts';
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
  /** Makes all that the request takes before what is kept is looked at, and the item that it is about, if any. */
  readonly item?: () => Promise<Item | undefined>;
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

/** Status, media type, header fields and body: those of one of the refusals that are accepted. */
export function answered(
  trial: Trial,
  { says, operation, reasons, must = yes, members = [] }: Refusing,
  accepted: readonly Refusal[],
): Check<Watched>[] {
  const { of } = trial;
  const [first] = accepted;
  const several = reasons.length > 1 && accepted.length === 1 && first?.row;
  const own = [
    ...reasons.flatMap(({ code }) => code ?? []),
    ...laterThan(of, chosen(of, operation, reasons)[0]),
  ];
  const isAboutWho = reasons.some(({ name }) => /^(credential|not authorized)/.test(name));
  const isGone = reasons.some(
    ({ name, subject }) => name === 'unknown' && subject === operation?.subject?.name,
  );
  const lets = (names: Names): Truth => {
    if (isAboutWho) return yes;
    return isGone && operation ? admitsToNone(of, operation, names) : admits(of, operation, names);
  };
  const isLimited = reasons.some(({ name }) => ['rate exceeded', 'too large'].includes(name));
  const guard = once(
    ({ exchange, names }: Watched): Truth =>
      all(
        refused(exchange, operation),
        must,
        lets(names),
        onlyThisReason(of, operation, names, own),
        nothingBefore(of, operation, reasons, names, exchange.request),
        isLimited ? limitsClosed(of, operation, exchange.request) : unlimited(of, operation, exchange, names),
      ),
  );
  const listed = accepted.filter(({ row }) => row !== null);
  const order = stated(of.errors)?.order;
  const status: Check<Watched> = {
    name: several ? 'order' : 'refusal.status',
    says: `${says} is answered with the status of ${several ? `${first.row.code}, which comes first` : (first?.row?.code ?? 'the floor')}`,
    cites: several && order ? { address: order.address, at: order.at } : statementOf(of, first, 'status'),
    guard,
    claim: ({ exchange }) => ({
      truth: some(...accepted.map((refusal) => hasStatus(of, refusal, exchange.response?.status ?? null))),
      expected: `status ${[...new Set(accepted.flatMap((refusal) => orOpen(statusesOf(of, refusal))))].join(' or ')}`,
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
  const shaped = listed.flatMap(({ row }) => (row ? (stated(row.row.shape) ?? []) : []));
  const shape: Check<Watched> = {
    name: 'refusal.shape',
    says: `${says} is answered with content of the shape of ${first.row?.code}`,
    cites: statementOf(of, first, 'shape'),
    guard,
    claim: ({ exchange }) => anyOf(shaped.map((one) => ofShape(trial, one, exchange))),
  };
  // Where one of the refusals states no shape, any will do for it.
  const shapes = shaped.length === listed.length ? [shape] : [];
  return [status, media, body, ...shapes, ...headerChecks(trial, says, operation, first, guard)];
}

/** The rows that come after the one that answers: what they say may hold as well (language §7.1, `order`). */
function laterThan(of: Specification, refusal: Refusal | undefined): readonly string[] {
  const order = orderOf(of);
  const place = order.indexOf(refusal?.row?.code ?? '');
  return place < 0 ? [] : order.slice(place + 1);
}

function orOpen(statuses: readonly number[]): readonly (number | string)[] {
  return statuses.length > 0 ? statuses : ['(open)'];
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
  const media = payloadOf(of, refusal, 'media');
  const said = media && fixedMedia(media);
  const found = mediaType(response);
  const isBare = payloadOf(of, refusal, 'body')?.kind === 'none';
  const truth =
    said === null || isBare
      ? unseen('no content is stated')
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
  const json = jsonOf(exchange);
  const under = stated(payloadOf(of, refusal, 'under') ?? undefined);
  const expected = workOut(said.value.template, namesInError(of, operation, refusal, names, constraints));
  const media = payloadOf(of, refusal, 'media');
  const type = (media && stated(fixedMedia(media))) ?? 'application/json';
  if (!isJson(type)) {
    const isText = typeof expected === 'string' && mediaKind(type) === 'text';
    const unknown = { expected: shownAs(expected as never), found: shownAs(found) };
    return isText
      ? fits(expected, found)
      : { truth: unseen(`content of ${type} is not looked into`), ...unknown };
  }
  const claim = fits(beneath(under, expected), json);
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
      const inError = namesInError(of, operation, refusal, names, unseen('a header field'));
      const found = header(exchange.response, name);
      if (one.kind !== 'stated')
        return {
          truth: stating(one, () => known(found === undefined)),
          expected: 'none',
          found: shownAs(found),
        };
      return fitsField(workOut(one.value.template, inError), found);
    },
  }));
}
