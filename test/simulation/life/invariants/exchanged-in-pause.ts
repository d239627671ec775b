import { type Incarnation, isPaused } from '../intent.ts';
import { credentialsOf, isByOperator } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** So long after it was paused, and before it is not any more, an account is known to be. Milliseconds. */
const KNOWN = 3000;

/** What an account was given while it was paused is what is used from the end of the pause on. */
export const exchangedInPause: AlwaysInvariant = {
  name: 'a token that was exchanged in a pause is used no more',
  watch(scene, say) {
    const { steps } = scene.script;
    // What a process has not heard of it goes by in good faith.
    if (steps.some(({ what }) => ['suspend', 'partition', 'freeze watches', 'deny', 'restore etcd'].includes(what)))
      return {};
    if (scene.script.setting.credentials.length < 2) return {};

    /** When the pause ended in which the token of this account was replaced; undefined: in none. */
    function replacedUntil(account: Incarnation, token: string, writtenAt: number): number | undefined {
      const { namespace, name } = credentialsOf(account);
      const tokens = (since: number) => scene.intent.secretValues(namespace, name, 'accessToken', since);
      const pauses = account.versions.flatMap(({ at, annotations }, index) => {
        const end = account.versions[index + 1]?.at;
        return isPaused(annotations) && end !== undefined && end <= writtenAt ? [{ at: at + KNOWN, end }] : [];
      });
      return pauses.find(
        ({ at, end }) =>
          tokens(at)[0] === token && !tokens(end - KNOWN).includes(token) && tokens(end - KNOWN).length > 0,
      )?.end;
    }

    return {
      changed(change) {
        const { cause, token, intent } = scene;
        if (!isByOperator(change) || !cause || cause.isSecond || token === undefined) return;
        const accounts = intent.all.filter(({ plural }) => plural.endsWith('cloudaccounts'));
        const users = accounts.filter((one) => {
          const { namespace, name } = credentialsOf(one);
          return intent.secretValues(namespace, name, 'accessToken', 0).includes(token);
        });
        const [account, ...others] = users;
        if (!account || others.length > 0 || replacedUntil(account, token, cause.writtenAt) === undefined) return;
        say(`${change.from} sends ${change.route} with ${token}, which was exchanged while ${account.name} was paused`);
      },
    };
  },
};
