import { changesOf } from '../model/changes.ts';
import { isDenied, isWritten } from '../model/denied.ts';
import type { Operation } from '../model/operation.ts';
import { isShared } from '../model/shared.ts';
import type { Specification } from '../model/specification.ts';
import type { Reading } from '../reading/reading.ts';
import { isSaid, stated } from '../reading/said.ts';
import type { Condition, ConditionName } from '../vocabulary/condition.ts';
import type { Row } from '../vocabulary/parts/errors.ts';

/**
 * Warns of a row whose condition nothing that is stated can bring about, where nothing more can be stated: the lists
 * that could hold its cause are closed (language §D, §7).
 */
export function checkRefusals(of: Specification, rows: readonly Row[], reading: Reading): void {
  const causes = new Causes(of);
  for (const row of rows) {
    const listed = stated(row.operations)?.map((one) => one.text);
    const operations = of.operations.filter(({ name }) => listed?.includes(name) ?? true);
    for (const condition of stated(row.when) ?? []) {
      const problem = causes.lacking(condition, operations);
      const written = `${condition.names.length > 1 ? 'not authenticated' : condition.names[0]} ${condition.subject}`;
      if (problem) reading.report('never-refused', condition.at, { condition: written.trim(), problem });
    }
  }
}

class Causes {
  readonly #of: Specification;

  constructor(of: Specification) {
    this.#of = of;
  }

  /** Why a condition never holds for these operations; undefined where it may. */
  lacking({ names, subject }: Condition, operations: readonly Operation[]): string | undefined {
    const [resource = '', field, keyword] = subject.split('.');
    switch (names[0] as ConditionName) {
      case 'credential missing':
      case 'credential wrong':
      case 'not authorized':
        return this.#of.authentication.kind === 'none' ? 'nobody is asked who they are' : undefined;
      case 'version missing':
      case 'version unknown':
      case 'version retired':
        return this.#of.versioning.kind === 'none' ? 'there are no versions' : undefined;
      case 'rate exceeded':
        return this.#rates();
      case 'transition refused':
        return this.#machines(resource);
      case 'guard refused':
        return this.#mayGuard(resource) ? undefined : this.#machines(resource);
      case 'key missing':
      case 'key reused':
      case 'key busy':
        return this.#none(operations, 'idempotency');
      case 'precondition missing':
      case 'precondition failed':
      case 'range not satisfiable':
        return this.#none(operations, 'conditional');
      case 'wrong credentials':
        return this.#noLogin(operations, resource);
      case 'not unique':
        if (field === undefined) return undefined;
        return keyword === 'ever' ? this.#ever(resource, field) : this.#unique(resource, field);
      case 'invariant broken': {
        const found = this.#of.resourcesByName.get(resource);
        const lacks = found && isDenied(this.#of, found.invariants, found.address);
        return lacks ? `${resource} has no invariants` : undefined;
      }
      case 'quota exceeded':
        return this.#quotas();
      default:
        return undefined;
    }
  }

  #isClosed(list: string): boolean {
    return this.#of.completeness.closed(list) !== undefined;
  }

  /** Both the rates and what may run at once (language §8.1, §8.2). */
  #rates(): string | undefined {
    const { limits } = this.#of;
    const problem = 'neither a rate nor what may run at once is limited';
    if (limits.kind !== 'stated') return limits.kind === 'none' ? problem : undefined;
    const { rates, concurrency } = limits.value;
    const isEmpty = stated(rates)?.size === 0 && this.#isClosed('limits.rates');
    const none =
      (isEmpty || isDenied(this.#of, rates, 'limits.rates')) && isDenied(this.#of, concurrency, 'limits');
    return none ? problem : undefined;
  }

  #quotas(): string | undefined {
    const { limits } = this.#of;
    const problem = 'there are no quotas';
    if (limits.kind !== 'stated') return limits.kind === 'none' ? problem : undefined;
    return isDenied(this.#of, limits.value.quotas, 'limits') ? problem : undefined;
  }

  /** Whether a guard of a resource is stated, or may still be; '' stands for any resource. */
  #mayGuard(name: string): boolean {
    const resources = [...this.#of.resourcesByName.values()].filter(
      (one) => name === '' || one.name === name,
    );
    return resources.some(({ guards, address }) => !isDenied(this.#of, guards, address));
  }

  #machines(resource: string): string | undefined {
    if (!this.#isClosed('states')) return undefined;
    const names = [...(stated(this.#of.states)?.keys() ?? [])];
    const some = names.some((name) => resource === '' || name.startsWith(`${resource}.`));
    return some ? undefined : `${resource || 'no resource'} ${resource ? 'has no' : 'has a'} machine`;
  }

  /** Whether what every endpoint says is known. */
  #isToldAll(): boolean {
    const entries = [...(stated(this.#of.endpoints)?.entries.values() ?? [])];
    return this.#isClosed('endpoints') && entries.every(isSaid);
  }

  #none(operations: readonly Operation[], key: 'idempotency' | 'conditional'): string | undefined {
    const isWithout = ({ endpoint, address }: Operation): boolean =>
      isDenied(this.#of, endpoint[key], address);
    if (!this.#isToldAll() || !operations.every(isWithout)) return undefined;
    const isAll = operations.length === this.#of.operations.length;
    return `${isAll ? 'no operation' : 'none of its operations'} has ${key}`;
  }

  #noLogin(operations: readonly Operation[], resource: string): string | undefined {
    const may = operations.some((operation) => {
      const { does, endpoint } = operation;
      const { also } = endpoint;
      if (does.kind === 'open' || (also.kind === 'open' && isWritten(this.#of, also))) return true;
      return changesOf(operation).some(
        ({ verb, subject }) =>
          verb === 'handled' || (verb === 'authenticate' && (resource === '' || subject.name === resource)),
      );
    });
    return this.#isToldAll() && !may ? `no operation authenticates ${resource || 'anybody'}` : undefined;
  }

  /** Former values count with `unique: ever` alone, whatever the identifier and other fields are (language §2.2). */
  #ever(name: string, of: string): string | undefined {
    const field = this.#of.resourcesByName.get(name)?.fields.get(of);
    if (field === undefined) return undefined;
    const { unique, address } = field;
    const isNever = isSaid(unique) ? stated(unique) !== 'ever' : isDenied(this.#of, unique, address);
    return isNever ? `${name}.${of} is not \`unique: ever\`` : undefined;
  }

  #unique(name: string, field: string): string | undefined {
    const resource = this.#of.resourcesByName.get(name);
    if (!resource || !isShared(this.#of, resource, field)) return undefined;
    const several = [
      stated(resource.identifier) ?? [],
      ...(stated(resource.unique) ?? []).map((one) => one.fields),
    ];
    const isPart = several.some((fields) => fields.some((one) => one.text === field));
    return isPart ? undefined : `${name}.${field} is not unique`;
  }
}
