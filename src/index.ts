/**
 * tacet as a library: load a specification, serve it, test an implementation of it, report on it.
 *
 * @example
 * const todo = load('todo.md');
 * const service = await serve(todo, { data: 'todo.sqlite' });
 * const report = await test(todo, { url: service.address });
 * console.log(violationsIn(report)); // []
 * await service.close();
 */
export { Unreachable } from './conformance/http.ts';
export type { Report } from './conformance/report.ts';
export type { Result, Verdict } from './conformance/result.ts';
export { DocumentRefused, type LoadOptions, load } from './load/load.ts';
export { Refused } from './load/refused.ts';
export { type TestingOptions, test, violationsIn } from './load/test.ts';
export {
  type OperationStatus,
  type PartStatus,
  type PointStatus,
  type Status,
  status,
} from './report/status.ts';
export type { Step } from './report/steps.ts';
export type { HostLimits } from './service/message/host-limits.ts';
export type { HeldUp } from './service/message/reply.ts';
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
