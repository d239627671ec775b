import { textAt } from '../json.ts';
import { USER } from '../perform.ts';
import { credentialsOf, type Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

interface Closing {
  readonly account: string;
  /** The process that was asked for silence. */
  readonly by: string;
  readonly storedAt: number;
  /** Virtual milliseconds. */
  readonly until: number;
  readonly token: string;
}

/** What has its turn when the service asks for silence may still go, of the process that was asked. Milliseconds. */
const UNDER_WAY = 15_000;
/** It is on record in whole seconds, rounded up, by a clock that is known to a second and the way of a message. Milliseconds. */
const ROUNDING = 5000;

/**
 * Until when the service wants no web acceleration requests is on record in its accounts: a process that starts, or takes over,
 * and has seen that sends none, as the one that was asked for silence.
 */
export const silenceOutlasts: AlwaysInvariant = {
  name: 'silence outlasts a restart',
  watch(scene, say) {
    const closings = new Map<string, Closing>();
    return {
      stored({ new: object, old, resource, user }) {
        if (user === USER || !resource.endsWith('accounts')) return;
        const uid = (object ?? old)?.metadata.uid;
        const account = uid === undefined ? undefined : scene.intent.byUID(uid);
        const text = textAt(object, 'status', 'closed', 'until');
        if (uid === undefined) return;
        if (!account || text === undefined) return void closings.delete(uid);
        if (text === textAt(old, 'status', 'closed', 'until')) return;
        const now = scene.world.now();
        const [token, ...others] = tokensOf(scene, uid, now - 60_000);
        if (token === undefined || others.length > 0) return void closings.delete(uid);
        closings.set(uid, {
          account: uid,
          by: user,
          storedAt: now,
          until: Date.parse(text) - scene.world.epoch,
          token,
        });
      },
      arrived({ api, from, route }) {
        const { cause, token } = scene;
        if (api !== 'webaccel' || !cause || cause.isSecond || closings.size === 0) return;
        // Whose clock is not that of the cluster learns by and by how far it is off.
        if (scene.script.steps.some(({ what }) => what === 'step clock')) return;
        for (const { account, storedAt, until, token: closed } of closings.values()) {
          if (closed !== token || storedAt > cause.seenUntil - UNDER_WAY || cause.writtenAt >= until - ROUNDING)
            continue;
          const one = scene.intent.byUID(account);
          // A Secret that changed, or an account that comes, is tried at once.
          if (!one || one.deletedAt !== undefined || isChanged(scene, token, storedAt - 60_000)) continue;
          say(
            `${from} sends ${route} ${((until - cause.writtenAt) / 1000).toFixed(1)} s before the service wants web acceleration requests again, as its account says`,
          );
        }
      },
    };
  },
};

function tokensOf(scene: Scene, uid: string, since: number): (string | undefined)[] {
  const account = scene.intent.byUID(uid);
  if (!account) return [];
  const { namespace, name } = credentialsOf(account);
  return [...new Set(scene.intent.secretValues(namespace, name, 'accessToken', since))];
}

/** An account with this token came, or was changed, or its Secret was. */
function isChanged(scene: Scene, token: string | undefined, since: number): boolean {
  return ['cloudaccounts', 'clustercloudaccounts']
    .flatMap((plural) => scene.intent.alive(plural, since))
    .filter(({ uid }) => tokensOf(scene, uid, 0).includes(token))
    .some((account) => {
      const { namespace, name } = credentialsOf(account);
      const isOther = ['accessToken', 'accessTokenSecret'].some(
        (key) => scene.intent.secretValues(namespace, name, key, since).length > 1,
      );
      return isOther || account.createdAt >= since || scene.intent.versionsOf(account, since).length > 1;
    });
}
