import { textAt } from '../../json.ts';
import type { Role } from '../cast.ts';
import { put } from '../draft.ts';
import { passCodeKey, passCodeOf } from '../setting.ts';
import { createRole } from '../users.ts';
import { CANARY, iccids, ref } from '../vocabulary.ts';
import type { Story } from './story.ts';

/** A Secret is corrected while it is being read for somebody else: whoever reads it since needs what is in it now. */
export const sharedSecret: Story = {
  name: 'shared secret',
  wishes: () => ({ namespaces: 1, setting: { replicas: 1, leaderElect: false, trouble: 300_000 } }),
  cast({ namespaces: [namespace = ''] }) {
    return iccids.slice(4, 8).map(
      (iccid, index): Role => ({
        ref: ref('sims', namespace, `sim-${index + 1}`),
        plural: 'sims',
        fixed: { iccid, passCodeSecretRef: { name: 'secrets', key: passCodeKey(iccid) } },
        world: 'east',
      }),
    );
  },
  arrives: true,
  tell(draft) {
    const { random, cast } = draft;
    const secrets = ref('secrets', cast[0]?.ref.namespace, 'secrets');
    const [last, ...wrong] = cast.toReversed();
    const keys = wrong.map(({ fixed }) => textAt(fixed, 'iccid') ?? '');
    const data = (code: (iccid: string) => string) =>
      Object.fromEntries(keys.map((iccid) => [passCodeKey(iccid), Buffer.from(code(iccid)).toString('base64')]));
    put(draft, { what: 'patch', ref: secrets, patch: { data: data(() => `${CANARY}-wrong`) } });
    draft.at = 1000;
    for (const role of wrong) createRole(draft, role);
    draft.at = 60_000;
    const milliseconds = 12_000 + random.int(20_000);
    const slow = { what: 'fault', to: 'kubernetes', route: 'get secrets', fault: 'slow', count: 1, skip: 0 } as const;
    put(draft, { ...slow, milliseconds, lasts: 3_600_000 });
    const on = { moment: 'arrived', to: 'kubernetes', route: 'get secrets', nth: 1 } as const;
    const act = { what: 'patch', ref: secrets, patch: { data: data(passCodeOf) } } as const;
    put(draft, { what: 'upon', process: 0, on, later: random.pick([1, 100]), act });
    draft.at += 100;
    if (last) createRole(draft, last);
  },
  isAlone: true,
};
