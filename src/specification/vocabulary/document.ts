import type { Part } from '../reading/address.ts';
import type { headKeys } from '../reading/document.ts';
import { type DescribedKey, type Form, own, point, type RecordForm, section } from '../reading/form.ts';
import { type Formed, formed, type Told, text, value } from '../reading/reading.ts';
import { languageVersion } from './head.ts';
import { letForm } from './let.ts';
import * as authentication from './parts/authentication.ts';
import * as endpoints from './parts/endpoints.ts';
import * as errors from './parts/errors.ts';
import * as events from './parts/events.ts';
import * as limits from './parts/limits.ts';
import * as resources from './parts/resources.ts';
import * as service from './parts/service.ts';
import * as states from './parts/states.ts';
import * as versioning from './parts/versioning.ts';

function part<T>(name: Part, read: Formed<T>, number: string, states: string): Told<T> {
  const whole: Formed<T> = formed(point(name, read.form), (...given) => read(...given));
  return value(whole, section(number, null)(states));
}

/** The nine parts (language §A.2). */
export const parts = {
  service: part('service', service.read, '1', 'Part 1, what the service does: for whom and what it is.'),
  resources: part(
    'resources',
    resources.read,
    '2',
    'Part 2, resources and their fields: resources, shapes and views by name.',
  ),
  states: part(
    'states',
    states.read,
    '3',
    'Part 3, states and transitions: machines, each named Resource.field.',
  ),
  endpoints: part(
    'endpoints',
    endpoints.read,
    '4',
    'Part 4, endpoints: METHOD /path and what each does; the words at the top hold for all.',
  ),
  authentication: part(
    'authentication',
    authentication.read,
    '5',
    'Part 5, authentication: who may ask, and for what; (none): nobody is asked.',
  ),
  events: part(
    'events',
    events.read,
    '6',
    'Part 6, events: what is sent to others, and how; (none): nothing.',
  ),
  errors: part('errors', errors.read, '7', 'Part 7, errors: reasons to refuse, and what is sent then.'),
  limits: part(
    'limits',
    limits.read,
    '8',
    'Part 8, limits: how much, how often, how long; (none): no limits.',
  ),
  versioning: part(
    'versioning',
    versioning.read,
    '9',
    'Part 9, versioning: how versions are named, where, and what differs; (none): there is one.',
  ),
} satisfies { [P in Part]: Told<unknown> };

function ofDocument(form: Form, number: string, states: string): DescribedKey {
  const about = section(number, 'head')(states);
  return { read: { form }, absence: 'entry', literal: true, about };
}

const addresses: Form = own('true, false or addresses', {
  anyOf: [{ type: 'boolean' }, { type: 'array', items: { $ref: '#/$defs/text' } }],
});

const questions: Form = own('addresses with questions', {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
});

const lets: Form = own('names with expressions and templates', {
  type: 'object',
  propertyNames: { pattern: letForm.source },
});

type HeadKey = (typeof headKeys)[number];

/** What a document says of itself (language §A.3). */
const head = {
  tacet: ofDocument(own('a version', { enum: [languageVersion] }), 'A.3', 'The version of this language: 1.'),
  complete: ofDocument(
    addresses,
    'D.2',
    'Which lists name everything that holds: true for all, or the addresses of some.',
  ),
  open: ofDocument(questions, 'D.3', 'Which lists are open again: addresses, each with a question.'),
  let: ofDocument(lets, 'E.19', 'Names for expressions and templates, which may have parameters.'),
} satisfies { [K in HeadKey]: DescribedKey };

/** A whole document in YAML or JSON (language §A.2). */
export const document: RecordForm = {
  kind: 'record',
  keys: {
    name: ofDocument(
      text.form,
      'A.2',
      'The name of the service. In Markdown, the first heading takes the place of this key.',
    ),
    ...head,
    ...parts,
  },
};
