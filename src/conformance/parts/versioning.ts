import type { Json } from '../../source/node.ts';
import type { Operation } from '../../specification/model/operation.ts';
import { step } from '../../specification/reading/address.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Version } from '../../specification/vocabulary/parts/versioning.ts';
import { type Check, type Plan, type Scenario, type Statement, scenario } from '../check.ts';
import { answerFound, isSuccess, stating, succeeded } from '../guards.ts';
import { header } from '../http.ts';
import { namesFor } from '../names.ts';
import { perform } from '../perform.ts';
import { mustRefuse, type Reason } from '../refusal.ts';
import { refusing } from '../refusing.ts';
import { isAboutOne } from '../request.ts';
import { sample, varied } from '../sample.ts';
import { partStatedOnly, statedOnly, unchecked } from '../stated.ts';
import { type Done, heldUp, restsOf, type Trial } from '../trial.ts';
import { nothingRefuses } from '../unrefused.ts';
import { all, known, unseen, yes } from '../verdict.ts';
import { bounded } from '../versions/bounds.ts';
import { crossed, isOfField } from '../versions/crossed.ts';
import { gone } from '../versions/gone.ts';

/** Part 9, how versions are told apart, and what of an item each of them shows (language §9). */
export function checks(trial: Trial): Plan[] {
  const { of } = trial;
  const part = stated(of.versioning);
  if (part === undefined || stated(part.place) === undefined) return [() => partStatedOnly(of, 'versioning')];
  const probe = probeOf(trial);
  if (probe === undefined) return [() => partStatedOnly(of, 'versioning')];
  const versions = [...(stated(part.versions) ?? [])].flatMap(([name, said]) => {
    const version = stated(said);
    return version ? [{ name, version, cites: { address: said.address, at: said.at } }] : [];
  });
  const names = versions.flatMap(({ name, version, cites }) => [
    { version, written: name, of: name, cites },
    ...(stated(version.alias) ?? []).map(({ text }) => ({
      version,
      written: text.replace(/\*$/, ''),
      of: name,
      cites: { address: version.alias.address, at: version.alias.at },
    })),
  ]);
  return [
    ...names.map((one) => () => [named(trial, probe, one)]),
    () => unnamed(trial, probe),
    () => [unknown(trial, probe, { address: part.versions.address, at: part.versions.at })],
    () => versions.flatMap(({ name }) => [...crossed(trial, name), ...bounded(trial, name)]),
    () => versions.flatMap(({ name, version }) => ofOthers(trial, name, version)),
    () => [unchecked(of, 'versioning.scheme', 'it puts the names in order, which no request shows')],
  ];
}

/** Differences of other kinds than those of a resource's own fields: endpoints that are not there; no request tries the others yet. */
function ofOthers(trial: Trial, name: string, version: Version): Scenario[] {
  const { differs } = version;
  const missing = gone(trial, name, version);
  const others = [...(stated(differs) ?? [])].filter(([, { path }]) => !isOfField(path));
  return others.map(
    ([written]) =>
      missing.get(written) ??
      statedOnly(trial.of, step(differs.address, written), 'not exercised by this version'),
  );
}

/** An operation that every version has and that is asked with nothing. */
function probeOf({ of }: Trial): Operation | undefined {
  const everywhere = ({ key }: Operation): boolean =>
    [...of.older.values()].every(({ specification }) =>
      specification.operations.some((one) => one.key === key),
    );
  const found = of.operations.filter(
    (one) => one.method === 'GET' && heldUp(of, one) === null && everywhere(one),
  );
  return found.find((one) => !isAboutOne(one)) ?? found[0];
}

const reason = (name: Reason['name']): Reason => ({ name, subject: '', failures: [] });

interface Named {
  readonly version: Version;
  /** What the request says. */
  readonly written: string;
  /** The version that it means. */
  readonly of: string;
  readonly cites: Statement;
}

/** A request that names a version is answered, with the fields that tell of its end; one that is retired is refused. */
function named(trial: Trial, probe: Operation, { version, written, of: name, cites }: Named): Scenario {
  const { of } = trial;
  const says = `${probe.key} of version ${written}`;
  const today = new Date(trial.now()).toISOString().slice(0, 10);
  const { deprecated, retired } = version;
  const end = stated(retired);
  const attempt = { version: written };
  if (end && end.text <= today)
    return refusing(trial, {
      says,
      operation: probe,
      cites: { address: retired.address, at: retired.at },
      reasons: [reason('version retired')],
      must: mustRefuse(of, probe, reason('version retired')),
      ...varied(trial, probe, () => attempt),
    });
  const then = of.older.get(name)?.specification ?? of;
  const begins = stated(deprecated);
  const isTold = begins === undefined || begins.text <= today;
  const field = (
    key: 'deprecated' | 'sunset',
    fieldName: string,
    value: (beginsMs: number) => string,
  ): Check<Done>[] => {
    const said = version[key];
    if (said.kind !== 'stated') return [];
    const wanted = isTold && version.headers.kind !== 'none' ? value(said.value.beginsMs) : undefined;
    return [
      {
        name: `version.${key}`,
        says: `${says} ${wanted === undefined ? 'does not tell' : 'tells'} by ${fieldName} of its end`,
        cites: { address: said.address, at: said.at },
        guard: ({ exchange }) => known(exchange.response !== null, 'no answer came'),
        claim: ({ exchange }) => {
          const found = header(exchange.response, fieldName);
          return {
            truth: stating(said, () => known(found === wanted)),
            expected: wanted ?? `no ${fieldName}`,
            found: found ?? `no ${fieldName}`,
          };
        },
      },
    ];
  };
  return scenario(of, [...restsOf(probe), cites.address], () => sample(trial, probe, attempt), [
    {
      name: 'version.known',
      says: `${says} is answered`,
      cites,
      guard: (done) =>
        all(free(trial, probe, done), then === of ? yes : free({ ...trial, of: then }, probe, done)),
      claim: ({ exchange }) => ({
        truth: isSuccess(exchange, probe),
        expected: 'a success',
        found: answerFound(exchange),
      }),
    },
    ...field('deprecated', 'Deprecation', (ms) => `@${ms / 1000}`),
    ...field('sunset', 'Sunset', (ms) => new Date(ms).toUTCString()),
  ]);
}

function free(trial: Trial, probe: Operation, { exchange, asked }: Done) {
  const names = namesFor(trial, { operation: probe, request: exchange.request, item: asked });
  return nothingRefuses(trial.of, probe, [], names, exchange);
}

/** A request that names no version: of the default, or refused where that is stated to be none. */
function unnamed(trial: Trial, probe: Operation): Scenario[] {
  const { of } = trial;
  const said = stated(of.versioning)?.default;
  if (said === undefined || said.kind === 'open' || said.kind === 'any') return [];
  const cites = { address: said.address, at: said.at };
  const missing = reason('version missing');
  const refused = (version: string | null, says: string): Scenario =>
    refusing(trial, {
      says: `${probe.key} ${says}`,
      operation: probe,
      cites,
      reasons: [missing],
      must: mustRefuse(of, probe, missing),
      ...varied(trial, probe, () => ({ version })),
    });
  if (said.kind === 'none')
    return [refused(null, 'of no version'), refused('', 'of a version without a name')];
  return [
    scenario(of, [...restsOf(probe), said.address], () => sample(trial, probe, { version: null }), [
      {
        name: 'version.default',
        says: `${probe.key} of no version is answered`,
        cites,
        guard: (done) => free(trial, probe, done),
        claim: ({ exchange }) => ({
          truth: isSuccess(exchange, probe),
          expected: 'a success',
          found: answerFound(exchange),
        }),
      },
    ]),
    ...(said.kind === 'stated' ? [asDefault(trial, probe, said.value.text, cites)] : []),
    refused('', 'of a version without a name'),
  ];
}

/** An answer to a request that names no version, and to the same one that names the default. */
interface Unnamed extends Done {
  readonly named: Done;
  /** The same, of another version; undefined where there is none. */
  readonly other: Done | undefined;
}

/** What is answered to a request that names no version looks as it does to one that names the default (language §9.1). */
function asDefault(trial: Trial, probe: Operation, version: string, cites: Statement): Scenario {
  const of = (one: Version | undefined, name: string): boolean =>
    name === version || (stated(one?.alias)?.some(({ text }) => text === version) ?? false);
  const versions = [...(stated(stated(trial.of.versioning)?.versions) ?? [])];
  const [another] = versions.flatMap(([name, said]) => (of(stated(said), name) ? [] : [name]));
  const observe = async (): Promise<Unnamed> => {
    const done = await sample(trial, probe, { version: null });
    const item = done.asked;
    const ask = (name: string) => perform(trial, probe, { version: name, ...(item && { item }) });
    const named = await ask(version);
    return { ...done, named, other: another === undefined ? undefined : await ask(another) };
  };
  const look = ({ exchange, json }: Done): string =>
    [
      ...['Deprecation', 'Sunset'].map((name) => header(exchange.response, name) ?? ''),
      ...namesIn(json),
    ].join(' ');
  const check: Check<Unnamed> = {
    name: 'version.default',
    says: `${probe.key} of no version is answered as of version ${version}`,
    cites,
    guard: ({ exchange, named }) => all(succeeded(exchange, probe), succeeded(named.exchange, probe)),
    claim: (seen) => {
      const [wanted, found] = [look(seen.named), look(seen)];
      const isAlike = seen.other !== undefined && look(seen.other) === wanted;
      const truth = isAlike ? unseen('another version is answered alike') : yes;
      return { truth: wanted === found ? truth : known(false), expected: wanted, found };
    },
  };
  return { ...scenario(trial.of, [...restsOf(probe), cites.address], observe, [check]), about: version };
}

/** The names of all members in a value, in order. */
function namesIn(value: Json | undefined): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...new Set([...own, ...Object.values(value).flatMap((one) => namesIn(one as Json))])].sort();
}

/** A name that no version has. */
function unknown(trial: Trial, probe: Operation, cites: Statement): Scenario {
  const nobody = reason('version unknown');
  return refusing(trial, {
    says: `${probe.key} of a version that is not there`,
    operation: probe,
    cites,
    reasons: [nobody],
    must: mustRefuse(trial.of, probe, nobody),
    ...varied(trial, probe, () => ({ version: `x${trial.random.letters(8)}` })),
  });
}
