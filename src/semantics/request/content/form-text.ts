import { stated } from '../../../specification/reading/said.ts';
import type { Request } from '../prediction.ts';
import { fieldsOf } from './form.ts';

/** The content of a request as a form (`application/x-www-form-urlencoded`). */
export function formText({
  operation: { request },
  content = null,
}: Pick<Request, 'operation' | 'content'>): string {
  const nests = request !== null && stated(request.nesting) === 'brackets';
  return new URLSearchParams(
    fieldsOf(content, nests).map(([name, text]): [string, string] => [name, text]),
  ).toString();
}
