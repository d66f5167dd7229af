import { get, json } from '../../source/node.ts';
import { once } from '../../source/once.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Day } from '../../specification/reading/date.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Refusal, refusal } from '../change/refusal.ts';
import type { Truth } from '../value/truth.ts';
import { Unknown, unknown, type Value } from '../value/value.ts';
import { editionsOf, type MeantVersion } from '../version/meant.ts';
import { shownAt } from '../world/received.ts';
import type { World } from '../world/world.ts';

/** Why a request of a version is refused whose last day is past (language §9.2, rule 6). */
export function retirement({ version }: MeantVersion, world: World): readonly Refusal[] {
  const retired = version && stated(version.retired);
  return retired && world.decide(hasBegun(retired, world)) ? [refusal('version retired')] : [];
}

/** The header fields by which the answers of a version say that it ends (language §9.2, rule 5). */
export function endingFields({ version }: MeantVersion, world: World): Readonly<Record<string, Value>> {
  if (version === undefined) return {};
  if (version.headers.kind === 'none') return { deprecation: null, sunset: null };
  const [deprecated, sunset] = [stated(version.deprecated), stated(version.sunset)];
  const isSent = deprecated ? hasBegun(deprecated, world) : true;
  const sent = (text: string): Value => (isSent instanceof Unknown ? isSent : isSent ? text : null);
  return {
    // RFC 9745 §2.1: a Date of structured fields; RFC 8594 §3: a date of HTTP.
    ...(deprecated && { deprecation: sent(`@${deprecated.beginsMs / 1000}`) }),
    ...(sunset && { sunset: sent(new Date(sunset.beginsMs).toUTCString()) }),
  };
}

/** Whether a day has begun by the clock of the service when it receives the request. */
function hasBegun({ beginsMs }: Day, { received }: World): Truth {
  const { taken } = shownAt(received.at, received);
  if (taken.least >= beginsMs) return true;
  return taken.most < beginsMs ? false : unknown([]);
}

/** Whether versions state errors apart: then it is not stated by which a request without a version is refused. */
export const statesErrorsApart = once((newest: Specification): boolean => {
  const written = editionsOf(newest).map(({ tree }) => get(tree, 'errors'));
  return new Set(written.map((errors) => JSON.stringify(errors ? json(errors) : null))).size > 1;
});
