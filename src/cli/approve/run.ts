import { isConflict } from '../../kubernetes/errors.ts';
import { clusterError, UsageError } from '../errors.ts';
import { parseTargets, type Target } from '../kinds.ts';
import { resolveTargets } from '../resolve.ts';
import { type CliSurroundings, type ClusterFlags, openSession, type Session } from '../session.ts';
import type { Reported } from '../standing.ts';
import { harmless } from '../text/harmless.ts';
import { screenOf } from '../text/screen.ts';
import { type Found, findNamed, findTargets, managedOf, type Named, refuseForeign } from './find.ts';
import { planLines } from './render.ts';
import { isPlannedAnew, type WaitingPlan, waitingPlan } from './waiting.ts';

export interface ApproveOptions extends ClusterFlags {
  /** `KIND[/NAME]`, any number of them. */
  readonly targets: readonly string[];
  /** Instead of targets: what manifests name. */
  readonly manifests?: readonly Named[] | undefined;
  readonly selector?: string | undefined;
  /** The one plan that is meant. */
  readonly hash?: string | undefined;
  /** Nobody is asked. */
  readonly yes: boolean;
  /** Asks a person, where there is one. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
}

interface Asking extends Found {
  readonly plan: WaitingPlan;
}

/** The annotation that approves the plan with its hash. */
const APPROVE = 'edgeline.dev/approve';
/** So many times the annotation is written while others write the object, too. */
const TRIES = 6;

/**
 * `edgeline approve`: shows the plans that wait, and approves them once a person has said so. Gives the exit code: 0 where all
 * that was named is approved, 2 where something is not. Throws `UsageError`, `KubeconfigError` and `ClusterError`.
 */
export async function runApprove(options: ApproveOptions, surroundings: CliSurroundings): Promise<0 | 2> {
  const { hash, selector, yes, confirm } = options;
  const { manifests } = options;
  const targets = parseTargets(options.targets);
  if (manifests) checkWithManifests(manifests, options);
  else check(targets, options);
  const { out, environment } = surroundings;
  const session = await openSession(options, surroundings);
  try {
    const write = (line: string) => void out.write(`${line}\n`);
    const { found, missing } = manifests
      ? await findNamed(session, manifests)
      : { found: await findTargets(session, await resolveTargets(session, targets), selector), missing: [] };
    const { idle, outdated, others, wanted } = sortedOut(found, hash);
    const isAll = missing.length + idle.length + outdated.length + others.length === 0;
    for (const one of missing) write(`${harmless(one)}: it is not in the cluster. Apply it first.`);
    for (const one of idle) write(`${titleOf(one)}: nothing waits for approval.`);
    for (const one of outdated)
      write(`${titleOf(one)}: the spec has changed, and what that leads to is not planned yet. Look at it again.`);
    for (const one of others)
      write(`${titleOf(one)}: the plan that waits is ${harmless(one.plan.hash)}, another than the one that was named.`);
    const screen = screenOf(out, environment);
    for (const one of wanted) out.write(`${planLines(titleOf(one), one.plan, screen).join('\n')}\n`);
    if (wanted.length === 0) {
      if (isAll) write('Nothing waits for approval.');
      return isAll ? 0 : 2;
    }
    if (!yes && !(await isWanted(wanted.length, confirm))) {
      write('Nothing was approved.');
      return 2;
    }
    return (await approveAll(session, wanted, write)) && isAll ? 0 : 2;
  } finally {
    await session.close();
  }
}

/**
 * What was named and has no plan, what is about to be planned anew, what has another plan than the one that was named, and what
 * is to be approved. Pure.
 */
function sortedOut(all: readonly Found[], hash: string | undefined) {
  const outdated = all.filter(({ object }) => isPlannedAnew(object));
  const found = all.filter((one) => !outdated.includes(one));
  const asking = found.flatMap((one): Asking[] => {
    const plan = waitingPlan(one.object);
    return plan ? [{ ...one, plan }] : [];
  });
  const isMeant = ({ plan }: Asking) => hash === undefined || plan.hash === hash;
  return {
    outdated,
    idle: found.filter((one) => one.isNamed && !waitingPlan(one.object)),
    others: asking.filter((one) => !isMeant(one)),
    wanted: asking.filter(isMeant),
  };
}

/** Asks a person. Throws `UsageError` where there is none. */
async function isWanted(count: number, confirm: ApproveOptions['confirm']): Promise<boolean> {
  if (!confirm)
    throw new UsageError('nobody is there to be asked', 'Add --yes to approve the plans without being asked.');
  return confirm(`Approve ${count === 1 ? 'this plan' : `these ${count} plans`}? [y/N] `);
}

/** Gives whether all of them are approved. */
async function approveAll(
  session: Session,
  wanted: readonly Asking[],
  write: (line: string) => void,
): Promise<boolean> {
  let isAll = true;
  for (const one of wanted) {
    const isApproved = await approve(session, one);
    isAll &&= isApproved;
    write(
      isApproved
        ? `${titleOf(one)}: approved.`
        : `${titleOf(one)}: not approved, because another plan waits by now, or none. Look at it again.`,
    );
  }
  return isAll;
}

function check(targets: readonly Target[], { selector, hash, allNamespaces }: ApproveOptions): void {
  const isOne = targets.length === 1 && targets[0]?.name !== undefined;
  if (targets.length === 0)
    throw new UsageError('nothing was named', 'Write KIND or KIND/NAME, for example sim/truck-17 or sim.');
  if (selector !== undefined && targets.some(({ name }) => name !== undefined))
    throw new UsageError('a selector does not go with the name of an object', 'Leave out -l, or the name.');
  if (hash !== undefined && !isOne)
    throw new UsageError('a hash is that of one plan', 'Name the one object with --hash, for example sim/truck-17.');
  if (allNamespaces && targets.some(({ name }) => name !== undefined))
    throw new UsageError('an object is in one namespace', 'Name the namespace with -n.');
  refuseForeign(targets);
}

/** What manifests name, each in its own namespace, takes nothing beside it. */
function checkWithManifests(named: readonly Named[], { targets, selector, hash, allNamespaces }: ApproveOptions): void {
  if (targets.length > 0)
    throw new UsageError('it is either manifests or names', 'Leave out -f and -k, or the names of resources.');
  if (selector !== undefined)
    throw new UsageError('a selector does not go with manifests', 'Leave out -l, or -f and -k.');
  if (allNamespaces)
    throw new UsageError(
      'manifests are each in one namespace',
      'Leave out -A; -n is the namespace of manifests that name none.',
    );
  const count = named.filter(({ kind }) => managedOf([kind]).length > 0).length;
  if (count === 0)
    throw new UsageError(
      'of what these manifests are, nothing is approved',
      'Give manifests of Sims, MobileGateways, WebAccelSites or SiteCertificates.',
    );
  if (hash !== undefined && count !== 1)
    throw new UsageError('a hash is that of one plan', 'Give the manifest of one resource with --hash.');
}

/** Sets the annotation, provided that the plan that was shown still waits. Gives whether it did. Throws `ClusterError`. */
async function approve(session: Session, { kind, object, plan }: Asking): Promise<boolean> {
  let current = object;
  for (let tries = 1; ; tries++) {
    if (current.metadata.uid !== object.metadata.uid || isPlannedAnew(current)) return false;
    if (waitingPlan(current)?.hash !== plan.hash) return false;
    const { namespace, name, uid, resourceVersion } = current.metadata;
    const patch = { metadata: { uid, resourceVersion, annotations: { [APPROVE]: plan.hash } } };
    try {
      await session.client.mergePatch<Reported>(kind, namespace, name, patch, { retry: false });
      return true;
    } catch (error) {
      if (!isConflict(error) || tries === TRIES)
        throw clusterError(error, { verb: 'patch', resource: kind, namespace, name, server: session.server });
      current = await session.get<Reported>(kind, namespace, name);
    }
  }
}

function titleOf({ kind, object }: Found): string {
  return harmless(`${kind.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`);
}
