import { NO_LONGER_WANTED } from '../clock.ts';
import { KubeError, NotLeaderError } from '../kubernetes/errors.ts';
import type { Informer } from '../kubernetes/informer.ts';
import { findCondition } from './conditions.ts';
import type { Engine } from './engine.ts';
import { FailureReason } from './failure-reason.ts';
import type { ManagedKind } from './kind.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Memory } from './memory.ts';
import { shownNow } from './newest.ts';
import { isToldAs, waitTold } from './object-state.ts';
import type { Step } from './plan.ts';
import { holdForHour } from './queued.ts';
import { CommonReason } from './verdict.ts';
import type { Work } from './work.ts';
import type { PassOutcome } from './write-outcome.ts';

/** How work is going: it waits for its turn, is being done, or was begun and leaves the resource out of service for now. */
export type Stage = 'queued' | 'applying' | 'half-way';

/** Sees to it that a status says how work goes that takes longer than a moment. */
export interface ProgressReport {
  /** Ends it; resolves when nothing is being written any more. */
  stop(): Promise<void>;
}

const nothing: ProgressReport = { stop: () => Promise.resolve() };

/** What the status says of work itself; a try that failed may fail again. */
const GOES_ON = [CommonReason.Applying, CommonReason.Queued, CommonReason.Deleting, ...Object.values(FailureReason)];

/** What it says it waits for, it waits for no longer once there is work. */
function tellsOfWait(object: ManagedObject): boolean {
  return waitTold(object) !== undefined && !GOES_ON.some((reason) => isToldAs(object, reason));
}

/**
 * Has the status of what was Ready, or waited, say how work on it goes that takes longer than a moment, each time that changes. Of what is
 * new the queue reports, but for what waits for the hour. A write that fails is left out: the end of the work writes again.
 */
export function createProgressReporter<T extends ManagedObject, F, S extends Step>(options: {
  readonly kind: Pick<ManagedKind<T, F, S>, 'sharesHour'>;
  readonly informer: Informer<T>;
  readonly writeOutcome: (object: T, memory: Memory, outcome: PassOutcome<F, S>) => Promise<void>;
  readonly engine: Engine;
}) {
  const { kind, informer, writeOutcome, engine } = options;
  const { clock, momentMilliseconds } = engine;
  const newest = ({ object }: Work<T>) => shownNow(informer, object);

  /** `seen` is what was found, and is so until the resource is half way. */
  function whileLong(work: Work<T>, stageOf: () => Stage | undefined, seen: PassOutcome<F, S> = {}): ProgressReport {
    const { memory, accountRef, session } = work;
    const wasReady = findCondition(work.object.status?.conditions, 'Ready')?.status === 'True';
    // Of a plan that does only a part, what the rest waits for is told at its end.
    const waited = tellsOfWait(work.object) && seen.plan?.hold === undefined;
    if (!wasReady && !kind.sharesHour && !waited) return nothing;
    const over = new AbortController();

    async function run(): Promise<void> {
      for (let reported: Stage | undefined; ; ) {
        await clock.sleep(momentMilliseconds, over.signal);
        const stage = stageOf();
        const lane = stage === 'queued' ? kind.sharesHour : undefined;
        const { namespace } = work.object.metadata;
        const hold = lane && holdForHour(session.hourFor(lane, namespace), clock.now());
        const isNews = wasReady ? stage !== reported : waited && reported === undefined;
        // When the hour goes on may be another time by now.
        if (stage === undefined || (!isNews && !hold)) continue;
        const found = stage === 'half-way' ? {} : seen;
        const outcome = { accountRef, ...found, unsettled: true, queued: stage === 'queued', ...(hold && { hold }) };
        await writeOutcome(newest(work), memory, outcome).catch((error: unknown) => {
          if (!(error instanceof KubeError) && !(error instanceof NotLeaderError)) throw error;
        });
        reported = stage;
      }
    }

    const running = run().catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
    });
    // Who stops it hears of what went wrong.
    running.catch(() => undefined);
    return {
      async stop() {
        over.abort(NO_LONGER_WANTED);
        await running;
        const current = newest(work);
        // What was decided from one spec must not be reported of another.
        if (current.metadata.generation === work.object.metadata.generation) work.object = current;
      },
    };
  }

  return {
    whileLong,

    /** Reports that a change of the spec waits, while the service is being read for it or for what was before it. */
    async whileGathering<R>(work: Work<T>, gather: () => Promise<R>): Promise<R> {
      const reporting = whileLong(work, () => {
        const { metadata, status } = newest(work);
        return metadata.generation === status?.observedGeneration ? undefined : 'queued';
      });
      try {
        return await gather();
      } finally {
        await reporting.stop();
      }
    },
  };
}
