import { type Part, parts } from '../../specification/reading/address.ts';
import { headings } from '../../specification/reading/document.ts';

/** What each part is there to state (language §§ 1–9). */
const prompts: Readonly<Record<Part, string>> = {
  service: 'Its purpose; who deals with it; what belongs to it, and what does not.',
  resources:
    'What is kept: how one item is known; its fields, their types and formats; which values are allowed, and which must be given.',
  states: 'Which states an item can be in, the first one, and the transitions from one to another.',
  endpoints:
    'Methods and paths; what each does; what a request brings; what is answered, and with which status.',
  authentication: 'How somebody shows who they are, in which header field; and who may do what.',
  events: 'What is told to others: the kinds, what each carries, and which operations emit it.',
  errors: 'Which refusals there are: their codes, what causes each, its status, and what is sent.',
  limits: 'How often, how large, how long; and what holds where nothing is given.',
  versioning: 'How versions are named, and where a request names one.',
};

const opening = `Nothing is stated yet, so nothing is built, tested or made up. State what you know in a block fenced as \`yaml\`
under its heading. What you leave out stays open; \`(open) which one?\` in place of a value asks about it, and
\`(none)\` states that there is nothing. All else, like this, is prose for people.`;

/** A document of the nine parts, each of them open (language §A.2), in Markdown. */
export function blank(name: string): string {
  const sections = parts.map((part) => `## ${headings[part]}\n\n${prompts[part]}\n`);
  return [`# ${name}\n\n${opening}\n\n\`\`\`yaml\ntacet: 1\n\`\`\`\n`, ...sections].join('\n');
}
