import { managedPlurals } from '../draw/vocabulary.ts';
import { conditionOf } from '../intent.ts';
import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { RIVAL } from '../rivals.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** Since when calls have failed stays told until the resource is Synced, whatever it waits for meanwhile. */
export const failingSince: AlwaysInvariant = {
  name: 'since when it fails is told until it is Synced',
  watch: (_, say) => ({
    stored({ new: object, old, resource, user }) {
      if (!object || !old || user === USER || user === RIVAL) return;
      if (!managedPlurals.some((plural) => plural === resource)) return;
      const since = textAt(old, 'status', 'failingSince');
      const told = textAt(object, 'status', 'failingSince');
      if (since === undefined || told === since || conditionOf(old, 'Synced')?.status !== 'False') return;
      const synced = conditionOf(object, 'Synced');
      if (synced?.status !== 'False' || synced.generation !== object.metadata.generation) return;
      const { namespace = '', name } = object.metadata;
      say(
        `${resource} ${namespace}/${name} was failing since ${since}, and says ${told ?? 'nothing'} now, while ${synced.reason}`,
      );
    },
  }),
};
