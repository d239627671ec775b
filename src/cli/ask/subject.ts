import { UsageError } from '../errors.ts';
import { type Kind, type KindName, kindOf } from '../kinds.ts';
import type { AccountChoice } from '../service/account.ts';
import type { Session } from '../session.ts';
import type { Reported } from '../standing.ts';
import { harmless } from '../text/harmless.ts';

/** What is asked about: an object of the service, and the resource that has it, where one was named. */
export interface Subject {
  readonly id: string;
  /** As a person reads it: `SIM 113300000017 (Sim fleet/truck-17)`. */
  readonly title: string;
  readonly zone: string | undefined;
  readonly account: AccountChoice | undefined;
  readonly object: Reported | undefined;
}

/** How a kind's objects are called at the service. */
const TITLES: Partial<Record<KindName, string>> = { Sim: 'SIM', MobileGateway: 'gateway', WebAccelSite: 'site' };

/** IDs have twelve digits; a resource of that name is written with its kind. */
const ID = /^\d{12}$/;
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/**
 * What `NAME`, `KIND/NAME` or an ID means. Of a resource the account is the one it uses. Throws `UsageError`, `ClusterError`.
 */
export async function findSubject(
  session: Session,
  kindName: KindName,
  text: string,
  choice: { readonly zone?: string | undefined; readonly account?: AccountChoice | undefined },
): Promise<Subject> {
  const kind = kindOf(kindName);
  const title = TITLES[kindName] ?? kindName;
  if (ID.test(text))
    return { id: text, title: `${title} ${text}`, zone: choice.zone, account: choice.account, object: undefined };
  const name = nameIn(kind, text);
  if (session.namespace === undefined || choice.account)
    throw new UsageError(
      `${name} is a resource, which is in one namespace and has its own account`,
      'Leave out --account, and name the namespace with -n.',
    );
  const object = await session.get<Reported>(kind, session.namespace, name);
  const id = object.status?.['id'];
  if (typeof id !== 'string' || id === '')
    throw new UsageError(
      `the ${kindName} ${name} has no ${title} yet`,
      `\`edgeline explain ${kind.singular}/${name}\` says why.`,
    );
  const uid = object.status?.['uid'];
  if (uid !== undefined && uid !== object.metadata.uid)
    throw new UsageError(
      `the status of the ${kindName} ${name} was written for another resource, as after a restore, and its ${title} was not found since`,
      `\`edgeline explain ${kind.singular}/${name}\` says why.`,
    );
  const zone = object.spec?.['zone'];
  return {
    id,
    title: `${title} ${id} (${kindName} ${session.namespace}/${name})`,
    zone: typeof zone === 'string' ? zone : choice.zone,
    account: accountOf(object),
    object: { ...object, kind: kindName },
  };
}

function nameIn(kind: Kind, text: string): string {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  if ((slash >= 0 && !kind.names.includes(text.slice(0, slash).toLowerCase())) || !NAME.test(name))
    throw new UsageError(
      `"${harmless(text)}" names no ${kind.kind}`,
      `Write the name of one, or an ID of twelve digits: \`kubectl get ${kind.plural}\` lists them.`,
    );
  return name;
}

function accountOf({ status, spec }: Reported): AccountChoice | undefined {
  const ref: unknown = status?.['accountRef'] ?? spec?.['accountRef'];
  if (typeof ref !== 'object' || ref === null || !('kind' in ref) || !('name' in ref)) return undefined;
  const { kind, name } = ref;
  if ((kind !== 'CloudAccount' && kind !== 'ClusterCloudAccount') || typeof name !== 'string') return undefined;
  return { kind, name };
}
