import type { Incarnation } from '../intent.ts';
import { at, isObject } from '../json.ts';
import { credentialsOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

const HOUR = 3_600_000;

/** What an account has on record of an hour from a moment on, as a process that starts anew reads it. */
interface OnRecord {
  /** Virtual milliseconds. */
  readonly at: number;
  readonly covered: number;
}

/**
 * No web acceleration request leaves before a stored record of its account covers it: what a process that starts anew
 * reads there is never less than what went out within the hour.
 */
export const recordedFirst: AlwaysInvariant = {
  name: 'recorded before it is sent',
  watch(scene, say) {
    /** When requests left, by token. */
    const sent = new Map<string, number[]>();
    /** By the UID of the account. */
    const records = new Map<string, OnRecord[]>();
    return {
      stored({ old, new: object, resource }) {
        if (!/^(cluster)?cloudaccounts$/.test(resource)) return;
        const uid = (object ?? old)?.metadata.uid ?? '';
        const budget = at(object, 'status', 'budget');
        const number = (name: string) => (isObject(budget) ? Number(budget[name] ?? 0) : 0);
        push(records, uid, { at: scene.world.now(), covered: number('used') + number('reserved') });
      },
      arrived({ api, from, route }) {
        const { cause, token } = scene;
        if (api !== 'webaccel' || !cause || cause.isSecond || token === undefined) return;
        const moment = cause.writtenAt;
        push(sent, token, moment);
        const count = (sent.get(token) ?? []).filter((time) => time > moment - HOUR && time <= moment).length;
        const most = Math.max(
          0,
          ...[...records].flatMap(([uid, all]) => {
            const account = scene.intent.byUID(uid);
            if (!account || !tokensOf(scene, account).has(token)) return [];
            const last = all.findLastIndex((one) => one.at <= moment);
            return all.slice(Math.max(0, last)).map(({ covered }) => covered);
          }),
        );
        if (count > most)
          say(
            `${from} sends request ${count} of an hour with ${token} (${route}), and no more than ${most} are on record`,
          );
      },
    };
  },
};

/** Those that were ever in its Secret. */
function tokensOf(scene: Scene, account: Incarnation): Set<string> {
  const { namespace, name } = credentialsOf(account);
  return new Set(scene.intent.secretValues(namespace, name, 'accessToken', 0).flatMap((token) => token ?? []));
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
