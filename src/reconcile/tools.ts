import { CloudError } from '../cloud/errors.ts';
import type { Informer } from '../kubernetes/informer.ts';
import { createApproval } from './ask-approval.ts';
import { createPassEndings } from './end-pass.ts';
import type { Engine } from './engine.ts';
import { createPlanExecutor, type Failed } from './execute-plan.ts';
import { failsByItself } from './failure.ts';
import { createGuards } from './guard.ts';
import { createFailureHandler } from './handle-failure.ts';
import { nextInputs } from './inputs.ts';
import type { ManagedKind } from './kind.ts';
import { createLook } from './look.ts';
import type { ManagedObject } from './managed-object.ts';
import { shownNow } from './newest.ts';
import type { Plan, Step } from './plan.ts';
import { createRecognition } from './recognition.ts';
import type { Result } from './reconciler.ts';
import { createRefusals, type Refused } from './refusals.ts';
import { createProgressReporter } from './report-progress.ts';
import { createUnseenWrites } from './unseen.ts';
import type { Work } from './work.ts';
import { createOutcomeWriter, type PassOutcome } from './write-outcome.ts';
import { createWrites } from './writes.ts';

/** What one try takes of the hour: before and after an upload the certificates are read. */
const REQUESTS_A_TRY = { write: 1, upload: 3 } as const;
/** Of that, for a look before it. */
const LOOKS_OF_A_TRY = { write: 0, upload: 1 } as const;

/** A plan that is not empty after this many rounds is left for the next pass. */
export const MOST_ROUNDS = 4;

/** What the passes of one kind are made of. */
export function createTools<T extends ManagedObject, F, S extends Step>(
  kind: ManagedKind<T, F, S>,
  informer: Informer<T>,
  engine: Engine,
) {
  const writes = createWrites({ client: engine.client, resource: kind.resource, informer });
  const writeOutcome = createOutcomeWriter(kind, writes, engine);
  const report = createProgressReporter({ kind, informer, writeOutcome, engine });
  const endings = createPassEndings({ kind, writeOutcome, writes, engine });
  const failures = createFailureHandler({ informer, writeOutcome, writes, resync: endings.resync, engine });
  const look = createLook(kind, engine);
  /** Since when this process works: while it waits to lead, another one tries, and nobody knows how much. */
  let worksSince: number | undefined;
  const begin = () => (worksSince ??= engine.clock.monotonic());
  const refusals = createRefusals(engine.random, begin);
  const taken = (uid: string): void => refusals.taken(uid).forEach((key) => engine.queue.add(key));
  const unseen = createUnseenWrites(engine.clock);

  /** What is refused for now where tries cost a part of an hour's requests; undefined: they do not. */
  function refusedOf({ key, object, session, memory }: Work<T>): Refused | undefined {
    if (!kind.sharesHour) return undefined;
    const { uid, namespace: party = '' } = object.metadata;
    const { limit } = session.hourFor(kind.sharesHour, party);
    const { failedBefore } = memory.inputs;
    const isSame = failedBefore?.generation === object.metadata.generation;
    return {
      identity: session.identity,
      party,
      uid,
      key,
      limit: limit / REQUESTS_A_TRY[kind.sharesHour],
      ...(isSame && { since: failedBefore?.since }),
    };
  }

  /** How long what was refused for now, or fails by itself, waits, by how often; undefined: any other failure. */
  function paceOf(work: Work<T>, error: unknown): ((times: number) => number) | undefined {
    const refused = failsByItself(error) ? refusedOf(work) : undefined;
    if (!refused) return undefined;
    return (times) => {
      const now = engine.clock.monotonic();
      refusals.refused(refused, times, now);
      return refusals.wait(refused, now);
    };
  }

  /** The requests of a look at what was refused, or could not be read, are those of its turn. */
  function readsAgain(work: Work<T>, requests: number): void {
    const { inputs, wait } = work.memory;
    const isAgain = inputs.unread !== undefined || inputs.refusal?.isPassing === true;
    // One that is under way already was counted.
    const refused = isAgain && wait.state === 'idle' ? refusedOf(work) : undefined;
    if (!refused || !kind.sharesHour) return;
    refusals.reads(refused, requests / REQUESTS_A_TRY[kind.sharesHour], engine.clock.monotonic());
  }

  /** Stores how far a pass has come before it goes on: what comes next is not to be done, or forgotten, without it. */
  async function putOnRecord(work: Work<T>, found: PassOutcome<F, S> = {}): Promise<void> {
    const { memory, object, accountRef } = work;
    await writeOutcome(object, memory, { accountRef, ...found, unsettled: true });
    work.object = shownNow(informer, object);
  }

  return {
    kind,
    informer,
    engine,
    writes,
    writeOutcome,
    putOnRecord,
    report,
    look,
    executePlan: createPlanExecutor({ kind, putOnRecord, report, unseen, engine }),
    unseen,
    guardOf: createGuards({ kind, informer, engine }),
    approval: createApproval(kind, engine),
    ...createRecognition(kind, engine),
    ...endings,
    ...failures,
    taken,
    readsAgain,

    /** Call before each pass. */
    begin: () => void begin(),

    /** What a pass was waiting for could not be read. */
    async failedToRead(work: Work<T>, error: unknown): Promise<Result> {
      if (work.signal.aborted) throw error;
      const generation = work.object.metadata.generation ?? 0;
      return failures.fail(work.key, work.memory, error, generation, { pace: paceOf(work, error), isUnread: true });
    },

    /** For how many milliseconds what was refused for now waits for its turn. */
    waitOf(work: Work<T>): number {
      const refused = refusedOf(work);
      return refused ? refusals.wait(refused, engine.clock.monotonic()) : 0;
    },

    /** What was refused for now is about to be tried once more. */
    triesAgain(work: Work<T>, steps: readonly S[]): void {
      const { memory } = work;
      const refused = memory.inputs.refusal?.isPassing ? refusedOf(work) : undefined;
      if (refused && kind.sharesHour) {
        const looks = LOOKS_OF_A_TRY[kind.sharesHour] / REQUESTS_A_TRY[kind.sharesHour];
        refusals.tries(refused, steps.length, engine.clock.monotonic(), looks);
      }
      memory.inputs = nextInputs(memory.inputs, { type: 'tried', steps });
    },

    /** A step failed: the status is to say so, and how the resource is now. */
    async endFailed(
      work: Work<T>,
      { error, others, hasEffect }: Failed,
      before: PassOutcome<F, S>,
      plan: (facts: F) => Plan<S>,
    ): Promise<Result> {
      const { key, memory, object, signal } = work;
      if (signal.aborted) throw error;
      const seen = hasEffect && error instanceof CloudError ? await look(work, plan) : before;
      const generation = object.metadata.generation ?? 0;
      return failures.fail(key, memory, error, generation, {
        seen: seen ?? { accountRef: work.accountRef },
        others,
        pace: paceOf(work, error),
      });
    },
  };
}

/** See {@link createTools}. */
export type Tools<T extends ManagedObject, F, S extends Step> = ReturnType<typeof createTools<T, F, S>>;
