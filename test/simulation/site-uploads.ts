import { atFirst } from './at-first.ts';
import { certificateNamed, certificates, tlsSecret } from './certificates.ts';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const SITE = { id: '113300001001', name: 'www', domain: 'a.example.jp' };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const END = '-----END CERTIFICATE-----';

export const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces';
export const WWW = `${GROUP}/fleet/sitecertificates/www`;

const isUpload = ({ route }: { readonly route: string }) => /^(PUT|POST) webaccel\/site\/:id\/certificate$/.test(route);

/** The end of the first certificate, which tells it from others. */
function markOf(chain: string): string {
  return chain.slice(0, chain.indexOf(END)).slice(-60).replaceAll('\n', '');
}

/** Which of the certificates for tests this is. */
function nameOf(generation: unknown): string {
  const text = JSON.stringify(generation).replaceAll('\\n', '');
  return certificates.find(({ chain }) => text.includes(markOf(chain)))?.name ?? 'another';
}

/**
 * A site without a certificate, whose account two namespaces reach with two tokens, `fleet` and `other`; each has the certificate
 * of the Secret `www-tls` for it.
 */
export function createSharedSite({ secret = 'a-1' } = {}) {
  /** Tokens for which the list of sites cannot be had. */
  const withoutList = new Set<string>();
  const fleet = createVirtualFleet({
    seeds: { fleet: { sites: [SITE] }, other: {} },
    broken({ target, headers }) {
      const [, encoded = ''] = headers['authorization']?.split(' ') ?? [];
      const [token = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
      const isList = /\/webaccel\/1\.0\/site\/?$/.test(target);
      return isList && withoutList.has(token) ? { status: 500, headers: {}, body: '{}' } : undefined;
    },
  });
  const { world, create, patch } = fleet;
  patch('/api/v1/namespaces/other/secrets/credentials', {
    data: { accessToken: base64('token-fleet-2'), accessTokenSecret: base64('secret-fleet-2') },
  });
  for (const namespace of ['fleet', 'other']) {
    create(`/api/v1/namespaces/${namespace}/secrets`, tlsSecret('www-tls', secret));
  }
  const uploads: string[] = [];
  world.service.onChange(({ route }) => void (isUpload({ route }) && uploads.push(route)));
  const letPass = (seconds: number) => world.run(world.now() + seconds * SECOND);
  const { sites } = world.service.world('fleet');
  const siteOf = (): { current?: unknown; previous?: unknown } => ({ ...sites.get(SITE.id) });

  return {
    ...fleet,
    withoutList,
    /** What was carried out. */
    uploads,
    letPass,
    /** Makes a SiteCertificate: `fleet/www`. */
    make(path: string, spec: object = {}) {
      const [namespace, name] = path.split('/');
      create(`${GROUP}/${namespace}/sitecertificates`, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'SiteCertificate',
        metadata: { name },
        spec: { siteID: SITE.id, secretRef: { name: 'www-tls' }, ...spec },
      });
    },
    remove(path: string) {
      const [namespace, name] = path.split('/');
      const target = `${GROUP}/${namespace}/sitecertificates/${name}`;
      world.apiserver.handle({ method: 'DELETE', path: target, user: 'user' });
    },
    renew(name: string) {
      for (const namespace of ['fleet', 'other']) {
        patch(`/api/v1/namespaces/${namespace}/secrets/www-tls`, { data: tlsSecret('www-tls', name)['data'] });
      }
    },
    renewWithoutChain(name: string) {
      const { chain, key } = certificateNamed(name);
      const leaf = `${chain.slice(0, chain.indexOf(END) + END.length)}\n`;
      const data = { 'tls.crt': base64(leaf), 'tls.key': base64(key) };
      patch('/api/v1/namespaces/fleet/secrets/www-tls', { data });
    },
    /** What `then` causes to be uploaded is held so long by the service; resolves a moment after it was sent. */
    async hold(seconds: number, then: () => void): Promise<void> {
      const milliseconds = seconds * SECOND;
      world.arm({ to: 'service', fits: isUpload, count: 1, fault: 'delayed-arrival', milliseconds });
      const isSent = atFirst(world, 'written', isUpload);
      then();
      await world.run(world.now() + 60 * SECOND, isSent);
      if (!isSent()) throw new Error('nothing was uploaded');
      await letPass(1);
    },
    /** A person does it in the control panel. */
    uploadByHand(method: 'POST' | 'PUT', name: string) {
      const { chain, key } = certificateNamed(name);
      const answer = world.service.handle({
        method,
        target: `/cloud/zone/is1a/api/webaccel/1.0/site/${SITE.id}/certificate`,
        from: 'person',
        body: JSON.stringify({ Certificate: { CertificateChain: chain, Key: key } }),
        headers: {
          authorization: `Basic ${base64('token-fleet:secret-fleet')}`,
          'content-type': 'application/json',
        },
      });
      if (typeof answer === 'string' || answer.status >= 300) throw new Error(JSON.stringify(answer));
    },
    /** The certificates on the site, the current one first. */
    generations: () =>
      [siteOf().current, siteOf().previous].filter((one) => one !== undefined && one !== null).map(nameOf),
    /** How many certificates the chain of the current one has. */
    chainLength: () => JSON.stringify(siteOf().current).split('BEGIN CERTIFICATE').length - 1,
  };
}
