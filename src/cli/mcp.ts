import { type Command, UsageError } from './command.ts';

/** `tacet mcp`: what an agent starts. */
export const command: Command = {
  name: 'mcp',
  summary: 'answer an agent, by the Model Context Protocol',
  help: `usage: tacet mcp

Started by an agent, which it answers on standard input and output by the Model Context
Protocol: status, the points of a document and their statements, faults, what is open,
assuming, sending requests to the service that the document states, why, testing,
differences and export. docs/agents.md says how to set an agent up.

Documents are named by their paths in the folder that it is started in; others are refused.
Nothing is written there but ledgers, when the agent assumes something.

exit code: 0 ended as asked, 2 wrong use
`,
  options: {},
  run: async ({ positionals: [surplus] }, terminal) => {
    if (surplus !== undefined) throw new UsageError(`the agent names the documents, and not ${surplus}`);
    const { answerAgent } = await import('./mcp/server.ts');
    await answerAgent(process.cwd(), terminal);
    return 0 as const;
  },
};
