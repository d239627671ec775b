import type { ArmedFault, Moment } from '../../../src/shadow/world/messages.ts';
import type { StatePatch } from '../../../src/simulator/control/patch.ts';
import type { Settings } from '../../../src/simulator/settings.ts';
import type { Json, JsonObject } from './json.ts';
import type { Setting } from './setting.ts';

/** A custom resource, a Secret or a Namespace as users name it. */
export interface Ref {
  readonly plural: string;
  /** Undefined where the kind has none. */
  readonly namespace: string | undefined;
  readonly name: string;
}

export type MessageFault = ArmedFault['fault'];

/** What happens at a moment; every argument was drawn before the life began. */
export type Act =
  // Users in the cluster.
  | {
      readonly what: 'create';
      readonly ref: Ref;
      readonly manifest: JsonObject /** Tries again so long while the name is taken. */;
      readonly patience: number;
    }
  | { readonly what: 'patch'; readonly ref: Ref; readonly patch: JsonObject }
  | { readonly what: 'delete'; readonly ref: Ref }
  /** The plan that the resource shows is approved, or, where it is `old`, the one that somebody saw when this happened before. */
  | { readonly what: 'approve'; readonly ref: Ref; readonly old: boolean }
  /** From a backup: the object comes back with another UID, with or without its status. */
  | { readonly what: 'restore'; readonly ref: Ref; readonly withStatus: boolean }
  /**
   * Another installation gets the namespace, as when somebody deletes the Lease of the one that has it, and keeps it for so
   * long; 0: it is gone at once, and what it holds runs out.
   */
  | { readonly what: 'hold'; readonly namespace: string; readonly lasts: number }
  /** Somebody deletes the Lease of that one again. */
  | { readonly what: 'free'; readonly namespace: string }
  /** That one has made what has this ID for a resource, and puts it on record. */
  | { readonly what: 'record'; readonly ref: Ref; readonly id: string; readonly marks: JsonObject }
  /** Somebody who may write statuses copies this member of what the one says into the other's, as if that were its own. */
  | { readonly what: 'copy'; readonly from: Ref; readonly ref: Ref; readonly member: string }
  // People at the service's control panel.
  | { readonly what: 'edit'; readonly patch: StatePatch }
  | {
      readonly what: 'add';
      readonly account: string;
      readonly kind: 'sims' | 'gateways' | 'sites';
      readonly seed: JsonObject;
    }
  | { readonly what: 'remove'; readonly kind: 'sims' | 'gateways' | 'sites'; readonly name: string }
  | { readonly what: 'accept'; readonly credentials: string; readonly isAccepted: boolean }
  | { readonly what: 'settings'; readonly settings: Partial<Settings> }
  // The network and the servers.
  | {
      readonly what: 'fault';
      readonly to: 'kubernetes' | 'service';
      /** Of the messages it fits; undefined: any. */
      readonly route: string | undefined;
      /** Only those about what has this ID at the service; absent: about anything. */
      readonly id?: string;
      readonly fault: MessageFault;
      readonly count: number;
      readonly skip: number;
      /** For `slow`. */
      readonly milliseconds: number;
      /** It ends so long after it was armed. Milliseconds. */
      readonly lasts: number;
    }
  /**
   * Nothing happens: by now this resource says that it is as its spec says, whatever became of others; or its status shows
   * these values, by path, and these conditions, by type, or their reasons, as `Ready.reason`; or the service has these
   * fields of it as its spec says, whatever its status says of them.
   */
  | {
      readonly what: 'expect';
      readonly ref: Ref;
      readonly shows?: Readonly<Record<string, Json>>;
      readonly has?: readonly string[];
      readonly why: string;
    }
  // The apiserver.
  | { readonly what: 'compact' }
  | { readonly what: 'end watches' }
  /** etcd is copied; meanwhile others write to the cluster so often. */
  | { readonly what: 'back up'; readonly revisions: number }
  /** etcd is as it was copied last; then others write to the cluster so often: absent, not at all. */
  | { readonly what: 'restore etcd'; readonly revisions?: number }
  | { readonly what: 'deny'; readonly verb: string; readonly resource: string; readonly lasts: number }
  // Processes of the operator.
  | { readonly what: 'kill'; readonly process: number; readonly on: Occasion | undefined; readonly restart: number }
  | { readonly what: 'stop'; readonly process: number; readonly restart: number }
  | {
      readonly what: 'suspend';
      readonly process: number;
      readonly on: Occasion | undefined;
      readonly milliseconds: number;
    }
  | { readonly what: 'step clock'; readonly process: number; readonly milliseconds: number }
  | { readonly what: 'cut watches'; readonly process: number }
  /** It does not reach them for so long. Milliseconds. */
  | {
      readonly what: 'partition';
      readonly process: number;
      readonly to: 'kubernetes' | 'service';
      readonly milliseconds: number;
    }
  | { readonly what: 'freeze watches'; readonly process: number; readonly milliseconds: number }
  /** Whatever it is, not before a message of this process. */
  | {
      readonly what: 'upon';
      readonly process: number;
      readonly on: Occasion;
      /** Milliseconds after it. */
      readonly later: number;
      readonly act: Act;
    };

/** The moment of a message, from when on it is waited for. */
export interface Occasion {
  readonly moment: Moment;
  readonly to: 'kubernetes' | 'service';
  readonly route: string | undefined;
  /** From 1. */
  readonly nth: number;
}

export type Step = Act & { /** Virtual milliseconds since the start. */ readonly at: number };

/** A life before it is lived: the same script gives the same life. */
export interface Script {
  readonly seed: number;
  /** What it is about; absent: a mixed life. */
  readonly story?: string;
  readonly setting: Setting;
  /** In the order of their times. */
  readonly steps: readonly Step[];
  /** Acts once all is calm and settled, one after the other, each followed by the time after which it must show. */
  readonly encore: readonly Encore[];
}

/** An act in quiet times, after which all must be settled again within the time that the docs promise. */
export interface Encore {
  readonly act: Act;
  /** What happens at the same moment. */
  readonly also?: readonly Act[];
  /** Milliseconds. */
  readonly within: number;
  readonly why: string;
}

/** One line for people. */
export function printStep(step: Step): string {
  const { at, what, ...rest } = step;
  return `${(at / 1000).toFixed(3).padStart(9)} ${what} ${JSON.stringify(rest)}`;
}
