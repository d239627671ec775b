import { secret } from '../../support/manifests.ts';
import type { World } from '../../support/world.ts';
import { account, type Chapter, ICCID, type Mistake, object, PLAIN, SERVICE, sim } from '../sim/mistake.ts';

const ACCOUNT = ['CloudAccount', 'default'] as const;
const TRUCK = ['Sim', 'truck-17'] as const;
const BAD_CERTIFICATE = '-----BEGIN CERTIFICATE-----\nbm90IGEgY2VydGlmaWNhdGU=\n-----END CERTIFICATE-----\n';

const existing = { seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'old truck' }] } };
const own = (world: World) => world.apply(account('').manifest);

const connection: readonly Mistake[] = [
  {
    title: 'Nothing listens there',
    ...account('baseURL: https://127.0.0.1:1'),
    sees: {
      on: ACCOUNT,
      reason: 'ServiceUnavailable',
      message:
        'GET /commonserviceitem: cannot connect to 127.0.0.1: the connection was refused. Check the host and port in baseURL; nothing listens there.',
    },
    remedy: 'Correct host and port.',
    mend: own,
    mended: [ACCOUNT],
  },
  {
    title: 'A port without TLS',
    ...account(`baseURL: ${PLAIN}`),
    sees: {
      on: ACCOUNT,
      reason: 'ServiceUnavailable',
      message:
        'GET /commonserviceitem: cannot connect to api.example.jp: the port does not speak TLS (plain HTTP?). Check the port in baseURL; the service takes https only.',
    },
    remedy: 'Name the port of the service that speaks TLS.',
    mend: own,
    mended: [ACCOUNT],
  },
  {
    title: 'A CA that is not trusted',
    wrote: '# no caBundleSecretRef, and the service has a CA of its own',
    manifest: object('CloudAccount', 'default', '', {
      baseURL: SERVICE,
      credentialsSecretRef: '{name: service-credentials}',
    }),
    sees: {
      on: ACCOUNT,
      reason: 'ServiceUnavailable',
      message:
        "GET /commonserviceitem: cannot connect to api.example.jp: its certificate is not trusted. Put the service's CA certificate into a Secret and name it in caBundleSecretRef.",
    },
    remedy: 'Name the CA in caBundleSecretRef.',
    mend: own,
    mended: [ACCOUNT],
  },
  {
    title: 'The CA of another service',
    wrote: '# Secret service-ca holds another CA',
    act: async (world) => world.patch('Secret', 'service-ca', { stringData: { 'ca.crt': await otherCA() } }),
    sees: {
      on: ACCOUNT,
      reason: 'ServiceUnavailable',
      message:
        "GET /commonserviceitem: cannot connect to api.example.jp: its certificate is not trusted. Put the service's CA certificate into a Secret and name it in caBundleSecretRef.",
    },
    remedy: 'Put the right CA into the Secret; the account continues on its own.',
    mend: (world) => world.patch('Secret', 'service-ca', { stringData: { 'ca.crt': world.ca } }),
    mended: [ACCOUNT],
  },
  {
    title: 'A Secret for the CA that does not exist',
    ...account('caBundleSecretRef: {name: ca, key: ca.crt}'),
    sees: {
      on: ACCOUNT,
      reason: 'CABundleInvalid',
      message:
        'There is no Secret ca in namespace fleet, which caBundleSecretRef names. Create it with a PEM bundle under the key "ca.crt".',
    },
    remedy: 'Create it; the account continues on its own.',
    mend: (world) => world.apply(secret('ca', { 'ca.crt': world.ca })),
    mended: [ACCOUNT],
  },
  {
    title: 'A key for the CA that the Secret does not have',
    ...account('caBundleSecretRef: {name: service-ca, key: tls.crt}'),
    sees: {
      on: ACCOUNT,
      reason: 'CABundleInvalid',
      message:
        'The Secret service-ca, which caBundleSecretRef names, has no key "tls.crt", or it is empty. Put a PEM bundle there.',
    },
    remedy: 'Name the key that is there, or add this one.',
    mend: (world) => world.patch('Secret', 'service-ca', { stringData: { 'tls.crt': world.ca } }),
    mended: [ACCOUNT],
  },
  {
    title: 'A CA that is not PEM',
    wrote: '# Secret service-ca\nstringData: {ca.crt: MIIBIjAN…}',
    act: (world) => world.patch('Secret', 'service-ca', { stringData: { 'ca.crt': 'MIIBIjANBgkq' } }),
    sees: {
      on: ACCOUNT,
      reason: 'CABundleInvalid',
      message:
        'The key "ca.crt" of Secret service-ca, which caBundleSecretRef names, holds no certificate. Put certificates in PEM there, each between BEGIN CERTIFICATE and END CERTIFICATE.',
    },
    remedy: 'Put PEM there; DER becomes PEM with `openssl x509 -inform der`.',
    mend: (world) => world.patch('Secret', 'service-ca', { stringData: { 'ca.crt': world.ca } }),
    mended: [ACCOUNT],
  },
  {
    title: 'A CA that was cut off',
    wrote: '# Secret service-ca holds half a certificate',
    act: (world) => world.patch('Secret', 'service-ca', { stringData: { 'ca.crt': BAD_CERTIFICATE } }),
    sees: {
      on: ACCOUNT,
      reason: 'CABundleInvalid',
      message: `The key "ca.crt" of Secret service-ca, which caBundleSecretRef names, holds a certificate that can't be read (number 1 of 1). Put certificates in PEM there, each between BEGIN CERTIFICATE and END CERTIFICATE.`,
    },
    remedy: 'Copy the certificate again.',
    mend: (world) => world.patch('Secret', 'service-ca', { stringData: { 'ca.crt': world.ca } }),
    mended: [ACCOUNT],
  },
  {
    title: 'A host that is not allowed',
    ...account(''),
    wrote: '# the operator runs with --allowed-hosts service.example.com\nbaseURL: https://api.example.jp',
    allowedHosts: ['service.example.com'],
    sees: {
      on: ACCOUNT,
      reason: 'HostNotAllowed',
      message:
        'This operator may talk to service.example.com only, not to api.example.jp. Correct baseURL, or start the operator with --allowed-hosts service.example.com,api.example.jp (of the chart: allowedHosts: [service.example.com, api.example.jp]).',
    },
    remedy: 'Correct baseURL, or have the host added to --allowed-hosts, allowedHosts of the chart.',
  },
];

const service: readonly Mistake[] = [
  {
    title: 'The service is down for maintenance',
    ...sim('activated: true'),
    world: existing,
    before: (world) => world.simulator.fault({ route: 'PUT *', code: 503 }),
    sees: {
      on: TRUCK,
      reason: 'ServiceUnavailable',
      message:
        'SIM 113300000017 is not active. PUT /commonserviceitem/113300000017/sim/activate: the service answered 503 service_temporarily_unavailable: a fault that was asked for (serial 00000000000004d2). Nothing to do if it passes: it is tried again.',
    },
    remedy: 'Nothing: it is tried again with growing delays.',
    mend: (world) => world.simulator.clearFaults(),
    mended: [TRUCK],
  },
  {
    title: 'Too many requests',
    ...sim('activated: true'),
    world: existing,
    before: (world) => world.simulator.fault({ route: 'PUT *', code: 429, retryAfter: 2 }),
    sees: {
      on: TRUCK,
      reason: 'Throttled',
      message:
        "SIM 113300000017 is not active. PUT /commonserviceitem/113300000017/sim/activate: the service answered 429 too_many_request: a fault that was asked for (serial 00000000000004d2). Nothing to do: the account's requests wait until the service takes more.",
    },
    remedy:
      'Nothing: the account’s requests wait as long as the service asks. If it lasts, lower limits.cloudRequestsPerSecond.',
    mend: (world) => world.simulator.clearFaults(),
    mended: [TRUCK],
  },
  {
    title: 'The account has as many SIMs as it may',
    ...sim('passCodeSecretRef: {name: pass-codes, key: code}'),
    before: (world) => world.simulator.fault({ route: 'POST *', code: 409, errorCode: 'limit_count_in_account' }),
    sees: {
      on: TRUCK,
      reason: 'AccountFull',
      message:
        "POST /commonserviceitem: the service answered 409 limit_count_in_account: a fault that was asked for (serial 00000000000004d2). The account has as many as it may have: delete some, or have the account's limit raised. It is tried again.",
    },
    remedy: 'Delete SIMs that are not needed, or have the limit raised; it is tried again.',
    mend: (world) => world.simulator.clearFaults(),
    mended: [TRUCK],
  },
  {
    title: 'An answer nobody can read',
    ...sim('carriers: [{name: KDDI, allow: true}]'),
    world: existing,
    before: (world) => world.simulator.fault({ route: 'GET *network_operator_config', garbage: true }),
    sees: {
      on: TRUCK,
      reason: 'UnexpectedResponse',
      message:
        'GET /commonserviceitem/113300000017/sim/network_operator_config: the service answered 200 with a body that is not JSON. Check baseURL, and what stands between this process and the service.',
    },
    remedy: 'Check what stands between the operator and the service, a proxy for example; it is tried again.',
    mend: (world) => world.simulator.clearFaults(),
    mended: [TRUCK],
  },
];
/** A certificate that is good, and of no use here. */
async function otherCA(): Promise<string> {
  const { makeCertificates } = await import('../../support/https-server.ts');
  return (await makeCertificates()).ca;
}

export const serviceChapters: readonly Chapter[] = [
  {
    title: 'The way to the service',
    about: 'The account says what is wrong; what was Ready stays Ready.',
    mistakes: connection,
  },
  {
    title: 'What the service says',
    about: 'These are no mistakes of yours, and they look like this.',
    mistakes: service,
  },
];
