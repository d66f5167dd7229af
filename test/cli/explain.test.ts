import { describe, expect, it } from 'vitest';
import { codes } from '../../src/source/codes.ts';
import { tacet } from './terminal.ts';

describe('tacet explain', () => {
  it('prints the page of a code as it is read in a terminal', async () => {
    expect(await tacet(['explain', 'two-heads'])).toEqual({
      code: 0,
      error: '',
      out: `two-heads (error)

Two documents of one folder have a head each. The head says what holds of the whole specification,
so it stands in one of them, where it can be found. (language §A.2)

To mend it: keep one head, and let it say all that both of them said. \`let\` and \`open\` may stand in other documents.

Wrong

    ── desk.md ──
    # Desk

    \`\`\`yaml
    tacet: 1
    \`\`\`

    ── limits.md ──
    \`\`\`yaml
    complete: [limits]
    \`\`\`

    ## Limits

    \`\`\`yaml
    sizes: { page: 100 }
    \`\`\`

at limits.md:2:1

Right

    ── desk.md ──
    # Desk

    \`\`\`yaml
    tacet: 1
    complete: [limits]
    \`\`\`

    ── limits.md ──
    ## Limits

    \`\`\`yaml
    sizes: { page: 100 }
    \`\`\`
`,
    });
  });

  it.each(Object.keys(codes))(
    'has a page for %s, with nothing left of its Markdown but code',
    async (code) => {
      const { code: ended, out, error } = await tacet(['explain', code]);
      expect({ ended, error }).toEqual({ ended: 0, error: '' });
      expect(out).toMatch(new RegExp(`^${code} \\((error|warning)\\)\n\n[A-Z]`));
      expect(out).toMatch(/\n\nTo mend it: [\s\S]*\n\nWrong\n\n[\s\S]*\n\nRight\n\n[\s\S]*[^\n]\n$/);
      expect(out).not.toMatch(/^#|````|\]\(|^\*\*/m);
    },
  );

  it.each([[['explain']], [['explain', '--list']], [['explain', '--list', 'key-twice']]])(
    'lists every code in a sentence, with its section: %j',
    async (argv) => {
      const { code, out, error } = await tacet(argv);
      expect({ code, error }).toEqual({ code: 0, error: '' });
      const listed = [...out.matchAll(/^(\S+) +§(\S+) +[A-Z]/gm)].map(([, name, section]) => [name, section]);
      const expected = Object.entries(codes).map(([name, { section }]) => [name, section] as const);
      expect(listed).toEqual(expected.sort(([a], [b]) => (a < b ? -1 : 1)));
      expect(out).toContain(
        [
          'key-twice              §A.1  One map holds the same key twice, or a list names the same thing twice,',
          '                             also over several blocks of one part.',
          '',
        ].join('\n'),
      );
      expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    },
  );

  it('names the code in bold where the terminal can', async () => {
    const { out } = await tacet(['explain', 'key-twice'], { colours: true });
    expect(out.split('\n')[0]).toBe('\u001b[1mkey-twice\u001b[22m (error)');
  });

  it.each([
    [['key-twise'], 'there is no code key-twise; did you mean key-twice?'],
    [['404'], 'there is no code 404; tacet explain lists them'],
    [['__proto__'], 'there is no code __proto__; tacet explain lists them'],
    [['key-twice', 'bad-name'], 'one code at a time, and bad-name is a second one'],
  ])('refuses %j with one message', async (words, message) => {
    expect(await tacet(['explain', ...words])).toEqual({
      code: 2,
      out: '',
      error: `tacet: ${message}\nhelp: tacet explain --help\n`,
    });
  });
});
