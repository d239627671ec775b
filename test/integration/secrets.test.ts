import { describe, expect, it } from 'vitest';
import { PAGE_LIMITS, statusPage } from '../../src/page/handler.ts';
import { freePort } from '../../src/sandbox/processes/free-port.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { type HTTPSServer, makeCertificates, type RecordedRequest, startHTTPSServer } from '../support/https-server.ts';
import { eventually, kubectlOutput } from '../support/kubernetes.ts';
import { secret } from '../support/manifests.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, type World } from '../support/world.ts';

const canaries = {
  accessToken: 'canary-token-4bd1f3',
  accessTokenSecret: 'canary-token-secret-91ce07',
  passCode: 'canary-pass-code-77aa52',
};
const wrongSecret = 'canary-wrong-secret-0f4e3d';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const plain = [...Object.values(canaries), wrongSecret];
/** In the clear, as a Secret holds it, and as Basic authentication sends it. */
const forbidden = [
  ...plain,
  ...plain.map(base64),
  base64(`${canaries.accessToken}:${canaries.accessTokenSecret}`),
  base64(`${canaries.accessToken}:${wrongSecret}`),
].map((text) => text.replace(/=+$/, ''));

const sim = (name: string, iccid: string, account = 'default') => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name },
  spec: {
    iccid,
    accountRef: { kind: 'CloudAccount', name: account },
    passCodeSecretRef: { name: 'pass-codes', key: 'code' },
  },
});

/** A service that says everything it was told in its complaints. */
async function startEcho(refuses: (request: RecordedRequest) => boolean, status: number) {
  const certificates = await makeCertificates();
  const server = await startHTTPSServer(certificates);
  server.answer((request) => {
    if (!refuses(request)) return { json: { is_ok: true, From: 0, Count: 0, Total: 0, CommonServiceItems: [] } };
    const { authorization = '' } = request.headers;
    const decoded = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();
    const told = `${authorization} ${decoded} ${request.body}`;
    const json = { is_fatal: true, serial: told, status: told, error_code: 'bad_request', error_msg: told };
    return { status, json };
  });
  return { server, ca: certificates.ca };
}

async function addEcho(world: World, name: string, server: HTTPSServer, ca: string): Promise<void> {
  await world.apply(secret(`${name}-ca`, { 'ca.crt': ca }));
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name },
    spec: {
      baseURL: server.baseURL,
      credentialsSecretRef: { name: 'service-credentials' },
      caBundleSecretRef: { name: `${name}-ca`, key: 'ca.crt' },
    },
  });
}

function expectNoCanary(where: string, text: string): void {
  const found = forbidden
    .filter((canary) => text.includes(canary))
    .map((canary) => text.slice(text.indexOf(canary) - 200, text.indexOf(canary) + 60));
  expect({ where, found }).toEqual({ where, found: [] });
}

describe('neither token nor secret nor pass code shows', () => {
  it.each(['json', 'pretty'] as const)(
    'in log (%s), events, statuses, metrics, the status page and the simulator’s log',
    async (format) => {
      let log = '';
      const destination = { write: (line: string) => void (log += line) };
      const [port, pagePort] = [await freePort(), await freePort()];
      const operator = await startTestOperator({
        log: createLogger({ level: 'trace', format, destination }),
        metricsListen: `127.0.0.1:${port}`,
        statusPage: { listen: `127.0.0.1:${pagePort}`, limits: PAGE_LIMITS, create: statusPage },
      });
      const world = await createWorld({
        credentials: canaries,
        seed: { passCodes: { '8981040000000000002': 'another' } },
      });
      const inBody = await startEcho((request) => request.method === 'POST', 400);
      const inAuthentication = await startEcho(() => true, 401);
      await addEcho(world, 'echo', inBody.server, inBody.ca);
      await addEcho(world, 'refuses', inAuthentication.server, inAuthentication.ca);

      await world.apply(sim('created', '8981040000000000001'));
      await world.ready('Sim', 'created');
      await world.apply(sim('refused', '8981040000000000002'));
      await world.condition('Sim', 'refused', { type: 'Stalled', status: 'True', reason: 'Rejected' });
      await world.apply(sim('echoed', '8981040000000000003', 'echo'));
      await world.condition('Sim', 'echoed', { type: 'Stalled', status: 'True', reason: 'Rejected' });
      await world.condition('CloudAccount', 'refuses', {
        type: 'Ready',
        status: 'False',
        reason: 'CredentialsRejected',
      });
      await world.simulator.fault({ route: 'GET *', garbage: true, count: 3 });
      await world.settle();
      await world.simulator.fault({ route: 'POST *', cut: true, when: 'after', count: 1 });
      await world.apply(sim('cut', '8981040000000000004'));
      await world.ready('Sim', 'cut');
      await world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: wrongSecret } });
      await world.condition('CloudAccount', 'default', {
        type: 'Ready',
        status: 'False',
        reason: 'CredentialsRejected',
      });
      await eventually(async () => expect(await world.events('default')).not.toEqual([]));

      const { namespace } = world;
      for (const kind of ['sims,cloudaccounts', 'events', 'leases']) {
        expectNoCanary(kind, await kubectlOutput(['get', kind, '-n', namespace, '-o', 'json']));
      }
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(metrics).toContain('edgeline_api_requests_total');
      expectNoCanary('metrics', metrics);
      const objects = ['created', 'refused', 'echoed', 'cut'].map((name) => `?object=sim/${namespace}/${name}`);
      const accounts = ['default', 'echo', 'refuses'].map((name) => `?object=cloudaccount/${namespace}/${name}`);
      for (const query of ['', '?view=resources', ...objects, ...accounts]) {
        const page = await (await fetch(`http://127.0.0.1:${pagePort}/${query}`)).text();
        expect(page).toContain('leads since');
        expect(page).not.toContain('There is no such object');
        expectNoCanary(`the status page ${query}`, page);
      }
      expectNoCanary('the simulator’s requests', JSON.stringify(await world.requests()));
      expectNoCanary('the simulator’s state', JSON.stringify(await world.simulator.state()));
      await operator.stop();
      expect(log).not.toBe('');
      // What stands in the place of the pass code, of a creation that was done, refused, echoed and cut.
      expect(log.split('(secret)').length).toBeGreaterThan(4);
      expectNoCanary('log', log);
      await world.stop();
      await inBody.server.close();
      await inAuthentication.server.close();
    },
  );
});
