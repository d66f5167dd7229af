/** What an agent needs to know to work with a document: how its loop goes, and what exit codes mean. */
export function agents(document: string): string {
  return `# Working with ${document}

\`${document}\` is the specification of this service, for tacet. What it states is built and tested. What it does not
state is *open*: never make up a value for it, in the document, in code or in tests.

## The loop

1. \`npx tacet check ${document}\`: the document has no fault. Each fault has a place, a code and a remedy;
   \`npx tacet explain CODE\` says more.
2. \`npx tacet status ${document}\`: which operations run, which wait for which open points, and what to answer first.
3. \`npx tacet next ${document} --json\`: the one open point that lets most run, the question, and what is usual.
   - If the author has told you the answer: \`npx tacet next ${document} --at ADDRESS --answer VALUE\` writes it in its place.
   - If not, ask the author. To go on before that: \`npx tacet assume ${document} ADDRESS VALUE --because TEXT\`. It is kept in a
     ledger beside the document, and every output says that it is assumed. Give the ledger to the other commands with
     \`--assume LEDGER\`.
4. \`npx tacet serve ${document}\` runs what is stated. Answers of 501 wait for open points, which its log names.
   \`npx tacet why ${document} 'METHOD /path'\` says what a request comes to, and by which statements.
5. \`npx tacet test ${document} --url URL --only OPERATION --bail --summary\` tests an implementation while you work on one
   operation. It makes, changes and deletes items there. Without \`--url\` it tests tacet's own service.
6. Before you finish: \`npx tacet test ${document} --url URL --summary\`, and \`npx tacet diff ${document}\`, which says what breaks
   clients since the last commit.

## Exit codes

| code | of every command | of \`test\` |
|---|---|---|
| 0 | all is well | no violation |
| 1 | the document has errors, or there are findings | violations, or the document has errors |
| 2 | the command was used wrongly, or nothing answers | the same |
| 3 | \`next\`: nothing is left to answer | nothing was tested |

## Rules

- Change the document only as its author says. An answer of the author goes into the document, a guess into the ledger.
- If the service and the document differ, say so. Do not change the document so that a test passes.
- A verdict *not stated* names the open points that it waits for. It is a question for the author, and no fault.
- Addresses such as \`endpoints["POST /notes"].response.status\` stay the same when lines move. Use them, not line numbers.
- \`npx tacet mcp\` offers the same as tools, and \`npx tacet COMMAND --help\` lists all options.
`;
}
