import { mergePatch } from '../../json.ts';
import type { Act, Occasion } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { passCodeKey } from '../setting.ts';
import { createRole } from '../users.ts';
import { addresses, iccids, networks, ref } from '../vocabulary.ts';
import type { Story } from './story.ts';

/**
 * A SIM changes its address or its gateway, and the service gives out after the first half, or the process dies there and a
 * person has the SIM left alone; or somebody did that half.
 */
export const halfWay: Story = {
  name: 'half way',
  wishes: (random) => ({
    namespaces: 1,
    setting: {
      replicas: 1,
      leaderElect: false,
      trouble: 300_000,
      ...(random.chance(0.5) && { service: { migratingTime: 0 } }),
    },
  }),
  cast({ namespaces: [namespace = ''] }, random) {
    const gateways = ['gateway-1', 'gateway-2'].map(
      (name): Role => ({
        ref: ref('mobilegateways', namespace, name),
        plural: 'mobilegateways',
        fixed: { zone: random.pick(['is1a', 'is1b']), planID: 2 },
        world: 'east',
      }),
    );
    const sims = iccids.slice(0, 2).map(
      (iccid, index): Role => ({
        ref: ref('sims', namespace, `sim-${index + 1}`),
        plural: 'sims',
        fixed: { iccid, passCodeSecretRef: { name: 'secrets', key: passCodeKey(iccid) } },
        world: 'east',
      }),
    );
    return [...gateways, ...sims];
  },
  arrives: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) createRole(draft, role);
    draft.at = 20;
    for (const { plural, ref: name } of cast) {
      const index = cast.findIndex((role) => role.ref === name);
      const spec =
        plural === 'sims'
          ? {
              activated: true,
              gatewayRef: { name: 'gateway-1' },
              ipAddress: addresses[index % 2] ?? null,
              managementPolicy: null,
              adoption: null,
            }
          : { privateInterface: networks[0], managementPolicy: null };
      put(draft, { what: 'patch', ref: name, patch: { spec } });
      const present = draft.present.get(cast[index] ?? { ref: name, plural, fixed: {}, world: 'east' });
      if (present) present.spec = mergePatch(present.spec, spec);
    }
    draft.at = 150_000;
    const course = random.pick([changeHalf, changeHalf, takeAway, takeAway, moveByHand]);
    course(draft);
  },
  isAlone: true,
};

function changeHalf(draft: Draft): void {
  const { random, cast } = draft;
  const route = random.pick([
    'POST /appliance/:id/mobilegateway/sims',
    'PUT /commonserviceitem/:id/sim/ip',
    'PUT /commonserviceitem/:id/sim/ip',
  ]);
  const isToDie = random.chance(0.5);
  fails(draft, route, 90_000);
  for (const { plural, ref: name } of cast) {
    if (plural !== 'sims') continue;
    const moved = isToDie || random.chance(0.5) || route.startsWith('POST');
    const spec = { ipAddress: random.pick(addresses.slice(2)), ...(moved && { gatewayRef: { name: 'gateway-2' } }) };
    put(draft, { what: 'patch', ref: name, patch: { spec } }, 100 + random.int(2000));
  }
  if (isToDie) dies(draft);
}

/** Somebody moves it to another gateway, and the process dies as it takes it off there. */
function moveByHand(draft: Draft): void {
  const { iccid } = draft.cast.find(({ plural }) => plural === 'sims')?.fixed ?? {};
  if (typeof iccid !== 'string') return;
  put(draft, { what: 'edit', patch: { sims: { [iccid]: { gatewayID: 'gateway-2' } } } }, draft.random.int(2000));
  dies(draft);
}

/** The process ends as the first SIM leaves its gateway, and by the time the next one runs both are paused, half of the time for good. */
function dies(draft: Draft): void {
  const { random, cast } = draft;
  const isForGood = random.chance(0.5);
  const moment = random.pick(['arrived', 'answered'] as const);
  const on: Occasion = { moment, to: 'service', route: 'DELETE /appliance/:id/mobilegateway/sims/:id', nth: 1 };
  put(draft, { what: 'kill', process: 0, on, restart: random.pick([500, 5000]) });
  for (const { plural, ref: name } of cast) {
    if (plural !== 'sims') continue;
    const act: Act = {
      what: 'patch',
      ref: name,
      patch: { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } },
    };
    put(draft, { what: 'upon', process: 0, on, later: 10, act });
    const patch = { metadata: { annotations: { 'edgeline.dev/paused': null } } };
    if (!isForGood) put(draft, { what: 'patch', ref: name, patch }, 140_000);
  }
}

/** Somebody takes it away at the service, and it can't be put back for a while. */
function takeAway(draft: Draft): void {
  const { random, cast } = draft;
  const [route, change] = random.pick([
    ['PUT /commonserviceitem/:id/sim/activate', { activated: false }],
    ['PUT /commonserviceitem/:id/sim/ip', { ip: null }],
  ] as const);
  fails(draft, route, 140_000);
  for (const { fixed } of cast) {
    const { iccid } = fixed;
    if (typeof iccid === 'string') put(draft, { what: 'edit', patch: { sims: { [iccid]: change } } }, random.int(2000));
  }
}

function fails(draft: Draft, route: string, lasts: number): void {
  const service = draft.random.pick(['locked', 'conflict', 'internal error', 'unavailable', 'cut before'] as const);
  put(draft, { what: 'fault', to: 'service', route, fault: { service }, count: 1000, skip: 0, milliseconds: 0, lasts });
}
