import { createHash } from 'node:crypto';
import { longestWord, mostIndexed, unindexed } from '../../../expression/words.ts';
import { farFrom, type Tables, tables, unicode } from './unicode.ts';
import { failureCode } from './values.ts';

/** The functions whose names hang on the version of Unicode. */
export const [foldName, lowerName] = [`tacet_fold_${unicode}`, `tacet_lower_${unicode}`];
export const [matchesName, wordsName] = [`tacet_matches_${unicode}`, `tacet_words_${unicode}`];
const spacedName = `tacet_spaced_${unicode}`;

/**
 * What printed statements call (`sql.ts`), as one script to be run in the schema: the meaning of `src/expression/`
 * once more, since nothing of the service's runs in PostgreSQL. All are IMMUTABLE but `tacet_fail`, so that indexes may
 * be on them. Errors have the code of `values.ts`.
 *
 * @param schema in which they are made, and look for one another
 */
export function functionsOf(schema: string): string {
  const own = `"${schema.replaceAll('"', '""')}".`;
  return script(tables()).replaceAll('@', own);
}

/** What tells these functions from others, without looking all characters through. */
export function functionsMark(): string {
  const empty: Tables['lower'] = { near: ['', ''], far: ['', ''] };
  const nothing: Tables = { folded: empty, lower: empty, cased: '', ignored: '', words: '' };
  return createHash('sha256').update(script(nothing)).digest('hex');
}

function script(known: Tables): string {
  const all = [...failing, ...numbers, ...texts, ...times, ...plain, kept];
  return [...all, ...ofUnicode(known), ...searching(known), ...aggregates].join('\n');
}

interface Declared {
  readonly name: string;
  readonly takes: string;
  readonly gives: string;
  readonly declare?: string;
  readonly volatile?: boolean;
}

/** `@` stands for the schema. */
function made({ name, takes, gives, declare = '', volatile = false }: Declared, body: string): string {
  return `CREATE OR REPLACE FUNCTION @${name}(${takes}) RETURNS ${gives}
    LANGUAGE plpgsql ${volatile ? 'VOLATILE' : 'IMMUTABLE'} PARALLEL SAFE AS $tacet$
    ${declare && `DECLARE ${declare}`}
    BEGIN ${body} END $tacet$;`;
}

const float = 'double precision';
const fail = (message: string): string => `PERFORM @tacet_fail('${message}');`;
const none = (...names: string[]): string => names.map((name) => `${name} IS NULL`).join(' OR ');

const failing = [
  made(
    { name: 'tacet_fail', takes: 'message text', gives: 'text', volatile: true },
    `RAISE EXCEPTION USING ERRCODE = '${failureCode}', MESSAGE = message;`,
  ),
  made(
    { name: 'tacet_number', takes: 'value jsonb', gives: float },
    `IF jsonb_typeof(value) = 'number' THEN RETURN (value #>> '{}')::${float}; END IF;
     IF value IS NOT NULL AND jsonb_typeof(value) <> 'null' THEN ${fail('this is no number')} END IF;
     RETURN NULL;`,
  ),
  made(
    { name: 'tacet_text', takes: 'value jsonb', gives: 'text' },
    `IF jsonb_typeof(value) = 'string' THEN RETURN value #>> '{}'; END IF;
     IF value IS NOT NULL AND jsonb_typeof(value) <> 'null' THEN ${fail('this is no text')} END IF;
     RETURN NULL;`,
  ),
];

const most = Number.MAX_SAFE_INTEGER;
const isWhole = (name: string): string => `(abs(${name}) <= ${most} AND trunc(${name}) = ${name})`;
const ofTwo = { takes: `a ${float}, b ${float}`, gives: float };
const needBoth = `IF ${none('a', 'b')} THEN ${fail('nothing is no number')} END IF;`;
const past = fail('the result is past the bounds of integers');
const bounded = `IF abs(c) > ${most} AND ${isWhole('a')} AND ${isWhole('b')} THEN ${past} END IF; RETURN c;`;

/** By 2⁵³⁷ what is next to nothing is taken out of the reach of PostgreSQL's underflow, which is an error there. */
const [up, down] = [537, -537].map((power) => `power(2::${float}, ${power})`) as [string, string];

/** As `expression/arithmetic.ts` has it. Overflow and division by zero are PostgreSQL's own errors. */
const numbers = [
  made({ name: 'tacet_add', ...ofTwo, declare: `c ${float};` }, `${needBoth} c := a + b; ${bounded}`),
  made(
    { name: 'tacet_multiply', ...ofTwo, declare: `c ${float};` },
    `${needBoth}
     IF a = 0 OR b = 0 THEN RETURN 0; END IF;
     IF least(abs(a), abs(b)) <= ${down} AND greatest(abs(a), abs(b)) < 1
       AND (abs(a) * ${up}) * (abs(b) * ${up}) <= 0.5 THEN RETURN 0; END IF;
     c := a * b; ${bounded}`,
  ),
  made(
    { name: 'tacet_divide', ...ofTwo },
    `${needBoth}
     IF abs(b) > 1 AND abs(a) < ${down} * 2 AND a <> 0
       AND (abs(a) * ${up}) / (abs(b) * ${down}) <= 0.5 THEN RETURN 0; END IF;
     RETURN a / b;`,
  ),
  made(
    { name: 'tacet_divide_whole', ...ofTwo, declare: `c ${float};` },
    `c := trunc(@tacet_divide(a, b)); IF abs(c) > ${most} THEN ${past} END IF; RETURN c;`,
  ),
  made(
    { name: 'tacet_mantissa', takes: `value ${float}`, gives: 'numeric', declare: 'bits bigint;' },
    `bits := ('x' || encode(float8send(value), 'hex'))::bit(64)::bigint;
     RETURN (bits & 4503599627370495) | (CASE WHEN (bits >> 52) & 2047 = 0 THEN 0 ELSE 4503599627370496 END);`,
  ),
  made(
    { name: 'tacet_exponent', takes: `value ${float}`, gives: 'int', declare: 'bits bigint;' },
    `bits := ('x' || encode(float8send(value), 'hex'))::bit(64)::bigint;
     RETURN greatest((bits >> 52) & 2047, 1) - 1075;`,
  ),
  made(
    { name: 'tacet_remainder', ...ofTwo, declare: `low int; rest numeric; c ${float};` },
    `${needBoth}
     IF b = 0 THEN ${fail('the result is no number')} END IF;
     IF ${isWhole('a')} AND ${isWhole('b')} THEN RETURN a::bigint % b::bigint; END IF;
     low := least(@tacet_exponent(a), @tacet_exponent(b));
     rest := mod(@tacet_mantissa(a) * power(2::numeric, @tacet_exponent(a) - low),
                 @tacet_mantissa(b) * power(2::numeric, @tacet_exponent(b) - low));
     IF rest = 0 THEN RETURN 0; END IF;
     c := rest::${float} * power(2::${float}, low);
     RETURN CASE WHEN a < 0 THEN -c ELSE c END;`,
  ),
  made(
    { name: 'tacet_added', takes: 'a jsonb, b jsonb', gives: 'jsonb' },
    `IF jsonb_typeof(a) = 'string' AND jsonb_typeof(b) = 'string' THEN
       RETURN to_jsonb((a #>> '{}') || (b #>> '{}')); END IF;
     IF jsonb_typeof(a) = 'array' AND jsonb_typeof(b) = 'array' THEN RETURN a || b; END IF;
     RETURN to_jsonb(@tacet_add(@tacet_number(a), @tacet_number(b)));`,
  ),
];

const needTexts = `IF ${none('a', 'b')} THEN ${fail('nothing is no text')} END IF;`;
const ofTexts = (name: string, gives: string, result: string): string =>
  made({ name, takes: 'a text, b text', gives }, `${needTexts} RETURN ${result};`);

const texts = [
  ofTexts('tacet_joined', 'text', 'a || b'),
  ofTexts('tacet_starts', 'boolean', 'starts_with(a, b)'),
  ofTexts('tacet_ends', 'boolean', 'right(a, length(b)) = b'),
  ofTexts('tacet_contains', 'boolean', 'strpos(a, b) > 0'),
];

const common =
  '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]*)?Z$';
const time =
  '^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\\.([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$';
const iso =
  '^(-?)P(?!$)(?:([0-9]+)W)?(?:([0-9]+)D)?(?:T(?!$)(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\\.([0-9]+))?S)?)?$';
const cel = '^(-?)((?:[0-9]+(?:\\.[0-9]*)?(?:h|ms|m|us|µs|ns|s))+|0)$';
const nanoseconds = [
  ['h', '3600000000000'],
  ['m', '60000000000'],
  ['s', '1000000000'],
  ['ms', '1000000'],
  ['us', '1000'],
  ['µs', '1000'],
  ['ns', '1'],
];
const microseconds = (digits: string): string => `rpad(left(coalesce(${digits}, ''), 6), 6, '0')::numeric`;
/** PostgreSQL has no year 0: times are worked out as much later as the calendar takes to begin anew. */
const [cycle, epoch] = [400, 2370];

/** As `expression/time.ts` has it. */
const times = [
  made(
    {
      name: 'tacet_seconds',
      takes: 'value text, OUT seconds bigint, OUT fraction text',
      gives: 'record',
      declare: 'm text[]; y int; mo int; d int; leap int; ahead int;',
    },
    `m := regexp_match(value, '${time}', 'i');
     IF m IS NULL THEN RETURN; END IF;
     y := m[1]; mo := m[2]; d := m[3];
     leap := CASE WHEN y % 4 = 0 AND (y % 100 <> 0 OR y % 400 = 0) THEN 1 ELSE 0 END;
     IF mo < 1 OR mo > 12 OR d < 1
       OR d > (CASE WHEN mo = 2 THEN 28 + leap ELSE 30 + (mo + mo / 8) % 2 END)
       OR m[4]::int > 23 OR m[5]::int > 59 OR m[6]::int > 60
       OR coalesce(m[9], '0')::int > 23 OR coalesce(m[10], '0')::int > 59 THEN RETURN; END IF;
     ahead := (coalesce(m[9], '0')::int * 60 + coalesce(m[10], '0')::int) * CASE WHEN m[8] = '-' THEN -60 ELSE 60 END;
     seconds := (make_date(y + ${cycle}, mo, d) - make_date(${epoch}, 1, 1))::bigint * 86400
       + m[4]::int * 3600 + m[5]::int * 60 + m[6]::int - ahead;
     fraction := coalesce(rtrim(m[7], '0'), '');`,
  ),
  made(
    { name: 'tacet_clock', takes: 'seconds bigint', gives: 'text', declare: 'moment timestamp; y int;' },
    `moment := make_timestamp(${epoch}, 1, 1, 0, 0, 0) + make_interval(secs => seconds);
     y := extract(year FROM moment)::int - ${cycle};
     RETURN CASE WHEN y < 0 THEN '-' || lpad((-y)::text, 6, '0')
                 WHEN y > 9999 THEN ':' || lpad(y::text, 6, '0')
                 ELSE lpad(y::text, 4, '0') END || to_char(moment, '-MM-DD"T"HH24:MI:SS');`,
  ),
  made(
    { name: 'tacet_instant', takes: 'value text', gives: 'text', declare: 'at record;' },
    `IF value ~ '${common}' THEN
       RETURN left(value, 19) || '.' || rtrim(substr(value, 21, greatest(length(value) - 21, 0)), '0'); END IF;
     at := @tacet_seconds(value);
     RETURN CASE WHEN at.seconds IS NULL THEN value ELSE @tacet_clock(at.seconds) || '.' || at.fraction END;`,
  ),
  made(
    {
      name: 'tacet_length',
      takes: 'value text',
      gives: 'numeric',
      declare: 'm text[]; part text[]; total numeric := 0;',
    },
    `IF length(value) > 100 THEN RETURN NULL; END IF;
     m := regexp_match(value, '${iso}');
     IF m IS NOT NULL THEN
       total := coalesce(m[2], '0')::numeric * 604800000000 + coalesce(m[3], '0')::numeric * 86400000000
         + coalesce(m[4], '0')::numeric * 3600000000 + coalesce(m[5], '0')::numeric * 60000000
         + coalesce(m[6], '0')::numeric * 1000000 + ${microseconds('m[7]')};
       RETURN CASE WHEN m[1] = '-' THEN -total ELSE total END;
     END IF;
     m := regexp_match(value, '${cel}');
     IF m IS NULL THEN RETURN NULL; END IF;
     FOR part IN SELECT regexp_matches(m[2], '([0-9]+)(?:\\.([0-9]*))?([a-zµ]+)', 'g') LOOP
       total := total + div((part[1] || coalesce(part[2], ''))::numeric
         * CASE part[3] ${nanoseconds.map(([unit, ns]) => `WHEN '${unit}' THEN ${ns}`).join(' ')} END,
         power(10::numeric, length(coalesce(part[2], ''))));
     END LOOP;
     RETURN div(CASE WHEN m[1] = '-' THEN -total ELSE total END, 1000);`,
  ),
  made(
    { name: 'tacet_span', takes: 'value text', gives: 'jsonb', declare: 'length numeric;' },
    `length := @tacet_length(value);
     RETURN CASE WHEN length IS NULL THEN to_jsonb(value) ELSE to_jsonb(length::${float}) END;`,
  ),
  made(
    {
      name: 'tacet_moment',
      takes: 'value text, OUT is_time boolean, OUT length numeric',
      gives: 'record',
      declare: 'at record;',
    },
    `at := @tacet_seconds(value);
     is_time := at.seconds IS NOT NULL;
     length := CASE WHEN is_time THEN at.seconds::numeric * 1000000 + ${microseconds('at.fraction')}
                    ELSE @tacet_length(value) END;
     IF length IS NULL THEN ${fail('this is no time and no duration')} END IF;`,
  ),
  made(
    { name: 'tacet_time', takes: 'length numeric', gives: 'text', declare: 'seconds numeric;' },
    `seconds := floor(length / 1000000);
     IF seconds NOT BETWEEN -62167219200 AND 253402300799 THEN ${fail('the result is past the years 0 to 9999')} END IF;
     RETURN @tacet_clock(seconds::bigint) || '.' || lpad((length - seconds * 1000000)::bigint::text, 6, '0') || 'Z';`,
  ),
  made(
    {
      name: 'tacet_duration',
      takes: 'length numeric',
      gives: 'text',
      declare: 'days numeric; h int; mi int; s int; rest text; clock text;',
    },
    `days := div(abs(length), 86400000000);
     h := div(mod(abs(length), 86400000000), 3600000000);
     mi := div(mod(abs(length), 3600000000), 60000000);
     s := div(mod(abs(length), 60000000), 1000000);
     rest := rtrim(lpad(mod(abs(length), 1000000)::bigint::text, 6, '0'), '0');
     clock := CASE WHEN h > 0 THEN h || 'H' ELSE '' END || CASE WHEN mi > 0 THEN mi || 'M' ELSE '' END
       || CASE WHEN s > 0 OR rest <> '' THEN s || CASE WHEN rest <> '' THEN '.' || rest ELSE '' END || 'S' ELSE '' END;
     RETURN CASE WHEN length < 0 THEN '-' ELSE '' END || 'P' || CASE WHEN days > 0 THEN days::text || 'D' ELSE '' END
       || CASE WHEN clock <> '' THEN 'T' || clock WHEN days > 0 THEN '' ELSE 'T0S' END;`,
  ),
  made(
    { name: 'tacet_add_times', takes: 'a text, b text', gives: 'text', declare: 'x record; y record;' },
    `x := @tacet_moment(a); y := @tacet_moment(b);
     IF x.is_time AND y.is_time THEN ${fail('two times have no sum')} END IF;
     IF x.is_time OR y.is_time THEN RETURN @tacet_time(x.length + y.length); END IF;
     RETURN @tacet_duration(x.length + y.length);`,
  ),
  made(
    { name: 'tacet_subtract_times', takes: 'a text, b text', gives: 'text', declare: 'x record; y record;' },
    `x := @tacet_moment(a); y := @tacet_moment(b);
     IF y.is_time AND NOT x.is_time THEN ${fail('no time is taken from a duration')} END IF;
     IF x.is_time AND NOT y.is_time THEN RETURN @tacet_time(x.length - y.length); END IF;
     RETURN @tacet_duration(x.length - y.length);`,
  ),
];

/** A form of texts for any value, which is that of each element of a list; anything else stays as it is. */
const deeply = (name: string, form = name, within = 'to_jsonb'): string =>
  made(
    { name, takes: 'value jsonb', gives: 'jsonb' },
    `IF jsonb_typeof(value) = 'string' THEN RETURN ${within}(@${form}(value #>> '{}')); END IF;
     IF jsonb_typeof(value) = 'array' THEN
       RETURN (SELECT coalesce(jsonb_agg(@${name}(one) ORDER BY place), '[]')
         FROM jsonb_array_elements(value) WITH ORDINALITY AS elements (one, place)); END IF;
     RETURN value;`,
  );

const plain = [
  deeply('tacet_instant'),
  deeply('tacet_span', 'tacet_span', ''),
  /** A text that is equal for equal values, and in their order: numbers, texts, truths, and what has no order. */
  made(
    { name: 'tacet_worth', takes: 'value jsonb', gives: 'text', declare: `n ${float}; digits text;` },
    `CASE jsonb_typeof(value)
       WHEN 'number' THEN
         n := (value #>> '{}')::${float};
         digits := encode(float8send(CASE WHEN n = 0 THEN 0 ELSE n END), 'hex');
         RETURN CASE WHEN n < 0 THEN '1n' || translate(digits, '0123456789abcdef', 'fedcba9876543210')
                     ELSE '1p' || digits END;
       WHEN 'string' THEN RETURN '2' || (value #>> '{}');
       WHEN 'boolean' THEN RETURN '3' || (value #>> '{}');
       WHEN 'object', 'array' THEN RETURN '4' || value::text;
       ELSE RETURN NULL;
     END CASE;`,
  ),
  /** Below, at or above 0, of two worths; null where the two have no order. */
  made(
    { name: 'tacet_compared', takes: 'a text, b text', gives: 'int' },
    `IF left(a, 1) = left(b, 1) AND a < '4' COLLATE "C" THEN
       RETURN CASE WHEN a < b COLLATE "C" THEN -1 WHEN a = b THEN 0 ELSE 1 END; END IF;
     RETURN NULL;`,
  ),
  /** Whether a list holds a value, or an object a member of this name. */
  made(
    { name: 'tacet_among', takes: 'one jsonb, list jsonb', gives: 'boolean' },
    `IF jsonb_typeof(list) = 'array' THEN
       RETURN EXISTS (SELECT 1 FROM jsonb_array_elements(list) AS e WHERE e = coalesce(one, 'null')); END IF;
     RETURN coalesce(jsonb_typeof(list) = 'object' AND jsonb_typeof(one) = 'string' AND list ? (one #>> '{}'), false);`,
  ),
  /** A list whose elements a query goes through. */
  made(
    { name: 'tacet_elements', takes: 'list jsonb', gives: 'jsonb' },
    `IF jsonb_typeof(list) = 'array' THEN RETURN list; END IF; ${fail('this is no list')} RETURN NULL;`,
  ),
  /** How many characters, elements or members: what PostgreSQL's texts do not hold is written as three (`values.ts`). */
  made(
    { name: 'tacet_size', takes: 'value jsonb', gives: float },
    `CASE jsonb_typeof(value)
       WHEN 'array' THEN RETURN jsonb_array_length(value);
       WHEN 'string' THEN RETURN length(regexp_replace(value #>> '{}', '\\x01[\\x02\\x03]{2}', '.', 'g'));
       WHEN 'object' THEN RETURN (SELECT count(*) FROM jsonb_object_keys(value));
       ELSE ${fail('size wants text, a list or an object')} RETURN NULL;
     END CASE;`,
  ),
  /** What is equal for equal texts and numbers, and short enough for an index: a long one's digest stands for it. */
  made(
    { name: 'tacet_element', takes: 'value jsonb', gives: 'text', declare: 'worth text;' },
    `worth := @tacet_worth(value);
     RETURN CASE WHEN octet_length(worth) <= 200 THEN worth ELSE '5' || encode(sha256(convert_to(worth, 'UTF8')), 'hex') END;`,
  ),
  /** The members of a row as a document: what PostgreSQL's texts do not hold is written otherwise (`values.ts`). */
  made(
    { name: 'tacet_document', takes: 'members text', gives: 'jsonb' },
    `IF strpos(members, '\\u000') = 0 THEN RETURN members::jsonb; END IF;
     RETURN replace(replace(replace(replace(
       regexp_replace(members, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u000([0-3])', '\\1\\\\u0001' || chr(4) || '\\2', 'g'),
       chr(4) || '0', '\\u0002\\u0002'), chr(4) || '1', '\\u0002\\u0003'),
       chr(4) || '2', '\\u0003\\u0002'), chr(4) || '3', '\\u0003\\u0003')::jsonb;`,
  ),
];

/** What of a row's members is written as it is kept (`printing/texts.ts`): null where a text in it is kept encoded. */
const kept = made(
  { name: 'tacet_kept', takes: 'members text, shows text[], leaves text[]', gives: 'text' },
  `IF strpos(members, '\\u000') > 0 THEN RETURN NULL; END IF;
   IF shows IS NULL THEN
     RETURN (SELECT coalesce(string_agg(to_json(m.key)::text || ':' || m.value::text, ',' ORDER BY m.place), '')
       FROM json_each(members::json) WITH ORDINALITY AS m (key, value, place) WHERE m.key <> ALL (leaves));
   END IF;
   RETURN (SELECT coalesce(string_agg(to_json(s.name)::text || ':' || (members::json -> s.name)::text, ',' ORDER BY s.place), '')
     FROM unnest(shows) WITH ORDINALITY AS s (name, place) WHERE (members::json -> s.name) IS NOT NULL);`,
);

/** As this version of Unicode has it; both take and give ASCII by itself. */
function ofUnicode({ folded, lower, cased, ignored }: Tables): string[] {
  const far = `[\\U${farFrom.toString(16).padStart(8, '0')}-\\U0010FFFF]`;
  const ascii = `IF octet_length(value) = length(value) THEN RETURN lower(value COLLATE "C"); END IF;
     value := lower(value COLLATE "C");`;
  const changed = ({ near, far: [from, to] }: typeof folded): string =>
    `value := translate(value, '${near[0]}', '${near[1]}');
     IF value COLLATE "C" ~ '${far}' THEN value := translate(value, '${from}', '${to}'); END IF;
     RETURN value;`;
  const last = `'(${cased}${ignored}*)Σ(?!${ignored}*${cased})', '\\1ς', 'g'`;
  return [
    made({ name: foldName, takes: 'value text', gives: 'text' }, `${ascii} ${changed(folded)}`),
    made(
      { name: lowerName, takes: 'value text', gives: 'text' },
      `IF value IS NULL THEN ${fail('nothing is no text')} END IF;
       IF strpos(value, 'Σ') > 0 THEN value := regexp_replace(value COLLATE "C", ${last}); END IF;
       ${ascii} value := replace(value, 'İ', 'i̇'); ${changed(lower)}`,
    ),
    made(
      { name: foldName, takes: 'value jsonb', gives: 'jsonb' },
      `RETURN CASE WHEN jsonb_typeof(value) = 'string' THEN to_jsonb(@${foldName}(value #>> '{}')) ELSE value END;`,
    ),
  ];
}

/** As `expression/words.ts` has it. */
function searching({ words }: Tables): string[] {
  return [
    made(
      { name: spacedName, takes: 'value jsonb', gives: 'text' },
      `IF jsonb_typeof(value) = 'null' THEN RETURN ''; END IF;
       IF jsonb_typeof(value) <> 'string' THEN ${fail('this is no text')} END IF;
       RETURN ' ' || regexp_replace(@${foldName}(value #>> '{}') COLLATE "C", '${words.replace('[', '[^')}+', ' ', 'g');`,
    ),
    made(
      {
        name: matchesName,
        takes: 'wanted jsonb, texts jsonb',
        gives: 'boolean',
        declare: "found text := ''; one jsonb; word text;",
      },
      `FOR one IN SELECT jsonb_array_elements(CASE WHEN jsonb_typeof(t) = 'array' THEN t ELSE jsonb_build_array(t) END)
         FROM jsonb_array_elements(texts) t
       LOOP found := found || @${spacedName}(one); END LOOP;
       IF wanted IS NULL OR jsonb_typeof(wanted) = 'null' THEN RETURN true; END IF;
       FOREACH word IN ARRAY string_to_array(@${spacedName}(wanted), ' ')
       LOOP IF word <> '' AND strpos(found, ' ' || word) = 0 THEN RETURN false; END IF; END LOOP;
       RETURN true;`,
    ),
    made(
      {
        name: wordsName,
        takes: 'texts jsonb[], keys text[]',
        gives: 'tsvector',
        declare: "found text := ''; one jsonb; words text[];",
      },
      `FOR one IN SELECT jsonb_array_elements(CASE WHEN jsonb_typeof(t) = 'array' THEN t ELSE jsonb_build_array(t) END)
         FROM unnest(texts || to_jsonb(keys)) t
       LOOP
         IF jsonb_typeof(one) NOT IN ('string', 'null') THEN RETURN array_to_tsvector('{${unindexed}}'); END IF;
         found := concat(found, ' ', one #>> '{}');
       END LOOP;
       words := ARRAY(SELECT DISTINCT word FROM unnest(string_to_array(@${spacedName}(to_jsonb(found)), ' ')) word WHERE word <> '');
       IF octet_length(array_to_string(words, ' ')) > ${mostIndexed}
         OR EXISTS (SELECT FROM unnest(words) word WHERE length(word) > ${longestWord})
       THEN RETURN array_to_tsvector('{${unindexed}}'); END IF;
       RETURN array_to_tsvector(words);`,
    ),
  ];
}

const aggregate = (name: string, takes: string, options: string): string =>
  `CREATE OR REPLACE AGGREGATE @${name}(${takes}) (${options}, PARALLEL = SAFE);`;

const further = (name: string, op: string): string =>
  made(
    { name, takes: 'best text[], value jsonb, worth text', gives: 'text[]' },
    `IF worth IS NULL THEN RETURN best; END IF;
     IF best IS NULL OR (left(worth, 1) = left(best[1], 1) AND worth < '4' COLLATE "C"
       AND worth ${op} best[1] COLLATE "C") THEN RETURN ARRAY[worth, value::text]; END IF;
     RETURN best;`,
  );

/** What is at one end of an order, the first of those that are alike; and the sum, in order, of what is not null. */
const aggregates = [
  made(
    { name: 'tacet_summed', takes: `total ${float}, value ${float}`, gives: float },
    'RETURN CASE WHEN value IS NULL THEN total ELSE @tacet_add(total, value) END;',
  ),
  aggregate('tacet_sum', float, `SFUNC = @tacet_summed, STYPE = ${float}, INITCOND = '0'`),
  further('tacet_lower_of', '<'),
  further('tacet_higher_of', '>'),
  made({ name: 'tacet_best', takes: 'best text[]', gives: 'jsonb' }, 'RETURN best[2]::jsonb;'),
  ...[
    ['min', 'lower'],
    ['max', 'higher'],
  ].map(([name, side]) =>
    aggregate(
      `tacet_${name}`,
      'jsonb, text',
      `SFUNC = @tacet_${side}_of, STYPE = text[], FINALFUNC = @tacet_best`,
    ),
  ),
];
