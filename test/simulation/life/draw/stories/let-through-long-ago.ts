import type { Fault } from '../../../../../src/shadow/service/faults.ts';
import { appear, removeAt } from './parts.ts';
import { fail } from './parts-crowd.ts';
import { simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const faults: readonly Fault[] = ['conflict', 'locked'];

/**
 * The one deletion that an hour may have was let through, and the service takes it much later. What is deleted after an hour
 * comes too soon after it.
 */
export const letThroughLongAgo: Story = {
  name: 'let through long ago',
  wishes: () => ({
    namespaces: 1,
    isTight: false,
    brakes: { deletions: { maxPerHour: 1, maxPercent: 100 } },
    setting: { replicas: 1, leaderElect: false, trouble: 80 * MINUTE },
  }),
  cast: () => simRoles(2),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [first, second] = cast;
    if (!first || !second) return;
    for (const role of cast) appear(draft, role, { deletionPolicy: 'Delete' }, 500 + random.int(1000));
    const begin = MINUTE + random.int(MINUTE);
    const lasts = (14 + random.int(30)) * MINUTE;
    fail(draft, { route: 'DELETE /commonserviceitem/:id', fault: random.pick(faults), lasts }, begin - 1000);
    removeAt(draft, first, begin);
    removeAt(draft, second, begin + (71 + random.int(3)) * MINUTE);
  },
  encore: () => [],
};
