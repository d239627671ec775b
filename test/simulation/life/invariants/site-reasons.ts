import type { SiteView } from '../../../../src/shadow/service/types.ts';
import { certificates } from '../../certificates.ts';
import type { Incarnation } from '../intent.ts';
import { at, textAt } from '../json.ts';
import { meansSite } from '../reading/site.ts';
import type { Scene } from '../scene.ts';
import { packed } from './certificates.ts';
import {
  accountOf,
  accountReasons,
  commonReasons,
  type Reasons,
  rivals,
  secretNow,
  wanted,
  worldOf,
} from './diagnosis.ts';

/** The site that a WebAccelSite or a SiteCertificate means now. */
export function siteOf(scene: Scene, incarnation: Incarnation): SiteView | undefined {
  const version = wanted(incarnation);
  const site = textAt(version.spec, 'siteRef', 'name');
  if (site !== undefined) {
    const found = scene.intent
      .named('webaccelsites', incarnation.namespace, site)
      .findLast(({ goneAt }) => goneAt === undefined);
    return found && siteOf(scene, found);
  }
  const account = accountOf(scene, incarnation);
  const world = account && worldOf(scene, account);
  if (world === undefined) return undefined;
  return [...scene.world.service.world(world).sites.values()].find((view) => meansSite(version, view));
}

/** What stands in the way of everything, and with few requests an hour also the hour. */
function reasonsOfTheHour(scene: Scene, incarnation: Incarnation): Reasons {
  const reasons = commonReasons(scene, incarnation);
  const account = accountOf(scene, incarnation);
  if (account && at(wanted(account).spec, 'limits', 'webAccelRequestsPerHour') !== undefined)
    reasons.add('Queued').add('Throttled');
  return reasons;
}

export function siteReasons(scene: Scene, incarnation: Incarnation, view: SiteView | undefined): Reasons {
  const reasons = reasonsOfTheHour(scene, incarnation);
  const { spec } = wanted(incarnation);
  if (!view) return reasons.add('SiteNotFound').add('SiteNotListed');
  if (rivals(scene, incarnation, (_, other) => hasOrMeans(scene, other, view.id))) reasons.add('AlreadyManaged');
  if (view.status !== 'enabled') reasons.add('Disabled');
  const storage = spec['origin'] && textAt(spec, 'origin', 'objectStorage', 'credentialsSecretRef', 'name');
  const has = (name: string, key: string) => Boolean(secretNow(scene, incarnation.namespace, name, key));
  if (typeof storage === 'string' && !(has(storage, 'accessKeyID') && has(storage, 'secretAccessKey'))) {
    reasons.add('SecretNotFound').add('SecretKeyMissing');
  }
  const once = textAt(spec, 'oneTimeURLSecretRef', 'name');
  if (once !== undefined && !has(once, textAt(spec, 'oneTimeURLSecretRef', 'key') ?? '')) {
    reasons.add('SecretNotFound').add('SecretKeyMissing');
  }
  return reasons;
}

export function certificateReasons(scene: Scene, incarnation: Incarnation, view: SiteView | undefined): Reasons {
  const reasons = reasonsOfTheHour(scene, incarnation);
  const { spec } = wanted(incarnation);
  const site = textAt(spec, 'siteRef', 'name');
  if (
    site !== undefined &&
    !scene.intent.named('webaccelsites', incarnation.namespace, site).some(({ goneAt }) => goneAt === undefined)
  ) {
    reasons.add('SiteNotFound');
  }
  if (!view) return reasons.add('SiteNotFound').add('SiteNotReady');
  if (site !== undefined && !hasSite(scene, incarnation, site)) reasons.add('SiteNotReady');
  addAccountMismatch(scene, incarnation, site, reasons);
  // The certificate of a site is a matter of the namespace that its WebAccelSite is in.
  const isElsewhere = (other: Incarnation) =>
    other.namespace !== incarnation.namespace && hasOrMeans(scene, other, view.id);
  if (
    rivals(scene, incarnation, (_, other) => hasOrMeans(scene, other, view.id)) ||
    (site === undefined && rivals(scene, incarnation, (_, other) => isElsewhere(other), 'webaccelsites'))
  )
    reasons.add('AlreadyManaged');
  const name = textAt(spec, 'secretRef', 'name');
  const chain = secretNow(scene, incarnation.namespace, name, 'tls.crt');
  if (chain === undefined) return reasons.add('SecretNotFound').add('SecretKeyMissing');
  const certificate = certificates.find((one) => leafOf(one.chain) === leafOf(chain));
  if (!certificate) return reasons.add('CertificateUnreadable');
  const now = scene.world.epoch + scene.world.now();
  if (certificate.notAfter <= now) reasons.add('Expired');
  if (certificate.notAfter - now < Math.max((certificate.notAfter - certificate.notBefore) / 5, 14 * 86_400_000))
    reasons.add('ExpiresSoon');
  if (certificate.notBefore > now) reasons.add('NotYetValid');
  if (certificate.name === 'a-temporary') reasons.add('TemporaryCertificate').add('Rejected');
  if (certificate.name === 'a-self-signed') reasons.add('Rejected');
  if (!certificate.domains.some((domain) => covers(domain, view.asciiDomain) || covers(domain, view.subdomain)))
    reasons.add('DomainNotCovered');
  const current = certificates.find((one) => view.current && leafOf(one.chain) === leafOf(view.current.chain));
  if (current && current.notBefore > certificate.notBefore && spec['allowRollback'] !== true)
    reasons.add('OlderThanCurrent');
  return reasons;
}

/** It has the site in its status, or means it. */
function hasOrMeans(scene: Scene, other: Incarnation, id: string): boolean {
  return siteOf(scene, other)?.id === id || textAt(other.object, 'status', 'siteID') === id;
}

/** The WebAccelSite has found its site. */
function hasSite(scene: Scene, { namespace }: Incarnation, name: string): boolean {
  const found = scene.intent.named('webaccelsites', namespace, name).findLast(({ goneAt }) => goneAt === undefined);
  return textAt(found?.object, 'status', 'siteID') !== undefined;
}

function addAccountMismatch(scene: Scene, incarnation: Incarnation, site: string | undefined, reasons: Reasons): void {
  const found =
    site === undefined
      ? undefined
      : scene.intent.named('webaccelsites', incarnation.namespace, site).findLast(({ goneAt }) => goneAt === undefined);
  if (!found) return;
  const [own, other] = [accountOf(scene, incarnation), accountOf(scene, found)];
  if (own === other) return;
  reasons.add('AccountMismatch');
  // Which account a site is in shows while that can be used.
  for (const reason of other ? accountReasons(scene, other) : []) reasons.add(reason);
}

/** Whether a certificate for a domain, which may begin with `*.`, is for a host. */
export function covers(domain: string, host: string): boolean {
  if (!domain.startsWith('*.')) return domain === host;
  return host.split('.').slice(1).join('.') === domain.slice(2);
}

/** The first certificate of a chain. */
export function leafOf(chain: string): string | undefined {
  return packed(chain).split('-----ENDCERTIFICATE-----')[0];
}
