import type { Act, Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { CANARY, networks, ref, resolvers } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { nothing } from './parts-sims.ts';
import type { Story } from './story.ts';

const DNS = 'PUT /appliance/:id/mobilegateway/dnsresolver';

/** A gateway is made with all that a spec may have, its resolvers and its webhook change, and processes die in between. */
export const madeGateway: Story = {
  name: 'made-gateway',
  wishes: (random) => ({
    namespaces: 1,
    isEast: true,
    east: nothing,
    dialect: random.chance(0.2) ? 'Extended' : 'Documented',
    setting: { replicas: 1, leaderElect: false, trouble: 240_000 },
  }),
  arrives: true,
  tell(draft) {
    const { random, drawn } = draft;
    // With nothing else in the way it can be said when what is wanted is there.
    const isUndisturbed = draft.steps.length === 0;
    const [dns] = resolvers;
    const gateway = introduce(draft, 'mobilegateways', 'gateway-1', {
      zone: 'is1a',
      planID: 2,
      internetConnection: true,
      ...(random.chance(0.6) && {
        privateInterface: networks[0],
        staticRoutes: [{ prefix: '192.168.10.0/24', nextHop: '10.0.0.100' }],
      }),
      dns,
      trafficMonitoring: { quotaMB: 512, chatWebhookSecretRef: { name: 'secrets', key: 'webhook' } },
    });
    if (random.chance(0.5)) {
      const on: Occasion = random.pick([
        { moment: 'answered', to: 'service', route: 'PUT /appliance/:id', nth: 1 },
        { moment: 'begun', to: 'service', route: 'PUT /appliance/:id/config', nth: 1 },
      ]);
      put(draft, { what: 'kill', process: 0, on, restart: 500 + random.int(5000) });
    }
    const later = 80_000 + random.int(20_000);
    if (random.chance(0.6)) {
      changeForAMoment(later);
    } else {
      alter(draft, gateway, { dns: { ...dns, secondary: '9.9.9.9' } }, later);
    }
    if (random.chance(0.2)) alter(draft, gateway, { dns: undefined }, 200_000);
    if (random.chance(0.6)) {
      const webhook = Buffer.from(`https://chat.example.jp/${CANARY}-hook-2`).toString('base64');
      const target = ref('secrets', drawn.namespaces[0], 'secrets');
      put(draft, { what: 'patch', ref: target, patch: { data: { webhook } } }, 70_000 + random.int(90_000));
    }

    /** Other resolvers, whose answer never comes or finds nobody, and back before anybody asks again. */
    function changeForAMoment(at: number): void {
      const unanswered: Act = {
        what: 'fault',
        to: 'service',
        route: DNS,
        fault: random.pick(['stall', 'lost-answer', { service: 'gateway timeout after' }]),
        count: 3,
        skip: 0,
        milliseconds: 0,
        lasts: 3000,
      };
      const on: Occasion = { moment: 'arrived', to: 'service', route: DNS, nth: 1 };
      // The next process knows of it only what is on record.
      const killed: Act = { what: 'kill', process: 0, on, restart: 2000 + random.int(5000) };
      const astray = random.pick([unanswered, killed]);
      put(draft, astray, at);
      alter(draft, gateway, { dns: resolvers[1] }, at + 100);
      const back: Act = { what: 'patch', ref: gateway.ref, patch: { spec: { dns } } };
      put(draft, { what: 'upon', process: 0, on, later: random.pick([0, 20, 200]), act: back }, at);
      if (isUndisturbed && astray === killed) {
        const why = 'the next process knows of what is on record that it may be otherwise';
        put(draft, { what: 'expect', ref: gateway.ref, has: ['dns'], why }, at + 45_000);
      }
      alter(draft, gateway, { dns }, at + 60_000);
    }
  },
};
