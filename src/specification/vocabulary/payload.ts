import type { Template } from '../../expression/template.ts';
import { get, type Mapping, type Node, type Scalar } from '../../source/node.ts';
import { rest, step } from '../reading/address.ts';
import { type Formed, formed, type Place, type Reading, say, value } from '../reading/reading.ts';
import { isMarker } from '../reading/said.ts';
import { isHandled, type PlacedTemplate, payloadForm, template } from '../reading/templates.ts';
import { types } from './keywords.ts';

/**
 * What is sent: a template in which every object lists its members (language §H.3). Each member is a point, where a
 * marker may stand; what such a list does not name is one more, and open unless the list is complete (language §D.1).
 */
export const payload: Formed<PlacedTemplate> = formed(payloadForm, (node, place, reading) => {
  if (node.kind === 'scalar' || isHandled(node)) return template(node, place, reading);
  reading.point(place.address, node.assumed ? 'assumed' : 'stated', node.span);
  const read = sent(node, place, reading);
  return read && { template: read, node };
});

const sent: Formed<Template> = formed(payloadForm, (node, place, reading) => {
  switch (node.kind) {
    case 'scalar':
      return template(node, place, reading)?.template;
    case 'list': {
      const items = node.items.map((item, index) => {
        if (isMarker(item))
          return reading.report('marker-in-literal', item.span, { text: (item as Scalar).written.trim() });
        return sent(item, { address: step(place.address, index), at: item.span }, reading);
      });
      return items.includes(undefined) ? undefined : { kind: 'list', items: items as Template[] };
    }
    case 'map':
      if (isHandled(node)) return template(node, place, reading)?.template;
      return isSchema(node) ? reading.report('shape-as-body', node.span, {}) : members(node, place, reading);
  }
});

function members(map: Mapping, { address, at }: Place, reading: Reading): Template {
  const found = new Map<string, Template>();
  for (const [name, entry] of map.entries) {
    const where = { address: step(address, name), at: entry.key };
    const said = say(entry.value, value(sent), where, reading);
    found.set(
      name,
      said.kind === 'stated' ? said.value : { kind: 'marker', marker: said.kind, address: said.address },
    );
  }
  reading.restOf(address, at);
  const isWhole = reading.completeness.closed(address) !== undefined;
  return { kind: 'object', members: found, rest: isWhole ? null : rest(address) };
}

/** Whether an object has the looks of a JSON Schema: a type of that name, and a keyword that goes with it. */
function isSchema(map: Mapping): boolean {
  const type = get(map, 'type');
  const names: readonly (Node | undefined)[] = type?.kind === 'list' ? type.items : [type];
  return (
    names.some((one) => one?.kind === 'scalar' && types.includes(one.value as string)) &&
    ['properties', 'fields', 'items', 'required', 'enum', '$ref'].some((key) => map.entries.has(key))
  );
}
