import { canonicalFingerprint, parseChain, shortFingerprint } from '../../kinds/site-certificate/candidate.ts';
import { type CertificateSpec, certificateSpec } from '../../kinds/site-certificate/schema.ts';
import { SecretValue } from '../../reconcile/secret-value.ts';
import { type Context, common, findingsOf, noteUnknown } from './context.ts';
import { fitted } from './fit.ts';
import type { Converted, Finding } from './result.ts';
import type { Source } from './source.ts';

const useCurrent =
  'Make the SiteCertificate by hand with a Secret that has the certificate on the site, or one renewed since (docs/cert-manager.md).';

/** A SiteCertificate from `sakuracloud_webaccel_certificate`, if what the state has is what is on the site. Pure. */
export function certificateOf(source: Source, name: string, context: Context): Converted {
  const { attributes, address } = source;
  const chain = attributes.text('certificate_chain');
  const key = attributes.text('private_key');
  const onSite = attributes.text('sha256_fingerprint');
  const siteID = attributes.text('site_id') ?? source.id;
  attributes.pass('serial_number', 'not_before', 'not_after', 'issuer_common_name', 'subject_common_name', 'dns_names');
  const refuse = (why: string): Converted => ({
    secrets: [],
    findings: [{ address, why, advice: useCurrent } satisfies Finding],
  });
  if (chain === undefined || key === undefined) {
    return refuse(`the state does not have its ${chain === undefined ? 'certificate' : 'key'}`);
  }
  const parsed = parseChain(chain);
  const [leaf] = Symbol.iterator in parsed ? parsed : [];
  if (!leaf) return refuse('the certificate in the state cannot be read');
  const given = canonicalFingerprint(leaf.fingerprint256);
  // It would be put on the site in place of what somebody has renewed there.
  if (onSite !== undefined && canonicalFingerprint(onSite) !== given) {
    return refuse(
      `the state holds the certificate ${shortFingerprint(given)}, and ${shortFingerprint(onSite)} is on the site`,
    );
  }
  const site = context.sites.get(siteID);
  const secretName = `${name}-tls`;
  const spec: CertificateSpec = {
    ...common(context, source),
    ...(site === undefined ? { siteID } : { siteRef: { name: site } }),
    secretRef: { name: secretName },
  };
  const notes = findingsOf(source);
  noteUnknown(attributes, notes);
  const fit = fitted(certificateSpec, spec, ['siteID', 'siteRef', 'secretRef'], source);
  if (!fit.spec) return { secrets: [], findings: fit.findings };
  return {
    manifest: { kind: 'SiteCertificate', name, spec: fit.spec, from: [address] },
    secrets: [
      {
        name: secretName,
        type: 'kubernetes.io/tls',
        values: { 'tls.crt': new SecretValue(chain), 'tls.key': new SecretValue(key) },
      },
    ],
    findings: [...notes.findings, ...fit.findings],
  };
}
