import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageSource } from '../../src/operator/page-source.ts';
import { startBrowser, type TestBrowser } from '../support/browser.ts';
import { changeAt, fleetOf, hostileFleet, hostileTexts, pageSourceOf, SINCE, simOf } from '../support/page.ts';
import { servePage } from '../support/page-server.ts';

let chromium: TestBrowser | undefined;
let axe: string;

function browser(): Browser {
  if (!chromium) throw new Error('there is no browser');
  return chromium.browser;
}
let ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
});

// On a busy machine Chromium now and then ends by itself, at whatever page: the test that it ended in has another one.
const onceMore = { retry: 1 };
beforeEach(async () => {
  if (chromium?.browser.isConnected()) return;
  await chromium?.close();
  chromium = await startBrowser();
});

afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

afterAll(() => chromium?.close());

async function serve(source: PageSource): Promise<{ readonly url: string; close(): Promise<void> }> {
  const served = await servePage(source);
  ends.push(served.close);
  return served;
}

/** A page of the browser, and what it complained of: a breach of the policy is among it. */
async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser().newContext(options);
  ends.push(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') complaints.push(`a request to ${request.url()}`);
  });
  return { page, complaints };
}

/** What axe finds wrong, each with the places. */
async function violations(page: Page): Promise<string[]> {
  // By the debugger: the policy of the page lets no script in, and stays as it is.
  const found: unknown = await page.evaluate(`${axe}; axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`);
  return Array.isArray(found) ? found.map(String) : ['axe did not run'];
}

const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth');

const phone = { viewport: { width: 360, height: 740 } };
const views = [
  '',
  '?view=resources',
  '?state=attention',
  '?view=certificates',
  '?object=sim/fleet/truck-00099',
  '?object=cloudaccount/fleet/default',
  '?q=nothing',
];

function fleetSource(): PageSource {
  const changes = () => [changeAt(Date.parse(SINCE), 'truck-00099', '10.0.0.18')];
  const session: PageSource['session'] = () => ({
    takenAt: Date.parse(SINCE),
    sim: {
      iccid: '8981040000000000099',
      imsi: [],
      imeiLock: true,
      registered: true,
      activated: true,
      resourceID: '1',
      sessionStatus: 'UP',
      traffic: { uplinkBytes: 5_000_000, downlinkBytes: 70_000 },
    },
  });
  return pageSourceOf(fleetOf(120), { changes, session });
}

describe('in a browser, the status page', onceMore, () => {
  it.each(['light', 'dark'] as const)('breaks none of axe’s rules (%s), wide and on a phone', async (colorScheme) => {
    const { url } = await serve(fleetSource());
    for (const size of [{ viewport: { width: 1280, height: 900 } }, phone]) {
      const { page, complaints } = await open({ ...size, colorScheme });
      for (const view of views) {
        await page.goto(url + view);
        expect({ view, found: await violations(page) }).toEqual({ view, found: [] });
        expect({ view, fits: await fits(page) }).toEqual({ view, fits: true });
      }
      expect(complaints).toEqual([]);
    }
  });

  it('of a replica that stands by breaks none either', async () => {
    const { url } = await serve(pageSourceOf([], { as: { state: 'StandingBy', holder: 'edgeline-operator-x2' } }));
    const { page } = await open();
    await page.goto(url);
    expect(await violations(page)).toEqual([]);
    expect(await page.textContent('h2')).toBe('This replica stands by');
  });

  it('searches, filters and turns pages without scripts', async () => {
    const { url } = await serve(fleetSource());
    const { page } = await open({ javaScriptEnabled: false });
    await page.goto(url);
    await page.selectOption('select[name=kind]', 'sim');
    await page.click('button[type=submit]');
    expect(await page.textContent('caption')).toBe('50 of 120 found, page 1 of 3');
    await page.click('a[rel=next]');
    expect(await page.textContent('caption')).toBe('50 of 120 found, page 2 of 3');
    await page.fill('input[name=q]', 'truck-00042');
    await page.click('button[type=submit]');
    expect(await page.locator('tbody th').allTextContents()).toEqual(['sim/truck-00042']);
    await page.click('tbody th a');
    expect(await page.textContent('h2')).toBe('sim/truck-00042 in namespace fleet');
    expect(await page.locator('button:text("Copy")').count()).toBe(0);
  });

  it('refreshes itself, and leaves focus, scroll and what is typed as they are', async () => {
    const objects = fleetOf(120);
    const { url } = await serve(pageSourceOf([], { list: (kind) => objects.filter((one) => one.kind === kind) }));
    const { page, complaints } = await open({ viewport: { width: 1000, height: 400 } });
    await page.clock.install();
    await page.goto(`${url}?kind=sim`);
    await page.fill('input[name=q]', 'half typed');
    await page.focus('a[href="?object=sim%2Ffleet%2Ftruck-00010"]');
    await page.evaluate('scrollTo(0, 300)');
    objects.push(simOf(777, { name: 'a-new-truck' }));
    await page.waitForTimeout(2100);
    const refreshed = page.waitForResponse(url + '?kind=sim');
    await page.clock.runFor(10_000);
    await refreshed;
    await page.waitForSelector('a[href="?object=sim%2Ffleet%2Fa-new-truck"]');
    expect(await page.evaluate('[document.activeElement.getAttribute("href"), scrollY]')).toEqual([
      '?object=sim%2Ffleet%2Ftruck-00010',
      300,
    ]);
    expect(await page.inputValue('input[name=q]')).toBe('half typed');

    await page.click('button:text("Pause refreshing")');
    objects.push(simOf(778, { name: 'another-truck' }));
    let asked = 0;
    page.on('request', () => asked++);
    await page.clock.runFor(60_000);
    expect(asked).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says that it was not refreshed when the operator does not answer', async () => {
    const { url, close } = await serve(fleetSource());
    const { page } = await open();
    await page.clock.install();
    await page.goto(url);
    expect(await page.isVisible('#stale')).toBe(false);
    await close();
    await page.clock.runFor(10_000);
    await page.waitForSelector('#stale:visible');
    expect(await page.textContent('#stale')).toMatch(
      /^Not refreshed since \d\d:\d\d:\d\d UTC: the operator does not answer\. What is shown is as old\.$/,
    );
  });

  it('copies a command', async () => {
    const { url } = await serve(fleetSource());
    const { page } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${url}?object=sim/fleet/truck-00099`);
    await page.click('button[aria-label^="Copy kubectl edgeline explain"]');
    await page.waitForSelector('button:text("Copied")');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'kubectl edgeline explain sim/truck-00099 -n fleet',
    );
  });

  it.each([{ viewport: { width: 1280, height: 900 } }, phone])(
    'shows hostile names, messages and domains harmlessly: %j',
    async (size) => {
      const { url } = await serve(pageSourceOf(hostileFleet()));
      const { page, complaints } = await open(size);
      page.on('dialog', (dialog) => complaints.push(dialog.message()));
      const objects = hostileTexts.flatMap((_, index) => [
        `?object=sim/fleet/h${index}`,
        `?object=webaccelsite/fleet/h${index}`,
      ]);
      for (const view of [
        '',
        '?view=resources',
        '?view=certificates',
        ...objects,
        `?q=${encodeURIComponent(hostileTexts[1] ?? '')}`,
      ]) {
        await page.goto(url + view);
        expect({
          view,
          title: await page.title(),
          headings: await page.locator('h1').allTextContents(),
          made: await page.locator('main script, main img').count(),
          fits: await fits(page),
        }).toEqual({ view, title: 'Edgeline status', headings: ['Edgeline'], made: 0, fits: true });
      }
      expect(complaints).toEqual([]);
    },
  );
});
