import * as z from 'zod';
import type { Manifest } from './manifests.ts';

/** A TLS Secret that manifests name and don't bring along. */
export interface WantedCertificate {
  readonly secretName: string;
  /** The domain it must be for. */
  readonly domain: string;
}

const named = z.object({ name: z.string() });
const certificate = z.object({
  kind: z.literal('SiteCertificate'),
  spec: z.object({ siteRef: named, secretRef: named }),
});
const site = z.object({ kind: z.literal('WebAccelSite'), metadata: named, spec: z.object({ domain: z.string() }) });

/** The Secrets SiteCertificates of these manifests wait for; those for sites named by an ID alone can't be made. */
export function wantedCertificates(manifests: readonly Manifest[]): WantedCertificate[] {
  const domains = new Map<string, string>();
  const brought = new Set<string>();
  for (const { object } of manifests) {
    const { data } = site.safeParse(object);
    if (data) domains.set(data.metadata.name, data.spec.domain);
    if (object.kind === 'Secret') brought.add(object.metadata.name);
  }
  const wanted = new Map<string, WantedCertificate>();
  for (const { object } of manifests) {
    const { data } = certificate.safeParse(object);
    const domain = data && domains.get(data.spec.siteRef.name);
    const secretName = data?.spec.secretRef.name;
    if (domain === undefined || secretName === undefined || brought.has(secretName)) continue;
    wanted.set(secretName, { secretName, domain });
  }
  return [...wanted.values()];
}
