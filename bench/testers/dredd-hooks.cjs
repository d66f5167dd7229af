// Fills in, by the response that is expected, what the description's examples of the same name say: Dredd itself takes one.
const hooks = require('hooks');
const { readFileSync } = require('node:fs');

const { description, keys } = JSON.parse(readFileSync(process.env.DREDD_NAMES, 'utf8'));
const unknown = '00000000-0000-4000-8000-000000000000';

hooks.beforeEach((transaction, done) => {
  const [path, method, status] = transaction.name
    .split(' > ')
    .filter((one) => one !== description.info.title);
  const operation = description.paths[path][method.toLowerCase()];
  const response = operation.responses[status];
  const [name] = Object.keys(Object.values(response?.content ?? {})[0]?.examples ?? {});
  const gone = status === '204' ? 'REMOVED' : status === '404' ? 'NONE' : undefined;
  const example = name ?? gone;
  const { request } = transaction;
  let target = path;
  const query = [];
  for (const parameter of operation.parameters ?? []) {
    const found = parameter.examples?.[example]?.value;
    if (parameter.in === 'path')
      target = target.replace(
        '{id}',
        found ?? (status === '404' ? unknown : Object.values(parameter.examples)[0].value),
      );
    if (parameter.in === 'query' && found !== undefined) query.push(`${parameter.name}=${found}`);
    if (parameter.in === 'header' && parameter.required) request.headers[parameter.name] = found ?? '*';
  }
  const fullPath = target + (query.length > 0 ? `?${query.join('&')}` : '');
  transaction.fullPath = fullPath;
  request.uri = fullPath;
  const [media, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (body) {
    request.headers['Content-Type'] = media;
    request.body =
      status === '400'
        ? '{'
        : JSON.stringify((body.examples?.[example] ?? Object.values(body.examples ?? {})[0])?.value);
  }
  delete request.headers['X-Desk-Key'];
  const [scheme] = Object.keys((operation.security ?? [])[0] ?? {});
  if (scheme && status !== '401') request.headers['X-Desk-Key'] = keys[scheme];
  // None of these can be brought about by one request that the description knows of.
  transaction.skip =
    status === '429' ||
    (status === '401' && !scheme) ||
    (status === '422' && !name) ||
    (status === '400' && !body);
  done();
});
