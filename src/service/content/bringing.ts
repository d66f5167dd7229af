import type { Brings } from '../../expression/compile.ts';
import { pathsRead } from '../../expression/expression.ts';
import { expressionsIn, type Template } from '../../expression/template.ts';
import { bodiesOf, type Operation } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import { stated } from '../../specification/reading/said.ts';
import type { Writers } from './render.ts';

/** The same writers, which know the references of the body of an operation (language §G.3). */
export function bringing(specification: Specification, operation: Operation, writers: Writers): Writers {
  const [fields] = bodiesOf(operation).flatMap(
    ({ of }) => specification.resourcesByName.get(of?.name ?? '')?.fields ?? [],
  );
  if (fields === undefined) return writers;
  const brings: Brings = ([root, place, member = '', ...more]) => {
    if (root !== 'request' || place !== 'body' || more.length > 0) return undefined;
    const to = stated(fields.get(member)?.refers);
    return to && { resource: to.resource, by: to.field };
  };
  const { sets, follow } = writers;
  return Object.assign((of: string) => writers(of), {
    ...(sets && { sets }),
    ...(follow && { follow }),
    brings,
  });
}

/** Whether a template follows a reference of the body, so that it reads what is stored. */
export function followsIn(template: Template, { brings }: Pick<Writers, 'brings'>): boolean {
  return expressionsIn(template).some(({ syntax }) =>
    pathsRead(syntax).some((chain) => chain.length > 3 && brings?.(chain.slice(0, 3)) !== undefined),
  );
}
