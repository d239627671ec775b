import type { PageSource } from '../src/operator/page-source.ts';
import { startBrowser } from '../test/support/browser.ts';
import { changeAt, fleetOf, pageSourceOf } from '../test/support/page.ts';
import { servePage } from '../test/support/page-server.ts';

/** Takes the pictures of docs/status-page.md: `node scripts/status-page-pictures.ts`. */

const wide = { width: 1100, height: 820 };
const phone = { width: 390, height: 820 };

interface Picture {
  readonly name: string;
  readonly source: PageSource;
  readonly query: string;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: typeof wide;
}

const changes = () => [
  changeAt(Date.now() - 40_000, 'truck-00017', '10.0.0.18'),
  changeAt(Date.now() - 95_000, 'truck-00018', '10.0.0.17'),
];
const few = pageSourceOf(fleetOf(10).concat(fleetOf(100).slice(-1)), { changes });
const many = pageSourceOf(fleetOf(10_000), { changes });
const pictures: readonly Picture[] = [
  { name: 'light', source: few, query: '', colorScheme: 'light', viewport: wide },
  { name: 'dark', source: few, query: '?object=sim/fleet/truck-00099', colorScheme: 'dark', viewport: wide },
  { name: 'phone', source: few, query: '', colorScheme: 'light', viewport: phone },
  { name: '10000', source: many, query: '', colorScheme: 'light', viewport: wide },
];

const { browser, close } = await startBrowser();
for (const { name, source, query, colorScheme, viewport } of pictures) {
  const served = await servePage(source);
  const page = await browser.newPage({ colorScheme, viewport });
  await page.goto(served.url + query);
  await page.screenshot({ path: `docs/status-page-${name}.png` });
  await page.close();
  await served.close();
}
await close();
