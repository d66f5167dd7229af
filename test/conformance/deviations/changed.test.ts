import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changed, statementsOf } from '../../../src/conformance/deviations/changed.ts';
import { type Said, stated } from '../../../src/specification/reading/said.ts';
import { specificationOf } from '../../service/served.ts';

const shelves = specificationOf(readFileSync('test/semantics/shelves.yaml', 'utf8'));

function at(address: string): Said<unknown> {
  const found = statementsOf(shelves).find((said) => said.address === address);
  if (found === undefined) throw new TypeError(`nothing is stated at ${address}`);
  return found;
}

describe('a specification with one statement changed', () => {
  it('says the other thing there, wherever the point is looked at', () => {
    const said = at('resources.Author.fields.name.unique');
    const other = changed(shelves, new Map([[said, { ...said, value: false } as Said<unknown>]]));
    const [create] = other.operations;
    expect(stated(other.resourcesByName.get('Author')?.fields.get('name')?.unique)).toBe(false);
    expect(create?.subject).toBe(other.resourcesByName.get('Author'));
  });

  it('says the same elsewhere, and leaves the first one as it was', () => {
    const said = at('resources.Author.fields.name.unique');
    const other = changed(shelves, new Map([[said, { ...said, value: false } as Said<unknown>]]));
    expect(stated(shelves.resourcesByName.get('Author')?.fields.get('name')?.unique)).toBe(true);
    expect(other.resourcesByName.get('Book')).toBe(shelves.resourcesByName.get('Book'));
    expect(other.errors).toBe(shelves.errors);
    const differing = statementsOf(other).filter((each) => !statementsOf(shelves).includes(each));
    const holding = differing
      .map(({ address }) => address)
      .filter((address) => !said.address.startsWith(`${address}`));
    expect(holding.filter((address) => !/^(endpoints|resources)/.test(address))).toEqual([]);
  });

  it('can be made of each point of each example', () => {
    for (const name of readdirSync('examples').filter((each) => each.endsWith('.md'))) {
      const specification = specificationOf(readFileSync(`examples/${name}`, 'utf8'));
      for (const said of statementsOf(specification)) {
        const nothing = { kind: 'none', address: said.address, at: said.at, assumed: false } as const;
        const other = changed(specification, new Map([[said, nothing]]));
        expect(other, `${name} ${said.address}`).not.toBe(specification);
        expect(other.operations).toHaveLength(specification.operations.length);
      }
    }
  });
});
