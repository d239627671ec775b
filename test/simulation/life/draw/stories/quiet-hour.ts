import { appear } from './parts.ts';
import { siteRoles } from './parts-sites.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** Nobody changes anything for hours, and few requests are allowed: what is read leaves room for what is written. */
export const quietHour: Story = {
  name: 'quiet hour',
  wishes: () => ({
    namespaces: 1,
    hasClusterAccount: false,
    isTight: true,
    setting: { replicas: 1, leaderElect: false, logs: false, trouble: 170 * MINUTE },
  }),
  cast: (_, random) => siteRoles(1 + random.int(3)),
  arrives: true,
  isAlone: true,
  tell(draft) {
    for (const role of draft.cast) appear(draft, role, {}, 500 + draft.random.int(1000));
  },
};
