import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const server = process.env['TACET_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const root = fileURLToPath(new URL('..', import.meta.url));
const schemas: string[] = [];
process.once('exit', () => {
  if (schemas.length > 0) ask(`DROP SCHEMA ${schemas.join(', ')} CASCADE`);
});

/** Has PostgreSQL carry a statement out, before this goes on. */
export function ask(statement: string): void {
  const script = `import pg from 'pg';
    const client = new pg.Client(process.argv[1]);
    await client.connect();
    await client.query(process.argv[2]);
    await client.end();`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script, server, statement], { cwd: root });
}

/** The schema of whoever keeps its data in a folder. */
function schemaOf(folder: string): string {
  return `tacet_bench_${basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')}`;
}

/** Makes the schema of whoever keeps its data in a folder; it is dropped at the end of this process. */
export function makeSchema(folder: string): void {
  ask(`CREATE SCHEMA ${schemaOf(folder)}`);
  schemas.push(schemaOf(folder));
}

/** The address of that schema. */
export function addressOf(folder: string): string {
  const address = new URL(server);
  address.searchParams.set('schema', schemaOf(folder));
  return address.href;
}
