import { pathsRead } from '../../../expression/expression.ts';
import { expressionsIn, type Template } from '../../../expression/template.ts';
import { once } from '../../../source/once.ts';
import type { Specification } from '../../../specification/model/specification.ts';
import { type Said, stated } from '../../../specification/reading/said.ts';
import type { Shape } from '../../../specification/vocabulary/shape.ts';
import { isStated, statementsOf } from '../../deviations/changed.ts';
import { operationOf } from '../../deviations/deviation.ts';
import { membersOf } from '../../deviations/ignored.ts';
import { textsOf } from './pattern-texts.ts';
import type { Rule } from './same-meaning.ts';
import { isRefusalTold, partsOf } from './visible.ts';

/** How many characters of a text are left of one that is cut off: see `stored`. */
const left = 10;

/** A text that fits stays as it is, and one that does not is refused for its pattern before and after. */
export const fittingTexts: Rule = {
  name: 'no text that fits is changed, and no other comes to fit',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const operation = operationOf(said, specification);
    const [, mistake, name = ''] =
      /^(capitals are made small|characters past the tenth are cut off) in (\S+)$/.exec(says) ?? [];
    if (mistake === undefined || operation === undefined || isReadOfBody(name, specification)) return false;
    // A repeat is compared with what came first.
    if (operation.endpoint.idempotency.kind === 'stated') return false;
    const [, shape] = membersOf(operation, specification).find(([member]) => member === name) ?? [];
    const texts = shape && isPlain(shape) ? textsOf(String(stated(shape.keywords.get('pattern')))) : null;
    if (texts === null || stated(stated(specification.errors)?.messages)) return false;
    return mistake.startsWith('capitals') ? !texts.hasLetters : texts.most < left;
  },
};

/** A text that is shorter or longer than its shape allows does not fit the pattern that stands beside. */
export const impliedLength: Rule = {
  name: 'the pattern refuses the same texts',
  reason: 'equal',
  holds: ({ said, says }, specification) => {
    const [, keyword = ''] = /\.(minLength|maxLength)$/.exec(said.address) ?? [];
    const [, other] = /^it is (\d+)$/.exec(says.replace(/, in \S+ alone$/, '')) ?? [];
    const isWeaker =
      other === undefined ||
      (keyword === 'minLength' ? Number(other) < limitOf(said) : Number(other) > limitOf(said));
    if (keyword === '' || said.kind !== 'stated' || !isWeaker || isRefusalTold(specification)) return false;
    const beside = said.address.slice(0, -keyword.length);
    const pattern = statementsOf(specification).find(({ address }) => address === `${beside}pattern`);
    const texts = pattern?.kind === 'stated' ? textsOf(String(pattern.value)) : null;
    if (texts === null) return false;
    return keyword === 'minLength' ? texts.least >= limitOf(said) : texts.most <= limitOf(said);
  },
};

function limitOf(said: Said<unknown>): number {
  return said.kind === 'stated' ? Number(said.value) : Number.NaN;
}

/** Whether a shape says nothing of its texts beside their pattern. */
function isPlain({ keywords }: Shape): boolean {
  const known = ['type', 'pattern', 'title', 'description'];
  return (
    typeof stated(keywords.get('pattern')) === 'string' &&
    [...keywords.keys()].every((key) => known.includes(key))
  );
}

/** Whether an expression may read a member of a body that was refused. What `with` sets, is set of one that fits. */
function isReadOfBody(name: string, specification: Specification): boolean {
  return readOfBodies(specification).some(([member]) => member === undefined || member === name);
}

/** What expressions read of `request.body`: the members along the way, from there. */
const readOfBodies = once((specification: Specification): readonly (readonly string[])[] =>
  statementsOf(specification)
    .filter(({ address }) => !address.endsWith('.with'))
    .flatMap((said) => templatesIn(said.kind === 'stated' ? said.value : null))
    .flatMap((template) => expressionsIn(template))
    .flatMap(({ syntax }) => pathsRead(syntax))
    .filter(([root, first = 'body']) => root === 'request' && first === 'body')
    .map((path) => path.slice(2)),
);

function templatesIn(value: unknown): readonly Template[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('template' in value && 'node' in value) return [value.template as Template];
  // What is stated within has its turn by itself.
  if (isStated(value)) return [];
  return partsOf(value).flatMap(templatesIn);
}
