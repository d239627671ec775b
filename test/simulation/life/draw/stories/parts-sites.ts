import { certificateNamed } from '../../../certificates.ts';
import type { Json } from '../../json.ts';
import type { Act } from '../../script.ts';
import type { ObjectSeeds } from '../../setting.ts';
import type { Role } from '../cast.ts';
import { OLD, seededID, sitePlace } from '../seed.ts';
import { tlsSecretName } from '../setting.ts';
import { domains, ref, secret, tlsData } from '../vocabulary.ts';
import { HOME, role } from './parts.ts';
import type { Wishes } from './story.ts';

export const DOMAIN = 'a.example.jp';
export const SITE_ID = seededID('east', sitePlace(0));

/** The resources of that site, its certificate by the site's ID. */
export const ownSite = role('webaccelsites', 'site-1', { domain: DOMAIN });
export const ownCertificate = role('sitecertificates', 'certificate-1', {
  siteID: SITE_ID,
  secretRef: { name: 'tls-a' },
});

/** One namespace, and one account that all of it uses. */
export const oneAccount: Wishes = { namespaces: 1, hasClusterAccount: true, isTight: false };

/** Sites, each with its certificate. */
export function siteRoles(count: number): Role[] {
  return domains.slice(0, count).flatMap((domain, index) => [
    role('webaccelsites', `site-${index + 1}`, { domain }),
    role('sitecertificates', `certificate-${index + 1}`, {
      siteRef: { name: `site-${index + 1}` },
      secretRef: { name: tlsSecretName(domain) },
    }),
  ]);
}

/** The site of a story, as people made it. */
export function siteSeed(
  settings: Readonly<Record<string, Json>> = {},
  certificate?: string,
): NonNullable<ObjectSeeds['sites']> {
  return [
    {
      id: SITE_ID,
      createdAt: OLD,
      name: DOMAIN,
      domain: DOMAIN,
      settings: { ...settings },
      ...(certificate !== undefined && { certificate: pairOf(certificate) }),
    },
  ];
}

/** A test certificate as people paste it, by its name; `leaf` alone: without its issuer. */
export function pairOf(name: string, leaf = false): { readonly chain: string; readonly key: string } {
  const { chain, key } = certificateNamed(name);
  const [first = ''] = chain.split(/(?<=-----END CERTIFICATE-----\n)/);
  return { chain: leaf ? first : chain, key };
}

/** Puts a test certificate into the Secret of the site's certificates, or into another. */
export function renewal(certificate: string, leaf = false, name = tlsSecretName(DOMAIN)): Act {
  const made = secret(HOME, name, tlsData(pairOf(certificate, leaf)), 'kubernetes.io/tls');
  return { what: 'create', ref: ref('secrets', HOME, name), manifest: made, patience: 0 };
}

/** One value of a Secret, replaced. */
export function newValue(name: string, key: string, value: string): Act {
  const data = { [key]: Buffer.from(value).toString('base64') };
  return { what: 'patch', ref: ref('secrets', HOME, name), patch: { data } };
}
