import type { Act, Occasion } from '../../script.ts';
import { type Draft, put } from '../draft.ts';
import { fields } from '../specs.ts';
import { appear } from './parts.ts';
import { siteRoles } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const ROUTES = ['PUT webaccel/site/:id', 'GET webaccel/site/:id', 'PUT webaccel/site/:id/certificate'] as const;

/**
 * Sites change many at once, and in the middle of that the process that leads stops, dies or stands still, so that the other
 * one goes on with the hour, the spacing, and the silence that the service had just asked for.
 */
export const hourHandedOn: Story = {
  name: 'hour handed on',
  wishes: (random) => ({
    namespaces: 1,
    hasClusterAccount: random.chance(0.3),
    isTight: false,
    ...(random.chance(0.4) && { webAccelRequestsPerHour: 20 + random.int(15) }),
    setting: { replicas: 2, leaderElect: true, trouble: 7 * MINUTE },
  }),
  cast: () => siteRoles(4),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, {}, 500 + random.int(2000));
    for (const at of [40_000, 120_000, 200_000, 280_000]) {
      draft.at = at + random.int(20_000);
      changeAll(draft);
      if (random.chance(0.5)) askForSilence(draft);
      // Whichever leads by then; the other one has nothing to send.
      for (const process of [0, 1]) put(draft, end(draft, process));
    }
  },
};

function changeAll(draft: Draft): void {
  const { random, cast } = draft;
  for (const { ref } of cast.filter(({ plural }) => plural === 'webaccelsites')) {
    const name = random.pick(['displayName', 'defaultCacheTTL', 'vary', 'cors', 'accessControl']);
    const value = fields['webaccelsites']?.[name]?.(random, { gateways: [], sims: [] });
    if (value !== undefined) put(draft, { what: 'patch', ref, patch: { spec: { [name]: value } } }, random.int(300));
  }
}

function askForSilence(draft: Draft): void {
  const fault = { service: 'too many requests, retry later' } as const;
  const route = draft.random.pick(ROUTES);
  put(draft, { what: 'fault', to: 'service', route, fault, count: 1, skip: 0, milliseconds: 0, lasts: MINUTE });
}

/** How a process that sends something is at its end, or seems to be. */
function end({ random }: Draft, process: number): Act {
  const on: Occasion = {
    moment: random.pick(['begun', 'written', 'arrived', 'answered']),
    to: 'service',
    route: random.pick(ROUTES.slice(0, 2)),
    nth: 1 + random.int(3),
  };
  const restart = random.pick([500, 5000, 30_000]);
  const act: Act = random.pick([
    { what: 'stop', process, restart },
    { what: 'stop', process, restart },
    { what: 'kill', process, on: undefined, restart },
    { what: 'suspend', process, on: undefined, milliseconds: 12_000 + random.int(20_000) },
  ]);
  return { what: 'upon', process, on, later: random.pick([0, 0, 50, 1500]), act };
}
