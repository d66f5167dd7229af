import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { absence } from './test/service/store/postgres.ts';

/** Behaviour that is tested on PostgreSQL too, by the same tests: what a store has a part in. */
const core = [
  'bytes',
  'changes',
  'clock',
  'embedded',
  'evolve*',
  'histories',
  'limits/rates',
  'limits/sizes',
  'list',
  'list/*',
  'publishing',
  'repeats',
  'resources/made',
  'resources/references',
  'resources/unique',
  'sets',
  'states',
  'timers',
  'work',
].map((name) => `test/service/${name}.test.ts`);

/** What is about SQLite's files, or looks into them. */
const ofFiles = [
  'bone',
  'durability',
  'invented*',
  'list/indexes',
  'model',
  'publishing-statements',
  'repeats-killed',
  'store/*',
  'events/*',
].map((name) => `test/service/${name}.test.ts`);

/**
 * What changes the process that it runs in (a module, its environment, whom it trusts), or works it hard, has one of its
 * own; all else shares one with what came before, since what it imports takes longer than most of it does.
 */
const alone = [
  'conformance/*',
  'desks/*',
  'service/access/matrix-issuer',
  'service/access/passwords',
  'service/authentication-issuers',
  'service/authentication-secrets',
  'service/resources/secrets',
].map((name) => `test/${name}.test.ts`);

/** What runs the whole command line, or a console: these share what they import with one another, and with nothing else. */
const commands = ['cli/**/*', 'console/**/*'].map((name) => `test/${name}.test.ts`);

/** What takes longest begins first, so that nothing is left to one process at the end. */
const longest = [
  'conformance/examples',
  'desks/desks',
  'desks/faults',
  'service/access/matrix-issuer',
  'console/page/document',
  'console/page/examples',
  'conformance/changing',
  'conformance/listing',
  'conformance/webhooks',
  'service/durability',
  'specification/robustness',
].map((name) => `test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((name) => moduleId.endsWith(name));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** `TACET_TEST_STORE=postgres` tests all of the service's behaviour on PostgreSQL, and nothing else. */
const isAll = process.env['TACET_TEST_STORE'] === 'postgres';
const missing = await absence();
if (missing !== null) console.warn(`nothing is tested on PostgreSQL: ${missing}`);

/**
 * Where tests keep their files: in memory where there is room, since what a power cut would leave is told by the calls
 * that a service made (`test/service/store/power-cut.test.ts`), and no test need wait for a disk.
 */
const memory = '/dev/shm';
const isRoomy = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 2 ** 30;

/** Where Node keeps what it compiled, as `tacet` has it: a process that a test begins starts in half the time. */
const compiled = join(isRoomy ? memory : tmpdir(), 'node-compile-cache');

const apart = { extends: true as const, test: { name: 'alone', include: alone } };
const shared = { extends: true as const, test: { name: 'commands', include: commands, isolate: false } };
const sqlite = {
  extends: true as const,
  test: {
    name: 'sqlite',
    include: ['test/**/*.test.ts'],
    exclude: [...alone, ...commands, '**/node_modules/**'],
    isolate: false,
  },
};
const postgres = {
  extends: true as const,
  test: {
    name: 'postgres',
    include: isAll ? ['test/service/**/*.test.ts'] : core,
    exclude: ofFiles,
    isolate: isAll,
    env: { TACET_TEST_STORE: 'postgres' },
  },
};

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than there are cores, since tests wait for other processes, and for time to pass.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 240_000,
    hookTimeout: 60_000,
    retry: 0,
    setupFiles: ['test/setup.ts'],
    env: { ...(isRoomy && { TMPDIR: memory }), NODE_COMPILE_CACHE: compiled },
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    projects: isAll ? [postgres] : [apart, shared, sqlite, ...(missing === null ? [postgres] : [])],
  },
});
