import type { Random } from '../../../../../src/shadow/world/random.ts';
import { mergePatch } from '../../json.ts';
import type { Act, Occasion } from '../../script.ts';
import type { Role } from '../cast.ts';
import { type Draft, namesOf, put } from '../draft.ts';
import { drawSpec } from '../specs.ts';
import { serviceRoutes } from '../trouble.ts';
import { ref } from '../vocabulary.ts';
import { defaultAccount, rotation } from './parts-accounts.ts';
import type { Story } from './story.ts';

/** What a change of a Sim, a gateway or a site is carried out by. */
const writes = serviceRoutes.filter((route) => /^(?:POST|PUT|DELETE) /.test(route) && !route.endsWith('certificate'));

/**
 * The connection for a call takes seconds, and meanwhile somebody changes his mind: what leaves in the end has to be asked
 * for by then.
 */
export const unsent: Story = {
  name: 'unsent',
  wishes: (random) => ({
    namespaces: 1,
    hasOther: true,
    setting: { replicas: 1, leaderElect: false, trouble: random.pick([180_000, 300_000]) },
  }),
  tell(draft) {
    const { random } = draft;
    const times = 4 + random.int(5);
    for (let count = 0; count < times; count++) {
      draft.at = count === 0 ? 0 : random.int(150_000);
      const route = count < 3 ? random.pick(firstWrites) : random.pick(writes);
      const on: Occasion = { moment: 'begun', to: 'service', route, nth: 1 };
      const fault = { to: 'service', route, fault: 'slow', count: 1, skip: 0, milliseconds: slowness(random) } as const;
      put(draft, { what: 'fault', ...fault, lasts: 3_600_000 });
      const later = random.pick([0, 20, 400]);
      for (const act of changesOfMind(draft)) put(draft, { what: 'upon', process: 0, on, later, act });
      if (count > 0) change(draft);
    }
    goOn(draft);
  },
  isAlone: true,
};

/** What was done to the account is undone. */
function goOn(draft: Draft): void {
  const account = defaultAccount(draft);
  draft.at = 155_000 + draft.random.int(10_000);
  put(draft, rotation(account, account.opens));
  const patch = { metadata: { annotations: { 'edgeline.dev/paused': null } } };
  put(draft, { what: 'patch', ref: account.ref, patch });
}

/** What new resources lead to. */
const firstWrites = [
  'POST /commonserviceitem',
  'PUT /commonserviceitem/:id/sim/activate',
  'PUT /commonserviceitem/:id/sim/network_operator_config',
  'PUT /commonserviceitem/:id/sim/imeilock',
  'POST /appliance',
  'PUT /appliance/:id',
  'PUT /appliance/:id/power',
  'PUT webaccel/site/:id',
] as const;

/** So that it is written a few seconds later, and not given up before it is answered. Milliseconds. */
function slowness(random: Random): number {
  return 3000 + random.int(25_000);
}

/** Of whatever the call is for. */
function changesOfMind(draft: Draft): Act[] {
  const { random } = draft;
  const abandoned = { metadata: { annotations: { 'edgeline.dev/abandon': 'true' } } };
  const paused = { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } };
  const how = random.pick([
    'pause',
    'pause the namespace',
    'pause the account',
    'change',
    'change',
    'delete',
    'abandon',
    'exchange the token',
  ] as const);
  const account = defaultAccount(draft);
  if (how === 'pause the account') return [{ what: 'patch', ref: account.ref, patch: paused }];
  if (how === 'exchange the token') {
    const other = draft.drawn.setting.credentials.find(
      ({ name }) => name === (account.opens.name === 'west' ? 'east' : 'west'),
    );
    return other ? [rotation(account, other)] : [];
  }
  return [...draft.present].flatMap(([role, present]): Act[] => {
    switch (how) {
      case 'pause':
        return [{ what: 'patch', ref: role.ref, patch: paused }];
      case 'pause the namespace':
        return [{ what: 'patch', ref: ref('namespaces', undefined, role.ref.namespace ?? ''), patch: paused }];
      case 'abandon':
        return random.chance(0.7) ? [{ what: 'patch', ref: role.ref, patch: abandoned }] : [];
      case 'change':
        return [{ what: 'patch', ref: role.ref, patch: { spec: mergePatch(present.spec, specOf(draft, role)) } }];
      default:
        return random.chance(0.3) ? [{ what: 'delete', ref: role.ref }] : [];
    }
  });
}

function specOf(draft: Draft, { plural, fixed, ref: { namespace } }: Role) {
  const around = {
    gateways: namesOf(draft, 'mobilegateways', namespace),
    sims: namesOf(draft, 'sims', namespace),
  };
  return drawSpec(plural, fixed, draft.random, around);
}

/** Something to be carried out. */
function change(draft: Draft): void {
  const { random } = draft;
  const [role, present] = [...draft.present][random.int(Math.max(1, draft.present.size))] ?? [];
  if (!role || !present) return;
  const spec = mergePatch(present.spec, specOf(draft, role));
  const act: Act = { what: 'patch', ref: role.ref, patch: { spec } };
  put(draft, act, 20);
}
