import { stated } from '../../specification/reading/said.ts';
import { maker } from '../change/makers.ts';
import { attempt } from '../value/truth.ts';
import { seen, Unknown, unknown, type Value } from '../value/value.ts';
import { Moment } from '../world/moment.ts';
import type { World } from '../world/world.ts';
import { headersOf } from './answer.ts';
import { sharingOf } from './cors/cors.ts';
import type { Prediction, Request } from './prediction.ts';

/** The prediction with the fields that every answer has: those of `endpoints.headers` (language §E.15), and of CORS. */
export function withFields(prediction: Prediction, request: Request | null, world: World): Prediction {
  const { specification } = world;
  const said = stated(specification.endpoints);
  const names = {
    actor: null,
    request: null,
    now: unknown([]),
    service: { url: request?.url ?? unknown([]) },
  };
  const moment = new Moment(world, names, maker(world, null, names));
  // A field that cannot be computed is left out.
  const everywhere = headersOf(said && stated(said.headers), (template) =>
    attempt(() => moment.value(template)),
  );
  const sharing = request ? sharingOf(request, specification) : undefined;
  return listed({
    ...(sharing && { sharing }),
    ...prediction,
    headers: { ...everywhere, ...prediction.headers },
  });
}

/** `Vary` is a list: other statements may add names to those that are stated (language §H.3, rule 18). */
function listed(prediction: Prediction): Prediction {
  if (prediction.headers['vary'] === undefined) return prediction;
  const { vary, ...headers } = prediction.headers;
  const field = seen(vary as Value);
  if (field === null || field instanceof Unknown)
    return vary === null ? prediction : { ...prediction, headers };
  const names = String(field)
    .split(',')
    .map((name) => name.trim().toLowerCase());
  return {
    ...prediction,
    headers,
    names: { ...prediction.names, vary: [...names, ...(prediction.names?.['vary'] ?? [])] },
  };
}
