import type { StoredChange } from '../../../../src/shadow/apiserver/apiserver.ts';
import type { Arrival, Change } from '../../../../src/shadow/service/types.ts';
import type { MessageListener } from '../../../../src/shadow/world/network.ts';
import type { Scene } from '../scene.ts';

/** Says that a promise was not kept: what happened, to which object. */
export type Say = (message: string) => void;

/** What an invariant hears of; each is told after it happened. */
export interface Ears {
  readonly stored?: (change: StoredChange) => void;
  readonly changed?: (change: Change) => void;
  readonly arrived?: (arrival: Arrival) => void;
  readonly message?: MessageListener;
  readonly logged?: (process: string, line: string) => void;
  /** What the status page of a process answered. */
  readonly shown?: (process: string, query: string, status: number, body: string) => void;
}

/** What holds at every moment. */
export interface AlwaysInvariant {
  readonly name: string;
  readonly watch: (scene: Scene, say: Say) => Ears;
}

/** What holds once all is at rest. */
export interface FinalInvariant {
  readonly name: string;
  readonly check: (scene: Scene, say: Say) => void;
}
