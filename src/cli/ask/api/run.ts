import { CloudError, type CloudErrorClass } from '../../../cloud/errors.ts';
import type { CallOptions } from '../../../cloud/limiter/lanes.ts';
import type { RawRequest } from '../../../cloud/raw/api.ts';
import { EdgelineError } from '../../../errors.ts';
import { UsageError } from '../../errors.ts';
import { toJson, toYaml } from '../../output.ts';
import type { AccountChoice } from '../../service/account.ts';
import type { CliSurroundings, ClusterFlags } from '../../session.ts';
import { type Work, withAccount } from '../run.ts';
import { hidden, secretsOf } from './hide.ts';
import { refuseOwned } from './owners.ts';
import { type ApiPath, textOf } from './path.ts';

export interface ApiOptions extends ClusterFlags {
  readonly method: RawRequest['method'];
  readonly path: ApiPath;
  readonly body: object | undefined;
  readonly account?: AccountChoice | undefined;
  /** Whether anything but a GET is sent. */
  readonly write: boolean;
  /** Also if the operator would undo it, or a person has stopped the account. */
  readonly force: boolean;
  readonly showSecrets: boolean;
  readonly output: 'json' | 'yaml';
}

/** The service refused a request that a person wrote, or what came of it is not known. */
export class ApiRefused extends EdgelineError {
  readonly code = 'ApiRefused';
}

const READ: CallOptions = { lane: 'list' };
const WRITE: CallOptions = { lane: 'write' };

/** What a person does, where the client's own advice is about a resource. */
const advice: Partial<Record<CloudErrorClass, string>> = {
  Rejected: 'Correct the request: nothing was changed.',
  Conflict: 'Try again later, or free what it wants.',
  Retryable: 'Try again later.',
  OutcomeUnknown: 'See with a GET whether it was done before you send it again.',
};

/**
 * Sends one request through an account, and prints the answer as it came.
 * @throws UsageError, ClusterError, ApiRefused and what opening the account throws
 */
export async function requestApi(options: ApiOptions, surroundings: CliSurroundings): Promise<void> {
  const { method, path, body, showSecrets, output } = options;
  if (method === 'GET' && body)
    throw new UsageError(
      'a GET has no --data',
      'Write parameters after a ?, as in \'/commonserviceitem?{"Count":10}\'.',
    );
  if (method !== 'GET' && path.query !== undefined)
    throw new UsageError(`a ${method} has no parameters in its path`, 'Write them as --data.');
  const visible = (value: object) => (showSecrets ? value : hidden(value));
  await withAccount(
    { ...options, evenIfStopped: options.force },
    surroundings,
    async () => options.account,
    async (work) => {
      if (method !== 'GET') {
        await refuseUnwanted(options, work, (sent) => void surroundings.err.write(sent), visible);
      }
      const answer = visible(await send(options, work));
      surroundings.out.write(output === 'yaml' ? await toYaml(answer) : toJson(answer));
    },
  );
}

/** Before anything that writes: what is sent is shown, and whose it is was looked at. */
async function refuseUnwanted(
  { method, path, body, write, force }: ApiOptions,
  { session, access }: Work,
  tell: (text: string) => void,
  visible: (value: object) => object,
): Promise<void> {
  const { kind, name } = access.account.ref;
  tell(
    `${method} ${textOf(path, method, access.dialect)} through ${kind}/${name}\n${body ? toJson(visible(body)) : ''}`,
  );
  if (!force) await refuseOwned(session, { method, path, body });
  if (!write)
    throw new UsageError('nothing was sent: it may change something at the service', 'Add --write to send it.');
}

async function send({ method, path, body }: ApiOptions, { access }: Work): Promise<object> {
  try {
    const request = { method, ...path, body, secrets: secretsOf(body) };
    return await access.client.raw.send(request, method === 'GET' ? READ : WRITE);
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    throw new ApiRefused(error.message, advice[error.class] ?? error.advice, { cause: error });
  }
}
