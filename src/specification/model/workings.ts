import { callsMade, type Expression, pathsRead } from '../../expression/expression.ts';
import { expressionsIn, type Template } from '../../expression/template.ts';
import { type Said, stated } from '../reading/said.ts';
import type { PlacedTemplate } from '../reading/templates.ts';
import { answerByMedia } from '../vocabulary/answer.ts';
import { fieldValues } from '../vocabulary/answer-field.ts';
import type { Operation } from './operation.ts';

/**
 * The expressions that an operation works out: in what it does, in its parameters' roles and in its answers; and
 * those of the fields that it sets or shows.
 */
export function workings(operation: Operation): Expression[] {
  const { subject } = operation;
  const answers = inAnswers(operation);
  const creates = stated(operation.does)?.verb === 'create';
  const fields = [...(subject?.fields.values() ?? [])].flatMap((field) => {
    const isShown = answers.some(
      ({ syntax }) =>
        callsMade(syntax).includes(subject?.name ?? '') ||
        pathsRead(syntax).some(([first, name]) => first === 'this' && name === field.name),
    );
    return [...(creates ? inSaid(field.create) : []), ...(isShown ? inSaid(field.derived) : [])];
  });
  return [...inChange(operation), ...inFilters(operation), ...answers, ...fields];
}

/** The expressions of an operation's answers: when each is sent, its header fields and its body. */
export function inAnswers(operation: Operation): Expression[] {
  const answers = stated(operation.response) ?? [];
  return answers.flatMap((answer) => {
    const condition = stated(answer.when);
    const bodies = answerByMedia(answer).map(({ body }) => body);
    return [
      ...[...bodies, answer.media, ...(fieldValues(answer.headers)?.values() ?? [])].flatMap(inSaid),
      ...(condition?.kind === 'expression' ? expressionsIn(condition.expression.template) : []),
    ];
  });
}

/** Whether an expression reads who asks. */
export function readsActor({ syntax }: Expression): boolean {
  return pathsRead(syntax).some(([first]) => first === 'actor');
}

/** The expressions of what an operation does: which items, what is set, in which order. */
export function inChange({ does }: Pick<Operation, 'does'>): Expression[] {
  const change = stated(does);
  if (change === undefined) return [];
  const { with: set, where, order } = change.qualifiers;
  const sorted = stated(order);
  const templates: Template[] = [
    ...(stated(set) ?? []).map(({ template }) => template),
    ...(sorted && 'template' in sorted ? [sorted.template] : []),
  ];
  return [...inSaid(where), ...templates.flatMap(expressionsIn)];
}

function inFilters({ request }: Operation): Expression[] {
  const parameters = [...((request && stated(request.query)) ?? [])];
  return parameters.flatMap(([, said]) => {
    const filter = stated(said)?.roles.filter;
    return filter ? inSaid(filter) : [];
  });
}

/** The expressions of a template; none where none is stated. */
export function inSaid(said: Said<PlacedTemplate>): Expression[] {
  return said.kind === 'stated' ? expressionsIn(said.value.template) : [];
}
