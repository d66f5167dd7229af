// Runs the service that bench/webhooks.ts measures: node service.ts STORE DNS-PORT. Prints its address.
import { readFileSync } from 'node:fs';
import { boundHeapGrowth } from '../../src/cli/serve/heap-growth.ts';
import { systemNames } from '../../src/service/events/names.ts';
import { serve } from '../../src/service/service.ts';
import { read } from '../../src/specification/read.ts';

const [data = '', dnsPort = ''] = process.argv.slice(2);
const document = new URL('webhooks.yaml', import.meta.url);
const { specification } = read('webhooks.yaml', readFileSync(document, 'utf8'));
// As `tacet serve` does.
boundHeapGrowth();
const service = await serve(specification, {
  data,
  allowPrivate: ['127.0.0.1'],
  resolve: systemNames({ servers: [`127.0.0.1:${dnsPort}`], hosts: '/dev/null', configuration: '/dev/null' }),
  onFault: (fault) => process.stderr.write(`${(fault as Error).stack}\n`),
});
process.stdout.write(`${service.address}\n`);
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
