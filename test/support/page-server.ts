import type { PageSource } from '../../src/operator/page-source.ts';
import { PAGE_LIMITS, statusPage } from '../../src/page/handler.ts';
import { startHttpServer } from '../../src/telemetry/http.ts';

/** Serves the page of what a replica would have in memory, as the operator does. */
export async function servePage(source: PageSource): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = await startHttpServer({
    address: '127.0.0.1:0',
    handlers: statusPage(source),
    limits: PAGE_LIMITS,
  });
  if (!server) throw new Error('the page is not served');
  return { url: `http://127.0.0.1:${server.port}/`, close: server.close };
}
