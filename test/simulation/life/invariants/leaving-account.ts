import { managedPlurals } from '../draw/vocabulary.ts';
import { listAt, textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { type Claim, claims } from '../reading/claim.ts';
import { isByOperator, nameOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** What was decided before an account was to go may wait for its turn at the service. Milliseconds. */
const DECIDED = 30_000;

/** Nothing new is made or taken over through an account that is being deleted: it would wait for that, too. */
export const leavingAccount: AlwaysInvariant = {
  name: 'an account that goes takes on nothing new',
  watch: (scene, say) => ({
    stored({ old, new: object, resource, user }) {
      if (!object || !old || user === USER || !managedPlurals.some((plural) => plural === resource)) return;
      // What it had before, by its status, it goes on with.
      if (!isHeld(object) || isHeld(old) || textAt(old, 'status', 'id') !== undefined) return;
      const incarnation = scene.intent.byUID(object.metadata.uid);
      const since = scene.sight.since(scene.cause?.writtenAt ?? scene.world.now());
      if (!incarnation || incarnation.isRestored || !isOfLeaving(scene, { incarnation, since })) return;
      say(`${user} begins with ${nameOf(incarnation)} though its account is being deleted`);
    },
    changed(change) {
      if (!isByOperator(change) || scene.cause?.isSecond) return;
      const moment = scene.cause?.writtenAt ?? scene.world.now();
      for (const { kind, id, before, after } of change.objects) {
        if (before || !after || (kind !== 'sims' && kind !== 'gateways')) continue;
        const plural = kind === 'sims' ? 'sims' : 'mobilegateways';
        const asking = claims(scene, plural, change.account, moment).filter(({ incarnation }) =>
          scene.atService.mayHaveCreated(incarnation.uid, id),
        );
        // Of several that ask for the same nobody can tell for whom it is.
        const [first] = asking;
        if (!first || !asking.every((claim) => isOfLeaving(scene, claim))) continue;
        say(`${change.from} creates ${id} for ${nameOf(first.incarnation)} through an account that is being deleted`);
      }
    },
  }),
};

function isHeld(object: unknown): boolean {
  return listAt(object, 'metadata', 'finalizers').some((one) => String(one).startsWith('edgeline.dev/'));
}

function isOfLeaving(scene: Scene, { incarnation, since }: Pick<Claim, 'incarnation' | 'since'>): boolean {
  const known = since - DECIDED;
  const accounts = scene.accountObjects(incarnation, known);
  const isLeaving = accounts.length > 0 && accounts.every(({ deletedAt }) => (deletedAt ?? Infinity) < known);
  // What was begun before is finished.
  return isLeaving && incarnation.createdAt >= known - DECIDED;
}
