import type { Span } from '../../source/text.ts';
import { checkCircles } from '../circles.ts';
import { checkEntry, checkField } from '../names.ts';
import type { Resource } from '../parts/resources.ts';
import { stated } from '../said.ts';
import type { Validate } from '../typing.ts';

/** What part 2 says of itself and of other parts (language §2). */
export const validate: Validate = (of, typing, reading) => {
  const uses = (found: readonly { readonly name: string; readonly at: Span }[]): void => {
    for (const { name, at } of found) checkEntry(of, name, at, 'a shape', reading);
  };
  for (const said of stated(of.resources)?.values() ?? []) {
    const entry = stated(said);
    if (entry?.kind === 'shape') uses(entry.shape.uses);
    if (entry?.kind === 'view' && entry.of.kind === 'stated')
      checkEntry(of, entry.of.value.text, entry.of.value.at, 'a resource', reading);
    if (entry?.kind !== 'resource') continue;
    const resource: Resource = entry;
    const { name } = resource;
    for (const one of stated(resource.identifier) ?? []) checkField(of, name, one.text, one.at, reading);
    for (const one of (stated(resource.unique) ?? []).flat()) checkField(of, name, one.text, one.at, reading);
    for (const use of stated(resource.required) ?? []) checkField(of, name, use.name, use.at, reading);
    for (const field of resource.fields.values()) {
      uses(field.shape.uses);
      typing.template(field.create, { situation: 'set', subject: resource, bound: [] });
      typing.template(field.derived, { situation: 'derived', subject: resource, bound: [] });
    }
  }
  checkCircles(of, reading);
};
