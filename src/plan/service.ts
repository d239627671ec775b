import { adviceAtTerminal, HourRefused } from '../cli/service/errors.ts';
import { openService, type ServiceAccess } from '../cli/service/open.ts';
import type { CliSurroundings, Session } from '../cli/session.ts';
import { EdgelineError } from '../errors.ts';
import { keysOf, learn, mostRequests } from './ask.ts';
import { parseKey, plannedKindOf } from './objects.ts';
import { recordedPicture } from './picture/recorded.ts';
import type { Answered, Answers, Question } from './plan.ts';

/**
 * Asks the service, each account through its own limits, with the permissions of whoever runs the command. What cannot be
 * asked is taken from the statuses, and said. `announce`: told how many requests are about to be sent, before the first.
 */
export async function askService(
  questions: readonly Question[],
  options: {
    readonly session: Session;
    readonly surroundings: CliSurroundings;
    /** Requests of web acceleration's hour, at most, over all accounts. */
    readonly maxRequests: number;
    /** Accounts that are in the cluster, by `keyOf`. */
    readonly present: ReadonlySet<string>;
    readonly announce: (text: string) => void;
  },
): Promise<Answers> {
  const answers = new Map<string, Answered>();
  const unknown = new Map<string, string>();
  const notes: string[] = [];
  const fromStatuses: string[] = [];
  let left = options.maxRequests;
  for (const question of questions) {
    const { key } = question.account;
    const what = accountText(key);
    const most = mostRequests(question);
    if (most.cloud + most.hour === 0) continue;
    if (!options.present.has(key)) {
      notes.push(
        `${what} is not in the cluster yet: what its account has at the service was not looked at. Apply it first.`,
      );
      continue;
    }
    let access: ServiceAccess | undefined;
    try {
      access = await open(question, left);
      left -= await askOne(question, access, left);
    } catch (error) {
      if (!(error instanceof EdgelineError)) throw error;
      (isDescribed(question) ? fromStatuses : notes).push(
        `${what}: the service did not say what it has, which was taken from the statuses: ${error.message}. ${adviceAtTerminal(error)}`,
      );
    } finally {
      await access?.close();
    }
  }
  return { answers, unknown, notes, fromStatuses };

  async function open({ account }: Question, maxRequests: number): Promise<ServiceAccess> {
    const { plural, namespace, name } = parseKey(account.key);
    const kind = plural === 'cloudaccounts' ? 'CloudAccount' : 'ClusterCloudAccount';
    return openService(
      options.session,
      { ...(namespace !== '' && { namespace }), account: { kind, name }, maxRequests },
      options.surroundings,
    );
  }

  /** The requests of the hour that were sent. */
  async function askOne(question: Question, access: ServiceAccess, hour: number): Promise<number> {
    const most = mostRequests(question);
    const what = accountText(question.account.key);
    const room = most.hour === 0 ? 0 : Math.min(hour, (await access.hour()).room);
    options.announce(
      `${what}: reading what it has with up to ${most.cloud} ${most.cloud === 1 ? 'request' : 'requests'}${most.hour === 0 ? '' : `, and up to ${Math.min(most.hour, room)} of web acceleration’s hour`}.`,
    );
    let refusal: HourRefused | undefined;
    const { answered, unread, sent } = await learn(access.client, question, {
      recorded: recordedPicture(question.objects),
      hour: room,
      async reserve(requests) {
        try {
          await access.reserve(requests);
          return requests;
        } catch (error) {
          if (!(error instanceof HourRefused)) throw error;
          refusal = error;
          return 0;
        }
      },
      call: { lane: 'list' },
    });
    answers.set(question.account.key, answered);
    const why = refusal
      ? `${refusal.message}. ${refusal.advice}`
      : `that would have taken more than the ${room} ${room === 1 ? 'request' : 'requests'} that it may spend; --max-requests sets another number.`;
    for (const resource of keysOf(question)) {
      if (unread.has(resource)) unknown.set(resource, `${resourceText(resource)}: not read, ${why}`);
    }
    if (refusal && unread.size === 0)
      fromStatuses.push(`${what}: settings of sites were taken from the statuses: ${refusal.message}.`);
    return sent.hour;
  }
}

/** The statuses of all that the plan is about say what the service has. */
function isDescribed({ objects: { sims, gateways, sites, certificates } }: Question): boolean {
  return (
    [...sims, ...gateways].every(({ status }) => status?.id !== undefined) &&
    sites.every(({ status }) => status?.settings !== undefined) &&
    certificates.every(({ status }) => status?.current !== undefined)
  );
}

function accountText(key: string): string {
  return resourceText(key);
}

function resourceText(key: string): string {
  const { plural, namespace, name } = parseKey(key);
  return `${plannedKindOf(plural).kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
