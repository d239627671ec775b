import type { Incarnation } from '../intent.ts';
import { at, textAt } from '../json.ts';
import { isByOperator, nameOf, type Scene } from '../scene.ts';
import { accountOf } from './diagnosis.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** So many at once, and one in so many, are no accident of a few. */
const MANY = 3;
const SHARE = 10;
/** So long after it was created, what a resource has is on record. Milliseconds. */
const RECORDED = 60_000;
/** What was made may be missing from lists for so long after the answer. Milliseconds. */
const SHOWN = 180_000;
/** So long what a person lets go of counts as missing. Milliseconds. */
const LATELY = 600_000;

/** What many resources of an account have lost at once is not made again while nobody says that it is really gone. */
export const losses: AlwaysInvariant = {
  name: 'what is lost at once is not made again',
  watch(scene, say) {
    /** When people removed SIMs and gateways, by ID. */
    const removed = new Map<string, number>();
    /** What requests made, by the number of the request, and when these were answered, by ID. */
    const made = new Map<number, string>();
    const answered = new Map<string, number>();
    /** What was missing with others, as the status of a resource had it, by the UID of that. */
    const missed = new Map<string, string>();
    return {
      stored({ new: object }) {
        const id = textAt(object, 'status', 'id');
        if (id === undefined || at(object, 'status', 'missingSince') === undefined) return;
        missed.set(textAt(object, 'metadata', 'uid') ?? '', id);
      },
      message(moment, { serial }) {
        const id = moment === 'answered' ? made.get(serial) : undefined;
        if (id !== undefined) answered.set(id, scene.world.now());
      },
      changed(change) {
        for (const { kind, id, before, after } of change.objects) {
          if (kind === 'sites') continue;
          if (before && !after && !isByOperator(change)) removed.set(id, scene.world.now());
          if (before || !after || !isByOperator(change)) continue;
          if (scene.cause) made.set(scene.cause.message.serial, id);
          const asking = scene.intent.all.filter(({ uid }) => scene.atService.mayHaveCreated(uid, id));
          // Who waited for it, through another token, has lost nothing.
          if (asking.some((one) => removedAt(one) === undefined)) continue;
          for (const one of asking) judge(one, `${change.from} makes ${kind === 'sims' ? 'SIM' : 'gateway'} ${id}`);
        }
      },
    };

    function judge(asking: Incarnation, what: string): void {
      const own = removedAt(asking);
      const account = accountOf(scene, asking);
      if (own === undefined || !account || isAccepted(account)) return;
      const isMissed = missed.get(asking.uid) === asking.ids.at(-1);
      // Of what was seen to be missing with others nothing that a person lets go of since says anything.
      const counts = (one: Incarnation) =>
        isMissed ? wasOnRecord(one) : hasRecord(scene, one) && !isNew(one) && !isLetGo(scene, one);
      const recorded = scene.intent.all.filter(
        (one) => isMade(one) && counts(one) && accountOf(scene, one) === account,
      );
      // Who saw that one is not there saw so of all that went before it.
      const lost = recorded.filter((one) => (removedAt(one) ?? Infinity) <= own);
      if (lost.length < MANY || lost.length * SHARE < recorded.length) return;
      say(
        `${what} for ${nameOf(asking)}, while ${lost.length} of the ${recorded.length} that the account's resources have are missing`,
      );
    }

    /** It may not be in every list yet. */
    function isNew({ ids }: Incarnation): boolean {
      return (answered.get(ids.at(-1) ?? '') ?? -Infinity) > scene.world.now() - SHOWN;
    }

    function removedAt({ ids }: Incarnation): number | undefined {
      return removed.get(ids.at(-1) ?? '');
    }
  },
};

/** The operator makes it where it is not there. */
function isMade({ plural }: Incarnation): boolean {
  return plural === 'sims' || plural === 'mobilegateways';
}

/** Somebody has said that what is missing is gone; for how long, this does not ask. */
function isAccepted({ versions }: Incarnation): boolean {
  return versions.some(({ annotations }) => annotations['edgeline.dev/accept-missing-until'] !== undefined);
}

/** Abandoned long ago: it says nothing of the others any more. */
function isLetGo({ world }: Scene, { versions }: Incarnation): boolean {
  return versions.some(
    ({ at, annotations }) => annotations['edgeline.dev/abandon'] === 'true' && at < world.now() - LATELY,
  );
}

function wasOnRecord({ ids, createdAt, goneAt }: Incarnation): boolean {
  return ids.length > 0 && (goneAt ?? Infinity) - createdAt > RECORDED;
}

function hasRecord({ world }: Scene, { goneAt, deletedAt, createdAt, ids }: Incarnation): boolean {
  return goneAt === undefined && deletedAt === undefined && ids.length > 0 && createdAt < world.now() - RECORDED;
}
