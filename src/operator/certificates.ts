import { isDeepStrictEqual } from 'node:util';
import { detailRates } from '../kinds/common/turns.ts';
import { claimKeys, refKey } from '../kinds/site-certificate/claims.ts';
import { certificateDrift } from '../kinds/site-certificate/drift-table.ts';
import { createCertificateKind } from '../kinds/site-certificate/kind.ts';
import { createCertificateKnowledge } from '../kinds/site-certificate/known.ts';
import { createPatience } from '../kinds/site-certificate/patience.ts';
import type { SiteCertificate } from '../kinds/site-certificate/schema.ts';
import { createUnlistedSites } from '../kinds/site-certificate/unlisted-sites.ts';
import { claimKeys as siteKeys, sitesShown } from '../kinds/web-accel-site/claims.ts';
import type { WebAccelSite } from '../kinds/web-accel-site/schema.ts';
import { Annotation, isSet } from '../reconcile/annotations.ts';
import { createClaims } from '../reconcile/claims.ts';
import { createIndex } from '../reconcile/indexer.ts';
import { createLooks } from '../reconcile/looks.ts';
import { createManagedReconciler } from '../reconcile/managed.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import { isStatusOfAnother } from '../reconcile/restored.ts';
import { createDetailTurns, lookAtAll } from './detail-turns.ts';
import { createHolders } from './holders.ts';
import { lookWhereShown, watchLists } from './watch-lists.ts';
import { watchManaged } from './watch-managed.ts';
import type { WiredKind, Wiring } from './wiring.ts';

/** Connects SiteCertificates: to their Secrets and WebAccelSites, to the list of sites, and to rivals for one site. */
export function wireCertificates(wiring: Wiring): WiredKind {
  const { informers, engine, metrics, registry, enqueue, clock } = wiring;
  const informer = informers.of.SiteCertificate;
  const byKey = createIndex(informer, claimKeys);
  const sitesByKey = createIndex(informers.of.WebAccelSite, siteKeys);
  const claims = createClaims<SiteCertificate>('SiteCertificate', engine.accounts, engine.time.latest, sitesShown);
  const patience = createPatience(clock);
  const knowledge = createCertificateKnowledge(clock, engine.shownMilliseconds, wiring.earlierActedUntil);
  const unlisted = createUnlistedSites(clock);
  const looks = createLooks(clock);
  const byID = createIndex(informer, ({ status }) => (status?.id === undefined ? [] : [status.id]));
  /** When its Secret changed, by the certificate's UID, monotonic milliseconds; until it is on its site. */
  const renewedAt = new Map<string, number>();
  const keyOfCertificate = (object: SiteCertificate) => keyOf('SiteCertificate', object.metadata);
  const secretOf = ({ metadata, spec }: SiteCertificate) => `${metadata.namespace}/${spec.secretRef.name}`;
  const bySecret = createIndex(informer, (object) => [secretOf(object)]);

  const kind = createCertificateKind({
    clock,
    accounts: engine.accounts,
    claims,
    losses: wiring.losses,
    byKey,
    patience,
    sitesByKey,
    site: (namespace, name) => informers.of.WebAccelSite.get(namespace, name),
    secrets: wiring.secrets,
    knowledge,
    unlisted,
    looks,
    onUploaded(object) {
      const at = renewedAt.get(object.metadata.uid);
      renewedAt.delete(object.metadata.uid);
      if (at !== undefined) metrics.certificateUploaded((clock.monotonic() - at) / 1000);
    },
    // What changed of the Secret was not the certificate: the next one that is put on the site is not late by that.
    onSame({ metadata: { uid } }, readAt) {
      if ((renewedAt.get(uid) ?? readAt) < readAt) renewedAt.delete(uid);
    },
  });
  // Before the passes are asked for, so that none of them can be faster than the note.
  informer.onChange(({ old, new: current }) => {
    if (!old && current) knowledge.met(current);
  });
  informers.secrets.onChange(({ old, new: current }) => {
    const { metadata } = current ?? old ?? {};
    for (const { metadata: users } of bySecret.get(`${metadata?.namespace}/${metadata?.name}`)) {
      if (!current) renewedAt.delete(users.uid);
      else if (old) renewedAt.set(users.uid, clock.monotonic());
    }
  });
  const reconciler = createManagedReconciler(kind, informer, engine);
  const turns = createDetailTurns<SiteCertificate>(wiring, {
    holders: createHolders('SiteCertificate', informer, claims),
    read: lookAtAll(wiring, () => reconciler),
    rate: detailRates.certificates,
    requests: () => 1,
    least: wiring.sitePollMilliseconds,
    known: knowledge.last,
  });

  watchManaged(wiring, {
    informer,
    reconciler,
    secretsOf: kind.secretsOf,
    rivalsOf: (object) => claimKeys(object).flatMap((key) => byKey.get(key)),
    onGone(object) {
      claims.drop(object.metadata.uid);
      patience.drop(object.metadata.uid);
      knowledge.drop(object.metadata.uid);
      unlisted.drop(object.metadata.uid);
      looks.drop(object.metadata.uid);
      turns.forget(object.metadata.uid);
      renewedAt.delete(object.metadata.uid);
    },
  });
  informers.of.WebAccelSite.onChange(({ old, new: current }) => {
    const site = current ?? old;
    if (!site || (old && current && isSameToCertificates(old, current))) return;
    // Who names the site by its ID may have waited for a WebAccelSite of another namespace.
    const keys = [refKey(site.metadata.namespace, site.metadata.name), old?.status?.id, current?.status?.id];
    const users = keys.flatMap((key) => (key === undefined ? [] : byKey.get(key)));
    for (const object of new Set(users)) enqueue(keyOfCertificate(object), 'change');
  });
  registry.onSite((identity, { id }) => lookWhereShown(wiring, 'SiteCertificate', identity, byKey.get(id)));
  registry.onList({ sites: watchLists(wiring, 'SiteCertificate', byID, certificateDrift) });
  // As last observed, also while nothing can be observed: that one expires must not be forgotten with an account's trouble.
  metrics.ask((show) => {
    for (const { metadata, status } of informer.list()) {
      const { namespace = '', name } = metadata;
      const labels = { namespace, name, site: status?.site ?? '' };
      const current = Date.parse(status?.current?.notAfter ?? '') / 1000;
      const previous = Date.parse(status?.previous?.notAfter ?? '') / 1000;
      if (!Number.isNaN(current)) show('edgeline_site_certificate_not_after_timestamp_seconds', labels, current);
      if (wiring.resourceMetrics === 'none' || Number.isNaN(previous)) continue;
      show('edgeline_site_certificate_previous_not_after_timestamp_seconds', labels, previous);
    }
  });

  return {
    reconciler,
    informer,
    audit: () => turns.take(informer.list()),
  };
}

/** Certificates look at where the site is and whose it is, and not at its settings. */
function isSameToCertificates(old: WebAccelSite, current: WebAccelSite): boolean {
  const { status: a } = old;
  const { status: b } = current;
  return (
    isStatusOfAnother(old) === isStatusOfAnother(current) &&
    isSet(old, Annotation.abandon) === isSet(current, Annotation.abandon) &&
    a?.seal === b?.seal &&
    a?.id === b?.id &&
    a?.createdAt === b?.createdAt &&
    a?.subdomain === b?.subdomain &&
    a?.asciiDomain === b?.asciiDomain &&
    isDeepStrictEqual(a?.accountRef, b?.accountRef)
  );
}
