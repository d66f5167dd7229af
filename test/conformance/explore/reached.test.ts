import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Novelty } from '../../../src/conformance/explore/novelty.ts';
import { seeded } from '../../../src/conformance/random.ts';
import { begunWorld } from '../../../src/conformance/search/simulate.ts';
import { walk } from '../../../src/conformance/search/telling.ts';
import { step } from '../../../src/semantics/request/request.ts';
import type { World } from '../../../src/semantics/world/world.ts';
import { specificationOf } from '../../service/served.ts';

/** How often each operation is answered so in some walks in memory: `reserve 201`. */
function answersOf(name: string): Map<string, number> {
  const specification = specificationOf(readFileSync(`test/trades/${name}/${name}.md`, 'utf8'));
  const found = new Map<string, number>();
  const novelty = new Novelty();
  for (const seed of [21, 22, 23, 24, 25, 26, 27, 28]) {
    const { requests, worlds } = walk(begunWorld(specification), [], seeded(seed), 160, { novelty });
    for (const [place, request] of requests.entries()) {
      const prediction = step(worlds[place] as World, request).at(-1)?.prediction;
      const answer = `${request.operation.name} ${prediction?.code ?? prediction?.status}`;
      found.set(answer, (found.get(answer) ?? 0) + 1);
    }
  }
  return found;
}

describe('walks', () => {
  const stock = answersOf('stock');

  it('deliver units and reserve them, and order what they reserved', () => {
    expect(stock.get('reserve 201')).toBeGreaterThan(28);
    expect(stock.get('placeOrder 201')).toBeGreaterThan(8);
    expect(stock.get('shipOrder 200')).toBeGreaterThan(0);
  });

  it('ask for what the state of an item forbids', () => {
    for (const refused of ['reserve sold_out', 'reserve discontinued', 'placeOrder over'])
      expect(stock.get(refused), refused).toBeGreaterThan(0);
    expect(stock.get('discontinueArticle wrong_status')).toBeGreaterThan(0);
  });

  it('send a key for repeats once more', () => {
    const specification = specificationOf(readFileSync('test/trades/chat/chat.md', 'utf8'));
    const keys = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) =>
      walk(begunWorld(specification), [], seeded(seed), 160).requests.flatMap(
        ({ headers }) => headers['idempotency-key'] ?? [],
      ),
    );
    expect(keys.length - new Set(keys).size).toBeGreaterThan(7);
  });

  it('send a request that was refused once more with its key, once nothing stands in its way', () => {
    const specification = specificationOf(readFileSync('test/trades/ledger/ledger.md', 'utf8'));
    const recovered = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].flatMap((seed) => {
      const { requests, worlds } = walk(begunWorld(specification), [], seeded(seed), 160);
      const refused = new Set<unknown>();
      return requests.filter((request, place) => {
        const status = step(worlds[place] as World, request).at(-1)?.prediction.status;
        const key = request.headers['idempotency-key'];
        if (key === undefined || !Array.isArray(status)) return false;
        if (status[0] >= 400) refused.add(key);
        return status[0] < 400 && refused.has(key);
      });
    });
    expect(recovered.length).toBeGreaterThan(2);
  });

  it('make slots that meet others', () => {
    const booking = answersOf('booking');
    expect(booking.get('holdRoom 201')).toBeGreaterThan(20);
    expect(booking.get('moveBooking 200')).toBeGreaterThan(6);
  });
});
