import { compileTemplate, type Run } from '../../expression/compile.ts';
import type { Resource } from '../../specification/parts/resources.ts';
import { stated } from '../../specification/said.ts';
import type { Specification } from '../../specification/specification.ts';
import { showValues, type Writers } from '../render.ts';
import { compileItem } from '../resource/item.ts';
import type { KeptItem, KeptResource } from '../resource/kept.ts';
import { compileMaker } from '../resource/make.ts';
import { compileRows } from '../resource/row.ts';
import { compileWriter } from '../resource/write.ts';

export type { KeptItem, KeptResource, RowItem } from '../resource/kept.ts';
export {
  definitions,
  isWritable,
  type OthersRule,
  ruleOf,
  withRule,
} from '../resource/schema.ts';

/** Part 2, compiled: what is kept, and how `R(x)` shows it (language §2). */
export interface Kept {
  readonly resources: ReadonlyMap<string, KeptResource>;
  readonly writers: Writers;
}

export function compileResources(specification: Specification): Kept {
  const resources = new Map<string, KeptResource>();
  // Resources show one another, so that each is looked up when it is needed.
  const writers: Writers = (name) =>
    specification.resourcesByName.has(name)
      ? (item, frame) => (resources.get(name) as KeptResource).write(item as KeptItem, frame)
      : undefined;
  for (const [name, resource] of specification.resourcesByName)
    resources.set(
      name,
      compileResource(specification, resource, (one) => resources.get(one), writers),
    );
  return { resources, writers };
}

function compileResource(
  specification: Specification,
  resource: Resource,
  resources: (name: string) => KeptResource | undefined,
  writers: Writers,
): KeptResource {
  const { name } = resource;
  const show = showValues(writers);
  const keyFields = (stated(resource.identifier) ?? []).map((one) => one.text);
  const derived = new Map<string, Run>();
  for (const field of resource.fields.values()) {
    const template = stated(field.derived);
    if (template) derived.set(field.name, compileTemplate(template.template, show));
  }
  const over = compileItem(resource, keyFields, derived, resources);
  const maker = compileMaker(specification, resource, keyFields, over, show);
  return {
    name,
    resource,
    keyFields,
    table: { name, keyFields },
    ...compileRows(keyFields, over),
    create: (brought, frame) => {
      const made = maker.create(brought, frame);
      return 'missing' in made ? made : { ...made, checked: null };
    },
    change: (before, brought, frame) => ({ ...maker.change(before, brought, frame), checked: null }),
    uniques: [],
    referrers: [],
    secrets: () => null,
    write: compileWriter(resource, [...resource.fields.values()], keyFields, derived),
  };
}
