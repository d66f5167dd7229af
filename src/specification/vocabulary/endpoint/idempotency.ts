import { duration } from '../../reading/duration.ts';
import { answerFields, fieldName } from '../../reading/field-name.ts';
import { point, section } from '../../reading/form.ts';
import { boolean, entry, formed, record, type Values, value, word } from '../../reading/reading.ts';

const repeats = section('4.4', 'endpoints.idempotency');

const ofReplay = section('4.4', 'endpoints.idempotency.replay');

const idempotencyKeys = {
  header: value(
    fieldName,
    repeats('The header field that carries the key.', {
      must: 'repeat the first answer, with no second effect',
      see: 'the same request twice; another request with the key',
      open: 'nothing is a repeat',
    }),
  ),
  required: entry(
    boolean,
    repeats('Whether a request without a key is refused.', {
      must: 'refuse: `key missing`',
      see: 'leave the key out',
      open: 'a key is optional',
    }),
  ),
  life: value(
    duration,
    repeats('How long a key is remembered, as in `PT24H`.', {
      must: 'remember it so long',
      see: 'with a clock',
      open: 'a request with a key: 501',
    }),
  ),
  per: value(
    word('actor', 'key'),
    repeats('Whose keys are compared: those of one `actor`, or all (`key`).', {
      rules: '14',
      must: 'keep the keys apart, or together',
      see: 'one key of two actors',
      open: 'a request with a key: 501',
    }),
  ),
  remembers: value(
    word('successes', 'all'),
    repeats(
      'Which answers are repeated: `successes`, or `all`, with the refusals that are judged after the key.',
      { rules: '16', must: 'repeat these', see: 'repeat a refused request', open: 'successes are repeated' },
    ),
  ),
  replay: entry(
    record({
      headers: entry(answerFields, ofReplay('Header fields that a repeated answer carries besides.')),
    }),
    repeats('What marks a repeated answer.', {
      must: 'send it then, and only then',
      see: 'the fields of both answers',
      open: 'nothing',
    }),
  ),
};

export const idempotency = formed(
  point('idempotency', record(idempotencyKeys).form),
  record(idempotencyKeys),
);
/** What becomes of a request that comes again (language §4.4). */
export type Idempotency = Values<typeof idempotencyKeys>;
