import { put } from '../draft.ts';
import type { Story } from './story.ts';

/** Somebody asks for another look. */
export const lookedAt: Story = {
  name: 'looked at',
  tell(draft) {
    const { random } = draft;
    for (const role of draft.present.keys()) {
      const annotations = { 'edgeline.dev/reconcile-at': String(random.int(1000)) };
      put(draft, { what: 'patch', ref: role.ref, patch: { metadata: { annotations } } }, 20_000 + random.int(90_000));
    }
  },
};
