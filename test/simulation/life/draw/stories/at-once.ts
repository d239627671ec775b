import type { Act } from '../../script.ts';
import { drawSpec } from '../specs.ts';
import { manifest } from '../vocabulary.ts';
import type { Story } from './story.ts';

/** Nothing is wrong, and all comes at once: whoever waits for another goes on as soon as that one is there. */
export const atOnce: Story = {
  name: 'at once',
  wishes: () => ({ namespaces: 1, isTight: false, setting: { replicas: 1, leaderElect: false, trouble: 60_000 } }),
  arrives: true,
  tell() {},
  encore({ random, cast }) {
    const around = {
      gateways: cast.filter(({ plural }) => plural === 'mobilegateways').map(({ ref: { name } }) => name),
      sims: cast.filter(({ plural }) => plural === 'sims').map(({ ref: { name } }) => name),
    };
    const creations = cast.map((role): Act => {
      const { namespace, name } = role.ref;
      const spec = drawSpec(role.plural, role.fixed, random, around);
      return { what: 'create', ref: role.ref, manifest: manifest(role.plural, namespace, name, spec), patience: 0 };
    });
    const [act, ...also] = creations;
    return act ? [{ act, also, within: 240_000, why: 'what waits for another goes on at once' }] : [];
  },
  isAlone: true,
};
