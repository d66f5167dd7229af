import type { Request } from 'express';
import { type Desk, enter, jobOf, judged, lineShown, numbered, plain, searchOf, send } from './desk.ts';
import { queryOf } from './query.ts';
import * as take from './request.ts';
import { ensure } from './request.ts';
import type { Job, Line } from './store.ts';

const kinds = ['part', 'labour'];

const fields = {
  text: [take.string, take.shortest(1), take.longest(80)],
  kind: [take.string, take.oneOf(kinds)],
  quantity: [take.integer, take.atLeast(1), take.atMost(99)],
  price: [take.integer, take.atLeast(0), take.atMost(1_000_000)],
};

function lineOf({ store, broken }: Desk, job: Job, request: Request): Line {
  const line = numbered(store.lines, request.params['line']);
  ensure(line !== undefined && (line.job === job.id || broken('line-of-another-job')), 'no-line');
  return line;
}

export function addLines(desk: Desk): void {
  const { app, store } = desk;
  app.post('/jobs/:id/lines', enter(desk, { who: 'mechanic', reads: 'body' }), (request, response) => {
    const job = jobOf(desk, request, response);
    const body = judged(request, response, fields, ['text', 'price']) as Partial<Line>;
    ensure(job.status === 'received', 'already-quoted');
    const { text = '', kind = 'part', quantity = 1, price = 0 } = body;
    send(response, 201, lineShown(store.addLine(job, { text, kind, quantity, price })));
  });

  app.get('/jobs/:id/lines', enter(desk, { who: 'known' }), (request, response) => {
    const job = jobOf(desk, request, response);
    const { kind } = queryOf(searchOf(request), { kind: [take.string, take.oneOf(kinds)] });
    const lines = store.linesOf(job).filter((line) => kind === undefined || line.kind === kind);
    send(response, 200, lines.map(lineShown));
  });

  app.delete('/jobs/:id/lines/:line', enter(desk, { who: 'mechanic' }), (request, response) => {
    const job = jobOf(desk, request, response);
    const line = lineOf(desk, job, request);
    plain(request);
    ensure(job.status === 'received', 'already-quoted');
    store.removeLine(job, line);
    send(response, 204);
  });
}
