import type { Json } from '../source/node.ts';
import { rest, step } from '../specification/address.ts';
import { bodiless } from '../specification/answer.ts';
import type { Operation } from '../specification/operation.ts';
import type { Field, Resource } from '../specification/parts/resources.ts';
import { stated } from '../specification/said.ts';
import { schemaOf } from '../specification/shape.ts';
import type { Check, Statement } from './check.ts';
import { fits, shownAs } from './fit.ts';
import { answerFound, closed, isSuccess, nothingRefuses, stating, succeeded } from './guards.ts';
import { header, mediaType } from './http.ts';
import { isReadable, itemSeen, membersOf } from './item.ts';
import { workOut } from './solve.ts';
import { answerFor, type Done, namesFor, type Trial } from './trial.ts';
import { all, known, type Truth, unknown, unseen } from './verdict.ts';

/** What makes an operation be carried out: `does`, or the operation itself where that is nothing. */
export function deed(operation: Operation): Statement {
  const change = stated(operation.does);
  return { address: change ? step(operation.does.address, change.verb) : operation.does.address, at: change?.at ?? operation.does.at };
}

/** A request within all that is stated should have been carried out: guarded by the reasons to refuse being known. */
export function succeeds(trial: Trial, operation: Operation, says: string, members: readonly string[], cites = deed(operation)): Check<Done> {
  return {
    name: 'succeeds',
    says: `${says} succeeds`,
    cites,
    guard: () => nothingRefuses(trial.of, operation, members),
    claim: ({ exchange }) => ({ truth: isSuccess(exchange, operation), expected: 'a success', found: answerFound(exchange) }),
  };
}

/** What the answer of a success looks like, guarded by its being one: status, header fields, media type, body. */
export function looksAsStated(trial: Trial, operation: Operation): Check<Done>[] {
  const { key, response } = operation;
  const verb = stated(operation.does)?.verb ?? '';
  const outcome = ({ create: 'created', update: 'changed', delete: 'deleted' } as const)[verb] ?? null;
  const guard = ({ exchange }: Done): Truth => succeeded(exchange, operation);
  const likely = answerFor(operation, outcome, namesFor(trial, null, undefined, outcome)) ?? stated(response)?.[0];
  if (likely === undefined)
    return [
      {
        name: 'answer.status',
        says: `${key} answers with the stated status`,
        cites: { address: response.address, at: response.at },
        guard,
        claim: ({ exchange }) => ({ truth: unknown(response.address), expected: 'an open response', found: answerFound(exchange) }),
      },
    ];
  const { status, media, body, headers } = likely;
  /** The claim on the answer that applied, where that can be told. */
  const on = (done: Done, claim: () => Truth): Truth => (done.answer === likely ? claim() : unseen('which answer applies cannot be told'));
  const checks: Check<Done>[] = [
    {
      name: 'answer.status',
      says: `${key} answers with ${stated(status) ?? 'the stated status'}`,
      cites: { address: status.address, at: status.at },
      guard,
      claim: (done) => ({
        truth: on(done, () => stating(status, (wanted) => known(done.exchange.response?.status === wanted))),
        expected: `status ${stated(status) ?? '(open)'}`,
        found: answerFound(done.exchange),
      }),
    },
  ];
  for (const [name, said] of stated(headers) ?? [])
    checks.push({
      name: 'answer.headers',
      says: `${key} answers with the header field ${name}`,
      cites: { address: said.address, at: said.at },
      guard,
      claim: (done) => {
        const found = header(done.exchange.response, name);
        const claim = said.kind === 'stated' ? fits(workOut(said.value.template, done.names), found) : null;
        const truth = on(done, () => claim?.truth ?? stating(said, () => known(found === undefined)));
        return { truth, expected: claim?.expected ?? 'none', found: shownAs(found) };
      },
    });
  const bare = bodiless.includes(stated(status) ?? 0);
  if (body.kind !== 'none' && !bare && media.kind !== 'open')
    checks.push({
      name: 'answer.media',
      says: `${key} answers with ${stated(media) ?? 'the stated media type'}`,
      cites: { address: media.address, at: media.at },
      guard,
      claim: (done) => ({
        truth: on(done, () => stating(media, (wanted) => known(mediaType(done.exchange.response) === wanted?.toLowerCase()))),
        expected: stated(media) ?? '(open)',
        found: mediaType(done.exchange.response) ?? 'no Content-Type',
      }),
    });
  if (!bare)
    checks.push({
      name: 'answer.body',
      says: `${key} answers with the stated body`,
      cites: { address: body.address, at: body.at },
      guard,
      claim: (done) => {
        const content = done.exchange.response?.body ?? '';
        const claim = body.kind === 'stated' ? fits(workOut(body.value.template, done.names), done.json) : null;
        const truth = on(done, () => claim?.truth ?? stating(body, () => known(content === '')));
        const found = done.json === undefined && content !== '' ? `content that is not JSON: ${shownAs(content)}` : shownAs(done.json);
        return { truth, expected: claim?.expected ?? 'no content', found };
      },
    });
  return checks;
}

/** The items that an answer shows: one, or those of a list. */
function itemsShown({ shown }: Done): readonly { readonly [member: string]: Json }[] {
  const each = (Array.isArray(shown) ? (shown as Json[]) : [shown]).map(membersOf);
  return each.filter((one) => one !== undefined);
}

/** What `R(x)` shows, member by member (language §2): each readable one in its shape, and no other. */
export function showsAsStated(trial: Trial, operation: Operation, resource: Resource): Check<Done>[] {
  const { of, tools } = trial;
  const { key } = operation;
  const guard = (done: Done): Truth => all(succeeded(done.exchange, operation), showing(done));
  const fields = [...resource.fields.values()];
  const wrong = (done: Done, fault: (item: { readonly [member: string]: Json }) => Json | undefined) => {
    const faults = itemsShown(done).flatMap((item) => fault(item) ?? []);
    return { truth: known(faults.length === 0), found: faults.length === 0 ? 'so' : shownAs(faults[0] as Json) };
  };
  const shaped = (field: Field): Check<Done> => {
    const schema = schemaOf(field.shape);
    const own = ({ exchange, ...done }: Done): Truth => {
      const isThere = itemsShown({ exchange, ...done }).some((item) => Object.hasOwn(item, field.name));
      return all(guard({ exchange, ...done }), known(isThere, `no ${resource.name} shown has ${field.name}`));
    };
    return {
      name: 'shown.shape',
      says: `${key} shows ${field.name} in its shape`,
      cites: { address: field.address, at: field.at },
      guard: own,
      claim: (done) => ({
        ...wrong(done, (item) =>
          Object.hasOwn(item, field.name) && tools.failures(schema, item[field.name] as Json).length > 0 ? item[field.name] : undefined,
        ),
        expected: shownAs(schema as Json),
      }),
    };
  };
  const hidden = (field: Field): Check<Done> => ({
    name: 'shown.readable',
    says: `${key} never shows ${field.name}`,
    cites: { address: field.readable.address, at: field.readable.at },
    guard,
    claim: (done) => ({
      ...wrong(done, (item) => (Object.hasOwn(item, field.name) ? (item as Json) : undefined)),
      expected: `no member ${field.name}`,
    }),
  });
  const derived = (field: Field): Check<Done> => ({
    name: 'shown.derived',
    says: `${key} shows ${field.name} as it is derived`,
    cites: { address: field.derived.address, at: field.derived.at },
    guard,
    claim: (done) => {
      const claims = itemsShown(done).map((item) => {
        const seen = Array.isArray(done.shown) ? itemSeen(resource, item, undefined, done.names, []) : done.item;
        const template = stated(field.derived)?.template;
        if (template === undefined) return { truth: unknown(field.derived.address), expected: '(open)', found: '' };
        return fits(workOut(template, new Map(done.names).set('this', seen ?? null)), item[field.name]);
      });
      const worst = claims.find(({ truth }) => truth.value === false) ?? claims.find(({ truth }) => truth.value === null) ?? claims[0];
      return worst ?? { truth: unseen('nothing is shown'), expected: '', found: '' };
    },
  });
  const names = fields.map((field) => field.name);
  const nothingElse: Check<Done> = {
    name: 'shown.others',
    says: `${key} shows no member but those of ${resource.name}`,
    cites: { address: rest(`${resource.address}.fields`), at: of.completeness.closed(`${resource.address}.fields`) ?? resource.at },
    guard: (done) => all(guard(done), closed(of, `${resource.address}.fields`), keepsNone(resource)),
    claim: (done) => ({
      ...wrong(done, (item) => (Object.keys(item).some((name) => !names.includes(name)) ? (item as Json) : undefined)),
      expected: `no members but ${fields.filter(isReadable).map((field) => field.name).join(', ')}`,
    }),
  };
  return [
    ...fields.filter(isReadable).map(shaped),
    ...fields.filter((field) => stated(field.readable) === false).map(hidden),
    ...fields.filter((field) => isReadable(field) && field.derived.kind === 'stated').map(derived),
    nothingElse,
  ];
}

/** Members that nobody stated are shown where they are kept (language §H.1). */
function keepsNone(resource: Resource): Truth {
  return known(stated(resource.others) !== 'keep', 'members that nobody stated are kept');
}

function showing({ shown, operation }: Done): Truth {
  if (shown === undefined) return known(false, `the answer of ${operation.key} shows no item`);
  return known(!Array.isArray(shown) || shown.length > 0, 'the list is empty');
}
