import { parseArgs } from 'node:util';
import { absence } from '../service/store/postgres.ts';
import { type Failure, fuzz, type Summary } from './run.ts';

// npm run fuzz:documents [-- --from SEED --count N]: prints each failure with its seed and its least document.
const { values } = parseArgs({
  options: { from: { type: 'string', default: '1' }, count: { type: 'string', default: '10000' } },
});
const show = (text: string): void => void process.stdout.write(`${text}\n`);
let unexpected = 0;
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) => {
    unexpected++;
    show(`${event}: ${error instanceof Error ? error.stack : String(error)}`);
  });

const summary = await fuzz({
  from: Number(values.from),
  count: Number(values.count),
  postgresEach: (await absence()) === null ? 50 : 0,
  onFailure: ({ seed, what, document }: Failure) =>
    show(
      `\nseed ${seed}: ${what}\n${JSON.stringify(document, null, 1)}\nagain: npm run fuzz:documents -- --from ${seed} --count 1\n`,
    ),
  onProgress: (so: Summary) => show(told(so)),
});
show(told(summary));
process.exit(summary.failures.length + unexpected > 0 ? 1 : 0);

function told({ documents, accepted, free, answered, requests, failures }: Summary): string {
  const share = free === 0 ? 100 : Math.floor((1000 * answered) / free) / 10;
  return `${documents} documents, ${accepted} accepted; ${requests} requests; of ${free} operations that nothing open holds up, ${answered} (${share} %) answer other than 500 and 501; ${failures.length} failures`;
}
