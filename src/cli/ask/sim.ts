import type { CallOptions } from '../../cloud/limiter/lanes.ts';
import { ClusterError, UsageError } from '../errors.ts';
import { kindOf } from '../kinds.ts';
import type { Session } from '../session.ts';
import type { Reported } from '../standing.ts';
import type { Answer } from './answer.ts';
import { refuseStopped } from './limit.ts';
import type { Work } from './run.ts';
import type { Subject } from './subject.ts';

type SimWork = Work & { readonly subject: Subject };

const READ: CallOptions = { lane: 'list' };
const WRITE: CallOptions = { lane: 'write' };

const done = ({ subject }: SimWork, what: string): Answer => ({ of: subject.title, items: [{ done: what }] });

/** What a person asks of a SIM (`api.md`, SIM operations), each with its answer. All throw CloudError. */
export const simOperations = {
  async show({ access, subject }: SimWork): Promise<Answer> {
    const { traffic, ...status } = await access.client.sims.status(subject.id, READ);
    const { uplinkBytes, downlinkBytes } = traffic ?? {};
    return { of: subject.title, items: [{ ...status, uplinkBytes, downlinkBytes }] };
  },

  async logs({ access, subject }: SimWork, count: number): Promise<Answer> {
    const entries = await access.client.sims.sessionLog(subject.id, { count }, READ);
    return {
      of: subject.title,
      items: entries.map((entry) => ({ ...entry })),
      none: 'The session log is empty.',
    };
  },

  async metrics({ access, subject, now }: SimWork, sinceMilliseconds: number): Promise<Answer> {
    const range = { start: new Date(now - sinceMilliseconds), end: new Date(now) };
    const points = await access.client.sims.metrics(subject.id, range, READ);
    return {
      of: subject.title,
      items: points.map((point) => ({ ...point })),
      none: 'There are no measurements.',
    };
  },

  /** Sent once, whatever comes of it: twice would cut the session twice. */
  async reconnect(work: SimWork): Promise<Answer> {
    await work.access.client.sims.reconnect(work.subject.id, WRITE);
    return done(work, 'reconnected');
  },

  async activate(work: SimWork, activated: boolean, force: boolean): Promise<Answer> {
    const { access, subject, session } = work;
    if (!force) refuseUndone(subject, activated, subject.object ?? (await ownerOf(session, subject)));
    if (activated) await access.client.sims.activate(subject.id, WRITE);
    else await access.client.sims.deactivate(subject.id, WRITE);
    return done(work, activated ? 'activated' : 'deactivated');
  },
};

/** The Sim that has a SIM, in any namespace. Whoever may not see them all does not know that there is none. */
async function ownerOf(session: Session, { id }: Subject): Promise<Reported | undefined> {
  try {
    const sims = await session.list<Reported>(kindOf('Sim'), undefined);
    return sims.find(({ status }) => status?.['id'] === id);
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    throw new UsageError(
      `it can't be seen whether a Sim looks after the SIM ${id}, whose operator would undo this: ${error.message}`,
      'Name the Sim instead of the ID, or do it all the same with --force.',
      { cause: error },
    );
  }
}

/** What the spec of a Sim says otherwise lasts until the operator looks again. */
function refuseUndone(subject: Subject, activated: boolean, owner: Reported | undefined): void {
  if (owner && activated) refuseStopped(owner);
  const asked = owner?.spec?.['activated'];
  if (!owner || typeof asked !== 'boolean' || asked === activated || owner.spec?.['managementPolicy'] === 'Observe')
    return;
  const { namespace, name } = owner.metadata;
  throw new UsageError(
    `the Sim ${namespace}/${name} asks for activated: ${asked}, so the operator would undo this`,
    `Set spec.activated to ${activated} there; or do it to ${subject.title} all the same with --force.`,
  );
}
