import { textAt } from '../json.ts';
import { nameOf, type Scene } from '../scene.ts';
import { commonReasons, live, toldReasons, wanted } from './diagnosis.ts';
import type { FinalInvariant, Say } from './invariant.ts';

/** Who asked for another look finds in the status that it was taken. */
export const handled: FinalInvariant = {
  name: 'another look was taken',
  check(scene: Scene, say: Say) {
    for (const plural of ['sims', 'mobilegateways', 'webaccelsites', 'sitecertificates']) {
      for (const incarnation of live(scene, plural)) {
        const asked = wanted(incarnation).annotations['edgeline.dev/reconcile-at'];
        if (asked === undefined || commonReasons(scene, incarnation).size > 0) continue;
        if (!toldReasons(incarnation).some((reason) => reason === 'Available' || reason === 'Observed')) continue;
        const found = textAt(incarnation.object, 'status', 'lastHandledReconcileAt');
        if (found === asked) continue;
        say(`${nameOf(incarnation)} was asked to look again (${asked}), and its status says ${found}`);
      }
    }
  },
};
