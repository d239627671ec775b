import type { KindName } from '../kinds.ts';
import { OUTPUT_VERSION } from '../output.ts';
import type { Presence } from '../presence.ts';
import { isReady, isSimplyReady, type Standing, type State } from '../standing.ts';

/** How many of a kind are ready, and how many have a warning. */
export interface Count {
  readonly kind: KindName;
  readonly ready: number;
  readonly warnings: number;
  readonly total: number;
}

/** What `status` found. */
export interface StatusReport {
  readonly presence: Presence;
  /** All that were asked for. */
  readonly all: readonly Standing[];
  /** Of the kinds that were asked for, in their order. */
  readonly counts: readonly Count[];
  /** Kinds that could not be read, each with why. */
  readonly notShown: readonly { readonly kind: KindName; readonly why: string }[];
}

/** Sums up. Pure. */
export function reportOf(
  asked: readonly KindName[],
  all: readonly Standing[],
  presence: Presence,
  notShown: StatusReport['notShown'] = [],
): StatusReport {
  const counts = asked
    .filter((kind) => !notShown.some((one) => one.kind === kind))
    .map((kind) => {
      const of = all.filter((one) => one.kind === kind);
      const warnings = of.filter(({ warning }) => warning !== undefined).length;
      return { kind, ready: of.filter(isReady).length, total: of.length, warnings };
    });
  return { presence, all, counts, notShown };
}

/** Those to show: what is not Ready or has a warning, unless all are asked for. */
export function shownOf({ all }: StatusReport, showAll: boolean): readonly Standing[] {
  return showAll ? all : all.filter((one) => !isSimplyReady(one));
}

/** 0: all are ready, and somebody looks after them; 2: not so. */
export function exitCodeOf({ all, presence }: StatusReport): 0 | 2 {
  return all.every(isReady) && presence.state !== 'NotRunning' ? 0 : 2;
}

/** One object as `-o json` shows it; docs/reference/cli.md describes each field. */
export interface ObjectJson {
  readonly kind: KindName;
  readonly namespace: string | null;
  readonly name: string;
  readonly ready: boolean;
  readonly state: State;
  readonly reason: string;
  readonly message: string;
  readonly warning: string | null;
  readonly since: string | null;
  readonly waitingFor: {
    readonly who: 'operator' | 'person';
    readonly others?: number;
    readonly until?: string;
  } | null;
  readonly advice: string | null;
  readonly generation: number | null;
  readonly observedGeneration: number | null;
}

/** The shape of one object in `-o json`. */
export function objectJson(standing: Standing): ObjectJson {
  const { kind, namespace, name, state, reason, message, warning, since, waiting, advice, generation } = standing;
  const { for: who, ...rest } = waiting ?? {};
  return {
    kind,
    namespace: namespace ?? null,
    name,
    ready: isReady(standing),
    state,
    reason,
    message,
    warning: warning ?? null,
    since: since ?? null,
    waitingFor: who === undefined ? null : { who, ...rest },
    advice: advice ?? null,
    generation: generation ?? null,
    observedGeneration: standing.observedGeneration ?? null,
  };
}

/** The shape of `-o json`. What is Ready stays among the objects of `--all`, whatever it warns of: scripts count on that. */
export function reportJson(report: StatusReport, showAll: boolean): object {
  return {
    apiVersion: OUTPUT_VERSION,
    kind: 'Status',
    ready: exitCodeOf(report) === 0,
    operator: report.presence,
    summary: report.counts,
    notShown: report.notShown,
    objects: report.all.filter(({ state }) => showAll || state !== 'Ready').map(objectJson),
  };
}
