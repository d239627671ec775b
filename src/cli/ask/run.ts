import { UsageError } from '../errors.ts';
import type { KindName } from '../kinds.ts';
import type { Output } from '../output.ts';
import type { AccountChoice } from '../service/account.ts';
import { openService, type ServiceAccess } from '../service/open.ts';
import { type CliSurroundings, type ClusterFlags, openSession, type Session } from '../session.ts';
import { screenOf } from '../text/screen.ts';
import { type Answer, printed } from './answer.ts';
import { untilInterrupted } from './interrupted.ts';
import { withPatience } from './patience.ts';
import { findSubject, type Subject } from './subject.ts';

export interface AskOptions extends ClusterFlags {
  readonly account?: AccountChoice | undefined;
  readonly zone?: string | undefined;
  /** What writes is sent through an account that a person has stopped, too. */
  readonly evenIfStopped?: boolean;
  readonly output: Output;
}

/** What an operation has to do its work with. */
export interface Work {
  readonly session: Session;
  readonly access: ServiceAccess;
  /** Wall clock, milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Opens the account, does what is asked, and prints the answer. Throws `UsageError`, `ClusterError` and what the service refuses. */
export async function ask(
  options: AskOptions,
  surroundings: CliSurroundings,
  account: (session: Session) => Promise<AccountChoice | undefined>,
  operation: (work: Work) => Promise<Answer>,
): Promise<void> {
  await withAccount(options, surroundings, account, async (work) => {
    const { out, environment } = surroundings;
    const answer = await operation(work);
    const { kind, name } = work.access.account.ref;
    out.write(await printed(answer, `${kind}/${name}`, options.output, screenOf(out, environment)));
  });
}

/** Opens the account for as long as the work takes. Throws `UsageError`, `ClusterError`, `Interrupted` and what the work throws. */
export async function withAccount(
  flags: ClusterFlags & Pick<AskOptions, 'evenIfStopped'>,
  surroundings: CliSurroundings,
  account: (session: Session) => Promise<AccountChoice | undefined>,
  operation: (work: Work) => Promise<void>,
): Promise<void> {
  const { clock, err } = surroundings;
  const onPause = (seconds: number) => void err.write(`The service asks for a pause of ${seconds} s.\n`);
  await untilInterrupted(surroundings, async (onWrite) => {
    const session = await openSession(flags, surroundings);
    try {
      const writing = { evenIfStopped: flags.evenIfStopped ?? false, onWrite };
      const access = await openService(session, { account: await account(session), onPause, writing }, surroundings);
      try {
        const say = (text: string) => void err.write(text);
        await withPatience(clock, say, () => operation({ session, access, now: clock.now() }));
      } finally {
        await access.close();
      }
    } finally {
      await session.close();
    }
  });
}

/** The same about one object: a resource by its name, or what has this ID. */
export async function askAbout(
  kind: KindName,
  target: string,
  options: AskOptions,
  surroundings: CliSurroundings,
  operation: (work: Work & { readonly subject: Subject }) => Promise<Answer>,
): Promise<void> {
  let subject: Subject | undefined;
  const account = async (session: Session) => {
    subject = await findSubject(session, kind, target, options);
    return subject.account;
  };
  await ask(options, surroundings, account, (work) => {
    if (!subject) throw new UsageError('nothing was named', 'Write a name or an ID.');
    return operation({ ...work, subject });
  });
}
