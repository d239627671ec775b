import type { Mutant } from './mutant.ts';
import { storyAbout } from './near-stories.ts';

/*
 * Which lives are worth living first. A script that has in it what a fault needs to show comes before others; all seeds are
 * lived through in the end, so that this saves time and changes nothing else.
 */

const kill = /"what":"kill"/;
const twoLeaders = [/"leaderElect":true/, /"replicas":2/, /"what":"suspend"/];
const gateways = /"plural":"mobilegateways"/;
const sites = /"plural":"webaccelsites"/;
const certificates = /"plural":"sitecertificates"/;
const smallHour = /"webAccelRequestsPerHour":\d/;
const hour = [smallHour, sites, certificates];
const creation = String.raw`"route":"POST (?:/appliance|/commonserviceitem)",`;
const upload = String.raw`"route":"(?:PUT|POST) webaccel/site/:id/certificate",`;
const unclear = String.raw`"fault":(?:"lost-answer"|"stall"|"delayed-arrival"|\{"service":"(?:\w+ )*after"\})`;
const unclearCreation = [new RegExp(creation + unclear)];
const unclearUpload = [new RegExp(upload + unclear), certificates];
const killedCreation = [
  new RegExp(`"what":"kill"[^}]*"(?:written|arrived|answered)","to":"service",${creation.slice(0, -1)}`),
];
const removal = /"patch":\{"spec":\{[^{}]*"\w+":null/;
const edits = (member: string) =>
  new RegExp(`"what":"edit","patch":\\{"\\w+":\\{"[^"]*":\\{(?:"settings":\\{)?"${member}"`);

/** By the name of the fault. */
const byName: Readonly<Record<string, readonly RegExp[]>> = {
  'gone-not-relisted': [/"what":"compact"/, /"kubernetes":410/],
  'deleted-event-ignored': [/"what":"delete"/],
  'late-answer-brings-back-the-dead': [
    /"route":"patch \w+(?:\/status)?","fault":"(?:slow|lost-answer|stall)"/,
    /"what":"delete"/,
  ],
  'no-fence-before-kubernetes-write': twoLeaders,
  'leader-for-ever': twoLeaders,
  'lease-taken-from-the-living': twoLeaders,
  'lost-leadership-not-told': [
    /"replicas":1,"leaderElect":true/,
    /"to":"kubernetes","fault":"refused","count":10000|"resource":"leases"|"what":"suspend"/,
  ],
  'throttling-not-heeded': [/too many requests, retry later/],
  'permit-kept-after-abort': [/"authentication":"Digest"/],
  'stale-nonce-taken-for-refusal': [/"authentication":"Digest"/, /nonceLifetime/],
  'non-idempotent-write-repeated': [...unclearCreation, ...unclearUpload],
  'conflict-423-taken-for-good': [/"service":"locked"/],
  'unavailable-taken-for-not-begun': [
    new RegExp(`${creation}"fault":\\{"service":"(?:internal error after|timeout after|gateway timeout after)`),
    gateways,
  ],
  'timeout-taken-for-not-sent': [new RegExp(`${creation}"fault":(?:"stall"|\\{"service":"stall after)`), gateways],
  'cut-connection-taken-for-not-sent': [
    new RegExp(`${creation}"fault":(?:"lost-answer"|\\{"service":"cut after)`),
    gateways,
  ],
  'unclear-creation-taken-for-refused': [...unclearCreation, gateways],
  'failing-operation-never-probed-again': [/"to":"service","fault"/],
  'circuit-of-account-never-closes': [/"what":"accept"/, /"service":"unauthorized"/],
  'hour-one-too-many': hour,
  'hour-of-fifty-minutes': hour,
  'request-before-record': [...hour, kill],
  'restored-reserve-not-counted': [...hour, kill],
  'record-confirmed-before-it-is-stored': [...hour, kill],
  'hour-not-restored': [...hour, kill],
  'record-read-by-own-clock': [/"what":"step clock"[^}]*"milliseconds":3600000/, sites, kill],
  'thorough-for-ever': [/"encore":\[\{"act":\{"what":"patch","ref":\{"plural":"sims"/],
  'spacing-ignored': [sites, certificates],
  'spacing-counted-from-grant': [sites, certificates, /webaccel[^"]*","fault":"slow"/],
  'aborted-waiter-keeps-its-place': [/"cloudRequestsPerSecond":2/],
  'poll-ends-with-first-failure': [
    /"route":"GET (?:\/commonserviceitem|\/appliance|webaccel\/site)","fault"/,
    /"to":"service","fault"/,
  ],
  'first-page-taken-for-all': [/pageLimit/, /list misses a member|list total too high/],
  'missing-from-list-taken-for-gone': [/list misses a member/],
  'finalizer-after-creation': [...killedCreation, ...unclearCreation],
  'new-object-taken-for-gone': [/"service":"shown late"|"shownAfterCreate":[18]/, gateways],
  'sent-creation-not-noted': [...unclearCreation, gateways],
  'gateway-intent-not-written': [gateways, ...unclearCreation, ...killedCreation],
  'pending-not-written': [/"what":"kill"[^}]*"(?:arrived|answered)","to":"service","route":"PUT/, removal],
  'observe-writes': [/"managementPolicy":"Observe"/],
  'orphan-policy-ignored': [/"deletionPolicy":"Orphan"/, /"what":"delete"/],
  'orphan-never-goes': [/"deletionPolicy":"Orphan"/, /"what":"delete"/],
  'adopted-object-deleted': [/"what":"delete"/],
  'sim-reconnected-again-and-again': [/edgeline.dev\/reconnect-at/],
  'passing-failure-stalls': [/"route":"(?:PUT|POST|DELETE) [^"]*","fault"/],
  'secret-change-missed': [certificates],
  'annotations-not-noticed': [/edgeline.dev\/paused":null/],
  'namespace-not-noticed': [/"plural":"namespaces"[^}]*\},"patch"/],
  'sim-created-though-adoption-required': [/"adoption":"Required"/],
  'sim-lock-not-removed': [/"imeiLock":null/],
  'sim-imei-drift-not-seen': [edits('imeiLock'), /"dialect":"Extended"/],
  'sim-address-not-cleared': [/"ipAddress":null/],
  'sim-carriers-known-for-ever': [edits('carriers')],
  'sim-carriers-not-allowed-again': [/"carriers":null/],
  'sim-activation-not-unset': [/"activated":null/],
  'gateway-settings-not-unset': [
    /"(?:internetConnection|interDeviceCommunication|privateInterface|staticRoutes)":null/,
  ],
  'gateway-other-settings-reset': [/"resourceID"/, gateways],
  'gateway-foreign-monitoring-removed': [/"gateways":\[[^\]]*"trafficMonitoring"/, /"resourceID":"1133/],
  'chat-sent-in-the-other-dialect': [/"chatWebhookSecretRef"/, /"dialect":"Extended"/],
  'email-on-with-chat': [/"chatWebhookSecretRef"/],
  'gateway-details-known-for-ever': [edits('dns'), edits('trafficMonitoring'), edits('simRoutes')],
  'gateway-removed-sim-route-stays': [/"simRoutes"/],
  'sim-route-behind-wrong-member': [/"simRoutes":\[\{[^\]]*\},\{/],
  'static-route-swapped': [/"staticRoutes":\[\{/],
  'site-one-time-secret-change-missed': [/"data":\{"once/, /"oneTimeURLSecretRef"/],
  'site-one-time-secret-not-removed': [/"oneTimeURLSecretRef":null/],
  'site-credentials-change-missed': [/"objectStorage"/, /"name":"bucket"[^}]*\},"manifest"/],
  'site-cors-not-unset': [/"cors":null/],
  'site-settings-known-for-ever': [edits('(?:RequestProtocol|DefaultCacheTTL|VarySupport|NormalizeAE|CORSRules)')],
  'document-index-never-sent': [/"documentIndex":true/],
  'bucket-without-a-bottom': [/"cloudRequestsPerSecond":2\b/],
  'lowered-limit-not-heeded': [/"patch":\{"spec":\{"limits"/],
  'lost-record-covers-on': [...hour, kill],
  'details-never-read-again': [edits('carriers'), edits('dns'), edits('trafficMonitoring')],
};

const byFile: readonly (readonly [prefix: string, near: readonly RegExp[]])[] = [
  ['src/kinds/mobile-gateway/', [gateways]],
  ['src/cloud/gateway/', [gateways]],
  ['src/kinds/web-accel-site/', [sites]],
  ['src/cloud/site/', [sites]],
  ['src/kinds/site-certificate/', [certificates]],
  ['src/operator/certificates.ts', [certificates]],
];

/** What a script should have in it for a fault to show. */
export function nearOf({ name, file }: Mutant): readonly RegExp[] {
  return storyAbout(name) ?? byName[name] ?? byFile.find(([prefix]) => file.startsWith(prefix))?.[1] ?? [];
}

/** A mixed life takes as long as so many that tell a story. */
const STORIES_PER_MIXED = 3;

/**
 * Seeds, those with more of what is looked for first. What anything may happen in has more of everything: so that it does not
 * come before all that is quickly told, half of the time is for either. Pure.
 */
export function nearestFirst(
  seeds: readonly { readonly seed: number; readonly text: string }[],
  near: readonly RegExp[],
): number[] {
  const ranked = seeds
    .map(({ seed, text }) => ({
      seed,
      isMixed: !text.includes('"story":'),
      rank: near.filter((one) => one.test(text)).length,
    }))
    .toSorted((a, b) => b.rank - a.rank || a.seed - b.seed);
  const placed = (of: boolean, step: number) =>
    ranked.filter(({ isMixed }) => isMixed === of).map(({ seed }, index) => ({ seed, place: index * step }));
  return [...placed(false, 1), ...placed(true, STORIES_PER_MIXED)]
    .toSorted((a, b) => a.place - b.place)
    .map(({ seed }) => seed);
}
