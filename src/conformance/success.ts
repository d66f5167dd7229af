import type { Template } from '../expression/template.ts';
import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { step } from '../specification/reading/address.ts';
import { fixedMedia, isJson, mediaKind } from '../specification/reading/media.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import type { PlacedTemplate } from '../specification/reading/templates.ts';
import type { Answer, AnswerContent, Outcome } from '../specification/vocabulary/answer.ts';
import { bodiless } from '../specification/vocabulary/answer.ts';
import { fieldRead } from './bytes/field.ts';
import type { Check, Claim, Statement } from './check.ts';
import { answerFound, isSuccess, stating, succeeded } from './guards.ts';
import { header, mediaType } from './http.ts';
import { answerFor, outcomeOf } from './look.ts';
import { modified } from './modified.ts';
import { namesFor } from './names.ts';
import { ofShape } from './of-shape.ts';
import { hole, type Partly } from './partly.ts';
import { type Names, workOut } from './solve.ts';
import type { Done, Trial } from './trial.ts';
import { fits, fitsField, shownAs } from './unify.ts';
import { nothingRefuses } from './unrefused.ts';
import { all, known, type Truth, unknown, unseen } from './verdict.ts';

/** What makes an operation be carried out: `does`, or the operation itself where that is nothing. */
export function deed(operation: Operation): Statement {
  const change = stated(operation.does);
  return {
    address: change ? step(operation.does.address, change.verb) : operation.does.address,
    at: change?.at ?? operation.does.at,
  };
}

/** A request within all that is stated should have been carried out: guarded by the reasons to refuse being known. */
export function succeeds(
  trial: Trial,
  operation: Operation,
  says: string,
  members: readonly string[],
  cites = deed(operation),
): Check<Done> {
  return {
    name: 'succeeds',
    says: `${says} succeeds`,
    cites,
    guard: (done) => nothingRefuses(trial.of, operation, members, before(done), done.exchange),
    claim: ({ exchange }) => ({
      truth: isSuccess(exchange, operation),
      expected: 'a success',
      found: answerFound(exchange),
    }),
  };
}

/** The names as they stood before the request was carried out: `this` is the item as it was. */
export function before({ names, asked }: Done): Names {
  return new Map(names).set('this', asked ?? hole());
}

/** Header fields with those of the whole part, which are sent with every answer (language §E.15). */
export function withShared(
  of: Specification,
  own: Answer['headers'] | null,
): Iterable<[string, Said<PlacedTemplate>]> {
  const shared = stated(stated(of.endpoints)?.headers) ?? [];
  return new Map([...shared, ...((own && stated(own)) ?? [])]);
}

/** A body as it is sent: as the one member of an object, where a name for it is stated (language §H.3, `under`). */
export function beneath(under: string | undefined, body: Partly): Partly {
  return under === undefined ? body : { [under]: body };
}

/** Whether content is what a template comes to: as JSON, or as a text where that is its stated media type. */
function fitsContent({ media, under }: AnswerContent, template: Template, done: Done): Claim {
  const expected = workOut(template, done.names);
  const type = stated(fixedMedia(media)) ?? 'application/json';
  if (isJson(type)) return fits(beneath(stated(under), expected), done.json);
  const text = done.exchange.response?.body ?? '';
  if (mediaKind(type) === 'text' && typeof expected === 'string') return fits(expected, text);
  const truth = unseen(`content of ${type} is not looked into`);
  return { truth, expected: shownAs(expected as never), found: shownAs(text) };
}

/** What the answer of a success looks like, guarded by its being one: status, header fields, media type, body. */
export function looksAsStated(
  trial: Trial,
  operation: Operation,
  outcome: Outcome | null = outcomeOf(operation),
  due?: Answer,
): Check<Done>[] {
  const { key, response } = operation;
  const guard = ({ exchange }: Done): Truth => succeeded(exchange, operation);
  const likely =
    due ??
    answerFor(operation, outcome, namesFor(trial, { operation, request: null, outcome })) ??
    stated(response)?.[0];
  if (likely === undefined)
    return [
      {
        name: 'answer.status',
        says: `${key} answers with the stated status`,
        cites: { address: response.address, at: response.at },
        guard,
        claim: ({ exchange }) => ({
          truth: unknown(response.address),
          expected: 'an open response',
          found: answerFound(exchange),
        }),
      },
    ];
  const { status, body, shape, headers } = likely;
  const media = fixedMedia(likely.media);
  const codes = stated(status) ?? [];
  const shownStatus = codes.length > 0 ? codes.join(' or ') : null;
  /** The claim on the answer that applied, where that can be told. */
  const on = (done: Done, claim: () => Truth): Truth =>
    done.answer === likely ? claim() : unseen('which answer applies cannot be told');
  const checks: Check<Done>[] = [
    {
      name: 'answer.status',
      says: `${key} answers with ${shownStatus ?? 'the stated status'}`,
      cites: { address: status.address, at: status.at },
      guard,
      claim: (done) => ({
        truth: on(done, () =>
          stating(status, (wanted) => known(wanted?.includes(done.exchange.response?.status ?? 0) === true)),
        ),
        expected: `status ${shownStatus ?? '(open)'}`,
        found: answerFound(done.exchange),
      }),
    },
  ];
  checks.push(...modified(trial.of, operation));
  for (const [name, said] of withShared(trial.of, headers))
    checks.push({
      name: 'answer.headers',
      says: `${key} answers with the header field ${name}`,
      cites: { address: said.address, at: said.at },
      guard,
      claim: (done) => {
        const found = header(done.exchange.response, name);
        const claim =
          said.kind === 'stated' ? fitsField(workOut(said.value.template, done.names), found) : null;
        const truth = on(done, () => claim?.truth ?? stating(said, () => known(found === undefined)));
        return { truth, expected: claim?.expected ?? 'none', found: shownAs(found) };
      },
    });
  const bare = codes.length > 0 && codes.every((code) => bodiless.includes(code));
  /** Of several statuses, one that was sent may have no content (RFC 9110 §15.3.5). */
  const withContent = (done: Done): Truth => {
    const { status: sent = 0, body: content } = done.exchange.response ?? {};
    return all(
      guard(done),
      known(!bodiless.includes(sent), `an answer with ${sent} has no content`),
      known(content !== '' || fieldRead(operation) === undefined, 'the item has no bytes'),
    );
  };
  if (body.kind !== 'none' && !bare && media.kind !== 'open')
    checks.push({
      name: 'answer.media',
      says: `${key} answers with ${stated(media) ?? 'the stated media type'}`,
      cites: { address: media.address, at: media.at },
      guard: withContent,
      claim: (done) => ({
        truth: on(done, () =>
          stating(media, (wanted) => known(mediaType(done.exchange.response) === wanted?.toLowerCase())),
        ),
        expected: stated(media) ?? '(open)',
        found: mediaType(done.exchange.response) ?? 'no Content-Type',
      }),
    });
  if (!bare)
    checks.push({
      name: 'answer.body',
      says: `${key} answers with the stated body`,
      cites: { address: body.address, at: body.at },
      guard: withContent,
      claim: (done) => {
        const content = done.exchange.response?.body ?? '';
        const claim = body.kind === 'stated' ? fitsContent(likely, body.value.template, done) : null;
        const truth = on(done, () => claim?.truth ?? stating(body, () => known(content === '')));
        const found =
          done.json === undefined && content !== ''
            ? `content that is not JSON: ${shownAs(content)}`
            : shownAs(done.json);
        return { truth, expected: claim?.expected ?? 'no content', found };
      },
    });
  if (shape.kind === 'stated')
    checks.push({
      name: 'answer.shape',
      says: `${key} answers with content of the stated shape`,
      cites: { address: shape.address, at: shape.at },
      guard: withContent,
      claim: (done) => {
        const claim = ofShape(trial, shape.value, done.exchange);
        return { ...claim, truth: on(done, () => claim.truth) };
      },
    });
  return checks;
}
