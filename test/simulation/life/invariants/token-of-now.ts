import type { ObjectChange } from '../../../../src/shadow/service/types.ts';
import type { Incarnation } from '../intent.ts';
import type { Claim } from '../reading/claim.ts';
import { credentialsOf, isByOperator, type Scene } from '../scene.ts';
import { certificateClaims } from './certificates.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** So long after the new token served, what was about to leave with the old one may still do so. Milliseconds. */
const EXCHANGED = 4000;
/** So many of the moments at which a token served are kept. */
const MOMENTS = 20;

/** Once a process has used the token that the Secret of an account has now, nothing is changed with the one of before. */
export const tokenOfNow: AlwaysInvariant = {
  name: 'nothing is changed with a token of before',
  watch(scene, say) {
    // Most lives have no other token to exchange one for.
    if (scene.script.setting.credentials.length < 2) return {};
    const tokens = new Map<number, string>();
    /** When a process was answered with a token, by both. */
    const servedAt = new Map<string, number[]>();
    const tokensOf = (account: Incarnation, since: number) => {
      const { namespace, name } = credentialsOf(account);
      return scene.intent.secretValues(namespace, name, 'accessToken', since);
    };

    /** Whether the process had used what replaced it in this account long before the change left. */
    function isReplaced(account: Incarnation, token: string, process: string, writtenAt: number): boolean {
      const next = tokensOf(account, writtenAt).at(-1);
      if (next === undefined || next === token || !tokensOf(account, 0).includes(token)) return false;
      const others = scene.intent.all.filter((one) => one !== account && one.plural.endsWith('cloudaccounts'));
      // Then nothing tells whose request it was.
      if (others.some((other) => tokensOf(other, 0).includes(next))) return false;
      return (servedAt.get(`${process} ${next}`) ?? []).some(
        (at) => at < writtenAt - EXCHANGED && tokensOf(account, at).every((one) => one === next),
      );
    }

    return {
      arrived() {
        if (scene.cause && scene.token !== undefined) tokens.set(scene.cause.message.serial, scene.token);
      },
      message(moment, { serial, to, process }, answer) {
        if (moment !== 'answered' || to !== 'service') return;
        const token = tokens.get(serial);
        tokens.delete(serial);
        if (token === undefined || answer?.status !== 200) return;
        const key = `${process} ${token}`;
        servedAt.set(key, [...(servedAt.get(key) ?? []), scene.world.now()].slice(-MOMENTS));
      },
      changed(change) {
        const { cause, token } = scene;
        if (!isByOperator(change) || !cause || cause.isSecond || token === undefined) return;
        const { writtenAt, message } = cause;
        for (const object of change.objects) {
          // A gateway that goes takes its SIMs off by its own account.
          if (object.kind === 'sims' && change.route.includes('/appliance/')) continue;
          // A SIM comes to a gateway, and leaves it, by the account of either.
          const meant = change.route.includes('/mobilegateway/sims') ? change.objects : [object];
          const accounts = meant
            .flatMap((one) => claimsOf(scene, one, change.account, writtenAt))
            .flatMap(({ incarnation }) => scene.accountObjects(incarnation, writtenAt));
          if (accounts.length === 0) continue;
          if (accounts.every((account) => isReplaced(account, token, message.process, writtenAt)))
            say(`${change.from} sends ${change.route} for ${object.id} with ${token}, which was exchanged`);
        }
      },
    };
  },
};

/** Who may mean what was there before. */
function claimsOf(scene: Scene, object: ObjectChange, account: string, moment: number): readonly Claim[] {
  const { ownership } = scene;
  if (!object.before) return [];
  if (object.kind === 'sims') return ownership.simClaims(account, object.before, moment);
  if (object.kind === 'gateways') return ownership.gatewayClaims(account, object.before, moment);
  if (object.kind !== 'sites') return [];
  const certificates = certificateClaims(scene, account, object.before, moment);
  return [...ownership.siteClaims(account, object.before, moment), ...certificates];
}
