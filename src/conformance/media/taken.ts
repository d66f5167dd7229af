import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { stated } from '../../specification/reading/said.ts';
import { type Request, requestByMedia } from '../../specification/vocabulary/request.ts';
import { bodyOf } from '../body.ts';
import type { Scenario, Statement } from '../check.ts';
import { scenario } from '../check.ts';
import { doesJustThat } from '../guards.ts';
import { type Members, membersOf } from '../item.ts';
import { mustRefuse, type Reason, refusalStatement } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { bodyFor } from '../request.ts';
import { sample, varied } from '../sample.ts';
import { form, isJson, mediaOf } from '../spell.ts';
import { looksAsStated, succeeds } from '../success.ts';
import { givenBack, staysAsGiven, takingOf } from '../taking.ts';
import { restsOf, type Trial } from '../trial.ts';
import { all } from '../verdict.ts';

/** Where several media types are stated, each of them is taken for what it says (language §4.2). */
export function medias(trial: Trial, usual: Operation): Scenario[] {
  const { request, subject } = usual;
  const first = mediaOf(usual);
  const requests = request ? requestByMedia(request) : [];
  const others = requests.flatMap((one) =>
    (stated(one.media) ?? [])
      .filter((media) => media !== first && (isJson(media) || media === form))
      .map((media) => ({ media, operation: requests.length === 1 ? usual : { ...usual, request: one } })),
  );
  return others.flatMap(({ media, operation }) => {
    const body = bodyOf(trial.of, operation);
    const taking = subject && takingOf(trial, operation, subject);
    if (body === null || !taking) return [];
    const said = (operation.request as Request).media;
    const cites: Statement = { address: said.address, at: said.at };
    const says = `${operation.key} as ${media}`;
    const given = (): Members => sayable(membersOf(bodyFor(trial, operation, 'most')) ?? {}, media);
    const names = Object.keys(given());
    const shown = [...body.fields.values()].filter(
      (field) => names.includes(field.name) && staysAsGiven(operation, field),
    );
    const checks = [
      succeeds(trial, operation, says, names, cites),
      ...looksAsStated(trial, operation).filter(({ name }) => name === 'answer.status'),
      ...shown.map((field) => {
        const check = givenBack(taking, field, says, {});
        return { ...check, cites };
      }),
    ];
    return [
      scenario(
        trial.of,
        restsOf(operation),
        () => sample(trial, operation, { body: given(), media }),
        checks,
      ),
    ];
  });
}

/** A form cannot say null. */
function sayable(members: Members, media: string): Members {
  if (media !== form) return members;
  return Object.fromEntries(Object.entries(members).filter(([, value]: [string, Json]) => value !== null));
}

/** What the client does not want is refused where a row lists that (language §H.4, `not acceptable`). */
export function unwanted(trial: Trial, operation: Operation): Scenario[] {
  const { of } = trial;
  const reason: Reason = { name: 'not acceptable', subject: '', failures: [] };
  const content = (stated(operation.response) ?? []).some(({ body }) => body.kind === 'stated');
  if (
    !content ||
    mustRefuse(of, operation, reason).value !== true ||
    refusalStatement(of, operation, reason).address.startsWith('endpoints')
  )
    return [];
  return [
    refusing(trial, {
      says: `${operation.key} with Accept: application/x-unstated`,
      operation,
      cites: refusalStatement(of, operation, reason),
      reasons: [reason],
      must: all(mustRefuse(of, operation, reason), doesJustThat(of, operation)),
      ...varied(trial, operation, () => ({ headers: [['Accept', 'application/x-unstated']] })),
    }),
  ];
}
