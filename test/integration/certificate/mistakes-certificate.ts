import { createIntermediate, createRoot, type Issued, issue, tlsSecret } from '../../support/certificates.ts';
import type { World } from '../../support/world.ts';
import { type Chapter, type Mistake, object } from '../sim/mistake.ts';

const WWW = ['WebAccelSite', 'www'] as const;
const CERTIFICATE = ['SiteCertificate', 'www'] as const;
const DOMAIN = 'www.example.jp';
const DAY = 86_400_000;
const seeded = { id: '113300000301', name: 'www', domain: DOMAIN, settings: { Origin: 'origin.example.jp' } };
const existing = { seed: { sites: [seeded] } };

const certificate = (part: string, name = 'www') =>
  object('SiteCertificate', name, part, { siteID: '"113300000301"', secretRef: '{name: www-tls}' });

/** Puts a certificate into the Secret `www-tls` and asks for it on the site. */
async function put(world: World, issued: Pick<Issued, 'chain' | 'key'>, type?: string): Promise<void> {
  await world.apply(tlsSecret('www-tls', issued, type));
  await world.apply(certificate(''));
}

async function good(): Promise<Issued> {
  return issue(await createIntermediate(await createRoot()), [DOMAIN]);
}

const mend = async (world: World) => world.apply(tlsSecret('www-tls', await good()));
const mended = [CERTIFICATE];

const certificates: readonly Mistake[] = [
  {
    title: 'No Secret with the certificate',
    wrote: 'secretRef: {name: www-tls}',
    world: existing,
    manifest: certificate(''),
    sees: {
      on: CERTIFICATE,
      reason: 'SecretNotFound',
      message: 'There is no Secret www-tls in namespace fleet yet. Create it, or have cert-manager do it.',
    },
    remedy: 'Create it, or wait until cert-manager has; it is on the site the moment it is there.',
    mend,
    mended,
  },
  {
    title: 'A certificate in a Secret of the wrong type',
    wrote: 'kubectl create secret generic www-tls --type=example.com/other --from-file=tls.crt --from-file=tls.key',
    world: existing,
    act: async (world) => put(world, await good(), 'example.com/other'),
    sees: {
      on: CERTIFICATE,
      reason: 'SecretTypeWrong',
      message:
        'The Secret www-tls is of the type example.com/other. Create it again as kubernetes.io/tls or Opaque, for example with kubectl create secret tls.',
    },
    remedy: 'Delete the Secret and create it with `kubectl create secret tls`.',
    mend: async (world) => {
      await world.delete('Secret', 'www-tls');
      await mend(world);
    },
    mended,
  },
  {
    title: 'The key of another certificate',
    wrote: 'kubectl create secret tls www-tls --cert=www.crt --key=shop.key',
    world: existing,
    act: async (world) => put(world, { chain: (await good()).chain, key: (await good()).key }),
    sees: {
      on: CERTIFICATE,
      reason: 'KeyMismatch',
      message:
        'tls.key in the Secret www-tls is not the key of the first certificate in tls.crt. Put the two that belong together there; the certificate of the site comes first.',
    },
    remedy: 'Put the certificate and its own key into the Secret.',
    mend,
    mended,
  },
  {
    title: 'A chain out of order',
    wrote:
      'cat www.crt root.crt intermediate.crt > chain.crt\nkubectl create secret tls www-tls --cert=chain.crt --key=www.key',
    world: existing,
    act: async (world) => {
      const root = await createRoot();
      const intermediate = await createIntermediate(root);
      const issued = await issue(intermediate, [DOMAIN]);
      await put(world, { chain: `${issued.leaf}${root.pem}${intermediate.pem}`, key: issued.key });
    },
    sees: {
      on: CERTIFICATE,
      reason: 'ChainOutOfOrder',
      message:
        "tls.crt in the Secret www-tls: certificate 2 did not issue certificate 1. Put the certificate of the site first, then each one's issuer.",
    },
    remedy: 'Write the certificate of the site first, then the one that issued it, and so on.',
    mend,
    mended,
  },
  {
    title: 'A certificate for another domain',
    wrote: 'kubectl create secret tls www-tls --cert=shop.crt --key=shop.key',
    world: existing,
    act: async (world) => put(world, await issue(await createIntermediate(await createRoot()), ['shop.example.jp'])),
    sees: {
      on: CERTIFICATE,
      reason: 'DomainNotCovered',
      message:
        'The certificate in the Secret www-tls is for shop.example.jp, not for www.example.jp, the domain of the site. Have it issued for www.example.jp.',
    },
    remedy: 'Have it issued for the domain of the site: in cert-manager, add it to dnsNames.',
    mend,
    mended,
  },
  {
    title: 'A certificate that has expired',
    wrote: 'kubectl create secret tls www-tls --cert=www-2019.crt --key=www-2019.key',
    world: existing,
    act: async (world) => {
      const old = { notBefore: Date.UTC(2018, 5, 1), notAfter: Date.UTC(2019, 5, 1) };
      await put(world, await issue(await createIntermediate(await createRoot()), [DOMAIN], old));
    },
    sees: {
      on: CERTIFICATE,
      reason: 'Expired',
      message: 'The certificate in the Secret www-tls expired on 2019-06-01T00:00:00Z. Renew it.',
    },
    remedy: 'Renew it.',
    mend,
    mended,
  },
  {
    title: 'A certificate that is not valid yet',
    wrote: 'kubectl create secret tls www-tls --cert=www-2099.crt --key=www-2099.key',
    world: existing,
    act: async (world) => {
      const next = { notBefore: Date.UTC(2099, 5, 1), notAfter: Date.UTC(2099, 5, 1) + 90 * DAY };
      await put(world, await issue(await createIntermediate(await createRoot()), [DOMAIN], next));
    },
    sees: {
      on: CERTIFICATE,
      reason: 'NotYetValid',
      message:
        'The certificate in the Secret www-tls is not valid until 2099-06-01T00:00:00Z. It is put on the site then.',
    },
    remedy: 'Nothing, or put in one that is valid now.',
    mend,
    mended,
  },
  {
    title: 'A self-signed certificate',
    wrote: 'openssl req -x509 -newkey rsa -nodes -subj /CN=www.example.jp …',
    world: existing,
    act: async (world) => put(world, await issue(await createRoot(), [DOMAIN], { selfSigned: true })),
    sees: {
      on: CERTIFICATE,
      reason: 'Rejected',
      message:
        'POST /site/113300000301/certificate: the service answered 400 bad_request: Certificate.CertificateChain: the certificate is self-signed, which is not accepted (serial 00000000000004d2). Correct what the message names in the Secret that spec.secretRef names; nothing is sent again until the spec or a Secret it names changes, or the operator starts anew.',
    },
    remedy: 'Have the certificate issued by an authority: the service refuses one that vouches for itself.',
    mend,
    mended,
  },
  {
    title: 'A siteRef to nowhere',
    wrote: 'siteRef: {name: www}\nsecretRef: {name: www-tls}',
    world: existing,
    act: async (world) => {
      await world.apply(tlsSecret('www-tls', await good()));
      await world.apply(object('SiteCertificate', 'www', 'siteRef: {name: www}\nsecretRef: {name: www-tls}', {}));
    },
    sees: {
      on: CERTIFICATE,
      reason: 'SiteNotFound',
      message:
        'There is no WebAccelSite www in namespace fleet. Create it, or create this resource again with another siteRef.',
    },
    remedy: 'Create the WebAccelSite; the certificate continues on its own.',
    mend: (world) => world.apply(object('WebAccelSite', 'www', `domain: ${DOMAIN}`, {})),
    mended: [WWW, CERTIFICATE],
  },
  {
    title: 'Two SiteCertificates for one site',
    wrote: 'siteID: "113300000301"\nsecretRef: {name: other-tls}',
    world: existing,
    before: async (world) => {
      await put(world, await good());
      await world.ready(...CERTIFICATE);
    },
    manifest: certificate('secretRef: {name: www-tls}', 'www-2'),
    sees: {
      on: ['SiteCertificate', 'www-2'],
      reason: 'AlreadyManaged',
      message:
        'The certificate of site 113300000301 is already managed by the SiteCertificate fleet/www. Delete one of the two; the certificate stays on the site.',
    },
    remedy: 'Delete one of the two; the other takes over automatically.',
    mend: (world) => world.delete(...CERTIFICATE),
    mended: [['SiteCertificate', 'www-2']],
  },
];

export const certificateChapters: readonly Chapter[] = [
  {
    title: 'A SiteCertificate that is not Ready',
    about: 'What is on the site stays there until a better certificate takes its place.',
    mistakes: certificates,
  },
];
