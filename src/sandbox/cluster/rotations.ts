import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { createInformer, type Informer } from '../../kubernetes/informer.ts';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { createLogger } from '../../telemetry/log.ts';
import type { Cluster } from './cluster.ts';

/** A renewed certificate has come to its site. */
export interface Rotation {
  readonly site: string;
  /** Counts the certificates the site had since the sandbox began to look; the first rotation brings number 2. */
  readonly number: number;
  readonly serialNumber: string;
  /** Milliseconds between the change of the Secret and the status that says so, as seen from here. */
  readonly lag: number;
}

/** A TLS Secret without what is secret in it. */
interface TLSSecret extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly fingerprint?: string;
}

interface SiteCertificate extends KubernetesObject {
  readonly spec: { readonly secretRef: { readonly name: string } };
  readonly status?: {
    readonly site?: string;
    readonly current?: { readonly sha256Fingerprint: string; readonly serialNumber?: string };
  };
}

const secrets: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
const siteCertificates: Resource = {
  group: 'edgeline.dev',
  version: 'v1alpha1',
  plural: 'sitecertificates',
  kind: 'SiteCertificate',
  namespaced: true,
};

/**
 * Watches the SiteCertificates of a namespace and the Secrets they name, and tells of each certificate that came to its
 * site after the first.
 *
 * @returns what stops it.
 */
export function watchRotations(
  cluster: Cluster,
  options: {
    readonly namespace: string;
    readonly clock: Clock;
    readonly random: () => number;
    readonly onRotation: (rotation: Rotation) => void;
  },
): () => Promise<void> {
  const { namespace, clock, random, onRotation } = options;
  const common = {
    client: cluster.client,
    namespaces: [namespace],
    clock,
    random,
    log: createLogger({ level: 'silent', format: 'json' }),
  };
  const secretInformer: Informer<TLSSecret> = createInformer<TLSSecret>({
    ...common,
    resource: secrets,
    fieldSelector: 'type=kubernetes.io/tls',
    transform: withoutSecrets,
  });
  const certificateInformer = createInformer<SiteCertificate>({ ...common, resource: siteCertificates });

  /** When the certificate that is in a Secret now was first seen there. */
  const changed = new Map<string, { fingerprint: string; at: number }>();
  const onSites = new Map<string, { fingerprint: string; number: number }>();

  function look(certificate: SiteCertificate): void {
    const { current, site = certificate.metadata.name } = certificate.status ?? {};
    const secret = changed.get(certificate.spec.secretRef.name);
    // The two watches are apart: either may be the first to show a rotation.
    if (!current || !secret || secret.fingerprint !== plain(current.sha256Fingerprint)) return;
    const before = onSites.get(certificate.metadata.name);
    if (before?.fingerprint === secret.fingerprint) return;
    const number = (before?.number ?? 0) + 1;
    onSites.set(certificate.metadata.name, { fingerprint: secret.fingerprint, number });
    if (number === 1) return;
    onRotation({ site, number, serialNumber: current.serialNumber ?? '', lag: clock.monotonic() - secret.at });
  }

  secretInformer.onChange(({ new: secret }) => {
    const name = secret?.metadata.name;
    if (name === undefined || secret?.fingerprint === undefined) return;
    if (changed.get(name)?.fingerprint === secret.fingerprint) return;
    changed.set(name, { fingerprint: secret.fingerprint, at: clock.monotonic() });
    for (const certificate of certificateInformer.list()) {
      if (certificate.spec.secretRef.name === name) look(certificate);
    }
  });
  certificateInformer.onChange(({ new: certificate }) => {
    if (certificate) look(certificate);
  });
  secretInformer.start();
  certificateInformer.start();
  return async () => void (await Promise.all([secretInformer.stop(), certificateInformer.stop()]));
}

function withoutSecrets({ data, ...secret }: TLSSecret): TLSSecret {
  try {
    const leaf = new X509Certificate(Buffer.from(data?.['tls.crt'] ?? '', 'base64'));
    return { ...secret, fingerprint: plain(leaf.fingerprint256) };
  } catch {
    return secret;
  }
}

/** `AB:CD` and `abcd` are the same fingerprint. */
function plain(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase();
}

/** `shop.example.jp: certificate 3 (serial 5f…) is on the site, 0.2 s after its Secret changed`. */
export function rotationLine({ site, number, serialNumber, lag }: Rotation): string {
  const serial = serialNumber === '' ? '' : ` (serial ${serialNumber.slice(0, 8)}…)`;
  return `${site}: certificate ${number}${serial} is on the site, ${(lag / 1_000).toFixed(2)} s after its Secret changed`;
}
