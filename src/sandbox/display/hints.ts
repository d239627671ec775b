import { dirname } from 'node:path';
import { demoNamespace, SIM_POLL_SECONDS } from '../names.ts';
import { simulatorCredentials } from '../processes/simulator-process.ts';

/** A Sim to try things on. */
export interface HintSim {
  readonly name: string;
  readonly iccid: string;
  /** Whether its second carrier is allowed. */
  readonly secondCarrierAllowed: boolean;
}

/** What to try once all are Ready: every command works when pasted, in this order. */
export function hints(options: {
  readonly kubeconfig: string;
  /** The path of kubectl; undefined when there is one on the PATH. */
  readonly kubectl: string | undefined;
  readonly control: string;
  /** How to run another command of this program. */
  readonly program: { readonly command: string; readonly args: readonly string[] };
  readonly operatorLog: string;
  /** The address of the operator's page. */
  readonly statusPage: string;
  /** An active Sim with carriers that was created, not taken over. */
  readonly sim: HintSim | undefined;
}): string[] {
  const { kubeconfig, kubectl, control, program, operatorLog, statusPage, sim } = options;
  return [
    `Look at all of it in a browser: ${statusPage}`,
    '',
    'What to try next, in another terminal:',
    '',
    `  export KUBECONFIG=${quoted(kubeconfig)}`,
    ...(kubectl === undefined ? [] : [`  export PATH=${quoted(dirname(kubectl))}:$PATH`]),
    // The simulator's control port: where the service is looked at and changed behind the operator's back.
    `  export CONTROL=${control}`,
    `  edgeline() { ${[program.command, ...program.args].map(quoted).join(' ')} "$@"; }`,
    '  kubectl get edgeline -A',
    '  edgeline status -A',
    ...(sim ? simHints(sim) : []),
    '',
    '  # what the operator does, and what else the simulator can do: faults, time, state',
    `  tail -n 20 ${quoted(operatorLog)}`,
    '  curl -s $CONTROL',
    '',
    'docs/tutorial.md goes on from here, a quarter of an hour.',
  ];
}

/** What to try while the control plane is built: the service is there already. */
export function meanwhileHints({ baseURL, control, ca }: { baseURL: string; control: string; ca: string }): string[] {
  const { accessToken, accessTokenSecret } = simulatorCredentials;
  return [
    'Meanwhile, the simulated service can be tried, in another terminal:',
    `  curl -s --cacert ${quoted(ca)} -u ${accessToken}:${accessTokenSecret} ${baseURL}/cloud/zone/is1a/api/cloud/1.1/commonserviceitem`,
    `  curl -s ${control}`,
  ];
}

function simHints({ name, iccid, secondCarrierAllowed }: HintSim): string[] {
  const inNamespace = `-n ${demoNamespace}`;
  const carrier = JSON.stringify([{ op: 'replace', path: '/spec/carriers/1/allow', value: !secondCarrierAllowed }]);
  const drift = JSON.stringify({ sims: { [iccid]: { activated: false } } });
  return [
    `  kubectl describe sim ${name} ${inNamespace}`,
    `  edgeline explain sim/${name} ${inNamespace}`,
    '',
    '  # change which carriers a Sim may use, and see what has been asked of the service so far',
    `  kubectl patch sim ${name} ${inNamespace} --type=json -p '${carrier}'`,
    '  curl -s $CONTROL/counts',
    '',
    '  # deactivate its SIM behind the operator’s back, and see it corrected. The operator reads the list of SIMs',
    `  # every ${SIM_POLL_SECONDS} s here, because of --sim-poll ${SIM_POLL_SECONDS}; every 60 s by default`,
    `  curl -s -X PATCH -d '${drift}' $CONTROL/state`,
    `  sleep ${SIM_POLL_SECONDS + 2}; kubectl events ${inNamespace} --for sim/${name} | tail -n 3`,
    '',
    '  # delete it: the SIM is deactivated and deleted at the service too, so the count is 0',
    `  kubectl delete sim ${name} ${inNamespace}`,
    `  curl -s $CONTROL/state | grep -c ${iccid}`,
  ];
}

/** For a POSIX shell; plain where nothing needs quoting. */
function quoted(path: string): string {
  return /^[\w./+:@%-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
