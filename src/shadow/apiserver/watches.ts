import type { Kind } from './kinds/kind.ts';
import type { Selection } from './selectors.ts';
import { expired } from './status.ts';
import type { Storage } from './storage.ts';
import { asGone, type Change, type Version } from './versions.ts';

/** A watch that was begun: lines are pushed as they come; what came before subscription is kept until then. */
export interface Watch {
  /** What it watches, and for whom. */
  readonly resource: string;
  readonly user: string;
  /** After this long its client asked for its end. There is no clock here, so whoever has one calls {@link end}. */
  readonly timeoutSeconds: number | undefined;
  /** Lines come without their line break, and during the call that caused them: whoever takes them must not call back. */
  subscribe(to: { line(text: string): void; end(): void }): void;
  /** The client goes. */
  cancel(): void;
  /** The apiserver ends it. */
  end(): void;
}

/** What is asked of a watch. */
export interface WatchRequest {
  /** Empty: all. */
  readonly namespace: string;
  readonly selection: Selection;
  /** Undefined: of what there is now. */
  readonly revision: number | undefined;
  readonly metadataOnly: boolean;
  readonly bookmarks: boolean;
  readonly user: string;
  readonly timeoutSeconds: number | undefined;
}

/** All watches that are under way. */
export interface Watches {
  begin(kind: Kind, request: WatchRequest): Watch;
  tell(kind: Kind, change: Change): void;
  bookmark(): void;
  /** Of one user, or all. */
  end(user?: string): void;
}

interface Running {
  readonly kind: Kind;
  readonly watch: Watch;
  readonly bookmarks: boolean;
  /** The revision that was asked for. */
  readonly from: number;
  send(change: Change): void;
  push(line: string): void;
}

/** No watches yet. */
export function createWatches(storage: Storage): Watches {
  /** By the prefix of the kind, which stays when its definition changes. */
  const running = new Map<string, Set<Running>>();

  function begin(kind: Kind, request: WatchRequest): Watch {
    const { selection, metadataOnly, revision } = request;
    const prefix = kind.namespaced && request.namespace !== '' ? `${request.namespace}/` : '';
    const matches = (version: Version | undefined) =>
      version !== undefined && (selection.matches === undefined || selection.matches(version.object));
    const all = running.get(kind.prefix) ?? new Set<Running>();
    running.set(kind.prefix, all);
    const { push, watch } = createStream(request, kind.plural, () => all.delete(own));
    const tell = (type: string, version: Version) =>
      push(`{"type":"${type}","object":${metadataOnly ? version.metadataText : version.text}}`);

    const own: Running = {
      kind,
      watch,
      push,
      bookmarks: request.bookmarks,
      from: revision ?? 0,
      send({ key, old, new: now, revision: at }) {
        // Who asks from the future, as after etcd was restored, hears nothing until then.
        if (!key.startsWith(prefix) || at <= (revision ?? 0)) return;
        const was = matches(old);
        const is = matches(now);
        if (now && is) tell(was ? 'MODIFIED' : 'ADDED', now);
        else if (old && was) tell('DELETED', asGone(old, at));
      },
    };

    if (revision !== undefined && revision < storage.oldest) {
      const tooOld = expired(`too old resource version: ${revision} (${storage.oldest})`);
      push(`{"type":"ERROR","object":${JSON.stringify(tooOld.body())}}`);
      watch.end();
      return watch;
    }
    if (revision === undefined) {
      for (const version of storage.table(kind).rows(prefix)) if (matches(version)) tell('ADDED', version);
    } else {
      for (const change of storage.table(kind).since(revision)) own.send(change);
    }
    all.add(own);
    return watch;
  }

  const each = (act: (one: Running) => void) => {
    for (const all of running.values()) for (const one of all) act(one);
  };

  return {
    begin,
    tell(kind, change) {
      for (const one of running.get(kind.prefix) ?? []) one.send(change);
    },
    bookmark() {
      each(({ bookmarks, from, push, kind }) => {
        if (!bookmarks || storage.revision < from) return;
        const object = {
          kind: kind.kind,
          apiVersion: kind.apiVersion,
          metadata: { resourceVersion: String(storage.revision), creationTimestamp: null },
        };
        push(`{"type":"BOOKMARK","object":${JSON.stringify(object)}}`);
      });
    },
    end(user) {
      each(({ watch }) => {
        if (user === undefined || watch.user === user) watch.end();
      });
    },
  };
}

function createStream(
  request: WatchRequest,
  resource: string,
  onEnd: () => void,
): { push: (line: string) => void; watch: Watch } {
  let kept: string[] = [];
  let to: { line(text: string): void; end(): void } | undefined;
  let state: 'open' | 'ended' | 'cancelled' = 'open';
  const watch: Watch = {
    resource,
    user: request.user,
    timeoutSeconds: request.timeoutSeconds,
    subscribe(subscriber) {
      if (state === 'cancelled') return;
      to = subscriber;
      for (const line of kept) subscriber.line(line);
      kept = [];
      if (state === 'ended') subscriber.end();
    },
    cancel() {
      state = 'cancelled';
      to = undefined;
      onEnd();
    },
    end() {
      if (state !== 'open') return;
      state = 'ended';
      onEnd();
      to?.end();
    },
  };
  return {
    watch,
    push(line) {
      if (state !== 'open') return;
      if (to) to.line(line);
      else kept.push(line);
    },
  };
}
