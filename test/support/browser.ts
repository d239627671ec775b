import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

/** A headless Chromium. */
export interface TestBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * Starts the Chromium that `npm ci` brought, with the libraries and fonts that came with it: nothing has to be installed, and
 * pictures look alike on all machines. It is unpacked anew, to a directory of its own.
 */
export async function startBrowser(): Promise<TestBrowser> {
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-chromium-'));
  const before = process.env['TMPDIR'];
  try {
    // Where the package unpacks to.
    process.env['TMPDIR'] = directory;
    const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin');
    const [executablePath] = await Promise.all([
      chromium.executablePath(packed),
      inflate(join(packed, 'al2023.tar.br')),
    ]);
    // The one that comes with them looks in /tmp/fonts; without any font the browser ends by itself.
    const fonts = join(directory, 'fonts');
    await writeFile(
      join(fonts, 'fonts.conf'),
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><cachedir>${directory}/fonts-cache</cachedir></fontconfig>`,
    );
    const browser = await driver.launch({
      executablePath,
      // In a container there is no user namespace for its sandbox, and it visits nothing but our own page.
      args: ['--no-sandbox', '--font-render-hinting=none', '--disable-gpu'],
      env: {
        HOME: directory,
        TMPDIR: directory,
        PATH: process.env['PATH'] ?? '',
        LD_LIBRARY_PATH: join(directory, 'al2023', 'lib'),
        FONTCONFIG_PATH: fonts,
      },
    });
    return {
      browser,
      async close() {
        await browser.close();
        await rm(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
