import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startBrowser } from '../test/support/browser.ts';
import { fleetOf, pageSourceOf } from '../test/support/page.ts';
import { servePage } from '../test/support/page-server.ts';

/*
 * The status page of a fleet: how large it is, how soon a browser paints it, and for how long making it keeps everything
 * else of the process waiting. `node bench/page.ts --sims 10,10000`
 */

const { values } = parseArgs({ options: { sims: { type: 'string', default: '10,10000' } } });
const LOOKS = 20;
/** Longer than the rows are kept, so that the fleet is looked through each time. Milliseconds. */
const APART_MILLISECONDS = 2100;

const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const median = (figures: number[]) => figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;

interface Look {
  readonly bytes: number;
  readonly milliseconds: number;
}

async function look(url: string): Promise<Look> {
  const begun = performance.now();
  const text = await (await fetch(url)).text();
  return { bytes: Buffer.byteLength(text), milliseconds: performance.now() - begun };
}

const chromium = await startBrowser();
console.log(
  '| Sims | view | bytes | first answer ms | answer ms | longest delay of the event loop ms | first paint ms |',
);
console.log('|---|---|---|---|---|---|---|');
for (const sims of values.sims.split(',').map(Number)) {
  const { url, close } = await servePage(pageSourceOf(fleetOf(sims)));
  for (const [view, query] of [
    ['overview', ''],
    ['all', '?view=resources'],
    ['search', '?q=8981040000000000003'],
  ] as const) {
    // What was compiled before counts for no view.
    await rest(APART_MILLISECONDS);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const first = await look(url + query);
    const looks: Look[] = [];
    delay.enable();
    for (let index = 0; index < LOOKS; index++) {
      if (index % 5 === 0) await rest(APART_MILLISECONDS);
      looks.push(await look(url + query));
    }
    delay.disable();
    const page = await chromium.browser.newPage();
    const paints: number[] = [];
    for (let index = 0; index < 5; index++) {
      await page.goto(url + query);
      const painted: unknown = await page.evaluate(
        "new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntriesByName('first-contentful-paint')[0]?.startTime)).observe({ type: 'paint', buffered: true }))",
      );
      paints.push(Number(painted));
    }
    await page.close();
    const figures = [
      sims,
      view,
      first.bytes,
      first.milliseconds.toFixed(0),
      median(looks.map(({ milliseconds }) => milliseconds)).toFixed(1),
      (delay.max / 1e6).toFixed(1),
      median(paints).toFixed(0),
    ];
    console.log(`| ${figures.join(' | ')} |`);
  }
  await close();
}
await chromium.close();
