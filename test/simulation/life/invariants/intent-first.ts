import { at, listAt, textAt } from '../json.ts';
import { claims, displayNameOf } from '../reading/claim.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** A creation is sent only after its finalizer is stored, and for a gateway what it is to be found by. */
export const intentFirst: AlwaysInvariant = {
  name: 'intent before creation',
  watch: (scene, say) => ({
    message(moment, { to, route, body, process }) {
      if (moment !== 'written' || to !== 'service') return;
      const isSim = route === 'POST /commonserviceitem';
      if (!isSim && route !== 'POST /appliance') return;
      const asked: unknown = JSON.parse(body ?? '{}');
      const now = scene.world.now();
      const iccid = textAt(asked, 'CommonServiceItem', 'Status', 'ICCID');
      const name = textAt(asked, 'Appliance', 'Name');
      const accounts = new Set(scene.script.setting.credentials.map(({ name, sameAs }) => sameAs ?? name));
      const asking = [...accounts].flatMap((account) => claims(scene, isSim ? 'sims' : 'mobilegateways', account, now));
      const found = asking.filter(({ incarnation, versions }) =>
        versions.some((version) =>
          isSim ? version.spec['iccid'] === iccid : displayNameOf(incarnation, version) === name,
        ),
      );
      if (found.length === 0) return;
      const isNoted = found.some(({ incarnation: { object } }) => {
        if (!listAt(object, 'metadata', 'finalizers').includes('edgeline.dev/create')) return false;
        return isSim || at(object, 'status', 'creation', 'name') === name;
      });
      if (!isNoted)
        say(
          `${process} sends ${route} for ${iccid ?? name} before the finalizer (and for a gateway status.creation) is stored`,
        );
    },
  }),
};
