import type { Random } from '../../../../../src/shadow/world/random.ts';
import type { JsonObject } from '../../json.ts';
import type { Encore } from '../../script.ts';
import type { ObjectSeeds, Setting } from '../../setting.ts';
import type { Role } from '../cast.ts';
import type { Draft } from '../draft.ts';
import type { DrawnSetting } from '../setting.ts';

/** What a story needs to be there; the rest is drawn as for any life. */
export interface Wishes {
  readonly namespaces?: number;
  readonly hasClusterAccount?: boolean;
  /** Credentials of another account at the service. */
  readonly hasOther?: boolean;
  /** Few web acceleration requests an hour. */
  readonly isTight?: boolean;
  /** How many of them an hour; absent: as `isTight` says. */
  readonly webAccelRequestsPerHour?: number;
  /** At least as many other requests as its changes take; absent: drawn. */
  readonly cloudRequestsPerSecond?: number;
  /** The account by default opens east, where what `east` wishes is. */
  readonly isEast?: true;
  readonly dialect?: 'Extended' | 'Documented';
  /** What the account `east` has at first, in place of what is drawn. */
  readonly east?: Partial<ObjectSeeds>;
  /** What a second account in the first namespace opens; west exists then. */
  readonly second?: 'east-2' | 'west';
  /** `spec.brakes` of all accounts; absent: so wide that nothing in a story is held. */
  readonly brakes?: JsonObject;
  readonly setting?: Partial<
    Pick<Setting, 'service' | 'replicas' | 'leaderElect' | 'flags' | 'logs' | 'trouble' | 'epoch'>
  >;
}

/**
 * A life about one thing that mixed lives hardly ever come to: what must be there for it, and what happens. When, to whom
 * and what else is left to chance, so that no two tellings are the same.
 */
export interface Story {
  readonly name: string;
  wishes?(random: Random): Wishes;
  /** Resources instead of those of any life; by default none where it `arrives`. */
  cast?(drawn: DrawnSetting, random: Random): readonly Role[];
  /** Puts the steps. Its resources are created before it, all within the first seconds, unless it `arrives` itself. */
  tell(draft: Draft): void;
  /** What happens once all is settled, in place of what is drawn for any life. */
  encore?(draft: Draft, random: Random): readonly Encore[];
  /** No resource comes by itself: `tell` creates them. */
  readonly arrives?: true;
  /** Nothing else happens, for it would hide what is looked for. */
  readonly isAlone?: true;
}
