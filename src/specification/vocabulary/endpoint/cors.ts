import type { Node } from '../../../source/node.ts';
import { anyOf, defined, own, point, section, words } from '../../reading/form.ts';
import {
  boolean,
  entry,
  formed,
  listOf,
  type Reading,
  record,
  text,
  type Values,
  value,
} from '../../reading/reading.ts';

const about = section('4.1', 'endpoints.endpoint');
const ofCors = section('4.1', 'endpoints.cors');

/** Texts, or the word `any`. */
const anyOrTexts = formed<readonly string[]>(
  defined('anyOrTexts', anyOf(words('any'), listOf(text).form)),
  listOf(text),
);

const corsKeys = {
  origins: value(anyOrTexts, ofCors('The origins whose pages may use it, as a list or `any`.')),
  methods: value(anyOrTexts, ofCors('The methods that such pages may use, as a list or `any`.')),
  headers: value(anyOrTexts, ofCors('The header fields that such pages may send, as a list or `any`.')),
  exposes: entry(
    anyOrTexts,
    ofCors('The header fields of answers that such pages may read, as a list or `any`.'),
  ),
  credentials: entry(boolean, ofCors('Whether credentials may be sent.')),
  maxAge: entry(
    formed(own('seconds', { type: 'integer', minimum: 0 }), seconds),
    ofCors('How many seconds a preflight answer may be kept.'),
  ),
};

/** What pages of other origins may do (language §4.1; Fetch standard, CORS protocol). */
export type Cors = Values<typeof corsKeys>;
const cors = formed(point('cors', record(corsKeys).form), record(corsKeys));

/** The key `cors`, of an endpoint or of all. */
export const corsKey = entry(
  cors,
  about('What pages of other origins may do, as the Fetch standard reads these keys.', {
    must: 'answer so, preflight too',
    see: 'preflight, `Origin`',
    open: 'no CORS field',
  }),
);

/** A duration in whole seconds, as the Fetch standard's Access-Control-Max-Age takes it. */
function seconds(node: Node, _place: unknown, reading: Reading): number | undefined {
  if (
    node.kind === 'scalar' &&
    typeof node.value === 'number' &&
    Number.isInteger(node.value) &&
    node.value >= 0
  )
    return node.value;
  return reading.report('wrong-kind', node.span, {
    wanted: 'a whole number of seconds',
    found: 'something else',
  });
}
