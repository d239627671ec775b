import { LOOKS_AT_CREDENTIALS } from '../calmness.ts';
import type { Incarnation } from '../intent.ts';
import { isPaused } from '../intent.ts';
import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { credentialsOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** A paused account sends no request at all, reads neither. */
export const pausedIsSilent: AlwaysInvariant = {
  name: 'a paused account is silent',
  watch: (scene, say) => ({
    arrived({ route, from }) {
      const { cause, token } = scene;
      if (!cause || cause.isSecond || token === undefined) return;
      const since = scene.sight.since(cause.writtenAt);
      const paused = ['cloudaccounts', 'clustercloudaccounts']
        .flatMap((plural) => scene.intent.alive(plural, since))
        .filter((account) => isPausedSince(scene, account, since));
      if (paused.length === 0) return;
      const accounts = ['cloudaccounts', 'clustercloudaccounts']
        .flatMap((plural) => scene.intent.alive(plural, since))
        .filter((account) => {
          const { namespace, name } = credentialsOf(account);
          const valuesSince = (time: number) => scene.intent.secretValues(namespace, name, 'accessToken', time);
          const values = valuesSince(since);
          // While a Secret is gone, what it last had serves those who need it.
          return (values.every((value) => value === undefined) ? valuesSince(0) : values).includes(token);
        });
      if (accounts.length === 0 || !accounts.every((account) => paused.includes(account))) return;
      say(`${from} sends ${route} with ${token}, whose accounts are all paused`);
    },
  }),
};

function isPausedSince(scene: Scene, account: Incarnation, since: number): boolean {
  const spaces = account.namespace === '' ? [] : scene.intent.named('namespaces', '', account.namespace);
  return [account, ...spaces].some((one) => {
    const versions = scene.intent.versionsOf(one, since);
    return versions.length > 0 && versions.every(({ annotations }) => isPaused(annotations));
  });
}

/** The service asked for silence for so long. Milliseconds. */
const RETRY_AFTER = 30_000;

/** After an answer with Retry-After nothing is sent to that interface with that token until it is over. */
export const heedsRetryAfter: AlwaysInvariant = {
  name: 'Retry-After is heeded',
  watch(scene, say) {
    const asked = new Map<number, string>();
    const begunAt = new Map<number, number>();
    const closed = new Map<string, { readonly from: number; readonly to: number }>();
    return {
      message(moment, { serial, route, process }) {
        if (moment === 'begun' && route === 'list sims') {
          // A process that starts anew knows of nothing.
          for (const key of closed.keys()) if (key.startsWith(`${process} `)) closed.delete(key);
        }
        if (moment === 'begun') begunAt.set(serial, scene.world.now());
        if (moment !== 'answered') return;
        const key = asked.get(serial);
        if (key !== undefined) closed.set(key, { from: scene.world.now(), to: scene.world.now() + RETRY_AFTER });
      },
      arrived({ api, from, fault, route }) {
        const { cause, token } = scene;
        if (!cause || cause.isSecond || api === null) return;
        const key = `${from} ${api} ${token}`;
        // What whoever may only name a token is told when trying it says nothing of those who have its secret.
        const isTried = LOOKS_AT_CREDENTIALS.test(cause.message.target);
        if (fault === 'too many requests, retry later' && !isTried) asked.set(cause.message.serial, key);
        const silence = closed.get(key);
        // What has its turn already, and waits for its connection, may go on.
        const begun = begunAt.get(cause.message.serial) ?? 0;
        if (!silence || begun <= silence.from || cause.writtenAt >= silence.to - 100) return;
        if (wasChanged(scene, token, silence.from)) return;
        say(
          `${from} sends ${route} ${((cause.writtenAt - silence.from) / 1000).toFixed(1)} s after the service asked for ${RETRY_AFTER / 1000} s of silence`,
        );
      },
    };
  },
};

/** Credentials that changed are tried at once. */
function wasChanged(scene: Scene, token: string | undefined, since: number): boolean {
  return ['cloudaccounts', 'clustercloudaccounts']
    .flatMap((plural) => scene.intent.alive(plural, since))
    .some((account) => {
      const { namespace, name } = credentialsOf(account);
      const values = scene.intent.secretValues(namespace, name, 'accessToken', since - 60_000);
      return account.createdAt >= since || (values.length > 1 && values.includes(token));
    });
}

const SERIES = 300_000;

/** The same event again is counted in the one that there is. */
export const eventsCounted: AlwaysInvariant = {
  name: 'the same event is counted',
  watch(scene, say) {
    const last = new Map<string, { readonly at: number; readonly text: string }>();
    return {
      message(moment, { route, process }) {
        if (moment === 'begun' && route === 'list sims') {
          for (const key of last.keys()) if (key.startsWith(`${process} `)) last.delete(key);
        }
      },
      stored({ old, new: object, resource, user }) {
        if (resource !== 'events' || old || !object || user === USER) return;
        const { cause } = scene;
        // Its process has died meanwhile, and the next one cannot know of it.
        if (cause && scene.world.processes.some(({ name, startedAt }) => name === user && startedAt > cause.writtenAt))
          return;
        // A series ends by the clock of the process.
        if (scene.script.steps.some(({ what }) => what === 'step clock')) return;
        const key = `${user} ${textAt(object, 'regarding', 'uid')}`;
        const text = `${textAt(object, 'type')} ${textAt(object, 'reason')} ${textAt(object, 'note')}`;
        const before = last.get(key);
        const now = scene.world.now();
        last.set(key, { at: now, text });
        if (before?.text !== text || now - before.at >= SERIES) return;
        say(`${key}: ${text}: recorded twice in a row within ${Math.round((now - before.at) / 1000)} s`);
      },
    };
  },
};
