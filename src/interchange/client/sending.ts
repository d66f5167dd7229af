/** The part of a client that is the same for every document: how a request is written and an answer read. */
export const sending = `interface Call {
  readonly method: string;
  /** With \`{name}\` where a parameter of the path stands. */
  readonly path: string;
  /** The media type of content for which none is named. */
  readonly media?: string;
  /** How parameters are written, by their place, where it is not the usual way. */
  readonly styles?: { readonly [place in 'path' | 'query' | 'headers']?: { readonly [name: string]: Style } };
  /** The schemes of which credentials are sent: of the first list of which all are given. Default: any one. */
  readonly schemes?: readonly (readonly string[])[];
  /** The statuses that the document states. Default: every status is given to the caller. */
  readonly statuses?: readonly number[];
}

interface Style {
  readonly style: string;
  readonly explode: boolean;
}

interface Place {
  readonly place: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly word?: string;
}

interface Given {
  readonly path?: object;
  readonly query?: object;
  readonly headers?: object;
  readonly body?: unknown;
  readonly media?: string;
}

async function send(options: Options, call: Call, given: Given = {}): Promise<never> {
  const headers = new Headers(version.headers);
  for (const [name, value] of entriesOf(given.headers)) headers.set(name, simple(value, call.styles?.headers?.[name], String));
  const pairs = entriesOf(given.query).flatMap(([name, value]) => pairsOf(name, value, call.styles?.query?.[name]));
  pairs.push(...version.query, ...presented(options, call, headers));
  const media = given.media ?? call.media;
  const isParts = given.body instanceof FormData;
  if (given.body !== undefined && media !== undefined && !isParts) headers.set('Content-Type', media);
  const path = call.path.replace(/\\{([^}]*)\\}/g, (_, name: string) =>
    inPath(name, (given.path as { readonly [name: string]: unknown } | undefined)?.[name], call.styles?.path?.[name]),
  );
  const root = options.url.replace(/\\/+$/, '');
  const query = pairs.length > 0 ? \`?\${pairs.join('&')}\` : '';
  const answer = await (options.fetch ?? fetch)(root + version.path + path + query, {
    method: call.method,
    headers,
    ...(given.body !== undefined && { body: contentOf(given.body, media) }),
  });
  const { status } = answer;
  const body = call.method === 'HEAD' ? null : await bodyOf(answer);
  if (call.statuses && !call.statuses.includes(status)) throw new UnstatedAnswer(status, answer.headers, body);
  return { status, headers: answer.headers, body } as never;
}

/** Puts credentials into the header fields; what it gives goes into the query. */
function presented({ credentials = {} }: Options, call: Call, headers: Headers): string[] {
  const all = credentials as { readonly [scheme: string]: string | { name: string; password: string } | undefined };
  const alternatives = call.schemes ?? Object.keys(places).map((scheme) => [scheme]);
  const chosen = alternatives.find((schemes) => schemes.every((scheme) => all[scheme] !== undefined)) ?? [];
  return chosen.flatMap((scheme) => {
    const { place, name, word } = places[scheme] as Place;
    const given = all[scheme] as string | { name: string; password: string };
    const credential = typeof given === 'string' ? given : base64(\`\${given.name}:\${given.password}\`);
    if (place === 'query') return [pair(name, credential)];
    if (place === 'header') headers.set(name, word === undefined ? credential : \`\${word} \${credential}\`);
    else headers.append('Cookie', \`\${name}=\${credential}\`);
    return [];
  });
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

function entriesOf(members: object = {}): [string, unknown][] {
  return Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
}

function pair(name: string, value: unknown): string {
  return \`\${encodeURIComponent(name)}=\${encodeURIComponent(String(value))}\`;
}

function pairsOf(name: string, value: unknown, { style, explode }: Style = { style: 'form', explode: true }): string[] {
  if (style === 'json') return [pair(name, JSON.stringify(value))];
  if (typeof value !== 'object' || value === null) return [pair(name, value)];
  if (style === 'deepObject') return entriesOf(value).map(([key, member]) => pair(\`\${name}[\${key}]\`, member));
  if (explode)
    return Array.isArray(value)
      ? value.map((each) => pair(name, each))
      : entriesOf(value).map(([key, member]) => pair(key, member));
  const separator = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
  const texts: unknown[] = Array.isArray(value) ? value : entriesOf(value).flat();
  const written = texts.map((each) => encodeURIComponent(String(each))).join(separator);
  return [\`\${encodeURIComponent(name)}=\${written}\`];
}

/** A list as \`a,b\`; an object as \`x=1,y=2\` if it is exploded, else as \`x,1,y,2\`. */
function simple(value: unknown, { style, explode }: Style = usual, encode: (text: string) => string, between = ','): string {
  if (style === 'json') return encode(JSON.stringify(value));
  const written = (each: unknown): string => encode(String(each));
  if (Array.isArray(value)) return value.map(written).join(between);
  if (typeof value !== 'object' || value === null) return written(value);
  return entriesOf(value)
    .map(([key, member]) => \`\${encode(key)}\${explode ? '=' : ','}\${written(member)}\`)
    .join(between);
}

const usual: Style = { style: 'simple', explode: false };

function inPath(name: string, value: unknown, style: Style = usual): string {
  const encode = encodeURIComponent;
  if (style.style === 'label') return \`.\${simple(value, style, encode, style.explode ? '.' : ',')}\`;
  if (style.style !== 'matrix') return simple(value, style, encode);
  const isObject = typeof value === 'object' && value !== null;
  if (!isObject || !style.explode) return \`;\${encode(name)}=\${simple(value, style, encode)}\`;
  if (!Array.isArray(value)) return \`;\${simple(value, style, encode, ';')}\`;
  return value.map((each) => \`;\${encode(name)}=\${encode(String(each))}\`).join('');
}

function contentOf(body: unknown, media: string | undefined): BodyInit {
  return isJson(media) ? JSON.stringify(body) : (body as BodyInit);
}

async function bodyOf(answer: Response): Promise<unknown> {
  const media = answer.headers.get('Content-Type') ?? '';
  if (/^text\\/event-stream/i.test(media)) return answer.body;
  if (/^text\\//i.test(media)) return answer.text();
  const content = await answer.blob();
  if (content.size === 0) return null;
  return isJson(media) ? JSON.parse(await content.text()) : content;
}

function isJson(media = ''): boolean {
  return /^[^;]*[/+]json *(;|$)/i.test(media);
}
`;
