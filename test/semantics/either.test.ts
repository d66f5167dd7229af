import { describe, expect, it } from 'vitest';
import { type EmittedEvent, eitherOf } from '../../src/semantics/event/event.ts';
import { judge } from '../../src/semantics/judge/judge.ts';
import type { Step } from '../../src/semantics/request/request.ts';
import { Forgotten, Range, type Value } from '../../src/semantics/value/value.ts';
import type { Stored } from '../../src/semantics/world/stored.ts';
import type { Timer } from '../../src/semantics/world/timer.ts';
import { Ways } from '../../src/semantics/world/ways.ts';
import { World } from '../../src/semantics/world/world.ts';
import { specificationOf } from '../service/served.ts';

const specification = specificationOf(`
resources:
  Note: { identifier: id, fields: { id: { type: string }, text: { type: string }, by: { type: string } } }
`);

function begun(): { readonly world: World; readonly note: Stored } {
  const world = new World(specification);
  const members = new Map([
    ['id', 'a'],
    ['text', 'old'],
    ['by', 'ann'],
  ]);
  return { world, note: world.create('Note', members) };
}

const timer = (handle: number, least: number, most: number, kind: Timer['kind'] = 'at'): Timer => ({
  ...{ kind, resource: 'Note', handle, move: 'close', time: null },
  due: new Range(least, most),
});

/** A world in which something else happened after the first one. */
function happening(world: World, happens: (world: World) => void): World {
  const changed = world.fork(new Ways());
  happens(changed);
  return changed;
}

describe('what is known whichever of two things happened', () => {
  it('is all in which both agree; a member that differs is forgotten', () => {
    const { world, note } = begun();
    const changed = happening(world, (other) =>
      other.change({ ...note, members: new Map(note.members).set('text', 'new') }),
    );
    const [found] = changed.either(world)?.items('Note') ?? [];
    expect([found?.members.get('id'), found?.members.get('by')]).toEqual(['a', 'ann']);
    expect(found?.members.get('text')).toBeInstanceOf(Forgotten);
  });

  it('is not whether an item is there that is there in one case only', () => {
    const { world, note } = begun();
    const removed = happening(world, (other) => other.remove(note));
    for (const [one, other] of [
      [world, removed],
      [removed, world],
    ] as const) {
      const either = one.either(other);
      expect(either?.timers.map(({ kind, handle }) => [kind, handle])).toEqual([['doubt', note.handle]]);
      expect(either?.former('Note')).toEqual([]);
    }
  });

  it('is when a timer is due at the earliest and at the latest', () => {
    const { world, note } = begun();
    const [one, other] = [
      [10, 20],
      [15, 30],
    ].map(([least = 0, most = 0]) =>
      happening(world, (each) => each.setTimer(timer(note.handle, least, most))),
    ) as [World, World];
    expect(one.either(other)?.timers[0]?.due).toEqual(new Range(10, 30));
    // Where only one has it, it may never fire, and surely does not fire later.
    const exhausted = happening(world, (each) => each.setTimer(timer(note.handle, 10, 20, 'exhausted')));
    for (const each of [one, exhausted])
      expect(world.either(each)?.timers[0]).toMatchObject({ due: new Range(10, 20), isPerhapsOver: true });
  });

  it('is what both emit; what one emits, or emits otherwise, may be emitted', () => {
    const { world } = begun();
    const pairs = world.pairsWith(world);
    const event = (kind: string, text: string, isSent = true): EmittedEvent =>
      ({
        ...{ kind, by: 'edit', item: null, isEmitted: true, names: { body: { text } } },
        deliveries: isSent ? [{ way: 'feed', to: null, isSent: true }] : [],
      }) as unknown as EmittedEvent;
    const found = (some: readonly EmittedEvent[], others: readonly EmittedEvent[]): readonly string[] =>
      (eitherOf(some, others, pairs) as readonly EmittedEvent[]).map(({ isEmitted, deliveries }) =>
        [isEmitted, ...deliveries.map(({ isSent }) => isSent)].map((is) => is === true).join(),
      );
    expect(found([event('a', 'x')], [event('a', 'x')])).toEqual(['true,true']);
    expect(found([event('a', 'x')], [event('a', 'x', false)])).toEqual(['true,false']);
    expect(found([event('a', 'x')], [event('a', 'y')])).toEqual(['false,false', 'false,false']);
    expect(found([event('a', 'x')], [event('b', 'x'), event('a', 'x')])).toEqual([
      'true,true',
      'false,false',
    ]);
  });

  it('is of a made value what the answer shows in both cases', () => {
    const { world, note } = begun();
    const [one, other] = ['new', 'newer'].map((text) =>
      happening(world, (each) => each.change({ ...note, members: new Map(note.members).set('text', text) })),
    ) as [World, World];
    const [id, now] = [one.make('text', 'id'), one.make('text', 'now')];
    const steps = [
      { world: one, body: { id, at: now } },
      { world: other, body: { id: other.make('text', 'id'), at: 'old' } },
    ].map(({ world, body }) => {
      const prediction = { status: [200], headers: {}, body, by: 'endpoints' };
      return { prediction, world, events: [] } as unknown as Step;
    });
    const { next } = judge(steps, { status: 200, headers: {}, body: { id: 'a', at: 'old' } });
    expect(next?.items('Note')[0]?.members.get('text')).toBeInstanceOf(Forgotten);
    expect([id.bound, now.bound]).toEqual(['a', undefined]);
  });

  it('is of a forgotten value what the answer shows in both cases', () => {
    const { world, note } = begun();
    const other = happening(world, (each) => each.remove(note));
    const [agreed, disputed] = [new Forgotten(), new Forgotten()];
    const steps = [
      { world, body: { a: agreed, b: disputed, c: 'x' } },
      { world: other, body: { a: agreed, b: 'y', c: disputed } },
    ].map(({ world, body }) => {
      const prediction = { status: [200], headers: {}, body, by: 'endpoints' };
      return { prediction, world, events: [] } as unknown as Step;
    });
    judge(steps, { status: 200, headers: {}, body: { a: 'z', b: 'y', c: 'x' } });
    expect([agreed.shown, disputed.shown]).toEqual([{ value: 'z' }, null]);
  });

  it('is hardly anything if each made items, and not as many: the same item has another handle', () => {
    const world = begun().world.at({ at: new Range(0, 1), offMs: 0 });
    const making = (...ids: readonly string[]): World =>
      happening(world, (each) => {
        for (const id of ids)
          each.create(
            'Note',
            new Map<string, Value>([
              ['id', each.make('text', 'id')],
              ['text', id],
            ]),
          );
      });
    expect(making('by a timer', 'asked for').either(making('asked for'))).toBe(null);
    expect(making('asked for').either(making('by a timer', 'asked for'))).toBe(null);
    expect(making('by a timer').either(world)?.items('Note')).toHaveLength(2);
    expect(making('asked for').either(making('asked for'))?.timers).toEqual([]);
  });

  it('is hardly anything if one handle stands for two items', () => {
    const { world } = begun();
    const [one, other] = ['b', 'c'].map((id) =>
      happening(world, (each) => void each.create('Note', new Map([['id', id]]))),
    ) as [World, World];
    expect(one.either(other)).toBe(null);
  });
});
