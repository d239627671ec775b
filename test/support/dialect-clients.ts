import type { CloudClient } from '../../src/cloud/client.ts';
import type { DialectName } from '../../src/cloud/dialect.ts';
import { clientOf } from './client-of.ts';
import { type HTTPSServer, makeCertificates, startHTTPSServer } from './https-server.ts';

/** A test server with one client for each dialect. */
export interface DialectClients {
  readonly server: HTTPSServer;
  readonly client: (dialect?: DialectName) => CloudClient;
  /** Method, path with decoded query, and parsed body of each request so far; null for no body. */
  sent(): [string, string, unknown][];
  close(): Promise<void>;
}

export async function startDialectClients(): Promise<DialectClients> {
  const certificates = await makeCertificates();
  const server = await startHTTPSServer(certificates);
  const clients = {
    Documented: clientOf(server, certificates, { dialect: 'Documented' }),
    Extended: clientOf(server, certificates, { dialect: 'Extended' }),
  };
  return {
    server,
    client: (dialect = 'Documented') => clients[dialect],
    sent: () =>
      server.requests.map(({ method, target, body }) => [
        method,
        decodeURIComponent(target),
        body === '' ? null : JSON.parse(body),
      ]),
    async close() {
      for (const client of Object.values(clients)) await client.close();
      await server.close();
    },
  };
}
