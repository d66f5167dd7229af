import { type Operation, queryParameters } from '../../specification/model/operation.ts';
import type { Specification } from '../../specification/model/specification.ts';
import type { Address } from '../../specification/reading/address.ts';
import type { Refusal } from '../change/refusal.ts';

/** The statement of the keyword that refuses a request; null: it is not one alone, or it is not known which. */
export function keywordOf(
  { condition, subject, failures }: Refusal,
  operation: Operation,
  { resourcesByName }: Specification,
): Address | null {
  const [first, ...others] = failures;
  const isOne = others.every(({ field, keyword }) => field === first?.field && keyword === first?.keyword);
  if (condition !== 'invalid' || first === undefined || !isOne || first.field.includes('.')) return null;
  const { field, keyword } = first;
  const resource = resourcesByName.get(subject);
  if (resource && keyword === 'required') return `${resource.address}.required`;
  const parameters = subject === 'query' ? queryParameters(operation) : [];
  const stated = resource?.fields.get(field) ?? parameters.find(({ name }) => name === field);
  return stated ? `${stated.address}.${keyword}` : null;
}
