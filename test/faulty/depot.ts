import { createHash } from 'node:crypto';
import type { Running } from '../listening.ts';
import {
  type Answered,
  type Asked,
  allowed,
  isObject,
  type Members,
  order,
  Refusal,
  readJson,
  serve,
} from './kit.ts';

/** The service of `test/documents/listing/depot.yaml`, written from the document alone; with faults to plant in it. */

/** Faults against what the document states. */
export const faults = [
  'bins of one aisle are one',
  'places repeat',
  'bins are not beneath their name',
  'a bin need not be beneath its name',
  'the depot is not named',
  'refusals do not name the depot',
  'the base is optional',
  'links miss the next',
  'links lead to the page itself',
  'the last link is one too far',
  'the first page has a previous one',
  'the total is missing',
  'places stand upwards',
  'pages are numbered from 0',
  'the number of the page is missing',
  'the tag is strong',
  'the tag is of all bins',
  'a weak tag does not match',
  'slugs are cut',
  'slugs repeat',
  'slugs keep capitals',
  'name and lot repeat',
  'name and lot are told apart by case',
  'names alone must differ',
  'the form reads no brackets',
  'the form reads one tag',
  'tags are sorted',
  'no tags is null',
  'a size of one side is taken',
  'heavy is at 1000',
  'changed stays',
  'tag finds parts of tags',
  'least is ignored',
  'weight is sorted as text',
  'ties stand anyhow',
  'start counts from 0',
  'addresses lose the filter',
  'addresses of the next are of the page itself',
  'lines show tags',
  'lines miss lot',
  'the name may be changed',
  'the time is of the answer',
  'If-Modified-Since is ignored',
  'If-Unmodified-Since is ignored',
  'If-Unmodified-Since is not wanted',
  'stale is told of',
  'stale is told of in a header field',
  'stale is done',
  'errors are not beneath their name',
  'errors do not name their code in a header field',
  'a light crate is only not valid',
  'the code of light is the name of its row',
  'the hint is missing',
  'the operation is not named',
  'fields are a list',
  'too heavy has the message of another',
  'thirteen is taken',
  'taken goes before invalid',
  'the other media type is refused',
  'unknown members are refused',
  'unknown members are kept',
  'unknown query parameters are taken',
] as const;

export type Fault = (typeof faults)[number];

interface Failure {
  readonly field: string;
  readonly keyword: string;
  readonly message?: string | undefined;
}

const messages: Readonly<Record<string, string>> = {
  required: 'is missing',
  type: 'is of another kind',
  pattern: 'is not well formed',
  others: 'is not known',
};

interface Rule {
  readonly type: 'string' | 'integer';
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
}

const binRules: Readonly<Record<string, Rule>> = {
  aisle: { type: 'string', pattern: /^[A-Z]{4,8}$/ },
  place: { type: 'integer', min: 1, max: 2_000_000_000 },
  label: { type: 'string', min: 1, max: 20 },
};
const crateRules: Readonly<Record<string, Rule>> = {
  name: { type: 'string', pattern: /^[a-zA-Z][a-zA-Z ]{0,38}[a-zA-Z]$/ },
  lot: { type: 'string', min: 1, max: 12 },
  weight: { type: 'integer', min: 1, max: 9000 },
};

interface Crate {
  code: string;
  name: string;
  lot: string;
  weight: number;
  tags: string[] | null;
  size?: unknown;
  changed: string;
}

const codeOfRow: Readonly<Record<string, string>> = { light: 'weight' };
const titles: Readonly<Record<string, string>> = {
  unreadable: 'Cannot be read',
  no_bin: 'No such bin',
  no_crate: 'No such crate',
  query: 'Bad query',
  light: 'Too light',
  invalid: 'Not valid',
  weightless: 'Not thirteen',
  blind: 'Say when',
  taken: 'Taken',
  there: 'There already',
  media: 'No such media',
};
const statuses: Readonly<Record<string, number>> = {
  unreadable: 400,
  no_bin: 404,
  no_crate: 404,
  query: 400,
  light: 422,
  invalid: 422,
  weightless: 409,
  blind: 428,
  taken: 409,
  there: 409,
  media: 415,
};

const routes: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/bins$/, ['GET', 'POST']],
  [/^\/bins\/[^/]+\/[^/]+$/, ['GET']],
  [/^\/crates$/, ['GET', 'POST']],
  [/^\/crates\/[^/]+$/, ['GET', 'PATCH', 'DELETE']],
];

const operations: Readonly<Record<string, string>> = {
  'GET bins': 'listBins',
  'POST bins': 'addBin',
  'GET bin': 'readBin',
  'GET crates': 'listCrates',
  'POST crates': 'addCrate',
  'GET crate': 'readCrate',
  'PATCH crate': 'changeCrate',
  'DELETE crate': 'removeCrate',
};

export async function startDepot(fault: Fault | null = null): Promise<Running> {
  const has = (name: Fault): boolean => fault === name;
  const bins = new Map<string, Members>();
  const crates = new Map<string, Crate>();
  let now = Date.now();
  const time = (): string => {
    now = Math.max(now + 1, Date.now());
    return new Date(now).toISOString();
  };
  let name = '';

  const failure = (field: string, keyword: string, limit?: number): Failure => {
    const own = field === 'weight' && keyword === 'maximum' && !has('too heavy has the message of another');
    const message = own ? 'is too heavy' : keyword === 'minimum' ? `is below ${limit}` : messages[keyword];
    return { field, keyword, message };
  };
  const refuse = (row: string, failures: readonly Failure[] = [], fields?: Members): never => {
    const code = has('the code of light is the name of its row') ? row : (codeOfRow[row] ?? row);
    const grouped: Record<string, string[]> = {};
    for (const { field, message } of failures)
      if (message !== undefined) grouped[field] = [...(grouped[field] ?? []), message];
    const status = statuses[row] as number;
    const title = titles[row];
    const hint = row === 'no_bin' && !has('the hint is missing') ? { hint: 'look at the aisles' } : {};
    const body = {
      code,
      title,
      status,
      fields: has('fields are a list') ? failures.map(({ field }) => field) : (fields ?? grouped),
      ...(title !== undefined && { more: { ...hint, title } }),
      ...(!has('the operation is not named') && { what: name }),
    };
    throw new Refusal({
      status,
      body: has('errors are not beneath their name') ? body : { error: body },
      headers: has('errors do not name their code in a header field') ? {} : { 'X-Code': code },
    });
  };
  /** `light` is a row of its own, and goes before the others (`order`). */
  const refuseInvalid = (failures: readonly Failure[]): void => {
    if (failures.length === 0) return;
    const light = failures.filter(({ field, keyword }) => field === 'weight' && keyword === 'minimum');
    const others = failures.filter((one) => !light.includes(one));
    if (light.length > 0 && !has('a light crate is only not valid')) refuse('light', light);
    refuse('invalid', has('a light crate is only not valid') ? failures : others);
  };

  const judge = (value: unknown, rule: Rule, field: string): Failure[] => {
    const isOne = rule.type === 'string' ? typeof value === 'string' : Number.isInteger(value);
    if (!isOne) return [failure(field, 'type')];
    const size = typeof value === 'string' ? [...value].length : (value as number);
    const [least, most] = typeof value === 'string' ? ['minLength', 'maxLength'] : ['minimum', 'maximum'];
    return [
      ...(rule.min !== undefined && size < rule.min ? [failure(field, least as string, rule.min)] : []),
      ...(rule.max !== undefined && size > rule.max ? [failure(field, most as string, rule.max)] : []),
      ...(rule.pattern && !rule.pattern.test(String(value)) ? [failure(field, 'pattern')] : []),
    ];
  };

  const parameters = (
    query: URLSearchParams,
    rules: Readonly<Record<string, Rule>>,
  ): Record<string, unknown> => {
    const failures: Failure[] = [];
    const found: Record<string, unknown> = {};
    for (const [key, rule] of Object.entries(rules)) {
      const given = query.getAll(key);
      if (given.length > 1) failures.push(failure(key, 'twice'));
      const [text] = given;
      if (text === undefined || given.length > 1) continue;
      const value = rule.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
      failures.push(...judge(value, rule, key));
      found[key] = value;
    }
    for (const key of new Set(query.keys()))
      if (rules[key] === undefined && !has('unknown query parameters are taken'))
        failures.push(failure(key, 'others'));
    if (failures.length > 0) refuse('query', failures);
    return found;
  };

  const content = (asked: Asked, under: string, medias: readonly string[]): Members => {
    if (!medias.includes(asked.media)) refuse('media');
    if (asked.media.endsWith('urlencoded')) return fromForm(asked.content, under);
    const value = readJson(asked.content);
    if (!isObject(value)) return refuse('unreadable');
    const inner = value[under];
    if (inner === undefined && has('a bin need not be beneath its name')) return value;
    if (inner === undefined) refuse('invalid', [failure(under, 'required')]);
    return isObject(inner) ? inner : refuse('unreadable');
  };

  const fromForm = (text: string, under: string): Members => {
    const found: Members = {};
    const size: Members = {};
    const numbered = (value: string): unknown => (/^-?\d+$/.test(value) ? Number(value) : value);
    if (text === '') refuse('unreadable');
    for (const [key, value] of new URLSearchParams(text)) {
      const path = [...key.matchAll(/[^[\]]+|\[\]/g)].map(([step]) => step);
      if (path[0] !== under) continue;
      const [, member = '', inner] = path;
      if (member === 'tags') {
        const one = has('the form reads no brackets') ? [] : [value];
        found['tags'] = has('the form reads one tag')
          ? one
          : [...((found['tags'] as string[]) ?? []), ...one];
      } else if (member === 'size' && inner !== undefined) {
        size[inner] = numbered(value);
        found['size'] = size;
      } else found[member] = member === 'weight' ? numbered(value) : value;
    }
    return found;
  };

  /** A field and its value where the value is to be judged: what stands, and what is new. */
  const judgeCrate = (members: Members, isNew: boolean, writable: readonly string[]): Members => {
    const failures: Failure[] = [];
    const kept: Members = {};
    for (const [field, rule] of Object.entries(crateRules)) {
      if (members[field] === undefined) {
        if (isNew) failures.push(failure(field, 'required'));
      } else if (writable.includes(field)) {
        failures.push(...judge(members[field], rule, field));
        kept[field] = members[field];
      }
    }
    const { tags, size } = members;
    if (tags !== undefined) {
      kept['tags'] = tags;
      if (!Array.isArray(tags)) failures.push(failure('tags', 'type'));
      else {
        for (const [index, tag] of tags.entries())
          failures.push(...judge(tag, { type: 'string', min: 1, max: 12 }, `tags.${index}`));
        if (tags.length > 5) failures.push(failure('tags', 'maxItems'));
      }
    }
    if (size !== undefined) {
      kept['size'] = size;
      if (!isObject(size)) failures.push(failure('size', 'type'));
      else {
        for (const side of ['wide', 'high'])
          if (size[side] !== undefined)
            failures.push(...judge(size[side], { type: 'integer', min: 1, max: 500 }, `size.${side}`));
          else if (!has('a size of one side is taken')) failures.push(failure(`size.${side}`, 'required'));
        for (const side of Object.keys(size))
          if (!['wide', 'high'].includes(side)) failures.push(failure(`size.${side}`, 'others'));
      }
    }
    const unknown = Object.keys(members).filter((one) => !['tags', 'size'].includes(one) && !crateRules[one]);
    if (has('unknown members are refused')) failures.push(...unknown.map((one) => failure(one, 'others')));
    if (has('unknown members are kept'))
      for (const one of unknown) if (!['code', 'heavy', 'changed'].includes(one)) kept[one] = members[one];
    if (has('taken goes before invalid') && isNew) judgeTaken(members, null);
    refuseInvalid(failures);
    return kept;
  };

  const judgeTaken = (members: Members, own: string | null): void => {
    const fold = (text: unknown): string =>
      has('name and lot are told apart by case') ? String(text) : String(text).toLowerCase();
    const isTaken = [...crates.values()].some(
      (one) =>
        one.code !== own &&
        fold(one.name) === fold(members['name']) &&
        (fold(one.lot) === fold(members['lot']) || has('names alone must differ')),
    );
    if (isTaken && !has('name and lot repeat')) refuse('taken', [], { name: ['is taken'] });
  };

  const slugOf = (text: string): string => {
    const plain = has('slugs keep capitals') ? text : text.toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
    const cut = has('slugs are cut') ? slug.slice(0, 4) : slug;
    if (!crates.has(cut) || has('slugs repeat')) return cut;
    for (let count = 2; ; count++) if (!crates.has(`${cut}-${count}`)) return `${cut}-${count}`;
  };

  const showCrate = (crate: Crate): Members => ({
    ...crate,
    heavy: crate.weight > (has('heavy is at 1000') ? 999 : 1000),
  });
  const showLine = (crate: Crate): Members => {
    const { tags, size: _, lot, ...shown } = showCrate(crate) as unknown as Crate;
    return {
      ...shown,
      ...(has('lines show tags') && { tags }),
      ...(!has('lines miss lot') && { lot }),
    };
  };
  const modified = (crate: Crate): Record<string, string> => ({
    'Last-Modified': new Date(
      has('the time is of the answer')
        ? Date.now() + 5000
        : Math.floor(Date.parse(crate.changed) / 1000) * 1000,
    ).toUTCString(),
  });
  const second = (crate: Crate): number => Math.floor(Date.parse(crate.changed) / 1000) * 1000;

  const listBins = ({ query }: Asked, url: string): Answered => {
    const { per = 10, page = 1 } = parameters(query, {
      per: { type: 'integer', min: 1, max: 40 },
      page: { type: 'integer', min: 1 },
    }) as { per?: number; page?: number };
    const place = (one: Members): number => Number(one['place']) * (has('places stand upwards') ? -1 : 1);
    const all = [...bins.values()].sort(
      (a, b) => order(String(a['aisle']), String(b['aisle'])) || place(b) - place(a),
    );
    const start = (page - (has('pages are numbered from 0') ? 0 : 1)) * per;
    const last = Math.max(1, Math.ceil(all.length / per));
    const link = (rel: string, number: number): string =>
      `<${url}/v2/bins?page=${has('links lead to the page itself') ? page : number}&per=${per}>; rel="${rel}"`;
    const links = [
      link('first', 1),
      ...(page > 1 || has('the first page has a previous one') ? [link('prev', Math.max(1, page - 1))] : []),
      ...(page < last && !has('links miss the next') ? [link('next', page + 1)] : []),
      link('last', has('the last link is one too far') ? last + 1 : last),
    ];
    return {
      status: 200,
      headers: {
        Link: links.join(', '),
        ...(!has('the total is missing') && { 'X-Total': String(all.length) }),
      },
      body: {
        bins: all.slice(start, start + per),
        ...(!has('the number of the page is missing') && { page }),
      },
    };
  };

  const listCrates = ({ query }: Asked, url: string): Answered => {
    const given = parameters(query, {
      tag: { type: 'string' },
      least: { type: 'integer' },
      by: { type: 'string' },
      from: { type: 'integer', min: 1 },
      count: { type: 'integer', min: 1, max: 40 },
    }) as { tag?: string; least?: number; by?: string; from?: number; count?: number };
    const { tag, least, by, from = 1, count = 8 } = given;
    const keys = by === undefined ? [] : by.split(',');
    if (!keys.every((key) => ['name', 'weight', 'lot'].includes(key.replace(/^-/, ''))))
      refuse('query', [failure('by', 'sort')]);
    const found = [...crates.values()].filter(
      (one) =>
        (tag === undefined ||
          (one.tags ?? []).includes(tag) ||
          (has('tag finds parts of tags') && (one.tags ?? []).some((part) => part.includes(tag)))) &&
        (least === undefined || has('least is ignored') || one.weight >= least),
    );
    const compare = (a: Crate, b: Crate): number => {
      for (const key of keys) {
        const down = key.startsWith('-') ? -1 : 1;
        const field = key.replace(/^-/, '') as 'name' | 'weight' | 'lot';
        const isText = field !== 'weight' || has('weight is sorted as text');
        const difference = isText ? order(String(a[field]), String(b[field])) : a.weight - b.weight;
        if (difference !== 0) return difference * down;
      }
      if (has('ties stand anyhow') && keys.length > 0) return order(b.code, a.code);
      return b.weight - a.weight || order(a.code, b.code);
    };
    const sorted = found.sort(compare);
    const start = from - (has('start counts from 0') ? 0 : 1);
    const address = (place: number): string => {
      const kept = new URLSearchParams();
      if (!has('addresses lose the filter')) {
        if (tag !== undefined) kept.set('tag', tag);
        if (least !== undefined) kept.set('least', String(least));
      }
      if (by !== undefined) kept.set('by', by);
      kept.set('from', String(place));
      kept.set('count', String(count));
      return `${url}/v2/crates?${kept}`;
    };
    const pages = Math.max(1, Math.ceil(sorted.length / count));
    const isMore = from - 1 + count < sorted.length;
    return {
      status: 200,
      body: {
        crates: sorted.slice(start, start + count).map(showLine),
        total: sorted.length,
        links: {
          self: address(from),
          first: address(1),
          previous: from > 1 ? address(Math.max(1, from - count)) : null,
          next: isMore
            ? address(has('addresses of the next are of the page itself') ? from : from + count)
            : null,
          last: address((pages - 1) * count + 1),
        },
      },
    };
  };

  const addCrate = (asked: Asked): Answered => {
    const members = content(asked, 'crate', ['application/x-www-form-urlencoded']);
    parameters(asked.query, {});
    const kept = judgeCrate(members, true, Object.keys(crateRules));
    judgeTaken(kept, null);
    if (kept['weight'] === 13 && !has('thirteen is taken')) refuse('weightless');
    const tags = (kept['tags'] as string[] | undefined) ?? (has('no tags is null') ? null : []);
    const crate: Crate = {
      code: slugOf(kept['name'] as string),
      ...(kept as unknown as { name: string; lot: string; weight: number }),
      tags: has('tags are sorted') ? ([...(tags ?? [])].sort() as string[]) : tags,
      changed: time(),
    };
    crates.set(crate.code, crate);
    return {
      status: 201,
      headers: { Location: `/v2/crates/${crate.code}` },
      body: { crate: showCrate(crate) },
    };
  };

  const changeCrate = (asked: Asked, key: string): Answered => {
    const medias = ['application/merge-patch+json', 'application/vnd.depot+json'];
    if (has('the other media type is refused')) medias.pop();
    if (!medias.includes(asked.media)) refuse('media');
    const value = readJson(asked.content);
    const inner = isObject(value) ? value['crate'] : undefined;
    if (!isObject(value) || (inner !== undefined && !isObject(inner))) refuse('unreadable');
    const crate = crates.get(key) ?? refuse('no_crate');
    parameters(asked.query, {});
    const patch = isObject(inner) ? inner : refuse('invalid', [failure('crate', 'required')]);
    const isMerged = asked.media === medias[0];
    const given = Object.fromEntries(Object.entries(patch).filter(([, one]) => one !== null || !isMerged));
    if (isMerged && isObject(given['size']) && isObject(crate.size))
      given['size'] = { ...crate.size, ...given['size'] };
    const allowedFields = ['lot', 'weight', ...(has('the name may be changed') ? ['name'] : [])];
    const kept = judgeCrate(given, false, allowedFields);
    const gone = Object.keys(patch).filter((one) => isMerged && patch[one] === null);
    const needed = gone.filter((one) => ['lot', 'weight'].includes(one));
    if (needed.length > 0)
      refuse(
        'invalid',
        needed.map((one) => failure(one, 'required')),
      );
    const since = asked.headers['if-unmodified-since'];
    if (since === undefined && !has('If-Unmodified-Since is not wanted')) refuse('blind');
    const isStale = since !== undefined && second(crate) > Date.parse(since);
    const next = { ...crate, ...kept } as Crate & Members;
    for (const one of gone) if (['tags', 'size'].includes(one)) delete (next as Members)[one];
    if (isStale && has('stale is done')) crates.set(key, next);
    if (isStale && !has('If-Unmodified-Since is ignored')) {
      if (has('stale is told of')) throw new Refusal({ status: 412 });
      try {
        refuse('no_crate');
      } catch (error) {
        if (!(error instanceof Refusal) || !has('stale is told of in a header field')) throw error;
        throw new Refusal({ ...error.answer, headers: { ...error.answer.headers, 'X-Code': 'stale' } });
      }
    }
    judgeTaken(next, key);
    const isChanged = JSON.stringify(next) !== JSON.stringify({ ...crate });
    if (isChanged && !has('changed stays')) next.changed = time();
    crates.set(key, next);
    return { status: 200, headers: modified(next), body: { crate: showCrate(next) } };
  };

  return await serve((asked, url) => {
    const depot: Record<string, string> = has('the depot is not named') ? {} : { 'X-Depot': 'main' };
    const named = (answer: Answered): Answered => ({ ...answer, headers: { ...depot, ...answer.headers } });
    try {
      return named(answer(asked, url));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw new Refusal(has('refusals do not name the depot') ? error.answer : named(error.answer));
    }
  });

  function answer(asked: Asked, url: string): Answered {
    const isBare = has('the base is optional') && !asked.path.startsWith('/v2/');
    if (!asked.path.startsWith('/v2/') && !isBare) return { status: 404 };
    const path = isBare ? asked.path : asked.path.slice(3);
    const route = routes.find(([form]) => form.test(path));
    if (route === undefined) return { status: 404 };
    const verb = asked.method === 'HEAD' ? 'GET' : asked.method;
    if (!route[1].includes(verb)) return { status: 405, headers: allowed(route[1]) };
    const [kind = '', ...keys] = isBare ? asked.segments : asked.segments.slice(1);
    const place = keys.length === 0 ? kind : kind.slice(0, -1);
    name = operations[`${verb} ${place}`] ?? '';
    const [key = '', other = ''] = keys;
    switch (`${verb} ${place}`) {
      case 'GET bins':
        return listBins(asked, url);
      case 'POST bins': {
        const members = content(asked, 'bin', ['application/json']);
        parameters(asked.query, {});
        const failures = Object.entries(binRules).flatMap(([field, rule]) => {
          if (members[field] !== undefined) return judge(members[field], rule, field);
          return field === 'label' ? [] : [failure(field, 'required')];
        });
        refuseInvalid(failures);
        const bin = Object.fromEntries(Object.entries(members).filter(([field]) => binRules[field]));
        const id = has('bins of one aisle are one') ? `${bin['aisle']}` : `${bin['aisle']} ${bin['place']}`;
        if (bins.has(id) && !has('places repeat')) refuse('there');
        bins.set(id, bin);
        return { status: 201, body: has('bins are not beneath their name') ? bin : { bin } };
      }
      case 'GET bin': {
        const bin = bins.get(has('bins of one aisle are one') ? key : `${key} ${other}`) ?? refuse('no_bin');
        parameters(asked.query, {});
        const hashed = JSON.stringify(has('the tag is of all bins') ? [...bins.values()] : bin);
        const tag = `"${createHash('sha256').update(hashed).digest('hex').slice(0, 12)}"`;
        const headers = { ETag: has('the tag is strong') ? tag : `W/${tag}` };
        const field = asked.headers['if-none-match'];
        const plain = (text: string): string =>
          has('a weak tag does not match') ? text.trim() : text.trim().replace(/^W\//, '');
        const own = has('a weak tag does not match') ? tag : plain(headers.ETag);
        const isSame = field === '*' || field?.split(',').some((one) => plain(one) === own);
        return isSame ? { status: 304, headers } : { status: 200, headers, body: { bin } };
      }
      case 'GET crates':
        return listCrates(asked, url);
      case 'POST crates':
        return addCrate(asked);
      case 'PATCH crate':
        return changeCrate(asked, key);
      case 'DELETE crate': {
        if (!crates.has(key)) refuse('no_crate');
        parameters(asked.query, {});
        crates.delete(key);
        return { status: 204 };
      }
      default: {
        const crate = crates.get(key) ?? refuse('no_crate');
        parameters(asked.query, {});
        const since = asked.headers['if-modified-since'];
        const isKnown = since !== undefined && second(crate) <= Date.parse(since);
        if (isKnown && !has('If-Modified-Since is ignored')) return { status: 304, headers: modified(crate) };
        return { status: 200, headers: modified(crate), body: { crate: showCrate(crate) } };
      }
    }
  }
}
