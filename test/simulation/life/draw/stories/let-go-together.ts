import { EPOCH } from '../../../../../src/shadow/world/process.ts';
import { annotateAt, appear } from './parts.ts';
import { defaultAccount } from './parts-accounts.ts';
import { expectReady } from './parts-crowd.ts';
import { emptyEast, gatewayRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const COUNT = 4;

/** More gateways are wanted than the brakes let through, and a person lets go of them at the account: they are made at once. */
export const letGoTogether: Story = {
  name: 'let go together',
  wishes: () => ({
    ...emptyEast(8 * MINUTE, { migratingTime: 2000, shownAfterCreate: 0 }),
    cloudRequestsPerSecond: 10,
    brakes: { deletions: { maxPerHour: 200, maxPercent: 100 }, gatewayCreations: { maxPerHour: 1 } },
  }),
  cast: () => gatewayRoles(COUNT),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, {}, 500 + random.int(1000));
    const at = 2 * MINUTE + random.int(2 * MINUTE);
    const time = `${new Date(EPOCH + at).toISOString().slice(0, 19)}Z`;
    annotateAt(draft, defaultAccount(draft), 'edgeline.dev/release-creations', time, at);
    for (const role of cast) expectReady(draft, role, 'a person has let go of it at the account', at + 35 * SECOND);
  },
  encore: () => [],
};
