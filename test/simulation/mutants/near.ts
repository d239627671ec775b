import type { Mutant } from './mutant.ts';
import { storyOf } from './near-stories.ts';

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

/** A life that tells this story. */
const tells = (story: string) => new RegExp(`"story":"${story}"`);

const told = (story: string) => [new RegExp(`"story":"${story}"`)];

/** By the name of the fault. */
const byName: Readonly<Record<string, readonly RegExp[]>> = {
  'outcome-told-of-a-newer-spec': [/"story":"edited meanwhile"/],
  'list-without-items-accepted': [tells('lists fail')],
  'account-ready-though-lists-fail': [tells('lists fail')],
  'own-write-never-announced': [/"story":"at once"/],
  'forbidden-write-stops-the-account': [/"story":"forbidden"/],
  'holding-never-renewed': [/"story":"rivals"/],
  'ready-in-spite-of-impairment': [/"story":"half way"/],
  'secret-echoed-in-error': [/"story":"repeated"/],
  'holding-of-another-believed-own': [/"story":"rivals"/],
  'holding-taken-from-another-installation': [/"story":"rivals"/],
  'restored-history-not-noticed': [/"story":"restored cluster"/],
  'account-secret-change-missed': [tells('other credentials')],
  'changed-secret-not-tried': [tells('other credentials')],
  'other-account-not-noticed': [tells('other credentials')],
  'usable-account-not-told': [tells('account last')],
  'account-never-goes': [tells('account last')],
  'account-goes-while-in-use': [tells('account last')],
  'gone-not-relisted': [/"what":"compact"/, /"kubernetes":410/],
  'deleted-event-ignored': [/"what":"delete"/],
  'relist-keeps-what-is-gone': [/"story":"away"/],
  'late-answer-brings-back-the-dead': [
    /"route":"patch \w+(?:\/status)?","fault":"(?:slow|lost-answer|stall)"/,
    /"what":"delete"/,
  ],
  'no-fence-before-kubernetes-write': twoLeaders,
  'no-fence-before-service-write': [/"story":"stood still"/],
  'leader-for-ever': twoLeaders,
  'lease-taken-from-the-living': twoLeaders,
  'lost-leadership-not-told': [
    /"replicas":1,"leaderElect":true/,
    /"to":"kubernetes","fault":"refused","count":10000|"resource":"leases"|"what":"suspend"/,
  ],
  'status-written-unconditionally': [/"story":"crossed"/],
  'no-guard-before-service-write': [/"story":"unsent"/],
  'pause-while-waiting-ignored': [/"story":"unsent"/],
  'change-while-waiting-ignored': [/"story":"unsent"/],
  'throttling-not-heeded': [/too many requests, retry later/],
  'permit-kept-after-abort': [/"authentication":"Digest"/],
  'stale-nonce-taken-for-refusal': [/"authentication":"Digest"/, /nonceLifetime/],
  'non-idempotent-write-repeated': [...unclearCreation, ...unclearUpload],
  'refusal-taken-for-success': [/"story":"denied"/],
  'conflict-423-taken-for-good': [/"service":"locked"/],
  'unavailable-taken-for-not-begun': [
    new RegExp(`${creation}"fault":\\{"service":"(?:internal error after|timeout after|gateway timeout after)`),
    gateways,
  ],
  'not-found-of-a-proxy-believed': [/"story":"proxy"/],
  'timeout-taken-for-not-sent': [new RegExp(`${creation}"fault":(?:"stall"|\\{"service":"stall after)`), gateways],
  'cut-connection-taken-for-not-sent': [
    new RegExp(`${creation}"fault":(?:"lost-answer"|\\{"service":"cut after)`),
    gateways,
  ],
  'unclear-creation-taken-for-refused': [...unclearCreation, gateways],
  'failing-operation-never-probed-again': [/"to":"service","fault"/],
  'circuit-of-account-never-closes': [/"what":"accept"/, /"service":"unauthorized"/],
  'hour-one-too-many': hour,
  'hour-forgets-failed-requests': [tells('spent hour')],
  'hour-of-fifty-minutes': hour,
  'reads-use-up-the-hour': [tells('quiet hour')],
  'request-before-record': [...hour, kill],
  'restored-reserve-not-counted': [...hour, kill],
  'record-confirmed-before-it-is-stored': [...hour, kill],
  'hour-not-restored': [...hour, kill],
  'highest-limit-counts': [tells('spent hour')],
  'hour-forgotten-with-its-account': [tells('spent hour')],
  'spacing-ignored': [sites, certificates],
  'spacing-counted-from-grant': [sites, certificates, /webaccel[^"]*","fault":"slow"/],
  'aborted-waiter-keeps-its-place': [/"cloudRequestsPerSecond":2/],
  'list-dated-by-its-end': [tells('slow lists')],
  'poll-ends-with-first-failure': [
    /"route":"GET (?:\/commonserviceitem|\/appliance|webaccel\/site)","fault"/,
    /"to":"service","fault"/,
  ],
  'vanished-item-not-announced': [tells('all at once')],
  'incomplete-list-replaces-all': [/list misses a member|list total too high/, ...unclearCreation],
  'first-page-taken-for-all': [/pageLimit/, /list misses a member|list total too high/],
  'missing-from-list-taken-for-gone': [/list misses a member/],
  'many-missing-believed': [tells('all at once')],
  'gone-counted-as-there': [tells('all at once')],
  'certificate-uploaded-unlooked': [tells('renewed')],
  'certificate-arrival-not-waited-for': [tells('renewed')],
  'certificate-unclear-upload-repeated': [tells('renewed')],
  'certificate-late-upload-not-expected': [tells('renewed')],
  'upload-repeated': [tells('renewed')],
  'certificate-drift-not-seen': [tells('site drift')],
  'certificate-details-known-for-ever': [certificates, /"certificate":\{"chain"[^}]*\}\}\}\}/],
  'finalizer-after-creation': [...killedCreation, ...unclearCreation],
  'settle-time-not-waited': [tells('unclear creation')],
  'absence-believed-at-once': [tells('unclear creation')],
  'new-object-taken-for-gone': [/"service":"shown late"|"shownAfterCreate":[18]/, gateways],
  'sent-creation-not-noted': [...unclearCreation, gateways],
  'gateway-intent-not-written': [gateways, ...unclearCreation, ...killedCreation],
  'gateway-of-the-name-taken-for-own': [gateways, ...unclearCreation, /"kind":"gateways"/],
  'sim-that-existed-taken-for-own-work': [...killedCreation, /"what":"restore"/, /"what":"add"/],
  'everything-is-unfinished-work': [tells('whose it is')],
  'restored-status-believed': [tells('whose it is')],
  'vanished-id-kept-over-new-creation': [/"what":"remove"/, ...killedCreation, ...unclearCreation],
  'intent-kept-after-refusal': [tells('whose it is')],
  'pending-not-written': [/"what":"kill"[^}]*"(?:arrived|answered)","to":"service","route":"PUT/, removal],
  'write-ahead-failure-ignored': [/"route":"patch \w+\/status","fault"/, kill, removal],
  'observe-writes': [/"managementPolicy":"Observe"/],
  'observed-object-deleted': [tells('whose it is')],
  'orphan-policy-ignored': [/"deletionPolicy":"Orphan"/, /"what":"delete"/],
  'orphan-never-goes': [/"deletionPolicy":"Orphan"/, /"what":"delete"/],
  'adopted-object-deleted': [/"what":"delete"/],
  'abandon-ignored': [tells('whose it is')],
  'finalizer-off-though-deletion-failed': [tells('refused deletion')],
  'reconcile-at-never-handled': [/"story":"looked at"/],
  'sim-reconnected-again-and-again': [/edgeline.dev\/reconnect-at/],
  'conflict-swallowed': [/"story":"crossed"/],
  'passing-failure-stalls': [/"route":"(?:PUT|POST|DELETE) [^"]*","fault"/],
  'refusal-outlives-new-secret': [tells('put right')],
  'secret-read-shared-with-older': [/"story":"shared secret"/],
  'secret-change-missed': [certificates],
  'annotations-not-noticed': [/edgeline.dev\/paused":null/],
  'namespace-not-noticed': [/"plural":"namespaces"[^}]*\},"patch"/],
  'paused-account-goes-on': [tells('paused account')],
  'sim-adopted-though-never': [/"adoption":"Never"/],
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
  'site-ready-though-disabled': [/disabled/],
  'details-never-read-again': [edits('carriers'), edits('dns'), edits('trafficMonitoring')],
  'reverted-change-not-noticed': [tells('put back')],
  'new-sim-of-the-list-not-noticed': [/"adoption":"Required"/, /"what":"add"/],
  'half-way-not-seen': [/"story":"half way"/],
  'nothing-looked-at-after-start': [/"story":"restarted"/],
  'gateway-never-started': [gateways, /"dialect":"Extended"/],
  'host-header-never-emptied': told('site settings'),
  'site-origin-field-not-unset': told('site settings'),
  'site-type-change-without-type': told('site settings'),
  'site-acl-order-ignored': told('site settings'),
  'site-one-time-secret-unclear-forgotten': told('one-time secret'),
  'certificate-expired-uploaded': told('wrong certificate'),
  'certificate-not-yet-valid-uploaded': told('wrong certificate'),
  'certificate-older-uploaded': told('wrong certificate'),
  'certificate-of-another-domain-uploaded': told('wrong certificate'),
  'certificate-chain-change-missed': told('wrong certificate'),
  'certificate-ready-with-that-of-another': told('wrong certificate'),
  'certificate-ready-after-expiry': told('expiry'),
  'certificate-generations-exchanged': told('expiry'),
  'site-list-drift-not-seen': told('site drift'),
  'site-claim-ignored': told('two for one'),
  'certificate-claim-ignored': told('two for one'),
  'claim-of-the-same-account-ignored': told('two for one'),
  'youngest-has-the-claim': told('two for one'),
  'rival-not-told': told('two for one'),
  'secret-change-no-other-try': told('put right'),
  'certificate-not-told-of-site': told('put right'),
  'released-field-stays-applied': told('let go'),
  'found-field-counts-as-written': told('let go'),
  'applied-though-step-failed': told('let go'),
  'creation-fields-not-own': told('begun'),
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
  return storyOf(name) ?? byName[name] ?? byFile.find(([prefix]) => file.startsWith(prefix))?.[1] ?? [];
}

/** Seeds, those with more of what is looked for first. Pure. */
export function nearestFirst(
  seeds: readonly { readonly seed: number; readonly text: string }[],
  near: readonly RegExp[],
): number[] {
  const ranked = seeds.map(({ seed, text }) => ({ seed, rank: near.filter((one) => one.test(text)).length }));
  return ranked.toSorted((a, b) => b.rank - a.rank || a.seed - b.seed).map(({ seed }) => seed);
}
