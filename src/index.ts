/**
 * tacet as a library: read a specification, report on it, serve it.
 *
 * @example
 * const { specification, diagnostics } = read('todo.md', content);
 * const service = await serve(specification, { data: 'todo.sqlite' });
 * console.log(service.address); // http://127.0.0.1:49152
 * await service.close();
 */
export {
  type OperationStatus,
  type PartStatus,
  type PointStatus,
  type Status,
  status,
} from './report/status.ts';
export type { Step } from './report/steps.ts';
export type { HostLimits } from './service/parts/limits.ts';
export type { HeldUp } from './service/reply.ts';
export { type Service, type ServiceOptions, StartRefused, serve } from './service/service.ts';
export { StoreRefused } from './service/store/store.ts';
export { type Code, codes } from './source/codes.ts';
export type { Diagnostic } from './source/diagnostic.ts';
export type { Json } from './source/node.ts';
export { at, type Span } from './source/text.ts';
export type { Specification } from './specification/model/specification.ts';
export { type Assumption, readLedger } from './specification/openness/ledger.ts';
export { type Reader, read, readFolder, type Source } from './specification/read.ts';
export type { Point } from './specification/reading/reading.ts';
