import { compileTemplate, type Environment, type Run } from '../../expression/compile.ts';
import { inSaid, readsActor } from '../../specification/model/workings.ts';
import { type Said, stated } from '../../specification/reading/said.ts';
import type { PlacedTemplate } from '../../specification/reading/templates.ts';
import type { Events } from '../../specification/vocabulary/parts/events.ts';
import { compileRender, environmentOf, type Render, type Writers } from '../content/render.ts';

/** A kind of event, compiled (language §6.1). */
export interface Kind {
  readonly name: string;
  /** Operations, and transitions as `R.name`, in the order in which they stand. */
  readonly by: readonly string[];
  readonly when: Run | null;
  readonly subject: Run | null;
  /** Its content as JSON text; null: it has none, `undefined`: that is open. */
  readonly body: Render | null | undefined;
}

/**
 * The kinds that something emits, in listed order. While it is open who asks, what reads `actor` is open as well: one
 * whose `when` reads it is not emitted.
 */
export function compileKinds(events: Events, writers: Writers, isActorOpen: boolean): readonly Kind[] {
  const isOpen = (said: Said<PlacedTemplate>): boolean => isActorOpen && inSaid(said).some(readsActor);
  const environment: Environment = environmentOf(writers);
  return [...(stated(events.kinds) ?? [])].flatMap(([name, said]): Kind[] => {
    const kind = stated(said);
    const by = stated(kind?.by)?.map(({ text }) => text) ?? [];
    if (kind === undefined || by.length === 0 || isOpen(kind.when)) return [];
    const { when, subject, body } = kind;
    const own = subject.kind === 'open' ? events.subject : subject;
    const isHeld = body.kind === 'open' || isOpen(body);
    const [condition, about] = [stated(when), isOpen(own) ? undefined : stated(own)];
    const content = isHeld ? undefined : stated(body);
    return [
      {
        name,
        by,
        when: condition ? compileTemplate(condition.template, environment) : null,
        subject: about ? compileTemplate(about.template, environment) : null,
        body: content ? compileRender(content.template, writers) : isHeld ? undefined : null,
      },
    ];
  });
}
