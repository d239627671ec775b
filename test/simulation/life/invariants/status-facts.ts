import type { GatewayView, SimView, SiteView } from '../../../../src/shadow/service/types.ts';
import { certificates } from '../../certificates.ts';
import { isLongOver, isLongWithin } from '../data-limit.ts';
import { conditionOf, type Incarnation } from '../intent.ts';
import { at, same, textAt } from '../json.ts';
import { nameOf, type Scene } from '../scene.ts';
import { isTight } from '../setting.ts';
import { accountOf, commonReasons, idOf, isExtended, live, wanted } from './diagnosis.ts';
import type { FinalInvariant, Say } from './invariant.ts';
import { leafOf, siteOf } from './site-reasons.ts';

/** What no list shows is looked at in turn. Milliseconds. */
const TURN = 35 * 60_000;
/** The same where few requests an hour are allowed: there is one for that an hour, and each of an account's objects has a turn. */
const TIGHT_TURN = 6 * 60 * 60_000;
/** A list is read this often, and a moment later what it shows is in the status. Milliseconds. */
const LISTED = { sims: 75_000, gateways: 75_000, sites: 330_000 } as const;

/** What a status shows is what is at the service, at the latest after the next look at it. */
export const statusFacts: FinalInvariant = {
  name: 'the status shows what is',
  check(scene, say) {
    for (const incarnation of [...live(scene, 'sims'), ...live(scene, 'mobilegateways')]) {
      if (isLeftAlone(scene, incarnation)) continue;
      const kind = incarnation.plural === 'sims' ? 'sims' : 'gateways';
      const id = idOf(incarnation);
      if (id === undefined || !isSeen(scene, kind, id, LISTED[kind])) continue;
      const isDetailed = isSeen(scene, kind, id, TURN);
      if (kind === 'sims') {
        const view = scene.atService.now('sims', id);
        if (view) {
          tell(say, incarnation, simFacts(view, isExtended(accountOf(scene, incarnation))));
          tellLimit(scene, say, incarnation, view);
          tellDevice(scene, say, incarnation, view);
        }
      } else {
        const view = scene.atService.now('gateways', id);
        if (view) tell(say, incarnation, gatewayFacts(scene, view, isDetailed));
      }
    }
    for (const incarnation of [...live(scene, 'webaccelsites'), ...live(scene, 'sitecertificates')]) {
      const view = siteOf(scene, incarnation);
      if (!view || isLeftAlone(scene, incarnation) || textAt(incarnation.object, 'status', 'siteID') !== view.id)
        continue;
      if (!isSeen(scene, 'sites', view.id, isTight(scene.script.setting) ? TIGHT_TURN : TURN)) continue;
      if (conditionOf(incarnation.object, 'Synced')?.reason === 'Queued') continue;
      tell(say, incarnation, incarnation.plural === 'webaccelsites' ? siteFacts(view) : certificateFacts(view));
    }
  },
};

/** By path in the status: what it must be; undefined: absent. */
type Facts = readonly (readonly [path: string, value: unknown])[];

function tell(say: Say, incarnation: Incarnation, facts: Facts): void {
  for (const [path, value] of facts) {
    const shown = at(incarnation.object, 'status', ...path.split('.'));
    // Only gateways know which SIMs they have: it is looked up for a Sim that asks for one.
    if (path === 'gatewayID' && shown === undefined && wanted(incarnation).spec['gatewayRef'] === undefined) continue;
    if (same(shown ?? undefined, value ?? undefined)) continue;
    say(
      `${nameOf(incarnation)}: status.${path} is ${JSON.stringify(shown)}, and at the service it is ${JSON.stringify(value)}`,
    );
  }
}

/** The condition agrees with what went through the SIM, and is there only where somebody asked for it. */
function tellLimit(scene: Scene, say: Say, incarnation: Incarnation, view: SimView): void {
  const version = wanted(incarnation);
  const told = conditionOf(incarnation.object, 'WithinDataLimit')?.status;
  const isOn = at(incarnation.object, 'status', 'dataLimit') !== undefined;
  // What was asked for a moment ago is on its way.
  if (version.at > scene.world.now() - LISTED.sims || told === 'Unknown') return;
  const name = nameOf(incarnation);
  if (at(version.spec, 'dataLimit') === undefined) {
    if (told !== undefined || isOn) say(`${name} tells of a limit that its spec does not have`);
  } else if (isLongOver(scene, version, view)) {
    if (told !== 'False' || !isOn) say(`${name} is over its limit, and says WithinDataLimit=${told}`);
  } else if (isLongWithin(scene, version, view) && (told !== 'True' || isOn)) {
    say(`${name} is within its limit, and says WithinDataLimit=${told}`);
  }
}

/** Digits of an IMEI that tell the device; what follows changes with its software. */
const DEVICE_DIGITS = 14;

/** Somebody else's device is told of, and nobody's own. */
function tellDevice(scene: Scene, say: Say, incarnation: Incarnation, { sessions, connectedIMEI }: SimView): void {
  const { at: since, spec } = wanted(incarnation);
  if (since > scene.world.now() - LISTED.sims) return;
  const lock = textAt(spec, 'imeiLock');
  const device = sessions.at(-1)?.up ? connectedIMEI : undefined;
  const isOther = lock && device && lock.slice(0, DEVICE_DIGITS) !== device.slice(0, DEVICE_DIGITS);
  const told = conditionOf(incarnation.object, 'Online')?.reason;
  if (isOther && told !== 'UnexpectedDevice')
    say(`${nameOf(incarnation)} is used by ${device}, which its imeiLock does not name, and says Online ${told}`);
  if (!isOther && told === 'UnexpectedDevice')
    say(`${nameOf(incarnation)} says that it is used by another device than its imeiLock names, and that is ${device}`);
}

/** Of what may be another's nothing is shown anew. */
function isLeftAlone(scene: Scene, incarnation: Incarnation): boolean {
  const stalled = conditionOf(incarnation.object, 'Stalled')?.reason;
  const isOthers = ['AlreadyManaged', 'CreationAmbiguous', 'NotTheSame'].includes(stalled ?? '');
  return commonReasons(scene, incarnation).size > 0 || isOthers;
}

function isSeen(scene: Scene, kind: 'sims' | 'gateways' | 'sites', id: string, within: number): boolean {
  return scene.atService.lastChange(kind, id) < scene.world.now() - within;
}

/** As the service writes times: to the second. */
function second(milliseconds: number | null): number | undefined {
  return milliseconds === null ? undefined : Math.floor(milliseconds / 1000);
}

function simFacts(view: SimView, isExtended: boolean): Facts {
  return [
    ['name', view.name],
    ['iccid', view.iccid],
    ['ip', view.ip],
    ['imsi', view.imsi],
    ['registered', view.gatewayID !== null],
    ['activated', view.activated],
    ['gatewayID', view.gatewayID],
    ['registeredAt', simTime(view.registeredAt)],
    ['activatedAt', simTime(view.activatedAt)],
    ['deactivatedAt', simTime(view.deactivatedAt)],
    ['connectedIMEI', view.sessions.at(-1)?.up ? view.connectedIMEI : undefined],
    ['imeiLock.locked', view.imeiLock !== null],
    ...(isExtended ? ([['imeiLock.imei', view.imeiLock]] as const) : []),
  ];
}

function gatewayFacts(scene: Scene, view: GatewayView, isDetailed: boolean): Facts {
  const account = scene.atService.accountOf(view.id) ?? '';
  const members = [...scene.world.service.world(account).sims.values()].filter(
    ({ gatewayID }) => gatewayID === view.id,
  );
  const settings = view.pending;
  return [
    ['name', view.name],
    ['planID', view.planID],
    ['publicIP', view.publicIP],
    ['instanceStatus', view.instanceStatus],
    ...(settings
      ? ([
          ['settings.internetConnection', settings.internetConnection],
          ['settings.interDeviceCommunication', settings.interDeviceCommunication],
          ['settings.privateInterface', settings.privateInterface],
        ] as const)
      : []),
    ...(isDetailed ? ([['sims.registered', members.length]] as const) : []),
  ];
}

const protocols = ['HTTPAndHTTPS', 'HTTPSOnly', 'RedirectToHTTPS'];

function siteFacts({ settings, status, domain, asciiDomain, subdomain, acl, current }: SiteView): Facts {
  const certificate = current && certificates.find(({ chain }) => leafOf(chain) === leafOf(current.chain));
  const isServer = settings.OriginType === 0;
  return [
    ['status', status],
    ['domain', domain],
    ['asciiDomain', asciiDomain],
    ['subdomain', subdomain],
    ['settings.displayName', settings.Name],
    ['settings.requestProtocol', protocols[settings.RequestProtocol]],
    ['settings.originType', isServer ? 'WebServer' : 'ObjectStorage'],
    ['settings.webServer.host', isServer ? settings.Origin : undefined],
    ['settings.objectStorage.bucket', isServer ? undefined : settings.BucketName],
    ['settings.defaultCacheTTL', settings.DefaultCacheTTL],
    ['settings.vary', settings.VarySupport === 1],
    ['settings.normalizeAcceptEncoding', (settings.NormalizeAE ?? 1) === 1 ? 'Gzip' : 'BrotliAndGzip'],
    ['accessControl', acl === '' ? [] : acl.split('\n')],
    ['certificate.notBefore', certificate && isoSecond(certificate.notBefore)],
    ['certificate.notAfter', certificate && isoSecond(certificate.notAfter)],
  ];
}

function certificateFacts({ current, previous, domain }: SiteView): Facts {
  const of = (stored: SiteView['current']) =>
    stored ? certificates.find(({ chain }) => leafOf(chain) === leafOf(stored.chain)) : undefined;
  const [now, before] = [of(current), of(previous)];
  return [
    ['site', domain],
    ['current.sha256Fingerprint', now?.fingerprint],
    ['current.notAfter', now && isoSecond(now.notAfter)],
    ['previous.sha256Fingerprint', before?.fingerprint],
  ];
}

/** As the service writes the times of SIMs. */
function simTime(milliseconds: number | null): string | undefined {
  return milliseconds === null ? undefined : `${new Date(milliseconds).toISOString().slice(0, 19)}+00:00`;
}

function isoSecond(milliseconds: number): string {
  return `${new Date((second(milliseconds) ?? 0) * 1000).toISOString().slice(0, 19)}Z`;
}
