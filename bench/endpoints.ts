/** So many resources the document has, each with five endpoints. */
export const resources = 200;

const fields =
  'id: { type: string, format: uuid, set: { create: "${uuid()}" } }, title: { type: string, maxLength: 100 }, size: { type: integer, minimum: 0 }, owner: { type: string }';

/**
 * A document of 1,000 endpoints, as a person would write it. Many of its points are open.
 *
 * @param isWhole also a machine and a kind of event for each resource, and what requests bring
 */
export function endpoints(isWhole = false): string {
  const [entries, keys, machines, kinds]: [string[], string[], string[], string[]] = [[], [], [], []];
  for (let n = 0; n < resources; n += 1) {
    const all = isWhole ? `${fields}, state: { type: string }` : fields;
    entries.push(`Thing${n}:\n  identifier: id\n  fields: { ${all} }\n  required: [title]\n`);
    const takes = isWhole ? `  request: { body: Thing${n}, others: refuse }\n` : '';
    for (const [key, does, status] of [
      [`POST /things${n}`, `create Thing${n}`, 201],
      [`GET /things${n}`, `{ list: Thing${n}, where: "\${this.size > 0}", order: [-size] }`, 200],
      [`GET /things${n}/{id}`, `read Thing${n}`, 200],
      [`PATCH /things${n}/{id}`, `update Thing${n}`, 200],
      [`DELETE /things${n}/{id}`, `delete Thing${n}`, 204],
    ] as const) {
      const request = key.startsWith('P') ? takes : '';
      keys.push(`${key}:\n  does: ${does}\n${request}  response: { status: ${status} }\n`);
    }
    machines.push(
      `Thing${n}.state:\n  states: [draft, ready]\n  initial: draft\n  transitions: { finish: { from: draft, to: ready } }\n`,
    );
    kinds.push(`  thing${n}.made: { by: [POST /things${n}], body: { id: "\${this.id}" } }\n`);
  }
  const parts = [part('Resources and their fields', entries), part('Endpoints', keys)];
  if (isWhole) parts.push(part('States and transitions', machines), part('Events', ['kinds:\n', ...kinds]));
  return `# Big\n\n${parts.join('\n')}`;
}

function part(title: string, blocks: readonly string[]): string {
  return `## ${title}\n\n\`\`\`yaml\n${blocks.join('\n')}\`\`\`\n`;
}
