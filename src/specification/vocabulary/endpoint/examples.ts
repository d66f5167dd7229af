import type { Mapping, Node, Scalar } from '../../../source/node.ts';
import { fieldNames, type NameForm, nameOf, section } from '../../reading/form.ts';
import {
  asMap,
  entry,
  named,
  type Place,
  placedText,
  Reading,
  record,
  type Values,
  value,
} from '../../reading/reading.ts';
import { marker, type Said } from '../../reading/said.ts';
import { template, textTemplate } from '../../reading/templates.ts';
import { status } from '../answer.ts';
import { payload } from '../payload.ts';

const about = section('4.6', 'endpoints.example');
const ofRequest = section('4.6', 'endpoints.example.request');
const ofResponse = section('4.6', 'endpoints.example.response');

/** The names of answers: an expression reads them. */
const answerNames: NameForm = {
  title: 'name',
  pattern: /^[a-z][A-Za-z0-9_]*$/,
  message: 'The name of an answer is a small letter, then letters, digits or _ (language §4.6).',
};

const texts = named(value(textTemplate));
const fields = named(value(textTemplate), fieldNames);

const requestKeys = {
  path: entry(texts, ofRequest('The parameters of the path, by name.')),
  query: entry(named(value(template)), ofRequest('Query parameters, by name.')),
  headers: entry(fields, ofRequest('Header fields, by name.')),
  body: entry(template, ofRequest('The body: literals and expressions, at any depth.')),
};

const responseKeys = {
  status: entry(status, ofResponse('The status code.')),
  headers: entry(fields, ofResponse('Header fields, by name. `(any)`: some value.')),
  body: entry(payload, ofResponse('The body. A member may be `(any)`. Members left out are not compared.')),
};

const exampleKeys = {
  after: entry(
    named(value(placedText), answerNames),
    about('Examples that come before, each `OPERATION.EXAMPLE`, by the names of their answers.'),
  ),
  by: entry(
    texts,
    about("Credentials, by scheme: an expression, or the name of a credential of the operator's."),
  ),
  request: entry(record(requestKeys), about('What is sent.')),
  response: entry(record(responseKeys), about('The answer that the author expects.')),
};

/** A request of an operation, and the answer that the author expects (language §4.6). */
export type Example = Values<typeof exampleKeys>;
export type Examples = ReadonlyMap<string, Said<Example>>;

const examples = named(value(record(exampleKeys)), nameOf('example'));

/** The key `examples` of an endpoint: notation, which is read apart from statements. */
export const examplesKey = entry(
  examples,
  section(
    '4.6',
    'endpoints.endpoint',
  )('Requests and answers as examples, by name (4.6). They state nothing.'),
);

/** Reads the examples of an endpoint. None of them is a point: they state nothing (language §4.6). */
export function readExamples(node: Node, place: Place, reading: Reading): Examples {
  const apart = new Reading(reading.completeness);
  const read = examples(node, place, apart);
  for (const { span, written } of asMap(node, new Reading(reading.completeness)) ? misplaced(node) : [])
    if (!apart.diagnostics.some((one) => one.span === span))
      apart.report('marker-in-literal', span, { text: written.trim() });
  reading.diagnostics.push(...apart.diagnostics);
  return read ?? new Map();
}

/** The markers of examples, but `(any)` in an answer: what is sent has a value. */
function* misplaced(node: Node): Generator<Scalar> {
  for (const one of valuesOf(node)) {
    if (one.kind !== 'map') yield* markers(one);
    else
      for (const [key, { value }] of one.entries)
        for (const found of markers(value))
          if (key !== 'response' || marker(found.value)?.kind !== 'any') yield found;
  }
}

function* markers(node: Node): Generator<Scalar> {
  if (node.kind === 'scalar') {
    if (marker(node.value)) yield node;
  } else for (const one of node.kind === 'list' ? node.items : valuesOf(node)) yield* markers(one);
}

function valuesOf(node: Node | Mapping): Node[] {
  return node.kind === 'map' ? [...node.entries.values()].map(({ value }) => value) : [];
}
