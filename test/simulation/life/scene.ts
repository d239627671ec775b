import type { Change } from '../../../src/shadow/service/types.ts';
import type { Message } from '../../../src/shadow/world/messages.ts';
import type { World } from '../../../src/shadow/world/world.ts';
import type { AtService } from './at-service.ts';
import type { Incarnation, Intent } from './intent.ts';
import { textAt } from './json.ts';
import type { Ownership } from './ownership.ts';
import type { Script } from './script.ts';
import type { Sight } from './sight.ts';

/** What somebody promised and did not keep. */
export interface Violation {
  readonly invariant: string;
  /** What, about which object. */
  readonly message: string;
  /** Virtual milliseconds. */
  readonly at: number;
}

/** What led to a change. */
export interface Cause {
  readonly message: Message;
  readonly writtenAt: number;
  /** What happened in the cluster up to this moment, its process had been told by then. */
  readonly seenUntil: number;
  readonly isSecond: boolean;
}

/** What checks have to go by. */
export interface Scene {
  readonly world: World;
  readonly script: Script;
  readonly intent: Intent;
  readonly sight: Sight;
  readonly atService: AtService;
  readonly ownership: Ownership;
  /** The message that the service or the apiserver is carrying out, and when it left its process. */
  readonly cause: Cause | undefined;
  /** The access token of the request that the service is carrying out. */
  readonly token: string | undefined;
  /** No fault is met any more from this moment on; undefined during the trouble. */
  readonly calmSince: number | undefined;
  /** When people changed the objects of the service; virtual milliseconds. */
  lastEdit(kind: string, id: string): number | undefined;
  /** When they first did so since. */
  firstEdit(kind: string, id: string, since: number): number | undefined;
  /** The names of the service's accounts that a resource may use, by what users wrote at some time since. */
  accountsOf(incarnation: Incarnation, since: number): ReadonlySet<string>;
  /** The accounts in the cluster that a resource may use. */
  accountObjects(incarnation: Incarnation, since: number): readonly Incarnation[];
}

/** The account at the service that a token opens. */
export function openedBy(script: Script, token: string | undefined): string | undefined {
  const found = script.setting.credentials.find(({ accessToken }) => accessToken === token);
  return found && (found.sameAs ?? found.name);
}

/** The accounts in the cluster that a resource goes by: that of its spec, else the default one. */
export function accountObjectsOf(
  intent: Intent,
  { namespace, versions, object }: Incarnation,
  since: number,
): Incarnation[] {
  const spec = versions.at(-1)?.spec;
  const kind = textAt(spec, 'accountRef', 'kind');
  const name = textAt(spec, 'accountRef', 'name') ?? 'default';
  const isThere = ({ goneAt }: Incarnation) => goneAt === undefined || goneAt >= since;
  const own = intent.named('cloudaccounts', namespace, name).filter(isThere);
  const shared = intent.named('clustercloudaccounts', '', name).filter(isThere);
  if (kind !== undefined) return kind === 'CloudAccount' ? own : shared;
  // It stays with the one it was made in, though another would be chosen today.
  const mayBeShared = textAt(object, 'status', 'accountRef', 'kind') === 'ClusterCloudAccount';
  const isOwn = own.some(({ createdAt, goneAt }) => createdAt <= since && goneAt === undefined);
  return isOwn && !mayBeShared ? own : [...own, ...shared];
}

/** The Secret that opens an account: its namespace and name. */
export function credentialsOf(account: Incarnation): { readonly namespace: string; readonly name: string } {
  const spec = account.versions.at(-1)?.spec;
  return {
    namespace: textAt(spec, 'secretNamespace') ?? account.namespace,
    name: textAt(spec, 'credentialsSecretRef', 'name') ?? '',
  };
}

/** Whether a process of the operator made a change, rather than a person. */
export function isByOperator({ from }: Change): boolean {
  return from !== 'control panel';
}

/** A resource as messages of checks name it. */
export function nameOf({ plural, namespace, name }: Incarnation): string {
  return `${plural} ${namespace}/${name}`;
}
