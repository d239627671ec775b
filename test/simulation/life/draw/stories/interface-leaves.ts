import { put } from '../draft.ts';
import { networks } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { emptyEast } from './parts-sims.ts';
import type { Story } from './story.ts';

/** A gateway has static routes that somebody set by hand, and its private interface leaves the spec. */
export const interfaceLeaves: Story = {
  name: 'interface leaves',
  wishes: () => emptyEast(240_000),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const [inner] = networks;
    const spec = { zone: 'is1a', planID: 2, privateInterface: inner };
    const gateway = introduce(draft, 'mobilegateways', 'gateway-1', spec, 500);
    const settings = { privateInterface: inner, staticRoutes: [{ prefix: '192.168.10.0/24', nextHop: '10.0.0.100' }] };
    const patch = { gateways: { 'gateway-1': { settings, applied: settings } } };
    put(draft, { what: 'edit', patch }, 70_000 + random.int(20_000));
    alter(draft, gateway, { privateInterface: undefined }, 160_000 + random.int(20_000));
  },
};
