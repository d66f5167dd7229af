// Measures how fast the console answers a click on a document of 1,000 endpoints: npm run bench:console
// It starts tacet dev, sends its service 1,000 requests, and does in Chromium what a person does on each screen. Last it
// saves the document, and clicks while it is read. A word narrows the actions: `-- data`, `-- save`.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { chromiumHere } from '../test/cli/test/chromium.ts';
import { endpoints } from './endpoints.ts';
import { spread } from './statistics.ts';

/** Something that a person does, and what shows that it was answered. Both are code of the page. */
interface Action {
  readonly name: string;
  /** Done before, and not measured: what must be there first. */
  readonly before?: string;
  readonly act: string;
  readonly isDone: string;
}

const rounds = 9;
const click = (selector: string): string =>
  `document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))`;
const show = (address: string): string => `location.hash = ${JSON.stringify(address)}`;
const says = (selector: string, text: string): string =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.textContent.includes(${JSON.stringify(text)}))`;
const has = (selector: string): string => `document.querySelector(${JSON.stringify(selector)}) !== null`;
const type = (selector: string, text: string): string =>
  `(() => { const one = document.querySelector(${JSON.stringify(selector)}); one.focus(); one.value = ${JSON.stringify(text)}; one.dispatchEvent(new Event('input', { bubbles: true })); })()`;
/** One that is not shown yet when it is first asked. */
const screen = (name: string, isDone: string): Action => ({
  name: `${name}: open the screen`,
  before: show(name === 'map' ? '#/changes' : '#/map'),
  act: click(`nav.screens a[href="#/${name}"]`),
  isDone: `${has(`main.on-${name}[aria-busy=false]`)} && ${isDone}`,
});
const from = (address: string, name: string, act: string, isDone: string): Action => ({
  name,
  before: show(address),
  act,
  isDone,
});
const thing = '#/operations/POST%20%2Fthings150';

const actions: readonly Action[] = [
  screen('map', has('.queue li')),
  from('#/map', 'map: a cell', click('.cells a:nth-child(30)'), `!${says('aside h2', 'Why')}`),
  from('#/map', 'map: a part', click('.part:nth-of-type(4) h3 a'), has('aside .points li')),
  from('#/map', 'map: all open points', click('header .is-open'), says('aside h2', 'All parts')),
  from(
    '#/map',
    'map: a point to answer, with its effect',
    click('.queue a'),
    has('form.answer .effect:not(.soft)'),
  ),
  screen('document', has('.cm-line')),
  screen('operations', has('.group li')),
  from(
    '#/operations',
    'operations: narrow the list',
    type('main input', 'things150'),
    'document.querySelectorAll(".group li").length === 5',
  ),
  from('#/operations', 'operations: open one', click(`a[href="${thing}"]`), has('form.request')),
  from(thing, 'operations: send', click('form.request .primary'), has('.exchange h2')),
  screen('requests', has('.requests tr')),
  from(
    '#/requests',
    'requests: narrow the list',
    type('main input', 'things150 unknown'),
    says('.narrow', ' of '),
  ),
  from('#/requests', 'requests: open one', click('.requests a'), has('aside .reasons')),
  screen('states', has('svg a')),
  from(
    '#/states',
    'states: another machine',
    click('.screen nav a:nth-child(50)'),
    says('.screen .tabs [aria-current]', 'Thing49'),
  ),
  from(
    '#/states',
    'states: a state',
    click('svg a.node'),
    `!${says('aside h2', 'Why')} && ${has('aside h2')}`,
  ),
  screen('data', has('.tabs a')),
  from(
    '#/data',
    'data: another resource',
    click('.tabs a[href="#/data/Thing150"]'),
    says('.tabs [aria-current]', 'Thing150'),
  ),
  from(
    '#/data/Thing0',
    'data: an item',
    click('.table td a'),
    `!${says('aside h2', 'Why')} && ${has('aside h2')}`,
  ),
  screen('events', has('.screen li, .screen tr')),
  from('#/events', 'events: an event', click('.screen li a, .screen tr a'), has('aside pre')),
  screen('verdicts', has('.screen form')),
  screen('changes', has('.screen .lead')),
  {
    name: 'find: type a word',
    before: click('header .find'),
    act: type('dialog input', 'things150 patch'),
    isDone: says('dialog li', 'things150'),
  },
];

interface Took {
  /** Until the answer is drawn. */
  readonly ms: number;
  /** That the page itself worked. */
  readonly work: number;
}

/** Does something in the page, and gives the milliseconds that it takes. */
async function took(at: Page, { before, act, isDone }: Action): Promise<Took> {
  if (before) {
    await at.evaluate(`document.querySelector('dialog')?.close()`);
    for (const step of [show('#/verdicts'), before]) {
      await at.evaluate(step);
      await at.waitForTimeout(300);
      await at.locator('main[aria-busy=false]').waitFor();
    }
  }
  const workedBefore = await worked();
  const ms = await at.evaluate<number>(`new Promise((resolve, reject) => {
    const begun = performance.now();
    const drawn = () => {
      if (${isDone}) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
      else if (performance.now() - begun > 20000) reject(new Error('no answer'));
      else requestAnimationFrame(drawn);
    };
    ${act};
    drawn();
  })`);
  return { ms, work: (await worked()) - workedBefore };
}

/** Saves the document a few times, and opens an operation again and again until it is read. */
async function saves(): Promise<void> {
  print('\nsave: whole   clicks meanwhile: longest, median   longest turn of tacet dev (ms of CPU time)');
  for (let n = 0; n < 5; n += 1) {
    await at.waitForTimeout(1500);
    await longestTurn();
    const before = readFileSync(path, 'utf8');
    const content = before.replace(/maxLength: \d+/, `maxLength: ${200 + n}`);
    const body = JSON.stringify(JSON.stringify({ texts: [{ file: path, before, content }] }));
    const [whole, clicks] = await at.evaluate<[number, number[]]>(`(async () => {
      const begun = performance.now();
      let isSaved = false;
      const headers = { 'Content-Type': 'application/json' };
      const saved = fetch('/api/save', { method: 'POST', headers, body: ${body} }).then(() => { isSaved = true; });
      const clicks = [];
      while (!isSaved) {
        const clicked = performance.now();
        await (await fetch('/api/operation?name=POST+%2Fthings150')).text();
        clicks.push(performance.now() - clicked);
      }
      await saved;
      return [performance.now() - begun, clicks];
    })()`);
    const all = [whole, Math.max(...clicks), spread(clicks).median, await longestTurn()];
    print(all.map((one) => one.toFixed(0).padStart(10)).join('  '));
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tacet-console-'));
const path = join(folder, 'big.md');
writeFileSync(path, endpoints(true));

function dev(): Promise<{
  readonly child: ChildProcess;
  /** The longest turn of its event loop since this was asked last, in milliseconds of CPU time. */
  readonly longestTurn: () => Promise<number>;
  readonly address: string;
  readonly service: string;
}> {
  const tacet = fileURLToPath(new URL('../bin/tacet.js', import.meta.url));
  const turns = fileURLToPath(new URL('console/turns.ts', import.meta.url));
  const words = ['--import', turns, tacet, 'dev', path, '--port', '0', '--data', `${path}.sqlite`];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  const longestTurn = (): Promise<number> =>
    new Promise((resolve) => {
      const hear = (text: string): void => {
        const found = /longest turn (\d+)/.exec(text)?.[1];
        if (found === undefined) return;
        child.stdout.off('data', hear);
        resolve(Number(found));
      };
      child.stdout.on('data', hear);
      child.kill('SIGUSR2');
    });
  return new Promise((resolve, reject) => {
    let all = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      all += text;
      const address = /console +(http:\S+)\n/.exec(all)?.[1];
      const service = /http:\/\/[\d.:]+/.exec(all)?.[0];
      if (address && service) resolve({ child, longestTurn, address, service });
    });
    child.once('exit', () => reject(new Error(all)));
  });
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const { child, longestTurn, address, service } = await dev();
for (let n = 0; n < 1000; n += 1) {
  const about = n < 600 ? 0 : n % 200;
  await fetch(`${service}/things${about}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: `thing ${n}`, size: n, owner: 'Ada' }),
  });
}
const executablePath = chromiumHere();
if (executablePath === null) throw new Error('there is no Chromium here');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
const at = await context.newPage();
const inspector = await context.newCDPSession(at);
await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });

/** How long the page itself has worked, in milliseconds: whoever else uses the machine has no part in it. */
async function worked(): Promise<number> {
  const { metrics } = await inspector.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
}

const begun = performance.now();
await at.goto(address);
await at.locator('main[aria-busy=false] .queue li').first().waitFor();
print(`first screen, whole: ${(performance.now() - begun).toFixed(0)} ms`);
print(
  '\naction                                       first   fastest    median   slowest      work of the page (ms)',
);
const only = process.argv[2] ?? '';
for (const action of actions.filter(({ name }) => name.includes(only))) {
  const times: Took[] = [];
  try {
    for (let n = 0; n < rounds; n += 1) times.push(await took(at, action));
    const all = times.map(({ ms }) => ms);
    const work = spread(times.map((one) => one.work)).median;
    const shown = [all[0] ?? 0, Math.min(...all), spread(all).median, Math.max(...all), work];
    print(`${action.name.padEnd(42)}${shown.map((one) => one.toFixed(0).padStart(9)).join('')}`);
  } catch (error) {
    print(`${action.name.padEnd(42)} ${(error as Error).message.split('\n')[0]}`);
  }
}
if ('save'.includes(only)) await saves();
await browser.close();
child.kill();
rmSync(folder, { recursive: true });
