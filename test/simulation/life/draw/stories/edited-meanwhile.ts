import { mergePatch } from '../../json.ts';
import { namesOf, put } from '../draft.ts';
import { drawSpec } from '../specs.ts';
import type { Story } from './story.ts';

const reads = [
  'GET /commonserviceitem',
  'GET /commonserviceitem/:id/sim/network_operator_config',
  'GET /appliance/:id',
  'GET /appliance/:id/mobilegateway/dnsresolver',
  'GET /appliance/:id/mobilegateway/traffic_monitoring',
  'GET webaccel/site/:id',
  'GET webaccel/site/:id/acl',
] as const;

/** What is as its spec says is looked at again, and while that takes its time, the spec is changed. */
export const editedMeanwhile: Story = {
  name: 'edited meanwhile',
  wishes: () => ({ namespaces: 1, isTight: false, setting: { replicas: 1, leaderElect: false, trouble: 240_000 } }),
  tell(draft) {
    const { random } = draft;
    draft.at = 60_000;
    for (const route of reads) {
      const slow = { what: 'fault', to: 'service', route, fault: 'slow', count: 4, skip: 0, lasts: 100_000 } as const;
      put(draft, { ...slow, milliseconds: 4000 + random.int(6000) });
    }
    for (const [role, present] of draft.present) {
      const annotations = { 'edgeline.dev/reconcile-at': String(random.int(1000)) };
      const { ref, plural, fixed } = role;
      put(draft, { what: 'patch', ref, patch: { metadata: { annotations } } }, 1000);
      const around = {
        gateways: namesOf(draft, 'mobilegateways', ref.namespace),
        sims: namesOf(draft, 'sims', ref.namespace),
      };
      const spec = mergePatch(present.spec, drawSpec(plural, fixed, random, around));
      put(draft, { what: 'patch', ref, patch: { spec } }, 1500 + random.int(3000));
    }
  },
  isAlone: true,
};
