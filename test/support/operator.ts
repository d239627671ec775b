import { surroundingsOfProcess } from '../../src/commands/surroundings.ts';
import type { OperatorOptions } from '../../src/operator/options.ts';
import { type Operator, startOperator } from '../../src/operator/start.ts';
import { bareOperator } from '../../src/shadow/world/bare-operator.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { adminKubeconfig } from './control-plane.ts';

/** Seconds between two polls of the list of SIMs: short, so that drift shows at once. */
const POLL_SECONDS = 0.25;
/** The same for sites, whose requests are spaced. */
const SITE_POLL_SECONDS = 1;

/** The simulated service shows at once what was made, unless a test has it do otherwise. */
const SHOWN_SECONDS = 3;

/** An operator in this process, for the namespaces named or for all. It elects no leader and listens nowhere. */
export function startTestOperator(options: Partial<OperatorOptions> = {}): Promise<Operator> {
  return startOperator({
    ...surroundingsOfProcess(adminKubeconfig()),
    ...bareOperator,
    simPollSeconds: POLL_SECONDS,
    sitePollSeconds: SITE_POLL_SECONDS,
    workers: 20,
    shownSeconds: SHOWN_SECONDS,
    version: '0.0.0-test',
    revision: 'test',
    log: createLogger({ level: 'silent', format: 'json' }),
    onFatal: (message) => {
      throw new Error(message);
    },
    ...options,
  });
}
