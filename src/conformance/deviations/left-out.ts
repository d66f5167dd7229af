import type { Specification } from '../../specification/model/specification.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import { isStated } from './changed.ts';
import { type Kind, keyOf, nothing, operationOf, restating } from './deviation.ts';
import { isRecord } from './record.ts';

/** A statement, or an entry of a list, that is left out, where the language says what follows of that. */
export const leftOut: Kind = (said, specification) => {
  const isWhole = entry.test(said.address);
  if (!isWhole && (needed.has(keyOf(said)) || taken.test(said.address) || hasParts(said))) return [];
  if (choosesOne(said, specification)) return [];
  return [restating(said, specification, 'it is left out', nothing(said))];
};

/** Without these, nobody can say what happens: an implementation has to do something. */
const needed: ReadonlySet<string> = new Set(
  [
    'identifier, of, fields, readable, writable, does, operation, request, response, status, initial',
    'scheme, credentials, rule, protocol, place, versions, header, issued, actor, allow, every, kept',
    'openIdConnectUrl, oauth2MetadataUrl',
  ].flatMap((line) => line.split(', ')),
);

/**
 * What requests of tests are made by, parts as a whole, what has another word for everything that may be done instead, and what a
 * log-in compares: that it is not compared has a deviation of its own.
 */
const taken =
  /\.request\.others\.\w+$|\.does\.by\.\w+$|^\w+$|^endpoints\["[^"]*"\]\.request\.(path(\.\w+)?|body)$|^endpoints\["[^"]*"\]$|^resources\.\w+$|^limits\.\w+\.\w+\.window$/;

/** Whether it says which one of all items an operation takes. Without it, nobody can say which. */
function choosesOne(said: Said<unknown>, specification: Specification): boolean {
  const does = said.address.endsWith('.does.where') ? operationOf(said, specification)?.does : undefined;
  const change = does && stated(does);
  return change !== undefined && change.verb !== 'list' && change.subject.kind !== 'every';
}

/** An entry that an implementation may lack: what stands in it has deviations of its own. */
const entry = new RegExp(
  [
    String.raw`^(errors\.codes|events\.(kinds|delivery)|limits\.(rates|quotas)|versioning\.versions)`,
    String.raw`(\.[^.[]+|\["[^"]*"\])$`,
    String.raw`|\.transitions\.[^.[]+$`,
    String.raw`|^states\["[^"]*"\]\.work\.[^.[]+$`,
    String.raw`|^endpoints\["[^"]*"\](\.[^.]+)?\.request\.(query|headers)\.[^.]+$|^limits\.times\.[^.]+$`,
    String.raw`|^endpoints\b.*\.(idempotency|replay|cors)$`,
    String.raw`|^endpoints\["[^"]*"\]\.response(\[\d+\])?\.body$`,
    String.raw`|^versioning\.versions\.[^.]+\.(deprecated|sunset|retired)$`,
  ].join(''),
);

/** Whether statements stand in it: each of these is left out by itself. */
function hasParts(said: Said<unknown>): boolean {
  if (said.kind !== 'stated' || !isRecord(said.value) || Array.isArray(said.value)) return false;
  const parts = said.value instanceof Map ? [...said.value.values()] : Object.values(said.value);
  return parts.some((part) => isRecord(part) && isStated(part));
}
