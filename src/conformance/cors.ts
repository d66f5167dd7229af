import type { Operation } from '../specification/model/operation.ts';
import { type Said, stated } from '../specification/reading/said.ts';
import type { Cors } from '../specification/vocabulary/parts/endpoints.ts';
import { type Check, type Claim, type Scenario, type Seen, scenario } from './check.ts';
import { isAny, mayRead, mayUse, originOf, page, safelisted } from './fetch.ts';
import { answerFound, closed, isAnswered, refused, stating, succeeded } from './guards.ts';
import { header, headerList, type Response } from './http.ts';
import { withOthers } from './perform.ts';
import { requestTo } from './request.ts';
import { itemFor, refusable, sample } from './sample.ts';
import { type Done, restsOf, send, type Trial } from './trial.ts';
import { all, known, not, type Truth, yes } from './verdict.ts';

const stranger = 'x-unstated';

/** What pages of other origins may do, as the Fetch standard reads the answers (language §4.1, `cors`). */
export function cors(trial: Trial, operation: Operation): Scenario[] {
  const said = operation.cors;
  if (said.kind === 'none') return [withoutCors(trial, operation)];
  const stating = stated(said);
  return stating ? [...preflight(trial, operation, stating), ...requests(trial, operation, stating)] : [];
}

/** The origins of a list may read, and, where it names all there are, no other. */
function originClaim({ origins, credentials }: Cors, origin: string, response: Response | null): Claim {
  const withCredentials = stated(credentials) === true;
  const found = header(response, 'access-control-allow-origin');
  return {
    truth: stating(origins, (list) => {
      const listed = isAny(list) || (list?.includes(origin) ?? false);
      return known(mayRead(response, origin, withCredentials) === listed);
    }),
    expected: `Access-Control-Allow-Origin that lets ${origin} read${withCredentials ? ', with credentials' : ''}`,
    found: found === undefined ? 'no Access-Control-Allow-Origin' : found,
  };
}

const cite = ({ address, at }: Said<unknown>) => ({ address, at });

function preflight(trial: Trial, operation: Operation, stating_: Cors): Scenario[] {
  const { of } = trial;
  const { key, method } = operation;
  const { origins, methods, headers, credentials, maxAge } = stating_;
  const origin = originOf(stating_);
  const asks = (names: readonly string[]) => async (): Promise<Seen> => {
    const item = await itemFor(trial, operation);
    const attempt = await withOthers(trial, operation, { method: 'OPTIONS', ...(item && { item }) });
    const request = requestTo(trial, operation, attempt);
    const asked = [...names].map((name) => name.toLowerCase()).sort();
    return {
      exchange: await send(trial, {
        ...request,
        body: null,
        headers: [
          ['Origin', origin],
          ['Access-Control-Request-Method', method],
          ...(asked.length > 0 ? ([['Access-Control-Request-Headers', asked.join(',')]] as const) : []),
        ],
      }),
    };
  };
  const withCredentials = stated(credentials) === true;
  const answered = ({ exchange }: Seen): Truth => isAnswered(exchange);
  const field = (response: Response | null, name: string): string =>
    `${name}: ${header(response, name) ?? 'not there'}`;
  const listed = (
    isAny(stated(headers) ?? null) ? ['content-type', 'x-any'] : (stated(headers) ?? [])
  ).filter((name) => name !== '');
  const checks: Check<Seen>[] = [
    {
      name: 'cors.preflight',
      says: `a preflight for ${key} is answered`,
      cites: cite(operation.cors),
      guard: () => yes,
      // Fetch §4.8 wants an ok status; which of the two is the service's to choose (language §F.1).
      claim: ({ exchange }) => ({
        truth: known([200, 204].includes(exchange.response?.status ?? 0)),
        expected: 'status 200 or 204',
        found: answerFound(exchange),
      }),
    },
    {
      name: 'cors.origins',
      says: `a preflight for ${key} lets the stated origins in`,
      cites: cite(origins),
      guard: answered,
      claim: ({ exchange }) => originClaim(stating_, origin, exchange.response),
    },
    {
      name: 'cors.methods',
      says: `a preflight for ${key} allows ${method} as stated`,
      cites: cite(methods),
      guard: (seen) =>
        all(answered(seen), known(!safelisted.includes(method), `pages may ask for ${method} without leave`)),
      claim: ({ exchange: { response } }) => ({
        truth: stating(methods, (list) => {
          const allowed = mayUse(response, 'access-control-allow-methods', method, withCredentials);
          return known(allowed === (isAny(list) || (list?.includes(method) ?? false)));
        }),
        expected: `${method} allowed as in ${stated(methods)?.join(', ')}`,
        found: field(response, 'Access-Control-Allow-Methods'),
      }),
    },
    {
      name: 'cors.methods.others',
      says: `a preflight for ${key} allows no method that is not stated`,
      cites: cite(methods),
      guard: (seen) =>
        isAny(stated(methods) ?? null)
          ? known(false, 'every method is stated')
          : all(answered(seen), closed(of, methods.address)),
      claim: ({ exchange: { response } }) => ({
        truth: stating(methods, (list) =>
          known(
            headerList(response, 'access-control-allow-methods').every(
              (one) => list?.includes(one) || one === 'HEAD',
            ),
          ),
        ),
        expected: `none but ${stated(methods)?.join(', ')}`,
        found: field(response, 'Access-Control-Allow-Methods'),
      }),
    },
    ...listed.map(
      (name): Check<Seen> => ({
        name: 'cors.headers',
        says: `a preflight for ${key} allows the header field ${name}`,
        cites: cite(headers),
        guard: answered,
        claim: ({ exchange: { response } }) => ({
          truth: known(mayUse(response, 'access-control-allow-headers', name, withCredentials)),
          expected: `${name} allowed`,
          found: field(response, 'Access-Control-Allow-Headers'),
        }),
      }),
    ),
  ];
  if (maxAge.kind !== 'open')
    checks.push({
      name: 'cors.maxAge',
      says: `a preflight for ${key} may be kept as long as stated`,
      cites: cite(maxAge),
      guard: answered,
      claim: ({ exchange: { response } }) => ({
        truth: stating(maxAge, (seconds) =>
          known(
            (header(response, 'access-control-max-age') ?? null) ===
              (seconds === null ? null : String(seconds)),
          ),
        ),
        expected: `Access-Control-Max-Age: ${stated(maxAge)}`,
        found: field(response, 'Access-Control-Max-Age'),
      }),
    });
  const others: Check<Seen> = {
    name: 'cors.headers.others',
    says: `a preflight for ${key} allows no header field that is not stated`,
    cites: cite(headers),
    guard: (seen) =>
      isAny(stated(headers) ?? null)
        ? known(false, 'every header field is stated')
        : all(answered(seen), closed(of, headers.address)),
    claim: ({ exchange: { response } }) => ({
      truth: stating(headers, () =>
        not(known(mayUse(response, 'access-control-allow-headers', stranger, withCredentials))),
      ),
      expected: `${stranger} not allowed`,
      found: field(response, 'Access-Control-Allow-Headers'),
    }),
  };
  const rests = restsOf(operation);
  return [scenario(of, rests, asks(listed), checks), scenario(of, rests, asks([stranger]), [others])];
}

/** The requests themselves, from a page: those that succeed, and those that are refused. */
function requests(trial: Trial, operation: Operation, stating_: Cors): Scenario[] {
  const { of } = trial;
  const { key } = operation;
  const { origins, exposes } = stating_;
  const origin = originOf(stating_);
  const from = [['Origin', origin]] as const;
  const readable = (says: string, guard: (seen: Done) => Truth): Check<Done> => ({
    name: 'cors.answer',
    says,
    cites: cite(origins),
    guard,
    claim: ({ exchange }) => originClaim(stating_, origin, exchange.response),
  });
  const checks = [
    readable(`${key} from a page of a stated origin can be read there`, ({ exchange }) =>
      succeeded(exchange, operation),
    ),
  ];
  for (const name of isAny(stated(exposes) ?? null) ? [] : (stated(exposes) ?? []))
    checks.push({
      name: 'cors.exposes',
      says: `${key} lets pages read the header field ${name}`,
      cites: cite(exposes),
      guard: ({ exchange }) => succeeded(exchange, operation),
      claim: ({ exchange: { response } }) => ({
        truth: known(
          mayUse(response, 'access-control-expose-headers', name, stated(stating_.credentials) === true),
        ),
        expected: `${name} exposed`,
        found: `Access-Control-Expose-Headers: ${header(response, 'access-control-expose-headers') ?? 'not there'}`,
      }),
    });
  const rests = restsOf(operation);
  const scenarios = [scenario(of, rests, () => sample(trial, operation, { headers: from }), checks)];
  const wrong = refusable(trial, operation);
  if (wrong)
    scenarios.push(
      scenario(of, rests, () => wrong(from), [
        readable(`${key}, refused, can be read by a page of a stated origin`, ({ exchange }) =>
          refused(exchange, operation),
        ),
      ]),
    );
  if (!isAny(stated(origins) ?? null) && stated(origins) !== undefined) {
    const foreign = 'https://elsewhere.example';
    scenarios.push(
      scenario(of, rests, () => sample(trial, operation, { headers: [['Origin', foreign]] }), [
        {
          ...readable(`${key} from a page of another origin cannot be read there`, ({ exchange }) =>
            all(isAnswered(exchange), closed(of, origins.address)),
          ),
          claim: ({ exchange }) => originClaim(stating_, foreign, exchange.response),
        },
      ]),
    );
  }
  return scenarios;
}

function withoutCors(trial: Trial, operation: Operation): Scenario {
  const check: Check<Done> = {
    name: 'cors.none',
    says: `${operation.key} cannot be read by pages of other origins`,
    cites: cite(operation.cors),
    guard: ({ exchange }) => isAnswered(exchange),
    claim: ({ exchange: { response } }) => ({
      truth: stating(operation.cors, () => known(!mayRead(response, page, false))),
      expected: 'no Access-Control-Allow-Origin',
      found: header(response, 'access-control-allow-origin') ?? 'none',
    }),
  };
  return scenario(
    trial.of,
    restsOf(operation),
    () => sample(trial, operation, { headers: [['Origin', page]] }),
    [check],
  );
}
