/** A request as a program would send it. */
export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The ways in which a request can be copied, in their order. */
export const snippets: Readonly<Record<string, (request: Request) => string>> = {
  curl: ({ method, url, headers, body }) =>
    [
      `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
      ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
      ...(body === '' ? [] : [`  -d ${quoted(body)}`]),
    ].join(' \\\n'),
  fetch: ({ method, url, headers, body }) => {
    const options = {
      method,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(body !== '' && { body }),
    };
    return `const response = await fetch(${JSON.stringify(url)}, ${JSON.stringify(options, null, 2)});\nconsole.log(response.status, await response.text());`;
  },
  Python: ({ method, url, headers, body }) => {
    const more = [
      ...(Object.keys(headers).length > 0 ? [`    headers=${JSON.stringify(headers)},`] : []),
      ...(body === '' ? [] : [`    data=${JSON.stringify(body)},`]),
    ];
    return [
      'import requests',
      '',
      'response = requests.request(',
      `    ${JSON.stringify(method)},`,
      `    ${JSON.stringify(url)},`,
      ...more,
      ')',
      'print(response.status_code, response.text)',
    ].join('\n');
  },
};

/** A word of a shell, in single quotation marks. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
