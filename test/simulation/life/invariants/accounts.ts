import { conditionOf, type Incarnation, isPaused } from '../intent.ts';
import { listAt, textAt } from '../json.ts';
import { nameOf, type Scene } from '../scene.ts';
import { lacksMuch, wanted, worldOf } from './diagnosis.ts';
import type { AlwaysInvariant, FinalInvariant } from './invariant.ts';

const plurals = ['cloudaccounts', 'clustercloudaccounts'] as const;

/** An account says Ready if the service takes its credentials, and only then; one that was deleted is gone. */
export const accountsTell: FinalInvariant = {
  name: 'accounts say what they are',
  check(scene, say) {
    for (const account of plurals.flatMap((plural) => scene.intent.alive(plural, scene.world.now()))) {
      if (account.goneAt !== undefined || isStopped(scene, account)) continue;
      const ready = conditionOf(account.object, 'Ready');
      const told = `${nameOf(account)} says Ready=${ready?.status} ${ready?.reason}: ${ready?.message}`;
      const users = usersOf(scene, account);
      if (account.deletedAt !== undefined) {
        if (users.length === 0)
          say(`${nameOf(account)} was deleted, and nothing uses it, but it is still there: ${told}`);
        continue;
      }
      const opened = worldOf(scene, account);
      if (opened === undefined && ready?.status === 'True')
        say(`${told}, but its Secret has no credentials of the service`);
      const elsewhere =
        opened === undefined ? undefined : usersOf(scene, account).find((one) => isElsewhere(scene, one, opened));
      if (elsewhere && ready?.status === 'True')
        say(`${told}, but what ${nameOf(elsewhere)} has is of another account`);
      if (opened !== undefined && ready?.status !== 'True' && !lacksMuch(scene, account))
        say(`${told}, and nothing is in its way`);
    }
  },
};

/** An account that something at the service is managed through stays until that is gone. */
export const accountsStay: AlwaysInvariant = {
  name: 'an account in use stays',
  watch(scene, say) {
    /** What the process of a request had been told of when it made it, by its number. Virtual milliseconds. */
    const seen = new Map<number, number>();
    return {
      message(moment, { to, verb, serial, process }) {
        if (moment === 'begun' && to === 'kubernetes' && verb !== 'GET')
          seen.set(serial, scene.world.seenUntil(process));
      },
      stored({ old, new: object, resource, user }) {
        if (object || !old || !plurals.some((plural) => plural === resource)) return;
        const account = scene.intent.byUID(old.metadata.uid);
        if (!account || account.isTornOff) return;
        const { message } = scene.cause ?? {};
        const until = message?.process === user ? seen.get(message.serial) : undefined;
        // What comes from a backup while the account's finalizer is taken off, nobody can have reckoned with; of what
        // happened in that very moment the process may have seen a part.
        const [one] = usersOf(scene, account).filter(({ createdAt }) => createdAt < (until ?? Infinity));
        if (one) say(`${nameOf(account)} is gone, though ${nameOf(one)} has it in its status, and is not gone`);
      },
    };
  },
};

/** Those that have something at the service, or are about to, and are bound to the account: what is only observed has no finalizer. */
function usersOf(scene: Scene, { plural, namespace, name }: Incarnation): Incarnation[] {
  const kind = plural === 'cloudaccounts' ? 'CloudAccount' : 'ClusterCloudAccount';
  return scene.intent.all.filter(
    (one) =>
      one.goneAt === undefined &&
      (kind !== 'CloudAccount' || one.namespace === namespace) &&
      textAt(one.object, 'status', 'accountRef', 'kind') === kind &&
      textAt(one.object, 'status', 'accountRef', 'name') === name &&
      (listAt(one.object, 'metadata', 'finalizers').length > 0 || textAt(one.object, 'status', 'id') !== undefined),
  );
}

/** What it has is in another account than this one. */
function isElsewhere({ atService }: Scene, { plural, object }: Incarnation, account: string): boolean {
  const id = plural === 'sims' || plural === 'mobilegateways' ? textAt(object, 'status', 'id') : undefined;
  const home = id === undefined ? undefined : atService.accountOf(id);
  return home !== undefined && home !== account;
}

function isStopped(scene: Scene, account: Incarnation): boolean {
  const namespaces = account.namespace === '' ? [] : scene.intent.named('namespaces', '', account.namespace);
  return [account, ...namespaces].some((one) => one.versions.length > 0 && isPaused(wanted(one).annotations));
}
