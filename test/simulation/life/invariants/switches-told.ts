import { managedPlurals } from '../draw/vocabulary.ts';
import { conditionOf } from '../intent.ts';
import { nameOf } from '../scene.ts';
import { live, wanted } from './diagnosis.ts';
import type { FinalInvariant } from './invariant.ts';

/** Switches that only "true" turns on, by the kinds they are for. */
const switches: Readonly<Record<string, readonly string[]>> = {
  'edgeline.dev/abandon': managedPlurals,
  'edgeline.dev/release-sims': ['mobilegateways'],
};

/** Who sets a switch to something that does nothing is told so, where they look whether it worked. */
export const switchesTold: FinalInvariant = {
  name: 'an odd switch is told of',
  check(scene, say) {
    for (const [key, plurals] of Object.entries(switches)) {
      for (const incarnation of plurals.flatMap((plural) => live(scene, plural))) {
        const value = wanted(incarnation).annotations[key];
        if (value === undefined || value === 'true' || value === 'false') continue;
        const { message = '' } = conditionOf(incarnation.object, 'Ready') ?? {};
        if (message.includes(`${key} is "${value}", which does nothing`)) continue;
        say(`${nameOf(incarnation)} has ${key}: "${value}", and does not say that it does nothing: ${message}`);
      }
    }
  },
};
