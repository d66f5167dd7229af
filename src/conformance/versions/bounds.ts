import type { Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Resource } from '../../specification/vocabulary/parts/resources.ts';
import { type Body, bodyOf } from '../body.ts';
import { type Scenario, scenario, Unreached, unreached } from '../check.ts';
import { answerFound, isRefusal, isSuccess } from '../guards.ts';
import { type Members, membersOf } from '../item.ts';
import { keptAs } from '../kept.ts';
import { namesFor } from '../names.ts';
import { isKnown, toJson } from '../partly.ts';
import { create } from '../perform.ts';
import { bounds } from '../probes.ts';
import { bodyFor } from '../request.ts';
import { fieldSchema } from '../schema.ts';
import { form, mediaOf } from '../spell.ts';
import { describe } from '../taking.ts';
import { operationFor, restsOf, type Trial } from '../trial.ts';
import { nothingRefuses } from '../unrefused.ts';
import { yes } from '../verdict.ts';
import { type Differing, differingFields, inVersion } from './crossed.ts';

/** What an older version takes of a field that it has otherwise: what is at its bounds, and nothing past them (language §9.3). */
export function bounded(trial: Trial, version: string): Scenario[] {
  const { of } = trial;
  const older = of.older.get(version);
  if (older === undefined) return [];
  const asked = inVersion(trial, version, older.specification);
  return [...of.resourcesByName.values()].flatMap((resource) => {
    const then = older.specification.resourcesByName.get(resource.name);
    const creator = then && operationFor(older.specification, then, 'create');
    const body = creator && bodyOf(older.specification, creator);
    if (!then || !creator || !body || mediaOf(creator) === form) return [];
    const called = namesOf(then, older.was);
    return differingFields(of, version, resource, then, older.was)
      .filter(
        ({ field, name }) => name !== null && body.fields.has(field.name) && field.refers.kind !== 'stated',
      )
      .flatMap((one) => {
        try {
          return ofField(trial, asked, creator, body, called, one, version);
        } catch (error) {
          if (!(error instanceof Unreached)) throw error;
          const says = `${creator.key} of version ${version} takes ${one.field.name}`;
          return [unreached(of, [{ name: 'version.takes', says, cites: one.cites }], error.message)];
        }
      });
  });
}

/** Members by the names of the newest version, as an older one calls them, without those that it has not got. */
function namesOf(
  { fields }: Resource,
  was: ReadonlyMap<string, string | null>,
): (members: Members) => Members {
  const called = (name: string): string | null => {
    const address = fields.get(name)?.address;
    const found = address === undefined ? undefined : was.get(address);
    return found === undefined ? name : found;
  };
  return (members) =>
    Object.fromEntries(
      Object.entries(members).flatMap(([name, value]) => {
        const then = called(name);
        return then === null ? [] : [[then, value]];
      }),
    );
}

function ofField(
  trial: Trial,
  older: Trial,
  creator: Operation,
  body: Body,
  called: (members: Members) => Members,
  one: Differing,
  version: string,
): Scenario[] {
  const { field, name, cites } = one;
  const base = membersOf(bodyFor(older, creator, 'most')) ?? {};
  const said = (members: Members, failures: Parameters<typeof describe>[2]): string =>
    `${creator.key} of version ${version} with ${describe(called(members), [name ?? field.name], failures)}`;
  const ask = (members: Members) => async () => await create(older, creator, called(members));
  const own = bounds(body.schema, older.tools, base).filter(({ place }) => place[0] === field.name);
  const inside = own.flatMap((bound) => bound.inside.map(({ value }) => value as Members));
  const outside = own.flatMap((bound) => bound.outside);
  const rests = [...restsOf(creator), cites.address];
  return [
    ...inside
      .filter((members) => isKept(trial.of, trial, one, members))
      .map((members) =>
        scenario(trial.of, rests, ask(members), [
          {
            name: 'version.takes',
            says: `${said(members, [])} succeeds`,
            cites,
            guard: ({ exchange }) => {
              const names = namesFor(older, {
                operation: creator,
                request: exchange.request,
                given: members,
              });
              return nothingRefuses(older.of, creator, Object.keys(members), names, exchange);
            },
            claim: ({ exchange }) => ({
              truth: isSuccess(exchange, creator),
              expected: 'a success',
              found: answerFound(exchange),
            }),
          },
        ]),
      ),
    ...outside.map(({ value, failures }) =>
      scenario(trial.of, rests, ask(value as Members), [
        {
          name: 'refused',
          says: `${said(value as Members, failures)} is refused`,
          cites,
          guard: () => yes,
          claim: ({ exchange }) => ({
            truth: isRefusal(exchange, creator),
            expected: 'a refusal',
            found: answerFound(exchange),
          }),
        },
      ]),
    ),
  ];
}

/** Whether what is kept of a value that is given is as the newest version says: it need not be taken otherwise. */
function isKept(of: Specification, { tools }: Trial, { field, older }: Differing, members: Members): boolean {
  const given = members[field.name];
  if (given === undefined || older === undefined) return false;
  const kept = keptAs(older, given, new Map());
  return isKnown(kept) && tools.failures(fieldSchema(of, field), toJson(kept)).length === 0;
}
