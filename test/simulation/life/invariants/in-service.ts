import { certificates, type TestCertificate } from '../../certificates.ts';
import { conditionOf, type Incarnation } from '../intent.ts';
import { textAt } from '../json.ts';
import { isInSpec, simReadings } from '../reading/sim.ts';
import { nameOf, type Scene } from '../scene.ts';
import { isTight } from '../setting.ts';
import { commonReasons, idOf, live, wanted } from './diagnosis.ts';
import type { FinalInvariant } from './invariant.ts';
import { leafOf, siteOf } from './site-reasons.ts';
import { standstill } from './standstill.ts';

/** A list, and what is done after it. Milliseconds. */
const LOOKED = { sims: 75_000, gateways: 75_000, sites: 330_000 } as const;

/** With few requests an hour, even the list of sites has its turn with all else. Milliseconds. */
const LOOKED_TIGHT = 75 * 60_000;
/** What no list shows is looked at in turn. Milliseconds. */
const TURN = 35 * 60_000;

/** Ready means that it works: a SIM is active, on its gateway and has its address, a gateway runs, a site is enabled, a certificate is valid. */
export const inService: FinalInvariant = {
  name: 'Ready is in service',
  check(scene, say) {
    for (const plural of ['sims', 'mobilegateways', 'webaccelsites', 'sitecertificates']) {
      for (const incarnation of live(scene, plural)) {
        if (conditionOf(incarnation.object, 'Ready')?.status !== 'True' || commonReasons(scene, incarnation).size > 0)
          continue;
        const why = impairment(scene, incarnation);
        if (why !== undefined) say(`${nameOf(incarnation)} says Ready, but ${why}`);
      }
    }
  },
};

/** Somebody else put it there, so long ago that it must have been noticed. */
function isForeign(scene: Scene, { namespace, versions, object }: Incarnation, certificate: TestCertificate): boolean {
  const names = new Set(versions.map(({ spec }) => textAt(spec, 'secretRef', 'name') ?? ''));
  const held = [...names].flatMap((name) => scene.intent.secretValues(namespace, name, 'tls.crt', 0));
  const own = held.flatMap((chain) => certificates.find((one) => leafOf(one.chain) === leafOf(chain ?? '')) ?? []);
  if (own.includes(certificate)) return false;
  // Of the same dates as one of its own it is noticed in its turn.
  const isAlike = own.some(
    ({ notBefore, notAfter }) => notBefore === certificate.notBefore && notAfter === certificate.notAfter,
  );
  const edited = scene.lastEdit('sites', textAt(object, 'status', 'siteID') ?? '') ?? -Infinity;
  return edited < scene.world.now() - (isAlike ? TURN : lookedAfter(scene, 'sites'));
}

function lookedAfter({ script }: Scene, kind: keyof typeof LOOKED): number {
  return kind === 'sites' && isTight(script.setting) ? LOOKED_TIGHT : LOOKED[kind];
}

function impairment(scene: Scene, incarnation: Incarnation): string | undefined {
  const now = scene.world.now();
  const isFresh = (kind: keyof typeof LOOKED, id: string) =>
    (scene.lastEdit(kind, id) ?? -Infinity) > now - lookedAfter(scene, kind);
  const id = idOf(incarnation);
  const version = wanted(incarnation);
  switch (incarnation.plural) {
    case 'sims': {
      if (id === undefined || isFresh('sims', id)) return undefined;
      const view = scene.atService.now('sims', id);
      if (!view) return 'there is no such SIM';
      if (version.spec['managementPolicy'] === 'Observe') return undefined;
      // What waits to be carried out for the first time takes nothing away.
      if (conditionOf(incarnation.object, 'Ready')?.generation !== incarnation.object.metadata.generation)
        return undefined;
      const missed = simReadings.find(
        (reading) =>
          ['activated', 'gatewayRef', 'ipAddress'].includes(reading.field) &&
          isInSpec(version, reading.field) &&
          version.spec[reading.field] !== false &&
          // It may still be on the gateway before, or have the address before: that works.
          reading.isUnset(view, view, incarnation.name),
      );
      return missed && `its ${missed.field} is ${JSON.stringify(missed.part(view))}`;
    }
    case 'mobilegateways': {
      if (id === undefined || isFresh('gateways', id)) return undefined;
      const view = scene.atService.now('gateways', id);
      if (!view) return 'there is no such gateway';
      if (view.availability !== null && view.availability !== 'available') return `it is ${view.availability}`;
      return view.instanceStatus === 'up' ? undefined : standstill(scene, incarnation, view.id);
    }
    default: {
      const view = siteOf(scene, incarnation);
      if (!view) return 'there is no such site';
      if (isFresh('sites', view.id)) return undefined;
      if (incarnation.plural === 'webaccelsites')
        return view.status === 'enabled' ? undefined : `the site is ${view.status}`;
      if (!view.current) return 'the site has no certificate';
      const chain = view.current.chain;
      const known = certificates.find((one) => leafOf(one.chain) === leafOf(chain));
      if (known && known.notAfter < scene.world.epoch + now - 60_000) return 'the certificate has expired';
      return known && isForeign(scene, incarnation, known)
        ? `the certificate there, ${known.name}, never was in its Secret`
        : undefined;
    }
  }
}
