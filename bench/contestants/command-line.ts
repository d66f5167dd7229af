import { parseArgs } from 'node:util';

/** What every contestant written here is told: where to listen, and where to keep its to-dos. */
export function commandLine(): { port: number; data: string; groupCommit: boolean } {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      'group-commit': { type: 'boolean', default: false },
    },
  });
  if (values.port === undefined || values.data === undefined) throw new Error('--port N --data FILE');
  return { port: Number(values.port), data: values.data, groupCommit: values['group-commit'] };
}
