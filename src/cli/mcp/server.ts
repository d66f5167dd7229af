import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Ajv } from 'ajv';
import { Refused } from '../../load/refused.ts';
import { version } from '../../load/version.ts';
import type { Terminal } from '../command.ts';
import { described } from './described.ts';
import { folderAt } from './folder.ts';
import { Services } from './services.ts';
import { tools, type Wanted } from './tools.ts';

/** What an agent reads of an answer at the most: characters. */
const longestAnswer = 60_000;

/** Answers an agent by the Model Context Protocol on standard input and output, until it goes away. */
export async function answerAgent(folder: string, terminal: Terminal): Promise<void> {
  const server = new Server({ name: 'tacet', version: version() }, { capabilities: { tools: {} } });
  const services = new Services();
  const place = folderAt(folder);
  const ajv = new Ajv({ allErrors: true });
  const checks = new Map(described.map(({ name, inputSchema }) => [name, ajv.compile(inputSchema)]));

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...described] as never }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
    const check = checks.get(name);
    if (tool === undefined || check === undefined) return answer(`there is no tool ${name}`, true);
    if (!check(given))
      return answer(`${name}: ${ajv.errorsText(check.errors, { dataVar: 'arguments' })}`, true);
    let said = '';
    const hear = (text: string): void => {
      said += text;
    };
    const { environment, ended, now } = terminal;
    const heard: Terminal = {
      out: hear,
      error: hear,
      environment,
      ended,
      colours: false,
      ...(now && { now }),
    };
    try {
      const wanted = given as unknown as Wanted;
      const document = place.documentOf(wanted.document);
      const code = await tool(wanted, document, { folder: place, services, terminal: heard });
      // A document with faults, or a violation, is an answer; a tool that was used wrongly is none.
      return answer(`${said}(exit code ${code})\n`, code === 2);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return answer(`${said}${error.message}\n`, true);
    }
  });
  const gone = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
    terminal.ended.addEventListener('abort', () => resolve());
  });
  await server.connect(new StdioServerTransport());
  await gone;
  await services.close();
  await server.close();
}

function answer(text: string, isError: boolean) {
  const cut = text.length > longestAnswer ? `${text.slice(0, longestAnswer)}\n(cut; ask for less)\n` : text;
  return { content: [{ type: 'text' as const, text: cut }], isError };
}
