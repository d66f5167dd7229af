import type { Operation } from '../specification/model/operation.ts';
import type { Specification } from '../specification/model/specification.ts';
import { stated } from '../specification/reading/said.ts';
import type { Check } from './check.ts';
import { carriesValidators } from './conditional/sent.ts';
import { stating, succeeded } from './guards.ts';
import { header } from './http.ts';
import { isKnown, toJson } from './partly.ts';
import { workOut } from './solve.ts';
import type { Done } from './trial.ts';
import { all, known, unseen } from './verdict.ts';

/** The time of the last change, in whole seconds, rounded down (language §4.3; RFC 9110 §8.8.2). */
export function modified(of: Specification, operation: Operation): Check<Done>[] {
  const said = stated(operation.endpoint.conditional)?.lastModified;
  if (said?.kind !== 'stated') return [];
  const { template } = said.value;
  const carries = carriesValidators(of, operation);
  return [
    {
      name: 'last-modified',
      says: `${operation.key} answers with Last-Modified`,
      cites: { address: said.address, at: said.at },
      guard: (done) => all(succeeded(done.exchange, operation), carries(done)),
      claim: ({ exchange, names }) => {
        const found = header(exchange.response, 'last-modified');
        const time = workOut(template, names);
        const isText = isKnown(time) && typeof toJson(time) === 'string';
        const wanted = isText
          ? new Date(Math.floor(Date.parse(toJson(time) as string) / 1000) * 1000).toUTCString()
          : null;
        return {
          truth: stating(said, () =>
            wanted === null ? unseen('the time is never shown') : known(found === wanted),
          ),
          expected: `Last-Modified: ${wanted ?? '(a time)'}`,
          found: found ?? 'no Last-Modified',
        };
      },
    },
  ];
}
